"""Which column of a table is what: the rules for CSV, Parquet and frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from unisono.errors import DataError

SPANS = ("annotator", "start", "end")
"""The columns that a table of units must have."""
WORKED = ("document", "annotator")
"""The columns that a table of who worked on what must have."""

Fail: TypeAlias = Callable[[int | None, str], DataError]
"""Makes an error out of a row (None: the header) and a message."""

_OPTIONAL = ("document", "category")
_LIKELY = {
    "document": "doc doc_id docid document_id documentid doc_name file filename file_name text_id",
    "annotator": "annotator_id annotatorid coder coder_id rater rater_id user user_id worker worker_id judge "
    "labeler labeller who",
    "start": "begin from onset start_offset startoffset start_char char_start begin_offset tmin xmin",
    "end": "to stop until finish offset end_offset endoffset end_char char_end tmax xmax",
    "category": "label tag class cat type",
}
_SURELY_DOCUMENT = ("doc", "doc_id", "docid", "document_id", "documentid")


def assign(names: Sequence[str], columns: Mapping[str, str], required: Sequence[str], fail: Fail) -> dict[str, int]:
    """Say for each of our names which column of the table it is; columns not asked for are features.

    Parameters
    ----------
    names : sequence of str
        The table's column names, in order.
    columns : mapping
        Our names to the table's, where they differ.
    required : sequence of str
        Our names that must be there.
    fail : callable
        Makes the error out of a message.
    """
    found = [name.strip() for name in names]
    _refuse_unusable(found, fail)
    wanted = list(dict.fromkeys([*required, *_OPTIONAL, *columns]))
    place = {ours: _find(found, columns.get(ours, ours)) for ours in wanted}
    missing = [ours for ours in wanted if place[ours] is None and (ours in required or ours in columns)]
    if missing:
        raise fail(None, _missing(missing, found, columns))
    assigned = {ours: index for ours, index in place.items() if index is not None}
    _refuse_forgotten_document(found, assigned, fail)
    for index, name in enumerate(found):
        if index in assigned.values():
            continue
        if name in assigned:
            raise fail(None, f"two columns would be {name!r}; give the other a name with --columns NAME={name}")
        assigned[name] = index
    if len(set(assigned.values())) < len(assigned):
        raise fail(None, "one column is asked for under two names; check --columns")
    return assigned


def has_names(names: Sequence[str], columns: Mapping[str, str], required: Sequence[str]) -> bool:
    """Tell whether a table's first row is a header with all that is required."""
    found = [name.strip() for name in names]
    return all(_find(found, columns.get(ours, ours)) is not None for ours in required)


def _find(found: Sequence[str], name: str) -> int | None:
    name = name.strip()
    if name in found:
        return found.index(name)
    same = [index for index, other in enumerate(found) if other.casefold() == name.casefold()]
    return same[0] if len(same) == 1 else None


def _refuse_unusable(found: Sequence[str], fail: Fail) -> None:
    for index, name in enumerate(found):
        if not name:
            raise fail(None, f"column {index + 1} has no name; name it, or remove it")
        if name in found[:index]:
            raise fail(None, f"there are two columns named {name!r}; rename one of them")


def _missing(missing: Sequence[str], found: Sequence[str], columns: Mapping[str, str]) -> str:
    absent = " and ".join(
        repr(columns[ours]) + f" (asked for as {ours})" if ours in columns else repr(ours) for ours in missing
    )
    taken = {columns.get(ours, ours).casefold() for ours in (*SPANS, *_OPTIONAL)}
    free = [name for name in found if name.casefold() not in taken]
    guesses = ",".join(f"{ours}={_guess(ours, free) or 'NAME'}" for ours in missing)
    listed = ", ".join(name[:40] for name in found[:12]) + (", …" if len(found) > 12 else "")
    none = "there is no column" if len(missing) == 1 else "there are no columns"
    which = "which one it is" if len(missing) == 1 else "which ones they are"
    return f"{none} {absent} (found: {listed}); say {which}, for example --columns {guesses}"


def _guess(ours: str, free: Sequence[str]) -> str | None:
    likely = _LIKELY.get(ours, "").split()
    named = [name for name in free if name.casefold() in likely]
    containing = [name for name in free if ours in name.casefold()]
    return next(iter([*named, *containing]), None)


def _refuse_forgotten_document(found: Sequence[str], assigned: Mapping[str, int], fail: Fail) -> None:
    if "document" in assigned:
        return
    for index, name in enumerate(found):
        if name.casefold() in _SURELY_DOCUMENT and index not in assigned.values():
            raise fail(
                None,
                f"there is no column 'document' but one named {name!r}; say --columns document={name}, "
                f"or --columns {name}={name} if it is a feature",
            )
