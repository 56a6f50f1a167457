"""Two values of one measure and their difference, as data and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from unisono.measurement.registry import Measure
from unisono.results import Captioned, Interval, Table, Tabled, ValueScale, p_value
from unisono.statistics.paired import Difference, adjusted_by_holm

_SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Comparison(Tabled):
    """Two values of one measure.

    Attributes
    ----------
    measure, symbol : str
        The measure with its parameters, and its letter.
    one, other : str
        The names of what is compared.
    values : pair of float or None
        The measure of each, on what both have.
    intervals : pair of Interval or None
        Of the values.
    difference : Difference
        The first value minus the second, with its interval; also for measures of error.
    parts : str
        What was left out one by one.
    undefined : str or None
        Why there is no difference, if there is none.
    lost : str
        A sentence on what only one of them has, which was left out; empty if there is nothing.
    scale : str
        Whether the values are agreements, or errors.
    """

    measure: str
    symbol: str
    one: str
    other: str
    values: tuple[float | None, float | None]
    intervals: tuple[Interval | None, Interval | None]
    difference: Difference
    parts: str
    undefined: str | None = None
    lost: str = ""
    scale: ValueScale = "agreement"

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return the values and the difference as tables, and a sentence on it."""
        return Comparisons([self]).tabled()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        both = zip((self.one, self.other), self.values, self.intervals, strict=True)
        return {
            "measure": self.measure,
            "values": [
                {"name": name, "value": value, "interval": None if interval is None else interval.to_dict()}
                for name, value, interval in both
            ],
            "difference": self.difference.to_dict(),
            "left_out": self.parts,
            "undefined": self.undefined,
            "lost": self.lost,
        }


class Comparisons(tuple[Comparison, ...], Tabled):
    """Several comparisons, with p-values corrected for their number.

    See Also
    --------
    compare, compare_groups

    Examples
    --------
    >>> import unisono
    >>> before = {"anna": ["a", "b", "a", "b", "a", "b"], "bert": ["a", "a", "b", "b", "a", "b"]}
    >>> after = {"anna": ["a", "b", "a", "b", "a", "b"], "bert": ["a", "b", "a", "b", "a", "a"]}
    >>> comparisons = unisono.compare(before, after, ["krippendorff-alpha", "cohen-kappa"])
    >>> [(one.measure, round(one.difference.value, 3)) for one in comparisons]
    [('krippendorff-alpha', -0.297), ('cohen-kappa', -0.333)]
    """

    @property
    def undefined(self) -> str | None:
        """Why there is no difference at all; None if there is one."""
        reasons = [one.undefined for one in self if one.undefined is not None]
        return "; ".join(dict.fromkeys(reasons)) if len(reasons) == len(self) else None

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return the values and the differences as tables, and a sentence on each."""
        values = [
            (f"{one.symbol} {name}", value, *((interval.low, interval.high) if interval else (None, None)))
            for one in self
            for name, value, interval in zip((one.one, one.other), one.values, one.intervals, strict=True)
        ]
        columns = ("", "value", "from", "to")
        tables = [
            Captioned("Agreement on what both have", Table(columns, list(dict.fromkeys(values)), 3)),
            difference_table(self),
        ]
        lost = dict.fromkeys(one.lost for one in self if one.lost)
        return tables, [*(conclusion(one, len(self)) for one in self), *lost]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"comparisons": [one.to_dict() for one in self]}


def without_values(measure: Measure, names: tuple[str, str], parts: str, lost: str = "") -> Comparison:
    """Return a comparison without values and without a difference, to be filled in."""
    nothing = Difference(f"{names[0]} − {names[1]}", None, None, None, None, 0)
    symbol, scale = measure.declaration.symbol, measure.declaration.scale
    return Comparison(str(measure), symbol, *names, (None, None), (None, None), nothing, parts, lost=lost, scale=scale)


def corrected_for_number(found: Sequence[Comparison]) -> Comparisons:
    """Correct p-values for the number of comparisons (Holm)."""
    adjusted = adjusted_by_holm([one.difference for one in found])
    return Comparisons(replace(one, difference=difference) for one, difference in zip(found, adjusted, strict=True))


def difference_table(found: Sequence[Comparison]) -> Captioned:
    """Return the differences as a table; corrected p-values only if there are several."""
    several = len(found) > 1
    unit = found[0].parts if len({one.parts for one in found}) == 1 else "left out"
    columns = ("", "difference", "from", "to", "p", *(("p (Holm)",) if several else ()), unit)
    rows = []
    for one in found:
        it = one.difference
        name = f"{one.symbol}: {it.name}" if several else it.name
        adjusted = (p_value(it.p_adjusted),) if several else ()
        rows.append((name, it.value, it.low, it.high, p_value(it.p), *adjusted, it.n))
    return Captioned(f"Difference, paired over {found[0].parts}", Table(columns, rows, 3))


def conclusion(one: Comparison, n_comparisons: int = 1) -> str:
    """Say in a sentence whether two values differ."""
    it = one.difference
    if one.undefined is not None:
        return f"{one.symbol}: there is no difference to report: {one.undefined}."
    p = it.p if n_comparisons == 1 else it.p_adjusted
    if p is None or it.value is None:
        why = it.no_interval or "there is too little data"
        return f"{one.symbol}: it is not known whether {one.one} and {one.other} differ: {why}."
    high, low = (one.one, one.other) if it.value > 0 else (one.other, one.one)
    written = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    if n_comparisons > 1:
        written += ", corrected for several comparisons"
    if p < _SIGNIFICANT:
        return f"{one.symbol} is higher in {high} than in {low} ({written})."
    return f"{one.symbol}: no difference between {one.one} and {one.other} beyond chance ({written})."
