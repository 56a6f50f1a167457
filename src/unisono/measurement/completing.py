"""What a report needs besides the results: values of some of the annotators, and an alignment to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unisono.data import Corpus, Data
from unisono.errors import DataError
from unisono.execution import Progress, Workers
from unisono.measurement.registry import aligning_measure
from unisono.results import Result

if TYPE_CHECKING:
    from unisono.alignment.aligned import Aligned

FEW_ANNOTATORS = 6
FEW_UNITS = 2000
"""With no more annotators and units than this, subsets of annotators are measured unless the user declines."""


@dataclass(frozen=True)
class Measured:
    """A measure with its result."""

    measure: str  # the measure as the user wrote it
    result: Result | None = None  # the result; None if the measure could not be computed
    failed: str = ""  # why there is no result
    # the value without each annotator, and of each pair of annotators, as the result returns them
    without: Sequence[dict[str, Any]] = ()
    pairs: Sequence[dict[str, Any]] = ()
    subsets: bool = True  # whether these were measured
    ladder: Any = None  # which errors lead to this agreement, or why that is unknown; None if it was not requested

    @property
    def alignment(self) -> Mapping[str, Aligned]:
        """Document to its alignment; empty if the measure aligns nothing."""
        return {} if self.result is None else self.result.alignment


def with_subsets(
    measure: str,
    result: Result,
    subsets: bool | None = None,
    *,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Measured:
    """Add the value of each pair of annotators, and without each annotator; by default only if the data is small."""
    small = result.n_annotators <= FEW_ANNOTATORS and result.n_units <= FEW_UNITS
    wanted = small if subsets is None else subsets
    without: Sequence[dict[str, Any]] = ()
    pairs: Sequence[dict[str, Any]] = ()
    if wanted:
        without = result.leave_one_out(workers=workers, progress=progress)
        pairs = result.pairwise(workers=workers, progress=progress)
    return Measured(measure, result, without=without, pairs=pairs, subsets=wanted)


def missing_alignments(
    data: Data, measured: Sequence[Measured], *, workers: Workers = None, progress: Progress | None = None
) -> Mapping[str, Aligned] | None:
    """Align the units if no measure did; None if there is no need, or if they cannot be aligned."""
    if not isinstance(data, Corpus) or any(one.alignment for one in measured):
        return None
    try:
        found: Mapping[str, Aligned] = aligning_measure(data).align(data, workers=workers, progress=progress)
    except DataError:
        return None
    return found
