"""What counts in a comparison with a model: what it did and people did, and the parts that are left out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, FloatArray
from unisono.comparison.pairing import FEWEST_DOCUMENTS, apart, in_blocks, some_of, worked_together
from unisono.data import Corpus, Data, Ratings
from unisono.data.ratings import taken
from unisono.data.runs import model_of
from unisono.errors import DataError, listed
from unisono.measurement.categorization.family import prepare
from unisono.measurement.document_groups import grouped_documents
from unisono.measurement.item_order import is_sorted


@dataclass(frozen=True)
class Scope:
    """Data of models and people, and what it is made of.

    Attributes
    ----------
    data : Data
        What counts. Where labels are in too few documents, each item is a document.
    items : bool
        Whether each item is a document.
    """

    data: Data
    items: bool

    @property
    def size(self) -> int:
        """How many items, or documents, there are."""
        return len(self.data.documents) if isinstance(self.data, Corpus) else len(self.data.document)

    def groups(self, results: Sequence[Any]) -> list[list[str]]:
        """Put documents that count in some result into groups to leave out; those of γ are left out one by one."""
        counting = dict.fromkeys(name for result in results for name in result.parts.documents())
        names = [name for name in self.data.documents if name in counting]
        if all(np.isinf(result.parts.most_parts) for result in results):
            return [[name] for name in names]
        return grouped_documents(names, max(result.n_units for result in results), self.data)

    def blocks(self) -> list[list[str]] | None:
        """Put neighbouring items into blocks; None if these say nothing, since rows are sorted or are documents."""
        if not self.items or not isinstance(self.data, Ratings):
            return None
        if is_sorted(prepare(self.data).by_item, np.zeros(len(self.data.document), dtype=np.int64)):
            return None
        own = in_blocks(self.data).document
        names = self.data.documents
        return [[names[row] for row in np.flatnonzero(own == block).tolist()] for block in np.unique(own).tolist()]

    def shared(self, pair: Sequence[str]) -> FloatArray:
        """Return how much two annotators both did in each document: items, or the document."""
        data = self.data
        one, other = (data.annotators.index(name) for name in pair)
        if isinstance(data, Corpus):
            return np.asarray(data.worked[:, one] & data.worked[:, other], dtype=np.float64)
        both = (data.cells[:, one] >= 0) & (data.cells[:, other] >= 0)
        found = np.bincount(data.document, weights=both * data.times, minlength=len(data.documents))
        return found.astype(np.float64)

    def parts(self, groups: Sequence[Sequence[str]]) -> str:
        """Name what is left out one by one."""
        what = "items" if self.items else "documents"
        return what if all(len(group) == 1 for group in groups) else f"groups of {what}"


def scope_of(data: Data, models: Sequence[Sequence[str]], humans: Sequence[str]) -> Scope:
    """Keep what each of some models did in some run and two people did, or the only one.

    What a model left out may be harder than the rest, so people are measured without it, too.
    """
    people = [data.annotators.index(name) for name in humans]
    runs = [[data.annotators.index(name) for name in own] for own in models]
    needed = min(2, len(humans))
    different = apart(data, [name for own in models for name in own], humans)
    if isinstance(data, Ratings):
        made = data.cells >= 0
        rows = (made[:, people].sum(axis=1) >= needed) & _all_of(made, runs)
        _check_common(rows, made[:, people], _all_of(made, runs), models, needed, "item", different)
        if data.times[rows].sum() < 2:
            raise DataError(
                f"{_named(models)} and the people have only one item in common; label more of the same items"
            )
        return _of_ratings(data, rows)
    worked = np.asarray(data.worked)
    keep = (worked[:, people].sum(axis=1) >= needed) & _all_of(worked, runs)
    _check_common(keep, worked[:, people], _all_of(worked, runs), models, needed, "document", different)
    if keep.sum() < 2:
        raise DataError("to compare a model, it and people must have worked on at least two documents")
    return Scope(some_of(data, documents=[name for name, yes in zip(data.documents, keep, strict=True) if yes]), False)


def _all_of(made: BoolArray, runs: Sequence[Sequence[int]]) -> BoolArray:
    """Whether each model did something, in some run."""
    return np.asarray(np.all([made[:, own].any(axis=1) for own in runs], axis=0))


def _of_ratings(data: Ratings, rows: BoolArray) -> Scope:
    everyone = np.ones(len(data.annotators), dtype=np.bool_)
    documents = np.isin(np.arange(len(data.documents)), data.document[rows])
    kept = taken(data, rows, everyone, documents, all_labels=True)
    if len(worked_together(kept)) >= FEWEST_DOCUMENTS:
        return Scope(kept, False)
    times = kept.times  # a row that stands for several items is several items
    index = np.repeat(np.arange(len(times)), times)
    items = [kept.items[row] for row in index.tolist()]
    names = tuple(map(str, items))  # by which messages find them, if they are unique
    return Scope(
        replace(
            kept,
            items=items,
            documents=names if len(set(names)) == len(names) else tuple(map(str, range(len(names)))),
            document=np.arange(len(index)),
            codes=kept.codes[index],
            repeats=None,
            texts=None,
            lines=None,
        ),
        True,
    )


def _check_common(
    both: BoolArray,
    people: BoolArray,
    model: BoolArray,
    models: Sequence[Sequence[str]],
    needed: int,
    what: str,
    different: str,
) -> None:
    """Raise DataError if the models and people have nothing in common; `different` says that no document is."""
    if both.any():
        return
    named = _named(models)
    if not model.any():
        raise DataError(f"there is no {what} that all of {named} annotated; compare them one by one")
    if not (people.any(axis=1) & model).any():
        raise DataError(f"{named} and the people have no {what} in common{different}")
    raise DataError(
        f"no {what} that {named} annotated was annotated by {needed} people; name one person to compare with"
    )


def _named(models: Sequence[Sequence[str]]) -> str:
    return listed([model_of(own[-1]) if len(own) > 1 else own[0] for own in models])
