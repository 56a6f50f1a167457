"""`unisono judges`: judges of the outputs of systems, compared with people."""

from __future__ import annotations

import sys
from typing import Annotated

from unisono.cli.completion import format_names
from unisono.cli.help import COMPARING, READING
from unisono.cli.options import Humans, Paths, with_groups
from unisono.cli.printing import Printing
from unisono.cli.spelling import naming
from unisono.cli.values import families_in, names_in, pairs_in


@with_groups
def judges(
    paths: Paths,
    printing: Printing,
    model: Annotated[list[str] | None, COMPARING("NAME", "A judge that is a model; can be repeated.")] = None,
    humans: Humans = None,
    group: Annotated[
        list[str] | None,
        COMPARING("NAME=NAMES", "A family of systems that are alike, or 'families': by their names; can be repeated."),
    ] = None,
    layer: Annotated[str | None, COMPARING("NAME", "The criterion, if outputs have several scores.")] = None,
    format: Annotated[  # noqa: A002
        str | None,
        READING("FORMAT", "The format of the files; detected automatically by default.", complete=format_names),
    ] = None,
    columns: Annotated[
        str | None,
        READING("OURS=YOURS", "The names of your columns, e.g. judge=who,system_a=left,system_b=right."),
    ] = None,
    delimiter: Annotated[
        str | None, READING("CHARACTER", "The character that separates the fields of a table.")
    ] = None,
    encoding: Annotated[
        str | None, READING("NAME", "The encoding of a table, e.g. windows-1252; UTF-8 or detected by default.")
    ] = None,
    sheet: Annotated[str | None, READING("NAME", "The sheet of a spreadsheet: its name, or its number from 1.")] = None,
) -> None:
    """Compare judges of systems' outputs with people.

    Verdicts on which of two outputs is better, or scores: agreement beside the base rate, preference for a position
    or for length, ties, and the ranking of systems.

    Examples
    --------
    unisono judges verdicts.csv --model gpt-4
    unisono judges scores.jsonl --model gpt-4 --layer coherence
    """
    from unisono.comparison.judging import judges as compared
    from unisono.data.left_out import told_dropped
    from unisono.formats.verdict_reading import as_verdicts

    printing.check()
    verdicts = as_verdicts(
        paths,
        layer,
        columns=pairs_in(columns, "--columns", "our name, =, and yours, e.g. judge=who"),
        format=format,
        delimiter=delimiter,
        encoding=encoding,
        sheet=sheet,
    )
    for said in told_dropped(verdicts.dropped):
        print(f"left out or changed: {said}", file=sys.stderr)
    with naming(models="--model"):
        people = None if humans is None else names_in(humans)
        found = compared(verdicts, model or None, humans=people, families=families_in(group))
    printing.print(found)
