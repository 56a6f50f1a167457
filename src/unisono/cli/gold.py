"""`unisono gold`: a draft of a gold standard, and what is left to decide."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.options import DaskAddress, Force, Paths, WorkerCount, crew
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.errors import DataError, OptionError, plural

if TYPE_CHECKING:
    from unisono.gold import Gold


@reads
def gold(
    reading: Reading,
    paths: Paths,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write, or the folder for brat.")],
    to: Annotated[
        str | None, typer.Option("--to", help="The format to write, e.g. jsonl, csv, brat; else by the file's name.")
    ] = None,
    queue: Annotated[
        Path | None, typer.Option("--queue", help="A table to write of what a person must decide: .csv, .tsv, .jsonl.")
    ] = None,
    measure: Annotated[
        str | None, typer.Option("--measure", "-m", help='The measure that aligns, e.g. "gamma(alpha=3,beta=1)".')
    ] = None,
    support: Annotated[
        float, typer.Option("--support", help="Draft units that more than this share of the annotators marked.")
    ] = 0.5,
    majority: Annotated[
        float, typer.Option("--majority", help="Ask where no more than this share of those who marked it gave a label.")
    ] = 0.5,
    boundary: Annotated[
        float | None,
        typer.Option(
            "--boundary",
            help="Ask where starts or ends are further apart than this; else where the median is between two.",
        ),
    ] = None,
    sure: Annotated[
        float | None, typer.Option("--sure", help="Ask about drafted units too if no more than this share marked them.")
    ] = None,
    ask_above: Annotated[
        float,
        typer.Option("--ask-above", help="Of units with too little support, ask about those with more than this."),
    ] = 0.0,
    competence: Annotated[
        str | None,
        typer.Option("--competence", help="Weigh annotators by competence, which is estimated: dawid-skene or mace."),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Write no shares of support, so that the file can go back to the tool.")
    ] = False,
    hide_text: Annotated[bool, typer.Option("--hide-text", help="Write no text into the queue.")] = False,
    workers: WorkerCount = None,
    dask: DaskAddress = None,
    force: Force = False,
) -> None:
    """Draft a gold standard: what most annotators marked, with the share that supports it."""
    from unisono.formats import write
    from unisono.gold import gold as drafted
    from unisono.measures.registry import parse_measure
    from unisono.report.alignment_table import refuse_table_name, write_table

    if measure is not None:
        parse_measure(measure)  # tells of what is wrong before the long work
    if queue is not None:
        refuse_table_name(queue)
    _refuse_files(output, queue, force)
    data = reading.data(paths)
    with crew(workers, dask) as hands, progress_bar("align") as tell:
        draft = drafted(
            data,
            measure,
            support=support,
            majority=majority,
            boundary=boundary,
            sure=sure,
            ask_above=ask_above,
            competence=competence,
            workers=hands,
            progress=tell,
        )
    lost = write(draft.plain if plain else draft.corpus, output, format=to, overwrite=force)
    if queue is not None:
        write_table(draft.queue_columns(hide_text=hide_text), queue, overwrite=force)
    _show_competence(draft)
    for said in [*lost, *draft.notes, *_said(draft, output, queue)]:
        print(said, file=sys.stderr)


def _refuse_files(output: Path, queue: Path | None, force: bool) -> None:
    """Refuse files that are there already, before anything is written."""
    if queue is not None and output.absolute() == queue.absolute():
        raise OptionError(f"{queue}: the draft and the queue cannot be the same file")
    for path in (output, queue):
        if path is not None and path.is_file() and not force:
            raise DataError(
                "the file exists already; choose another name, or allow to overwrite it (--force)", path=path
            )


def _said(draft: Gold, output: Path, queue: Path | None) -> list[str]:
    """Say what was made, and what is left to do."""
    documents = plural(len(draft.documents), "document")
    said = [f"{output}: {plural(len(draft.drafted), 'unit')} in {documents}"]
    if draft.n_unasked:
        said.append(f"{plural(draft.n_unasked, 'unit')} with too little support left out (--ask-above)")
    why = ", ".join(f"{kind} {count:,}" for kind, count in draft.reasons().items())
    if draft.to_decide:
        where = "to decide; list them with --queue queue.csv" if queue is None else f"to decide in {queue}, worst first"
        said.append(f"{len(draft.to_decide):,} {where}: {why}")
    else:
        said.append("nothing is left to decide")
    return said


def _show_competence(draft: Gold) -> None:
    if draft.competence is None:
        return
    from unisono.cli.screen import screen
    from unisono.report.terminal import show_table

    show_table(screen, *draft.competence.table())
