"""What was annotated: units, documents, corpora. Knows nobody else."""

from unisono.data.annotation_set import AnnotationSet
from unisono.data.corpus import Corpus, Document, Unit
from unisono.data.labels import Feature, Label

__all__ = ["AnnotationSet", "Corpus", "Document", "Feature", "Label", "Unit"]
