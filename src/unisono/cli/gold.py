"""`unisono gold`: a draft of a gold standard, and what is left to decide."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from unisono.cli.completion import one_of
from unisono.cli.help import DRAFTING, OUTPUT
from unisono.cli.options import AligningMeasure, Crew, Force, HideText, Output, Paths, SafeCsv, To, with_groups
from unisono.cli.printing import screen
from unisono.cli.progress import progress_bar
from unisono.cli.reading import Reading
from unisono.cli.spelling import naming
from unisono.errors import DataError, OptionError, plural

TABLES = ("csv", "tsv", "parquet")
"""Formats that have no place for whole texts."""

if TYPE_CHECKING:
    from unisono.adjudication import Gold, TextGold
    from unisono.data import Corpus


@dataclass(frozen=True)
class Drafting:
    """What goes into the draft, and what a person has to decide."""

    support: float = DRAFTING.field(0.5, "SHARE", "Draft units that more than this share of the annotators marked.")
    majority: float = DRAFTING.field(
        0.5, "SHARE", "Ask where no label was given by more than this share of those who marked the unit."
    )
    boundary: float | None = DRAFTING.field(
        None,
        "DISTANCE",
        "Ask where starts or ends are further apart than this; by default where the median is not a boundary "
        "that someone set. For labels on a scale: a quarter of its range.",
    )
    sure: float | None = DRAFTING.field(
        None, "SHARE", "Also ask about drafted units if no more than this share marked them."
    )
    ask_above: float = DRAFTING.field(
        0.0, "SHARE", "Of the units with too little support, ask about those with more than this."
    )
    competence: str | None = DRAFTING.field(
        None,
        "MODEL",
        "Weight annotators by their estimated competence: dawid-skene, mace, or severity (labels of items on a scale).",
        complete=one_of("dawid-skene", "mace", "severity"),
    )
    scale: str | None = DRAFTING.field(
        None,
        "SCALE",
        "For labels of items: nominal (the majority decides), ordinal (the median) or interval (the mean); detected "
        "automatically by default.",
        complete=one_of("nominal", "ordinal", "interval"),
    )
    spans: Path | None = DRAFTING.field(
        None,
        "FILE",
        "For relations: the gold standard of the spans that they join; by default, it is drafted from the spans of "
        "the same annotators.",
    )
    decisions: list[Path] | None = DRAFTING.field(
        None,
        "FILE",
        "What people decided in the app (`unisono serve`); can be repeated, once per person. Where they differ, the "
        "place stays in the queue.",
    )


@with_groups
def gold(
    paths: Paths,
    reading: Reading,
    drafting: Drafting,
    crew: Crew,
    output: Output,
    to: To = None,
    queue: Annotated[
        Path | None,
        OUTPUT("FILE", "A file for the cases that a person has to decide: .csv, .tsv or .jsonl."),
    ] = None,
    measure: AligningMeasure = None,
    plain: Annotated[
        bool, OUTPUT("", "Leave out the shares of support, so that your annotation tool can read the file.", "--plain")
    ] = False,
    soft: Annotated[
        bool, OUTPUT("", "For labels of items: write the distribution of labels of each item.", "--soft")
    ] = False,
    hide_text: HideText = False,
    safe_csv: SafeCsv = False,
    force: Force = False,
) -> None:
    """Draft a gold standard, and list what is left to decide.

    The draft contains what most annotators marked, with the share of annotators who support it, or one label per item;
    if annotators corrected the text, one text with its tokens.

    Examples
    --------
    unisono gold annotations.csv -o gold.csv --queue queue.csv
    unisono gold ratings.csv -o gold.jsonl --soft
    """
    from unisono.adjudication import ItemGold, TextGold
    from unisono.adjudication import gold as drafted
    from unisono.cli.gold_items import Writing, write_items
    from unisono.data import Ratings
    from unisono.formats.writing import prepared, refuse_target
    from unisono.measurement.registry import parse_measure
    from unisono.reporting.alignment_table import write_table
    from unisono.reporting.terminal import show_table

    if measure is not None:
        parse_measure(measure)  # reports what is wrong before the long work
    inputs = reading.inputs(paths, *(drafting.decisions or ()), drafting.spans)
    with naming(format="--to"):
        target = refuse_target(output, format=to, overwrite=force, inputs=inputs)
    if hide_text and target.folder is not None:
        raise OptionError(f"{target.name} needs the text, which --hide-text leaves out; write csv or jsonl")
    if queue is not None:
        _check_queue(queue, output, inputs, force)
    data = reading.data(paths, crew.workers)
    if not isinstance(data, Ratings):
        if soft:
            raise OptionError("--soft is for labels of items, and these are units; leave it out")
        with naming(format="--to"):
            refuse_target(output, format=to, overwrite=force, data=data)
    how = {**asdict(drafting), "spans": drafting.spans or reading.spans(paths, data, crew.workers)}
    with crew.hands() as workers, progress_bar("align") as tell:
        draft = drafted(data, measure, **how, workers=workers, progress=tell)
    if isinstance(draft, ItemGold):
        tool = None if target.name in ("csv", "tsv", "jsonl", "ratings") else target.name
        if soft and tool is not None:
            raise OptionError(f"--soft writes a table, which {target.name} has no place for; write csv or jsonl")
        write_items(draft, Writing(output, queue, plain, soft, hide_text, safe_csv, force, tool))
        return
    if not draft.proposals:
        raise DataError("nothing is marked in any document that two annotators worked on, so there is no draft")
    is_tool = target.written_by_name or target.folder is not None
    if isinstance(draft, TextGold):
        written = draft.written(plain=plain, hide_text=hide_text, quoted=target.name in TABLES)
    else:
        written = draft.written(plain=plain, hide_text=hide_text, spans=is_tool)
    safe = safe_csv and target.write_safe is not None
    with prepared(written, output, format=to, overwrite=force, safe=safe) as lost:
        if queue is not None:
            write_table(draft.queue_columns(hide_text=hide_text), queue, overwrite=force, safe=safe_csv)
    if draft.competence is not None:
        show_table(screen(), *draft.competence.table())
    joined = getattr(draft, "spans", None) if is_tool else None
    for sentence in [*lost, *draft.remarks, *_summary(draft, output, queue, joined)]:
        print(sentence, file=sys.stderr)


def _check_queue(queue: Path, output: Path, inputs: Sequence[Path], force: bool) -> None:
    """Check that the queue can be written, before anything is written."""
    from unisono.output import lies_in, refuse, same_place
    from unisono.reporting.alignment_table import refuse_table_name

    refuse_table_name(queue)
    if same_place(queue, output) or lies_in(queue, output):
        raise OptionError(
            f"{queue}: the draft and the queue must be separate, neither inside the other; choose another"
        )
    refuse(queue, overwrite=force, inputs=inputs)


def _summary(draft: Gold | TextGold, output: Path, queue: Path | None, joined: Corpus | None) -> list[str]:
    """Describe what was made, and what is left to do; `joined` are spans that were written with relations."""
    documents = plural(len(draft.documents), "document")
    also = "" if joined is None else f", with {plural(joined.n_units, 'span')} that they may join"
    lines = [f"{output}: {plural(len(draft.drafted), 'unit')} in {documents}{also}"]
    if draft.n_unasked:
        lines.append(f"{plural(draft.n_unasked, 'unit')} with too little support left out (--ask-above)")
    if not draft.to_decide:
        return [*lines, "nothing is left to decide"]
    where = "to decide; list them with --queue queue.csv" if queue is None else f"to decide in {queue}, worst first"
    several = " (some for several reasons)" if sum(draft.reasons().values()) > len(draft.to_decide) else ""
    return [*lines, f"{len(draft.to_decide):,} {where}: {_counts(draft.reasons())}{several}"]


def _counts(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {count:,}" for kind, count in reasons.items())
