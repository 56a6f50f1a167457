"""Measures of agreement, and the registry that knows them by name."""
