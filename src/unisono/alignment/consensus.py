"""What most annotators marked, out of the alignment (Mathet et al. 2015, §7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TypeAlias

from unisono.alignment.alignment import Alignment
from unisono.data import Corpus, Label, Unit
from unisono.data.anchors import PIECE, Anchor

CONSENSUS = "consensus"
_ROUNDING = 1e-9
"""Shares and weights that differ by less are the same: they are sums of a few numbers near 1."""

Ballot: TypeAlias = Sequence[tuple[Label | None, float]]
"""Each label once, with its share; None is no label."""


@dataclass(frozen=True, slots=True)
class Vote:
    """The label that most annotators gave.

    Attributes
    ----------
    label : label or None
        In a tie, the first in the order of their names; None is no label.
    share : float
        The share of those who voted that gave it.
    tied : tuple
        All labels that it could be, if there is a tie.
    """

    label: Label | None
    share: float
    tied: tuple[Label | None, ...] = ()


def consensus(alignments: Mapping[str, Alignment]) -> Corpus:
    """Return one unit for each unitary alignment with units of more than half of the annotators.

    Parameters
    ----------
    alignments : mapping
        Document to its alignment.

    Returns
    -------
    Corpus
        With one annotator.
    """
    documents: list[str] = []
    made: list[Unit] = []
    for name, alignment in alignments.items():
        for row in alignment:
            units = [unit for unit in row.units.values() if unit is not None]
            if len(units) * 2 > len(row.units):
                documents.append(name)
                made.append(_agreed(units))
    features = dict.fromkeys(name for unit in made for name in unit.features)
    bounds = {name: alignment.document.bounds for name, alignment in alignments.items()}
    given = {name for name, alignment in alignments.items() if alignment.document.has_bounds}
    corpus = Corpus.from_columns(
        annotator=[CONSENSUS] * len(made),
        start=[unit.start for unit in made],
        end=[unit.end for unit in made],
        anchors=None if not any(unit.anchors for unit in made) else [anchors_of_unit(unit) for unit in made],
        document=documents,
        features={name: [unit.features.get(name) for unit in made] for name in features},
        worked=[(name, CONSENSUS) for name in alignments],
        bounds={name: bounds[name] for name in given},
    )
    extents = {index: bounds[name] for index, name in enumerate(corpus.documents) if name not in given}
    return replace(corpus, extents=extents)


def _agreed(units: Sequence[Unit]) -> Unit:
    features = {name: vote([unit.features[name] for unit in units]).label for name in units[0].features}
    start, end = between(*middle([unit.start for unit in units])), between(*middle([unit.end for unit in units]))
    if not any(unit.anchors for unit in units):
        return Unit(CONSENSUS, start, end, features)
    anchors = _agreed_anchors([anchors_of_unit(unit) for unit in units])
    return Unit(CONSENSUS, min(one.start for one in anchors), max(one.end for one in anchors), features, anchors)


def anchors_of_unit(unit: Unit) -> tuple[Anchor, ...]:
    """Return the anchors of a unit; that of a plain unit is the unit itself."""
    return unit.anchors or (Anchor(PIECE, unit.start, unit.end),)


def _agreed_anchors(units: Sequence[tuple[Anchor, ...]]) -> tuple[Anchor, ...]:
    """Return the medians of anchors, role by role, of the units that have the roles that most have."""
    roles = most(ballot([tuple(one.role for one in unit) for unit in units])).label
    alike = [unit for unit in units if tuple(one.role for one in unit) == roles]
    return tuple(
        Anchor(
            same[0].role,
            between(*middle([one.start for one in same])),
            between(*middle([one.end for one in same])),
        )
        for same in zip(*alike, strict=True)
    )


def middle(positions: Sequence[int | float], weights: Sequence[float] | None = None) -> tuple[int | float, int | float]:
    """Return the median position as the two in the middle, which are the same unless half is reached exactly.

    Parameters
    ----------
    positions : sequence of numbers
        At least one.
    weights : sequence of float, optional
        How much each counts, above 0; by default all count the same.
    """
    order = sorted(range(len(positions)), key=lambda place: positions[place])
    sums = list(accumulate(1.0 if weights is None else weights[place] for place in order))
    half, rounding = sums[-1] / 2, sums[-1] * _ROUNDING
    low = next(place for place, total in zip(order, sums, strict=True) if total >= half - rounding)
    high = next(place for place, total in zip(order, sums, strict=True) if total > half + rounding)
    return positions[low], positions[high]


def between(low: int | float, high: int | float) -> int | float:
    """Return what is halfway; whole positions stay whole."""
    whole = isinstance(low, int) and isinstance(high, int)
    return (low + high) // 2 if whole else (low + high) / 2


def vote(labels: Sequence[Label | None]) -> Vote:
    """Find the label that most units have; having none counts too.

    Members of sets are voted on one by one; where no member has a majority, whole sets are.
    """
    if any(isinstance(label, tuple) for label in labels) and all(isinstance(label, _SETS) for label in labels):
        found = _vote_on_members(labels)
        if found is not None:
            return found
    return most(ballot(labels))


def ballot(labels: Sequence[Label | None]) -> Ballot:
    """Return the share of each label."""
    counts: dict[object, list[Label | None]] = {}
    for label in labels:
        counts.setdefault(label_key(label), []).append(label)
    return [(same[0], len(same) / len(labels)) for same in counts.values()]


def most(shares: Ballot) -> Vote:
    """Find the label with the largest share."""
    greatest = max(share for _, share in shares)
    tied = [label for label, share in shares if share >= greatest - _ROUNDING]
    tied.sort(key=_by_name)
    return Vote(tied[0], greatest, tuple(tied) if len(tied) > 1 else ())


def label_key(label: Label | None) -> object:
    """Return a key that distinguishes true from 1."""
    return isinstance(label, bool), label


_SETS = (tuple, str, type(None))


def _vote_on_members(labels: Sequence[Label | None]) -> Vote | None:
    """Keep the members that more than half have; None if there are none."""
    sets = [_members(label) for label in labels]
    shares = {member: sum(member in own for own in sets) / len(sets) for own in sets for member in own}
    kept = frozenset(member for member, share in shares.items() if share > 0.5)
    if not kept:
        return None
    same = [label for label, own in zip(labels, sets, strict=True) if own == kept]
    label = most(ballot(same)).label if same else tuple(sorted(kept))
    share = min(max(share, 1 - share) for share in shares.values())
    tie = any(share == 0.5 for share in shares.values())
    return Vote(label, share, tuple(sorted({*labels}, key=_by_name)) if tie else ())


def _members(label: Label | None) -> frozenset[str]:
    if label is None:
        return frozenset()
    return frozenset(label) if isinstance(label, tuple) else frozenset((str(label),))


def _by_name(label: Label | None) -> tuple[bool, str, str]:
    """Order labels by their names, none at the end."""
    words = "|".join(label) if isinstance(label, tuple) else str(label)
    return label is None, words, type(label).__name__
