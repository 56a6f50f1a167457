"""Whether a difference between two studies, or two groups of annotators, is more than chance.

Both are measured on the documents that both have; documents are left out of both together (docs/intervals.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from unisono.comparison.left_out import grouped, leave_out
from unisono.comparison.pairing import Paired, pair_up
from unisono.data import Corpus, Data, Ratings
from unisono.errors import DataError, OptionError
from unisono.execution import Progress, Workers
from unisono.formats.entry import as_data
from unisono.measurement.disorder.effort import seed_of
from unisono.measurement.registry import Measure, default_measure, parse_measure
from unisono.results import Captioned, Interval, Tabled
from unisono.statistics.paired import Difference, adjusted_by_holm, difference_of_errors


@dataclass(frozen=True)
class Comparison(Tabled):
    """Two values of one measure.

    Attributes
    ----------
    measure, symbol : str
        The measure with its parameters, and its letter.
    one, other : str
        What is compared with what.
    values : pair of float or None
        The measure of each, on what both have.
    intervals : pair of Interval or None
        Of the values.
    difference : Difference
        The first minus the second, with its interval; for measures of error, too.
    parts : str
        What was left out one by one.
    undefined : str or None
        Why there is no difference, if there is none.
    lost : str
        A sentence on what only one of them has, which was left out; empty if there is nothing.
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

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Give the values and the difference, and a sentence on it."""
        return Comparisons([self]).tabled()

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
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
    """Several comparisons, with p-values corrected for their number."""

    @property
    def undefined(self) -> str | None:
        """Why there is no difference at all; None if there is one."""
        reasons = [one.undefined for one in self if one.undefined is not None]
        return "; ".join(dict.fromkeys(reasons)) if len(reasons) == len(self) else None

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Give the values and the differences, and a sentence on each."""
        from unisono.comparison.tables import comparison_tables

        return comparison_tables(self)

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        return {"comparisons": [one.to_dict() for one in self]}


def compare(
    one: Data,
    other: Data,
    measures: str | Sequence[str] = (),
    *,
    names: tuple[str, str] = ("one", "other"),
    base: Corpus | None = None,
    rng: int | np.random.Generator = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Comparisons:
    """Compare two studies of the same documents, such as before and after a change of guidelines.

    Parameters
    ----------
    one, other : Corpus, Ratings or Normalizations
        Documents, or items where there are no documents, have the same names in both.
    measures : str, or sequence of str
        Measures with their parameters; the default one if none is given.
    names : pair of str
        What to call the two.
    base : Corpus, optional
        The pre-annotation that everybody started from, for text-γ.
    rng : int or Generator
        Seed.
    workers : int, Executor or None
        Who does the work.
    progress : callable, optional
        Called with (done, total) after each measure.
    """
    paired = pair_up(as_data(one), as_data(other), names)
    chosen = [parse_measure(text) for text in several(measures)] or [default_measure(paired.one)]
    work = Work(base, seed_of(rng), workers)
    found = []
    for number, measure in enumerate(chosen, start=1):
        found.append(_compared(measure, paired, names, work))
        if progress is not None:
            progress(number, len(chosen))
    return corrected(found)


def compare_groups(
    data: Data,
    groups: Mapping[str, Iterable[str]],
    measures: str | Sequence[str] = (),
    *,
    base: Corpus | None = None,
    rng: int | np.random.Generator = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Comparisons:
    """Compare agreement within groups of annotators, every two of them, on the documents that both worked on.

    Parameters
    ----------
    data : Corpus, Ratings or Normalizations
        What all of them annotated.
    groups : mapping
        Name of a group to its annotators, two or more.
    measures, base, rng, workers, progress
        As in `compare`.
    """
    data, seed = as_data(data), seed_of(rng)
    members = {name: list(people) for name, people in groups.items()}
    if len(members) < 2:
        raise OptionError("one group cannot be compared; give two or more, each with a name of its own")
    for name, people in members.items():
        if len(set(people)) < 2:
            raise OptionError(f"the group {name!r} has one annotator, and agreement needs two or more")
    parts = {name: of_annotators(data, people) for name, people in members.items()}
    chosen = several(measures) or [str(default_measure(data))]
    pairs = list(combinations(members, 2))
    found: list[Comparison] = []
    for number, (a, b) in enumerate(pairs, start=1):
        found += compare(parts[a], parts[b], chosen, names=(a, b), base=base, rng=seed, workers=workers)
        if progress is not None:
            progress(number, len(pairs))
    return corrected(found)


class Work(NamedTuple):
    """What every measurement of a comparison is given."""

    base: Corpus | None
    seed: int
    workers: Workers


def several(measures: str | Sequence[str]) -> list[str]:
    """Take one measure for a list of one."""
    return [measures] if isinstance(measures, str) else [*measures]


def of_annotators(data: Data, people: Iterable[str]) -> Data:
    """Keep some annotators; they could choose from the same labels as all."""
    if isinstance(data, Ratings):
        return data.select(annotators=people, all_labels=True)
    return data.select(annotators=people)


def corrected(found: Sequence[Comparison]) -> Comparisons:
    """Correct for the number of comparisons."""
    adjusted = adjusted_by_holm([one.difference for one in found])
    return Comparisons(replace(one, difference=difference) for one, difference in zip(found, adjusted, strict=True))


def signed(difference: Difference, scale: str) -> Difference:
    """Turn a difference of errors, how much less the first is, into one of values."""
    if scale == "agreement" or difference.value is None:
        return difference
    low, high = (None if limit is None else -limit for limit in (difference.high, difference.low))
    return replace(difference, value=-difference.value, low=low, high=high)


def _compared(measure: Measure, paired: Paired, names: tuple[str, str], work: Work) -> Comparison:
    parts = paired.parts
    title = f"{names[0]} − {names[1]}"
    symbol = measure.declaration.symbol
    results = []
    for data, name in zip((paired.one, paired.other), names, strict=True):
        result = _measured(measure, data, work)
        if isinstance(result, str):
            nothing = Difference(title, None, None, None, None, 0)
            why = f"{name}: {result}"
            return Comparison(
                str(measure), symbol, *names, (None, None), (None, None), nothing, parts, why, paired.lost
            )
        results.append(result)
    groups = grouped(results)
    first, second = (leave_out(result, groups) for result in results)
    said = parts if all(len(group) == 1 for group in groups) else f"groups of {parts}"
    difference = signed(difference_of_errors(title, first, second, what=said), measure.declaration.scale)
    return Comparison(
        str(measure),
        symbol,
        *names,
        (results[0].value, results[1].value),
        (_interval(results[0], parts), _interval(results[1], parts)),
        difference,
        said,
        lost=paired.lost,
    )


def _interval(result: Any, parts: str) -> Interval | None:
    """Give a value's interval; blocks of items are documents only for the measure."""
    found: Interval | None = result.interval
    return None if found is None else replace(found, method=found.method.replace("documents", parts))


def _measured(measure: Measure, data: Data, work: Work) -> Any:
    """Measure, or say why there is no value."""
    try:
        result = measure.compute(data, base=work.base, rng=work.seed, workers=work.workers)
    except DataError as error:
        return str(error)
    return result if result.value is not None and np.isfinite(result.value) else str(result.undefined)
