"""A table under our column names, and how rows of units become a corpus: the rules for CSV, Parquet and frames."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any, TypeAlias

import numpy as np

from unisono.arrays import BoolArray
from unisono.data import Corpus, Question
from unisono.data.anchors import PIECE, SOURCE
from unisono.data.labels import feature
from unisono.data.questions import UNKNOWN
from unisono.data.runs import run_name
from unisono.errors import DataError
from unisono.formats.columns import NAMED_RUN, Fail, TableKind, anchor_columns
from unisono.formats.numbers import Numbers

Wrong: TypeAlias = tuple[int, str]
"""A row, and what is wrong with it."""

_NO_FEATURES = ("document", "annotator", NAMED_RUN)
_PLAIN = {str, int, float, bool, type(None)}


@dataclass(frozen=True, slots=True)
class QuestionColumn:
    """A column of labels, in a table with one row per label: the answers to a question."""

    column: str
    question: Question = UNKNOWN


ONE_LABEL = (QuestionColumn("label"),)
"""The labels of a table that has no questions."""


@dataclass(frozen=True, slots=True)
class RawTable:
    """Columns under our names."""

    kind: TableKind
    numbers: Mapping[str, Numbers]
    """The columns start and end, of a table of units, and those of further anchors."""
    others: Mapping[str, Sequence[Any]]
    """All other columns: names, and labels."""
    fail: Fail
    """Makes an error out of a row and a message."""
    document: str
    """The document's name if the table has no such column."""
    source: str
    dropped: Mapping[str, int] = field(default_factory=dict)
    """What was left out or changed, in words."""
    asked: tuple[QuestionColumn, ...] = ONE_LABEL
    """The columns of labels, of a table with one row per label; of another, the only question."""
    texts: Sequence[str | None] | None = None
    """What the item of each row says, for display."""

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return len(next(iter(self.others.values())))

    def places(self) -> dict[str, tuple[Numbers, Numbers]]:
        """Return the starts and ends of the anchors of units, by role; start and end are the source of a relation."""
        columns = anchor_columns(self.numbers)
        if "start" in self.numbers:
            columns[SOURCE if columns and SOURCE not in columns else PIECE] = ("start", "end")
        return {role: (self.numbers[start], self.numbers[end]) for role, (start, end) in columns.items()}

    def names(self, column: str) -> Sequence[str]:
        """Return a column of names; whole numbers are names too."""
        values = self.others[column]
        if set(map(type, values)) != {str} or "" in values:
            self.reject(self.wrong_names(column))
            values = [_name(value) for value in values]
        if column != "annotator" or NAMED_RUN not in self.others:
            return values
        runs = map(_run, self.others[NAMED_RUN])
        return [run_name(name, run) if run else name for name, run in zip(values, runs, strict=True)]

    def wrong_names(self, column: str) -> Iterator[Wrong]:
        """Iterate over the rows of a column that have no name."""
        for row, value in enumerate(self.others[column]):
            if not _name(value):
                wrong = "is missing" if value is None or value == "" else f"is {value!r}, not a name"
                yield row, f"the {column} {wrong}; fill it in"

    def documents(self, n_rows: int) -> Sequence[str]:
        """Return the document of each row."""
        return self.names("document") if "document" in self.others else [self.document] * n_rows

    def labels(self, column: str) -> Sequence[Any]:
        """Return a column of labels, None where one is missing."""
        values = self.others[column]
        if _PLAIN.issuperset(map(type, values)):
            return [None if value == "" else value for value in values] if "" in values else values
        self.reject(self.wrong_labels(column))
        return values

    def wrong_labels(self, column: str) -> Iterator[Wrong]:
        """Iterate over the rows of a column that have something else than a label."""
        for row, value in enumerate(self.others[column]):
            if type(value) not in _PLAIN:
                try:
                    feature([value])
                except DataError as error:
                    yield row, f"{column}: {error.message}"

    def further(self) -> dict[str, Sequence[Any]]:
        """Return the columns that have no name of ours: annotators, in a wide table."""
        return {name: column for name, column in self.others.items() if name not in self.kind.columns}

    def where(self, row: int) -> str:
        """Describe where a row is."""
        line = self.fail(row, "").line
        return f"in row {row}" if line is None else f"on line {line}"

    def wrong_repeated(self, column: str, documents: Sequence[str], advice: str) -> Iterator[Wrong]:
        """Iterate over the rows with a name that the document has in a row above."""
        seen: dict[tuple[str, str], int] = {}
        for row, place in enumerate(zip(documents, self.names(column), strict=True)):
            first = seen.setdefault(place, row)
            if first != row:
                yield row, f"the {column} {place[1]!r} has a row already ({self.where(first)}); {advice}"

    def reject(self, wrong: Iterator[Wrong]) -> None:
        """Raise the error of the first of some rows."""
        for row, message in wrong:
            raise self.fail(row, message)

    def without(self, rows: Collection[int]) -> RawTable:
        """Return the table without some rows."""
        if not rows:
            return self
        kept = [row for row in range(self.n_rows) if row not in rows]
        fail = self.fail
        return replace(
            self,
            numbers={name: own.take(kept) for name, own in self.numbers.items()},
            others={name: [column[row] for row in kept] for name, column in self.others.items()},
            texts=None if self.texts is None else [self.texts[row] for row in kept],
            fail=lambda row, message: fail(None if row is None else kept[row], message),
        )

    @contextmanager
    def locating(self, rows: Sequence[int] | None = None) -> Iterator[None]:
        """Locate in the file what an error says about a row, or about one of some rows."""
        try:
            yield
        except DataError as error:
            if error.line is None or error.path is not None:
                raise
            raise self.fail(error.line if rows is None else int(rows[error.line]), error.message) from None


def corpus_from(table: RawTable) -> Corpus:
    """Make a corpus out of a table with one row per unit.

    A row with neither start nor end nor labels means that the annotator worked on the document and marked nothing.
    """
    annotators = table.names("annotator")
    documents = table.documents(len(annotators))
    columns = {name: table.labels(name) for name in table.others if name not in _NO_FEATURES}
    table.reject(wrong_places(table))
    places = table.places()
    units: BoolArray = ~np.logical_and.reduce([start.missing for start, _ in places.values()])
    rows = np.flatnonzero(units)
    start, end = next(iter(places.values()))
    plain = [*places] == [PIECE] and not start.further
    if not plain:
        places = {role: (low.whole_if_possible(), high.whole_if_possible()) for role, (low, high) in places.items()}
    with table.locating(rows.tolist()):
        return Corpus.from_columns(
            documents=documents,
            document=list(compress(documents, units)),
            annotator=list(compress(annotators, units)),
            start=start.values[rows] if plain else None,
            end=end.values[rows] if plain else None,
            anchors=None if plain else [_anchors(places, row) for row in rows.tolist()],
            features={name: list(compress(values, units)) for name, values in columns.items()},
            worked=dict.fromkeys(zip(compress(documents, ~units), compress(annotators, ~units), strict=True)),
            source=table.source,
            locate=lambda row: (None, row),
            dropped=table.dropped,
        )


def _anchors(places: Mapping[str, tuple[Numbers, Numbers]], row: int) -> list[tuple[str, float, float]]:
    return [
        (role, low, high)
        for role, (start, end) in places.items()
        for low, high in zip(start.cell(row), end.cell(row), strict=True)
    ]


def worked_from(table: RawTable) -> list[tuple[str, str]]:
    """Return the (document, annotator) pairs of a table."""
    return list(dict.fromkeys(zip(table.names("document"), table.names("annotator"), strict=True)))


def _name(value: Any) -> str:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return str(value) if whole or isinstance(value, str) else ""


def _run(value: Any) -> str:
    """Return the name of a run; numbers may have been read with decimals, beside a gap."""
    if isinstance(value, float):
        return "" if value != value else f"{value:g}"
    return "" if value is None else str(value).strip()


def wrong_places(table: RawTable) -> Iterator[Wrong]:
    """Iterate over the rows of units that have only a start or only an end, or a label and neither."""
    places = table.places()
    for role, (start, end) in places.items():
        what = "" if role == PIECE or table.numbers.get("start") is start else f"{role}_"
        for row in np.flatnonzero(start.missing != end.missing).tolist():
            yield row, f"the {what}{'start' if start.missing[row] else 'end'} is missing; fill it in"
        for row in sorted({*start.further, *end.further}):
            n_starts, n_ends = len(start.cell(row)), len(end.cell(row))
            if n_starts != n_ends and n_starts and n_ends:
                numbers = f"{n_starts} positions and the {what}end {n_ends}"
                yield row, f"the {what}start has {numbers}; write as many of both, one for each piece"
    labels = [name for name in table.others if name not in _NO_FEATURES]
    nowhere = np.logical_and.reduce([start.missing & end.missing for start, end in places.values()])
    for row in np.flatnonzero(nowhere).tolist():
        for name in labels:
            if table.others[name][row] not in (None, ""):
                yield row, f"there is a label ({name}) but neither start nor end; fill them in"
                break


def wrong_orders(table: RawTable) -> Iterator[Wrong]:
    """Iterate over the rows of units that end before they begin."""
    for start, end in table.places().values():
        for row in np.flatnonzero(end.values < start.values).tolist():
            yield row, f"end {end.values[row]} is before start {start.values[row]}"
        for row in start.further:
            for low, high in zip(start.cell(row)[1:], end.cell(row)[1:], strict=False):
                if high < low:
                    yield row, f"end {high} is before start {low}"
