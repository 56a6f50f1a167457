"""Data to CSV: units with one row each, ratings and normalizations with one column an annotator."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.errors import DataError
from unisono.formats.columns import REWRITTEN, resembled
from unisono.formats.normalizations import columns_of

_FIXED = ("document", "annotator", "start", "end")
_OF_NORMALIZATIONS = REWRITTEN.columns
_OR_CONTINUUM = "write .jsonl to keep it, or state the continuum when reading"
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def write(data: Data, stream: BinaryIO, delimiter: str = ",") -> list[str]:
    """Write a table, and give sentences on what it could not hold."""
    if isinstance(data, Ratings):
        _write_ratings(data, stream, delimiter)
        return list(_lost_of_ratings(data))
    if isinstance(data, Normalizations):
        _write_normalizations(data, stream, delimiter)
        return []
    _write_units(data, stream, delimiter)
    return list(_lost(data))


def _write_units(corpus: Corpus, stream: BinaryIO, delimiter: str) -> None:
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
    rows = ([column[row] for column in columns] for row in order)
    _write_rows([*_FIXED, *features], rows, _texts(corpus), stream, delimiter)


def _write_ratings(ratings: Ratings, stream: BinaryIO, delimiter: str) -> None:
    """Write a row an item; the column document only if the documents have names."""
    _refuse_unwritable_ratings(ratings)
    columns: dict[str, Sequence[str]] = {}
    if ratings.documents != ("document",):
        columns["document"] = [ratings.documents[d] for d in ratings.document.tolist()]
    columns["item"] = list(map(str, ratings.items))
    texts = [*map(_text, ratings.labels), ""]  # the last is for what is missing: its code is -1
    for name, codes in zip(ratings.annotators, ratings.codes.T, strict=True):
        columns[name] = [texts[code] for code in codes.tolist()]
    rows = zip(*columns.values(), strict=True)
    _write_rows(list(columns), rows, _texts_of_ratings(ratings), stream, delimiter)


def _write_normalizations(data: Normalizations, stream: BinaryIO, delimiter: str) -> None:
    """Write a row a token; a row a token of an annotator if there are modernizations."""
    texts = [*data.documents, *data.annotators, *data.forms, *data.types]
    if not data.n_tokens:
        raise DataError("there is nothing to write: there are no tokens")
    for words in texts:
        if _is_unwritable(words):
            raise DataError(f"{words!r} has a character that cannot be in a table; remove it")
    for name in data.annotators:
        if not name or name != name.strip() or name.casefold() in _OF_NORMALIZATIONS or resembled([name], {}):
            raise DataError(f"an annotator named {name!r} cannot be a column of a table; use another name")
    columns = columns_of(data)
    _write_rows(list(columns), zip(*columns.values(), strict=True), texts, stream, delimiter)


def _write_rows(
    header: Sequence[str], rows: Iterable[Sequence[Any]], texts: Iterable[str], stream: BinaryIO, delimiter: str
) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
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


def _refuse_unwritable(corpus: Corpus, features: Sequence[str]) -> None:
    for name in features:
        reserved = name.casefold() in (*_FIXED, "category") and name != "category"
        if reserved or not name or name != name.strip():
            raise DataError(f"a feature named {name!r} cannot be a column of a table; rename it or write JSON lines")
    if "" in corpus.documents or "" in corpus.annotators:
        raise DataError("a document or annotator without a name cannot be in a table; write JSON lines")
    for words in _texts(corpus):
        if _is_unwritable(words):
            raise DataError(f"{words!r} has a character that cannot be in a table; write JSON lines")


def _refuse_unwritable_ratings(ratings: Ratings) -> None:
    if ratings.repeats is not None:
        raise DataError("a table of ratings has one row an item, and here a row stands for several; it is not written")
    if not len(ratings.items):
        raise DataError("there is nothing to write: there are no items")
    for name in ratings.annotators:
        if not name or name != name.strip() or resembled([name], {}):
            raise DataError(f"an annotator named {name!r} cannot be a column of a table of ratings; use another name")
    if "" in ratings.documents or "" in ratings.items:
        raise DataError("a document or item without a name cannot be in a table; name it")
    for words in _texts_of_ratings(ratings):
        if _is_unwritable(words):
            raise DataError(f"{words!r} has a character that cannot be in a table; remove it")
    written: dict[str, Label] = {}
    for label in ratings.labels:
        if _text(label) and (same := written.setdefault(_text(label), label)) is not label:
            raise DataError(f"the labels {same!r} and {label!r} would be the same in a table; rename one")


def _is_unwritable(words: str) -> bool:
    return "\0" in words or _HALF_PAIR.search(words) is not None


def _texts(corpus: Corpus) -> Iterator[str]:
    """Go through all distinct texts that would be written."""
    yield from corpus.documents
    yield from corpus.annotators
    for name, column in corpus.features.items():
        yield name
        yield from map(_text, column.labels)


def _texts_of_ratings(ratings: Ratings) -> Iterator[str]:
    yield from ratings.documents
    yield from ratings.annotators
    yield from map(str, ratings.items)
    yield from map(_text, ratings.labels)


def _text(label: Label | None) -> str:
    if label is None:
        return ""
    if isinstance(label, tuple):
        return "|".join(label)
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
        yield f"Empty labels have become missing ones in: {', '.join(empty)}."
    if unseen:
        yield f"Documents that nobody worked on are left out: {', '.join(unseen)}."
    if idle:
        yield f"Annotators who worked on no document are left out: {', '.join(idle)}."


def _lost_of_ratings(ratings: Ratings) -> Iterator[str]:
    if any(not isinstance(label, str) for label in ratings.labels):
        yield "Numbers, true/false and sets have become text."
    if any(_text(label) == "" for label in ratings.labels):
        yield "Empty labels have become missing ones."
