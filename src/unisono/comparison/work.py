"""What every measurement of a comparison is given, checked once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from unisono.checks import check_function, check_names, check_seed
from unisono.data import Corpus, Data
from unisono.execution import Progress, Workers, check_workers, pool
from unisono.formats.entry import as_base
from unisono.measurement.registry import Measure, default_measure, parse_measure

_Item = TypeVar("_Item")
_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Work:
    """How to measure; workers and progress stay here when it is sent to another process."""

    base: Corpus | None  # the pre-annotation that all annotators started from, for text-γ
    seed: int
    workers: Workers = None  # who does the work
    progress: Progress | None = None  # called with (done, total)

    def __reduce__(self) -> tuple[Any, ...]:
        return Work, (self.base, self.seed)

    def measured(self, measure: Measure, data: Data, progress: Progress | None = None) -> Any:
        """Measure data."""
        return measure.compute(data, base=self.base, rng=self.seed, workers=self.workers, progress=progress)

    def each(self, function: Callable[[_Item], _Found], items: Sequence[_Item]) -> list[_Found]:
        """Apply a function, which measures, to every item, and report progress."""
        with pool(self.workers, progress=self.progress, python=True) as crew:
            return crew.map(function, items, nested=True)


def checked_work(base: Any, rng: Any, workers: Any, progress: Any) -> Work:
    """Check what a user passed."""
    return Work(
        as_base(base), check_seed(rng), check_workers(workers), check_function(progress, "progress", "done", "total")
    )


def chosen_measures(
    measures: str | Sequence[str] | None, data: Data, *more: Data, parameter: str = "measures"
) -> list[Measure]:
    """Return the measures that a user named, or the default one for the data; `more` is measured in the same way."""
    named = [] if measures is None else check_names(measures, parameter)
    return [parse_measure(text, parameter) for text in named] or [default_measure(data, *more)]
