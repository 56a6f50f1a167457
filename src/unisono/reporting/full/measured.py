"""What goes into a report: results, and what was asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unisono.alignment.aligned import Aligned
from unisono.reporting.subsets import FEW_ANNOTATORS, FEW_UNITS
from unisono.results import Result


@dataclass(frozen=True)
class Measured:
    """A measure, and what it gave.

    Attributes
    ----------
    measure : str
        The measure as it was written.
    result : Result or None
        What it gave; None if it cannot be taken here.
    failed : str
        Why there is no result.
    without, pairs : sequence of dict
        The value without each annotator, and of pairs of annotators, as the result gives them.
    subsets : bool
        Whether they were asked for.
    ladder : Ladder, str or None
        Which errors give this agreement, or why that cannot be told; None if nobody asked.
    """

    measure: str
    result: Result | None = None
    failed: str = ""
    without: Sequence[dict[str, Any]] = ()
    pairs: Sequence[dict[str, Any]] = ()
    subsets: bool = True
    ladder: Any = None

    @property
    def alignment(self) -> Mapping[str, Aligned]:
        """Document to its alignment; empty if nothing was aligned."""
        return {} if self.result is None else self.result.alignment


def with_subsets(measure: str, result: Result, subsets: bool | None = None) -> Measured:
    """Measure pairs of annotators, and all but one of them, if asked for or quickly done.

    Parameters
    ----------
    measure : str
        The measure as it was written.
    result : Result
        What it gave.
    subsets : bool, optional
        Whether to do it; None: if the data is small.
    """
    small = result.n_annotators <= FEW_ANNOTATORS and result.n_units <= FEW_UNITS
    asked = small if subsets is None else subsets
    without, pairs = (result.leave_one_out(), result.pairwise()) if asked else ((), ())
    return Measured(measure, result, without=without, pairs=pairs, subsets=asked)
