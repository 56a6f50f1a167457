"""`unisono report`: the page to open after every round."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.options import Base, DaskAddress, Force, Measures, Paths, Seed, WorkerCount, base_corpus, crew
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError
from unisono.execution import Workers

if TYPE_CHECKING:
    from unisono.alignment.aligned import Aligned
    from unisono.measures.registry import Measure
    from unisono.report.full.measured import Measured

_FEW_ANNOTATORS = 8
_FEW_UNITS = 5000


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
            f"{_FEW_ANNOTATORS} annotators and {_FEW_UNITS:,} units.",
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
        aligned = _alignments(data, found, hands)
    page = report_page(found, data, title=_title(paths), alignments=aligned, hide_text=hide_text)
    with new_file(output, overwrite=force) as stream:
        stream.write(page.encode(errors="backslashreplace"))
    print(f"{output}: open it in a browser", file=sys.stderr)


def _measured(
    one: Measure, data: Data, base: Corpus | None, seed: int, hands: Workers, subsets: bool | None, ladder: bool
) -> Measured:
    """Measure, and ask what the page shows besides; a measure that cannot be taken says why."""
    from unisono.report.full.measured import Measured

    try:
        with progress_bar(str(one)) as tell:
            result = one.compute(data, base=base, rng=seed, workers=hands, progress=tell)
            few = result.n_annotators <= _FEW_ANNOTATORS and result.n_units <= _FEW_UNITS
            asked = few if subsets is None else subsets
            rungs = _ladder(data, one, result.agreement, base, seed, hands) if ladder else None
            return Measured(
                str(one),
                result,
                without=result.leave_one_out() if asked else (),
                pairs=result.pairwise() if asked else (),
                subsets=asked,
                ladder=rungs,
            )
    except DataError as error:
        return Measured(str(one), failed=str(error))


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


def _alignments(data: Data, found: list[Measured], hands: Workers) -> dict[str, Aligned] | None:
    """Align units where no measure did, so that there is something to look at."""
    from unisono.measures.registry import aligning_measure

    if not isinstance(data, Corpus) or any(getattr(one.result, "alignment", None) for one in found):
        return None
    try:
        with progress_bar("align") as tell:
            aligned: dict[str, Aligned] = aligning_measure(data).align(data, workers=hands, progress=tell)
            return aligned
    except DataError:
        return None


def _title(paths: list[Path]) -> str:
    """Name the page after what was read."""
    names = [path.resolve().name or str(path) for path in paths]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"Agreement: {', '.join(names[:3])}{more}"
