"""`unisono align`: where annotators agree, and where not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from unisono.cli.options import (
    DaskAddress,
    Force,
    Paths,
    WorkerCount,
    crew,
)
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.data import Normalizations, Ratings
from unisono.errors import DataError


@reads
def align(
    reading: Reading,
    paths: Paths,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write: .csv, .tsv or .jsonl; else the screen.")
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure",
            "-m",
            help='The measure that aligns, e.g. "gamma(alpha=3,beta=1)"; text-gamma if the annotators\' texts differ.',
        ),
    ] = None,
    workers: WorkerCount = None,
    dask: DaskAddress = None,
    force: Force = False,
) -> None:
    """Write the alignment as a table: one row a unitary alignment, worst disagreement first."""
    from unisono.measurement.registry import aligning_measure, parse_measure
    from unisono.output import refuse
    from unisono.reporting.alignment_table import alignment_table, as_text, refuse_table_name, write_table

    chosen = None if measure is None else parse_measure(measure)
    if output is not None:
        refuse_table_name(output)
        refuse(output, overwrite=force, inputs=reading.inputs(paths))
    corpus = reading.data(paths)
    if isinstance(corpus, Ratings):
        raise DataError("these are ratings, labels of given items, so there is nothing to align", path=paths[0])
    if isinstance(corpus, Normalizations):
        raise DataError("these are normalizations, words that annotators rewrote, and have no units", path=paths[0])
    with crew(workers, dask) as hands, progress_bar("align") as tell:
        chosen = chosen or aligning_measure(corpus)
        table = alignment_table(chosen.align(corpus, workers=hands, progress=tell))
    if not table:
        raise DataError("no document was worked on by two annotators; there is nothing to align")
    if output is None:
        sys.stdout.buffer.write(as_text(table).encode(errors="backslashreplace"))
        return
    write_table(table, output, overwrite=force)
    n_rows = len(table["disorder"])
    print(f"{output}: {n_rows:,} unitary alignments, worst first", file=sys.stderr)
