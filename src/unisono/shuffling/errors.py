"""Kinds of errors that annotators make, each from magnitude 0 (none) to 1 (Mathet et al. 2015, §6.3.1).

The paper names the kinds; where it gives no constants, the docstrings here do. Every kind changes what it says and
nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus
from unisono.errors import DataError, listed
from unisono.shuffling.units import UnitMarks, rounded, together
from unisono.statistics.isotonic import non_decreasing

SHIFT = 2.0
"""A boundary moves by at most this many times its unit's length."""
ADDED = 2.0
"""Units that are added per unit of the reference, at magnitude 1."""
SPLITS = 5.0
"""Splits per unit of the reference, at magnitude 1 (the paper's number)."""
MERGED = 0.5
"""Merges per unit of the reference, at magnitude 1; if all units were merged, annotators would agree again."""
CUTS = 1.0
"""A cut moves by at most this many times the mean length of the two segments beside it."""


@dataclass(frozen=True)
class ReferenceProfile:
    """What errors need to know about the whole reference."""

    category: int  # which row of the codes is the category; -1 if there is none
    prevalence: FloatArray  # shape (n_labels,): the share of each category
    lengths: FloatArray  # the lengths of all units, and `codes` their labels, to draw new units from
    codes: IntArray
    # shape (n_labels, n_labels): how easily categories are confused, for categories that overlap
    similarity: FloatArray | None = None
    features: tuple[str, ...] = ()  # the names of the rows of the codes
    units: Corpus | None = None  # all units, if some have several anchors


@dataclass(frozen=True)
class Dose:
    """How much of an error is made in one document."""

    magnitude: float  # from 0 to 1
    factor: float  # the constant of the kind of error
    n_units: int  # how many units the reference has in this document

    @property
    def strength(self) -> float:
        """The magnitude times the factor."""
        return self.magnitude * self.factor

    def times(self, rng: np.random.Generator) -> int:
        """Draw how many errors are made: magnitude times factor per unit of the reference."""
        return rounded(self.strength * self.n_units, rng)


Change: TypeAlias = Callable[[UnitMarks, Dose, ReferenceProfile, np.random.Generator], UnitMarks]


@dataclass(frozen=True)
class ErrorKind:
    """A kind of error."""

    name: str
    does: str  # what annotators do who make it, as in "annotators who shift boundaries"
    change: Change  # makes the errors of one annotator in one document
    factor: float | None = None  # the default of the constant that can be set; None if none can be


@dataclass(frozen=True)
class TextErrorKind:
    """A kind of error of annotators who correct the text, made by `TextErrors` (Barteld et al. 2016, §7)."""

    # see `ErrorKind`
    name: str
    does: str
    share: float  # changes per unit, at magnitude 1
    factor: ClassVar[None] = None


@dataclass(frozen=True)
class ItemErrorKind:
    """A kind of error of annotators who label items, made by `ItemErrors`."""

    # see `ErrorKind`
    name: str
    does: str
    factor: float | None = None


def shifted(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Shift each boundary by a random value between ± magnitude · factor · length of its unit."""
    most = dose.strength * (marks.end - marks.start)
    return marks.placed(marks.start + rng.uniform(-most, most), marks.end + rng.uniform(-most, most))


def shifted_apart(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Shift boundaries as `shifted` does, then put them in order, so that units do not overlap.

    The k-th unit gets the boundaries 2k and 2k + 1 of all in order: their number and their categories' order stay.
    """
    if (marks.start[1:] < marks.end[:-1]).any():
        raise DataError(
            "units of the reference overlap already, so position-apart cannot keep them apart; use the error position"
        )
    most = np.repeat(dose.strength * (marks.end - marks.start), 2)
    edges = np.stack([marks.start, marks.end], axis=1).ravel() + rng.uniform(-most, most)
    least = np.zeros(len(edges))  # what must lie between an edge and the one before it
    least[1::2] = marks.least
    edges = _spread(edges, least, marks)
    return replace(marks, start=edges[::2], end=edges[1::2])


def _spread(edges: FloatArray, least: FloatArray, marks: UnitMarks) -> FloatArray:
    """Put edges in order, moved as little as possible, to either side, so that enough lies between them."""
    if not len(edges):
        return edges
    low, high = marks.limits
    needed = np.cumsum(least)
    placed = non_decreasing(np.sort(np.clip(edges, low, high)) - needed)
    if marks.whole:
        placed = np.rint(placed)
    return np.asarray(np.minimum(np.clip(placed, low, high - needed[-1]) + needed, high))


def confused(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Confuse categories: P = (1 - m²) I + m² S, or, for those that overlap, (1 - m) I + m³ S + (m - m³) O.

    S has the prevalences in every row, O the row-normalized similarity of different categories.
    """
    if profile.category < 0:
        raise _no_category(profile.features)
    codes = marks.codes.copy()
    own = codes[profile.category]
    labelled = np.flatnonzero(own >= 0)
    table = confusion_probabilities(dose.magnitude, profile)
    total = np.cumsum(table[own[labelled]], axis=1)
    drawn = (rng.random(len(labelled))[:, None] * total[:, -1:] >= total).sum(axis=1)
    codes[profile.category, labelled] = np.minimum(drawn, len(profile.prevalence) - 1)
    return replace(marks, codes=codes)


def _no_category(features: tuple[str, ...]) -> DataError:
    if not features:
        return DataError("units of the reference have no categories that could be confused")
    return DataError(
        f"units of the reference have the features {listed(features)}, and none is called category; keep only one "
        "feature, or name it category"
    )


def confusion_probabilities(magnitude: float, profile: ReferenceProfile) -> FloatArray:
    """Return the probabilities with which each category becomes another."""
    n = len(profile.prevalence)
    same, chance = np.eye(n), np.tile(profile.prevalence, (n, 1))
    if profile.similarity is None:
        return np.asarray((1 - magnitude**2) * same + magnitude**2 * chance)
    alike = profile.similarity * (1 - same)
    sums = alike.sum(axis=1, keepdims=True)
    alike = np.where(sums > 0, alike / np.where(sums > 0, sums, 1.0), chance)
    return np.asarray((1 - magnitude) * same + magnitude**3 * chance + (magnitude - magnitude**3) * alike)


def missed(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Miss each unit with probability m."""
    return marks.take(rng.random(marks.n_units) >= dose.magnitude)


def added(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Add m · factor units per unit of the reference, with lengths and labels drawn from it, anywhere."""
    drawn, start, end = placed_at_random(marks, dose, profile, rng)
    return together([marks, UnitMarks(start, end, profile.codes[:, drawn], marks.bounds, marks.whole)])


def placed_at_random(
    marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Draw units of the reference, and places for them: m · factor per unit. Return which, starts and ends."""
    n = dose.times(rng)
    drawn = rng.integers(len(profile.lengths), size=n) if len(profile.lengths) else np.zeros(0, dtype=np.int64)
    return drawn, *marks.anywhere(profile.lengths[drawn], rng)


def split_up(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Split units at random places, m · factor times per unit of the reference; parts may be split again."""
    start, end, origin = marks.start.tolist(), marks.end.tolist(), list(range(marks.n_units))
    # no part is shorter; where positions are not whole, this keeps its start and its end different as floats
    least = 1.0 if marks.whole else 4 * float(np.spacing(max(map(abs, marks.bounds))))
    wide = [index for index in origin if end[index] - start[index] >= 2 * least]
    for _ in range(dose.times(rng)):
        if not wide:
            break
        place = int(rng.integers(len(wide)))
        unit = wide[place]
        length = end[unit] - start[unit]
        inside = float(rng.integers(1, int(length))) if marks.whole else least + (length - 2 * least) * rng.random()
        start.append(start[unit] + inside)
        end.append(end[unit])
        origin.append(origin[unit])
        end[unit] = start[-1]
        if end[unit] - start[unit] < 2 * least:
            wide[place] = wide[-1]
            wide.pop()
        if end[-1] - start[-1] >= 2 * least:
            wide.append(len(start) - 1)
    return marks.remade(start, end, origin)


def merged(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Merge neighbours and the gap between them, m · factor times per unit of the reference; one label is kept."""
    start, end, origin = marks.start.tolist(), marks.end.tolist(), list(range(marks.n_units))
    for _ in range(dose.times(rng)):
        if len(start) < 2:
            break
        index = int(rng.integers(len(start) - 1))
        end[index] = max(end[index], end[index + 1])
        origin[index] = origin[index + int(rng.integers(2))]
        del start[index + 1], end[index + 1], origin[index + 1]
    return marks.remade(start, end, origin)


def cuts_shifted(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Shift cuts of a complete segmentation, which stays complete, by ± m · factor · the mean length beside them."""
    _check_complete(marks)
    length = marks.end - marks.start
    most = dose.strength * (length[:-1] + length[1:]) / 2
    low, high = marks.bounds
    edges = np.concatenate([[low], marks.start[1:] + rng.uniform(-most, most), [high]])
    cuts = _spread(edges, np.concatenate([[0.0], marks.least]), marks)[1:-1]
    return replace(marks, start=np.concatenate([[low], cuts]), end=np.concatenate([cuts, [high]]))


def cuts_missed(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Miss each cut of a complete segmentation with probability m; the merged segment keeps the first label."""
    _check_complete(marks)
    kept = np.concatenate([[True], rng.random(marks.n_units - 1) >= dose.magnitude])
    start = marks.start[kept]
    end = np.concatenate([start[1:], marks.end[-1:]])
    return replace(marks, start=start, end=end, codes=marks.codes[:, kept])


def _check_complete(marks: UnitMarks) -> None:
    low, high = marks.bounds
    complete = marks.n_units and marks.start[0] == low and marks.end[-1] == high
    if not complete or (marks.start[1:] != marks.end[:-1]).any():
        raise DataError("the reference does not cut its continuum completely, so it has no cuts to shift or miss")


ERROR_KINDS = {
    kind.name: kind
    for kind in (
        ErrorKind("position", "shift boundaries", shifted, SHIFT),
        ErrorKind("position-apart", "shift boundaries", shifted_apart, SHIFT),
        ErrorKind("category", "confuse categories", confused),
        ErrorKind("false-negatives", "miss units", missed),
        ErrorKind("false-positives", "add units", added, ADDED),
        ErrorKind("splits", "split units", split_up, SPLITS),
        ErrorKind("merges", "merge units", merged, MERGED),
        ErrorKind("cuts-shifted", "shift cuts", cuts_shifted, CUTS),
        ErrorKind("cuts-missed", "miss cuts", cuts_missed),
    )
}
TEXT_ERROR_KINDS = {
    kind.name: kind
    for kind in (
        TextErrorKind("text", "change texts", 0.5),
        TextErrorKind("segmentation", "split and merge units", 0.1),
        TextErrorKind("label", "draw labels at random", 1.0),
    )
}
"""In the order in which they are made."""
ITEM_ERROR_KINDS = {
    kind.name: kind
    for kind in (
        ItemErrorKind("category", "confuse categories"),
        ItemErrorKind("noise", "scatter around the true label"),
        ItemErrorKind("severity", "are more or less severe", 1.0),
        ItemErrorKind("missing", "leave labels out"),
    )
}
