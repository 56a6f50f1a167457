"""What a person should decide, as tables; of units, what all annotators marked, and a proposal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from unisono.adjudication.proposal import Proposal, Reason, label_words, marked
from unisono.data import Document, Unit
from unisono.results import Captioned, Table

_MOST_ROWS = 20
_MOST_TEXT = 300
_DIGITS = 4


def queue_columns(
    proposals: Sequence[Proposal], annotators: Sequence[str], documents: Mapping[str, Document]
) -> dict[str, list[Any]]:
    """Return the queue as columns; cells of annotators who did not work on a document are empty.

    `documents` are those whose text is shown; without any, there is no column for it.
    """
    columns: dict[str, list[Any]] = {
        "document": [proposal.document for proposal in proposals],
        "start": [proposal.row.start for proposal in proposals],
        "end": [proposal.row.end for proposal in proposals],
    }
    if documents:
        quoting = {name: document.quoting() for name, document in documents.items()}
        columns["text"] = [_covered(proposal, quoting.get(proposal.document)) for proposal in proposals]
    columns |= {
        "why": ["; ".join(reason.words for reason in proposal.reasons) for proposal in proposals],
        "draft": [proposal.words for proposal in proposals],
        "support": [round(proposal.support, _DIGITS) for proposal in proposals],
        "disorder": [round(proposal.row.disorder, _DIGITS) for proposal in proposals],
    }
    for who in annotators:
        columns[free_name(who, columns)] = [_marked_by(proposal, who) for proposal in proposals]
    return columns


def head_of_queue(columns: Mapping[str, Sequence[Any]]) -> list[Captioned]:
    """Return the first rows of a queue as a table; none if it is empty."""
    rows = list(zip(*columns.values(), strict=True))
    more = f", the first {_MOST_ROWS}" if len(rows) > _MOST_ROWS else ""
    return [Captioned(f"To decide, the worst first{more}", Table(tuple(columns), rows[:_MOST_ROWS]))] if rows else []


def counted_reasons(reasons: Iterable[Sequence[Reason]]) -> dict[str, int]:
    """Return on how many places each kind of reason occurs, the most frequent first."""
    kinds = Counter(kind for own in reasons for kind in {reason.kind for reason in own})
    return dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))


def free_name(name: str, taken: Mapping[str, Any]) -> str:
    """Return a name for a column that is not taken; annotators and features may be named like our columns."""
    number = 2
    free = name
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free


def _covered(proposal: Proposal, covered: Callable[[float, float], str | None] | None) -> str | None:
    """Return the text from the first unit's start to the last one's end; the middle of a long one is left out."""
    found = None if covered is None else covered(proposal.row.start, proposal.row.end)
    if found is None:
        return None
    return found if len(found) <= _MOST_TEXT else f"{found[: _MOST_TEXT // 2]} … {found[-_MOST_TEXT // 2 :]}"


def _marked_by(proposal: Proposal, who: str) -> str | None:
    """Describe what an annotator marked."""
    if who not in proposal.row.units:
        return None
    unit = proposal.row.units[who]
    return "no unit" if unit is None else marked(unit.start, unit.end, _labels(unit), unit.anchors)


def _labels(unit: Unit) -> dict[str, str]:
    return {name: "" if label is None else label_words(label) for name, label in unit.features.items()}
