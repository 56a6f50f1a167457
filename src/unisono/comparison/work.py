"""What every measurement of a comparison is given, checked once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from unisono.checks import check_function, check_names, check_seed
from unisono.data import Corpus, Data
from unisono.execution import Pool, Progress, Workers, check_workers
from unisono.formats.entry import as_base
from unisono.measurement.registry import Measure, default_measure, parse_measure

_Item = TypeVar("_Item")
_Found = TypeVar("_Found")


class Work(NamedTuple):
    """How to measure."""

    base: Corpus | None  # the pre-annotation that all annotators started from, for text-γ
    seed: int
    workers: Workers  # who does the work
    progress: Progress | None  # called with (done, total)

    def measured(self, measure: Measure, data: Data, progress: Progress | None = None) -> Any:
        """Measure data."""
        return measure.compute(data, base=self.base, rng=self.seed, workers=self.workers, progress=progress)

    def each(self, function: Callable[[_Item], _Found], items: Sequence[_Item]) -> list[_Found]:
        """Apply a function to one item after the other, and report progress."""
        return Pool(None, self.progress).map(function, items)


def checked_work(base: Any, rng: Any, workers: Any, progress: Any) -> Work:
    """Check what a user passed."""
    return Work(
        as_base(base), check_seed(rng), check_workers(workers), check_function(progress, "progress", "done", "total")
    )


def chosen_measures(measures: str | Sequence[str] | None, data: Data, parameter: str = "measures") -> list[Measure]:
    """Return the measures that a user named, or the default one for the data."""
    named = [] if measures is None else check_names(measures, parameter)
    return [parse_measure(text, parameter) for text in named] or [default_measure(data)]
