"""Judges of the outputs of systems: agreement with people, preferences for a position or for length, rankings."""

from unisono.comparison.judging.judges import judges
from unisono.comparison.judging.result import JudgedSystems

__all__ = ["JudgedSystems", "judges"]
