"""Which column of a table is what: the rules for CSV, Parquet and frames."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from unisono.data.anchors import PIECE, SOURCE, TARGET, TRIGGER
from unisono.errors import DataError, listed, mention


@dataclass(frozen=True, slots=True)
class TableKind:
    """What a table can hold."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    """Our names of the columns that it must have, and of those that it may have."""
    further: str | None = None
    """What any further column is, in words; None if it is ignored."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that have a name of ours."""
        return self.required + self.optional


UNITS = TableKind(("annotator", "start", "end"), ("document", "category"), further="a feature")
"""One row per unit."""
RATINGS_LONG = TableKind(("item", "annotator", "label"), ("document",))
"""One row per label."""
RATINGS_WIDE = TableKind((), ("document", "item"), further="an annotator")
"""One row per item, one column per annotator."""
NORMALIZATIONS_LONG = TableKind(("token", "original", "annotator", "norm"), ("document", "sentence", "mod", "type"))
"""One row per token and annotator."""
NORMALIZATIONS_WIDE = TableKind(("original",), ("document", "sentence", "token"), further="an annotator")
"""One row per token, one column per annotator."""
VERDICTS = TableKind(("item", "system"), ("judge",))
"""One row per verdict on outputs of systems; see `unisono.formats.verdict_columns`."""
WORKED = TableKind(("document", "annotator"))
"""Who worked on what."""

RUN = "run"
"""Which run of a model a row is of, if the user names such a column: annotators are called gpt#1, gpt#2 then."""
NAMED_RUN = "#run"
"""How that column is called in a table; a feature can be called run, too."""
_ROLES = (PIECE, SOURCE, TARGET, TRIGGER)
"""If columns of one of these roles are there, so may be those of any other."""
_START, _END = "_start", "_end"

Fail: TypeAlias = Callable[[int | None, str], DataError]
"""Makes an error out of a row (None: the header) and a message."""

_LIKELY = {
    ours: names.split()
    for ours, names in {
        "document": "doc doc_id docid document_id documentid doc_name file filename file_name text_id",
        "annotator": "annotator_id annotatorid coder coder_id rater rater_id user user_id worker worker_id judge "
        "labeler labeller who",
        "start": "begin from onset start_offset startoffset start_char char_start begin_offset tmin xmin",
        "end": "to stop until finish offset end_offset endoffset end_char char_end tmax xmax",
        "category": "label tag class cat type",
        "item": "item_id itemid id unit unit_id instance instance_id example example_id subject subject_id case "
        "sentence sentence_id sent_id token token_id word text original question question_id task task_id index idx nr",
        "label": "labels tag class cat category type rating score value code answer response judgment judgement vote",
    }.items()
}
_LIKELY["item"].append("unnamed: 0")  # what pandas makes of the index of a frame that was saved with it
_WITHIN = {"start": {"start", "begin", "onset"}, "end": {"end", "offset"}}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_SURELY_TOKEN = ("token_id", "tokenid", "id", "nr", "index", "idx", "position", "unnamed: 0")
_SURELY_SENTENCE = ("sentence_id", "sentenceid", "sent_id", "sent")
_SURELY_DOCUMENT = ("doc", "doc_id", "docid", "document_id", "documentid")


def assign_columns(
    names: Sequence[str],
    columns: Mapping[str, str],
    kind: TableKind,
    fail: Fail,
    as_ratings: str = mention("format", "ratings"),
) -> dict[str, int]:
    """Find the column for each of our names; further columns keep theirs.

    `columns` maps our names to the table's where they differ; `as_ratings` is how a user says that every column is an
    annotator.
    """
    found = [name.strip() for name in names]
    _check_usable(found, kind, fail)
    wanted = list(dict.fromkeys([*kind.columns, *columns]))
    place = {ours: _find(found, columns.get(ours, ours)) for ours in wanted}
    claimed = [place[ours] for ours in columns]
    for ours in kind.optional:
        if ours not in columns and place[ours] in claimed:
            place[ours] = None  # the user says that it is something else
    required = _required(found, columns, kind)
    missing = [ours for ours in wanted if place[ours] is None and (ours in required or ours in columns)]
    if missing:
        raise fail(None, _missing(missing, found, columns, kind, as_ratings))
    assigned = {ours: index for ours, index in place.items() if index is not None}
    if len(set(assigned.values())) < len(assigned):
        raise fail(None, f"one column is asked for under two names; check {mention('columns')}")
    runs = {NAMED_RUN: assigned.pop(RUN)} if RUN in columns else {}
    if runs and "annotator" not in kind.required:
        raise fail(None, "runs can be in a column only if annotators are, too; otherwise, write one column per run")
    _check_forgotten(found, assigned, kind, fail)
    if kind is UNITS:
        _check_halves([*found, *columns], fail)
    if kind.further is None:
        return {ours: index for ours, index in assigned.items() if ours in kind.columns} | runs
    return _with_further(found, assigned | runs, fail)


def _check_halves(names: Iterable[str], fail: Fail) -> None:
    """Reject a start of anchors without an end, or the other way round."""
    there = {name.casefold(): name for name in names}
    for role in sorted(_ROLES):
        missing, *others = sorted((f"{role}{edge}" for edge in (_START, _END)), key=lambda name: name in there)
        if missing not in there and others[0] in there:
            raise fail(None, f"there is a column {there[others[0]]!r} but no {missing!r}; add it, or rename the column")


def _with_further(found: Sequence[str], assigned: dict[str, int], fail: Fail) -> dict[str, int]:
    taken = set(assigned.values())
    further = {name: index for index, name in enumerate(found) if index not in taken}
    if doubled := [name for name in further if name in assigned]:
        renamed = mention("columns", {"NAME": doubled[0]})
        raise fail(None, f"two columns would be {doubled[0]!r}; give the other a name with {renamed}")
    return assigned | further


def anchor_columns(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the columns with the positions of anchors, by role: target to target_start and target_end.

    Unless one of these is a role of relations, events or units in pieces, they are features, such as sentence_start.
    """
    there = {name.casefold(): name for name in names}
    found = {}
    for folded, start in there.items():
        end = there.get(folded.removesuffix(_START) + _END)
        if folded.endswith(_START) and len(folded) > len(_START) and end is not None:
            role = start[: -len(_START)]
            found[role.casefold() if role.casefold() in _ROLES else role] = (start, end)
    return found if not found.keys().isdisjoint(_ROLES) else {}


def position_columns(names: Collection[str]) -> tuple[str, ...]:
    """Return the columns with positions of units, of those that have our names."""
    fixed = [name for name in ("start", "end") if name in names]
    return (*fixed, *(name for pair in anchor_columns(names).values() for name in pair))


def _required(found: Sequence[str], columns: Mapping[str, str], kind: TableKind) -> tuple[str, ...]:
    """Return the columns that a table must have; those of anchors may be in place of start and end."""
    if kind is not UNITS or not anchor_columns([*found, *columns]):
        return kind.required
    ends = [ours for ours in ("start", "end") if _find(found, columns.get(ours, ours)) is not None]
    return tuple(ours for ours in kind.required if ours not in ("start", "end") or ends)


def ignored_columns(names: Sequence[str], assigned: Mapping[str, int]) -> dict[str, int]:
    """Return the columns that are not assigned, in words, and how many these are."""
    taken = set(assigned.values())
    ignored = [name.strip() for index, name in enumerate(names) if index not in taken]
    return {f"columns that are not read: {listed(ignored, 3)}": len(ignored)} if ignored else {}


def has_names(names: Sequence[str], columns: Mapping[str, str], kind: TableKind) -> bool:
    """Whether a table's first row is a header with everything that is required."""
    found = [name.strip() for name in names]
    return all(_find(found, columns.get(ours, ours)) is not None for ours in _required(found, columns, kind))


def lack_annotator(names: Sequence[str], columns: Mapping[str, str]) -> bool:
    """Whether a table has everything that units need but a column that can be the annotator's."""
    return "annotator" not in resembled(names, columns) and has_names([*names, "annotator"], columns, UNITS)


def resembled(names: Sequence[str], columns: Mapping[str, str]) -> set[str]:
    """Return those of our names that some columns have, or nearly have, or are declared to be."""
    declared = {name.strip() for name in columns.values()}
    free = [name.strip() for name in names if name.strip() not in declared]
    return {ours for ours in _LIKELY if any(_resembles(name, ours) for name in free)} | set(columns)


def _resembles(name: str, ours: str) -> bool:
    if name.casefold() == ours or name.casefold() in _LIKELY[ours]:
        return True
    return ours in _WITHIN and not _WITHIN[ours].isdisjoint(word.lower() for word in _WORD.findall(name))


def _find(found: Sequence[str], name: str) -> int | None:
    name = name.strip()
    if name in found:
        return found.index(name)
    same = [index for index, other in enumerate(found) if other.casefold() == name.casefold()]
    return same[0] if len(same) == 1 else None


def _check_usable(found: Sequence[str], kind: TableKind, fail: Fail) -> None:
    seen: set[str] = set()
    for index, name in enumerate(found):
        if not name:
            item = " item if it identifies items" if kind is RATINGS_WIDE else ""
            raise fail(None, f"column {index + 1} has no name; name it{item}, or remove it")
        if name in seen:
            wide = kind in (RATINGS_WIDE, NORMALIZATIONS_WIDE)
            header = ", or add a first line with the annotators' names if there is none" if wide else ""
            raise fail(None, f"there are two columns named {_short(name)!r}; rename one of them{header}")
        seen.add(name)


def _missing(
    missing: Sequence[str], found: Sequence[str], columns: Mapping[str, str], kind: TableKind, as_ratings: str
) -> str:
    there = listed([_short(name) for name in found])
    taken = {columns.get(ours, ours).casefold() for ours in kind.columns}
    free = [name for name in found if name.casefold() not in taken]
    likely = {ours: guess for ours in missing if (guess := _guess(ours, free))}
    if asked := {ours: columns[ours] for ours in missing if ours in columns}:
        unknown = " and ".join(f"{theirs!r} for {ours}" for ours, theirs in asked.items())
        meant = f"; perhaps you mean {mention('columns', likely)}" if likely else ""
        return f"unknown column {unknown}; available: {there}{meant}{_roles(asked, kind)}"
    absent = " and ".join(map(repr, missing))
    guesses = mention("columns", {ours: likely.get(ours, "NAME") for ours in missing})
    none = "there is no column" if len(missing) == 1 else "there are no columns"
    which = "which one it is" if len(missing) == 1 else "which ones they are"
    perhaps = kind is not WORKED and len(found) > 1 and "annotator" not in resembled(found, columns)
    wide = f", or use {as_ratings} if every column is an annotator" if perhaps else ""
    return f"{none} {absent} (found: {there}); state {which}, for example {guesses}{wide}"


def _roles(asked: Collection[str], kind: TableKind) -> str:
    """List what columns can be, if something else was asked for."""
    if set(asked) <= {*kind.columns, RUN}:
        return ""
    further = f", or {kind.further} of any other name" if kind.further else ""
    return f"; columns can be: {', '.join(kind.columns)}{further}"


def _short(name: str) -> str:
    return name[:40]


def _guess(ours: str, free: Sequence[str]) -> str | None:
    likely = _LIKELY.get(ours, ())
    named = [name for name in free if name.casefold() in likely]
    containing = [name for name in free if ours in name.casefold()]
    return next(iter([*named, *containing]), None)


def _check_forgotten(found: Sequence[str], assigned: Mapping[str, int], kind: TableKind, fail: Fail) -> None:
    """Reject a column that is surely the document or, where every column counts, an item, but is not named so."""
    likely: dict[str, Collection[str]] = {"document": _SURELY_DOCUMENT}
    if kind is RATINGS_WIDE:
        likely = {ours: _LIKELY[ours] for ours in ("document", "item")}
    if kind is NORMALIZATIONS_WIDE:
        likely = {"document": _LIKELY["document"], "sentence": _SURELY_SENTENCE, "token": _SURELY_TOKEN}
    taken = set(assigned.values())
    for ours, likely_names in likely.items():
        for index, name in enumerate(found):
            if ours not in assigned and index not in taken and name.casefold() in likely_names:
                is_ours, is_other = (mention("columns", {meaning: name}) for meaning in (ours, name))
                raise fail(
                    None,
                    f"there is no column {ours!r} but one named {name!r}; use {is_ours}, or {is_other} if it is "
                    f"{kind.further or 'something else'}",
                )
