"""`unisono gold`: a draft of a gold standard, and what is left to decide."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.options import DaskAddress, Force, HideText, Output, Paths, To, WorkerCount, crew
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading, reads
from unisono.errors import DataError, OptionError, plural

if TYPE_CHECKING:
    from unisono.adjudication import Gold


@reads
def gold(
    reading: Reading,
    paths: Paths,
    output: Output,
    to: To = None,
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
    hide_text: HideText = False,
    workers: WorkerCount = None,
    dask: DaskAddress = None,
    force: Force = False,
) -> None:
    """Draft a gold standard: what most annotators marked, with the share that supports it."""
    from unisono.adjudication import gold as drafted
    from unisono.formats.writing import prepared, refuse_target
    from unisono.measurement.registry import parse_measure
    from unisono.reporting.alignment_table import write_table

    if measure is not None:
        parse_measure(measure)  # tells of what is wrong before the long work
    target = refuse_target(output, format=to, overwrite=force, inputs=reading.inputs(paths))
    if hide_text and target.folder is not None:
        raise OptionError(f"{target.name} needs the text, which --hide-text leaves out; write csv or jsonl")
    if queue is not None:
        _refuse_queue(queue, output, reading.inputs(paths), force)
    data = reading.data(paths)
    refuse_target(output, format=to, overwrite=force, data=data)
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
    if not draft.proposals:
        raise DataError("nobody marked anything in a document that two annotators worked on, so there is no draft")
    with prepared(draft.written(plain=plain, hide_text=hide_text), output, format=to, overwrite=force) as lost:
        if queue is not None:
            write_table(draft.queue_columns(hide_text=hide_text), queue, overwrite=force)
    _show_competence(draft)
    for said in [*lost, *draft.notes, *_said(draft, output, queue)]:
        print(said, file=sys.stderr)


def _refuse_queue(queue: Path, output: Path, inputs: list[Path], force: bool) -> None:
    """Refuse a table that cannot be written, before anything is."""
    from unisono.output import lies_in, refuse, same_place
    from unisono.reporting.alignment_table import refuse_table_name

    refuse_table_name(queue)
    if same_place(queue, output) or lies_in(queue, output):
        raise OptionError(f"{queue}: the draft and the queue cannot be the same file, nor one lie in the other")
    refuse(queue, overwrite=force, inputs=inputs)


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
    from unisono.reporting.terminal import show_table

    show_table(screen, *draft.competence.table())
