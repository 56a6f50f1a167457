"""`unisono gold` for labels of items: what is written, and what is left to decide."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.cli.printing import screen
from unisono.cli.spelling import naming
from unisono.errors import plural

if TYPE_CHECKING:
    from unisono.adjudication import ItemGold


@dataclass(frozen=True)
class Writing:
    """Where the draft and the queue go, and what is in them."""

    output: Path
    queue: Path | None
    plain: bool
    soft: bool
    hide_text: bool
    safe: bool
    force: bool
    tool: str | None = None
    """The format of a tool, if one is named."""


def write_items(draft: ItemGold, how: Writing) -> None:
    """Write the draft and the queue, and say what was made."""
    from unisono.formats.writing import write
    from unisono.reporting.alignment_table import write_table
    from unisono.reporting.terminal import show_table

    lost: list[str] = []
    if how.tool is None:
        write_table(_table(draft, how), how.output, overwrite=how.force, safe=how.safe)
    else:
        ratings = replace(draft.ratings, texts=None) if how.hide_text else draft.ratings
        with naming(format="--to"):
            lost = write(ratings, how.output, format=how.tool, overwrite=how.force)
    if how.queue is not None:
        write_table(draft.queue_columns(hide_text=how.hide_text), how.queue, overwrite=how.force, safe=how.safe)
    for table in (draft.annotators(), *draft.confusion()):
        show_table(screen(), *table)
    for sentence in [*lost, *draft.notes, *_summary(draft, how)]:
        print(sentence, file=sys.stderr)


def _table(draft: ItemGold, how: Writing) -> dict[str, list[Any]]:
    if not how.soft:
        return draft.columns(plain=how.plain, hide_text=how.hide_text)
    if how.output.suffix.lower() == ".jsonl":
        return draft.soft_rows(hide_text=how.hide_text)
    return draft.soft_columns(hide_text=how.hide_text)


def _summary(draft: ItemGold, how: Writing) -> Iterator[str]:
    """Describe what was made, and what is left to do."""
    drafted = f"labels of {draft.n_drafted:,} of {plural(len(draft.joint.label), 'item')}"
    yield f"{how.output}: {drafted} by {draft.rule} ({draft.scale}; change with --scale)"
    if not draft.to_decide:
        yield "nothing is left to decide"
        return
    where = "to decide; list them with --queue queue.csv" if how.queue is None else f"to decide in {how.queue}"
    yield f"{len(draft.to_decide):,} {where}: " + ", ".join(f"{kind} {n:,}" for kind, n in draft.reasons().items())
