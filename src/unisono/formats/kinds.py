"""What a table holds: units, or ratings with one row a label or one column an annotator."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from unisono.data import Data
from unisono.errors import listed
from unisono.formats.columns import LONG, SPANS, WIDE, Fail, Kind, has_names, resembled
from unisono.formats.numbers import looks_numeric
from unisono.formats.ratings import ratings_from
from unisono.formats.table import Table, corpus_from

ANY = (SPANS, LONG, WIDE)
"""What a table of annotations can hold."""
RATINGS = (LONG, WIDE)
"""What it can hold if the user says that it holds ratings."""


def kind_of(names: Sequence[str], columns: Mapping[str, str], expected: Collection[Kind]) -> Kind:
    """Tell what a table holds from the names of its columns.

    If in doubt, it is the kind that has more of its columns, so that the message about those that are missing helps. A
    table has one column an annotator only if no name resembles one that other tables have.

    Parameters
    ----------
    names : sequence of str
        The table's column names.
    columns : mapping
        Our names to the table's, where they differ.
    expected : collection of Kind
        What it can hold.
    """
    for kind in expected:
        if kind is not WIDE and has_names(names, columns, kind):
            return kind
    if WIDE not in expected:
        return next(iter(expected))
    like = resembled(names, columns)
    if SPANS not in expected:
        named = "annotator" in columns or has_names(names, columns, Kind(("annotator",)))
        return LONG if named or {"annotator", "label"} <= like else WIDE
    if len(names) > 1 and like.isdisjoint(("annotator", "start", "end", "category", "label")):
        return WIDE
    if like.isdisjoint(("start", "end")) and has_names(names, columns, Kind(("label",))):
        return LONG
    return LONG if len(like.intersection(LONG.required)) > len(like.intersection(SPANS.columns)) else SPANS


def data_from(table: Table, *, document: str, source: str) -> Data:
    """Make data out of a table.

    Parameters
    ----------
    table : Table
        What was read.
    document : str
        The document's name where the table has no such column.
    source : str
        Where the table comes from.
    """
    made = corpus_from if table.kind is SPANS else ratings_from
    return made(table, document=document, source=source)


def is_long_without_header(first: Sequence[str], columns: Sequence[Sequence[str | None]]) -> bool:
    """Tell whether what seems to be a header of annotators is the first of many rows: annotator, item, label.

    Parameters
    ----------
    first : sequence of str
        The first row.
    columns : sequence of sequence of str
        What stands below it, column by column.
    """
    if len(columns) != 3:
        return False
    annotators, labels = set(columns[0]), set(columns[2])
    if first[0] not in annotators or first[2] not in labels or not annotators.isdisjoint(labels):
        return False
    places = set(zip(columns[0], columns[1], strict=True)) | {(first[0], first[1])}
    return len(places) == len(columns[0]) + 1


def refuse_doubtful(columns: Mapping[str, Sequence[str | None]], fail: Fail) -> None:
    """Refuse columns of text that are hardly annotators, though their names would do.

    Parameters
    ----------
    columns : mapping
        The first row's fields to what stands below them.
    fail : callable
        Makes the error out of a message.
    """
    labels = {name: set(column) - {None} for name, column in columns.items()}
    for name, own in labels.items():
        if name in own:
            raise fail(
                None,
                f"the first line seems to hold labels ({name[:40]!r} is there again below) where names of annotators "
                "are expected; put a line with the names above it, or say --format ratings if these are the names",
            )
    every = set().union(*labels.values())
    shared = len(every) < sum(map(len, labels.values()))
    if not (shared or all(looks_numeric(label or "") for label in every)):
        raise fail(
            None,
            f"the columns {listed([name[:40] for name in labels], 5)} have no label in common, so that they are hardly "
            "annotators; name them annotator, start, end if these are units, or item, annotator, label if these are "
            "labels, or say --format ratings if every column is an annotator",
        )
