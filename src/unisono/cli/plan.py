"""`unisono plan`: how many documents an interval of a given width needs."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from unisono.cli.measuring import with_base
from unisono.cli.options import (
    AsCsv,
    AsJson,
    AsLatex,
    Base,
    DaskAddress,
    Paths,
    Seed,
    WorkerCount,
    crew,
    refuse_several,
)
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.cli.tabled import print_tabled


@reads
def plan(
    reading: Reading,
    paths: Paths,
    width: Annotated[float, typer.Option("--width", help="The width of the interval wanted, e.g. 0.1.")],
    measure: Annotated[
        str | None, typer.Option("--measure", "-m", help="What to measure; see `unisono measures`.")
    ] = None,
    probability: Annotated[float, typer.Option(help="How likely the interval shall be as narrow.")] = 0.8,
    base: Base = None,
    seed: Seed = 42,
    workers: WorkerCount = None,
    dask: DaskAddress = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    as_latex: AsLatex = False,
) -> None:
    """Say how many documents, or items, give an interval as narrow as wanted, from a pilot annotation."""
    from unisono.comparison import plan as planned
    from unisono.measurement.registry import parse_measure

    refuse_several(json=as_json, csv=as_csv, latex=as_latex)
    data = reading.data(paths)
    (chosen,), started = with_base([] if measure is None else [parse_measure(measure)], reading, data, base)
    with crew(workers, dask) as hands, progress_bar("plan") as tell:
        found = planned(
            data,
            width,
            str(chosen),
            probability=probability,
            base=started,
            rng=seed,
            workers=hands,
            progress=tell,
        )
    if as_json:
        print(json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False, indent=1))
    else:
        print_tabled(*found.tabled(), as_csv=as_csv, as_latex=as_latex)
