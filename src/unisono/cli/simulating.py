"""What `shuffle` and `benchmark` share: a reference, and the simulated annotators who make errors in it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from unisono.cli.completion import error_kinds
from unisono.cli.help import SIMULATING
from unisono.cli.reading import Reading
from unisono.cli.spelling import naming

if TYPE_CHECKING:
    from unisono.data import Corpus, Ratings

Reference: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="REFERENCE",
        help="A file with the units of one annotator, or with their labels of items; or a description of what to "
        'generate, e.g. "generate(n_units=60,categories=[A:4,B:2],length=5-30,gap=0-30)", "generate(n_items=100)" or '
        '"generate(n_relations=40)".',
    ),
]
Errors: TypeAlias = Annotated[
    list[str],
    SIMULATING(
        "KIND",
        "position, position-apart, category, false-negatives, false-positives, splits, merges, cuts-shifted or "
        "cuts-missed; for relations and events: position, source, target, direction, anchors, category, "
        "false-negatives or false-positives; for texts: text, segmentation or label; for labels of items: category, "
        "noise, severity or missing. Can be repeated; + combines kinds: position+category.",
        "--error",
        complete=error_kinds,
    ),
]

SIMULATED = {"distance": "--distance", "reference": "REFERENCE"}
"""Parameters that have options here and that measures also have."""


@dataclass(frozen=True)
class Simulating:
    """Who is simulated, and how categories are confused."""

    n_annotators: int = SIMULATING.field(3, "N", "How many annotators to simulate.", "--annotators", least=1)
    annotator: str | None = SIMULATING.field(
        None, "NAME", "Whose units are the reference, if the file has several annotators."
    )
    distance: str | None = SIMULATING.field(
        None,
        "DISTANCE",
        "A distance between categories, e.g. matrix(FILE): similar ones are confused first.",
    )
    uniform: bool = SIMULATING.field(
        False, "", "Confuse categories evenly, regardless of how frequent they are.", "--uniform"
    )

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of functions that simulate annotators."""
        from unisono.measurement.readers import written_distance

        with naming(**SIMULATED):
            distance = None if self.distance is None else written_distance(self.distance)
        return {**asdict(self), "distance": distance}


def inputs_of(reading: Reading, reference: str) -> list[Path]:
    """Return the paths that are read; a generated reference has none."""
    from unisono.shuffling.written import is_generated

    return reading.inputs([] if is_generated(reference) else [Path(reference)])


def reference_corpus(reading: Reading, reference: str, seed: int) -> Corpus | Ratings:
    """Read a reference to shuffle, or generate it."""
    from unisono.formats.entry import as_data
    from unisono.shuffling.reference import reference_kind
    from unisono.shuffling.written import is_generated, parse_reference

    if is_generated(reference):
        return parse_reference(reference, seed)
    with naming(**SIMULATED):
        return reference_kind(as_data(reading.data([Path(reference)]), parameter="reference"))
