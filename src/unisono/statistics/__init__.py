"""Confidence intervals: how far a value would move with other data of the same kind."""
