"""CSV: one row a unit, fields between commas, semicolons, tabs or bars."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from unisono.data import Corpus, Label
from unisono.errors import DataError
from unisono.formats.columns import SPANS, WORKED, Fail, assign, has_names
from unisono.formats.delimited import find_delimiter, numbered_records, records
from unisono.formats.files import encoding
from unisono.formats.format import Format, Options
from unisono.formats.numbers import Numbers, joined, looks_numeric, parse
from unisono.formats.table import Table, corpus_from, worked_from

_FIXED = ("document", "annotator", "start", "end")
_WITHOUT_HEADER = ("document", "annotator", "category", "start", "end")
_CHUNK = 4_000
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def read(path: Path, options: Options) -> Corpus:
    """Read units; see the module's docstring."""
    return corpus_from(_table(path, options, SPANS), document=path.stem, source=path.name)


def read_worked(path: Path, options: Options) -> list[tuple[str, str]]:
    """Read who worked on what."""
    return worked_from(_table(path, options, WORKED))


def write(corpus: Corpus, stream: BinaryIO, delimiter: str = ",") -> list[str]:
    """Write units, and a row without start and end for who marked nothing."""
    features = sorted(corpus.features, key=lambda name: name != "category")
    _refuse_unwritable(corpus, features)
    marked = np.zeros_like(corpus.worked)
    marked[corpus.document, corpus.annotator] = True
    nothing = np.argwhere(corpus.worked & ~marked)
    document = np.concatenate([corpus.document, nothing[:, 0]])
    annotator = np.concatenate([corpus.annotator, nothing[:, 1]])
    order = np.lexsort((annotator, document)).tolist()
    columns: list[Sequence[Any]] = [
        [corpus.documents[d] for d in document.tolist()],
        [corpus.annotators[a] for a in annotator.tolist()],
        *([*positions.tolist(), *[""] * len(nothing)] for positions in (corpus.start, corpus.end)),
        *([*map(_text, corpus.features[name].values()), *[""] * len(nothing)] for name in features),
    ]
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    returns = any("\r" in words for words in _texts(corpus))  # which csv leaves unquoted if asked for "\n"
    writer = csv.writer(
        text,
        delimiter=delimiter,
        lineterminator="\n",
        quoting=csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL,
    )
    writer.writerow([*_FIXED, *features])
    writer.writerows([column[row] for column in columns] for row in order)
    text.detach()
    return list(_lost(corpus))


def _table(path: Path, options: Options, required: Sequence[str]) -> Table:
    def fits(first: Sequence[str]) -> bool:
        return has_names(first, options.columns, required) or (
            required == SPANS and not options.columns and _is_unit(first)
        )

    delimiter = find_delimiter(path, options.delimiter, fits)
    rows = records(path, delimiter)
    first = next(rows, None)
    if first is None:
        raise DataError("the file has only empty lines; check that it was saved", path=path)
    headless = fits(first) and not has_names(first, options.columns, required)

    def fail(row: int | None, message: str) -> DataError:
        index = 0 if row is None else row + (not headless)
        line, _ = next(islice(numbered_records(path, delimiter), index, None))
        return DataError(message, path=path, line=line)

    names = _WITHOUT_HEADER[-len(first) :] if headless else first
    places = assign(names, options.columns, required, fail)
    columns = _columns(chain([first], rows) if headless else rows, places, delimiter, fail)
    if not columns["annotator"]:
        raise DataError("there is a header but no row below it; check that the file is complete", path=path)
    numbers = {name: column for name, column in columns.items() if isinstance(column, Numbers)}
    others = {name: column for name, column in columns.items() if not isinstance(column, Numbers)}
    return Table(numbers, others, fail)


def _is_unit(record: Sequence[str]) -> bool:
    """Tell whether a file without a header can begin so."""
    return len(record) in (4, 5) and all(map(looks_numeric, record[-2:]))


def _columns(
    rows: Iterator[list[str]], places: Mapping[str, int], delimiter: str, fail: Fail
) -> dict[str, Numbers | list[str | None]]:
    parts: dict[str, list[Numbers]] = {name: [] for name in ("start", "end") if name in places}
    labels: dict[str, list[str | None]] = {name: [] for name in places if name not in parts}
    share: dict[str, Callable[..., str | None]] = {
        name: ({} if name in _FIXED else {"": None}).setdefault  # an empty label is a missing one
        for name in labels
    }
    first = 0
    while chunk := list(islice(rows, _CHUNK)):
        _refuse_ragged(chunk, len(places), delimiter, first, fail)
        fields = list(zip(*chunk, strict=True))
        for name, column in labels.items():
            texts = fields[places[name]]
            column.extend(map(share[name], texts, texts))
        for name, pieces in parts.items():
            pieces.append(parse(fields[places[name]], _failing(name, first, fail)))
        first += len(chunk)
    return {**{name: joined(pieces) for name, pieces in parts.items()}, **labels}


def _refuse_ragged(rows: Sequence[Sequence[str]], width: int, delimiter: str, first: int, fail: Fail) -> None:
    if set(map(len, rows)) == {width}:
        return
    row = next(row for row, record in enumerate(rows) if len(record) != width)
    raise fail(
        first + row,
        f"the number of fields is {len(rows[row])} where the first line has {width}; "
        f"mend the line, and quote fields that contain {delimiter!r}",
    )


def _failing(name: str, first: int, fail: Fail) -> Callable[[int, str], DataError]:
    return lambda row, wrong: fail(first + row, f"the {name} {wrong}")


def _refuse_unwritable(corpus: Corpus, features: Sequence[str]) -> None:
    for name in features:
        reserved = name.casefold() in (*_FIXED, "category") and name != "category"
        if reserved or not name or name != name.strip():
            raise DataError(f"a feature named {name!r} cannot be a column of a table; rename it or write JSON lines")
    if "" in corpus.documents or "" in corpus.annotators:
        raise DataError("a document or annotator without a name cannot be in a table; write JSON lines")
    for words in _texts(corpus):
        if "\0" in words or _HALF_PAIR.search(words):
            raise DataError(f"{words!r} has a character that cannot be in a table; write JSON lines")


def _texts(corpus: Corpus) -> Iterator[str]:
    """Go through all distinct texts that would be written."""
    yield from corpus.documents
    yield from corpus.annotators
    for name, column in corpus.features.items():
        yield name
        yield from map(_text, column.labels)


def _text(label: Label | None) -> str:
    if label is None:
        return ""
    if isinstance(label, tuple):
        return "|".join(label)
    return str(label).lower() if isinstance(label, bool) else str(label)


def _lost(corpus: Corpus) -> Iterator[str]:
    labels = [(name, label) for name, column in corpus.features.items() for label in column.labels]
    typed = list(dict.fromkeys(name for name, label in labels if not isinstance(label, str)))
    empty = list(dict.fromkeys(name for name, label in labels if label == "" or label == ()))
    idle = [name for name, worked in zip(corpus.annotators, corpus.worked.T, strict=True) if not worked.any()]
    unseen = [name for name, worked in zip(corpus.documents, corpus.worked, strict=True) if not worked.any()]
    if corpus.texts:
        yield "The texts are left out."
    if corpus.bounds:
        yield "Where each continuum begins and ends is left out."
    if typed:
        yield f"Numbers, true/false and sets have become text in: {', '.join(typed)}."
    if empty:
        yield f"Empty labels have become missing ones in: {', '.join(empty)}."
    if unseen:
        yield f"Documents that nobody worked on are left out: {', '.join(unseen)}."
    if idle:
        yield f"Annotators who worked on no document are left out: {', '.join(idle)}."


def _sniff(head: bytes, path: Path) -> bool:
    return b"\0" not in head or encoding(head) in ("utf-16", "utf-32")


FORMAT = Format(
    name="csv",
    title="CSV",
    suffixes=(".csv", ".txt"),
    reads="document, annotator, start, end, category; any further column is a feature. "
    "Without a header: annotator, category, start, end, with document before them or not",
    ignores="nothing",
    sniff=_sniff,
    read=read,
    read_worked=read_worked,
    write=write,
)
