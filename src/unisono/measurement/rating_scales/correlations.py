"""Coefficients of order and of linear relation: Kendall's W, mean Spearman and mean Pearson correlation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any, Protocol, TypeAlias, Unpack

import numpy as np

from unisono.arrays import FloatArray
from unisono.errors import plural
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.coefficient import coefficient
from unisono.measurement.options import RankOptions, RatingsOptions
from unisono.measurement.rating_scales.family import NUMBERS, RANKS
from unisono.measurement.rating_scales.fisher import delta_interval, jackknife_interval
from unisono.measurement.rating_scales.ranks import Ranks, mean_product
from unisono.measurement.rating_scales.scores import Scores, places_of, scores, without_gaps
from unisono.results import Estimate, Interval
from unisono.results.shown import p_value
from unisono.statistics.quantiles import chi_square_tail

_Limits: TypeAlias = Callable[[float, FloatArray, Scores], "Interval | str"]

_ROUNDING = 1e-20


@coefficient(
    RANKS,
    symbol="W",
    title="Kendall's W: whether annotators put items into the same order",
    needs="labels that are numbers or have an order; any number of annotators; only items that all rated count",
    ignores="how far apart labels are; who rates higher than others; items that somebody did not rate",
    reference="Kendall & Babington Smith 1939; ties: Kendall & Gibbons 1990, chapter 6",
    papers=("kendall1939", "kendall1990"),
    when="if annotators rank items, or use a scale in their own ways",
    labels="ranks",
    corrected=False,
    takes_missing=False,
)
def kendall_w(counts: Counts, **how: Unpack[RankOptions]) -> Estimate:
    """Variance of the items' sums of ranks over the greatest possible one: 12 S / (m² (n³ - n) - m Σ_j T_j).

    S is the sum of squared deviations of the n items' rank sums over m annotators from their mean; T_j = Σ (t³ - t)
    over groups of t items to which annotator j gave the same label, and which share the average rank. W is 1 if all put
    the items into the same order, and 1/m on average if orders are independent.

    χ² = m (n - 1) W with n - 1 degrees of freedom tests whether they are; it is good for more than seven items. (m W -
    1)/(m - 1) is the mean Spearman correlation of pairs of annotators, if nobody has ties. The interval is that of the
    delta method over items, on the scale of Fisher's z of that mean.

    See Also
    --------
    mean_spearman, icc

    Examples
    --------
    >>> import unisono
    >>> grades = {"anna": [1, 2, 3, 4, 5], "bert": [1, 3, 3, 4, 4]}
    >>> round(unisono.kendall_w(grades).value, 3)
    0.974
    """
    given = without_gaps(places_of(counts))
    n, m = given.n_items, given.n_annotators
    if n < 2:
        return Estimate(None, undefined=f"{'only one item is' if n else 'no item is'} rated by all annotators")
    ranks = [Ranks.of(places, given.repeats) for places in given.values]
    total = np.sum([one.values for one in ranks], axis=0)
    own = float(sum((one.values * one.values) @ given.repeats for one in ranks) / n)
    if own <= _ROUNDING:
        return Estimate(None, undefined="every annotator gives all items the same label, so there is no order")
    of_all = float((total * total) @ given.repeats / n)
    value = of_all / (m * own)
    chi_square = m * (n - 1) * value
    details = {
        "chi_square": chi_square,
        "df": n - 1,
        "p": p_value(chi_square_tail(chi_square, n - 1)),
        "mean_spearman": (m * value - 1) / (m - 1),
    }
    left = counts.n_paired - n
    notes = (f"{plural(int(left), 'item')} that somebody did not rate left out",) if left else ()
    influence = np.zeros(len(given.repeats))
    for one in ranks:
        influence += 2 * one.drag(total) - value * m * (np.square(one.values) + 2 * one.drag(one.values))
    influence = (total * total + influence) / n
    influence -= influence @ given.repeats / n
    mean = (m * value - 1) / (m - 1)
    interval = delta_interval(mean, influence / (own * (m - 1)), given)
    return Estimate(value, details=details, notes=notes, interval=_as_w(interval, m))


@coefficient(
    RANKS,
    symbol="ρ̄_s",
    title="Mean Spearman correlation: whether pairs of annotators put items into the same order",
    needs="labels that are numbers or have an order; any number of annotators; labels may be missing",
    ignores="how far apart labels are; who rates higher than others; items with a single label",
    reference="Spearman 1904",
    papers=("spearman1904",),
    when="if only the order of items matters, and not everybody rated everything",
    labels="ranks",
)
def mean_spearman(counts: Counts, **how: Unpack[RankOptions]) -> Estimate:
    """Mean over pairs of annotators of Spearman's ρ, on the items that both rated.

    ρ is Pearson's r of ranks; items to which an annotator gave the same label share the average rank. The interval is
    that of the delta method over items, on the scale of Fisher's z.

    See Also
    --------
    kendall_w, mean_pearson

    Examples
    --------
    >>> import unisono
    >>> grades = {"anna": [1, 2, 3, 4, 5], "bert": [1, 3, 3, 4, 4]}
    >>> round(unisono.mean_spearman(grades).value, 3)
    0.949
    """
    return _mean_over_pairs(places_of(counts), _Ranked.of, delta_interval)


@coefficient(
    NUMBERS,
    symbol="r̄",
    title="Mean Pearson correlation: whether pairs of annotators' numbers are on a line",
    needs="labels that are numbers; any number of annotators; labels may be missing",
    ignores="who rates higher than others, and uses more of the scale; items with a single label",
    reference="Pearson 1896",
    papers=("pearson1896",),
    when="if neither the origin nor the unit of annotators' numbers matters; not a measure of agreement",
    labels="numbers",
)
def mean_pearson(counts: Counts, **how: Unpack[RatingsOptions]) -> Estimate:
    """Mean over pairs of annotators of Pearson's r, on the items that both rated.

    The interval is that of the jackknife over items, on the scale of Fisher's z.

    See Also
    --------
    lin_ccc, icc, mean_spearman

    Examples
    --------
    >>> import unisono
    >>> grades = {"anna": [1, 2, 3, 4, 5], "bert": [1, 3, 3, 4, 4]}
    >>> round(unisono.mean_pearson(grades).value, 3)
    0.904
    """
    return _mean_over_pairs(scores(counts), _Centred.of, _without_each)


class _OneSide(Protocol):
    """One annotator's numbers, ready to be correlated with another's on the same items."""

    def with_other(self, other: Any) -> tuple[float, FloatArray]:
        """Return the correlation, and by how much each item changes it."""


_Prepare: TypeAlias = Callable[[FloatArray, FloatArray], "_OneSide | None"]
"""An annotator's numbers and how often each item occurs -> what is correlated; None if all numbers are the same."""


def _mean_over_pairs(given: Scores, prepare: _Prepare, limits: _Limits) -> Estimate:
    n_pairs, total = 0, 0.0
    changes = np.zeros(len(given.repeats))
    everybody = [prepare(values, given.repeats) for values in given.values] if given.are_complete else []
    for a, b in given.pairs():
        x, y, repeats, both = given.of_pair(a, b)
        first, second = (everybody[a], everybody[b]) if everybody else (prepare(x, repeats), prepare(y, repeats))
        if first is not None and second is not None:
            found, change = first.with_other(second)
            n_pairs += 1
            total += found
            changes[both] += change
    if not n_pairs:
        return Estimate(None, undefined=_NO_PAIR)
    value = min(max(total / n_pairs, -1.0), 1.0)
    missing = given.n_annotators * (given.n_annotators - 1) // 2 - n_pairs
    notes = (_UNDEFINED.format(plural(missing, "pair")),) if missing else ()
    interval = limits(value, changes / n_pairs, given)
    return Estimate(value, details={"n_pairs": n_pairs}, notes=notes, interval=interval)


@dataclass(frozen=True)
class _Centred:
    """Numbers without their mean, for Pearson's r; an item changes it by what is lost without the item."""

    values: FloatArray
    repeats: FloatArray
    squares: float  # Σ x²
    rest: FloatArray  # Σ x² without each item: means move too

    @classmethod
    def of(cls, values: FloatArray, repeats: FloatArray) -> _Centred | None:
        n = float(repeats.sum())
        x = values - values @ repeats / n
        squares = float((x * x) @ repeats)
        return cls(x, repeats, squares, squares - n / (n - 1) * x * x) if squares > n * _ROUNDING else None

    def with_other(self, other: _Centred) -> tuple[float, FloatArray]:
        n = float(self.repeats.sum())
        product = self.values * other.values
        products = float(product @ self.repeats)
        r = products / sqrt(self.squares * other.squares)
        without = np.full(len(product), np.nan)
        there = np.minimum(self.rest, other.rest) > n * _ROUNDING
        size = np.sqrt(np.where(there, self.rest * other.rest, 1.0))
        np.divide(products - n / (n - 1) * product, size, out=without, where=there)
        return r, r - without


@dataclass(frozen=True)
class _Ranked:
    """Ranks, for Spearman's ρ; an item changes it by its influence."""

    ranks: Ranks
    square: float  # the mean of the squares
    influence: FloatArray  # of each item on that mean

    @classmethod
    def of(cls, places: FloatArray, repeats: FloatArray) -> _Ranked | None:
        ranks = Ranks.of(places, repeats)
        square, influence = mean_product(ranks, ranks)
        return cls(ranks, square, influence) if square > _ROUNDING else None

    def with_other(self, other: _Ranked) -> tuple[float, FloatArray]:
        product, influence = mean_product(self.ranks, other.ranks)
        size = sqrt(self.square * other.square)
        r = product / size
        return r, influence / size - r / 2 * (self.influence / self.square + other.influence / other.square)


def _without_each(value: float, lost: FloatArray, given: Scores) -> Interval | str:
    return jackknife_interval(value, value - lost, given)


def _as_w(interval: Interval | str, m: int) -> Interval | str:
    """Turn an interval of the mean Spearman correlation into one of W."""
    if not isinstance(interval, Interval):
        return interval
    low, high = (max((1 + (m - 1) * limit) / m, 0.0) for limit in (interval.low, interval.high))
    return Interval(low, high, interval.level, interval.method)


_NO_PAIR = "no two annotators rated two items or more in common to which both gave different labels"
_UNDEFINED = (
    "{} of annotators left out, since they rated fewer than two items in common or one of them gave all items the same "
    "label; the values of all pairs show which"
)
