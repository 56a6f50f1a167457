"""The full report: one self-contained page with everything that was measured, to open after every round."""
