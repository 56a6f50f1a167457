"""Tables of labels whose columns have any names: a tool's result table, one row per label, or one column per annotator.

Units and rewritten words have columns of given names (`columns`); what is not named so comes here, from whichever file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unisono.data import Question
from unisono.errors import listed
from unisono.formats.columns import (
    NAMED_RUN,
    RATINGS_LONG,
    RATINGS_WIDE,
    RUN,
    UNITS,
    VERDICTS,
    TableKind,
    assign_columns,
    has_names,
)
from unisono.formats.contents import are_times, given, shared_kind
from unisono.formats.dialects import Judgments, judgments_of, recognized_dialect
from unisono.formats.kinds import check_annotators, long_without_header, table_kind
from unisono.formats.recognition import RawColumns, Roles, long_roles
from unisono.formats.table import QuestionColumn, RawTable
from unisono.formats.verdict_columns import are_pairs, verdict_roles
from unisono.formats.verdict_tables import label_table_of
from unisono.formats.wide_tables import WideRoles, labels_without_header, no_annotators, wide_roles

_RESERVED = (*RATINGS_LONG.columns, *RATINGS_WIDE.columns)


@dataclass(frozen=True)
class LabelFile:
    """What a reader knows about a table of labels, besides its columns."""

    columns: Mapping[str, str]
    """Our names to those of the columns, as the user says."""
    expected: Collection[TableKind]
    document: str
    source: str
    as_ratings: str
    """How a user says that every column is an annotator."""
    headed: bool = True
    """Whether the names of the columns are surely names."""
    dropped: Mapping[str, int] = field(default_factory=dict)


def is_label_table(names: Sequence[str], columns: Mapping[str, str], expected: Collection[TableKind]) -> bool:
    """Whether what the columns are has to be found out: they do not have the names of a kind of table."""
    if VERDICTS in expected:
        return True
    if RATINGS_WIDE not in expected:
        return False
    if any(_counts(names, theirs) != 1 for theirs in columns.values()):
        return False  # a column is not there, which an error explains
    known = any(kind.required and has_names(names, columns, kind) for kind in expected)
    return not known or recognized_dialect(names) is not None or are_pairs(names)


def _counts(names: Sequence[str], wanted: str) -> int:
    plain = [name.strip() for name in names]
    return plain.count(wanted.strip()) or [name.casefold() for name in plain].count(wanted.strip().casefold())


def label_table(columns: RawColumns, file: LabelFile) -> RawTable:
    """Find out what the columns are, and make a table of labels of them; one of verdicts keeps its columns."""
    if VERDICTS in file.expected:
        others = dict(zip((name.strip() for name in columns.names), columns.cells, strict=True))
        return RawTable(VERDICTS, {}, others, columns.fail, file.document, file.source, file.dropped)
    asked = columns.places(file.columns)
    if asked is None:
        _reject_columns(columns, file, RATINGS_LONG)
        asked = {}
    roles_of_verdicts = verdict_roles(columns, asked)
    if roles_of_verdicts is not None:
        lost = {**file.dropped, **_unread(columns, roles_of_verdicts.used)}
        return label_table_of(columns, roles_of_verdicts, file.document, file.source, lost)
    dialect = recognized_dialect(columns.names)
    if dialect is not None and (judgments := judgments_of(dialect, columns, asked)) is not None:
        return _judged(columns, file, judgments, asked)
    if not file.headed and not file.columns and (table := _without_header(columns, file)) is not None:
        return table
    roles = long_roles(columns, asked)
    if roles is not None:
        return _long(columns, file, roles, asked)
    names = [name for name, cells in zip(columns.names, columns.cells, strict=True) if not are_times(cells)]
    kind = table_kind(names if len(names) > 1 else columns.names, file.columns, file.expected)
    if kind is not RATINGS_WIDE:
        _reject_columns(columns, file, kind)
    return _wide(columns, file, asked)


def _reject_columns(columns: RawColumns, file: LabelFile, kind: TableKind) -> None:
    """Explain which columns are missing."""
    assign_columns(columns.names, file.columns, kind, columns.fail, file.as_ratings)


def _runs(columns: RawColumns, asked: Mapping[str, int]) -> dict[str, Sequence[Any]]:
    """Return the column of runs, if the user names one."""
    return {NAMED_RUN: columns.cells[asked[RUN]]} if RUN in asked else {}


def _judged(columns: RawColumns, file: LabelFile, judgments: Judgments, asked: Mapping[str, int]) -> RawTable:
    answers = {
        (f"label {one.question.name}" if one.question.name in _RESERVED else one.question.name): one
        for one in judgments.answers
    }
    if len(answers) == 1:
        answers = {"label": judgments.answers[0]}
    table = RawTable(
        RATINGS_LONG,
        {},
        {
            "item": judgments.item,
            "annotator": judgments.annotator,
            **_runs(columns, asked),
            **{name: one.cells for name, one in answers.items()},
        },
        columns.fail,
        file.document,
        file.source,
        {**file.dropped, **judgments.dropped, **_unread(columns, judgments.used)},
        tuple(QuestionColumn(name, one.question) for name, one in answers.items()),
        _as_texts(judgments.text),
    )
    kept = table.without(judgments.left_out)
    if not kept.n_rows:
        raise columns.fail(None, f"no answer counts: all are {listed([*judgments.dropped], 3)}; check the file")
    return kept


def _long(columns: RawColumns, file: LabelFile, roles: Roles, asked: Mapping[str, int]) -> RawTable:
    alone = len(roles.labels) == 1
    questions = {
        place: columns.question(place) if alone else replace(columns.question(place), name=columns.names[place].strip())
        for place in roles.labels
    }
    keys = {
        place: "label" if alone else f"label {one.name}" if one.name in _RESERVED else one.name
        for place, one in questions.items()
    }
    others = {
        "item": columns.cells[roles.item],
        "annotator": columns.cells[roles.annotator],
        **_runs(columns, asked),
    }
    if roles.document is not None:
        others["document"] = columns.cells[roles.document]
    others |= {keys[place]: columns.cells[place] for place in roles.labels}
    used = {roles.item, roles.annotator, *roles.labels} | ({roles.document, roles.text, asked.get(RUN)} - {None})
    return RawTable(
        RATINGS_LONG,
        {},
        others,
        columns.fail,
        file.document,
        file.source,
        {**file.dropped, **_unread(columns, used)},
        tuple(QuestionColumn(keys[place], question) for place, question in questions.items()),
        None if roles.text is None else _as_texts(columns.cells[roles.text]),
    )


def _wide(columns: RawColumns, file: LabelFile, asked: Mapping[str, int]) -> RawTable:
    if UNITS in file.expected:
        places, roles = _wide_places(columns, file, asked)
        _check_wide(columns, file, places, roles)
    else:  # the user says that every column is an annotator
        places = assign_columns(columns.names, file.columns, RATINGS_WIDE, columns.fail, file.as_ratings)
        roles = WideRoles([*places.values()])
    who = [place for name, place in places.items() if name not in RATINGS_WIDE.columns]
    return RawTable(
        RATINGS_WIDE,
        {},
        {name: columns.cells[place] for name, place in places.items()},
        columns.fail,
        file.document,
        file.source,
        {**file.dropped, **roles.dropped},
        (QuestionColumn("", common_question([columns.question(place) for place in who])),),
        None if roles.text is None else _as_texts(columns.cells[roles.text]),
    )


def _wide_places(columns: RawColumns, file: LabelFile, asked: Mapping[str, int]) -> tuple[dict[str, int], WideRoles]:
    """Find the columns that count, by our names."""
    roles = wide_roles(columns, asked)
    found = {"item": roles.item, "document": roles.document}
    named = {ours: place for ours, place in found.items() if place is not None}
    kept = sorted([*roles.annotators, *named.values()])
    names = {place: columns.names[place].strip() for place in kept}
    if roles.item is not None:
        names[roles.item] = names[roles.item] or "item"
    ours = {**{name: names[place] for name, place in named.items()}, **file.columns}
    assigned = assign_columns([names[place] for place in kept], ours, RATINGS_WIDE, columns.fail, file.as_ratings)
    return {name: kept[place] for name, place in assigned.items()}, roles


def _check_wide(columns: RawColumns, file: LabelFile, places: Mapping[str, int], roles: WideRoles) -> None:
    """Reject columns that are hardly annotators, unless the table or the user says what is the item."""
    exact = any(name.strip().casefold() in RATINGS_WIDE.columns for name in columns.names)
    who = [place for name, place in places.items() if name not in RATINGS_WIDE.columns]
    if exact or file.columns:
        return
    if len(who) < 2:
        raise columns.fail(None, no_annotators([name.strip()[:40] for name in columns.names]))
    item = roles.item
    has_header = item is not None and shared_kind([columns.names[item]]) is not shared_kind(columns.cells[item])
    if not file.headed and not has_header:
        check_annotators({columns.names[place].strip(): columns.cells[place] for place in who}, columns.fail)


def _without_header(columns: RawColumns, file: LabelFile) -> RawTable | None:
    """Read a table whose first row is like all others; None if it has names."""
    rows = [[name, *cells] for name, cells in zip(columns.names, columns.cells, strict=True)]
    order = long_without_header(columns.names, columns.cells)
    table = RawTable(RATINGS_LONG, {}, {}, columns.fail, file.document, file.source, file.dropped)
    if order is not None:
        return replace(table, others=dict(zip(order, rows, strict=True)))
    begin = labels_without_header(columns) if UNITS in file.expected else None
    if begin is None:
        return None
    others = {"item": rows[0]} if begin else {}
    others |= {str(number): [cell or None for cell in own] for number, own in enumerate(rows[begin:], start=1)}
    told = "row read as labels, not as names of annotators, who are numbered instead"
    return replace(
        table, kind=RATINGS_WIDE, others=others, dropped={**file.dropped, told: 1}, asked=(QuestionColumn(""),)
    )


def common_question(questions: Sequence[Question]) -> Question:
    """Return what the file says about the labels of all annotators: the longest scale, if it has the others' steps."""
    scales = sorted((one for one in questions if one != Question()), key=lambda one: -len(one.order))
    if not scales:
        return Question()
    longest = scales[0]
    meanings = dict(pair for one in scales for pair in one.meanings)
    consistent = all(_is_within(one.order, longest.order) and one.kind == longest.kind for one in scales)
    return Question.of("", longest.kind, longest.order, meanings) if consistent else Question.of("", None, (), meanings)


def _is_within(steps: Sequence[str], scale: Sequence[str]) -> bool:
    """Whether steps are some of a scale, in the same order."""
    return [step for step in scale if step in steps] == list(steps)


def _unread(columns: RawColumns, used: Collection[int | None]) -> dict[str, int]:
    unread = [name.strip() for place, name in enumerate(columns.names) if place not in used]
    return {f"columns that are not read: {listed(unread, 3)}": len(unread)} if unread else {}


def _as_texts(cells: Sequence[Any] | None) -> list[str | None] | None:
    if cells is None or not given(cells):
        return None
    return [None if cell is None or cell == "" else str(cell) for cell in cells]
