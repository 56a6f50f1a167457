"""What goes into a report: results, and what was asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
