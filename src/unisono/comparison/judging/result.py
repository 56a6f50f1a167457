"""What is found out about judges of the outputs of systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from unisono.comparison.judging.agreement import JudgeAgreement
from unisono.comparison.judging.bias import LengthBias, PositionBias
from unisono.comparison.judging.ranking import RankCorrelation
from unisono.errors import plural
from unisono.results import Captioned, Table, Tabled
from unisono.results.shown import percentages, written_alike
from unisono.statistics.shares import EstimatedShare

ALL_PEOPLE = "people"
_MOST_SAID = 3


@dataclass(frozen=True)
class OneJudge:
    """A judge, or all people together.

    Attributes
    ----------
    name : str
        Who it is.
    n : int
        How many verdicts there are.
    ties : EstimatedShare or None
        The share of ties.
    agreement : JudgeAgreement or None
        Agreement with people.
    position : PositionBias or None
        What the order of outputs does; None if outputs were scored one by one.
    length : LengthBias or None
        What their length does; None if lengths are unknown.
    ranking : RankCorrelation or None
        How alike the ranking of systems is to that of people.
    systems : dict
        The score of each system: its mean share of wins against the others, or its mean score.
    """

    name: str
    n: int
    ties: EstimatedShare | None
    agreement: JudgeAgreement | None
    position: PositionBias | None
    length: LengthBias | None
    ranking: RankCorrelation | None
    systems: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        found = asdict(self)
        if self.ranking is not None:
            found["ranking"]["interval"] = None if self.ranking.interval is None else self.ranking.interval.to_dict()
        return found


@dataclass(frozen=True)
class JudgedSystems(Tabled):
    """Judges and people.

    Attributes
    ----------
    people : tuple of str
        The judges that are people; without models, all of them.
    judges : tuple of OneJudge
        Each model; or, if no models are named, each judge compared with all others.
    among : EstimatedShare or None
        How often two people agree on the same pair of outputs; None if no two judged the same.
    together : OneJudge
        All people together.
    compared : str
        What judges did: compared pairs of outputs, or scored outputs.
    n_items, n_systems : int
        How many items and systems there are.
    notes : tuple of str
        What a reader should know.

    See Also
    --------
    judges, ModelsComparison

    Examples
    --------
    >>> import pandas
    >>> import unisono
    >>> rows = [
    ...     (item, "x", "y", judge, winner)
    ...     for judge, winners in {"anna": "xxyxyx", "bert": "xxyxxx", "gpt": "xyyxyx"}.items()
    ...     for item, winner in enumerate(winners)
    ... ]
    >>> frame = pandas.DataFrame(rows, columns=["item", "system_a", "system_b", "judge", "winner"])
    >>> found = unisono.judges(frame, "gpt")
    >>> [one.name for one in found.judges], round(found.among.value, 3)
    (['gpt'], 0.833)
    """

    people: tuple[str, ...]
    judges: tuple[OneJudge, ...]
    among: EstimatedShare | None
    together: OneJudge
    compared: str
    n_items: int
    n_systems: int
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "people": list(self.people),
            "judges": [one.to_dict() for one in self.judges],
            "people_among_themselves": None if self.among is None else asdict(self.among),
            "people_together": self.together.to_dict(),
            "compared": self.compared,
            "n_items": self.n_items,
            "n_systems": self.n_systems,
            "notes": list(self.notes),
        }

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return agreement, biases, rankings and scores of systems as tables, and sentences on them."""
        tables = [self._agreement(), *self._ties(), *self._length(), *self._ranking(), self._systems()]
        said = [sentence for one in self.judges[:_MOST_SAID] for sentence in self._said(one)]
        return [one for one in tables if one.table.rows], [*said, *(f"Note: {note}." for note in self.notes)]

    @property
    def _everybody(self) -> list[OneJudge]:
        """The judges, and people together, unless these are the judges."""
        return [*self.judges, self.together] if self._models else [*self.judges]

    @property
    def _models(self) -> bool:
        return not {one.name for one in self.judges} <= set(self.people)

    def _agreement(self) -> Captioned:
        rows: list[tuple[Any, ...]] = []
        for one in self.judges:
            it = one.agreement
            if it is not None:
                without = (None, None) if it.decisive is None else (it.decisive.value, it.decisive_base_rate)
                rows.append((one.name, *_limits(it.agreement), it.base_rate, it.kappa, *without, it.n_places))
        if self.among is not None and rows and self._models:
            rows.append(("people with each other", *_limits(self.among), None, None, None, None, None))
        columns = ("", "agreement", "from", "to", "base rate", "κ", "without ties", "base rate", "pairs")
        who = "people" if self._models else "the other judges"
        there = f"{plural(self.n_items, 'item')}, {plural(self.n_systems, 'system')}"
        return Captioned(f"Agreement with {who} on which output is better: {there}", Table(columns, rows, 3))

    def _ties(self) -> Iterator[Captioned]:
        ties = [(one.name, *_limits(one.ties), one.n) for one in self._everybody if one.ties is not None]
        yield Captioned("Ties", Table(("", "ties", "from", "to", "verdicts"), ties, 3))
        twice, single = [], []
        for one in self._everybody:
            it = one.position
            if it is not None and it.consistent is not None and it.first is not None:
                cells = it.consistent.value, it.first_twice, it.second_twice, *_limits(it.first), it.n
                twice.append((one.name, *cells))
            if it is not None and it.first_single is not None:
                single.append((one.name, *_limits(it.first_single), it.n_single))
        columns = ("", "same verdict", "first twice", "second twice", "first wins", "from", "to", "pairs")
        yield Captioned("Position: pairs judged in both orders", Table(columns, twice, 3))
        yield Captioned(
            "Position: pairs judged in one order", Table(("", "first wins", "from", "to", "verdicts"), single, 3)
        )

    def _length(self) -> Iterator[Captioned]:
        rows = []
        for one in self.judges:
            it = one.length
            if it is not None:
                people = None if it.people is None else it.people.value
                rows.append((one.name, it.longer.value, it.judge_there, people, *(it.difference or (None,) * 3), it.n))
        columns = ("", "longer wins", "where people voted", "for people", "difference", "from", "to", "verdicts")
        yield Captioned("Length", Table(columns, rows, 3))

    def _ranking(self) -> Iterator[Captioned]:
        rows = []
        for one in self.judges:
            it = one.ranking
            if it is not None:
                limits = (None, None) if it.interval is None else (it.interval.low, it.interval.high)
                families = () if it.families is None else (it.families,)
                rows.append((one.name, it.tau, *limits, it.systems, *families))
        caption = "Ranking of systems, compared with that of people"
        columns = ("", "Kendall's τ", "from", "to", "systems", "families")
        yield Captioned(caption, Table(columns[: len(rows[0])] if rows else columns[:5], rows, 3))

    def _systems(self) -> Captioned:
        shown = [self.together, *self.judges] if self._models else [*self.judges]
        order = sorted(self.together.systems.items(), key=lambda pair: (-pair[1], pair[0]))
        rows = [(name, *(one.systems.get(name) for one in shown)) for name, _ in order]
        what = "Mean share of wins" if self.compared == "pairs" else "Mean score"
        return Captioned(what, Table(("system", *(one.name for one in shown)), rows, 3))

    def _said(self, one: OneJudge) -> Iterator[str]:
        who = "people" if self._models else "the others"
        it = one.agreement
        if it is not None:
            among = (
                f"people with each other on {self.among.value:.0%}" if self.among is not None and self._models else ""
            )
            always = f"the best constant answer, given without looking, on {it.base_rate:.0%}"
            more = "; ".join(part for part in (among, always) if part)
            yield f"{one.name} agrees with {who} on {_percent(it.agreement)} of pairs; {more}."
        yield from _said_of_bias(one)
        tau = one.ranking
        if tau is not None:
            limits = () if tau.interval is None else (tau.interval.low, tau.interval.high)
            value, *span = written_alike(tau.tau, *limits)
            sure = f" ({' to '.join(span)})" if span else ""
            why = f"; no interval: {tau.no_interval}" if tau.no_interval else ""
            systems = plural(tau.systems, "system")
            yield f"{one.name}'s ranking of {systems} and that of {who} have τ = {value}{sure}{why}."


def _said_of_bias(one: OneJudge) -> Iterator[str]:
    position, length = one.position, one.length
    if position is not None and position.first is not None and position.consistent is not None:
        first = position.first
        side = "first" if first.low > 0.5 else "second" if first.high < 0.5 else ""
        bias = f"{one.name} prefers what is shown {side}" if side else f"{one.name} shows no preference for a position"
        yield (
            f"{bias}: of {position.n:,} pairs judged in both orders, {position.consistent.value:.0%} have the same "
            f"verdict, and the first wins {_percent(first)}."
        )
    if length is not None and length.difference is not None and length.people is not None:
        _, low, high = length.difference
        unclear = "neither more nor less often, beyond chance, than"
        more = "more often than" if low > 0 else "less often than" if high < 0 else unclear
        yield (
            f"{one.name} prefers the longer output {more} people: {length.judge_there:.0%} and "
            f"{length.people.value:.0%} of verdicts with a winner."
        )


def _limits(share: EstimatedShare | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if share is None else (share.value, share.low, share.high)


def _percent(share: EstimatedShare) -> str:
    value, low, high = percentages(share.value, share.low, share.high)
    return f"{value} ({low} to {high})"
