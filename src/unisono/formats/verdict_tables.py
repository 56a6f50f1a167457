"""Tables of verdicts on the outputs of systems become verdicts, and verdicts become labels of items.

As labels, the two orders in which a judge saw the same pair are one item, as in MT-Bench: the winner must be the same
in both, else it is a tie.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.data.questions import Question
from unisono.data.verdicts import Verdicts
from unisono.errors import DataError, listed, mention
from unisono.formats.columns import RATINGS_LONG
from unisono.formats.contents import given
from unisono.formats.numbers import looks_numeric
from unisono.formats.recognition import RawColumns
from unisono.formats.table import QuestionColumn, RawTable
from unisono.formats.verdict_columns import VerdictRoles

_TIED = "tie"
_WORDS = {
    word: value
    for value, words in {
        1.0: "a model_a system_a assistant_a response_a output_a model_1 system_1 output_1 first left a>b a>>b b<a "
        "b<<a",
        0.0: "b model_b system_b assistant_b response_b output_b model_2 system_2 output_2 second right b>a b>>a a<b "
        "a<<b",
        0.5: "tie draw equal same both neither c a=b b=a tie_bothbad tie_both_bad bothbad both_bad",
    }.items()
    for word in words.split()
}
_TRUTH = {"true": "1", "false": "0"}
_NOTHING = ("", "error", "invalid", "unknown", "null", "nan", "n/a", "na")
_SAME_ORDER = "pairs that a judge saw in both orders and decided differently, counted as ties"
_TWICE = "pairs that a judge decided differently when seeing them again, counted as ties"


@dataclass(frozen=True)
class _Row:
    """One verdict, by name."""

    row: int
    item: str
    question: str
    judge: str
    first: str
    second: str | None
    value: float
    length: float


def verdicts_of(columns: RawColumns, roles: VerdictRoles, source: str) -> dict[str, Verdicts]:
    """Return the verdicts of a table, by the name of the criterion; the only one of pairs has no name."""
    if not roles.scores:
        rows, lost = _pairs(columns, roles)
        return {"": _collected(rows, True, lost, source)}
    found = {}
    for place in roles.scores:
        rows, lost = _scores(columns, roles, place)
        if rows:
            found[columns.names[place].strip() if len(roles.scores) > 1 else ""] = _collected(rows, False, lost, source)
    if not found:
        raise columns.fail(None, "nobody gave any score; check the file")
    return found


def _collected(rows: Sequence[_Row], paired: bool, lost: Mapping[str, int], source: str) -> Verdicts:
    return Verdicts.from_columns(
        item=[one.item for one in rows],
        question=[one.question for one in rows],
        judge=[one.judge for one in rows],
        first=[one.first for one in rows],
        second=[str(one.second) for one in rows] if paired else None,
        value=[one.value for one in rows],
        length=[one.length for one in rows],
        source=source,
        dropped={what: n for what, n in lost.items() if n},
    )


def _pairs(columns: RawColumns, roles: VerdictRoles) -> tuple[list[_Row], dict[str, int]]:
    """Return comparisons, and what was left out; each game of two is one, in the order in which outputs were shown."""
    cells = {name: columns.cells[place] for name, place in roles.one.items()}
    numbers = _numeric_winners(columns, roles)
    turns = _turns(cells)
    lengths = _differences(cells)
    found: list[_Row] = []
    n_missing = 0
    for row in range(len(columns.cells[0])):
        first, second = (_name(columns, row, cells[side][row], "system") for side in ("system_a", "system_b"))
        if first == second:
            raise columns.fail(row, f"the system {first!r} is compared with itself; correct one of the two")
        question = _name(columns, row, cells["item"][row], "item")
        judge = _name(columns, row, cells["judge"][row], "judge") if "judge" in cells else "judge"
        item = f"{question}, turn {turns[row]}" if turns else question
        for game, value in enumerate(_values(columns, roles, row, first, second, numbers)):
            if value is None:
                n_missing += 1
                continue
            one = _Row(row, item, question, judge, first, second, value, lengths[row])
            found.append(_turned(one) if game else one)
    if not found:
        raise columns.fail(None, "there is no verdict in the table; check the column of the winner")
    return found, {"comparisons without a verdict": n_missing}


def _turned(one: _Row) -> _Row:
    """Return a comparison as it is if outputs are shown the other way round."""
    return replace(one, first=str(one.second), second=one.first, value=1 - one.value, length=-one.length)


def _values(
    columns: RawColumns, roles: VerdictRoles, row: int, first: str, second: str, numbers: bool
) -> Iterator[float | None]:
    if roles.outcomes is not None:
        chosen = [value for place, value in roles.outcomes.items() if _is_one(columns.cells[place][row])]
        if len(chosen) > 1:
            raise columns.fail(row, "several outcomes are 1; exactly one must be")
        yield next(iter(chosen), None)
        return
    for place in roles.winners:
        cell = columns.cells[place][row]
        yield _as_number(cell) if numbers else _outcome(columns, row, cell, first, second)


def _outcome(columns: RawColumns, row: int, cell: Any, first: str, second: str) -> float | None:
    """Read who won: the system's name, its letter, or a tie."""
    if cell is None or cell == "" or cell != cell:
        return None
    written = str(cell).strip()
    if written in (first, second):
        return float(written == first)
    plain = re.sub(r"[\s()-]+", "_", written.strip("[]").casefold()).strip("_")
    if plain in _NOTHING:
        return None
    if plain in _WORDS:
        return _WORDS[plain]
    for name, value in ((first, 1.0), (second, 0.0)):
        if written.casefold() == name.casefold():
            return value
    raise columns.fail(
        row,
        f"the winner {written[:40]!r} is neither of the two systems ({first}, {second}) nor a tie; write a system's "
        "name, a or b, or tie",
    )


def _numeric_winners(columns: RawColumns, roles: VerdictRoles) -> bool:
    """Tell whether winners are numbers: 1 and 2 for the systems, and 0 or 1.5 for a tie."""
    cells = given(cell for place in roles.winners for cell in columns.cells[place])
    names = {str(cell) for side in ("system_a", "system_b") for cell in columns.cells[roles.one[side]]}
    if not cells or not all(looks_numeric(str(cell)) for cell in cells) or {str(cell) for cell in cells} <= names:
        return False
    values = {float(str(cell)) for cell in cells}
    if max(values) > 2 or min(values) < 0 or any(0 < value < 1 for value in values):
        place = columns.names[roles.winners[0]]
        raise columns.fail(None, f"the numbers in {place!r} do not tell who won; write a, b or tie")
    if max(values) <= 1 and len(values) > 1:
        raise columns.fail(
            None,
            "0 and 1 are ambiguous as winners: either may be the first system; write a, b or tie, or systems' names",
        )
    return True


def _as_number(cell: Any) -> float | None:
    """Read 1 for the first system and 2 for the second, or a preference between them, as AlpacaEval writes it."""
    if cell is None or cell == "" or cell != cell:
        return None
    number = float(str(cell))
    return 0.5 if number in (0, 1.5) else float(number < 1.5)


def _is_one(cell: Any) -> bool:
    return cell is True or str(cell).strip().casefold() in ("1", "1.0", "true")


def _scores(columns: RawColumns, roles: VerdictRoles, place: int) -> tuple[list[_Row], dict[str, int]]:
    cells = {name: columns.cells[at] for name, at in roles.one.items()}
    turns = _turns(cells)
    found: list[_Row] = []
    n_missing, nothing = 0, [None] * len(columns.cells[place])
    # FastChat writes -1 where it found no score in what the judge said
    failed = ("-1", "-1.0") if any(name.strip() == "judgment" for name in columns.names) else ()
    for row, cell in enumerate(columns.cells[place]):
        if cell is None or cell == "" or cell != cell or str(cell) in failed:
            n_missing += 1
            continue
        written = _TRUTH.get(str(cell).strip().casefold(), str(cell))
        if not looks_numeric(written):
            raise columns.fail(row, f"the score {str(cell)[:40]!r} is not a number; correct it, or leave it empty")
        question = _name(columns, row, cells["item"][row], "item")
        item = f"{question}, turn {turns[row]}" if turns else question
        judge = _name(columns, row, cells["judge"][row], "judge")
        system = _name(columns, row, cells["system"][row], "system")
        length = _number(cells["length"][row]) if "length" in cells else _length(cells.get("text", nothing)[row])
        found.append(_Row(row, item, question, judge, system, None, float(written), length))
    _check_once(columns, found)
    return found, {"outputs without a score": n_missing}


def _check_once(columns: RawColumns, rows: Sequence[_Row]) -> None:
    seen: set[tuple[str, str, str]] = set()
    for one in rows:
        key = (one.item, one.judge, one.first)
        if key in seen:
            raise columns.fail(
                one.row,
                f"{one.judge!r} scores the output of {one.first!r} on {one.item[:40]!r} a second time; remove one",
            )
        seen.add(key)


def _turns(cells: Mapping[str, Sequence[Any]]) -> list[str] | None:
    """Return the turn of each verdict, if there are several."""
    turns = [str(cell) for cell in cells.get("turn", ())]
    return turns if len(set(turns)) > 1 else None


def _name(columns: RawColumns, row: int, cell: Any, what: str) -> str:
    """Return a name; several words in a list, as FastChat names its judges, are one."""
    words = cell if isinstance(cell, list | tuple) else [cell]
    name = " ".join("" if one is None or one != one else str(one).strip() for one in words).strip()
    if not name:
        raise columns.fail(row, f"the {what} is missing; fill it in")
    return name


def _differences(cells: Mapping[str, Sequence[Any]]) -> list[float]:
    """Return by how much the first output is longer, in each row."""
    for name, read in (("length", _number), ("text", _length)):
        if f"{name}_a" in cells and f"{name}_b" in cells:
            both = zip(cells[f"{name}_a"], cells[f"{name}_b"], strict=True)
            return [read(a) - read(b) for a, b in both]
    return [np.nan] * len(cells["system_a"])


def _number(cell: Any) -> float:
    """Return a length that is given as a number."""
    return float(str(cell)) if cell is not None and looks_numeric(str(cell)) else np.nan


def _length(cell: Any) -> float:
    """Return the length of a text; of a conversation, that of what the assistant said."""
    if cell is None or cell == "" or cell != cell:
        return np.nan
    if isinstance(cell, str):
        return float(len(cell))
    if isinstance(cell, dict):
        return 0.0 if cell.get("role") not in (None, "assistant") else float(len(str(cell.get("content", ""))))
    return float(sum(_length(one) for one in cell)) if isinstance(cell, list | tuple) else np.nan


def label_table_of(
    columns: RawColumns, roles: VerdictRoles, document: str, source: str, lost: Mapping[str, int]
) -> RawTable:
    """Make a table of labels of items out of verdicts: the winner of each pair, or the score of each output."""
    found = verdicts_of(columns, roles, source)
    labels = {name: _as_labels(one) for name, one in found.items()}
    rows = sorted({key for own, _ in labels.values() for key in own})
    keys = {name: name or "label" for name in labels}
    if set(keys.values()) & {"item", "annotator", "document"}:
        keys = {name: f"label {name}" for name in labels}
    like = Question(kind="numbers", compares="outputs") if roles.scores else Question(kind="names", compares="pairs")
    dropped = Counter(lost)
    for one, (_, more) in zip(found.values(), labels.values(), strict=True):
        dropped.update(one.dropped)
        dropped.update(more)

    def fail(row: int | None, message: str) -> DataError:
        return columns.fail(None, message)

    return RawTable(
        RATINGS_LONG,
        {},
        {
            "document": [key[0] for key in rows],
            "item": [key[1] for key in rows],
            "annotator": [key[2] for key in rows],
            **{keys[name]: [own.get(key) for key in rows] for name, (own, _) in labels.items()},
        },
        fail,
        document,
        source,
        {what: n for what, n in dropped.items() if n},
        tuple(QuestionColumn(keys[name], replace(like, name=name)) for name in labels),
    )


def _as_labels(verdicts: Verdicts) -> tuple[dict[tuple[str, str, str], Any], dict[str, int]]:
    """Return the label by question, item and judge, and how many were found differently in both orders, or again."""
    votes: dict[tuple[str, str, str], list[tuple[str, Any]]] = defaultdict(list)
    columns = verdicts.columns()
    named = zip(*(columns[name] or () for name in ("question", "item", "judge", "first")), strict=True)
    second: Sequence[str | None] = columns["second"] or [None] * len(verdicts.value)
    for (question, item, judge, first), other, value in zip(named, second, verdicts.value.tolist(), strict=True):
        if other is None:
            votes[question, f"{item}: {first}", judge].append((first, _plain(value)))
        else:
            winner = _TIED if value == 0.5 else first if value == 1 else other
            votes[question, f"{item}: {' – '.join(sorted((first, other)))}", judge].append((first, winner))
    turned, again = 0, 0
    labels: dict[tuple[str, str, str], Any] = {}
    for key, own in votes.items():
        winners = {winner for _, winner in own}
        labels[key] = winners.pop() if len(winners) == 1 else _TIED
        if winners:
            several = len({first for first, _ in own}) > 1
            turned, again = turned + several, again + (not several)
    return labels, {_SAME_ORDER: turned, _TWICE: again}


def _plain(value: float) -> float | int:
    return int(value) if value.is_integer() else value


def no_verdicts(columns: RawColumns) -> str:
    """Explain which columns verdicts need."""
    there = listed([name.strip()[:40] for name in columns.names])
    named = mention(
        "columns", {"item": "NAME", "judge": "NAME", "system_a": "NAME", "system_b": "NAME", "winner": "NAME"}
    )
    return (
        f"there are no verdicts (found: {there}); a table of them has the columns item, judge, system_a, system_b and "
        f"winner, or item, judge, system and score; state which ones they are, for example {named}"
    )
