"""Which units belong together: candidates, solvers, and the alignment."""
