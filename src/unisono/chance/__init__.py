"""Random annotations, as chance would make them, and how many of them are enough."""
