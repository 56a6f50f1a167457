"""The order in which chance draws: that of the content, so that names and the order of data do not matter.

Random annotators are drawn by number. If they were numbered as the data is, renaming one or reading files in another
order would draw others. So annotators are numbered by what they marked, and documents by what all of them marked;
those that are the same cannot be told apart, and need not be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import AnnotationSet
from unisono.data.anchors import Anchors, joined_anchors

_STEPS = 2.0**30
"""Positions that are not whole numbers are compared in so many steps of the continuum."""


@dataclass(frozen=True, slots=True)
class Canonical:
    """A document with its annotators numbered by what they marked.

    Attributes
    ----------
    units : AnnotationSet
        The document.
    number : int64 array, shape (n_annotators,)
        The new number of each annotator.
    order : int64 array, shape (n_units,)
        The unit of the original document that each unit is.
    digest : str
        A digest of the content: positions within the continuum, who marked what, and the order of the labels, but not
        the names of documents, annotators and labels.
    """

    units: AnnotationSet
    number: IntArray
    order: IntArray
    digest: str


def canonical_documents(sets: Sequence[AnnotationSet]) -> list[Canonical]:
    """Return documents with their annotators numbered by what they marked; many small ones at once."""
    if not sets:
        return []
    all_units = _Relative(sets)
    number, order = all_units.numbered_annotators()
    first = all_units.first
    start, end, annotator, codes = (
        np.concatenate([units.start for units in sets])[order],
        np.concatenate([units.end for units in sets])[order],
        number[all_units.who[order]],
        np.concatenate([units.codes for units in sets], axis=1)[:, order],
    )
    content = [np.ascontiguousarray(part[..., order]) for part in (all_units.start, all_units.end, *all_units.ranks)]
    low, high = np.array([units.bounds for units in sets], dtype=np.float64).T
    sizes = np.column_stack([np.round(high - low, 6), np.array(all_units.n_annotators, np.float64), np.diff(first)])
    anchors, inner = all_units.anchors, all_units.inner
    if anchors is not None and inner is not None:
        anchors, inner = anchors.take(order), inner[order]
    digests = _digests(sizes, [*content[:2], annotator, *content[2:]], inner, np.asarray(first))
    within = order - np.repeat(first[:-1], np.diff(first))
    people = np.cumsum([0, *all_units.n_annotators]).tolist()
    found = []
    for index, units in enumerate(sets):
        own = slice(first[index], first[index + 1])
        same = AnnotationSet(
            start[own],
            end[own],
            annotator[own],
            codes[:, own],
            units.n_annotators,
            units.bounds,
            units.inferred,
            None if anchors is None else anchors.take(own),
        )
        found.append(Canonical(same, number[people[index] : people[index + 1]], within[own], digests[index]))
    return found


def _digests(
    sizes: FloatArray, parts: Sequence[FloatArray | IntArray], inner: IntArray | None, first: IntArray
) -> list[str]:
    """Return a digest of each document: its row of sizes, what it has of each part, and of `inner` if it has any."""
    # what belongs to a document is put into one place, so that there is one call for each
    width, n_units = sizes.shape[1], np.diff(first)
    document = np.repeat(np.arange(len(sizes)), n_units)
    composed = np.zeros(len(sizes), np.bool_)
    if inner is not None:
        composed[document[inner != 0]] = True
    begin = np.concatenate([np.zeros(1, np.int64), np.cumsum(width + (len(parts) + composed) * n_units)])
    content = np.empty(int(begin[-1]), np.int64)
    content[begin[:-1, None] + np.arange(width)] = np.ascontiguousarray(sizes).view(np.int64)
    place = (begin[:-1] + width - first[:-1])[document] + np.arange(len(document))
    for part in parts:
        content[place] = part.view(np.int64)
        place += n_units[document]
    if inner is not None:
        content[place[composed[document]]] = inner[composed[document]]
    octets, limits = content.data.cast("B"), (8 * begin).tolist()
    return [blake2b(octets[low:high], digest_size=16).hexdigest() for low, high in pairwise(limits)]


def content_keys(documents: Sequence[Canonical]) -> list[str]:
    """Return a key of the content of each document, for its random numbers; those with the same content are numbered.

    It is the digest, which does not depend on other documents, and a number if there are several.
    """
    counts = Counter(document.digest for document in documents)
    keys = [document.digest for document in documents]
    # those that differ in their labels only are numbered in the order of these labels
    repeated = [index for index, key in enumerate(keys) if counts[key] > 1]
    order = sorted(repeated, key=lambda index: written_codes(documents[index].units))
    for index, key in zip(order, numbered([keys[index] for index in order]), strict=True):
        keys[index] = key
    return keys


def numbered(keys: Sequence[str]) -> list[str]:
    """Add numbers to keys that occur several times, so that each document has random numbers of its own."""
    seen: Counter[str] = Counter()
    found = []
    for key in keys:
        found.append(numbered_key(key, seen[key]))
        seen[key] += 1
    return found


def numbered_key(key: str, n_before: int) -> str:
    """Return the key of a document before which so many others have the same content."""
    return f"{key} {n_before}" if n_before else key


def written_codes(units: AnnotationSet) -> bytes:
    """Return the codes of labels so that bytes are in the order of numbers."""
    codes = (units.codes + 1).astype(">i8").tobytes()
    return codes if units.anchors is None else codes + units.anchors.role.astype(">i8").tobytes()


class _Relative:
    """The units of documents one after another: positions from the start of the continuum, labels by their rank.

    Attributes
    ----------
    first : list of int
        Where the units of each document begin.
    who : int64 array
        Whose each unit is; annotators of all documents are counted on.
    start, end, ranks : array
        Positions, and the rank of each label among those of its document.
    anchors : Anchors or None
        The anchors of all units; None if all are plain.
    inner : int64 array or None
        A digest of each unit's anchors; 0 in documents where each unit has one anchor, all of the same role.
    """

    def __init__(self, sets: Sequence[AnnotationSet]) -> None:
        sizes = np.array([units.n_units for units in sets])
        self.first = [0, *np.cumsum(sizes).tolist()]
        self.n_annotators = [units.n_annotators for units in sets]
        document = np.repeat(np.arange(len(sets)), sizes)
        before = np.cumsum([0, *self.n_annotators])
        self.who = np.concatenate([units.annotator for units in sets]) + before[document]
        low, high = np.array([units.bounds for units in sets], dtype=np.float64).T
        self.start, self.end = (
            np.concatenate([getattr(units, side) for units in sets]) - low[document] for side in ("start", "end")
        )
        broken = np.bincount(document, weights=_broken(self.start, self.end), minlength=len(sets)) > 0
        self.anchors = joined_anchors([(units.anchors, units.start, units.end) for units in sets])
        if self.anchors is not None:
            where = document[self.anchors.owner]
            ends = self.anchors.start - low[where], self.anchors.end - low[where]
            broken |= np.bincount(where, weights=_broken(*ends), minlength=len(sets)) > 0
        if broken.any():
            # so that a continuum that begins elsewhere, where sums are rounded differently, has the same content
            scale = _STEPS / np.where(high == low, 1.0, high - low)

            def steps(position: FloatArray, document: IntArray) -> FloatArray:
                return np.where(broken[document], np.round(position * scale[document]), position)

            self.start, self.end = steps(self.start, document), steps(self.end, document)
            if self.anchors is not None:
                ends = steps(ends[0], where), steps(ends[1], where)
        self.inner = None if self.anchors is None else _inner(self.anchors, *ends, where, len(sets))
        self.ranks = [
            _ranks(np.concatenate([units.codes[feature] for units in sets]), document)
            for feature in range(len(sets[0].codes))
        ]

    def numbered_annotators(self) -> tuple[IntArray, IntArray]:
        """Return the new number of each annotator, one document after another, and the order of all units."""
        # units of a document are sorted by annotator, then start, end and labels
        n_people = sum(self.n_annotators)
        begin = np.searchsorted(self.who, np.arange(n_people + 1))
        inner = [] if self.inner is None else [self.inner]
        octets, others = self.start.tobytes(), [part.tobytes() for part in (self.end, *self.ranks, *inner)]
        limits = [*pairwise((8 * begin).tolist())]
        starts = [octets[low:high] for low, high in limits]

        def marked(who: int) -> tuple[bytes, ...]:
            low, high = limits[who]
            return starts[who], *(part[low:high] for part in others)

        people: list[int] = []  # in their new order
        person = 0
        for n in self.n_annotators:
            own = range(person, person + n)
            differ = len(set(starts[person : person + n])) == n  # where units start is nearly always enough
            people += sorted(own, key=starts.__getitem__ if differ else marked)
            person += n
        order = np.array(people, np.int64)
        number = np.empty(n_people, np.int64)
        number[order] = np.arange(n_people) - np.repeat(np.cumsum(self.n_annotators), self.n_annotators)
        number += np.repeat(self.n_annotators, self.n_annotators)
        lengths = np.diff(begin)[order]
        shift = begin[order] - (np.cumsum(lengths) - lengths)
        return number, np.repeat(shift, lengths) + np.arange(len(self.who))


def _broken(start: FloatArray, end: FloatArray) -> BoolArray:
    return np.asarray((start != np.floor(start)) | (end != np.floor(end)))


def _inner(anchors: Anchors, start: FloatArray, end: FloatArray, document: IntArray, n_documents: int) -> IntArray:
    """Return a digest of the anchors of each unit; `document` is that of each anchor."""
    role, owner = _ranks(anchors.role, document), anchors.owner
    several = np.bincount(document, weights=(role > 0) | (anchors.sizes > 1)[owner], minlength=n_documents) > 0
    content = np.column_stack([role.astype(np.float64), start, end]).tobytes()
    found = np.zeros(anchors.n_units, np.int64)
    first = (24 * anchors.first).tolist()
    for unit in np.unique(owner[several[document]]).tolist():
        digest = blake2b(content[first[unit] : first[unit + 1]], digest_size=8).digest()
        found[unit] = int.from_bytes(digest, "little", signed=True)
    return found


def _ranks(codes: IntArray, document: IntArray) -> IntArray:
    """Return the rank of each code among the different codes of its document."""
    low, n_documents = int(codes.min(initial=0)), int(document.max(initial=0)) + 1
    n_codes = int(codes.max(initial=0)) - low + 1
    if n_documents * n_codes <= 4 * len(codes):  # a table of which there are: few labels need no sorting
        there = np.zeros((n_documents, n_codes), np.bool_)
        there[document, codes - low] = True
        return np.asarray((np.cumsum(there, axis=1) - 1)[document, codes - low], dtype=np.int64)
    order = np.lexsort((codes, document))
    first = np.ones(len(codes), np.bool_)
    first[1:] = document[order][1:] != document[order][:-1]
    new = first.copy()
    new[1:] |= codes[order][1:] != codes[order][:-1]
    rank = np.cumsum(new) - 1
    ranks = np.empty(len(codes), dtype=np.int64)
    ranks[order] = rank - np.repeat(rank[first], np.diff(np.append(np.flatnonzero(first), len(codes))))
    return ranks
