"""`unisono report`: the page to open after every round."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.measuring import ladder_of, with_base
from unisono.cli.options import Base, DaskAddress, Force, HideText, Measures, Paths, Seed, WorkerCount, crew
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError
from unisono.execution import Workers
from unisono.measurement.completing import FEW_ANNOTATORS, FEW_UNITS, Measured, missing_alignments, with_subsets

if TYPE_CHECKING:
    from unisono.measurement.registry import Measure


@reads
def report(
    reading: Reading,
    paths: Paths,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write, .html.")],
    measures: Measures = None,
    base: Base = None,
    subsets: Annotated[
        bool | None,
        typer.Option(
            "--subsets/--no-subsets",
            help="The value of every pair and without each annotator; by default up to "
            f"{FEW_ANNOTATORS} annotators and {FEW_UNITS:,} units.",
        ),
    ] = None,
    alignment: Annotated[
        bool, typer.Option("--alignment/--no-alignment", help="Align units where no measure does, to look at them.")
    ] = True,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Show which magnitude of which error gives the agreement.")
    ] = False,
    hide_text: HideText = False,
    seed: Seed = 42,
    workers: WorkerCount = None,
    dask: DaskAddress = None,
    force: Force = False,
) -> None:
    """Write one page with everything: values, tables, and the alignment to look through."""
    from unisono.measurement.registry import parse_measure
    from unisono.output import refuse
    from unisono.reporting.full_report.full_page import report_page
    from unisono.reporting.full_report.writing import write_page

    if output.suffix.lower() not in (".html", ".htm"):
        raise OptionError(f"{output}: the report is an HTML page; end the name in .html")
    chosen = [parse_measure(text) for text in measures or ()]
    refuse(output, overwrite=force, inputs=reading.inputs(paths, base))
    data = reading.data(paths)
    chosen, started = with_base(chosen, reading, data, base)
    with crew(workers, dask) as hands:
        found = [_measured(one, data, started, seed, hands, subsets, ladder) for one in chosen]
        if all(one.result is None for one in found):
            raise DataError("; ".join(f"{one.measure}: {one.failed}" for one in found))
        with progress_bar("align") as tell:
            aligned = missing_alignments(data, found, workers=hands, progress=tell) if alignment else None
    page = report_page(found, data, title=_title(paths), alignments=aligned, hide_text=hide_text)
    write_page(page, output, overwrite=force)
    for one in found:
        if one.result is None:
            print(f"{one.measure} is not measured: {one.failed}", file=sys.stderr)
    print(f"{output}: open it in a browser", file=sys.stderr)


def _measured(
    one: Measure, data: Data, base: Corpus | None, seed: int, hands: Workers, subsets: bool | None, ladder: bool
) -> Measured:
    """Measure, and ask what the page shows besides; a measure that cannot be taken says why."""
    try:
        with progress_bar(str(one)) as tell:
            result = one.compute(data, base=base, rng=seed, workers=hands, progress=tell)
            found = with_subsets(str(one), result, subsets)
    except DataError as error:
        return Measured(str(one), failed=str(error))
    if result.undefined and (reason := one.unfit(data)) is not None:
        return Measured(str(one), failed=reason)
    if not ladder:
        return found
    with progress_bar("ladder") as tell:
        rungs = ladder_of(data, one, result.agreement, base=base, seed=seed, hands=hands, tell=tell)
    return replace(found, ladder=rungs)


def _title(paths: list[Path]) -> str:
    """Name the page after what was read."""
    names = [path.resolve().name or str(path) for path in paths]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"Agreement: {', '.join(names[:3])}{more}"
