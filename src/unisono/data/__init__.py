"""What was annotated: units, documents, corpora, ratings, normalizations. Imports no other package of unisono."""

from typing import TypeAlias

from unisono.data.annotation_set import AnnotationSet
from unisono.data.corpus import Corpus, Document, Unit
from unisono.data.export import Export
from unisono.data.labels import Feature, Label
from unisono.data.normalizations import Normalizations
from unisono.data.questions import Question
from unisono.data.ratings import Ratings

Data: TypeAlias = Corpus | Ratings | Normalizations
"""What can be measured: units on continua, labels of items, or rewritten words."""

__all__ = [
    "AnnotationSet",
    "Corpus",
    "Data",
    "Document",
    "Export",
    "Feature",
    "Label",
    "Normalizations",
    "Question",
    "Ratings",
    "Unit",
]
