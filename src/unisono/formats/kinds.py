"""What a table holds: units, or ratings or normalizations with one row per label or one column per annotator."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from unisono.data import Corpus, Data, Export
from unisono.errors import DataError, listed, mention
from unisono.formats.columns import (
    NORMALIZATIONS_LONG,
    NORMALIZATIONS_WIDE,
    RATINGS_LONG,
    RATINGS_WIDE,
    UNITS,
    Fail,
    TableKind,
    has_names,
    resembled,
)
from unisono.formats.format import Instructions
from unisono.formats.normalizations import normalizations_from
from unisono.formats.numbers import looks_numeric
from unisono.formats.ratings import ratings_from
from unisono.formats.sifting import sifted
from unisono.formats.table import RawTable, corpus_from
from unisono.formats.wanted import as_wanted

ANY_KIND = (UNITS, RATINGS_LONG, NORMALIZATIONS_LONG, NORMALIZATIONS_WIDE, RATINGS_WIDE)
"""What a table of annotations can hold."""
RATINGS_KINDS = (RATINGS_LONG, RATINGS_WIDE)
"""What it can hold if the user says that it holds ratings."""
_AS_RATINGS = mention("format", "ratings")


def table_kind(names: Sequence[str], columns: Mapping[str, str], expected: Collection[TableKind]) -> TableKind:
    """Find out from the names of its columns which of the expected kinds a table is.

    If in doubt, it is the kind that has more of its columns, so that the message about missing ones helps. A table has
    one column per annotator only if no name resembles one that other tables have.
    """
    for kind in expected:
        if kind not in (RATINGS_WIDE, NORMALIZATIONS_WIDE) and has_names(names, columns, kind):
            return kind
    if RATINGS_WIDE not in expected:
        return next(iter(expected))
    like = resembled(names, columns)
    if NORMALIZATIONS_WIDE in expected and has_names(names, columns, NORMALIZATIONS_WIDE):
        if has_names(names, columns, TableKind(("annotator", "norm"))):
            return NORMALIZATIONS_LONG
        if like.isdisjoint(("annotator", "start", "end")):
            return NORMALIZATIONS_WIDE
    if UNITS not in expected:
        named = "annotator" in columns or has_names(names, columns, TableKind(("annotator",)))
        return RATINGS_LONG if named or {"annotator", "label"} <= like else RATINGS_WIDE
    if len(names) > 1 and like.isdisjoint(("annotator", "start", "end", "category", "label")):
        return RATINGS_WIDE
    if like.isdisjoint(("start", "end")) and has_names(names, columns, TableKind(("label",))):
        return RATINGS_LONG
    is_long = len(like.intersection(RATINGS_LONG.required)) > len(like.intersection(UNITS.columns))
    return RATINGS_LONG if is_long else UNITS


def data_from(table: RawTable) -> Data | Export:
    """Make data out of a table."""
    if table.kind is UNITS:
        return corpus_from(table)
    is_rewritten = table.kind in (NORMALIZATIONS_LONG, NORMALIZATIONS_WIDE)
    data: Data | Export = normalizations_from(table) if is_rewritten else ratings_from(table)
    return replace(data, dropped=dict(table.dropped))


def data_reader(
    read_table: Callable[[Path, Instructions, Collection[TableKind]], RawTable],
    expected: Collection[TableKind] = ANY_KIND,
) -> Callable[[Path, Instructions], Data | Export]:
    """Make the function that reads a table of some kinds as data."""

    def read(path: Path, instructions: Instructions) -> Data | Export:
        data = whole(path, instructions)
        return as_wanted(data, instructions) if isinstance(data, Corpus) else data

    def whole(path: Path, instructions: Instructions) -> Data | Export:
        bad = instructions.bad
        if bad is None:
            return data_from(read_table(path, instructions, expected))
        errors: list[DataError] = []
        try:
            table = sifted(read_table(path, replace(instructions, bad=errors.append), expected), errors.append)
            if not table.n_rows:
                raise DataError("no row is left; check what the file is", path=path)
            return data_from(table)
        except DataError as error:
            if errors:
                raise DataError(f"without its bad lines the file cannot be read: {error.message}", path=path) from None
            raise
        finally:
            for one in sorted(errors, key=lambda one: one.line or 0):
                bad(one)

    return read


def long_without_header(first: Sequence[str], columns: Sequence[Sequence[str | None]]) -> tuple[str, ...] | None:
    """Find out whether what seems to be a header of annotators is the first of many rows, each a label.

    If so, return what the columns are: annotators are fewer than items, and come first or second; the label comes last.
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


def check_annotators(columns: Mapping[str, Sequence[str | None]], fail: Fail) -> None:
    """Reject columns (first field to what is below it) that are hardly annotators, though their names would do."""
    labels = {name: set(column) - {None} for name, column in columns.items()}
    for name, own in labels.items():
        if name in own:
            raise fail(
                None,
                f"the first line seems to hold labels ({name[:40]!r} occurs again below) where names of annotators are "
                f"expected; insert a line with the names above it, or use {_AS_RATINGS} if these are the names",
            )
    every = set().union(*labels.values())
    shared = len(every) < sum(map(len, labels.values()))
    if not (shared or all(looks_numeric(label or "") for label in every)):
        raise fail(
            None,
            f"the columns {listed([name[:40] for name in labels], 5)} have no label in common, so they are hardly "
            "annotators; name them annotator, start, end if these are units, or item, annotator, label if these are "
            f"labels, or use {_AS_RATINGS} if every column is an annotator",
        )
