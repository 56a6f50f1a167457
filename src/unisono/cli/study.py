"""`unisono study`: texts, guidelines and groups of annotators, in tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.options import AsJson, DaskAddress, Force, Measures, Seed, WorkerCount, crew
from unisono.cli.progress import progress_bar
from unisono.cli.reading import tell_dropped, tell_passed_over
from unisono.errors import DataError, OptionError

if TYPE_CHECKING:
    from unisono.results import Table


def study(
    path: Annotated[Path, typer.Argument(help="A study.toml, or a folder laid out as GUIDELINE/GROUP/ANNOTATOR/TEXT.")],
    measures: Measures = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A page to write, .html, instead of the screen.")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Pass over files and records that cannot be read, and list them.")
    ] = False,
    seed: Seed = 42,
    workers: WorkerCount = None,
    dask: DaskAddress = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print all tables as CSV.")] = False,
    as_latex: Annotated[bool, typer.Option("--latex", help="Print all tables as LaTeX.")] = False,
    force: Force = False,
) -> None:
    """Measure every text by every set of guidelines, for all annotators and every two groups."""
    from unisono.measures.registry import parse_measure
    from unisono.output import new_file
    from unisono.report import exported
    from unisono.report.page import study_page
    from unisono.report.terminal import show_table
    from unisono.studies import read_study
    from unisono.studies import study as measured
    from unisono.studies.study import DEFAULT
    from unisono.studies.tables import notes, reasons, study_tables

    if as_json + as_csv + as_latex + (output is not None) > 1:
        raise OptionError("--json, --csv, --latex and --output exclude each other; choose one")
    if output is not None and output.suffix.lower() not in (".html", ".htm"):
        raise OptionError(f"{output}: the page is HTML; end the name in .html, or take --csv or --latex")
    for name in measures or ():
        parse_measure(name)  # tells of what is wrong before the long work
    bad: list[DataError] = []
    try:
        with progress_bar("read") as tell:
            definition = read_study(path, bad=bad.append if skip_bad else None, progress=tell)
    finally:
        tell_passed_over(bad)
    for guideline in definition.guidelines:
        tell_dropped(guideline.corpus)
    found = []
    with crew(workers, dask) as hands:
        for name in measures or definition.measures or (DEFAULT,):
            with progress_bar(name) as tell:
                found.append(
                    measured(definition.title, definition.guidelines, name, rng=seed, workers=hands, progress=tell)
                )
    if as_json:
        print(json.dumps({"studies": [one.to_dict() for one in found]}, ensure_ascii=False, allow_nan=False, indent=1))
        return
    tables = [table for one in found for table in study_tables(one)]
    empty = [f"No value: {reason}" for one in found for reason in reasons(one)]
    empty += [f"Note: {note}" for one in found for note in notes(one)]
    if as_csv:
        print(exported.csv_tables([(caption, _with_empty_cells(table)) for caption, table, _ in tables]), end="")
        print("".join(f"\n{json.dumps(sentence, ensure_ascii=False)}" for sentence in empty), end="\n" if empty else "")
    elif as_latex:
        print("% needs \\usepackage{booktabs}\n")
        print("\n\n".join(exported.latex_table(*table) for table in tables))
        print("".join(f"\n% {sentence}" for sentence in empty), end="\n" if empty else "")
    elif output is not None:
        with new_file(output, overwrite=force) as stream:
            stream.write(study_page(definition.title, tables, empty).encode())
    else:
        from unisono.cli.screen import screen

        for table in tables:
            show_table(screen, *table)
        for reason in empty:
            screen.print(reason, style="dim", markup=False)


def _with_empty_cells(table: Table) -> Table:
    """Leave cells empty where people see a dash, for programs."""
    from unisono.studies.tables import NOTHING

    return table._replace(rows=[[None if cell == NOTHING else cell for cell in row] for row in table.rows])
