"""`unisono shuffle`: annotators made of a reference, who make known errors."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from unisono.cli.options import Force, Seed
from unisono.cli.reading import Reading, reads
from unisono.data import Corpus
from unisono.errors import DataError

Reference = Annotated[
    str,
    typer.Argument(
        metavar="REFERENCE",
        help='A file with one annotator\'s units, or "generate(n_units=60,categories=[A:4,B:2],length=5-30,gap=0-30)".',
    ),
]
Annotator = Annotated[
    str | None, typer.Option("--annotator", help="Whose units are the reference, if there are several annotators.")
]
Count = Annotated[int, typer.Option("--annotators", min=1, help="How many annotators to make.")]
Confusable = Annotated[
    str | None,
    typer.Option("--distance", help="A distance between categories, e.g. matrix(FILE): near ones are confused first."),
]
Uniform = Annotated[bool, typer.Option("--uniform", help="Confuse categories evenly, whatever their prevalence.")]


@reads
def shuffle(
    reading: Reading,
    reference: Reference,
    error: Annotated[
        list[str],
        typer.Option(
            "--error",
            help="position, position-apart, category, false-negatives, false-positives, splits, merges, cuts-shifted, "
            "cuts-missed; for texts text, segmentation, label. Give several, or join them with +.",
        ),
    ],
    magnitude: Annotated[float, typer.Option("--magnitude", help="How strong, from 0 (no errors) to 1.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write: .jsonl (keeps everything), .csv or .tsv.")
    ],
    n_annotators: Count = 3,
    annotator: Annotator = None,
    distance: Confusable = None,
    uniform: Uniform = False,
    seed: Seed = 42,
    force: Force = False,
) -> None:
    """Make annotators of a reference, who make errors of known kinds and magnitude."""
    from unisono.formats.writing import refuse_target, write
    from unisono.measurement.readers import written_distance
    from unisono.shuffling import shuffle as shuffled

    refuse_target(output, overwrite=force, inputs=inputs_of(reading, reference))
    corpus = reference_corpus(reading, reference, seed)
    made = shuffled(
        corpus,
        error,
        magnitude,
        n_annotators=n_annotators,
        annotator=annotator,
        distance=None if distance is None else written_distance(distance),
        uniform=uniform,
        rng=seed,
    )
    for lost in write(made, output, overwrite=force):
        print(lost, file=sys.stderr)
    print(f"{output}: {made.n_units:,} units of {n_annotators} annotators", file=sys.stderr)


def inputs_of(reading: Reading, reference: str) -> list[Path]:
    """Give the paths that are read; a reference that is generated is none."""
    from unisono.shuffling.written import is_generated

    return reading.inputs([] if is_generated(reference) else [Path(reference)])


def reference_corpus(reading: Reading, reference: str, seed: int) -> Corpus:
    """Read a reference to shuffle, or generate it."""
    from unisono.shuffling.written import is_generated, parse_reference

    if is_generated(reference):
        return parse_reference(reference, seed)
    data = reading.data([Path(reference)])
    if not isinstance(data, Corpus):
        raise DataError("a reference has units to shuffle, and this holds labels or rewritten words", path=reference)
    return data
