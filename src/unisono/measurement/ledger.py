"""What was drawn and measured batch by batch, for a corpus larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from unisono.execution import Pool

B = TypeVar("B")
_Made = TypeVar("_Made")


class Ledger(Protocol[B]):
    """Keeps batches as soon as they are made, and has those that were made before."""

    def filed(self, make: Callable[[Path], _Made]) -> _Made:
        """Make something that needs files as long as it is measured; a full disk is an error with a hint."""

    def each(self, names: Sequence[str], jobs: Sequence[Any], run: Callable[[Any], Any], crew: Pool) -> Iterator[Any]:
        """Yield what `run` makes of each job, in order; what is kept under a job's name is not made again."""

    def all(
        self, ranges: Sequence[range], job: Callable[[range], Any], run: Callable[[Any], B], crew: Pool
    ) -> Sequence[B]:
        """Return the batch of each range of documents: the one that is kept, or what `run` makes of its job."""
