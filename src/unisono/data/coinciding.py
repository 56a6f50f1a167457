"""Spans that coincide as ratings: if all annotators mark the same spans, only the labels are left to agree on."""

from __future__ import annotations

import numpy as np

from unisono.arrays import BoolArray, IntArray
from unisono.data.corpus import Corpus
from unisono.data.labels import MISSING, Feature, Label
from unisono.data.labels import feature as make_feature
from unisono.data.ratings import Ratings
from unisono.errors import DataError


def ratings_from_units(corpus: Corpus, *, feature: str | None = None, unmarked: str | None = None) -> Ratings:
    """Turn every distinct span of a document into an item with everybody's labels; see `unisono.to_ratings`."""
    return coinciding(corpus, feature=feature, unmarked=unmarked).select()  # without labels that occur only elsewhere


def coinciding(corpus: Corpus, *, feature: str | None = None, unmarked: str | None = None) -> Ratings:
    """Do the same, and keep all labels of the feature."""
    label = _labels(corpus, feature)
    item, first = _items(corpus)
    _refuse_twice(corpus, item)
    codes = np.full((len(first), len(corpus.annotators)), MISSING, dtype=np.int64)
    marked = np.zeros(codes.shape, dtype=np.bool_)
    codes[item, corpus.annotator] = label.codes
    marked[item, corpus.annotator] = True
    absent = corpus.worked[corpus.document[first]] & ~marked
    if absent.any() and unmarked is None:
        raise _unmarked(corpus, first, absent, marked)
    together = _with_unmarked(label.labels, unmarked)
    labels = label.labels if together is None else together.labels
    if together is not None:
        codes = np.append(together.codes, MISSING)[codes]
        codes[absent] = together.codes[-1]
    return Ratings(
        items=[_span(corpus, row) for row in first.tolist()],
        annotators=corpus.annotators,
        documents=corpus.documents,
        document=corpus.document[first],
        codes=codes,
        labels=labels,
        source=corpus.source,
    )


def coinciding_labels(corpus: Corpus, feature: str | None = None, unmarked: str | None = None) -> tuple[Label, ...]:
    """Return the labels that items may have."""
    labels = _labels(corpus, feature).labels
    together = _with_unmarked(labels, unmarked)
    return labels if together is None else together.labels


def _with_unmarked(labels: tuple[Label, ...], unmarked: str | None) -> Feature | None:
    """Put the label of spans that are not marked, if there is one, among the others; its code is the last."""
    if unmarked is None or unmarked == "missing":
        return None
    return make_feature([*labels, next((label for label in labels if str(label) == unmarked), unmarked)])


def _labels(corpus: Corpus, name: str | None) -> Feature:
    chosen = corpus.chosen_feature(name)
    if chosen is None:
        raise DataError("the spans have no labels, so there is nothing to agree on but positions; use gamma")
    return corpus.features[chosen]


def _items(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """Find the distinct spans, by document and position: the item of each unit, and the first unit of each item."""
    order = np.lexsort((corpus.end, corpus.start, corpus.document))
    columns = [column[order] for column in (corpus.document, corpus.start, corpus.end)]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    item = np.empty(len(order), dtype=np.int64)
    item[order] = np.cumsum(new) - 1
    return item, order[new]


def _refuse_twice(corpus: Corpus, item: IntArray) -> None:
    cells, first = np.unique(item * max(len(corpus.annotators), 1) + corpus.annotator, return_index=True)
    if len(cells) < len(item):
        row = int(np.setdiff1d(np.arange(len(item)), first)[0])
        who, where = corpus.annotators[corpus.annotator[row]], corpus.documents[corpus.document[row]]
        raise DataError(
            f"the annotator {who!r} marks {_span(corpus, row)} of document {where!r} twice, but a rating is one label; "
            "join the labels into one, or use gamma"
        )


def _unmarked(corpus: Corpus, first: IntArray, absent: BoolArray, marked: BoolArray) -> DataError:
    item, who = np.argwhere(absent)[0].tolist()
    row = int(first[item])
    where, name = corpus.documents[corpus.document[row]], corpus.annotators[who]
    other = corpus.annotators[int(np.argmax(marked[item]))]
    return DataError(
        f"spans do not coincide: in document {where!r}, {name!r} did not mark {_span(corpus, row)} as {other!r} did; "
        "specify what that means: unmarked=missing (no label) or unmarked=LABEL, or use gamma"
    )


def _span(corpus: Corpus, row: int) -> str:
    return f"{corpus.start[row]:.12g}–{corpus.end[row]:.12g}"
