"""What a benchmark gives: agreement by magnitude for each measure and kind of error, and what to think of it."""

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
"""How sure one is of all comparisons of a kind together, so that a curve is wronged in one of twenty cases."""
_FLAT, _HARDLY, _PROPERLY = 0.2, 0.02, 0.1
"""Over so long a stretch of magnitudes, a flat curve falls by no more than the second, surely less than the third."""
_ROUNDING = 1e-9

YES_OR_NO = {True: "yes", False: "no", None: "–"}
"""How answers are written."""


@dataclass(frozen=True)
class Curve:
    """Agreement by magnitude, of one measure for one kind of error.

    Attributes
    ----------
    errors, measure : str
        Which errors, which measure.
    magnitudes : tuple of float
        From 0 to 1.
    values : tuple of tuple
        The agreement of each annotation set at each magnitude; None where it has no value.
    reason : str
        Why there are none at the greatest magnitude, if so.
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
        """What the desiderata say of the curve (§6.3)."""
        present = np.flatnonzero(~np.isnan(self.mean))
        if not len(present):
            return Judgement(undefined="no annotation set has a value", reason=self.reason)
        m = np.array(self.magnitudes)
        if len(present) == 1 < len(m):
            return Judgement(undefined=f"only magnitude {m[present[0]]:g} has a value", reason=self.reason)
        sure = np.flatnonzero(np.isfinite(self.standard_error))  # what a single value is worth is not known
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
    """How a curve does by the desiderata: full range, strictly decreasing, never below 0.

    Attributes
    ----------
    first, last : float or None
        Mean agreement at the least and the greatest magnitude that has a value.
    begin, end : float or None
        These magnitudes.
    broken_off : bool
        Whether greater magnitudes were tried, but have no value.
    n_judged : int
        How many magnitudes have two values or more, so that it is known how sure their mean is.
    flat : (float, float) or None
        A stretch over which it does not fall.
    rises : tuple of (float, float)
        Steps at which it rises, beyond chance.
    below : float or None
        The magnitude at which it is lowest, of those where it is below 0 beyond chance.
    undefined : str or None
        What there is, if nothing can be said of it.
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
        """Whether it never rises, and has no flat part; None of fewer than two points."""
        return not self.rises and self.flat is None if self.n_judged > 1 else None

    @property
    def never_below(self) -> bool | None:
        """Whether it is never below 0; None if it is not known how sure any point is."""
        return self.below is None if self.n_judged else None

    def answers(self) -> dict[str, bool | None]:
        """Say yes or no to each of the desiderata; None if nothing can be said."""
        return {"full_range": self.full_range, "decreasing": self.decreasing, "never_below_0": self.never_below}

    def __str__(self) -> str:
        because = f" ({self.reason})" if self.reason else ""
        if self.undefined is not None:
            return self.undefined + because
        parts = [f"from {_written(self.first)} to {_written(self.last)}"]
        if self.broken_off:
            parts.append(f"no value above {self.end:g}{because}")
        if not self.n_judged:
            parts.append("single values, so no judgement")
        if self.rises:
            parts.append(f"rises at {', '.join(f'{low:g}–{high:g}' for low, high in self.rises[:3])}")
        if self.flat is not None:
            parts.append(f"flat from {self.flat[0]:g} to {self.flat[1]:g}")
        if self.below is not None:
            parts.append(f"below 0, lowest at {self.below:g}")
        return "; ".join(parts)


@dataclass(frozen=True)
class Curves(Drawn):
    """Curves of several measures for several kinds of errors."""

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
        """Give the curve of (errors, measure)."""
        for curve in self.curves:
            if (curve.errors, curve.measure) == key:
                return curve
        raise KeyError(f"there is no curve of {key[1]!r} for {key[0]!r}")

    def columns(self) -> dict[str, list[Any]]:
        """Give all points as columns."""
        rows = [
            (curve.errors, curve.measure, shown(curve.measure), m, _plain(mean), _plain(error), n, len(values) - n)
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
        """Give all points as a data frame."""
        return tables.frame(self.columns(), library)


def shown(measure: str) -> str:
    """Name the agreement that a measure gives: its symbol, or 1 minus it for errors."""
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
    """Points of a curve of which it is known how sure they are: magnitudes, means, standard errors, counts."""

    m: FloatArray
    mean: FloatArray
    error: FloatArray
    n: IntArray

    def __len__(self) -> int:
        return len(self.m)

    def rise(self, one: int, other: int) -> float:
        """How much higher the curve is at another point."""
        return float(self.mean[other] - self.mean[one])

    def by_chance(self, one: int, other: int, n_comparisons: int) -> float:
        """Give what two points may differ by chance, one of several comparisons."""
        freedom = int(min(self.n[one], self.n[other])) - 1
        return _limit(n_comparisons, freedom) * float(np.hypot(self.error[one], self.error[other])) + _ROUNDING


@cache
def _limit(n_comparisons: int, freedom: int) -> float:
    """Give the standard errors beyond which none of so many comparisons goes by chance (Bonferroni, one-sided)."""
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
    """Find a stretch over which the curve hardly falls, not beyond chance, and not only by chance or for a rise."""
    stretches = [
        (k, int(np.argmax(far))) for k, m in enumerate(points.m) if (far := points.m >= m + _FLAT - 1e-9).any()
    ]
    for one, other in stretches:
        fall = -points.rise(one, other)
        chance = points.by_chance(one, other, len(stretches))
        told = any(points.m[one] <= low and high <= points.m[other] for low, high in rises)
        if not told and fall <= min(_HARDLY, chance, _PROPERLY - chance):
            return float(points.m[one]), float(points.m[other])
    return None


def _below(points: _Points) -> float | None:
    """Find where the curve is lowest, of the points that are below 0 beyond chance."""
    limits = [_limit(len(points), int(n) - 1) for n in points.n]
    below = np.flatnonzero(points.mean + np.array(limits) * points.error < -_ROUNDING)
    return float(points.m[below[np.argmin(points.mean[below])]]) if len(below) else None
