"""Kinds of units: spans, relations and events. Files may hold several, and those of one kind are measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from unisono.arrays import IntArray
from unisono.data.anchors import PIECE, SOURCE, TARGET, Anchors, tie_breakers
from unisono.data.corpus import Corpus
from unisono.data.labels import written_label
from unisono.errors import mention, plural

SPANS, RELATIONS, EVENTS = UNIT_KINDS = ("spans", "relations", "events")
COMPOSITE = (RELATIONS, EVENTS)
"""Kinds of units with several anchors, which are read if they are asked for."""
Others: TypeAlias = Mapping[str, Mapping[str, int]]
"""Kind of units to type to their number: what files hold besides what was read."""


def kinds_of(corpus: Corpus) -> IntArray:
    """Return the kind of each unit, index into `UNIT_KINDS`; shape (n_units,).

    A span has no roles, a relation a source and a target (the root of a tree has a source only), an event any others.
    """
    anchors = corpus.anchors
    if anchors is None or not anchors.n_units:
        return np.zeros(corpus.n_units, np.int64)
    kind = {PIECE: 0, SOURCE: 1, TARGET: 1}
    of_role = np.array([kind.get(name, 2) for name in anchors.roles], np.int64)
    return np.asarray(np.maximum.reduceat(of_role[anchors.role], anchors.first[:-1]))


def only_kind(corpus: Corpus, kind: str | None) -> Corpus:
    """Keep the units of one kind, and count the others; all if none is wanted in particular."""
    if kind not in UNIT_KINDS:
        return corpus
    kinds = kinds_of(corpus)
    kept = kinds == UNIT_KINDS.index(kind)
    if kept.all():
        return corpus
    rows = np.flatnonzero(kept)
    types = corpus.features["category"].values() if "category" in corpus.features else [None] * corpus.n_units
    others: dict[str, Counter[str]] = {}
    for row in np.flatnonzero(~kept).tolist():
        label = types[row]
        others.setdefault(UNIT_KINDS[kinds[row]], Counter())["" if label is None else written_label(label)] += 1
    chosen = of_origin(corpus, rows)
    return replace(chosen, others=summed_others([corpus.others, others]))


def of_origin(
    corpus: Corpus,
    origin: Sequence[int] | IntArray,
    anchors: Iterable[Iterable[tuple[str, float, float]]] | None = None,
) -> Corpus:
    """Return a corpus whose units come from those of another, by their numbers, perhaps with other anchors."""
    rows = np.array(origin, np.int64)
    features = {name: column.take(rows).given() for name, column in corpus.features.items()}
    made = corpus.anchors.take(rows) if anchors is None and corpus.anchors is not None else None
    start, end = corpus.start[rows], corpus.end[rows]
    if anchors is not None:
        made = Anchors.of(anchors)
        start, end = made.hull
    made = None if made is None else made.simplest()
    keys = [*tie_breakers(made), *(column.codes for column in reversed(features.values())), end, start]
    order = np.lexsort((*keys, corpus.annotator[rows], corpus.document[rows]))
    return replace(
        corpus,
        document=corpus.document[rows][order],
        annotator=corpus.annotator[rows][order],
        start=start[order],
        end=end[order],
        features={name: column.take(order) for name, column in features.items()},
        extents=corpus.all_extents(),
        anchors=None if made is None else made.take(order),
    )


def summed_others(parts: Iterable[Others]) -> dict[str, dict[str, int]]:
    """Add up what several parts hold besides."""
    found: dict[str, Counter[str]] = {}
    for part in parts:
        for kind, types in part.items():
            found.setdefault(kind, Counter()).update(types)
    return {kind: dict(types) for kind, types in found.items()}


def told_others(others: Others) -> Iterator[str]:
    """Say what else is there, and how to read it."""
    for kind, types in others.items():
        n = sum(types.values())
        are = f"of {plural(len(types), 'type')} are" if n > 1 else "is"
        yield f"{counted_units(n, kind)} {are} in this export: {mention('units', kind)}"


def there_are(types: Mapping[str, int], kind: str) -> str:
    """Begin a sentence with how many units of a kind there are, of how many types."""
    n = sum(types.values())
    return f"There {'is' if n == 1 else 'are'} {counted_units(n, kind)} of {plural(len(types), 'type')}"


def in_a_row(names: Sequence[str]) -> str:
    """Write names with commas, and the last with "and"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def counted_units(n: int, kind: str) -> str:
    """Write how many units of a kind there are."""
    return plural(n, kind.removesuffix("s"))
