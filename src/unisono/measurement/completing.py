"""What a report needs besides the results: values of some of the annotators, and an alignment to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.data import Corpus, Data, Label
from unisono.errors import DataError
from unisono.execution import Progress, Workers
from unisono.measurement.registry import aligning_measure
from unisono.preparation.units import with_units
from unisono.results import Result

if TYPE_CHECKING:
    from unisono.alignment.aligned import Aligned

FEW_ANNOTATORS = 6
FEW_UNITS = 2000
"""With no more annotators and units than this, subsets of annotators are measured unless the user declines."""
_FEWEST_CATEGORIES = 3


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
    # the category of units with the least agreement: its feature, its label, and the value without it
    without_category: tuple[str, Label, float] | None = None
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
    """Add the value of each pair of annotators, without each annotator, and without the category with least agreement.

    By default, they are only added if the data is small.
    """
    small = result.n_annotators <= FEW_ANNOTATORS and result.n_units <= FEW_UNITS
    wanted = small if subsets is None else subsets
    without: Sequence[dict[str, Any]] = ()
    pairs: Sequence[dict[str, Any]] = ()
    if wanted:
        without = result.leave_one_out(workers=workers, progress=progress)
        pairs = result.pairwise(workers=workers, progress=progress)
    return Measured(
        measure,
        result,
        without=without,
        pairs=pairs,
        subsets=wanted,
        without_category=without_worst_category(result) if wanted else None,
    )


def without_worst_category(result: Result) -> tuple[str, Label, float] | None:
    """Return the category of units with the least agreement, with its feature, and the value without its units.

    None if there are fewer than three categories, or no value without it.
    """
    data, feature = result.data, getattr(result, "feature", None)
    if not isinstance(data, Corpus) or not isinstance(feature, str):
        return None
    known = [row for row in result.categories() if row["value"] is not None]
    if len(known) < _FEWEST_CATEGORIES:
        return None
    worst = min(known, key=lambda row: row["value"])["category"]
    column = data.features[feature]
    others: np.ndarray = column.codes != column.labels.index(worst)
    try:
        value = result.remeasure(with_units(data, others, "units of the category with the least agreement")).value
    except DataError:  # what is left may be impossible to measure
        return None
    return None if value is None else (feature, worst, value)


def missing_alignments(
    data: Data, measured: Sequence[Measured], *, workers: Workers = None, progress: Progress | None = None
) -> Mapping[str, Aligned] | None:
    """Align the units if no measure did; None if there is no need, or if they cannot be aligned.

    Measures of segmentations compare boundaries, which need no alignment.
    """
    first = next((one.result for one in measured if one.result is not None), None)
    if not isinstance(data, Corpus) or any(one.alignment for one in measured):
        return None
    if first is not None and first.declaration.family == "segmentation":
        return None
    try:
        found: Mapping[str, Aligned] = aligning_measure(data).align(data, workers=workers, progress=progress)
    except DataError:
        return None
    return found
