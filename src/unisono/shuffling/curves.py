"""The result of a benchmark: agreement by magnitude for each measure and kind of error, and a judgement."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from unisono import tables
from unisono.arrays import FloatArray, IntArray
from unisono.drawing import Drawn
from unisono.measurement.registry import parse_measure
from unisono.statistics.quantiles import student_quantile

_PERFECT = 0.99
_NOTHING = 0.1
_LEVEL = 0.95
"""Confidence in all comparisons of a kind together: a curve is misjudged in one of twenty cases."""
_FLAT, _HARDLY, _PROPERLY = 0.2, 0.02, 0.1
"""Over a stretch of this length, a flat curve falls by no more than the second, and certainly less than the third."""
_ROUNDING = 1e-9

YES_OR_NO = {True: "yes", False: "no", None: "–"}
"""How answers are written."""


@dataclass(frozen=True)
class Curve:
    """Agreement by magnitude, of one measure for one kind of error.

    Attributes
    ----------
    errors, measure : str
        The kinds of errors, and the measure.
    magnitudes : tuple of float
        From 0 to 1.
    values : tuple of tuple
        The agreement of each annotation set at each magnitude; None where it has no value.
    reason : str
        Why there are no values at the greatest magnitude, if so.

    See Also
    --------
    Curves, benchmark

    Examples
    --------
    >>> import unisono
    >>> reference = unisono.shuffling.generate(n_items=50, categories=3)
    >>> curves = unisono.shuffling.benchmark(
    ...     reference, "krippendorff-alpha", "category", magnitudes=[0, 1], repetitions=2, workers=1
    ... )
    >>> curve = curves.curves[0]
    >>> curve.magnitudes, curve.values[0]
    ((0.0, 1.0), (1.0, 1.0))
    """

    errors: str
    measure: str
    magnitudes: tuple[float, ...]
    values: tuple[tuple[float | None, ...], ...]
    reason: str = ""

    @cached_property
    def mean(self) -> FloatArray:
        """The mean agreement at each magnitude; NaN where there is none."""
        return np.array([np.mean(found) if (found := _known(values)) else np.nan for values in self.values])

    @cached_property
    def standard_error(self) -> FloatArray:
        """The standard error of the mean at each magnitude; NaN of a single value."""
        return np.array(
            [
                np.std(found, ddof=1) / np.sqrt(len(found)) if len(found := _known(values)) > 1 else np.nan
                for values in self.values
            ]
        )

    @property
    def n(self) -> list[int]:
        """How many annotation sets have a value, at each magnitude."""
        return [len(_known(values)) for values in self.values]

    @cached_property
    def judgement(self) -> Judgement:
        """How the curve meets the desiderata (§6.3)."""
        present = np.flatnonzero(~np.isnan(self.mean))
        if not len(present):
            return Judgement(undefined="no annotation set has a value", reason=self.reason)
        m = np.array(self.magnitudes)
        if len(present) == 1 < len(m):
            return Judgement(undefined=f"only magnitude {m[present[0]]:g} has a value", reason=self.reason)
        sure = np.flatnonzero(np.isfinite(self.standard_error))  # the error of a single value is not known
        points = _Points(m[sure], self.mean[sure], self.standard_error[sure], np.array(self.n)[sure])
        rises = _rises(points)
        return Judgement(
            first=float(self.mean[present[0]]),
            last=float(self.mean[present[-1]]),
            begin=float(m[present[0]]),
            end=float(m[present[-1]]),
            broken_off=bool(present[-1] < len(m) - 1),
            n_judged=len(sure),
            flat=_flat_part(points, rises),
            rises=rises,
            below=_below(points),
            reason=self.reason,
        )


@dataclass(frozen=True)
class Judgement:
    """How a curve meets the desiderata: full range, strictly decreasing, never below 0.

    Attributes
    ----------
    first, last : float or None
        Mean agreement at the smallest and the greatest magnitude that has a value.
    begin, end : float or None
        These magnitudes.
    broken_off : bool
        Whether greater magnitudes were tried, but have no value.
    n_judged : int
        How many magnitudes have two values or more, so that the error of their mean is known.
    flat : (float, float) or None
        A stretch over which it barely falls.
    rises : tuple of (float, float)
        Steps at which it rises, beyond chance.
    below : float or None
        The magnitude at which it is lowest, of those where it is below 0 beyond chance.
    undefined : str or None
        Why the curve cannot be judged, if so.
    reason : str
        Why there is no value at the greatest magnitude, if so.
    """

    first: float | None = None
    last: float | None = None
    begin: float | None = None
    end: float | None = None
    broken_off: bool = False
    n_judged: int = 0
    flat: tuple[float, float] | None = None
    rises: tuple[tuple[float, float], ...] = ()
    below: float | None = None
    undefined: str | None = None
    reason: str = ""

    @property
    def full_range(self) -> bool | None:
        """Whether it goes from 1 to about 0; None if magnitude 0 or 1 is missing."""
        if self.first is None or self.last is None or (self.begin, self.end) != (0, 1):
            return None
        return self.first >= _PERFECT and abs(self.last) <= _NOTHING

    @property
    def decreasing(self) -> bool | None:
        """Whether it never rises and has no flat part; None if there are fewer than two points."""
        return not self.rises and self.flat is None if self.n_judged > 1 else None

    @property
    def never_below(self) -> bool | None:
        """Whether it is never below 0; None if the error of no point is known."""
        return self.below is None if self.n_judged else None

    def answers(self) -> dict[str, bool | None]:
        """Return yes or no for each of the desiderata; None if it cannot be judged."""
        return {"full_range": self.full_range, "decreasing": self.decreasing, "never_below_0": self.never_below}

    def __str__(self) -> str:
        because = f" ({self.reason})" if self.reason else ""
        if self.undefined is not None:
            return self.undefined + because
        parts = [f"from {_written(self.first)} to {_written(self.last)}"]
        if self.broken_off:
            parts.append(f"no value above {self.end:g}{because}")
        if not self.n_judged:
            parts.append("only single values, so no judgement")
        if self.rises:
            parts.append(f"rises at {', '.join(f'{low:g}–{high:g}' for low, high in self.rises[:3])}")
        if self.flat is not None:
            parts.append(f"flat from {self.flat[0]:g} to {self.flat[1]:g}")
        if self.below is not None:
            parts.append(f"below 0, lowest at {self.below:g}")
        return "; ".join(parts)


@dataclass(frozen=True)
class Curves(Drawn):
    """Curves of several measures for several kinds of errors.

    Attributes
    ----------
    curves : sequence of Curve
        One per measure and kind of error.

    See Also
    --------
    Curve, benchmark

    Examples
    --------
    >>> import unisono
    >>> reference = unisono.shuffling.generate(n_items=50, categories=3)
    >>> curves = unisono.shuffling.benchmark(
    ...     reference,
    ...     ["krippendorff-alpha", "percent-agreement"],
    ...     "category",
    ...     magnitudes=[0, 1],
    ...     repetitions=2,
    ...     workers=1,
    ... )
    >>> curves.errors, curves.measures
    (('category',), ('krippendorff-alpha', 'percent-agreement'))
    """

    curves: tuple[Curve, ...]

    @property
    def errors(self) -> tuple[str, ...]:
        """The kinds of errors."""
        return tuple(dict.fromkeys(curve.errors for curve in self.curves))

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures."""
        return tuple(dict.fromkeys(curve.measure for curve in self.curves))

    def __getitem__(self, key: tuple[str, str]) -> Curve:
        """Return the curve of (errors, measure)."""
        for curve in self.curves:
            if (curve.errors, curve.measure) == key:
                return curve
        raise KeyError(f"there is no curve of {key[1]!r} for {key[0]!r}")

    def columns(self) -> dict[str, list[Any]]:
        """Return all points as columns."""
        rows = [
            (
                curve.errors,
                curve.measure,
                agreement_symbol(curve.measure),
                m,
                _plain(mean),
                _plain(error),
                n,
                len(values) - n,
            )
            for curve in self.curves
            for m, mean, error, n, values in zip(
                curve.magnitudes, curve.mean, curve.standard_error, curve.n, curve.values, strict=True
            )
        ]
        names = ("error", "measure", "agreement", "magnitude", "mean", "standard_error", "n", "n_undefined")
        return {name: [row[k] for row in rows] for k, name in enumerate(names)}

    def judgements(self) -> list[dict[str, Any]]:
        """Judge every curve by the desiderata."""
        return [
            {
                "error": curve.errors,
                "measure": curve.measure,
                **curve.judgement.answers(),
                "remark": str(curve.judgement),
            }
            for curve in self.curves
        ]

    def to_frame(self, library: str | None = None) -> Any:
        """Return all points as a data frame."""
        return tables.frame(self.columns(), library)


def agreement_symbol(measure: str) -> str:
    """Return the symbol of a measure, or 1 minus it for measures of error."""
    declared = parse_measure(measure).declaration
    return declared.symbol if declared.scale == "agreement" else f"1 − {declared.symbol}"


def _known(values: tuple[float | None, ...]) -> list[float]:
    return [value for value in values if value is not None and np.isfinite(value)]


def _written(number: float | None) -> str:
    return "" if number is None else f"{round(number, 2) + 0.0:.2f}".replace("-", "−")  # + 0.0: never −0.00


def _plain(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


@dataclass(frozen=True)
class _Points:
    """Points of a curve whose standard errors are known: magnitudes, means, standard errors, counts."""

    m: FloatArray
    mean: FloatArray
    error: FloatArray
    n: IntArray

    def __len__(self) -> int:
        return len(self.m)

    def rise(self, one: int, other: int) -> float:
        """Return how much higher the curve is at another point."""
        return float(self.mean[other] - self.mean[one])

    def by_chance(self, one: int, other: int, n_comparisons: int) -> float:
        """Return by how much two points may differ by chance, in one of several comparisons."""
        freedom = int(min(self.n[one], self.n[other])) - 1
        return _limit(n_comparisons, freedom) * float(np.hypot(self.error[one], self.error[other])) + _ROUNDING


@cache
def _limit(n_comparisons: int, freedom: int) -> float:
    """Return how many standard errors no comparison exceeds by chance (Bonferroni, one-sided)."""
    return float(student_quantile(1 - (1 - _LEVEL) / n_comparisons, freedom))


def _rises(points: _Points) -> tuple[tuple[float, float], ...]:
    """Find the steps at which the curve rises beyond chance."""
    steps = range(len(points) - 1)
    return tuple(
        (float(points.m[k]), float(points.m[k + 1]))
        for k in steps
        if points.rise(k, k + 1) > points.by_chance(k, k + 1, len(steps))
    )


def _flat_part(points: _Points, rises: tuple[tuple[float, float], ...]) -> tuple[float, float] | None:
    """Find a stretch over which the curve barely falls; one that contains a rise is already reported as that."""
    stretches = [
        (k, int(np.argmax(far))) for k, m in enumerate(points.m) if (far := points.m >= m + _FLAT - 1e-9).any()
    ]
    for one, other in stretches:
        fall = -points.rise(one, other)
        chance = points.by_chance(one, other, len(stretches))
        reported = any(points.m[one] <= low and high <= points.m[other] for low, high in rises)
        if not reported and fall <= min(_HARDLY, chance, _PROPERLY - chance):
            return float(points.m[one]), float(points.m[other])
    return None


def _below(points: _Points) -> float | None:
    """Find the lowest of the points that are below 0 beyond chance."""
    limits = [_limit(len(points), int(n) - 1) for n in points.n]
    below = np.flatnonzero(points.mean + np.array(limits) * points.error < -_ROUNDING)
    return float(points.m[below[np.argmin(points.mean[below])]]) if len(below) else None
