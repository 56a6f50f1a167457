"""`unisono study`: texts, guidelines and groups of annotators, in tables."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from unisono.cli.options import (
    AsCsv,
    AsJson,
    AsLatex,
    DaskAddress,
    Force,
    Measures,
    Seed,
    WorkerCount,
    crew,
    refuse_several,
)
from unisono.cli.progress import progress_bar
from unisono.cli.reading import tell_dropped, tell_passed_over
from unisono.cli.tabled import print_tabled
from unisono.errors import DataError, OptionError


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
    as_csv: AsCsv = False,
    as_latex: AsLatex = False,
    force: Force = False,
) -> None:
    """Measure every text by every set of guidelines, for all annotators and every two groups."""
    from unisono.measurement.registry import parse_measure
    from unisono.output import new_file, refuse
    from unisono.reporting.simple_page import tabled_page
    from unisono.studies import read_study
    from unisono.studies import study as measured
    from unisono.studies.measuring import DEFAULT

    refuse_several(json=as_json, csv=as_csv, latex=as_latex, output=output is not None)
    if output is not None and output.suffix.lower() not in (".html", ".htm"):
        raise OptionError(f"{output}: the page is HTML; end the name in .html, or take --csv or --latex")
    if output is not None:
        refuse(output, overwrite=force, inputs=[path])
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
    shown = [one.tabled() for one in found]
    tables = [table for some, _ in shown for table in some]
    sentences = [sentence for _, some in shown for sentence in some]
    if output is None:
        print_tabled(tables, sentences, as_csv=as_csv, as_latex=as_latex)
        return
    with new_file(output, overwrite=force) as stream:
        stream.write(tabled_page(definition.title, tables, sentences).encode())
    print(f"{output}: open it in a browser", file=sys.stderr)
