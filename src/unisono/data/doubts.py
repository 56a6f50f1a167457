"""Labels that may be mistakes: kept unchanged, but reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from unisono.arrays import IntArray
from unisono.data.labels import Label
from unisono.errors import listed

_MOST_LABELS = 10_000
_LIKE_MISSING = ("", "na", "n/a", "nan", "none", "null", "nil", "missing", "?", "-", "--", ".")


def doubts(annotators: Sequence[str], codes: IntArray, labels: Sequence[Label]) -> tuple[str, ...]:
    """Report labels that look like missing ones or like each other, and annotators who share none with the others.

    `codes` are indices into `labels`, shape (n_items, n_annotators).
    """
    used = np.bincount(codes.ravel() + 1, minlength=len(labels) + 1)[1:] > 0
    notes = [*_strange_annotators(annotators, codes, labels)]
    if len(labels) <= _MOST_LABELS:  # beyond that, they are not categories that someone typed
        written = [label for label, there in zip(labels, used.tolist(), strict=True) if there]
        notes += [*_like_missing(written), *_like_each_other(written)]
    return tuple(notes)


def _like_missing(labels: Sequence[Label]) -> Iterator[str]:
    found = [label for label in labels if isinstance(label, str) and label.strip().lower() in _LIKE_MISSING]
    if found:
        are, these = ("is", "a label") if len(found) == 1 else ("are", "labels")
        yield (
            f"{listed(list(map(repr, found)))} {are} treated as {these}; if there is no label, leave the cell empty, "
            "or list this as a missing label"
        )


def _like_each_other(labels: Sequence[Label]) -> Iterator[str]:
    alike: dict[object, list[Label]] = {}
    for label in labels:
        if not isinstance(label, tuple):
            alike.setdefault(_gist(label), []).append(label)
    for group in alike.values():
        if len(group) > 1:
            these = listed(list(map(repr, group)))
            yield f"{these} are treated as different labels; spell them the same way if they mean the same"


def _gist(label: Label) -> object:
    """Return a label without case, surrounding blanks, and differences in number format."""
    text = str(label).strip().casefold()
    try:
        return float(text) if text.isascii() and any(map(str.isdigit, text)) and "_" not in text else text
    except ValueError:
        return text


def _strange_annotators(annotators: Sequence[str], codes: IntArray, labels: Sequence[Label]) -> Iterator[str]:
    """Find annotators who share no label with anyone although others do: perhaps a column that is not an annotator."""
    if len(annotators) < 3:
        return
    n_users = np.zeros(len(labels), dtype=np.int64)
    for column in codes.T:
        n_users[_used(column, len(labels))] += 1
    strange = [name for name, column in zip(annotators, codes.T, strict=True) if _is_alone(column, n_users)]
    if strange and len(annotators) - len(strange) >= 2:
        have = "has" if len(strange) == 1 else "have"
        yield (
            f"{listed(list(map(repr, strange)))} {have} no label in common with anyone else; if this is not an "
            "annotator, select the annotators"
        )


def _is_alone(column: IntArray, n_users: IntArray) -> bool:
    used = _used(column, len(n_users))
    return bool(len(used)) and bool((n_users[used] == 1).all())


def _used(column: IntArray, n_labels: int) -> IntArray:
    """Return the distinct labels of an annotator."""
    given = column[column >= 0]
    if n_labels > len(column):
        return np.unique(given)
    return np.flatnonzero(np.bincount(given, minlength=n_labels))
