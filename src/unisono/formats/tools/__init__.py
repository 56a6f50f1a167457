"""Readers of what annotation tools write, and what only they share."""
