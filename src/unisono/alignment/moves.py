"""Units that stand elsewhere in another annotator's text: moved, not missing.

A sequence alignment cannot cross (Barteld et al. 2016, §8), so a passage that two annotators put in different places is
left unaligned in both. Such passages are found afterwards, among the unaligned units only: runs of neighbours with the
same texts in the same order, of which each annotator has one only once, or five or more of any kind. The longest runs
are taken first; of equally long ones, the nearest.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.arrays import IntArray

# Two conventions; they change what is reported as moved, and no disorder.
_LONG = 5
"""A run of so many units is the same passage, however common its words are."""
_MOST_ALIKE = 50
"""A text that is left unaligned more often than this is too common to find out where it went."""


def moved_rows(table: IntArray, content: Sequence[Hashable], following: IntArray) -> list[tuple[int, int]]:
    """Find unitary alignments that are the same passage in different places.

    Parameters
    ----------
    table : int64 array, shape (n_rows, n_annotators)
        Unitary alignments in the order of the text; -1 for the empty unit.
    content : sequence
        What two units must have in common: type and text.
    following : int64 array, shape (n_units,)
        The next unit of the same annotator and type, -1 after the last.

    Returns
    -------
    list of (int, int)
        Pairs of rows, of different annotators.
    """
    sides = _sides(table, content, following)
    counts = [Counter(content[unit] for unit in column[column >= 0].tolist()) for column in table.T]
    runs = [
        run
        for here, there in itertools.combinations(sorted(sides), 2)
        if not set(here) & set(there)
        for run in _runs(sides[here], sides[there])
        if len(run) >= _LONG
        or any(all(counts[who][sides[here].content[row]] == 1 for who in (*here, *there)) for row, _ in run)
    ]
    # a row is moved once at most: longest runs first, then nearest, then by place, so that the choice is canonical
    taken: set[int] = set()
    pairs: list[tuple[int, int]] = []
    for run in sorted(runs, key=lambda run: (-len(run), abs(run[0][0] - run[0][1]), run)):
        rows = {row for pair in run for row in pair}
        if not taken & rows:
            taken |= rows
            pairs += run
    return pairs


@dataclass(frozen=True)
class _Side:
    """Unaligned rows of some annotators: their content, and the rows that follow and precede each."""

    content: Mapping[int, Hashable]
    next: Mapping[int, int]
    previous: Mapping[int, int]

    @cached_property
    def places(self) -> Mapping[Hashable, list[int]]:
        """The rows of each content."""
        found: dict[Hashable, list[int]] = defaultdict(list)
        for row, content in self.content.items():
            found[content].append(row)
        return found


def _sides(table: IntArray, content: Sequence[Hashable], following: IntArray) -> dict[tuple[int, ...], _Side]:
    # Rows that miss somebody, by the annotators whose units are there. If these have different contents, there is no
    # single passage that could have moved.
    row_of: dict[int, int] = {}
    standing: dict[tuple[int, ...], dict[int, Hashable]] = defaultdict(dict)
    for row in np.flatnonzero((table < 0).any(axis=1)).tolist():
        people = tuple(np.flatnonzero(table[row] >= 0).tolist())
        contents = {content[table[row, who]] for who in people}
        if len(contents) == 1:
            standing[people][row] = contents.pop()
            row_of[int(table[row, people[0]])] = row
    sides = {}
    for people, rows in standing.items():
        after = {row: row_of.get(int(following[table[row, people[0]]]), -1) for row in rows}
        after = {row: other for row, other in after.items() if other in rows}
        sides[people] = _Side(rows, after, {other: row for row, other in after.items()})
    return sides


def _runs(here: _Side, there: _Side) -> Iterator[list[tuple[int, int]]]:
    """Find the longest runs of rows with the same content in the same order."""
    own, others = here.places, there.places
    # runs start from contents that are not too common, and go on over all: that bounds the number of starts
    common = {content for places in (own, others) for content, rows in places.items() if len(rows) > _MOST_ALIKE}
    for content, rows in own.items():
        for row, other in itertools.product(rows, others.get(content, []) if content not in common else []):
            begin = _begin(here, there, row, other, common)
            if begin is None:
                continue
            row, other = begin
            run = [begin]
            while True:
                row, other = here.next.get(row, -1), there.next.get(other, -1)
                if row < 0 or other < 0 or here.content[row] != there.content[other]:
                    break
                run.append((row, other))
            yield run


def _begin(here: _Side, there: _Side, row: int, other: int, common: set[Hashable]) -> tuple[int, int] | None:
    """Go back over what is too common to start from; None if the run starts before that, with something else."""
    while True:
        before = here.previous.get(row, -1), there.previous.get(other, -1)
        if min(before) < 0 or here.content[before[0]] != there.content[before[1]]:
            return row, other
        row, other = before
        if here.content[row] not in common:
            return None
