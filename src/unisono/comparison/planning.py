"""How many documents an interval of a given width needs, by simulation from data that one has already.

The documents of the pilot are drawn again and again, with replacement, as many as one might annotate. What each adds to
the value on the jackknife's scale (see `LeftOut`) gives the value and the interval of every draw, so that nothing is
measured or aligned again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from unisono.comparison.left_out import counted, leave_out
from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError
from unisono.execution import Progress, Workers
from unisono.formats.entry import as_data
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.disorder.effort import seed_of
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.intervals import MOST_PARTS, N_BLOCKS, documents_of, parts_of, work
from unisono.measurement.registry import default_measure, parse_measure
from unisono.results import Captioned, Tabled
from unisono.statistics.leaving_out import LeftOut, freedom, no_limits

_FEWEST_PARTS = 5
_REPEATED = ("documents", "groups of documents", "blocks of items")
"""Parts of which one could annotate more."""
_DRAWS = 400
_LEVEL = 0.95
"""The level of every interval."""
_CELLS = 4_000_000
"""So many documents are drawn at most for one size."""
_MOST_WORK = 10_000_000
"""Up to so many units are measured again to leave the pilot's documents out one by one, and not group by group."""
_FEWEST = {"documents": 3, "items": 20}
"""Fewer than these are not worth a plan."""
_SIZES = (5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10_000)
_MORE = (15_000, 20_000, 30_000, 50_000, 75_000, 100_000)


@dataclass(frozen=True)
class Width:
    """What so many documents, or items, would give.

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
        What the pilot has, with the width of its interval, if it has one.
    pilot_width : float or None
        The width of the pilot's own interval.
    what : str
        What is counted: documents or items.
    n_pilot : int
        How many the pilot has.
    goal, probability : float
        The width wanted, and how likely it shall be reached.
    needed : int or None
        How many are needed; None if more than were tried.
    widths : tuple of Width
        What some numbers would give.
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
        """Give widths by number of documents, and a sentence that says how many are needed."""
        from unisono.comparison.tables import plan_tables

        return plan_tables(self)

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        return {**vars(self), "widths": [vars(one) for one in self.widths]}


def plan(
    data: Data,
    width: float,
    measure: str | None = None,
    *,
    probability: float = 0.8,
    base: Corpus | None = None,
    rng: int | np.random.Generator = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Plan:
    """Say how many documents, or items, give an interval as narrow as wanted.

    Parameters
    ----------
    data : Corpus, Ratings or Normalizations
        A pilot: five documents or more, or labels of items.
    width : float
        From the lower to the upper limit.
    measure : str, optional
        A measure with its parameters.
    probability : float
        How likely the interval shall be as narrow.
    base : Corpus, optional
        The pre-annotation that everybody started from, for text-γ.
    rng : int or Generator
        Seed.
    workers : int, Executor or None
        Who does the work.
    progress : callable, optional
        Called with (done, total).
    """
    if not 0 < width < 2:
        raise OptionError(f"a width of {width:g} makes no sense; it is between 0 and 2, such as 0.1")
    if not 0 < probability < 1:
        raise OptionError(f"a probability of {probability:g} makes no sense; it is between 0 and 1, such as 0.8")
    data, seed = as_data(data), seed_of(rng)
    chosen = default_measure(data) if measure is None else parse_measure(measure)
    result = chosen.compute(data, base=base, rng=seed, workers=workers, progress=progress)
    if result.value is None:
        raise DataError(f"{chosen}: {chosen.unfit(data) or result.undefined}")
    pilot, what = _parts(result)
    left, each, _ = pilot
    found = _Draws(pilot, width, np.random.default_rng(seed))
    widths = [found.at(n) for n in (*_SIZES, *_MORE) if n >= _FEWEST[what]]
    needed = _needed(found, widths, probability)
    shown = [one for one in widths if one.share < 1][-8:] or widths[:1]
    more = [one for one in widths if one.share == 1][:1]
    interval = result.interval
    return Plan(
        str(chosen),
        chosen.declaration.symbol,
        float(result.value),
        None if interval is None else float(interval.high - interval.low),
        what,
        round(left.n_parts * each),
        width,
        probability,
        needed,
        tuple(dict.fromkeys([*shown, *more])),
    )


class _Pilot(NamedTuple):
    """The pilot's parts: how many documents or items each has, and how many parts an interval leaves out at most."""

    left: LeftOut
    each: float
    most: int


def _parts(result: Any) -> tuple[_Pilot, str]:
    """Leave documents, or blocks of items, out one by one, and say what they are."""
    if isinstance(result, DisorderResult) and result.interval is None and len(counted(result)) >= _FEWEST_PARTS:
        raise DataError(f"the pilot cannot be planned with: {result.no_interval}")
    left, what, each = _left_out(result)
    if left.n_parts < _FEWEST_PARTS or what not in _REPEATED:
        raise DataError(
            f"the pilot is too small: {left.n_parts:,} {what}; five documents or more are needed to plan with"
        )
    if left.influence is None or left.alike:
        why = no_limits(left, what).removesuffix("; annotate more")
        raise DataError(f"the pilot cannot be planned with: {why}; annotate more of it")
    if "items" in what:
        return _Pilot(left, each, N_BLOCKS), "items"
    return _Pilot(left, each, MOST_PARTS if isinstance(result, CoefficientResult) else max(_MORE)), "documents"


def _left_out(result: Any) -> tuple[LeftOut, str, float]:
    """Give the error without each part, what parts are, and how many documents or items each has."""
    parts = None if isinstance(result, DisorderResult) else parts_of(result)
    if parts is None and isinstance(result, CoefficientResult):
        raise DataError("the pilot cannot be cut into parts; give five documents or more")
    if parts is None or _can_be_single(result, parts.what):
        return leave_out(result, [[name] for name in counted(result)]), "documents", 1.0
    return parts.left, parts.what, parts.each


def _can_be_single(result: CoefficientResult, what: str) -> bool:
    return what == "groups of documents" and len(documents_of(result)) * work(result) <= _MOST_WORK


class _Draws:
    """Intervals of draws from the pilot."""

    def __init__(self, parts: _Pilot, goal: float, rng: np.random.Generator) -> None:
        left = parts.left
        self._left, self._each, self._most = parts
        self._goal, self._rng = goal, rng
        influence = np.zeros(0) if left.influence is None else left.influence
        # parts that are drawn from n parts vary by (n - 1)/n of what parts do
        self._influence = influence * np.sqrt(len(influence) / (len(influence) - 1))

    def at(self, n: int) -> Width:
        """Draw so many documents, or items, some hundred times.

        As many parts are drawn as the interval will leave out one by one. A part of n/n_left_out documents varies by
        √(each n_left_out/n) of what one of the pilot does, which has `each`.
        """
        n_left_out = min(n, self._most)
        together = max(round(n / self._each / n_left_out), 1)
        n_draws = int(np.clip(_CELLS // (n_left_out * together), 20, _DRAWS))
        drawn = self._rng.integers(0, len(self._influence), (n_draws, n_left_out, together))
        scale = np.sqrt(n_left_out * together * self._each / n)
        influence = self._influence[drawn].mean(axis=2) * scale
        weights = self._left.weights[drawn].sum(axis=2)
        free = np.array([freedom(row) for row in weights])
        error = influence.std(axis=1, ddof=1) / np.sqrt(n_left_out)
        half = np.minimum(stats.t.ppf((1 + _LEVEL) / 2, free) * error, self._left.widest)
        middle = float(self._left.scaled(self._left.error)) + influence.mean(axis=1)
        limits = zip(middle - half, middle + half, strict=True)
        widths = np.array([self._error_at(high) - self._error_at(low) for low, high in limits])
        return Width(n, float(np.median(widths)), float((widths <= self._goal).mean()))

    def _error_at(self, scaled: float) -> float:
        return min(self._left.error_at(scaled), self._left.greatest)


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
