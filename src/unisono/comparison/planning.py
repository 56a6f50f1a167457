"""How many documents are needed for an interval of a given width, estimated by simulation from a pilot.

Documents of the pilot are drawn many times, with replacement, as many as one might annotate. What each adds to the
value on the jackknife's scale (see `Jackknife`) gives the value and the interval of every draw, so that nothing is
measured or aligned again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from unisono.checks import check_number, check_optional_text, check_share
from unisono.comparison.work import checked_work, chosen_measures
from unisono.errors import DataError, OptionError, plural
from unisono.execution import Progress, Workers
from unisono.formats.entry import DataLike, Rows, as_data
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.intervals import N_BLOCKS
from unisono.results import Captioned, Table, Tabled
from unisono.statistics.jackknife import Jackknife, effective_freedom
from unisono.statistics.quantiles import LEVEL, student_quantile

_FEWEST_PARTS = 5
_REPEATED = ("documents", "groups of documents", "items", "groups of items", "blocks of items")
"""Parts of which more could be annotated."""
_DRAWS = 400
_CELLS = 4_000_000
"""The most documents that are drawn for one size."""
_MOST_WORK = 10_000_000
"""The most units that are measured again to leave out the pilot's documents one by one, and not group by group."""
_FEWEST = {"documents": 3, "items": 20}
"""The smallest numbers that a plan considers."""
_SIZES = (5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10_000)
_MORE = (15_000, 20_000, 30_000, 50_000, 75_000, 100_000)


@dataclass(frozen=True)
class Width:
    """What a number of documents, or items, would give.

    Attributes
    ----------
    n : int
        How many.
    width : float
        The median width of the interval.
    share : float
        How often it is as narrow as wanted.
    """

    n: int
    width: float
    share: float


@dataclass(frozen=True)
class Plan(Tabled):
    """How many documents, or items, are needed.

    Attributes
    ----------
    measure, symbol : str
        The measure with its parameters, and its letter.
    value : float
        The value of the pilot.
    pilot_width : float or None
        The width of its interval, if it has one.
    what : str
        What is counted: documents or items.
    n_pilot : int
        How many the pilot has.
    goal, probability : float
        The width wanted, and how likely the interval should be that narrow.
    needed : int or None
        How many are needed; None if more than were tried.
    widths : tuple of Width
        What some numbers of documents would give.
    """

    measure: str
    symbol: str
    value: float
    pilot_width: float | None
    what: str
    n_pilot: int
    goal: float
    probability: float
    needed: int | None
    widths: tuple[Width, ...]

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return widths by number of documents as a table, and a sentence that says how many are needed."""
        rows = [(f"{one.n:,}", one.width, one.share) for one in self.widths]
        now = "" if self.pilot_width is None else f", interval {self.pilot_width:.2f} wide"
        pilot = f"the pilot has {self.n_pilot:,} {self.what}: {self.symbol} = {self.value:.2f}{now}"
        table = Table((self.what, "median width", f"share up to {self.goal:g}"), rows, 3)
        said = f"Even {self.widths[-1].n:,} {self.what} are not enough for an interval {self.goal:g} wide."
        if self.needed is not None:
            said = (
                f"{plural(self.needed, self.what[:-1])} like these give an interval at most {self.goal:g} wide with "
                f"{100 * self.probability:g}% probability."
            )
        return [Captioned(pilot, table)], [said]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {**vars(self), "widths": [vars(one) for one in self.widths]}


def plan(
    data: DataLike,
    width: float,
    measure: str | None = None,
    *,
    probability: float = 0.8,
    base: DataLike | None = None,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Plan:
    """Estimate how many documents, or items, give an interval that is narrow enough.

    Parameters
    ----------
    data : DataLike
        A pilot: five documents or more, or labels of items.
    width : float
        The width wanted, from the lower to the upper limit.
    measure : str, optional
        A measure with its parameters; by default one that fits the data.
    probability : float
        How likely the interval should be that narrow.
    base, rows, rng, workers, progress
        As in `compare`.
    """
    goal = check_number(width, "width")
    if not 0 < goal < 2:
        raise OptionError(f"expected a number between 0 and 2, e.g. 0.1, not {goal:g}", "width")
    likely = check_share(probability, "probability", 0.8)
    pilot_data, work = as_data(data, rows=rows), checked_work(base, rng, workers, progress)
    (chosen,) = chosen_measures(check_optional_text(measure, "measure"), pilot_data, parameter="measure")
    result = work.measured(chosen, pilot_data, work.progress)
    if result.value is None:
        raise DataError(f"{chosen}: {chosen.unfit(pilot_data) or result.undefined}")
    pilot, what = _parts(result)
    found = _Draws(pilot, goal, np.random.default_rng(work.seed))
    widths = [found.at(n) for n in (*_SIZES, *_MORE) if n >= _FEWEST[what]]
    interval = result.interval
    return Plan(
        measure=str(chosen),
        symbol=chosen.declaration.symbol,
        value=float(result.value),
        pilot_width=None if interval is None else float(interval.high - interval.low),
        what=what,
        n_pilot=round(pilot.left.n_parts * pilot.left.each),
        goal=goal,
        probability=likely,
        needed=_needed(found, widths, likely),
        widths=_shown(widths),
    )


def _shown(widths: list[Width]) -> tuple[Width, ...]:
    """Return the last numbers that are not always enough, and the first that is."""
    open_ones = [one for one in widths if one.share < 1][-8:] or widths[:1]
    return tuple(dict.fromkeys([*open_ones, *[one for one in widths if one.share == 1][:1]]))


class _Pilot(NamedTuple):
    """What the value is without each of the pilot's parts, and how many parts an interval leaves out at most."""

    left: Jackknife
    most: int


def _parts(result: Any) -> tuple[_Pilot, str]:
    """Leave out documents, or items or blocks of them, one by one, and name them."""
    left = _left_out(result)
    if isinstance(left, str):
        raise DataError(f"the pilot cannot be used for a plan: {left}")
    if isinstance(result, DisorderResult) and result.interval is None and left.n_parts >= _FEWEST_PARTS:
        raise DataError(f"the pilot cannot be used for a plan: {result.no_interval}")
    if left.n_parts < _FEWEST_PARTS or left.what not in _REPEATED:
        raise DataError(
            f"the pilot is too small: {left.n_parts:,} {left.what}; a plan needs five documents or more, or labels of "
            "ten items or more"
        )
    if left.influence is None or left.alike:
        why = left.no_limits.removesuffix("; annotate more")
        raise DataError(f"the pilot cannot be used for a plan: {why}; annotate more")
    if "items" in left.what:
        return _Pilot(left, N_BLOCKS if "blocks" in left.what else int(result.parts.most_parts)), "items"
    return _Pilot(left, int(min(result.parts.most_parts, max(_MORE)))), "documents"


def _left_out(result: Any) -> Jackknife | str:
    """Leave out what the interval does, but single documents and not groups of them if that is not too much work."""
    parts = result.parts
    found: Jackknife | str = parts.jackknife()
    names = list(parts.documents())
    if not isinstance(found, str) and found.what == "groups of documents" and len(names) * parts.work <= _MOST_WORK:
        found = parts.leave_out([[name] for name in names])
    return found


class _Draws:
    """Intervals of draws from the pilot."""

    def __init__(self, parts: _Pilot, goal: float, rng: np.random.Generator) -> None:
        left = parts.left
        self._left, self._most = parts
        self._each = left.each
        self._goal, self._rng = goal, rng
        influence = np.zeros(0) if left.influence is None else left.influence
        # parts are drawn by number: in an order of their own, that of the documents does not matter; the last digits
        # of sums depend on it, hence the rounding
        order = np.lexsort((left.weights, np.round(influence, 9)))
        # parts that are drawn from n parts vary by (n - 1)/n of what parts do
        self._influence = influence[order] * np.sqrt(len(influence) / (len(influence) - 1))
        self._weights = left.weights[order]

    def at(self, n: int) -> Width:
        """Draw a number of documents, or items, some hundred times.

        As many parts are drawn as the interval will leave out one by one. A part of n/n_left_out documents varies by
        √(each n_left_out/n) of what a part of the pilot does, which has `each`.
        """
        n_left_out = min(n, self._most)
        together = max(round(n / self._each / n_left_out), 1)
        n_draws = int(np.clip(_CELLS // (n_left_out * together), 20, _DRAWS))
        drawn = self._rng.integers(0, len(self._influence), (n_draws, n_left_out, together))
        scale = np.sqrt(n_left_out * together * self._each / n)
        influence = self._influence[drawn].mean(axis=2) * scale
        weights = self._weights[drawn].sum(axis=2)
        free = np.array([effective_freedom(row) for row in weights])
        error = influence.std(axis=1, ddof=1) / np.sqrt(n_left_out)
        half = np.minimum(student_quantile((1 + LEVEL) / 2, free) * error, self._left.scale.widest)
        middle = float(self._left.scale.scaled(self._left.error)) + influence.mean(axis=1)
        limits = zip(middle - half, middle + half, strict=True)
        widths = np.array([self._error_at(high) - self._error_at(low) for low, high in limits])
        return Width(n, float(np.median(widths)), float((widths <= self._goal).mean()))

    def _error_at(self, scaled: float) -> float:
        return min(self._left.scale.error_at(scaled), self._left.scale.greatest)


def _needed(found: _Draws, widths: list[Width], probability: float) -> int | None:
    """Find the smallest number that is enough, between two that were tried."""
    enough = [index for index, one in enumerate(widths) if one.share >= probability]
    if not enough:
        return None
    if enough[0] == 0:
        return widths[0].n
    low, high = widths[enough[0] - 1].n, widths[enough[0]].n
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        low, high = (low, middle) if found.at(middle).share >= probability else (middle, high)
    return high
