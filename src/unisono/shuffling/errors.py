"""Kinds of errors that annotators make, each from magnitude 0 (none) to 1 (Mathet et al. 2015, §6.3.1).

The paper names the kinds; where it leaves constants out, the docstrings here say which ones are taken. Every kind
changes what it says and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.errors import DataError, OptionError, listed
from unisono.shuffling.units import LEAST, Marks, rounded, together

SHIFT = 2.0
"""A boundary moves by up to so many times its unit's length."""
ADDED = 2.0
"""At magnitude 1, so many units are added a unit of the reference."""
SPLITS = 5.0
"""At magnitude 1, there are so many splits a unit of the reference (the paper's number)."""
MERGED = 0.5
"""At magnitude 1, so many merges a unit; were all units merged, annotators would agree again."""
CUTS = 1.0
"""A cut moves by up to so many times the mean length of what it parts."""


@dataclass(frozen=True)
class Frame:
    """What errors know of the whole reference.

    Attributes
    ----------
    category : int
        Which row of the codes is the category; -1 if there is none.
    prevalence : float64 array, shape (n_labels,)
        The share of each category.
    similarity : float64 array, shape (n_labels, n_labels), optional
        How easily categories are confused, for categories that overlap.
    lengths : float64 array
        The lengths of all units, and `codes` their labels, to draw new units from.
    features : tuple of str
        What the rows of the codes are called.
    """

    category: int
    prevalence: FloatArray
    lengths: FloatArray
    codes: IntArray
    similarity: FloatArray | None = None
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dose:
    """How much of an error is made in one document.

    Attributes
    ----------
    magnitude : float
        From 0 to 1.
    factor : float
        The constant of the kind of error.
    n_units : int
        How many units the reference has in this document.
    """

    magnitude: float
    factor: float
    n_units: int

    @property
    def strength(self) -> float:
        """The magnitude times the factor."""
        return self.magnitude * self.factor

    def times(self, rng: np.random.Generator) -> int:
        """Give how many errors are made: magnitude times factor a unit of the reference."""
        return rounded(self.strength * self.n_units, rng)


Change: TypeAlias = Callable[[Marks, Dose, Frame, np.random.Generator], Marks]


@dataclass(frozen=True)
class Kind:
    """A kind of error.

    Attributes
    ----------
    name : str
        How it is called.
    does : str
        What annotators do who make it, as in "annotators who shift boundaries".
    change : callable
        Makes the errors of one annotator in one document.
    factor : float, optional
        The constant that can be set, by default.
    """

    name: str
    does: str
    change: Change
    factor: float | None = None

    @property
    def factors(self) -> dict[str, float]:
        """The constants that can be set, with their defaults."""
        return {} if self.factor is None else {"factor": self.factor}


@dataclass(frozen=True)
class TextKind:
    """A kind of error of annotators who correct the text, made by `texts` (Barteld et al. 2016, §7).

    Attributes
    ----------
    name, does : str
        See `Kind`.
    share : float
        How many changes are made a unit, at magnitude 1.
    """

    name: str
    does: str
    share: float


def shifted(marks: Marks, dose: Dose, frame: Frame, rng: np.random.Generator) -> Marks:
    """Shift each boundary by a random value between ± magnitude · factor · length of its unit."""
    most = dose.strength * (marks.end - marks.start)
    return marks.placed(marks.start + rng.uniform(-most, most), marks.end + rng.uniform(-most, most))


def shifted_apart(marks: Marks, dose: Dose, frame: Frame, rng: np.random.Generator) -> Marks:
    """Shift boundaries as `shifted` does, then put them in order, so that units do not overlap.

    The k-th unit gets the boundaries 2k and 2k + 1 of all in order: their number and their categories' order stay.
    """
    if (marks.start[1:] < marks.end[:-1]).any():
        raise DataError("units of the reference overlap, so they cannot be kept from it; take the error position")
    most = np.repeat(dose.strength * (marks.end - marks.start), 2)
    edges = np.stack([marks.start, marks.end], axis=1).ravel() + rng.uniform(-most, most)
    least = np.zeros(len(edges))  # what must lie between an edge and the one before it
    least[1::2] = np.minimum(1.0 if marks.whole else LEAST * (marks.end - marks.start), marks.end - marks.start)
    edges = _spread(edges, least, marks)
    return Marks(edges[::2], edges[1::2], marks.codes, marks.bounds, marks.whole)


def _spread(edges: FloatArray, least: FloatArray, marks: Marks) -> FloatArray:
    """Put edges in order, moved as little as needed, to either side, so that enough lies between them."""
    from scipy.optimize import isotonic_regression

    if not len(edges):
        return edges
    low, high = marks.limits
    needed = np.cumsum(least)
    placed = isotonic_regression(np.sort(np.clip(edges, low, high)) - needed).x
    if marks.whole:
        placed = np.rint(placed)
    return np.asarray(np.minimum(np.clip(placed, low, high - needed[-1]) + needed, high))


def confused(marks: Marks, dose: Dose, frame: Frame, rng: np.random.Generator) -> Marks:
    """Confuse categories: P = (1 - m²) I + m² S, or, for those that overlap, (1 - m) I + m³ S + (m - m³) O.

    S has the prevalences in every row, O the row-normalized similarity of different categories.
    """
    if frame.category < 0:
        raise _no_category(frame.features)
    codes = marks.codes.copy()
    own = codes[frame.category]
    labelled = np.flatnonzero(own >= 0)
    table = confusion(dose.magnitude, frame)
    total = np.cumsum(table[own[labelled]], axis=1)
    drawn = (rng.random(len(labelled))[:, None] * total[:, -1:] >= total).sum(axis=1)
    codes[frame.category, labelled] = np.minimum(drawn, len(frame.prevalence) - 1)
    return marks.with_codes(codes)


def _no_category(features: tuple[str, ...]) -> DataError:
    if not features:
        return DataError("units of the reference have no category, so none can be confused")
    return DataError(
        f"units of the reference have the features {listed(features)} and none is called category; give units one "
        "feature, or call the one meant category"
    )


def confusion(magnitude: float, frame: Frame) -> FloatArray:
    """Give the probabilities with which each category becomes another."""
    n = len(frame.prevalence)
    same, chance = np.eye(n), np.tile(frame.prevalence, (n, 1))
    if frame.similarity is None:
        return np.asarray((1 - magnitude**2) * same + magnitude**2 * chance)
    alike = frame.similarity * (1 - same)
    sums = alike.sum(axis=1, keepdims=True)
    alike = np.where(sums > 0, alike / np.where(sums > 0, sums, 1.0), chance)
    return np.asarray((1 - magnitude) * same + magnitude**3 * chance + (magnitude - magnitude**3) * alike)


def missed(marks: Marks, dose: Dose, frame: Frame, rng: np.random.Generator) -> Marks:
    """Forget each unit with probability m."""
    return marks.take(rng.random(marks.n_units) >= dose.magnitude)


def added(marks: Marks, dose: Dose, frame: Frame, rng: np.random.Generator) -> Marks:
    """Add m · factor units a unit of the reference, with lengths and labels of the reference's, anywhere."""
    n = dose.times(rng)
    low, high = marks.limits
    drawn = rng.integers(len(frame.lengths), size=n) if len(frame.lengths) else np.zeros(0, dtype=np.int64)
    length = np.minimum(frame.lengths[drawn], high - low)
    room = high - low - length
    start = low + (np.floor(rng.random(n) * (room + 1)) if marks.whole else rng.random(n) * room)
    start = np.minimum(start, high - length)
    return together([marks, Marks(start, start + length, frame.codes[:, drawn], marks.bounds, marks.whole)])


def split(marks: Marks, dose: Dose, frame: Frame, rng: np.random.Generator) -> Marks:
    """Split units at random places, m · factor times a unit of the reference; parts may be split again."""
    start, end, origin = marks.start.tolist(), marks.end.tolist(), list(range(marks.n_units))
    # no part is shorter; between whole numbers, so that numbers can still tell its begin from its end
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


def merged(marks: Marks, dose: Dose, frame: Frame, rng: np.random.Generator) -> Marks:
    """Merge neighbours with what is between them, m · factor times a unit of the reference; one label is kept."""
    start, end, origin = marks.start.tolist(), marks.end.tolist(), list(range(marks.n_units))
    for _ in range(dose.times(rng)):
        if len(start) < 2:
            break
        index = int(rng.integers(len(start) - 1))
        end[index] = max(end[index], end[index + 1])
        origin[index] = origin[index + int(rng.integers(2))]
        del start[index + 1], end[index + 1], origin[index + 1]
    return marks.remade(start, end, origin)


def cuts_shifted(marks: Marks, dose: Dose, frame: Frame, rng: np.random.Generator) -> Marks:
    """Shift the cuts of a complete segmentation by ± m · factor · the mean length beside them; it stays complete."""
    _refuse_incomplete(marks)
    length = marks.end - marks.start
    most = dose.strength * (length[:-1] + length[1:]) / 2
    low, high = marks.bounds
    least = np.minimum(1.0 if marks.whole else LEAST * length, length)
    edges = np.concatenate([[low], marks.start[1:] + rng.uniform(-most, most), [high]])
    cuts = _spread(edges, np.concatenate([[0.0], least]), marks)[1:-1]
    return Marks(np.concatenate([[low], cuts]), np.concatenate([cuts, [high]]), marks.codes, marks.bounds, marks.whole)


def cuts_missed(marks: Marks, dose: Dose, frame: Frame, rng: np.random.Generator) -> Marks:
    """Miss each cut of a complete segmentation with probability m; what it parted is one, with the first label."""
    _refuse_incomplete(marks)
    kept = np.concatenate([[True], rng.random(marks.n_units - 1) >= dose.magnitude])
    start = marks.start[kept]
    end = np.concatenate([start[1:], marks.end[-1:]])
    return Marks(start, end, marks.codes[:, kept], marks.bounds, marks.whole)


def _refuse_incomplete(marks: Marks) -> None:
    low, high = marks.bounds
    complete = marks.n_units and marks.start[0] == low and marks.end[-1] == high
    if not complete or (marks.start[1:] != marks.end[:-1]).any():
        raise DataError("the reference does not cut its continuum completely, so that it has no cuts to shift or miss")


KINDS = {
    kind.name: kind
    for kind in (
        Kind("position", "shift boundaries", shifted, SHIFT),
        Kind("position-apart", "shift boundaries", shifted_apart, SHIFT),
        Kind("category", "confuse categories", confused),
        Kind("false-negatives", "miss units", missed),
        Kind("false-positives", "add units", added, ADDED),
        Kind("splits", "split units", split, SPLITS),
        Kind("merges", "merge units", merged, MERGED),
        Kind("cuts-shifted", "shift cuts", cuts_shifted, CUTS),
        Kind("cuts-missed", "miss cuts", cuts_missed),
    )
}
TEXT_KINDS = {
    kind.name: kind
    for kind in (
        TextKind("text", "change texts", 0.5),
        TextKind("segmentation", "split and merge units", 0.1),
        TextKind("label", "draw labels at random", 1.0),
    )
}
"""In the order in which they are made."""
TEXT_ERRORS = tuple(TEXT_KINDS)
DOES = {name: kind.does for name, kind in KINDS.items()} | {name: kind.does for name, kind in TEXT_KINDS.items()}
"""What annotators do who make an error, in words."""


def kind_of(name: str) -> Kind:
    """Give the kind of error of a name."""
    known = name.lower().replace("_", "-")
    if known not in KINDS:
        raise OptionError(f"there is no error {name!r}; there are: {', '.join(DOES)}")
    return KINDS[known]
