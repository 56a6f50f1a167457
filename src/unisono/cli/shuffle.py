"""`unisono shuffle`: annotators made of a reference, who make known errors."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from unisono.cli.options import (
    Columns,
    Continuum,
    Delimiter,
    Force,
    Format,
    FormatOptions,
    Pattern,
    Seed,
    reference_corpus,
)

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


def shuffle(
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
    annotators: Count = 3,
    annotator: Annotator = None,
    distance: Confusable = None,
    uniform: Uniform = False,
    format: Format = None,  # noqa: A002
    pattern: Pattern = None,
    option: FormatOptions = None,
    columns: Columns = None,
    delimiter: Delimiter = None,
    continuum: Continuum = None,
    seed: Seed = 42,
    force: Force = False,
) -> None:
    """Make annotators of a reference, who make errors of known kinds and magnitude."""
    from unisono.formats import write
    from unisono.measures.readers import written_distance
    from unisono.shuffling import shuffle as shuffled

    corpus = reference_corpus(reference, format, columns, delimiter, continuum, pattern, option, seed)
    made = shuffled(
        corpus,
        error,
        magnitude,
        n_annotators=annotators,
        annotator=annotator,
        distance=None if distance is None else written_distance(distance),
        uniform=uniform,
        rng=seed,
    )
    for lost in write(made, output, overwrite=force):
        print(lost, file=sys.stderr)
    print(f"{output}: {made.n_units:,} units of {annotators} annotators", file=sys.stderr)
