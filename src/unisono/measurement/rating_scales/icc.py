"""Intraclass correlations."""

from __future__ import annotations

from math import isfinite
from typing import Literal, Unpack

from unisono.errors import OptionError
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import RatingsOptions
from unisono.measurement.rating_scales.family import NUMBERS
from unisono.measurement.rating_scales.fisher import CERTAIN
from unisono.measurement.rating_scales.mean_squares import MeanSquares, one_way, two_way
from unisono.measurement.rating_scales.scores import number_scale, scores
from unisono.measurement.readers import choice
from unisono.results import Estimate, Interval
from unisono.results.shown import p_value
from unisono.statistics.quantiles import LEVEL, f_quantile, f_tail

_ROUNDING = 1e-26
"""Mean squares of numbers from -1 to 1 that are smaller are rounding."""
_HARDLY = 1e-12
"""A variance of items that is nearly minus that of the error makes the reliability of means infinite."""


@coefficient(
    NUMBERS,
    symbol="ICC",
    title="Intraclass correlation: how much of the variance of numbers is due to the items",
    needs="labels that are numbers; any number of annotators; labels may be missing",
    ignores="items with a single label",
    reference="Shrout & Fleiss 1979; McGraw & Wong 1996",
    papers=("shrout1979", "mcgraw1996", "henderson1953"),
    when="if labels are measurements or ratings on an interval scale",
    labels="numbers",
    parameters=(
        Parameter(
            "model",
            "two-way",
            choice("one-way", "two-way"),
            "one-way if the annotators of one item are others than those of the next; two-way if they are the same",
        ),
        Parameter(
            "definition",
            "agreement",
            choice("agreement", "consistency"),
            "agreement: who rates higher than others disagrees; consistency: constant differences of annotators do not "
            "count (two-way only)",
        ),
        Parameter(
            "unit",
            "single",
            choice("single", "average"),
            "single: reliability of one annotator's label; average: of the mean of all labels of an item",
        ),
    ),
)
def icc(
    counts: Counts,
    *,
    model: Literal["one-way", "two-way"] = "two-way",
    definition: Literal["agreement", "consistency"] = "agreement",
    unit: Literal["single", "average"] = "single",
    **how: Unpack[RatingsOptions],
) -> Estimate:
    """Share of the variance that is due to items: σ²_items / (σ²_items + σ²_other).

    σ²_other is the variance of annotators and error for agreement, of error alone for consistency; in the one-way model
    it is the variance within items. For the average of k labels, σ²_other is divided by k. With mean squares MS of n
    items by k annotators [1]_, [2]_:

    ========  ===========  ==================================================================  ===================
    model     definition   single label                                                        other names
    ========  ===========  ==================================================================  ===================
    one-way                (MS_items - MS_within) / (MS_items + (k - 1) MS_within)             ICC(1), ICC(1,1)
    two-way   agreement    (MS_items - MS_error) / (MS_items + (k - 1) MS_error                ICC(A,1), ICC(2,1)
                           + k (MS_annotators - MS_error) / n)
    two-way   consistency  (MS_items - MS_error) / (MS_items + (k - 1) MS_error)               ICC(C,1), ICC(3,1)
    ========  ===========  ==================================================================  ===================

    The average of k labels, ICC(1,k), ICC(A,k) = ICC(2,k), ICC(C,k) = ICC(3,k), follows by the formula of Spearman and
    Brown, k ρ / (1 + (k - 1) ρ). Whether annotators are a random sample or the only ones of interest (two-way random
    and mixed models) changes what a value means, but neither estimates nor intervals.

    The F test is that items do not differ. The interval is that of the F distribution ([2]_, tables 4 and 7); for
    agreement, with Satterthwaite's degrees of freedom.

    If labels are missing, the variance components are Henderson's [3]_: unbiased whatever the distribution, and the
    same as above for complete data. One-way: k is (N - Σ r_i² / N) / (n - 1) for r_i labels of item i, N in all.
    Two-way: constants are fitted (Henderson's third method). The same F limits are then approximate. Means are of the
    harmonic mean number of labels.

    See Also
    --------
    lin_ccc, mean_pearson, krippendorff_alpha

    Examples
    --------
    >>> import unisono
    >>> grades = {"anna": [1, 2, 3, 4, 5], "bert": [1, 3, 3, 4, 4]}
    >>> round(unisono.icc(grades, definition="consistency").value, 3)
    0.875
    """
    if model == "one-way" and definition == "consistency":
        raise OptionError.about(
            "definition", "the one-way model knows nothing of annotators, so it has no consistency; use model=two-way"
        )
    found = (one_way if model == "one-way" else two_way)(scores(counts))
    if isinstance(found, str):
        return Estimate(None, undefined=found)
    agreement = model == "two-way" and definition == "agreement"
    single = _single(found, agreement)
    value = single if single is None or unit == "single" else _stepped_up(single, found.harmonic)
    details = _details(found, number_scale(counts).unit ** 2, one_way=model == "one-way")
    if value is None:
        return Estimate(None, undefined=_no_value(found), details=details)
    own = _interval(found, agreement, single, unit)
    limits = {"f_low": own.low, "f_high": own.high} if isinstance(own, Interval) else {}
    notes = () if found.balanced else (_UNBALANCED.format(_k(found.harmonic)),)
    return Estimate(value, details={**details, **limits}, notes=notes, interval=own)


def _single(ms: MeanSquares, agreement: bool) -> float | None:
    """Return the reliability of one label; None if there is no variance."""
    items, error = (ms.items - ms.error) / ms.k, ms.error
    annotators = (ms.annotators - ms.error) / ms.n if agreement else 0.0
    total = items + annotators + error
    return items / total if total > _ROUNDING else None


def _stepped_up(single: float, k: float) -> float | None:
    """Return the reliability of the mean of k labels, by the formula of Spearman and Brown."""
    whole = 1 + (k - 1) * single
    return k * single / whole if whole > _HARDLY else None


def _interval(ms: MeanSquares, agreement: bool, single: float | None, unit: str) -> Interval | str:
    """Return the F limits [2]_, or why there are none."""
    if ms.error <= _ROUNDING and (not agreement or ms.annotators <= _ROUNDING):
        return CERTAIN
    limits = _limits_of_agreement(ms, single or 0.0) if agreement else _limits(ms)
    if unit == "average":
        limits = tuple(None if limit is None else _stepped_up(limit, ms.harmonic) for limit in limits)
    low, high = (float("nan") if limit is None else limit for limit in limits)
    if not (isfinite(low) and isfinite(high)):
        return "items differ so little that the F limits are infinite"
    return Interval(low, high, LEVEL, "F limits" if ms.balanced else "approximate F limits")


def _limits(ms: MeanSquares) -> tuple[float | None, ...]:
    """Return the limits of one label in the one-way model, and for consistency."""
    upper = (1 + LEVEL) / 2
    one = ms.items / f_quantile(upper, ms.df_items, ms.df_error)
    other = ms.items * f_quantile(upper, ms.df_error, ms.df_items)
    return tuple((f - ms.error) / (f + (ms.k - 1) * ms.error) for f in (one, other))


def _limits_of_agreement(ms: MeanSquares, single: float) -> tuple[float | None, ...]:
    """Return the limits of one label for agreement, with Satterthwaite's degrees of freedom v."""
    k, n, upper = ms.k, ms.n, (1 + LEVEL) / 2
    a, b = k * single * ms.annotators, (n * (1 - single) + k * single * (n - 1)) * ms.error
    if not (a or b):  # annotators differ by constants only, and items not at all
        return None, None
    v = (a + b) ** 2 / (a**2 / ms.df_annotators + b**2 / ms.df_error)
    rest = k * ms.annotators + (k * n - k - n) * ms.error
    one = ms.items / f_quantile(upper, ms.df_items, v)
    other = ms.items * f_quantile(upper, v, ms.df_items)
    return tuple(n * (f - ms.error) / (rest + n * f) if rest + n * f > 0 else None for f in (one, other))


def _details(ms: MeanSquares, square: float, *, one_way: bool) -> dict[str, float | None]:
    """Return the F test, and mean squares in squares of the labels' unit."""
    f = ms.f if ms.error > _ROUNDING else None
    test = {
        "F": f,
        "df_items": ms.df_items,
        "df_error": ms.df_error,
        "p": None if f is None else p_value(f_tail(f, ms.df_items, ms.df_error)),
        "ms_items": ms.items * square,
    }
    if one_way:
        return {**test, "ms_within": ms.error * square}
    return {**test, "ms_annotators": ms.annotators * square, "ms_error": ms.error * square}


def _no_value(ms: MeanSquares) -> str:
    if ms.items <= _ROUNDING and ms.error <= _ROUNDING and ms.annotators <= _ROUNDING:
        return "all labels are the same number, so there is no variance"
    return "items differ so little that no variance is due to them"


def _k(k: float) -> str:
    return f"{k:.3g}"


_UNBALANCED = (
    "labels are missing, so variance components are estimated by Henderson's method; the average is that of {} labels"
)
