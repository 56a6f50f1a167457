"""Krippendorff's α with the edit distance of trees: agreement on syntax, corrected for chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Unpack

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.labelled_units import LabelledUnits
from unisono.data.meetings import every_two
from unisono.errors import plural
from unisono.kernels.switch import expect_work
from unisono.kernels.trees import tree_distances
from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import UnitsOptions
from unisono.measurement.readers import choice
from unisono.measurement.relations.dependencies import DEPENDENT, dependent_end
from unisono.measurement.relations.ends import refuse_plain
from unisono.measurement.relations.trees import SyntaxTree, sentences_of
from unisono.measurement.sums import DocumentSums, Tables, document_sums
from unisono.measurement.unitizing.units import UnitStatistics, UnitSums, family_of_units, unit_frame
from unisono.results import Estimate, from_disagreement

_MOST_TREES = 1000
"""So many different trees are compared with each other; of more, as many that stand for all."""
_CELLS_PER_UNIT = 50
"""About as much work as aligning a unit (see `expect_work`)."""


def _prepare(data: Any, *, feature: str | None, distance: str, trees: str, dependent: str) -> TreesPrepared:
    refuse_plain(data, "tree-alpha")
    found, whole = dependent_end(data, dependent, "tree-alpha"), trees == "documents"
    frame = unit_frame(data, feature)
    return TreesPrepared(frame, extent=False, lengths=False, distance=distance, whole=whole, dependent=found)


@coefficient(
    family_of_units(_prepare, own=True, name="relations"),
    symbol="α",
    title="Krippendorff's α of dependency trees, by their edit distance (Skjærholt 2014)",
    needs="dependencies: relations with one dependent and one head each, which make up trees; two or more annotators",
    ignores="which words are where: only labels and structure of the trees count",
    reference="Skjærholt 2014",
    papers=("skjaerholt2014", "zhang1989"),
    when="if the whole structure of sentences counts, corrected for chance",
    parameters=(
        Parameter(
            "distance",
            "plain",
            choice("plain", "diff", "norm"),
            "plain (the edit distance), diff (less the difference in size) or norm (divided by the sum of the sizes)",
        ),
        Parameter(
            "trees",
            "sentences",
            choice("sentences", "documents"),
            "sentences (words that relations connect) or documents (all words of a document)",
        ),
        DEPENDENT,
    ),
    takes_overlap=True,
    takes_composite=True,
)
def tree_alpha(
    treebank: Treebank,
    *,
    distance: Literal["plain", "diff", "norm"] = "plain",
    trees: Literal["sentences", "documents"] = "sentences",
    dependent: str = "auto",
    **how: Unpack[UnitsOptions],
) -> Estimate:
    """Agreement on dependency trees beyond chance: α = 1 - D_o/D_e with the squared edit distance of trees.

    The nodes of a tree are the words of a sentence, in their order, with the labels of their relations; above them is
    a root without a label. δ(x, y) is the least number of nodes to insert, delete or relabel (`plain`), less | |x| -
    |y| | (`diff`), or divided by |x| + |y| (`norm`). With the trees x_ic of sentence i, m_i of them, and N in all

    D_o = 1/N · Σ_i 1/(m_i - 1) · Σ_c Σ_c' δ²(x_ic, x_ic'),   D_e = 1/(N (N - 1)) · Σ_all pairs δ²(x, y).

    Skjærholt recommends `plain`: `diff` punishes small disagreements hard, `norm` hardly.

    See Also
    --------
    attachment, relation_f1

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     anchors=[
    ...         [("source", 0, 4), ("target", 5, 9)],
    ...         [("source", 10, 14), ("target", 5, 9)],
    ...         [("source", 0, 4), ("target", 5, 9)],
    ...         [("source", 10, 14), ("target", 0, 4)],
    ...     ],
    ...     features={"category": ["subject", "object", "subject", "object"]},
    ... )
    >>> round(unisono.tree_alpha(corpus, dependent="source").value, 3)
    0.0
    """
    n_different, n_identical = treebank.sums["pairs"].spread(2).tolist()
    return from_disagreement(
        treebank.observed,
        treebank.expected,
        details={"trees": treebank.n_sentences, "identical": n_identical / (n_different + n_identical)},
        notes=treebank.notes,
    )


@dataclass(frozen=True)
class TreesPrepared(UnitSums):
    """Trees of a corpus (see `Prepared`).

    What is expected by chance follows from how often each different tree occurs, which is a sum over documents.
    """

    distance: str = "plain"
    whole: bool = False
    dependent: str = "source"
    # the different trees by number, and their numbers
    known: list[SyntaxTree] = field(default_factory=list)
    number: dict[SyntaxTree, int] = field(default_factory=dict)

    def statistics_of(self, tables: Tables, document: int | None) -> Treebank:
        """See `SumsPrepared`."""
        return Treebank(self.frame, tables, document, self)

    def added_up(self, units: LabelledUnits) -> dict[str, DocumentSums]:
        """Compare the trees of each sentence, and count the different ones."""
        sentences = [*sentences_of(units, self.dependent, self.whole)]
        documents = np.array([one.document for one in sentences], np.int64)
        sizes = np.array([len(one.trees) for one in sentences], np.int64)
        each = np.array([self._numbered(tree) for one in sentences for tree in one.trees], np.int64)
        sentence = np.repeat(np.arange(len(sizes)), sizes)
        u, v = every_two(sentence)
        sentence = sentence[u]
        apart = self.squared(each[u], each[v]) * 2 / (sizes[sentence] - 1)  # both orders
        same = (each[u] == each[v]).astype(np.int64)
        where = documents[sentence]
        nothing = np.zeros(len(where), np.int64)
        return {
            "sentences": document_sums(documents, np.zeros_like(documents), None, 1),
            "circles": document_sums(
                documents, np.zeros_like(documents), np.array([one.n_circular for one in sentences]), 1
            ),
            "observed": document_sums(where, nothing, apart, 1),
            "pairs": document_sums(where, same, None, 2),
            "trees": document_sums(np.repeat(documents, sizes), each, None, max(len(self.known), 1)),
        }

    def squared(self, u: IntArray, v: IntArray) -> FloatArray:
        """Return δ² of pairs of trees, by their numbers."""
        chosen, place = np.unique(np.concatenate([u, v]), return_inverse=True)
        trees = [self.known[number] for number in chosen.tolist()]
        sizes = np.array([len(tree.label) for tree in trees], np.int64)
        one, other = place[: len(u)], place[len(u) :]
        expect_work(int((sizes[one] * sizes[other]).sum()) // _CELLS_PER_UNIT, 2)
        roots = [tree.roots for tree in trees]
        distance = tree_distances(
            _edges(sizes),
            _joined([tree.label for tree in trees]),
            _joined([tree.leftmost for tree in trees]),
            _edges(np.array([*map(len, roots)], np.int64)),
            _joined(roots),
            one,
            other,
        ).astype(np.float64)
        if self.distance == "diff":
            distance -= np.abs(sizes[one] - sizes[other])
        elif self.distance == "norm":
            distance /= sizes[one] + sizes[other]
        return np.asarray(np.square(distance))

    @cached_property
    def chosen(self) -> IntArray:
        """The different trees that are compared with each other: all, or some that stand for all."""
        numbers = self.sums.total["trees"].key
        if len(numbers) <= _MOST_TREES:
            return numbers
        # every so many in the order of sizes, so that trees of all sizes are among them
        order = sorted(numbers.tolist(), key=lambda number: (len(self.known[number].label), self.known[number]))
        return np.sort(np.array(order)[np.arange(_MOST_TREES) * len(order) // _MOST_TREES])

    @cached_property
    def matrix(self) -> FloatArray:
        """δ² of every two of these."""
        u, v = np.triu_indices(len(self.chosen), 1)
        found = np.zeros((len(self.chosen), len(self.chosen)))
        found[u, v] = found[v, u] = self.squared(self.chosen[u], self.chosen[v])
        return found

    def _numbered(self, tree: SyntaxTree) -> int:
        number = self.number.setdefault(tree, len(self.known))
        if number == len(self.known):
            self.known.append(tree)
        return number


@dataclass(frozen=True)
class Treebank(UnitStatistics):
    """How often each different tree occurs in one document, or in several."""

    prepared: TreesPrepared

    @property
    def n_sentences(self) -> int:
        """How many sentences there are."""
        return int(self.sums["sentences"].value.sum())

    @property
    def observed(self) -> float:
        """D_o."""
        return float(self.sums["observed"].value.sum() / self.sums["trees"].value.sum())

    @property
    def expected(self) -> float:
        """D_e."""
        prepared, (numbers, counts) = self.prepared, self.sums["trees"]
        place = np.searchsorted(prepared.chosen, numbers)
        known = prepared.chosen[np.minimum(place, len(prepared.chosen) - 1)] == numbers
        if self.document is None or known.all():
            weights = np.zeros(len(prepared.chosen))
            weights[place[known]] = counts[known]
            apart = float(weights @ prepared.matrix @ weights)
        else:  # of one document, trees that were not chosen count, too
            weights, (u, v) = counts, np.triu_indices(len(numbers), 1)
            apart = 2 * float(prepared.squared(numbers[u], numbers[v]) @ (counts[u] * counts[v]))
        n = float(weights.sum())
        return apart / (n * (n - 1)) if n > 1 else 0.0

    @property
    def notes(self) -> tuple[str, ...]:
        """State what was left out."""
        notes = []
        n_circular = int(self.sums["circles"].value.sum())
        if n_circular:
            notes.append(f"words that depend on each other in a circle are left out of {plural(n_circular, 'tree')}")
        n_chosen, n = len(self.prepared.chosen), len(self.prepared.sums.total["trees"].key)
        if n_chosen < n and self.document is None:
            notes.append(f"chance is computed from {n_chosen:,} of {plural(n, 'different tree')}")
        return tuple(notes)


def _edges(sizes: IntArray) -> IntArray:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])


def _joined(parts: Sequence[Sequence[int]]) -> IntArray:
    return np.array([number for part in parts for number in part], np.int64)
