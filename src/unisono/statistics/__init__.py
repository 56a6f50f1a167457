"""Confidence intervals, comparisons and tests: how much values would vary with other data of the same kind."""
