"""Kinds of errors that annotators make, each from magnitude 0 (none) to 1 (Mathet et al. 2015, §6.3.1).

The paper names the kinds; where it leaves constants out, the docstrings here say which ones are taken. Every kind
changes what it says and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.errors import DataError, OptionError
from unisono.shuffling.units import LEAST, Marks, together

SHIFT = 2.0
"""A boundary moves by up to so many times its unit's length."""
ADDED = 2.0
"""At magnitude 1, so many units are added a unit of the reference."""
SPLITS = 5.0
"""At magnitude 1, there are so many splits a unit of the reference (the paper's number)."""
MERGED = 0.5
"""At magnitude 1, so many merges a unit; were all units merged, annotators would agree again."""


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
    """

    category: int
    prevalence: FloatArray
    lengths: FloatArray
    codes: IntArray
    similarity: FloatArray | None = None


Change: TypeAlias = Callable[[Marks, float, Frame, np.random.Generator, Mapping[str, float]], Marks]


@dataclass(frozen=True)
class Kind:
    """A kind of error.

    Attributes
    ----------
    name, title : str
        How it is called, and what it does.
    change : callable
        Makes the errors of one annotator in one document.
    factors : mapping
        Constants that can be set, with their defaults; `change` gets n_units, the reference's, besides.
    """

    name: str
    title: str
    change: Change
    factors: Mapping[str, float] = field(default_factory=dict)


def shifted(marks: Marks, magnitude: float, frame: Frame, rng: np.random.Generator, factors: Any) -> Marks:
    """Shift each boundary by a random value between ± magnitude · factor · length of its unit."""
    most = magnitude * factors["factor"] * (marks.end - marks.start)
    return marks.placed(marks.start + rng.uniform(-most, most), marks.end + rng.uniform(-most, most))


def shifted_apart(marks: Marks, magnitude: float, frame: Frame, rng: np.random.Generator, factors: Any) -> Marks:
    """Shift boundaries as `shifted` does, then put them in order, so that units do not overlap.

    The k-th unit gets the boundaries 2k and 2k + 1 of all in order: their number and their categories' order stay.
    """
    if (marks.start[1:] < marks.end[:-1]).any():
        raise DataError("units of the reference overlap, so they cannot be kept from it; take the error position")
    most = np.repeat(magnitude * factors["factor"] * (marks.end - marks.start), 2)
    edges = np.stack([marks.start, marks.end], axis=1).ravel() + rng.uniform(-most, most)
    least = np.zeros(len(edges))  # what must lie between an edge and the one before it
    least[1::2] = np.minimum(1.0 if marks.whole else LEAST * (marks.end - marks.start), marks.end - marks.start)
    edges = _spread(edges, least, marks)
    return Marks(edges[::2], edges[1::2], marks.codes, marks.bounds, marks.whole)


def _spread(edges: FloatArray, least: FloatArray, marks: Marks) -> FloatArray:
    """Put edges in order, moved as little as needed so that enough lies between them."""
    low, high = marks.limits
    edges = np.sort(np.clip(edges, low, high))
    if marks.whole:
        edges = np.rint(edges)
    total = np.cumsum(least)
    pushed = np.maximum(np.maximum.accumulate(edges - total), low) + total
    back = (total[-1] if len(total) else 0.0) - total
    return np.asarray(np.minimum(pushed, high - back))


def confused(marks: Marks, magnitude: float, frame: Frame, rng: np.random.Generator, factors: Any) -> Marks:
    """Confuse categories: P = (1 - m²) I + m² S, or, for those that overlap, (1 - m) I + m³ S + (m - m³) O.

    S has the prevalences in every row, O the row-normalized similarity of different categories.
    """
    if frame.category < 0:
        raise DataError("units of the reference have no category, so none can be confused")
    codes = marks.codes.copy()
    own = codes[frame.category]
    labelled = np.flatnonzero(own >= 0)
    table = confusion(magnitude, frame)
    total = np.cumsum(table[own[labelled]], axis=1)
    drawn = (rng.random(len(labelled))[:, None] * total[:, -1:] >= total).sum(axis=1)
    codes[frame.category, labelled] = np.minimum(drawn, len(frame.prevalence) - 1)
    return marks.with_codes(codes)


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


def missed(marks: Marks, magnitude: float, frame: Frame, rng: np.random.Generator, factors: Any) -> Marks:
    """Forget each unit with probability m."""
    return marks.take(rng.random(marks.n_units) >= magnitude)


def added(marks: Marks, magnitude: float, frame: Frame, rng: np.random.Generator, factors: Any) -> Marks:
    """Add m · factor units a unit of the reference, with lengths and labels of the reference's, anywhere."""
    n = _rounded(magnitude * factors["factor"] * factors["n_units"], rng)
    low, high = marks.limits
    drawn = rng.integers(len(frame.lengths), size=n) if len(frame.lengths) else np.zeros(0, dtype=np.int64)
    length = np.minimum(frame.lengths[drawn], high - low)
    room = high - low - length
    start = low + (np.floor(rng.random(n) * (room + 1)) if marks.whole else rng.random(n) * room)
    start = np.minimum(start, high - length)
    return together([marks, Marks(start, start + length, frame.codes[:, drawn], marks.bounds, marks.whole)])


def split(marks: Marks, magnitude: float, frame: Frame, rng: np.random.Generator, factors: Any) -> Marks:
    """Split units at random places, m · factor times a unit of the reference; parts may be split again."""
    start, end, origin = marks.start.tolist(), marks.end.tolist(), list(range(marks.n_units))
    shortest = 2.0 if marks.whole else 0.0
    wide = [index for index in origin if end[index] - start[index] > 0 and end[index] - start[index] >= shortest]
    for _ in range(_rounded(magnitude * factors["factor"] * factors["n_units"], rng)):
        if not wide:
            break
        place = int(rng.integers(len(wide)))
        unit = wide[place]
        length = end[unit] - start[unit]
        cut = start[unit] + (float(rng.integers(1, int(length))) if marks.whole else length * rng.random())
        start.append(cut)
        end.append(end[unit])
        origin.append(origin[unit])
        end[unit] = cut
        if end[unit] - start[unit] < shortest:
            wide[place] = wide[-1]
            wide.pop()
        if end[-1] - start[-1] >= max(shortest, 1e-12):
            wide.append(len(start) - 1)
    order = np.lexsort((np.array(end), np.array(start)))
    return (
        Marks(
            np.array(start)[order],
            np.array(end)[order],
            marks.codes[:, np.array(origin)[order]],
            marks.bounds,
            marks.whole,
        )
        if start
        else marks
    )


def merged(marks: Marks, magnitude: float, frame: Frame, rng: np.random.Generator, factors: Any) -> Marks:
    """Merge neighbours with what is between them, m · factor times a unit; one of the two labels is kept."""
    start, end, origin = marks.start.tolist(), marks.end.tolist(), list(range(marks.n_units))
    for _ in range(_rounded(magnitude * factors["factor"] * marks.n_units, rng)):
        if len(start) < 2:
            break
        index = int(rng.integers(len(start) - 1))
        end[index] = max(end[index], end[index + 1])
        origin[index] = origin[index + int(rng.integers(2))]
        del start[index + 1], end[index + 1], origin[index + 1]
    codes = marks.codes[:, np.array(origin, dtype=np.int64)]
    return Marks(np.array(start), np.array(end), codes, marks.bounds, marks.whole)


def cuts_shifted(marks: Marks, magnitude: float, frame: Frame, rng: np.random.Generator, factors: Any) -> Marks:
    """Shift the cuts of a complete segmentation by ± m · factor · the mean length beside them; it stays complete."""
    _refuse_incomplete(marks)
    length = marks.end - marks.start
    most = magnitude * factors["factor"] * (length[:-1] + length[1:]) / 2
    low, high = marks.bounds
    least = np.minimum(1.0 if marks.whole else LEAST * length, length)
    edges = np.concatenate([[low], marks.start[1:] + rng.uniform(-most, most), [high]])
    cuts = _spread(edges, np.concatenate([[0.0], least]), marks)[1:-1]
    return Marks(np.concatenate([[low], cuts]), np.concatenate([cuts, [high]]), marks.codes, marks.bounds, marks.whole)


def cuts_missed(marks: Marks, magnitude: float, frame: Frame, rng: np.random.Generator, factors: Any) -> Marks:
    """Miss each cut of a complete segmentation with probability m; what it parted is one, with the first label."""
    _refuse_incomplete(marks)
    kept = np.concatenate([[True], rng.random(marks.n_units - 1) >= magnitude])
    start = marks.start[kept]
    end = np.concatenate([start[1:], marks.end[-1:]])
    return Marks(start, end, marks.codes[:, kept], marks.bounds, marks.whole)


def _refuse_incomplete(marks: Marks) -> None:
    low, high = marks.bounds
    complete = marks.n_units and marks.start[0] == low and marks.end[-1] == high
    if not complete or (marks.start[1:] != marks.end[:-1]).any():
        raise DataError("the reference does not cut its continuum completely, so that it has no cuts to shift or miss")


def _rounded(number: float, rng: np.random.Generator) -> int:
    """Round up or down at random, so that the mean is right for few units too."""
    return int(number) + int(rng.random() < number - int(number))


KINDS = {
    kind.name: kind
    for kind in (
        Kind("position", "boundaries shifted, in proportion to the unit's length", shifted, {"factor": SHIFT}),
        Kind("position-apart", "the same, units kept from overlapping", shifted_apart, {"factor": SHIFT}),
        Kind("category", "categories confused, towards the prevalences", confused),
        Kind("false-negatives", "units missed", missed),
        Kind("false-positives", "units added", added, {"factor": ADDED}),
        Kind("splits", "units split, again and again", split, {"factor": SPLITS}),
        Kind("merges", "neighbouring units merged", merged, {"factor": MERGED}),
        Kind(
            "cuts-shifted", "cuts of a complete segmentation shifted; it stays complete", cuts_shifted, {"factor": 1.0}
        ),
        Kind("cuts-missed", "cuts of a complete segmentation missed; it stays complete", cuts_missed),
    )
}


def kind_of(name: str) -> Kind:
    """Give the kind of error of a name."""
    known = name.lower().replace("_", "-")
    if known not in KINDS:
        raise OptionError(f"there is no error {name!r}; there are: {', '.join([*KINDS, *TEXT_ERRORS])}")
    return KINDS[known]


TEXT_ERRORS = ("text", "segmentation", "label")
"""Errors of annotators who correct the text, see `texts`."""
