"""What was measured batch by batch, for a corpus larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from unisono.execution import Pool

B = TypeVar("B")


class Ledger(Protocol[B]):
    """Keeps batches as soon as they are measured, and has those that were measured before."""

    @property
    def folder(self) -> Path:
        """Where files can be that are needed as long as it is measured."""

    def all(self, ranges: Sequence[range], job: Callable[[range], Any], run: Callable[[Any], B], crew: Pool) -> list[B]:
        """Return the batch of each range of documents: the one that is kept, or what `run` makes of its job."""
