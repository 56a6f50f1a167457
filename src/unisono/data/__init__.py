"""What was annotated: units, documents, corpora, ratings. Knows nobody else."""

from typing import TypeAlias

from unisono.data.annotation_set import AnnotationSet
from unisono.data.corpus import Corpus, Document, Unit
from unisono.data.labels import Feature, Label
from unisono.data.ratings import Ratings

Data: TypeAlias = Corpus | Ratings
"""What can be measured: units on continua, or labels of items."""

__all__ = ["AnnotationSet", "Corpus", "Data", "Document", "Feature", "Label", "Ratings", "Unit"]
