"""The order in which chance draws: that of the content, so that names and the order of data do not matter.

Random annotators are drawn by number. If they were numbered as the data is, renaming one or reading files in another
order would draw others. So annotators are numbered by what they marked, and documents by what all of them marked;
those that are the same cannot be told apart, and need not be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import AnnotationSet

_STEPS = 2.0**30
"""Positions that are not whole numbers are compared in so many steps of the continuum."""


def canonical(units: AnnotationSet) -> AnnotationSet:
    """Return a document with its annotators numbered by what they marked."""
    return renumbered(units, *canonical_numbers(units))


def renumbered(units: AnnotationSet, number: IntArray, order: IntArray) -> AnnotationSet:
    """Return a document with other numbers of annotators, its units in the order that follows from them."""
    return replace(
        units,
        start=units.start[order],
        end=units.end[order],
        annotator=number[units.annotator][order],
        codes=np.ascontiguousarray(units.codes[:, order]),
    )


def canonical_numbers(units: AnnotationSet) -> tuple[IntArray, IntArray]:
    """Return the new number of each annotator, and the order in which their units come then."""
    start, end, ranks = _relative(units)
    # units are sorted by annotator, then start, end and labels
    first = np.searchsorted(units.annotator, np.arange(units.n_annotators + 1))
    marked = [
        (start[own].tobytes(), end[own].tobytes(), ranks[:, own].tobytes())
        for own in (slice(*limits) for limits in pairwise(first))
    ]
    people = sorted(range(units.n_annotators), key=marked.__getitem__)
    number = np.empty(units.n_annotators, dtype=np.int64)
    number[people] = np.arange(units.n_annotators)
    return number, np.argsort(number[units.annotator], kind="stable")


def content_keys(sets: Sequence[AnnotationSet]) -> list[str]:
    """Return a key of the content of each document, for its random numbers; those with the same content are numbered.

    The key depends on positions within the continuum, on who marked what, and on the order of the labels, but not on
    the names of documents, annotators and labels, and not on other documents.

    Parameters
    ----------
    sets : sequence of AnnotationSet
        The documents, as `canonical` returns them.
    """
    # those that differ in their labels only are numbered in the order of these labels
    order = sorted(range(len(sets)), key=lambda index: written_codes(sets[index]))
    keys = dict(zip(order, numbered([content_digest(sets[index]) for index in order]), strict=True))
    return [keys[index] for index in range(len(sets))]


def numbered(keys: Sequence[str]) -> list[str]:
    """Add numbers to keys that occur several times, so that each document has random numbers of its own."""
    seen: Counter[str] = Counter()
    found = []
    for key in keys:
        found.append(f"{key} {seen[key]}" if seen[key] else key)
        seen[key] += 1
    return found


def content_digest(units: AnnotationSet) -> str:
    """Return the key of the content of one document, as `canonical` returns it; those with the same content share it."""
    start, end, ranks = _relative(units)
    low, high = units.bounds
    content = blake2b(digest_size=16)
    for part in (
        np.array([np.round(high - low, 6), units.n_annotators, units.n_units]),
        start,
        end,
        units.annotator,
        ranks,
    ):
        content.update(np.ascontiguousarray(part).tobytes())
    return content.hexdigest()


def _relative(units: AnnotationSet) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return positions from the start of the continuum, and labels by their rank in the document."""
    low, high = units.bounds
    ranks = [np.unique(codes, return_inverse=True)[1] for codes in units.codes]
    start, end = units.start - low, units.end - low
    if (start != np.floor(start)).any() or (end != np.floor(end)).any():
        # so that a continuum that begins elsewhere, where sums are rounded differently, has the same content
        start, end = (np.round(side * (_STEPS / (high - low or 1.0))) for side in (start, end))
    return start, end, np.array(ranks, dtype=np.int64).reshape(units.codes.shape)


def written_codes(units: AnnotationSet) -> bytes:
    """Return the codes of labels so that bytes are in the order of numbers."""
    return (units.codes + 1).astype(">i8").tobytes()
