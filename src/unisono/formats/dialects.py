"""Result tables of platforms, recognized by their columns: one row is what one person answered about one item.

A new platform is one `Dialect` here. It says which columns are what; which rows do not count; and, if answers have no
prefix of their own, which columns cannot be answers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unisono.data import Question
from unisono.errors import listed, mention
from unisono.formats.recognition import RawColumns, Roles, judged_columns, long_roles

_TRUE = ("true", "on", "yes", "1")
_FALSE = ("false", "off", "no", "0", "", "[]")


@dataclass(frozen=True)
class LeftOut:
    """Rows that do not count."""

    column: str
    """How its name begins."""
    cells: re.Pattern[str]
    """What the cell says, in any case."""
    what: str


@dataclass(frozen=True)
class Dialect:
    """The result table of a platform; names of columns are in small letters here, and may be in any case there."""

    title: str
    required: tuple[str, ...]
    """Columns by which it is recognized; * stands for anything."""
    item: tuple[str, ...] = ()
    annotator: tuple[str, ...] = ()
    """The first of these that is there; without them, columns are found by names that many people use."""
    answers: str = ""
    """How columns of answers begin."""
    never: re.Pattern[str] | None = None
    """Names of columns that are no answers, if answers have no prefix."""
    options: str | None = None
    """What separates a question from one of its options, if each option has a column."""
    several: str | None = None
    """What separates several options in one cell."""
    text: str | None = None
    """Names of columns with the item's content; * stands for anything."""
    left_out: tuple[LeftOut, ...] = ()
    aggregated: tuple[str, ...] = ()
    """Columns of a table in which answers of several people are already one."""
    full: str = ""
    """What to do then."""


_YES = re.compile("true|1|yes", re.IGNORECASE)
_NOTHING = re.compile(r"\s*")
_ANYTHING = re.compile(r".*\S.*", re.DOTALL)

DIALECTS: tuple[Dialect, ...] = (
    Dialect(
        title="MTurk",
        required=("hitid", "workerid"),
        item=("hitid",),
        annotator=("workerid",),
        answers="answer.",
        options=".",
        several="|",
        text="input.*",
        left_out=(
            LeftOut("assignmentstatus", re.compile("rejected", re.IGNORECASE), "answers of rejected assignments"),
            LeftOut("workerid", _NOTHING, "tasks that nobody has worked on"),
        ),
    ),
    Dialect(
        title="Appen",
        required=("_unit_id", "_worker_id"),
        item=("_unit_id",),
        annotator=("_worker_id",),
        never=re.compile(r"_.*|orig__.*|.*_gold(_reason)?|.*:confidence|.*:stddev", re.IGNORECASE),
        several="\n",
        left_out=(
            LeftOut("_tainted", _YES, "tainted answers, which Appen does not trust"),
            LeftOut("_golden", _YES, "answers to test questions (_golden)"),
        ),
    ),
    Dialect(
        title="Appen",
        required=("_unit_id",),
        aggregated=("_trusted_judgments", "_unit_state", "_last_judgment_at"),
        full="download the full report, which has a row for each answer",
    ),
    Dialect(
        title="Toloka",
        required=("assignment:worker_id",),
        item=("task:id", "assignment:task_id"),
        annotator=("assignment:worker_id",),
        answers="output:",
        text="input:*",
        left_out=(
            LeftOut("assignment:status", re.compile("rejected", re.IGNORECASE), "answers of rejected assignments"),
            LeftOut(
                "assignment:status", re.compile("skipped|expired|active", re.IGNORECASE), "assignments without answers"
            ),
            LeftOut("golden:", _ANYTHING, "answers to control tasks (GOLDEN)"),
        ),
    ),
    Dialect(
        title="Toloka",
        required=("input:*", "output:*", "confidence:*"),
        aggregated=("confidence:*",),
        full="download the assignments, which have a row for each answer",
    ),
    Dialect(
        title="Potato",
        required=("user", "instance_id", "*:::*"),
        item=("instance_id",),
        annotator=("user",),
        never=re.compile(r"user|instance_id|displayed_text|[^:]*time[^:]*", re.IGNORECASE),
        options=":::",
        text="displayed_text",
    ),
    *(
        Dialect(
            title="Prolific",
            required=(who,),
            left_out=(
                LeftOut("status", re.compile("rejected|returned|timed.out", re.IGNORECASE), "rejected submissions"),
            ),
        )
        for who in ("prolific_pid", "prolific id", "participant id", "participant_id")
    ),
)


@dataclass(frozen=True)
class JudgedColumn:
    """The answers to one question, row by row."""

    question: Question
    cells: Sequence[Any]


@dataclass(frozen=True)
class Judgments:
    """What a result table says: who answered what about which item."""

    item: Sequence[Any]
    annotator: Sequence[Any]
    answers: Sequence[JudgedColumn]
    text: Sequence[Any] | None
    left_out: Mapping[int, str]
    """Rows that do not count, and why."""
    used: frozenset[int]
    """Places of columns that are read."""

    @property
    def dropped(self) -> dict[str, int]:
        """How many rows do not count, by reason."""
        return dict(Counter(self.left_out.values()))


def recognized_dialect(names: Sequence[str]) -> Dialect | None:
    """Find the platform whose columns a table has."""
    known = [name.strip().casefold() for name in names]
    for dialect in DIALECTS:
        if all(any(_fits(name, wanted) for name in known) for wanted in (*dialect.required, *dialect.aggregated[:1])):
            return dialect
    return None


def judgments_of(dialect: Dialect, columns: RawColumns, asked: Mapping[str, int]) -> Judgments | None:
    """Read a result table. `asked` are the places of columns that the user names; None if it has other columns."""
    if dialect.aggregated:
        raise columns.fail(
            None,
            f"this is an aggregated report of {dialect.title}, one row per item without the people who answered, so "
            f"agreement cannot be measured; {dialect.full}",
        )
    if not dialect.item:
        roles = long_roles(columns, asked)
        return None if roles is None else _found(dialect, columns, roles)
    annotator = asked.get("annotator", _place(columns, dialect.annotator))
    item = asked.get("item", _place(columns, dialect.item))
    texts = _all_places(columns, dialect.text)
    if annotator is None or (item is None and not texts):
        return None
    items = _joined(columns, texts) if item is None else columns.cells[item]
    known = {annotator, *texts, *([] if item is None else [item])}
    answers, used = _answers(dialect, columns, asked, items, known)
    if not answers:
        raise columns.fail(None, _no_answers(dialect, columns, known))
    text = columns.cells[texts[0]] if texts else None
    return _judgments(dialect, columns, items, columns.cells[annotator], answers, text, known | used)


def _found(dialect: Dialect, columns: RawColumns, roles: Roles) -> Judgments:
    """Take the columns that were found by common names."""
    answers = [
        JudgedColumn(_named(columns, place, columns.names[place].strip()), columns.cells[place])
        for place in roles.labels
    ]
    text = None if roles.text is None else columns.cells[roles.text]
    used = {roles.item, roles.annotator, *roles.labels, *([] if roles.text is None else [roles.text])}
    return _judgments(dialect, columns, columns.cells[roles.item], columns.cells[roles.annotator], answers, text, used)


def _judgments(
    dialect: Dialect,
    columns: RawColumns,
    item: Sequence[Any],
    annotator: Sequence[Any],
    answers: Sequence[JudgedColumn],
    text: Sequence[Any] | None,
    used: set[int],
) -> Judgments:
    left_out: dict[int, str] = {}
    for what in dialect.left_out:
        for place in _all_places(columns, f"{what.column}*"):
            used = used | {place}
            for row, cell in enumerate(columns.cells[place]):
                if what.cells.fullmatch("" if cell is None else str(cell).strip()):
                    left_out.setdefault(row, what.what)
    return Judgments(item, annotator, answers, text, left_out, frozenset(used))


def _answers(
    dialect: Dialect, columns: RawColumns, asked: Mapping[str, int], items: Sequence[Any], known: set[int]
) -> tuple[list[JudgedColumn], set[int]]:
    """Find the questions, and return the answers to each, and the places of their columns."""
    begin = len(dialect.answers)
    if "label" in asked:
        places = [asked["label"]]
    elif dialect.answers:
        places = _all_places(columns, f"{dialect.answers}*")
    else:
        free = [place for place in range(len(columns.names)) if place not in known]
        never = dialect.never
        free = [place for place in free if never is None or not never.fullmatch(columns.names[place].strip())]
        places = free if dialect.options else list(judged_columns(columns, free, items))
    names = {
        place: name[begin:] if begin and name.casefold().startswith(dialect.answers) else name
        for place in places
        for name in [columns.names[place].strip()]
    }
    found, single = _with_options(dialect, columns, names)
    for place in single:
        question = _named(columns, place, names[place])
        cells = columns.cells[place]
        if dialect.several and (sets := _as_sets(cells, dialect.several)) is not None:
            question, cells = replace(question, kind="sets"), sets
        found.append(JudgedColumn(question, cells))
    return found, set(places)


def _with_options(
    dialect: Dialect, columns: RawColumns, names: Mapping[int, str]
) -> tuple[list[JudgedColumn], list[int]]:
    """Put together questions that have a column for each option; return the other columns as well.

    One column with yes and no alone is a question of its own: Answer.category.label of two labels.
    """
    options: dict[str, dict[int, str]] = defaultdict(dict)
    single = []
    for place, name in names.items():
        question, mark, option = name.partition(dialect.options) if dialect.options else (name, "", "")
        if mark and option and (dialect.options == ":::" or _are_truth(columns.cells[place])):
            options[question][place] = option
        else:
            single.append(place)
    if dialect.options != ":::":
        alone = [place for own in options.values() if len(own) == 1 for place in own]
        single = sorted([*single, *alone])
        options = {name: own for name, own in options.items() if len(own) > 1}
    return [_of_options(columns, name, own) for name, own in options.items()], single


def _of_options(columns: RawColumns, name: str, options: Mapping[int, str]) -> JudgedColumn:
    """Return what was chosen: one option, or a set if somebody chose several; a cell that is no truth value is it."""
    rows: list[tuple[str, ...] | None] = []
    for row in range(len(columns.cells[0])):
        cells = {option: str(columns.cells[place][row] or "").strip() for place, option in options.items()}
        if not any(cells.values()):
            rows.append(None)
            continue
        chosen = {option: cell for option, cell in cells.items() if cell and cell.casefold() not in _FALSE}
        rows.append(tuple(option if cell.casefold() in _TRUE else cell for option, cell in chosen.items()))
    if any(row is not None and len(row) > 1 for row in rows):
        return JudgedColumn(Question(name, "sets"), [None if row is None else tuple(sorted(set(row))) for row in rows])
    return JudgedColumn(Question(name), [row[0] if row else None for row in rows])


def _are_truth(cells: Sequence[Any]) -> bool:
    return all(str("" if cell is None else cell).strip().casefold() in (*_TRUE, *_FALSE) for cell in cells)


def _as_sets(cells: Sequence[Any], separator: str) -> list[Any] | None:
    """Return answers as sets if some have several parts and parts recur; None if they are not sets."""
    parts = [None if cell is None or cell == "" else str(cell).split(separator) for cell in cells]
    if not any(own is not None and len(own) > 1 for own in parts):
        return None
    counts = Counter(part.strip() for own in parts for part in own or ())
    if sum(count > 1 for count in counts.values()) * 2 < len(counts):
        return None
    return [None if own is None else tuple(sorted({part.strip() for part in own})) for own in parts]


def _named(columns: RawColumns, place: int, name: str) -> Question:
    return replace(columns.question(place), name=name)


def _no_answers(dialect: Dialect, columns: RawColumns, known: set[int]) -> str:
    begin = f" that begins with {dialect.answers!r}" if dialect.answers else " whose answers differ"
    others = [name.strip() for place, name in enumerate(columns.names) if place not in known]
    return (
        f"this is a result table of {dialect.title}, but there is no column{begin} (others: {listed(others, 8)}); name "
        f"the column of the answers with {mention('columns', {'label': 'NAME'})}"
    )


def _joined(columns: RawColumns, places: Sequence[int]) -> list[str]:
    """Name items by all that they consist of."""
    return [
        " | ".join("" if cell is None else str(cell) for cell in row)
        for row in zip(*(columns.cells[p] for p in places), strict=True)
    ]


def _place(columns: RawColumns, names: Sequence[str]) -> int | None:
    return next((places[0] for name in names if (places := _all_places(columns, name))), None)


def _all_places(columns: RawColumns, pattern: str | None) -> list[int]:
    if pattern is None:
        return []
    return [place for place, name in enumerate(columns.names) if _fits(name.strip().casefold(), pattern)]


def _fits(name: str, pattern: str) -> bool:
    """Whether a name is like a pattern, in which * stands for anything."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), name) is not None
