"""Text-γ's alignments by trying them all, written from the paper and sharing nothing with the package.

Barteld et al. 2016: markers around units are put into the texts (§4), sequences are aligned with matches and gaps only,
and units are aligned that cover the same span in an optimal alignment (§5).

Two annotators: `alignments` lists sequence alignments, `by_markers` and `by_span` read aligned units off one;
`annotation_alignments` gives what can be read off all optimal ones, and `least_value` is a plain dynamic program of
two states for longer texts. Three and more: `least_grouping` tries every choice of an optimal alignment for each two.
"""

from __future__ import annotations

import functools
import itertools
import re
from fractions import Fraction
from typing import NamedTuple

import numpy as np

OPENING, CLOSING = "opening", "closing"
"""Markers; symbols of texts are single characters."""
BIG = 1 << 40
FAR = 1 << 62
"""In `least_value`, what a gap of weight 1 counts, more than all that units can save; and what cannot be reached."""


class Version(NamedTuple):
    """One annotator's text and the units in it: (start, end, label)."""

    text: str
    units: tuple[tuple[int, int, str | None], ...]

    def covered(self, unit):
        start, end, _ = self.units[unit]
        return self.text[start:end]


def parse(notation, label=None):
    """Read `{hat|X}{s|Y} tail`: units in braces, a label after the bar, other text uncovered."""
    text, units = "", []
    for inside, own, outside in re.findall(r"\{([^|{}]*)(?:\|([^{}]*))?\}|([^{}]+)", notation):
        if outside:
            text += outside
        else:
            units.append((len(text), len(text) + len(inside), own or label))
            text += inside
    return Version(text, tuple(units))


def columns_of(*versions, names="ABCDEFGHIJKL", document="d", feature="pos"):
    """Give the columns of a corpus of these versions, of annotators A, B, …"""
    rows = [(name, *unit) for name, version in zip(names, versions, strict=False) for unit in version.units]
    return {
        "annotator": [row[0] for row in rows],
        "document": [document] * len(rows),
        "start": np.array([row[1] for row in rows], dtype=np.int64),
        "end": np.array([row[2] for row in rows], dtype=np.int64),
        "features": {feature: [row[3] for row in rows]},
        "texts": {(document, name): version.text for name, version in zip(names, versions, strict=False)},
    }


@functools.lru_cache(maxsize=64)
def sequence(version):
    """Give the text with markers, and for each place the unit whose marker it is."""
    symbols, whose = [], []
    for place in range(len(version.text) + 1):
        for unit, (start, end, _) in enumerate(version.units):  # in order, so that those which end here come first
            markers = [OPENING] * (start == place) + [CLOSING] * (end == place)
            symbols += markers
            whose += [unit] * len(markers)
        symbols += version.text[place : place + 1]
        whose += [None] * len(version.text[place : place + 1])
    return symbols, whose


def weight(symbol, gap_text, gap_boundary):
    return gap_boundary if symbol in (OPENING, CLOSING) else gap_text


def alignments(one, other, gap_text=1, gap_boundary=1, *, optimal=True, every_order=True):
    """List sequence alignments, as columns (place or None, place or None), with their costs.

    Parameters
    ----------
    one, other : Version
        What is aligned.
    gap_text, gap_boundary : number
        What gaps cost.
    optimal : bool
        Only those of least cost.
    every_order : bool
        Whether neighbouring gaps in the two sequences come in every order; else those in the second come last.
    """
    a, b = sequence(one)[0], sequence(other)[0]

    @functools.cache
    def least(i, j):
        if i == len(a) and j == len(b):
            return 0
        found = []
        if i < len(a):
            found.append(weight(a[i], gap_text, gap_boundary) + least(i + 1, j))
        if j < len(b):
            found.append(weight(b[j], gap_text, gap_boundary) + least(i, j + 1))
        if i < len(a) and j < len(b) and a[i] == b[j]:
            found.append(least(i + 1, j + 1))
        return min(found)

    def extended(i, j, columns, cost):
        if optimal and cost + least(i, j) > least(0, 0):
            return
        if i == len(a) and j == len(b):
            yield list(columns), cost
            return
        steps = []
        if i < len(a) and (every_order or not columns or columns[-1][0] is not None):
            steps.append((i, None))
        if j < len(b):
            steps.append((None, j))
        if i < len(a) and j < len(b) and a[i] == b[j]:
            steps.append((i, j))
        for row, column in steps:
            gap = 0
            if row is None or column is None:
                gap = weight(a[i] if column is None else b[j], gap_text, gap_boundary)
            columns.append((row, column))
            yield from extended(i + (row is not None), j + (column is not None), columns, cost + gap)
            columns.pop()

    return extended(0, 0, [], 0)


def by_markers(columns, one, other):
    """Read aligned units off: both their markers match."""
    (a, unit_a), (b, unit_b) = sequence(one), sequence(other)
    opened, closed = set(), set()
    for i, j in columns:
        if i is not None and j is not None and a[i] == b[j]:
            if a[i] == OPENING:
                opened.add((unit_a[i], unit_b[j]))
            elif a[i] == CLOSING:
                closed.add((unit_a[i], unit_b[j]))
    return frozenset(opened & closed)


def by_span(columns, one, other):
    """Read aligned units off: they cover the same columns once those of markers are dropped."""
    versions = sequence(one), sequence(other)
    spans = [{}, {}]
    n_before = 0
    for column in columns:
        markers = [
            (side, symbols[place], whose[place])
            for side, ((symbols, whose), place) in enumerate(zip(versions, column, strict=True))
            if place is not None and symbols[place] in (OPENING, CLOSING)
        ]
        for side, symbol, unit in markers:
            spans[side][unit] = (n_before,) if symbol == OPENING else (*spans[side][unit], n_before)
        n_before += not markers
    return frozenset((u, v) for u, here in spans[0].items() for v, there in spans[1].items() if here == there)


def unlike(one, u, other, v):
    """Give d(u, v) of §5: the mean of text and, where one of them has a label, label; all the same or not."""
    labels = one.units[u][2], other.units[v][2]
    parts = [Fraction(one.covered(u) != other.covered(v))]
    if labels != (None, None):
        parts.append(Fraction(labels[0] != labels[1]))
    return sum(parts) / len(parts)


def cost_of(pairs, one, other, d=unlike):
    """Give what aligned pairs and all units that are left cost."""
    return sum(d(one, u, other, v) for u, v in pairs) + len(one.units) + len(other.units) - 2 * len(pairs)


def annotation_alignments(one, other, gap_text=1, gap_boundary=1):
    """Give all sets of pairs of units that optimal sequence alignments align, place by place."""
    (a, unit_a), (b, unit_b) = sequence(one), sequence(other)
    markers = OPENING, CLOSING

    @functools.cache
    def tails(i, j, joint):
        """Give the least cost from here on, and the sets of pairs; `joint`: a pair of units was opened together."""
        if i == len(a) and j == len(b):
            return 0, frozenset([frozenset()])
        found = []
        if i < len(a):
            cost, sets = tails(i + 1, j, joint and a[i] not in markers)
            found.append((cost + weight(a[i], gap_text, gap_boundary), sets))
        if j < len(b):
            cost, sets = tails(i, j + 1, joint and b[j] not in markers)
            found.append((cost + weight(b[j], gap_text, gap_boundary), sets))
        if i < len(a) and j < len(b) and a[i] == b[j]:
            cost, sets = tails(i + 1, j + 1, a[i] == OPENING or (joint and a[i] != CLOSING))
            if a[i] == CLOSING and joint:
                sets = frozenset(pairs | {(unit_a[i], unit_b[j])} for pairs in sets)
            found.append((cost, sets))
        least = min(cost for cost, _ in found)
        return least, frozenset().union(*(sets for cost, sets in found if cost == least))

    return tails(0, 0, False)[1]


def least_disorder(one, other, gap_text=1, gap_boundary=1, d=unlike):
    """Give the least disorder of two annotators, over everything that optimal alignments align."""
    every = annotation_alignments(one, other, gap_text, gap_boundary)
    least = min(cost_of(pairs, one, other, d) for pairs in every)
    return least / Fraction(len(one.units) + len(other.units), 2)


def least_value(a, b, weights, opening, closing, saving):
    """Find the least cost and, among alignments of that, the most that aligned pairs save: BIG · cost - saved.

    Cells have two states: outside, or inside a pair of units that were opened together since when no marker stood
    alone. Sequences are arrays of symbols; saving[u, v] is a whole number.
    """
    n, m = len(a), len(b)
    above, here = np.full((2, m + 1), FAR), np.full((2, m + 1), FAR)
    u = -1
    for i in range(n + 1):
        up = a[i - 1] if i else -1
        if up == opening:
            u += 1
        v = -1
        for j in range(m + 1):
            left = b[j - 1] if j else -1
            if left == opening:
                v += 1
            outside, inside = FAR, FAR
            if i == 0 and j == 0:
                outside = 0
            if i:
                gap = BIG * weights[up]
                if up in (opening, closing):
                    outside = min(outside, above[0, j] + gap, above[1, j] + gap)
                else:
                    outside, inside = min(outside, above[0, j] + gap), min(inside, above[1, j] + gap)
            if j:
                gap = BIG * weights[left]
                if left in (opening, closing):
                    outside = min(outside, here[0, j - 1] + gap, here[1, j - 1] + gap)
                else:
                    outside, inside = min(outside, here[0, j - 1] + gap), min(inside, here[1, j - 1] + gap)
            if i and j and up == left:
                if up == opening:
                    inside = min(inside, above[0, j - 1], above[1, j - 1])
                elif up == closing:
                    outside = min(outside, above[0, j - 1], above[1, j - 1] - saving[u, v])
                else:
                    outside, inside = min(outside, above[0, j - 1]), min(inside, above[1, j - 1])
            here[0, j], here[1, j] = min(outside, FAR), min(inside, FAR)
        above, here = here, above
    return min(above[0, m], above[1, m])


def least_grouping(versions, gap_text=1, gap_boundary=1, d=unlike):
    """Give the least cost of groups of units of several annotators, by trying all.

    Every two units of a group are aligned, and all pairs of two annotators come from one optimal sequence alignment.
    A group S costs 1 + Σ_pairs (d - 1)/C, C the number of pairs of annotators.
    """
    two = list(itertools.combinations(range(len(versions)), 2))
    possible = [_greatest(annotation_alignments(versions[a], versions[b], gap_text, gap_boundary)) for a, b in two]
    return min(
        _least_groups(versions, dict(zip(two, choice, strict=True)), d) for choice in itertools.product(*possible)
    )


def can_come_together(groups, versions, gap_text=1, gap_boundary=1):
    """Tell whether groups, {annotator: unit}, keep to the definition."""
    for a, b in itertools.combinations(range(len(versions)), 2):
        pairs = {(group[a], group[b]) for group in groups if a in group and b in group}
        if not any(pairs <= every for every in annotation_alignments(versions[a], versions[b], gap_text, gap_boundary)):
            return False
    return True


def group_cost(group, versions, d=unlike):
    n_pairs = len(versions) * (len(versions) - 1) // 2
    pairs = itertools.combinations(sorted(group), 2)
    return 1 + sum(d(versions[a], group[a], versions[b], group[b]) - 1 for a, b in pairs) / Fraction(n_pairs)


def _greatest(sets):
    """Leave out what is part of another."""
    return [one for one in sets if not any(one < other for other in sets)]


def _least_groups(versions, linked, d):
    units = [(who, unit) for who, version in enumerate(versions) for unit in range(len(version.units))]

    def aligned(one, other):
        (a, u), (b, v) = min(one, other), max(one, other)
        return a != b and (u, v) in linked[a, b]

    @functools.cache
    def least(left):
        if not left:
            return Fraction(0)
        first, rest = left[0], left[1:]
        return min(
            group_cost(dict((first, *more)), versions, d) + least(tuple(unit for unit in rest if unit not in more))
            for size in range(len(versions))
            for more in itertools.combinations(rest, size)
            if all(aligned(one, other) for one, other in itertools.combinations((first, *more), 2))
        )

    return least(tuple(units))
