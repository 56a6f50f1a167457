"""Ratings: the labels that annotators gave to predefined items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from unisono.arrays import BoolArray, IntArray
from unisono.checks import check_choice
from unisono.data.annotations import Itemized
from unisono.data.doubts import doubts
from unisono.data.labels import MISSING, Label, encode_in_order, feature, given_labels
from unisono.data.questions import UNKNOWN, Question
from unisono.data.selection import Steps, chosen, kept
from unisono.data.spans import Locate
from unisono.drawing import Drawn
from unisono.errors import DataError, OptionError, mention

Rows: TypeAlias = Literal["items", "annotators"] | None
"""What the rows of a bare table are."""

NO_UNITS = "units with a start and an end are needed, but these are labels of given items"
"""The message of a measure for units."""
_MOST_CELLS = 2**28


@dataclass(frozen=True, eq=False)
class Ratings(Itemized, Drawn):
    """Items × annotators. Make one with `unisono.read`, `unisono.from_frame`, `Ratings.of` or `Ratings.from_columns`.

    Attributes
    ----------
    items : sequence
        The items' names, or their numbers from 1 in each document.
    annotators, documents : tuple of str
        Names, in the order of their first appearance.
    document : int64 array, shape (n_items,)
        Index into `documents`: items of one document belong together.
    codes : int64 array, shape (n_items, n_annotators)
        Index into `labels`; -1 where an annotator gave no label.
    labels : tuple
        The distinct labels, sorted.
    repeats : int64 array, shape (n_items,), or None
        How often each item occurs, if one row represents several items that are labelled alike; None: once each.
    question : Question
        What annotators were asked, as far as the tool says so.
    texts : tuple of str or None
        What each item says, or is called, for display, in the order of `items`; None if that is not known.
    lines : tuple of int, or None
        On which line of its file each item is, while they are those of one file; None if that is not known.
    source : str
        Where the ratings come from, for display.
    dropped : dict
        What was left out when they were read and why, with counts.
    preparation : tuple
        What was done to them before they were measured: (step, how), in order.

    See Also
    --------
    Question, read, from_frame, to_ratings

    Examples
    --------
    >>> import unisono
    >>> ratings = unisono.Ratings.of({"anna": ["a", "b", None], "bert": ["a", "a", "b"]})
    >>> ratings
    Ratings(3 items, 2 annotators, 2 labels)
    >>> ratings.labels, ratings.n_items, ratings.n_units
    (('a', 'b'), 3, 5)
    >>> ratings.codes.tolist()
    [[0, 0], [1, 0], [-1, 1]]
    """

    items: Sequence[str | int]
    annotators: tuple[str, ...]
    documents: tuple[str, ...]
    document: IntArray
    codes: IntArray
    labels: tuple[Label, ...]
    repeats: IntArray | None = None
    question: Question = UNKNOWN
    texts: tuple[str | None, ...] | None = None
    lines: tuple[int | None, ...] | None = None
    source: str = ""
    dropped: Mapping[str, int] = field(default_factory=dict)
    preparation: Steps = ()

    @classmethod
    def from_columns(
        cls,
        *,
        item: Sequence[Any],
        annotator: Sequence[str],
        label: Iterable[Any],
        document: Sequence[str] | None = None,
        question: Question = UNKNOWN,
        texts: Mapping[tuple[str, Any], str] | None = None,
        lines: Mapping[tuple[str, Any], int] | None = None,
        source: str = "",
        locate: Locate | None = None,
    ) -> Ratings:
        """Make ratings from columns of equal length, one row per label.

        Parameters
        ----------
        item, annotator, document : sequence
            Names; items of different documents are different items. All belong to one document if none is given.
        label : iterable
            The labels; None where the annotator gave none.
        question : Question, optional
            What annotators were asked.
        texts : mapping, optional
            What items say, by document and item.
        lines : mapping, optional
            On which line of the file items are, by document and item.
        source : str, optional
            Where the data comes from.
        locate : callable, optional
            Row to (file, line), for messages.
        """
        column = feature(label)
        document = ["document"] * len(item) if document is None else document
        if not len(item) == len(annotator) == len(document) == len(column.codes):
            raise DataError("the columns of the ratings differ in length")
        row, places = encode_in_order(list(zip(document, item, strict=True)))
        who, people = encode_in_order(annotator)
        _refuse_repeated(row * max(len(people), 1) + who, item, annotator, locate)
        codes = unlabelled(len(places), len(people))
        codes[row, who] = column.codes
        index, names = encode_in_order([name for name, _ in places])
        return cls(
            items=tuple(name for _, name in places),
            annotators=people,
            documents=names,
            document=index,
            codes=codes,
            labels=column.labels,
            question=question,
            texts=tuple(map(texts.get, places)) if texts else None,
            lines=tuple(map(lines.get, places)) if lines else None,
            source=source,
        )

    @classmethod
    def from_annotators(
        cls,
        columns: Mapping[str, Iterable[Any]],
        *,
        items: Sequence[str | int] | None = None,
        document: Sequence[str] | None = None,
        source: str = "",
    ) -> Ratings:
        """Make ratings from one column per annotator, one row per item.

        Parameters
        ----------
        columns : mapping
            Annotator to labels; None where the annotator gave none.
        items, document : sequence, optional
            The items' names, and the documents that they belong to; without names, the items of each document are
            numbered.
        source : str, optional
            Where the data comes from.
        """
        lists = {name: list(values) for name, values in columns.items()}
        lengths = {name: len(values) for name, values in lists.items()}
        if len(set(lengths.values())) > 1:
            raise DataError(f"annotators have different numbers of labels: {lengths}; use None for a missing one")
        n_items = next(iter(lengths.values()), 0)
        column = feature([value for values in lists.values() for value in values])
        index, documents = encode_in_order(["document"] * n_items if document is None else document)
        return cls(
            items=numbers_within(index) if items is None else items,
            annotators=tuple(map(str, lists)),
            documents=("document",) if document is None else documents,
            document=index,
            codes=np.ascontiguousarray(column.codes.reshape(len(lists), n_items).T),
            labels=column.labels,
            source=source,
        )

    @classmethod
    def of(cls, table: Any, *, rows: Rows = None) -> Ratings:
        """Make ratings from a mapping or a bare table.

        Parameters
        ----------
        table : Ratings, mapping, or array-like of two dimensions
            A mapping is annotator to labels. In a table, None, NaN and masked values are missing labels.
        rows : {"items", "annotators"}
            What the rows of a table are; the columns are the other. There is no default: half of all packages have
            items there, and half have annotators.
        """
        if rows is not None and isinstance(table, Ratings | Mapping):
            raise OptionError("applies only to bare tables (arrays and lists of lists); leave it out here", "rows")
        if isinstance(table, Ratings):
            return table
        if isinstance(table, Mapping):
            return cls.from_annotators(table)
        by_items = _check_rows(rows) == "items"
        numeric = isinstance(table, np.ndarray) and table.dtype.kind in "iuf" and table.ndim == 2
        array = table if numeric else _cells(table)
        array = array if by_items else array.T
        codes, labels = _encoded(array)
        return cls(
            items=range(1, array.shape[0] + 1),
            annotators=tuple(map(str, range(1, array.shape[1] + 1))),
            documents=("document",),
            document=np.zeros(array.shape[0], dtype=np.int64),
            codes=codes,
            labels=labels,
        )

    @property
    def n_items(self) -> int:
        """Number of items, repeated ones counted each time."""
        return int(self.times.sum())

    @property
    def cells(self) -> IntArray:
        """The codes of the labels."""
        return self.codes

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of a result should know about the labels; see `unisono.data.doubts`."""
        return doubts(self.annotators, self.codes, self.labels)

    @property
    def _sizes(self) -> tuple[Any, ...]:
        return tuple(sorted(self.annotators)), self.codes.shape

    @property
    def _content(self) -> dict[Any, Any]:
        """The labels of each item by annotator, for comparison."""
        label = [*self.labels, None]
        places = zip([self.documents[index] for index in self.document.tolist()], self.items, strict=True)
        rows = self.codes.tolist()
        given = [{who: label[code] for who, code in zip(self.annotators, row, strict=True)} for row in rows]
        return dict(zip(places, zip(self.times.tolist(), given, strict=True), strict=True))

    def __repr__(self) -> str:
        return f"Ratings({self.n_items} items, {len(self.annotators)} annotators, {len(self.labels)} labels)"

    def select(
        self,
        *,
        annotators: Iterable[str] | None = None,
        documents: Iterable[str] | None = None,
        all_labels: bool = False,
    ) -> Ratings:
        """Keep some annotators, some documents, or both; items that none of them labelled are removed.

        So are labels that no remaining annotator gave, unless all labels are to remain as possible choices.
        """
        keep_annotators = kept(self.annotators, annotators, "annotator")
        keep_documents = kept_documents = kept(self.documents, documents, "document")
        steps = self.preparation
        if annotators is not None:
            steps = chosen(steps, "annotators", self.annotators, keep_annotators)
        rows = keep_documents[self.document]
        if annotators is not None:
            rows = rows & (self.codes[:, keep_annotators] >= 0).any(axis=1)
            keep_documents = np.isin(np.arange(len(self.documents)), self.document[rows])
        made = taken(self, rows, keep_annotators, keep_documents, all_labels=all_labels)
        if documents is not None:
            steps = chosen(steps, "documents", self.documents, kept_documents)
        return replace(made, preparation=steps)


def taken(
    ratings: Ratings, rows: BoolArray, annotators: BoolArray, documents: BoolArray, *, all_labels: bool = False
) -> Ratings:
    """Keep some rows, annotators and documents; labels that nobody gives any more are removed, unless all stay."""
    index = np.flatnonzero(rows).tolist()
    codes, labels = ratings.codes[np.ix_(rows, annotators)], ratings.labels
    if not all_labels:
        codes, labels = given_labels(codes, labels)
    return replace(
        ratings,
        items=ratings.items if rows.all() else [ratings.items[i] for i in index],
        annotators=tuple(np.array(ratings.annotators, dtype=object)[annotators]),
        documents=tuple(np.array(ratings.documents, dtype=object)[documents]),
        document=(np.cumsum(documents) - 1)[ratings.document[rows]],
        codes=codes,
        labels=labels,
        repeats=None if ratings.repeats is None else ratings.repeats[rows],
        texts=None if ratings.texts is None else tuple(ratings.texts[i] for i in index),
        lines=None if ratings.lines is None else tuple(ratings.lines[i] for i in index),
    )


def numbers_within(document: IntArray) -> Sequence[int]:
    """Return the number of each item within its document, from 1; `document` is the index of each item's document."""
    if not document.any():
        return range(1, len(document) + 1)
    order = np.argsort(document, kind="stable")
    counts = np.bincount(document)
    numbers = np.empty(len(document), dtype=np.int64)
    numbers[order] = np.arange(len(document)) - np.repeat(np.cumsum(counts) - counts, counts) + 1
    return numbers.tolist()


def unlabelled(n_items: int, n_annotators: int) -> IntArray:
    """Allocate memory for the labels of all items by all annotators, if there is enough."""
    if n_items * n_annotators > _MOST_CELLS:
        raise DataError(
            f"{n_items:,} items by {n_annotators:,} annotators are too many to compare; check which columns are the "
            "items and the annotators, or measure parts of the data"
        )
    return np.full((n_items, n_annotators), MISSING, dtype=np.int64)


def _refuse_repeated(cells: IntArray, item: Sequence[Any], annotator: Sequence[str], locate: Locate | None) -> None:
    distinct, first = np.unique(cells, return_index=True)
    if len(distinct) < len(cells):
        row = int(np.setdiff1d(np.arange(len(cells)), first)[0])
        path, line = (None, None) if locate is None else locate(row)
        raise DataError(
            f"the annotator {annotator[row]!r} labels the item {str(item[row])!r} a second time; remove one, "
            "or distinguish items of different documents by a column document, and runs of a model by "
            f"{mention('columns', {'run': 'NAME'})}",
            path=path,
            line=line,
        )


def _check_rows(rows: Rows) -> str:
    """Return what rows are; without it, a bare table is ambiguous."""
    if rows is None:
        raise OptionError(
            f"a bare table is ambiguous; pass {mention('rows', 'items')} if each row is an item, or "
            f"{mention('rows', 'annotators')} if each row is an annotator",
            "rows",
        )
    return check_choice(rows, "rows", ("items", "annotators"))


def _cells(table: Any) -> Any:
    """Make an array of cells that may contain anything, including sets of labels."""
    try:
        rows = [list(row) for row in table]
    except TypeError:
        raise DataError("ratings are a table: rows are items, columns are annotators, one label per cell") from None
    width = max(map(len, rows), default=0)
    cells = np.empty((len(rows), width), dtype=object)
    for index, row in enumerate(rows):
        if len(row) != width:
            raise DataError(f"row {index} has {len(row)} labels, another row has {width}; use None for a missing one")
        for column, label in enumerate(row):
            cells[index, column] = None if label is np.ma.masked else label
    return cells


def _encoded(array: Any) -> tuple[IntArray, tuple[Label, ...]]:
    """Assign numbers to the labels in sorted order, with a fast path if they are numeric."""
    if array.dtype.kind == "O":
        column = feature(array.ravel().tolist())
        return column.codes.reshape(array.shape), column.labels
    missing = np.ma.getmaskarray(array) | np.isnan(np.ma.getdata(array))
    values = np.where(missing, 0, np.ma.getdata(array))
    if not np.isfinite(values).all():
        raise DataError("a label is infinite; use None or NaN for a missing one")
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    whole = values.astype(np.int64)
    if (whole == values).all() and high - low < max(values.size, 1):
        present = np.bincount((whole - low)[~missing], minlength=high - low + 1) > 0
        codes, labels = (np.cumsum(present) - 1)[whole - low], (np.flatnonzero(present) + low).tolist()
    else:
        distinct, codes = np.unique(values[~missing], return_inverse=True)
        codes, labels = _spread(codes, missing), distinct.tolist()
    return np.where(missing, MISSING, codes).astype(np.int64), tuple(labels)


def _spread(codes: IntArray, missing: Any) -> IntArray:
    spread = np.zeros(missing.shape, dtype=np.int64)
    spread[~missing] = codes
    return spread
