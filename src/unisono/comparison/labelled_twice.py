"""Items that a model labelled, of which people labelled some, too: who gave which category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.checks import check_names, check_text
from unisono.comparison.models.roles import counted_as_people, looks_like_a_model
from unisono.comparison.pairing import apart
from unisono.data import Ratings
from unisono.data.labels import written_label
from unisono.errors import DataError, OptionError, listed, mention, plural
from unisono.formats.entry import DataLike, Rows, as_data
from unisono.statistics.jackknife import FEWEST_PARTS
from unisono.statistics.misclassification import corrected_shares
from unisono.statistics.quantiles import chi_square_tail
from unisono.statistics.shares import DoubleSample, EstimatedShare

_MOST_CATEGORIES = 100
_MOST_CELLS = 50_000_000
_FEW = 5
"""A category that people gave to fewer items is hardly known."""
_UNLIKELY = 0.001
"""Samples as unlike as this are hardly random."""


@dataclass(frozen=True)
class LabelledTwice:
    """What people and a model said about items.

    Attributes
    ----------
    model, humans : str and tuple of str
        Who they are.
    categories : tuple of str
        What they said: labels, or the members of labels that are sets.
    sets : bool
        Whether an item has several categories.
    both : DoubleSample
        The items that the model labelled.
    people : float64 array, shape (n_items_of_people, n_categories)
        The shares of people, for all items that they labelled.
    part_of_people : int64 array, shape (n_items_of_people,)
        The parts that these belong to, as in `DoubleSample`.
    parts : str
        What parts are: items or documents.
    doubts : tuple of str
        Notes on labels that may be mistakes.
    """

    model: str
    humans: tuple[str, ...]
    categories: tuple[str, ...]
    sets: bool
    both: DoubleSample
    people: FloatArray
    part_of_people: IntArray
    parts: str
    doubts: tuple[str, ...] = ()

    def corrected(self) -> list[EstimatedShare | None] | str:
        """Return the model's shares, corrected for its errors; each category for itself where items have several."""
        if not self.sets:
            return corrected_shares(self.both)
        found = [corrected_shares(self._alone(k)) for k in range(len(self.categories))]
        return [None if isinstance(one, str) else one[0] for one in found]

    def notes(self) -> Iterator[str]:
        """Iterate over what one should know about estimates from these items."""
        sample = self.both
        yield from self.doubts
        alike = [name for name in self.humans if looks_like_a_model(name)]
        if alike:
            yield f"{counted_as_people(alike)}; name those who are people"
        if self.parts == "items" and sample.n_model > 0 and self._unlike() < _UNLIKELY:
            yield (
                f"{self.model} labels the items that people labelled differently from the rest (p < {_UNLIKELY:g}), "
                "so they are hardly a random sample, which the estimate from both needs; the corrected one only needs "
                "the model to make the same errors in both"
            )
        counts = np.nansum(sample.people > 0, axis=0)
        rare = [name for name, n in zip(self.categories, counts.tolist(), strict=True) if n < _FEW]
        if rare:
            them = "it" if len(rare) == 1 else "them"
            yield f"people gave {listed(rare, 5)} to fewer than {_FEW} items, so little is known about {them}"

    def _alone(self, k: int) -> DoubleSample:
        """Return the sample with one category and the rest."""
        sample = self.both
        ours, theirs = (np.column_stack([one[:, k], 1 - one[:, k]]) for one in (sample.people, sample.model))
        return DoubleSample(ours, theirs, sample.part)

    def _unlike(self) -> float:
        """Return how likely the model's labels of both kinds of items would differ so much in a random sample."""
        sample = self.both
        table = np.array([sample.model[rows].sum(axis=0) for rows in (sample.by_people, ~sample.by_people)])
        table = table[:, table.sum(axis=0) > 0]
        expected = table.sum(axis=0) * table.sum(axis=1, keepdims=True) / table.sum()
        if table.shape[1] < 2:
            return 1.0
        return chi_square_tail(float((np.square(table - expected) / expected).sum()), table.shape[1] - 1)


def labelled_twice(
    data: DataLike, model: str, humans: str | Sequence[str] | None = None, *, rows: Rows = None
) -> LabelledTwice:
    """Read what people and a model said; see `unisono.prevalence`."""
    ratings = as_data(data, rows=rows)
    if not isinstance(ratings, Ratings):
        raise DataError(
            "prevalence is that of labels of given items, which these are not; spans become labels of characters or "
            "tokens with unisono.to_atoms"
        )
    name = _known(ratings, check_text(model, "model"))
    people = _people(ratings, name, None if humans is None else check_names(humans, "humans"))
    by_model = ratings.codes[:, ratings.annotators.index(name)]
    by_people = ratings.codes[:, [ratings.annotators.index(one) for one in people]]
    given, is_model = np.asarray((by_people >= 0).any(axis=1)), np.asarray(by_model >= 0)
    both = given & is_model
    _check_common(name, people, is_model, given, both, apart(ratings, people, [name]))
    members, categories, sets = _members(ratings, np.append(by_people[given].ravel(), by_model))
    times = ratings.times
    _check_size(int(times.sum()), len(categories))
    shares = _shares(by_people, members)
    part, parts = _parts(ratings, both)
    sample = DoubleSample(
        np.repeat(shares[is_model], times[is_model], axis=0),
        np.repeat(members[by_model[is_model]], times[is_model], axis=0),
        _numbered(part, is_model, times),
    )
    return LabelledTwice(
        name,
        tuple(people),
        categories,
        sets,
        sample,
        np.repeat(shares[given], times[given], axis=0),
        _numbered(part, given, times),
        parts,
        ratings.notes,
    )


def _known(ratings: Ratings, model: str) -> str:
    if model not in ratings.annotators:
        raise OptionError(f"unknown annotator {model!r}; available: {listed(ratings.annotators)}", "model")
    return model


def _people(ratings: Ratings, model: str, named: Sequence[str] | None) -> list[str]:
    """Return the annotators that are people."""
    if named is None:
        people = [name for name in ratings.annotators if name != model]
        if not people:
            raise DataError(f"there are no annotators besides {model}, but labels by people are needed")
        return people
    unknown = [name for name in named if name not in ratings.annotators]
    if unknown:
        raise OptionError(f"unknown annotator {unknown[0]!r}; available: {listed(ratings.annotators)}", "humans")
    if model in named:
        raise OptionError(f"{model} cannot be both the model and one of the people", "humans")
    if not named:
        raise OptionError("name at least one annotator", "humans")
    return list(dict.fromkeys(named))


def _check_common(
    model: str, people: Sequence[str], by_model: BoolArray, given: BoolArray, both: BoolArray, different: str
) -> None:
    who = listed(people, 5)
    if not by_model.any():
        raise DataError(f"{model} labelled nothing; check which annotator is the model, e.g. with unisono advise")
    if not given.any():
        raise DataError(f"{who} labelled nothing, but labels by people are needed; check {mention('humans')}")
    if not both.any():
        raise DataError(
            f"{who} and {model} have no item in common{different or '; people must label some of the same items'}"
        )
    n = int(both.sum())
    if n < 2:
        raise DataError(f"{who} and {model} have only {plural(n, 'item')} in common; 50 or more are needed")


def _members(ratings: Ratings, used: IntArray) -> tuple[FloatArray, tuple[str, ...], bool]:
    """Return which categories each label has, shape (n_labels, n_categories), for labels that somebody gave."""
    there = np.unique(used[used >= 0]).tolist()
    labels = [ratings.labels[code] for code in there]
    sets = any(isinstance(label, tuple) for label in labels)
    names = [label if isinstance(label, tuple) else (written_label(label),) for label in labels]
    categories = tuple(dict.fromkeys(member for one in names for member in one))
    if sets:
        categories = tuple(sorted(categories))
    if len(categories) > _MOST_CATEGORIES:
        raise DataError(
            f"there are {len(categories):,} different labels, too many for categories; prevalence is for up to "
            f"{_MOST_CATEGORIES}"
        )
    place = {name: index for index, name in enumerate(categories)}
    members = np.zeros((len(ratings.labels), len(categories)))
    for code, own in zip(there, names, strict=True):
        members[code, [place[one] for one in own]] = 1.0
    return members, categories, sets


def _check_size(n_items: int, n_categories: int) -> None:
    if n_items * n_categories > _MOST_CELLS:
        raise DataError(f"{n_items:,} items with {n_categories} categories are too many at once; take a random sample")


def _shares(codes: IntArray, members: FloatArray) -> FloatArray:
    """Return which share of the people who labelled an item gave each category; NaN where nobody labelled it."""
    found = np.zeros((len(codes), members.shape[1]))
    for column in codes.T:
        found[column >= 0] += members[column[column >= 0]]
    n_given = (codes >= 0).sum(axis=1, keepdims=True)
    return np.where(n_given > 0, found / np.maximum(n_given, 1), np.nan)


def _parts(ratings: Ratings, both: BoolArray) -> tuple[IntArray | None, str]:
    """Return what is independent of each other: documents, or items if people labelled some of too few documents."""
    if len(np.unique(ratings.document[both])) >= FEWEST_PARTS:
        return ratings.document, "documents"
    return None, "items"


def _numbered(part: IntArray | None, kept: BoolArray, times: IntArray) -> IntArray:
    """Return the numbers of the parts of some items; without parts, each item is one, also of a row that is several."""
    if part is None:
        return np.arange(int(times[kept].sum()))
    spread = np.repeat(part[kept], times[kept])
    return np.asarray(np.unique(spread, return_inverse=True)[1].reshape(-1), dtype=np.int64)
