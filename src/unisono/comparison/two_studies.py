"""Whether a difference between two studies, or two groups of annotators, is more than chance.

Both are measured on the documents that both have; documents are left out of both together (docs/comparing.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import inf
from typing import Any

import numpy as np

from unisono.checks import check_names
from unisono.comparison.comparisons import Comparison, Comparisons, corrected_for_number, without_values
from unisono.comparison.pairing import Paired, pair_up, some_of
from unisono.comparison.work import Work, checked_work, chosen_measures
from unisono.data import Data
from unisono.errors import DataError, OptionError, listed
from unisono.execution import Progress, Workers
from unisono.formats.entry import DataLike, Rows, as_data
from unisono.measurement.document_groups import grouped_documents
from unisono.measurement.registry import Measure
from unisono.results import Interval
from unisono.statistics.paired import Difference, difference_of_errors


def compare(
    one: DataLike,
    other: DataLike,
    measures: str | Sequence[str] = (),
    *,
    names: tuple[str, str] = ("one", "other"),
    base: DataLike | None = None,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Comparisons:
    """Compare two studies of the same documents, for instance before and after a change of guidelines.

    Parameters
    ----------
    one, other : DataLike
        What was annotated in each; see `unisono.read`. Documents, or items where there are no documents, must have the
        same names in both.
    measures : str or sequence of str
        Measures with their parameters, e.g. "gamma(alpha=3)"; by default one that fits the data.
    names : pair of str
        What to call the two.
    base : DataLike, optional
        The pre-annotation that all annotators started from, for text-γ.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.
    rng : int, Generator or None
        Seed.
    workers : int, Executor or None
        How many CPU cores to use, or any `concurrent.futures.Executor`; by default all cores.
    progress : callable, optional
        Called with (done, total) after each step.

    Returns
    -------
    Comparisons
        One comparison per measure.

    See Also
    --------
    compare_groups, compare_models, Comparisons

    Examples
    --------
    >>> import unisono
    >>> before = {"anna": ["a", "b", "a", "b", "a", "b"], "bert": ["a", "a", "b", "b", "a", "b"]}
    >>> after = {"anna": ["a", "b", "a", "b", "a", "b"], "bert": ["a", "b", "a", "b", "a", "a"]}
    >>> comparisons = unisono.compare(before, after, "krippendorff-alpha")
    >>> [round(value, 3) for value in comparisons[0].values]
    [0.389, 0.686]
    """
    first, second = as_data(one, rows=rows, parameter="one"), as_data(other, rows=rows, parameter="other")
    work = checked_work(base, rng, workers, progress)
    called = check_names(names, "names")
    if len(called) != 2:
        raise OptionError(f"expected two names, not {len(called)}", "names")
    pair = (called[0], called[1])
    paired = pair_up(first, second, pair)
    chosen = chosen_measures(measures, paired.one, paired.other)
    return corrected_for_number(work.each(partial(_compared, paired, pair, work), chosen))


def compare_groups(
    data: DataLike,
    groups: Mapping[str, Iterable[str]],
    measures: str | Sequence[str] = (),
    *,
    base: DataLike | None = None,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Comparisons:
    """Compare agreement within every two groups of annotators, on the documents that both groups worked on.

    Parameters
    ----------
    data : DataLike
        What all of them annotated.
    groups : mapping
        Name of a group to its annotators, two or more.
    measures, base, rows, rng, workers, progress
        As in `compare`.

    Returns
    -------
    Comparisons
        One comparison per measure and pair of groups.

    See Also
    --------
    compare, compare_models

    Examples
    --------
    >>> import unisono
    >>> labels = {
    ...     "anna": ["a", "b", "a", "b", "a", "b", "b", "a"],
    ...     "bert": ["a", "b", "b", "b", "a", "b", "b", "a"],
    ...     "cleo": ["a", "b", "a", "b", "a", "a", "b", "a"],
    ...     "gpt": ["a", "a", "a", "b", "a", "b", "b", "b"],
    ... }
    >>> groups = {"first": ["anna", "bert"], "second": ["cleo", "gpt"]}
    >>> comparisons = unisono.compare_groups(labels, groups, "cohen-kappa")
    >>> [round(value, 3) for value in comparisons[0].values]
    [0.75, 0.25]
    """
    whole = as_data(data, rows=rows)
    work = checked_work(base, rng, workers, progress)
    parts = {name: some_of(whole, annotators=people) for name, people in _members(groups, whole).items()}
    chosen = chosen_measures(measures, whole)

    pairs = [(pair, measure) for pair in combinations(parts, 2) for measure in chosen]
    return corrected_for_number(work.each(partial(_compared_groups, parts, work), pairs))


def _members(groups: Mapping[str, Iterable[str]], data: Data) -> dict[str, list[str]]:
    """Check groups, and return the annotators of each."""
    if not isinstance(groups, Mapping):
        raise OptionError("expected groups with their annotators, e.g. {'experts': ['anna', 'bert'], …}", "groups")
    members = {name: check_names(people, "groups") for name, people in groups.items()}
    if len(members) < 2:
        raise OptionError("two or more groups are needed, each with its own name", "groups")
    for name, people in members.items():
        unknown = [one for one in people if one not in data.annotators]
        if unknown:
            raise OptionError(f"unknown annotator {unknown[0]!r}; available: {listed(data.annotators)}", "groups")
        if len(set(people)) < 2:
            raise OptionError(f"the group {name!r} has fewer than two annotators, and agreement needs two", "groups")
    return members


def as_values(found: Difference, measure: Measure) -> Difference:
    """Turn how much less the first error is into the first value minus the second; for agreements, that is the same."""
    if measure.declaration.scale == "agreement" or found.value is None:
        return found
    low, high = (None if limit is None else -limit for limit in (found.high, found.low))
    return replace(found, value=-found.value, low=low, high=high)


def grouped(results: Sequence[Any]) -> list[list[str]]:
    """Put the documents that count in all results into groups to leave out; γ leaves them out one by one."""
    first, *others = (result.parts.documents() for result in results)
    names = [name for name in first if all(name in other for other in others)]
    if all(result.parts.most_parts == inf for result in results):
        return [[name] for name in names]
    return grouped_documents(names, max(result.n_units for result in results), *(result.data for result in results))


def _compared_groups(parts: Mapping[str, Data], work: Work, job: tuple[tuple[str, str], Measure]) -> Comparison:
    names, measure = job
    return _compared(pair_up(parts[names[0]], parts[names[1]], names), names, work, measure)


def _compared(paired: Paired, names: tuple[str, str], work: Work, measure: Measure) -> Comparison:
    blank = without_values(measure, names, paired.parts, paired.lost)
    results = [_measured(measure, data, work) for data in (paired.one, paired.other)]
    for name, result in zip(names, results, strict=True):
        if isinstance(result, str):
            return replace(blank, undefined=f"{name}: {result}")
    groups = grouped(results)
    first, second = (result.parts.leave_out(groups) for result in results)
    parts = paired.parts if all(len(group) == 1 for group in groups) else f"groups of {paired.parts}"
    return replace(
        blank,
        values=(results[0].value, results[1].value),
        intervals=(_interval(results[0], paired.parts), _interval(results[1], paired.parts)),
        difference=as_values(difference_of_errors(blank.difference.name, first, second, what=parts), measure),
        parts=parts,
    )


def _interval(result: Any, parts: str) -> Interval | None:
    """Return a value's interval; blocks of items are documents only for the measure."""
    found: Interval | None = result.interval
    return None if found is None else replace(found, method=found.method.replace("documents", parts))


def _measured(measure: Measure, data: Data, work: Work) -> Any:
    """Measure, or explain why there is no value."""
    try:
        result = work.measured(measure, data)
    except DataError as error:
        return str(error)
    return result if result.value is not None and np.isfinite(result.value) else str(result.undefined)
