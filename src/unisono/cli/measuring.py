"""What commands that measure share: which measures are used, and what their values mean in terms of errors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unisono.cli.reading import Reading
from unisono.cli.spelling import told
from unisono.errors import DataError, OptionError

if TYPE_CHECKING:
    from unisono.data import Corpus, Data
    from unisono.execution import Progress, Workers
    from unisono.measurement.registry import Measure
    from unisono.shuffling import Ladder

FEW = "6 annotators and 2,000 units"
"""What `measurement.completing` counts as few; written out, as loading it would slow down every --help."""


def parsed_measures(written: Sequence[str] | None) -> list[Measure]:
    """Read measures as they were written, before any long work; OptionError if one is wrong."""
    from unisono.measurement.registry import parse_measure

    return [parse_measure(text) for text in written or ()]


def measures_to_take(named: list[Measure], data: Data, base: Path | None) -> list[Measure]:
    """Return the measures that were named; if none was, text-gamma for a pre-annotation, else what suits the data."""
    from unisono.measurement.registry import default_measure, parse_measure

    return named or [default_measure(data) if base is None else parse_measure("text-gamma")]


def base_corpus(reading: Reading, base: Path | None, measures: Sequence[Measure]) -> Corpus | None:
    """Read the pre-annotation, if one is given; at least one of the measures that are named, if any, must use it."""
    if base is None:
        return None
    if measures and not any(one.declaration.takes_base for one in measures):
        raise OptionError("--base is for measures that use a pre-annotation, such as text-gamma; name it with -m")
    return reading.base(base)


def failure(measure: object, why: str) -> str:
    """Say why a measure could not be computed; a sentence that begins with the measure's name does not need it."""
    name = str(measure).partition("(")[0]
    return why if why.startswith(f"{name} ") else f"{measure}: {why}"


def ladder_of(
    data: Data,
    one: Measure,
    agreement: float | None,
    *,
    base: Corpus | None,
    seed: int,
    workers: Workers,
    progress: Progress | None,
) -> Ladder | str:
    """Return what the agreement means in terms of errors, or why that is unknown; the value does not change."""
    from unisono.shuffling import ladder

    if agreement is None:
        return "No ladder: there is no value to compare with."
    try:
        return ladder(data, str(one), value=agreement, base=base, rng=seed, workers=workers, progress=progress)
    except DataError as error:
        return f"No ladder: {told(error)}."
