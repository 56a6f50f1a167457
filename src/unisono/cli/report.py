"""`unisono report`: the page to open after every round."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.options import Base, DaskAddress, Force, Measures, Paths, Seed, WorkerCount, base_corpus, crew
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError
from unisono.execution import Workers
from unisono.report.full.measured import FEW_ANNOTATORS, FEW_UNITS, Measured, with_subsets

if TYPE_CHECKING:
    from unisono.measures.registry import Measure


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
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Show which magnitude of which error gives the agreement.")
    ] = False,
    hide_text: Annotated[
        bool, typer.Option("--hide-text", help="Leave the documents' text out, for private data.")
    ] = False,
    seed: Seed = 42,
    workers: WorkerCount = None,
    dask: DaskAddress = None,
    force: Force = False,
) -> None:
    """Write one page with everything: values, tables, and the alignment to look through."""
    from unisono.measures.registry import default_measure, parse_measure
    from unisono.output import new_file
    from unisono.report.full.page import report_page
    from unisono.report.full.writing import missing_alignments, write_page

    if output.suffix.lower() not in (".html", ".htm"):
        raise OptionError(f"{output}: the report is an HTML page; end the name in .html")
    chosen = [parse_measure(text) for text in measures or ()]
    if output.exists() and not force:
        with new_file(output):  # refuses before the long work
            pass
    data = reading.data(paths)
    if base is not None and not chosen:
        chosen = [parse_measure("text-gamma")]
    chosen = chosen or [default_measure(data)]
    started = base_corpus(reading, base, [one.declaration.takes_base for one in chosen])
    with crew(workers, dask) as hands:
        found = [_measured(one, data, started, seed, hands, subsets, ladder) for one in chosen]
        if all(one.result is None for one in found):
            raise DataError("; ".join(f"{one.measure}: {one.failed}" for one in found))
        with progress_bar("align") as tell:
            aligned = missing_alignments(data, found, workers=hands, progress=tell)
    page = report_page(found, data, title=_title(paths), alignments=aligned, hide_text=hide_text)
    write_page(page, output, overwrite=force)
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
    return replace(found, ladder=_ladder(data, one, result.agreement, base, seed, hands)) if ladder else found


def _ladder(data: Data, one: Measure, agreement: float | None, base: Corpus | None, seed: int, hands: Workers) -> Any:
    """Find what the agreement means in errors, or say why it cannot be found."""
    from unisono.shuffling import ladder

    if agreement is None:
        return "No ladder: there is no value to compare with."
    try:
        with progress_bar("ladder") as tell:
            return ladder(data, str(one), value=agreement, base=base, rng=seed, workers=hands, progress=tell)
    except DataError as error:
        return f"No ladder: {error}."


def _title(paths: list[Path]) -> str:
    """Name the page after what was read."""
    names = [path.resolve().name or str(path) for path in paths]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"Agreement: {', '.join(names[:3])}{more}"
