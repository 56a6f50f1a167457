"""What annotators think together of one unitary alignment, what is proposed, and why a person should look at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from unisono.adjudication.ends import GoldSpans
from unisono.alignment.aligned import UnitaryAlignment
from unisono.alignment.consensus import Vote, middle, vote
from unisono.checks import check_number
from unisono.data import Label, Unit
from unisono.data.anchors import PIECE, Anchor
from unisono.data.labels import written_label
from unisono.errors import OptionError

AlignmentRow: TypeAlias = tuple[str, UnitaryAlignment]
"""A document's name and one of its unitary alignments."""
FEW, UNSURE, ENDS, NO_UNIT = "too few", "not sure", "ends", "ends on no unit"
TIE, NO_MAJORITY, BOUNDARIES = "tie of labels", "no majority of labels", "boundaries"
"""Why a person should decide."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What annotators think together."""

    support: float  # the share of the document's annotators who marked a unit; or the probability that there is one
    votes: Mapping[str, Vote]  # feature to the vote on its label, among those who marked a unit
    # annotator to how much their boundaries count; None if all count the same
    weights: Mapping[str, float] | None = None


def equal_opinions(rows: Sequence[AlignmentRow]) -> list[Opinion]:
    """Return the joint opinions if all annotators count the same."""
    return [_equal(row) for _, row in rows]


def _equal(row: UnitaryAlignment) -> Opinion:
    units = [unit for unit in row.units.values() if unit is not None]
    votes = {name: vote([unit.features[name] for unit in units]) for name in units[0].features}
    return Opinion(len(units) / len(row.units), votes)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When a unit is drafted, and when a person is asked; see `gold`."""

    support: float = 0.5
    majority: float = 0.5
    boundary: float | None = None
    sure: float | None = None
    ask_above: float = 0.0

    def __post_init__(self) -> None:
        if check_number(self.support, "support", low=0, high=1) == 1:
            raise OptionError("more than this share must mark a unit, so 1 is impossible; for all, use 0.99", "support")
        check_number(self.majority, "majority", low=0, high=1)
        check_number(self.ask_above, "ask_above", low=0, high=1)
        if self.sure is not None:
            check_number(self.sure, "sure", low=0, high=1)
        if self.boundary is not None:
            check_number(self.boundary, "boundary", low=0)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a person should decide: a category, and an explanation."""

    kind: str
    words: str


@dataclass(frozen=True)
class Proposal:
    """What is proposed for one unitary alignment."""

    document: str
    row: UnitaryAlignment  # what annotators marked
    # the medians of those who marked a unit
    start: int | float
    end: int | float
    votes: Mapping[str, Vote]  # feature to the vote on its label
    # the share of the annotators who marked a unit, and the share of those who marked it exactly here
    support: float
    exact: float
    drafted: bool  # whether it becomes a unit of the draft
    reasons: tuple[Reason, ...]  # why a person should decide; empty if there is nothing to decide
    anchors: tuple[Anchor, ...] = ()  # of a relation, an event, or a unit in pieces; empty for a plain unit
    decided: bool = False  # whether a person decided on it

    @property
    def labels(self) -> dict[str, Label | None]:
        """Feature to label; None where there is a tie."""
        return {name: None if vote.tied else vote.label for name, vote in self.votes.items()}

    @property
    def words(self) -> str:
        """The proposal for people."""
        if not self.drafted:
            return "no unit"
        choices = {name: vote.tied or (vote.label,) for name, vote in self.votes.items()}
        labels = {name: " or ".join(map(label_words, one)) for name, one in choices.items()}
        return marked(self.start, self.end, labels, self.anchors)


def propose(
    document: str,
    row: UnitaryAlignment,
    opinion: Opinion,
    thresholds: Thresholds,
    spans: GoldSpans | None = None,
) -> Proposal:
    """Propose a unit for a unitary alignment, or that there is none; `spans` are what relations may join."""
    units = {who: unit for who, unit in row.units.items() if unit is not None}
    weights = None if opinion.weights is None else [opinion.weights[who] for who in units]
    own = list(units.values())
    starts = middle([unit.start for unit in own], weights)
    ends = middle([unit.end for unit in own], weights)
    start, end = _snapped(own, starts, ends)
    anchors, on_ends = (
        joint_anchors(own, weights, _Deciding(document, thresholds, spans))
        if any(unit.anchors for unit in own)
        else ((), ())
    )
    if anchors:
        start, end = min(one.start for one in anchors), max(one.end for one in anchors)
    drafted = opinion.support > thresholds.support
    reasons: list[Reason] = []
    if drafted or opinion.support > thresholds.ask_above:
        reasons += _on_support(row, opinion, thresholds)
        reasons += _on_labels(opinion.votes, thresholds.majority)
        reasons += on_ends if anchors else _on_boundaries(own, (starts, ends), thresholds.boundary)
    exact = sum((unit.start, unit.end, unit.anchors) == (start, end, anchors) for unit in own) / len(own)
    return Proposal(document, row, start, end, opinion.votes, opinion.support, exact, drafted, tuple(reasons), anchors)


class _Deciding(NamedTuple):
    """How ends are decided."""

    document: str
    thresholds: Thresholds
    spans: GoldSpans | None


def joint_anchors(
    units: Sequence[Unit], weights: Sequence[float] | None, deciding: _Deciding
) -> tuple[tuple[Anchor, ...], tuple[Reason, ...]]:
    """Return the anchors that annotators agree on, role by role, and where they do not agree.

    A role has as many anchors as most units have (the fewest of numbers that are equally frequent, but at least one
    anchor in all); the first anchors of a role are compared with each other, then the second ones.
    """
    own = [unit.anchors or (Anchor(PIECE, unit.start, unit.end),) for unit in units]
    joint: list[Anchor] = []
    reasons: list[Reason] = []
    for role in dict.fromkeys(anchor.role for anchors in own for anchor in anchors):
        counts = Counter(sum(anchor.role == role for anchor in anchors) for anchors in own)
        usual = min(counts, key=lambda n: (-counts[n], n))
        if len(counts) > 1:
            n_with = sum(n for size, n in counts.items() if size)
            sizes = " or ".join(map(str, sorted(counts)))
            words = f"{role} marked by {n_with} of {len(own)}" if 0 in counts else f"number of anchors {role}: {sizes}"
            reasons.append(Reason(ENDS, words))
        for place in range(usual):
            found, counted = [], []
            for index, anchors in enumerate(own):
                same = [anchor for anchor in anchors if anchor.role == role]
                if len(same) > place:
                    found.append(same[place])
                    counted.append(1.0 if weights is None else weights[index])
            decided, why = _joint_end(role, found, counted, deciding)
            joint.append(decided)
            reasons += why
    return tuple(joint) or own[0], tuple(reasons)


def _joint_end(
    role: str, found: Sequence[Anchor], weights: Sequence[float], deciding: _Deciding
) -> tuple[Anchor, list[Reason]]:
    """Return the anchor that annotators agree on: a span of the gold standard, or else one that somebody chose."""
    starts = middle([one.start for one in found], weights)
    ends = middle([one.end for one in found], weights)
    middling, most = Anchor(role, *_snapped(found, starts, ends)), deciding.thresholds.boundary
    if deciding.spans is not None and role != PIECE:
        place, others = deciding.spans.joint(deciding.document, found, weights, deciding.thresholds.majority)
        chosen = middling if place is None else Anchor(role, *place)
        if len(others) > 1:
            return chosen, [Reason(ENDS, f"{role}: {' or '.join(map(_span_words, others))}")]
        if place is None:
            words = f"{role} {_span_words(middling[1:])} is not a unit of the gold standard"
            return chosen, [Reason(NO_UNIT, words)]
        return chosen, []
    apart = max(
        max(positions) - min(positions) for positions in ([one.start for one in found], [one.end for one in found])
    )
    if apart > most if most is not None else starts[0] != starts[1] or ends[0] != ends[1]:
        spans = dict.fromkeys(_span_words(one[1:]) for one in found)
        return middling, [Reason(ENDS, f"{role}: {' or '.join(spans)}")]
    return middling, []


def _span_words(place: Sequence[int | float] | None) -> str:
    return "no unit of the gold standard" if place is None else f"{placed(place[0])}..{placed(place[1])}"


def _snapped(
    units: Sequence[Unit] | Sequence[Anchor], starts: Iterable[int | float], ends: Iterable[int | float]
) -> tuple[int | float, int | float]:
    """Choose among the positions in the middle: no boundary is put where nobody has put one.

    If possible, both boundaries are those of one annotator's unit. The shortest is chosen, then the first.
    """
    marked = {(unit.start, unit.end) for unit in units}
    possible = [(start, end) for start in starts for end in ends if start <= end]
    return min(possible, key=lambda span: (span not in marked, span[1] - span[0], span))


def _on_support(row: UnitaryAlignment, opinion: Opinion, thresholds: Thresholds) -> Iterator[Reason]:
    n_units = sum(unit is not None for unit in row.units.values())
    probability = "" if opinion.weights is None else f" (probability {opinion.support:.2f})"
    words = f"marked by {n_units} of {len(row.units)}{probability}"
    if opinion.support <= thresholds.support:
        yield Reason(FEW, words)
    elif thresholds.sure is not None and opinion.support <= thresholds.sure:
        yield Reason(UNSURE, words)


def _on_labels(votes: Mapping[str, Vote], majority: float) -> Iterator[Reason]:
    for name, one in votes.items():
        if one.tied:
            yield Reason(TIE, f"tie of {name}: {' or '.join(map(label_words, one.tied))}")
        elif one.share <= majority:
            yield Reason(NO_MAJORITY, f"no majority of {name}: {label_words(one.label)} has {one.share:.0%}")


def _on_boundaries(
    units: Sequence[Unit], medians: Sequence[tuple[int | float, int | float]], most: float | None
) -> Iterator[Reason]:
    positions = ([unit.start for unit in units], [unit.end for unit in units])
    for name, own, (low, high) in zip(("starts", "ends"), positions, medians, strict=True):
        apart = max(own) - min(own)
        if most is not None and apart > most:
            yield Reason(BOUNDARIES, f"{name} differ by {placed(apart)}")
        elif most is None and low != high:
            yield Reason(BOUNDARIES, f"{name} between {placed(low)} and {placed(high)}")


def marked(start: int | float, end: int | float, labels: Mapping[str, str], anchors: Sequence[Anchor] = ()) -> str:
    """Write a span, or the anchors of a unit, and its labels for people; features are named if there are several."""
    said = [label if len(labels) == 1 else f"{name}={label}" for name, label in labels.items() if label]
    ends = [f"{'' if one.role == PIECE else f'{one.role} '}{placed(one.start)}..{placed(one.end)}" for one in anchors]
    where = " + ".join(ends) if ends else f"{placed(start)}..{placed(end)}"
    return f"{where} {', '.join(said)}".rstrip()


def placed(position: int | float) -> str:
    """Write a position for people; of seconds, thousandths are enough."""
    return str(position) if isinstance(position, int) else f"{round(position, 3):.12g}"


def label_words(label: Label | None) -> str:
    """Write a label for people."""
    return "none" if label is None else written_label(label)
