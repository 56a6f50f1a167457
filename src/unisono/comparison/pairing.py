"""What two studies have in common: documents, or blocks of items where there are no documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from unisono.arrays import IntArray
from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.errors import DataError, listed, plural
from unisono.measurement.intervals import N_BLOCKS

FEWEST_DOCUMENTS = 3
"""Labels in fewer documents are paired by item."""
_KINDS = {Corpus: "spans", Ratings: "labels of items", Normalizations: "rewritten words"}


class Paired(NamedTuple):
    """What two studies have in common."""

    # data of the same documents, or items
    one: Data
    other: Data
    parts: str  # what can be left out of both
    lost: str = ""  # a sentence on what only one of them has; empty if there is nothing


def pair_up(one: Data, other: Data, names: tuple[str, str]) -> Paired:
    """Keep what both studies have; `names` is what to call them in messages."""
    if type(one) is not type(other):
        kinds = " and ".join(
            f"{name} holds {_KINDS[type(data)]}" for name, data in zip(names, (one, other), strict=True)
        )
        raise DataError(f"only data of the same kind can be compared: {kinds}")
    theirs = set(other.documents)
    common = [name for name in one.documents if name in theirs]
    both = worked_together(one) & worked_together(other)
    shared = [name for name in common if name in both]
    if isinstance(one, Ratings) and isinstance(other, Ratings) and len(shared) < FEWEST_DOCUMENTS:
        first, second = _items(one, other, names)
        sizes = len(one.codes), len(other.codes)
        return Paired(first, second, "blocks of items", _lost(names, sizes, len(first.codes), "item"))
    if not common:
        raise DataError(
            f"{names[0]} and {names[1]} have no document in common ({listed(one.documents, 3)}; "
            f"{listed(other.documents, 3)}); a document must have the same name in both"
        )
    if len(shared) < 2:
        raise DataError(
            f"{names[0]} and {names[1]} have {plural(len(shared), 'document')} that two annotators worked on in both; "
            "two or more, better ten, are needed to compare"
        )
    lost = _lost(names, (len(one.documents), len(other.documents)), len(shared), "document")
    return Paired(some_of(one, documents=shared), some_of(other, documents=shared), "documents", lost)


def _lost(names: tuple[str, str], sizes: tuple[int, int], n: int, what: str) -> str:
    found = [
        f"{size - n:,} of {plural(size, what)} of {name}" for name, size in zip(names, sizes, strict=True) if size > n
    ]
    return f"Left out, because both need to have them: {' and '.join(found)}." if found else ""


def in_blocks(ratings: Ratings) -> Ratings:
    """Make a document of every block of consecutive items."""
    n_blocks = min(N_BLOCKS, len(ratings.codes))
    block = np.arange(len(ratings.codes)) * n_blocks // max(len(ratings.codes), 1)
    return replace(ratings, documents=tuple(map(str, range(n_blocks))), document=block)


def worked_together(data: Data) -> set[str]:
    """Return the documents that two annotators or more worked on."""
    if isinstance(data, Corpus):
        several = data.worked.sum(axis=1) >= 2
    else:
        several = np.bincount(data.document[data.n_given >= 2], minlength=len(data.documents)) > 0
    return {name for name, yes in zip(data.documents, several, strict=True) if yes}


def apart(data: Data, one: Sequence[str], other: Sequence[str]) -> str:
    """Explain, after a sentence, that two groups of annotators have no document in common; empty if they have."""
    worked = np.asarray(data.worked)
    did = [np.asarray(worked[:, [data.annotators.index(name) for name in names]].any(axis=1)) for names in (one, other)]
    if (did[0] & did[1]).any():
        return ""
    documents = (listed([data.documents[row] for row in np.flatnonzero(rows).tolist()], 3) for rows in did)
    return (
        f"; their documents are different ({'; '.join(documents)}): each file is one unless it names its documents; "
        "give them the same name, e.g. in a column document, or put everything into one table"
    )


def some_of(data: Data, *, annotators: Iterable[str] | None = None, documents: Iterable[str] | None = None) -> Data:
    """Keep some annotators or documents; labels that do not occur there could have been chosen too."""
    return data.select(annotators=annotators, documents=documents, all_labels=True)


def _items(one: Ratings, other: Ratings, names: tuple[str, str]) -> tuple[Ratings, Ratings]:
    """Keep the items that both have, in the order of the first, in blocks."""
    places = [_places(ratings) for ratings in (one, other)]
    common = [key for key in places[0] if key in places[1]]
    if len(common) < 2:
        raise DataError(
            f"{names[0]} and {names[1]} have {plural(len(common), 'item')} in common ({listed(list(one.items), 3)}; "
            f"{listed(list(other.items), 3)}); an item must have the same name in both"
        )
    first, second = (
        in_blocks(_rows(ratings, np.array([place[key] for key in common])))
        for ratings, place in zip((one, other), places, strict=True)
    )
    return first, second


def _places(ratings: Ratings) -> dict[tuple[str, str], int]:
    names = [ratings.documents[index] for index in ratings.document.tolist()] if len(ratings.documents) > 1 else None
    return {("" if names is None else names[row], str(item)): row for row, item in enumerate(ratings.items)}


def _rows(ratings: Ratings, rows: IntArray) -> Ratings:
    return replace(
        ratings,
        items=[ratings.items[row] for row in rows.tolist()],
        document=ratings.document[rows],
        codes=ratings.codes[rows],
        repeats=None if ratings.repeats is None else ratings.repeats[rows],
    )
