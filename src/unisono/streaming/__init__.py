"""A corpus larger than memory: read in pieces, measured in batches, and resumed where it was interrupted."""
