"""Dependency trees of sentences, made of the relations of each annotator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unisono.arrays import IntArray
from unisono.data.labelled_units import LabelledUnits
from unisono.errors import DataError
from unisono.measurement.relations.dependencies import Dependencies

ROOT = 0
"""The label of the node above all words of a sentence."""
UNATTACHED = -1
"""The label of a word that is somebody's head, but has none itself."""


class SyntaxTree(NamedTuple):
    """An ordered tree, its nodes in postorder; the last one is the root.

    Attributes
    ----------
    label : tuple of int
        The label of each node.
    leftmost : tuple of int
        The leftmost leaf below each node, or the node itself.
    """

    label: tuple[int, ...]
    leftmost: tuple[int, ...]

    @property
    def roots(self) -> list[int]:
        """The key roots: of all nodes with the same leftmost leaf, the highest."""
        return sorted({leaf: node for node, leaf in enumerate(self.leftmost)}.values())


@dataclass(frozen=True)
class Sentence:
    """A sentence: words that some annotator connects, and the tree of each who worked on the document."""

    document: int
    trees: tuple[SyntaxTree, ...]
    n_circular: int  # how many trees leave out words that depend on each other in a circle


def sentences_of(units: LabelledUnits, dependent: str, whole: bool) -> Iterator[Sentence]:
    """Iterate over the sentences of all documents; DataError if somebody's relations are no trees.

    Each document is a sentence if it is to be compared as a `whole`. If not, it is not known where sentences begin and
    end: words belong to the same one if relations connect them, whoever made these.
    """
    found = Dependencies.of(units, dependent)
    for document in np.flatnonzero(units.shared).tolist():
        yield from _of_document(units, found, document, whole)


def _of_document(units: LabelledUnits, found: Dependencies, document: int, whole: bool) -> Iterator[Sentence]:
    rows = np.arange(units.n_units)[units.rows(document)]
    ends = np.concatenate(
        [[found.start[rows], found.end[rows]], [found.head_start[rows], found.head_end[rows]]], axis=1
    )
    words, place = np.unique(ends, axis=1, return_inverse=True)
    word, head = place.reshape(2, len(rows))
    sentence = [0] * words.shape[1] if whole else _connected(word, head, words.shape[1])
    annotators = np.flatnonzero(units.worked[document])
    heads: dict[int, dict[int, dict[int, tuple[int, int]]]] = {}
    for row, own, its in zip(rows.tolist(), word.tolist(), head.tolist(), strict=True):
        arcs = heads.setdefault(sentence[own], {}).setdefault(int(units.annotator[row]), {})
        if own in arcs:
            raise DataError(f"{_place(units, row)} has several heads, so these are no trees; use attachment or gamma")
        arcs[own] = -1 if its == own else its, int(units.category[row])
    for arcs_of in heads.values():
        trees = [_tree(arcs_of.get(who, {})) for who in annotators.tolist()]
        yield Sentence(document, tuple(tree for tree, _ in trees), sum(circles for _, circles in trees))


def _place(units: LabelledUnits, row: int) -> str:
    where, who = units.corpus.documents[units.document[row]], units.corpus.annotators[units.annotator[row]]
    return f"document {where}: a word of {who}'s at {units.spelled(row)}"


def _connected(word: IntArray, head: IntArray, n_words: int) -> list[int]:
    """Name the component of each word by its first word."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(word)), (word, head)), shape=(n_words, n_words))
    _, component = connected_components(graph, directed=False)
    return list(component.tolist())


def _tree(arcs: dict[int, tuple[int, int]]) -> tuple[SyntaxTree, bool]:
    """Make a tree of words with their heads (-1 for none) and labels.

    Words that depend on each other in a circle, and those below them, cannot be reached from the root, and are not in
    the tree; also return whether there are any.
    """
    below: dict[int, list[int]] = {-1: []}
    labels = {-1: ROOT}
    for own, (head, label) in arcs.items():
        below.setdefault(head, []).append(own)
        labels[own] = label
    unattached = [head for head in below if head >= 0 and head not in arcs]
    below[-1] += unattached
    labels |= dict.fromkeys(unattached, UNATTACHED)
    order: list[int] = []
    waiting = [-1]
    while waiting:  # from the root, right before left: the reverse is postorder
        node = waiting.pop()
        order.append(node)
        waiting += sorted(below.get(node, ()))
    order.reverse()
    number = {node: place for place, node in enumerate(order)}
    leftmost = [
        min((number[child] for child in below.get(node, ())), default=place) for place, node in enumerate(order)
    ]
    for place, leaf in enumerate(leftmost):  # of the first child, which comes before
        leftmost[place] = leaf if leaf == place else leftmost[leaf]
    return SyntaxTree(tuple(labels[node] for node in order), tuple(leftmost)), len(order) < len(labels)
