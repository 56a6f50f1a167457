"""Studies: many texts, several guidelines, several groups of annotators (Reiter 2018)."""

from unisono.studies.definition import Definition, Guideline, read_study
from unisono.studies.measuring import study
from unisono.studies.result import Part, Study, StudyCell

__all__ = ["Definition", "Guideline", "Part", "Study", "StudyCell", "read_study", "study"]
