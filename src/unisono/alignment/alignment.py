"""The alignment that γ makes: units of one continuum, by position and category."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono.alignment.aligned import Aligned
from unisono.alignment.solution import aligned_pairs
from unisono.arrays import FloatArray, IntArray
from unisono.data import AnnotationSet, Unit
from unisono.data.anchors import PIECE, tie_breakers
from unisono.data.annotation_set import Stack
from unisono.dissimilarity.combined import BoundDissimilarity


@dataclass(frozen=True, repr=False, eq=False)
class Alignment(Aligned):
    """The best alignment of the units of one continuum.

    Attributes
    ----------
    document, annotations, solution
        See `Aligned`.
    dissimilarity : BoundDissimilarity
        d(u, v).

    See Also
    --------
    align, gamma, TextAlignment

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> alignment = unisono.align(corpus)["document"]
    >>> for unitary in alignment:
    ...     print(unitary.start, unitary.end, round(unitary.disorder, 3), unitary.differs)
    0 4 0.0 ()
    5 9 1.02 ('category', 'position')
    """

    dissimilarity: BoundDissimilarity

    @property
    def delta_empty(self) -> float:
        """Δ∅, what an empty unit costs."""
        return self.dissimilarity.definition.delta_empty

    @cached_property
    def parts(self) -> Mapping[str, FloatArray]:
        """The disorder by what differs: position, category and missing; dissimilarity and missing with a custom d.

        If anchors have several roles, each role stands in place of the position.
        """
        return disorder_parts(self.annotations, self.dissimilarity, self.solution.table, self.solution.cost)

    def more_columns(self, annotator: int, rows: list[int]) -> dict[str, list[Any]]:
        """Return the anchors of an annotator's units, if some have several, and their text, if there is any."""
        who = self.names[annotator]
        units = [self.units[unit] if unit >= 0 else None for unit in self.solution.table[rows, annotator].tolist()]
        columns: dict[str, list[Any]] = {}
        if self.document.corpus.anchors is not None:
            columns[f"{who}.ends"] = [None if unit is None else written_ends(unit) for unit in units]
        if self.document.readable is not None or self.document.texts_differ:
            covered = self.document.quoting(who)
            columns[f"{who}.text"] = [None if unit is None else quoted_unit(unit, covered) for unit in units]
        return columns

    @cached_property
    def units(self) -> list[Unit]:
        """Units in the order of the annotation set."""
        units, begin = self.document.units, self.document.corpus.rows(self.document.index).start
        return [units[row - begin] for row in self.rows.tolist()]

    @cached_property
    def rows(self) -> IntArray:
        """The rows of the units in the corpus."""
        # the order of `AnnotationSet`: by annotator, start, end, the labels that count, and anchors
        corpus = self.document.corpus
        rows = corpus.rows(self.document.index)
        codes = [corpus.features[name].codes[rows] for name in self.dissimilarity.features]
        ties = tie_breakers(None if corpus.anchors is None else corpus.anchors.take(rows))
        order = np.lexsort((*ties, *codes[::-1], corpus.end[rows], corpus.start[rows], corpus.annotator[rows]))
        return np.asarray(rows.start + order, dtype=np.int64)


def written_ends(unit: Unit) -> str:
    """Write the anchors of a unit; nothing of a plain one."""
    return ", ".join(f"{one.role} {one.start}–{one.end}" for one in unit.anchors)


def quoted_unit(unit: Unit, covered: Callable[[float, float], str | None]) -> str | None:
    """Return the text of a unit, or of its anchors: the source → the target, pieces … of one unit."""
    if not unit.anchors:
        return covered(unit.start, unit.end)
    texts = [covered(one.start, one.end) for one in unit.anchors]
    between = " … " if {one.role for one in unit.anchors} == {PIECE} else " → "
    return None if None in texts else between.join(text for text in texts if text is not None)


def disorder_parts(
    units: AnnotationSet | Stack, dissimilarity: BoundDissimilarity, table: IntArray, cost: FloatArray
) -> dict[str, FloatArray]:
    """Split the cost of unitary alignments, of one document or of several, by what differs."""
    n, definition = units.n_annotators, dissimilarity.definition
    n_pairs, delta_empty = n * (n - 1) / 2, definition.delta_empty
    row, u, v = aligned_pairs(table)
    real = np.bincount(row, minlength=len(table))
    # A unitary alignment costs the mean over all pairs (6): Δ∅ for each pair with an empty unit, which is
    # `missing`, and d for the others. What is below 1e-12 is rounding, and would be reported as a difference.
    missing = ((n_pairs - real) / n_pairs * delta_empty).astype(np.float64)
    differing = np.maximum(cost * delta_empty - missing, 0.0)
    differing[differing < 1e-12 * delta_empty] = 0.0
    if definition.custom is not None:
        return {"dissimilarity": differing, "missing": missing}
    category = np.zeros(len(table))
    if definition.beta and dissimilarity.compare:
        excess = definition.beta * dissimilarity.categorical(units, u, v)
        category = (np.bincount(row, weights=excess, minlength=len(table)) / n_pairs * delta_empty).astype(np.float64)
    # what is left is position: so the parts add up to the disorder
    position = np.maximum(differing - category, 0.0)
    position[position < 1e-12 * delta_empty] = 0.0
    parts = _by_role(units, dissimilarity, position, (row, u, v))
    parts["category"], parts["missing"] = category, missing
    return parts


def _by_role(
    units: AnnotationSet | Stack,
    dissimilarity: BoundDissimilarity,
    position: FloatArray,
    pairs: tuple[IntArray, IntArray, IntArray],
) -> dict[str, FloatArray]:
    """Split the disorder of positions by the roles of anchors, if they have several."""
    roles, anchors = dissimilarity.definition.roles, units.anchors
    if anchors is None or len(anchors.roles) == 1:
        return {"position": position}
    row, u, v = pairs
    with np.errstate(invalid="ignore"):  # nothing differs where all shares are 0, or positions do not count
        each = roles.shares(anchors, u, v).T
        sums = np.array([np.bincount(row, weights=share, minlength=len(position)) for share in each])
        found = np.where(position > 0, position * (sums / sums.sum(axis=0)), 0.0)
    parts: dict[str, FloatArray] = {}
    for name, part in zip(roles.names(anchors), found, strict=True):
        kind = f"role {name}" if name in ("position", "category", "missing") else name
        parts[kind] = parts.get(kind, 0.0) + part
    return parts
