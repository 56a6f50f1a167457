"""What a benchmark gives: agreement by magnitude for each measure and kind of error, and what to think of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono import tables
from unisono.arrays import FloatArray

_PERFECT = 0.99
_NOTHING = 0.1
_SURE = 2.0
"""Differences of so many standard errors are not taken for chance."""
_FLAT, _HARDLY = 0.2, 0.02
"""A curve that falls by no more than this over such a stretch of magnitudes has a flat part."""


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
    """

    errors: str
    measure: str
    magnitudes: tuple[float, ...]
    values: tuple[tuple[float | None, ...], ...]

    @cached_property
    def mean(self) -> FloatArray:
        """The mean agreement at each magnitude; NaN where there is none."""
        return np.array([np.mean(found) if (found := _known(values)) else np.nan for values in self.values])

    @cached_property
    def error(self) -> FloatArray:
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
            return Judgement(undefined="no annotation set has a value")
        if len(present) == 1 < len(self.magnitudes):
            return Judgement(undefined=f"only magnitude {self.magnitudes[present[0]]:g} has a value")
        m = np.array(self.magnitudes)[present]
        mean, error = self.mean[present], np.nan_to_num(self.error[present])
        rises = [
            (float(m[k]), float(m[k + 1]))
            for k in range(len(m) - 1)
            if mean[k + 1] - mean[k] > _SURE * np.hypot(error[k], error[k + 1]) + 1e-9
        ]
        flat = _flat_part(m, mean, error)
        lowest = int(np.argmin(mean))
        below = float(m[lowest]) if mean[lowest] + _SURE * error[lowest] < -1e-9 else None
        end = None if present[-1] == len(self.magnitudes) - 1 else float(m[-1])
        return Judgement(float(mean[0]), float(mean[-1]), end, flat, tuple(rises), below)


@dataclass(frozen=True)
class Judgement:
    """How a curve does by the desiderata: full range, strictly decreasing, never below 0.

    Attributes
    ----------
    first, last : float or None
        Mean agreement at the least and the greatest magnitude.
    end : float or None
        The greatest magnitude that has a value, if that is not the last.
    flat : (float, float) or None
        A stretch over which it does not fall.
    rises : tuple of (float, float)
        Steps at which it rises, beyond chance.
    below : float or None
        The magnitude at which it is lowest, if that is below 0 beyond chance.
    undefined : str or None
        Why nothing can be said, if so.
    """

    first: float | None = None
    last: float | None = None
    end: float | None = None
    flat: tuple[float, float] | None = None
    rises: tuple[tuple[float, float], ...] = ()
    below: float | None = None
    undefined: str | None = None

    @property
    def full_range(self) -> bool:
        """Whether it goes from 1 to about 0."""
        if self.first is None or self.last is None:
            return False
        return self.first >= _PERFECT and abs(self.last) <= _NOTHING

    @property
    def decreasing(self) -> bool:
        """Whether it never rises, and has no flat part."""
        return self.undefined is None and not self.rises and self.flat is None

    @property
    def never_below(self) -> bool:
        """Whether it is never below 0."""
        return self.undefined is None and self.below is None

    def answers(self) -> dict[str, bool | None]:
        """Say yes or no to each of the desiderata; None if nothing can be said."""
        if self.undefined is not None:
            return dict.fromkeys(("full_range", "decreasing", "never_below_0"))
        return {"full_range": self.full_range, "decreasing": self.decreasing, "never_below_0": self.never_below}

    def __str__(self) -> str:
        if self.undefined is not None:
            return self.undefined
        parts = [f"from {_written(self.first)} to {_written(self.last)}"]
        if self.end is not None:
            parts.append(f"no value above {self.end:g}")
        if self.rises:
            parts.append(f"rises at {', '.join(f'{low:g}–{high:g}' for low, high in self.rises[:3])}")
        if self.flat is not None:
            parts.append(f"flat from {self.flat[0]:g} to {self.flat[1]:g}")
        if self.below is not None:
            parts.append(f"below 0, lowest at {self.below:g}")
        return "; ".join(parts)


@dataclass(frozen=True)
class Curves:
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
            (curve.errors, curve.measure, m, _plain(mean), _plain(error), n, len(values) - n)
            for curve in self.curves
            for m, mean, error, n, values in zip(
                curve.magnitudes, curve.mean, curve.error, curve.n, curve.values, strict=True
            )
        ]
        names = ("error", "measure", "magnitude", "mean", "standard_error", "n", "n_undefined")
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

    def _repr_html_(self) -> str:
        from unisono.report.curves import curves_html

        return curves_html(self)


def _known(values: tuple[float | None, ...]) -> list[float]:
    return [value for value in values if value is not None]


def _written(number: float | None) -> str:
    return "" if number is None else f"{round(number, 2) + 0.0:.2f}".replace("-", "−")  # + 0.0: never −0.00


def _plain(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def _flat_part(m: FloatArray, mean: FloatArray, error: FloatArray) -> tuple[float, float] | None:
    """Find a stretch over which the curve hardly falls, and not beyond chance."""
    for k in range(len(m)):
        later = np.flatnonzero(m >= m[k] + _FLAT - 1e-9)
        if len(later):
            other = int(later[0])
            fall = mean[k] - mean[other]
            if fall <= _HARDLY and fall <= _SURE * np.hypot(error[k], error[other]) + 1e-9:
                return float(m[k]), float(m[other])
    return None
