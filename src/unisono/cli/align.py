"""`unisono align`: where annotators agree, and where they do not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from unisono.cli.help import OUTPUT
from unisono.cli.options import AligningMeasure, Crew, Force, Paths, SafeCsv, with_groups
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading
from unisono.errors import DataError, plural


@with_groups
def align(
    paths: Paths,
    reading: Reading,
    crew: Crew,
    measure: AligningMeasure = None,
    output: Annotated[
        Path | None,
        OUTPUT("FILE", "The table to write: .csv, .tsv or .jsonl; by default it is printed.", "--output", "-o"),
    ] = None,
    safe_csv: SafeCsv = False,
    force: Force = False,
) -> None:
    """Show where annotators differ, unit by unit, worst first.

    The table has one row per unitary alignment: the annotators' units that belong together, and how much they differ.

    Examples
    --------
    unisono align annotations.csv -o alignment.csv
    unisono align annotations.csv -m "gamma(alpha=3,beta=1)" -o alignment.jsonl
    """
    from unisono.formats.entry import as_corpus
    from unisono.measurement.registry import aligning_measure, parse_measure
    from unisono.output import refuse
    from unisono.reporting.alignment_table import alignment_table, as_text, refuse_table_name, write_table

    chosen = None if measure is None else parse_measure(measure)
    if output is not None:
        refuse_table_name(output)
        refuse(output, overwrite=force, inputs=reading.inputs(paths))
    corpus = as_corpus(reading.data(paths, crew.workers))
    with crew.hands() as workers, progress_bar("align") as tell:
        chosen = chosen or aligning_measure(corpus)
        table = alignment_table(chosen.align(corpus, workers=workers, progress=tell))
    if not table:
        raise DataError("no document was worked on by two annotators; there is nothing to align")
    if output is None:
        sys.stdout.buffer.write(as_text(table, safe=safe_csv).encode(errors="backslashreplace"))
        return
    write_table(table, output, overwrite=force, safe=safe_csv)
    n_rows = len(table["disorder"])
    print(f"{output}: {plural(n_rows, 'unitary alignment')}, worst first", file=sys.stderr)
