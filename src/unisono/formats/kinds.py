"""What a table holds: units, or ratings or normalizations with one row a label or one column an annotator."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from unisono.data import Data
from unisono.errors import listed, mention
from unisono.formats.columns import LONG, REWRITTEN, REWRITTEN_WIDE, SPANS, WIDE, Fail, Kind, has_names, resembled
from unisono.formats.normalizations import normalizations_from
from unisono.formats.numbers import looks_numeric
from unisono.formats.ratings import ratings_from
from unisono.formats.table import Table, corpus_from

ANY = (SPANS, LONG, REWRITTEN, REWRITTEN_WIDE, WIDE)
"""What a table of annotations can hold."""
RATINGS = (LONG, WIDE)
"""What it can hold if the user says that it holds ratings."""
_AS_RATINGS = mention("format", "ratings")


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
        if kind not in (WIDE, REWRITTEN_WIDE) and has_names(names, columns, kind):
            return kind
    if WIDE not in expected:
        return next(iter(expected))
    like = resembled(names, columns)
    if REWRITTEN_WIDE in expected and has_names(names, columns, REWRITTEN_WIDE):
        if has_names(names, columns, Kind(("annotator", "norm"))):
            return REWRITTEN
        if like.isdisjoint(("annotator", "start", "end")):
            return REWRITTEN_WIDE
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
    if table.kind in (REWRITTEN, REWRITTEN_WIDE):
        return normalizations_from(table, document=document, source=source)
    made = corpus_from if table.kind is SPANS else ratings_from
    return made(table, document=document, source=source)


def long_without_header(first: Sequence[str], columns: Sequence[Sequence[str | None]]) -> tuple[str, ...] | None:
    """Tell whether what seems to be a header of annotators is the first of many rows, each a label.

    Parameters
    ----------
    first : sequence of str
        The first row.
    columns : sequence of sequence of str
        What stands below it, column by column.

    Returns
    -------
    tuple of str or None
        What the columns are: annotators are fewer than items, and come first or second; the label comes last.
    """
    if len(columns) != 3:
        return None
    every = [{cell, *column} for cell, column in zip(first, columns, strict=True)]
    order = ("annotator", "item", "label") if len(every[0]) <= len(every[1]) else ("item", "annotator", "label")
    who = order.index("annotator")
    recurs = first[who] in columns[who] and first[2] in columns[2] and (not who or len(every[0]) <= len(columns[0]))
    places = set(zip(columns[0], columns[1], strict=True)) | {(first[0], first[1])}
    if not recurs or not every[who].isdisjoint(every[2]) or len(places) < len(columns[0]) + 1:
        return None
    return order


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
                f"are expected; put a line with the names above it, or use {_AS_RATINGS} if these are the names",
            )
    every = set().union(*labels.values())
    shared = len(every) < sum(map(len, labels.values()))
    if not (shared or all(looks_numeric(label or "") for label in every)):
        raise fail(
            None,
            f"the columns {listed([name[:40] for name in labels], 5)} have no label in common, so that they are hardly "
            "annotators; name them annotator, start, end if these are units, or item, annotator, label if these are "
            f"labels, or use {_AS_RATINGS} if every column is an annotator",
        )
