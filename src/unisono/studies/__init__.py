"""Studies: many texts, several guidelines, several groups of annotators (Reiter 2018)."""

from unisono.studies.definition import Guideline, read_study
from unisono.studies.study import Cell, Study, study

__all__ = ["Cell", "Guideline", "Study", "read_study", "study"]
