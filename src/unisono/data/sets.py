"""All documents of a corpus as arrays to compute with, made at once: there may be thousands of small ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.anchors import tie_breakers
from unisono.data.annotation_set import AnnotationSet
from unisono.data.corpus import Corpus, Document


def annotation_sets(corpus: Corpus, features: Sequence[str] = ()) -> list[AnnotationSet]:
    """Return what `Document.annotation_set` returns for each document."""
    n_documents = len(corpus.documents)
    columns = np.array([corpus.features[name].codes for name in features], dtype=np.int64)
    codes = columns.reshape(len(features), corpus.n_units)
    ties = tie_breakers(corpus.anchors)
    keys = (*ties, *codes[::-1], corpus.end, corpus.start, corpus.annotator, corpus.document)
    order = np.arange(corpus.n_units) if _in_order(keys) else np.lexsort(keys)
    anchors = None if corpus.anchors is None else corpus.anchors.take(order).as_floats()
    start, end = corpus.start[order].astype(np.float64), corpus.end[order].astype(np.float64)
    codes = codes[:, order]
    # annotators of a document are numbered without those who did not work on it
    local = np.cumsum(corpus.worked, axis=1) - 1
    annotator = local[corpus.document[order], corpus.annotator[order]]
    first = np.searchsorted(corpus.document[order], np.arange(n_documents + 1)).tolist()
    n_annotators = corpus.worked.sum(axis=1).tolist()
    with_text = {document for document, _ in corpus.texts}
    guessed = _extents(corpus)
    sets = []
    for index in range(n_documents):
        own = slice(first[index], first[index + 1])
        given = corpus.bounds.get(index, corpus.extents.get(index))
        if given is None:
            given = Document(corpus, index).bounds if index in with_text else guessed[index]
        inferred = not (index in corpus.bounds or index in with_text)
        sets.append(
            AnnotationSet(
                start[own],
                end[own],
                annotator[own],
                codes[:, own],
                n_annotators[index],
                given,
                inferred,
                None if anchors is None else anchors.take(own),
            )
        )
    return sets


def _in_order(keys: Sequence[IntArray | FloatArray]) -> bool:
    """Whether rows are sorted by the last key, then by the one before it, and so on: that of a corpus nearly always."""
    if not len(keys[-1]):
        return True
    tied = np.ones(len(keys[-1]) - 1, np.bool_)
    for key in reversed(keys):
        if (tied & (key[1:] < key[:-1])).any():
            return False
        tied &= key[1:] == key[:-1]
    return True


def _extents(corpus: Corpus) -> list[tuple[float, float]]:
    """Return where the units of each document begin and end; 0 and 0 without units."""
    sizes = np.bincount(corpus.document, minlength=len(corpus.documents))
    low, high = np.zeros(len(sizes)), np.zeros(len(sizes))
    if corpus.n_units:  # rows are sorted by document
        begins = (np.cumsum(sizes) - sizes)[sizes > 0]
        low[sizes > 0] = np.minimum.reduceat(corpus.start, begins)
        high[sizes > 0] = np.maximum.reduceat(corpus.end, begins)
    return list(zip(low.tolist(), high.tolist(), strict=True))
