"""Data to CSV: units with one row each, ratings and normalizations with one column per annotator."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.data.labels import written_label
from unisono.errors import DataError
from unisono.formats.columns import NORMALIZATIONS_LONG, position_columns, resembled
from unisono.formats.normalizations import columns_of
from unisono.formats.numbers import SEVERAL_NUMBERS, looks_numeric
from unisono.formats.recognition import RawColumns
from unisono.formats.spreadsheets import is_protected, protected
from unisono.formats.wide_tables import wide_roles

_FIXED = ("document", "annotator", "start", "end")
_OR_CONTINUUM = "write .jsonl to keep it, or state the continuum when reading"
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def write(data: Data, stream: BinaryIO, delimiter: str = ",", *, safe: bool = False) -> list[str]:
    """Write a table, and return sentences about what it could not hold.

    If it is to be safe, cells that spreadsheets would take for formulas are protected (see `spreadsheets`).
    """
    target = _Target(stream, delimiter, safe)
    if isinstance(data, Ratings):
        _write_ratings(data, target)
        return list(_lost_of_ratings(data))
    if isinstance(data, Normalizations):
        _write_normalizations(data, target)
        return []
    _write_units(data, target)
    return list(_lost(data))


class _Target(NamedTuple):
    """Where a table is written, and how."""

    stream: BinaryIO
    delimiter: str
    safe: bool


def _write_units(corpus: Corpus, target: _Target) -> None:
    """Write units, and a row without start and end for annotators who marked nothing."""
    if not corpus.worked.any():
        raise DataError("there is nothing to write: nobody worked on a document")
    features = sorted(corpus.features, key=lambda name: name != "category")
    places = _places(corpus)
    _check_roles(places, features)
    for name in features:
        reserved = name.casefold() in (*_FIXED, "category") and name != "category"
        if reserved or not name or name != name.strip():
            raise DataError(f"a feature named {name!r} cannot be a column of a table; rename it or write JSON lines")
    if "" in corpus.documents or "" in corpus.annotators:
        raise DataError("a document or annotator without a name cannot be in a table; write JSON lines")
    labels = (_text(label) for column in corpus.features.values() for label in column.labels)
    texts = [*corpus.documents, *corpus.annotators, *features, *labels]
    _check_texts(texts, "write JSON lines")
    marked = np.zeros_like(corpus.worked)
    marked[corpus.document, corpus.annotator] = True
    nothing = np.argwhere(corpus.worked & ~marked)
    document = np.concatenate([corpus.document, nothing[:, 0]])
    annotator = np.concatenate([corpus.annotator, nothing[:, 1]])
    order = np.lexsort((annotator, document)).tolist()
    columns: list[Sequence[Any]] = [
        [corpus.documents[d] for d in document.tolist()],
        [corpus.annotators[a] for a in annotator.tolist()],
        *([*positions, *[""] * len(nothing)] for positions in places.values()),
        *([*map(_text, corpus.features[name].values()), *[""] * len(nothing)] for name in features),
    ]
    rows = ([column[row] for column in columns] for row in order)
    _write_rows(["document", "annotator", *places, *features], rows, texts, target)


def _places(corpus: Corpus) -> dict[str, list[Any]]:
    """Return the columns with positions; start and end are those of a plain unit, or of the source of a relation."""
    anchors = None if corpus.anchors is None else corpus.anchors.simplest()
    if anchors is None:
        return {"start": corpus.start.tolist(), "end": corpus.end.tolist()}
    return {
        name: [cell[0] if len(cell) == 1 else SEVERAL_NUMBERS.join(map(str, cell)) for cell in column]
        for name, column in anchors.columns().items()
    }


def _check_roles(places: Collection[str], features: Sequence[str]) -> None:
    """Reject roles, or features, whose columns would be read as something else."""
    names = ["document", "annotator", *places, *features]
    for name in places:
        if name != name.strip() or len({other for other in names if other.casefold() == name.casefold()}) > 1:
            raise DataError(f"a role with the column {name!r} cannot be in a table; rename it or write JSON lines")
    if {*position_columns(names)} != {*places}:
        other = next(iter({*position_columns(names)} ^ {*places}))
        raise DataError(f"the column {other!r} would be read as something else; rename it or write JSON lines")


def _write_ratings(ratings: Ratings, target: _Target) -> None:
    """Write one row per item; the column document only if the documents have names."""
    if ratings.repeats is not None:
        raise DataError("a table of ratings has one row per item, but here a row stands for several; it is not written")
    if not len(ratings.items) or not ratings.annotators:
        missing = "items" if not len(ratings.items) else "annotators"
        raise DataError(f"there is nothing to write: there are no {missing}")
    _check_annotators(ratings.annotators)
    if "" in ratings.documents or "" in ratings.items:
        raise DataError("a document or item without a name cannot be in a table; name it")
    labels = list(map(_text, ratings.labels))
    items = list(map(str, ratings.items))
    _check_texts(texts := [*ratings.documents, *ratings.annotators, *items, *labels], "remove it")
    _check_labels(ratings.labels)
    columns: dict[str, Sequence[str]] = {}
    if ratings.documents != ("document",):
        columns["document"] = [ratings.documents[d] for d in ratings.document.tolist()]
    columns["item"] = items
    labels.append("")  # for what is missing: its code is -1
    for name, codes in zip(ratings.annotators, ratings.codes.T, strict=True):
        columns[name] = [labels[code] for code in codes.tolist()]
    if not _is_plain(columns):
        columns = _one_row_per_label(columns, ratings.annotators)
    _write_rows(list(columns), zip(*columns.values(), strict=True), texts, target)


def _is_plain(columns: Mapping[str, Sequence[str]]) -> bool:
    """Whether all annotators would be read as annotators, whatever their names and labels look like."""
    cells = [[cell or None for cell in column] for column in columns.values()]
    try:
        roles = wide_roles(RawColumns([*columns], cells, lambda row, message: DataError(message), {}), {})
    except DataError:
        return False
    return not roles.dropped


def _one_row_per_label(columns: Mapping[str, Sequence[str]], annotators: Sequence[str]) -> dict[str, Sequence[str]]:
    others = {name: column for name, column in columns.items() if name not in annotators}
    return {
        **{name: [cell for cell in column for _ in annotators] for name, column in others.items()},
        "annotator": [name for _ in columns["item"] for name in annotators],
        "label": [cell for row in zip(*(columns[name] for name in annotators), strict=True) for cell in row],
    }


def _write_normalizations(data: Normalizations, target: _Target) -> None:
    """Write one row per token, or per token and annotator if there are modernizations."""
    texts = [*data.documents, *data.annotators, *data.forms, *data.types]
    if not data.n_tokens:
        raise DataError("there is nothing to write: there are no tokens")
    _check_texts(texts, "remove it")
    _check_annotators(data.annotators, NORMALIZATIONS_LONG.columns)
    columns = columns_of(data)
    _write_rows(list(columns), zip(*columns.values(), strict=True), texts, target)


def _write_rows(header: Sequence[str], rows: Iterable[Sequence[Any]], texts: Sequence[str], target: _Target) -> None:
    stream, delimiter, safe = target
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    if safe or is_protected(texts):  # what looks protected is read as if it were
        other = {words: after for words in texts if (after := protected(words)) != words}
        header, *rows = (
            ([other.get(cell, cell) for cell in row] for row in (header, *rows)) if other else (header, *rows)
        )
    marks = "\r" if delimiter != "\t" else '\r\n\t"'  # returns csv leaves unquoted; with tabs, all or nothing is quoted
    quoted = any(mark in words for words in texts for mark in marks)
    writer = csv.writer(
        text,
        delimiter=delimiter,
        lineterminator="\n",
        quoting=csv.QUOTE_NONNUMERIC if quoted else csv.QUOTE_MINIMAL,
    )
    writer.writerow(header)
    writer.writerows(rows)
    text.detach()


def _check_annotators(names: Iterable[str], reserved: Collection[str] = ()) -> None:
    """Reject annotators whose names would be read as something else above a column."""
    for name in names:
        if not name or name != name.strip() or name.casefold() in reserved or resembled([name], {}):
            raise DataError(f"an annotator named {name!r} cannot be a column of a table; use another name")


def _check_texts(texts: Iterable[str], advice: str) -> None:
    for words in texts:
        if "\0" in words or _HALF_PAIR.search(words) is not None:
            raise DataError(f"{words!r} has a character that cannot be in a table; {advice}")


def _check_labels(labels: Iterable[Label]) -> None:
    written: dict[str, Label] = {}
    for label in labels:
        if _text(label) and (same := written.setdefault(_text(label), label)) is not label:
            raise DataError(f"the labels {same!r} and {label!r} would be the same in a table; rename one")
    if all(looks_numeric(words) and "," not in words for words in written):
        numbers: dict[float, Label] = {}
        for words, label in written.items():
            if (same := numbers.setdefault(float(words), label)) is not label:
                raise DataError(f"the labels {same!r} and {label!r} would be the same number in a table; rename one")


def _text(label: Label | None) -> str:
    if label is None:
        return ""
    if isinstance(label, tuple):
        return written_label(label)
    return str(label).lower() if isinstance(label, bool) else str(label)


def _lost(corpus: Corpus) -> Iterator[str]:
    labels = [(name, label) for name, column in corpus.features.items() for label in column.labels]
    typed = list(dict.fromkeys(name for name, label in labels if not isinstance(label, str)))
    empty = list(dict.fromkeys(name for name, label in labels if _text(label) == ""))
    idle = [name for name, worked in zip(corpus.annotators, corpus.worked.T, strict=True) if not worked.any()]
    unseen = [name for name, worked in zip(corpus.documents, corpus.worked, strict=True) if not worked.any()]
    if corpus.texts:
        yield f"The texts are left out, and with them how long documents are: {_OR_CONTINUUM}."
    if corpus.tokens:
        yield "The tokens are left out: write .jsonl to keep them."
    if corpus.bounds:
        yield f"Where each continuum begins and ends is left out: {_OR_CONTINUUM}."
    if typed:
        yield f"Numbers, true/false and sets have become text in: {', '.join(typed)}."
    if empty:
        yield f"Empty labels have become missing values in: {', '.join(empty)}."
    if unseen:
        yield f"Documents that nobody worked on are left out: {', '.join(unseen)}."
    if idle:
        yield f"Annotators who worked on no document are left out: {', '.join(idle)}."


def _lost_of_ratings(ratings: Ratings) -> Iterator[str]:
    if any(not isinstance(label, str) for label in ratings.labels):
        yield "Numbers, true/false and sets have become text."
    if any(_text(label) == "" for label in ratings.labels):
        yield "Empty labels have become missing values."
