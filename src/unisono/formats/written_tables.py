"""Data as the columns of a table to write: units with one row each, ratings with one column per annotator."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from unisono.data import Corpus, Label, Normalizations, Ratings
from unisono.data.labels import written_label
from unisono.errors import DataError
from unisono.formats.columns import NORMALIZATIONS_LONG, position_columns, resembled
from unisono.formats.normalizations import columns_of
from unisono.formats.numbers import looks_numeric
from unisono.formats.recognition import RawColumns
from unisono.formats.wide_tables import wide_roles

WrittenColumns: TypeAlias = Mapping[str, Sequence[Any]]

_FIXED = ("document", "annotator", "start", "end")
_OR_CONTINUUM = "write .jsonl to keep it, or state the continuum when reading"
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def unit_columns(corpus: Corpus) -> WrittenColumns:
    """Return columns with one row per unit, and one without positions for annotators who marked nothing.

    A position is a number, or a list of numbers if a unit has several anchors of a role, or none. Cells are None where
    there is no label.
    """
    if not corpus.worked.any():
        raise DataError("there is nothing to write: nobody worked on a document")
    features = sorted(corpus.features, key=lambda name: name != "category")
    places = _places(corpus)
    _check_names(corpus, places, features)
    labels = (cell_text(label) for column in corpus.features.values() for label in column.labels)
    check_texts([*corpus.documents, *corpus.annotators, *features, *labels], "write JSON lines")
    marked = np.zeros_like(corpus.worked)
    marked[corpus.document, corpus.annotator] = True
    nothing = np.argwhere(corpus.worked & ~marked)
    document = np.concatenate([corpus.document, nothing[:, 0]])
    annotator = np.concatenate([corpus.annotator, nothing[:, 1]])
    order = np.lexsort((annotator, document)).tolist()
    columns: dict[str, list[Any]] = {
        "document": [corpus.documents[d] for d in document.tolist()],
        "annotator": [corpus.annotators[a] for a in annotator.tolist()],
        **{name: positions + [[]] * len(nothing) for name, positions in places.items()},
        **{name: corpus.features[name].values() + [None] * len(nothing) for name in features},
    }
    return {name: [column[row] for row in order] for name, column in columns.items()}


def _places(corpus: Corpus) -> dict[str, list[Any]]:
    """Return the columns with positions; start and end are those of a plain unit, or of the source of a relation."""
    anchors = None if corpus.anchors is None else corpus.anchors.simplest()
    if anchors is None:
        return {"start": corpus.start.tolist(), "end": corpus.end.tolist()}
    return {
        name: [cell[0] if len(cell) == 1 else cell for cell in column] for name, column in anchors.columns().items()
    }


def _check_names(corpus: Corpus, places: Collection[str], features: Sequence[str]) -> None:
    """Reject names of features, roles, documents and annotators that would be read as something else."""
    names = ["document", "annotator", *places, *features]
    for name in places:
        if name != name.strip() or len({other for other in names if other.casefold() == name.casefold()}) > 1:
            raise DataError(f"a role with the column {name!r} cannot be in a table; rename it or write JSON lines")
    if {*position_columns(names)} != {*places}:
        other = next(iter({*position_columns(names)} ^ {*places}))
        raise DataError(f"the column {other!r} would be read as something else; rename it or write JSON lines")
    for name in features:
        reserved = name.casefold() in (*_FIXED, "category") and name != "category"
        if reserved or not name or name != name.strip():
            raise DataError(f"a feature named {name!r} cannot be a column of a table; rename it or write JSON lines")
    if "" in corpus.documents or "" in corpus.annotators:
        raise DataError("a document or annotator without a name cannot be in a table; write JSON lines")


def rating_columns(ratings: Ratings, cell: Callable[[Label | None], Any]) -> WrittenColumns:
    """Return columns with one row per item, or per label if annotators would not be read as such; see `cell_text`."""
    if ratings.repeats is not None:
        raise DataError("a table of ratings has one row per item, but here a row stands for several; it is not written")
    if not len(ratings.items) or not ratings.annotators:
        missing = "items" if not len(ratings.items) else "annotators"
        raise DataError(f"there is nothing to write: there are no {missing}")
    _check_annotators(ratings.annotators)
    if "" in ratings.documents or "" in ratings.items:
        raise DataError("a document or item without a name cannot be in a table; name it")
    items = list(map(str, ratings.items))
    check_texts([*ratings.documents, *ratings.annotators, *items, *map(cell_text, ratings.labels)], "remove it")
    columns: dict[str, Sequence[Any]] = {}
    if ratings.documents != ("document",):
        columns["document"] = [ratings.documents[d] for d in ratings.document.tolist()]
    columns["item"] = items
    cells = [*map(cell, ratings.labels), cell(None)]  # what is missing has the code -1
    for name, codes in zip(ratings.annotators, ratings.codes.T, strict=True):
        columns[name] = [cells[code] for code in codes.tolist()]
    return columns if _is_plain(columns) else _one_row_per_label(columns, ratings.annotators)


def _is_plain(columns: WrittenColumns) -> bool:
    """Whether all annotators would be read as annotators, whatever their names and labels look like."""
    cells = [[None if cell == "" else cell for cell in column] for column in columns.values()]
    try:
        roles = wide_roles(RawColumns([*columns], cells, lambda row, message: DataError(message), {}), {})
    except DataError:
        return False
    return not roles.dropped


def _one_row_per_label(columns: WrittenColumns, annotators: Sequence[str]) -> WrittenColumns:
    others = {name: column for name, column in columns.items() if name not in annotators}
    return {
        **{name: [cell for cell in column for _ in annotators] for name, column in others.items()},
        "annotator": [name for _ in columns["item"] for name in annotators],
        "label": [cell for row in zip(*(columns[name] for name in annotators), strict=True) for cell in row],
    }


def normalization_columns(data: Normalizations) -> WrittenColumns:
    """Return columns with one row per token, or per token and annotator if there are modernizations."""
    if not data.n_tokens:
        raise DataError("there is nothing to write: there are no tokens")
    check_texts([*data.documents, *data.annotators, *data.forms, *data.types], "remove it")
    _check_annotators(data.annotators, NORMALIZATIONS_LONG.columns)
    return columns_of(data)


def _check_annotators(names: Iterable[str], reserved: Collection[str] = ()) -> None:
    """Reject annotators whose names would be read as something else above a column."""
    for name in names:
        if not name or name != name.strip() or name.casefold() in reserved or resembled([name], {}):
            raise DataError(f"an annotator named {name!r} cannot be a column of a table; use another name")


def check_texts(texts: Iterable[str], advice: str) -> None:
    """Reject texts with characters that tables have no place for."""
    for words in texts:
        if "\0" in words or _HALF_PAIR.search(words) is not None:
            raise DataError(f"{words!r} has a character that cannot be in a table; {advice}")


def check_labels_as_text(labels: Iterable[Label]) -> None:
    """Reject labels that would be the same if they were text."""
    written: dict[str, Label] = {}
    for label in labels:
        if cell_text(label) and (same := written.setdefault(cell_text(label), label)) is not label:
            raise DataError(f"the labels {same!r} and {label!r} would be the same in a table; rename one")
    if all(looks_numeric(words) and "," not in words for words in written):
        numbers: dict[float, Label] = {}
        for words, label in written.items():
            if (same := numbers.setdefault(float(words), label)) is not label:
                raise DataError(f"the labels {same!r} and {label!r} would be the same number in a table; rename one")


def cell_text(label: Label | None) -> str:
    """Write a label as text; what is missing is empty."""
    if label is None:
        return ""
    if isinstance(label, tuple):
        return written_label(label)
    return str(label).lower() if isinstance(label, bool) else str(label)


def lost_of_units(corpus: Corpus, as_text: Collection[str]) -> Iterator[str]:
    """Say what a table of units does not hold; features in `as_text` have labels that became text."""
    typed = [name for name in as_text if not all(isinstance(label, str) for label in corpus.features[name].labels)]
    emptied = [name for name, column in corpus.features.items() if "" in column.labels]
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
    if emptied:
        yield f"Empty labels have become missing values in: {', '.join(emptied)}."
    if unseen:
        yield f"Documents that nobody worked on are left out: {', '.join(unseen)}."
    if idle:
        yield f"Annotators who worked on no document are left out: {', '.join(idle)}."


def lost_of_ratings(ratings: Ratings, *, as_text: bool) -> Iterator[str]:
    """Say what a table of ratings does not hold; `as_text` if all labels became text."""
    if as_text and not all(isinstance(label, str) for label in ratings.labels):
        yield "Numbers, true/false and sets have become text."
    if "" in ratings.labels:
        yield "Empty labels have become missing values."
