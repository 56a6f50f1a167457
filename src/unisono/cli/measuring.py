"""What `measure` and `report` share: which measures are taken, and what their values mean in errors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from unisono.cli.options import base_corpus
from unisono.cli.reading import Reading
from unisono.data import Corpus, Data
from unisono.errors import DataError
from unisono.execution import Progress, Workers

if TYPE_CHECKING:
    from unisono.measurement.registry import Measure
    from unisono.shuffling import Ladder


@dataclass(frozen=True)
class NoLadder:
    """Why there is no ladder."""

    reason: str

    def __str__(self) -> str:
        return f"No ladder: {self.reason}."

    def to_dict(self) -> dict[str, str]:
        """Give plain data."""
        return {"undefined": str(self)}


MaybeLadder: TypeAlias = "Ladder | NoLadder"


def with_base(
    chosen: list[Measure], reading: Reading, data: Data, base: Path | None
) -> tuple[list[Measure], Corpus | None]:
    """Give the measures, the one that fits best if none was named, and the pre-annotation, if there is one.

    Parameters
    ----------
    chosen : list of Measure
        Those that were named.
    reading : Reading
        How the pre-annotation is read.
    data : Data
        What is measured.
    base : Path, optional
        The pre-annotation.
    """
    from unisono.measurement.registry import default_measure, parse_measure

    taken = chosen or [default_measure(data) if base is None else parse_measure("text-gamma")]
    return taken, base_corpus(reading, base, [one.declaration.takes_base for one in taken])


def ladder_of(
    data: Data,
    one: Measure,
    agreement: float | None,
    *,
    base: Corpus | None,
    seed: int,
    hands: Workers,
    tell: Progress | None,
) -> MaybeLadder:
    """Find what the agreement means in errors, or say why it cannot be found; the value stays what it is.

    Parameters
    ----------
    data : Data
        What was measured.
    one : Measure
        How.
    agreement : float, optional
        What it gave.
    base, seed, hands, tell
        As for the measure.
    """
    from unisono.shuffling import ladder

    if agreement is None:
        return NoLadder("there is no value to compare with")
    try:
        return ladder(data, str(one), value=agreement, base=base, rng=seed, workers=hands, progress=tell)
    except DataError as error:
        return NoLadder(str(error))
