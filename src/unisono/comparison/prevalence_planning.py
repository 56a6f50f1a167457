"""How many items people should label, so that the prevalence of each category is known well enough beside a model.

Items of the pilot are drawn many times, with replacement, as many as people might label. The other items, labelled by
the model alone, are used as in `unisono.statistics.prediction_powered`, with the λ that is best for so many.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unisono.arrays import FloatArray
from unisono.comparison.labelled_twice import LabelledTwice
from unisono.comparison.plans import Plan, Width, needed_for, shown_widths
from unisono.errors import DataError, plural
from unisono.results import Captioned
from unisono.statistics.prediction_powered import best_tuning, powered_shares
from unisono.statistics.shares import DoubleSample, share_limits

_FEWEST_ITEMS = 20
_DRAWS = 400
_SIZES = (20, 30, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10_000, 20_000, 50_000)


@dataclass(frozen=True)
class PrevalencePlan(Plan):
    """How many items people should label.

    Attributes
    ----------
    model : str
        The annotator that is a model.
    n_items : int
        How many items it labelled.
    needed_alone : int or None
        How many items people would need to label without the model; None if more than it labelled.
    """

    model: str = ""
    n_items: int = 0
    needed_alone: int | None = None

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return widths by number of items as a table, and sentences that say how many are needed."""
        (table,), _ = super().tabled()
        goal = f"an interval at most {self.goal:g} wide for each category with {100 * self.probability:g}% probability"
        if self.needed is None:
            every = f"all {self.n_items:,} items that {self.model} labelled"
            return [table], [f"Even if people labelled {every}, there would not be {goal}; more items are needed."]
        alone = f"more than the {self.n_items:,} that {self.model} labelled"
        if self.needed_alone is not None:
            alone = f"{self.needed_alone:,}"
        said = f"With labels of {plural(self.needed, 'random item')} by people, there is {goal}"
        return [table], [f"{said}; without {self.model}, it takes {alone}."]


def plan_prevalence(found: LabelledTwice, goal: float, probability: float, seed: int) -> PrevalencePlan:
    """Estimate how many items people should label."""
    sample = found.both
    if sample.n_people < _FEWEST_ITEMS:
        raise DataError(
            f"the pilot is too small: {plural(sample.n_people, 'item')} labelled by both {found.model} and people; a "
            f"plan needs {_FEWEST_ITEMS} or more, better 50"
        )
    sizes = [n for n in _SIZES if n < len(sample.part)] + [len(sample.part)]
    with_model = _LabelDraws(sample, goal, seed)
    widths = [with_model.at(n) for n in sizes]
    alone = _LabelDraws(replace(sample, model=np.zeros_like(sample.model)), goal, seed)
    shares = powered_shares(sample).shares
    widest = max(range(len(shares)), key=lambda k: shares[k].high - shares[k].low)
    return PrevalencePlan(
        measure="prevalence",
        symbol=f"prevalence of {found.categories[widest]}",
        value=shares[widest].value,
        pilot_width=shares[widest].high - shares[widest].low,
        what="items by people",
        n_pilot=sample.n_people,
        goal=goal,
        probability=probability,
        needed=needed_for(with_model.at, widths, probability),
        widths=shown_widths(widths),
        model=found.model,
        n_items=len(sample.part),
        needed_alone=needed_for(alone.at, [alone.at(n) for n in sizes], probability),
    )


class _LabelDraws:
    """Intervals of draws from the pilot."""

    def __init__(self, sample: DoubleSample, goal: float, seed: int) -> None:
        self._sample, self._goal, self._seed = sample, goal, seed
        rows = sample.by_people
        both = np.hstack([sample.people[rows], sample.model[rows]])
        kinds, counts = np.unique(both, axis=0, return_counts=True)
        self._people, self._model = np.hsplit(kinds, 2)
        self._share = counts / counts.sum()
        self._predicted = sample.model.mean(axis=0)
        self._design = _design_effect(sample)

    def at(self, n: int) -> Width:
        """Draw as many items some hundred times."""
        rest = len(self._sample.part) - n
        tuning = self._tuning(n, rest) if rest else 0.0
        rectified = self._people - tuning * (self._model - self._predicted)
        drawn = np.random.default_rng(self._seed).multinomial(n, self._share, size=_DRAWS) / n
        value = np.clip(drawn @ rectified, 0.0, 1.0)
        residual = np.maximum(drawn @ np.square(rectified) - np.square(drawn @ rectified), 0.0) * n / max(n - 1, 1)
        spread = self._predicted * (1 - self._predicted) if rest else np.zeros_like(self._predicted)
        variance = (residual / n + tuning**2 * spread / max(rest, 1)) * self._design
        freedom = max(n * len(self._sample.parts_of_people) / self._sample.n_people - 1, 1.0)
        low, high = share_limits(value, variance, n, freedom)
        widths = (high - low).max(axis=1)
        return Width(n, float(np.median(widths)), float((widths <= self._goal).mean()))

    def _tuning(self, n: int, rest: int) -> float:
        rows = self._sample.by_people
        people, model = self._sample.people[rows], self._sample.model[rows]
        return best_tuning(people, model, self._sample.model, n / rest)


def _design_effect(sample: DoubleSample) -> FloatArray:
    """Return by how much parts with several items make the variances of labels by people larger."""
    if int(sample.part.max()) + 1 == len(sample.part):
        return np.ones(sample.people.shape[1])
    influence = np.zeros(sample.people.shape)
    rows = sample.by_people
    influence[rows] = sample.people[rows] - sample.people[rows].mean(axis=0)
    single = np.square(influence).sum(axis=0)
    return np.where(single > 0, sample.variance(influence) / np.where(single > 0, single, 1.0), 1.0)
