"""How many documents are needed for an interval of a given width, estimated by simulation from a pilot.

Documents of the pilot are drawn many times, with replacement, as many as one might annotate. What each adds to the
value on the jackknife's scale (see `Jackknife`) gives the value and the interval of every draw, so that nothing is
measured or aligned again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from unisono.arrays import FloatArray
from unisono.checks import check_number, check_optional_text, check_seed, check_share
from unisono.comparison.labelled_twice import labelled_twice
from unisono.comparison.plans import Plan, Width, needed_for, shown_widths
from unisono.comparison.prevalence_planning import plan_prevalence
from unisono.comparison.work import checked_work, chosen_measures
from unisono.errors import DataError, OptionError, mention
from unisono.execution import Progress, Workers
from unisono.formats.entry import DataLike, Rows, as_data
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.intervals import N_BLOCKS
from unisono.statistics.jackknife import Jackknife, effective_freedoms
from unisono.statistics.quantiles import LEVEL, student_quantile

_FEWEST_PARTS = 5
_REPEATED = ("documents", "groups of documents", "items", "groups of items", "blocks of items")
"""Parts of which more could be annotated."""
_DRAWS = 400
_CELLS = 4_000_000
"""The most documents that are drawn for one size."""
_AT_ONCE = 1 << 16
"""How many of them are looked at in one go: few enough for the processor's cache, which is several times faster."""
_MOST_WORK = 10_000_000
"""The most units that are measured again to leave out the pilot's documents one by one, and not group by group."""
_FEWEST = {"documents": 3, "items": 20}
"""The smallest numbers that a plan considers."""
_SIZES = (5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10_000)
_MORE = (15_000, 20_000, 30_000, 50_000, 75_000, 100_000)


def plan(
    data: DataLike,
    width: float,
    measure: str | None = None,
    *,
    probability: float = 0.8,
    model: str | None = None,
    humans: str | Sequence[str] | None = None,
    base: DataLike | None = None,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Plan:
    """Estimate how many documents, or items, give an interval that is narrow enough.

    With a model, it is how many items people should label for the prevalence of each category (see `prevalence`).

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
    model : str, optional
        The annotator that is a model and has labelled all items.
    humans : str or sequence of str, optional
        The annotators that are people; by default all but the model.
    base, rows, rng, workers, progress
        As in `compare`.

    Returns
    -------
    Plan

    See Also
    --------
    compare, prevalence, Plan

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"] * 5, "bert": ["a", "b", "b", "b"] * 5}
    >>> found = unisono.plan(labels, 0.4, "cohen-kappa")
    >>> found.what, found.n_pilot, round(found.value, 3)
    ('items', 20, 0.5)
    >>> found.needed > found.n_pilot
    True
    """
    goal = check_number(width, "width")
    if not 0 < goal < 2:
        raise OptionError(f"expected a number between 0 and 2, e.g. 0.1, not {goal:g}", "width")
    likely = check_share(probability, "probability", 0.8)
    if model is not None:
        for name, given in (("measure", measure), ("base", base)):
            if given is not None:
                raise OptionError(f"does not apply to a plan with {mention('model')}, which is for prevalence", name)
        return plan_prevalence(labelled_twice(data, model, humans, rows=rows), goal, likely, check_seed(rng))
    if humans is not None:
        raise OptionError(f"applies only with {mention('model', 'NAME')}; add it, or leave both out", "humans")
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
        needed=needed_for(found.at, widths, likely),
        widths=shown_widths(widths),
    )


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
        scale = np.sqrt(n_left_out * together * self._each / n)
        n_rows = max(_AT_ONCE // (n_left_out * together), 1)
        found = [
            self._intervals(min(n_rows, n_draws - done), n_left_out, together, scale)
            for done in range(0, n_draws, n_rows)
        ]
        middle, error, free = (np.concatenate(column) for column in zip(*found, strict=True))
        half = np.minimum(student_quantile((1 + LEVEL) / 2, free) * error, self._left.scale.widest)
        middle += float(self._left.scale.scaled(self._left.error))
        limits = zip((middle - half).tolist(), (middle + half).tolist(), strict=True)
        widths = np.array([self._error_at(high) - self._error_at(low) for low, high in limits])
        return Width(n, float(np.median(widths)), float((widths <= self._goal).mean()))

    def _intervals(
        self, n_draws: int, n_left_out: int, together: int, scale: float
    ) -> tuple[FloatArray, FloatArray, list[float]]:
        """Return where the intervals of some draws have their middle, their standard errors and degrees of freedom."""
        drawn = self._rng.integers(0, len(self._influence), (n_draws, n_left_out * together))
        influence = _added(self._influence[drawn], together)
        if together > 1:
            influence /= together
        influence *= scale
        error = influence.std(axis=1, ddof=1) / np.sqrt(n_left_out)
        return influence.mean(axis=1), error, effective_freedoms(_added(self._weights[drawn], together))

    def _error_at(self, scaled: float) -> float:
        return min(self._left.scale.error_at(scaled), self._left.scale.greatest)


def _added(drawn: FloatArray, together: int) -> FloatArray:
    """Add up the parts that are drawn together."""
    return drawn if together == 1 else drawn.reshape(len(drawn), -1, together).sum(axis=2)
