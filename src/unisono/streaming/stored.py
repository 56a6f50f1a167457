"""A corpus whose columns are files: as large as the disk, and read as far as it is needed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus
from unisono.data.anchors import Anchors
from unisono.data.corpus import Bounds, CutMapping, UnitColumns
from unisono.data.labels import Feature, Label
from unisono.measurement.batching import batches_of

ABOUT = "corpus.json"
"""Written last: a folder without it is not complete."""
FIXED = ("document", "annotator", "start", "end")
FIRST_ANCHORS, ANCHORS = "first-anchors", ("anchor-role", "anchor-start", "anchor-end")
"""Columns of corpora in which some units have several anchors."""
POSITIONS = ("start", "end", "anchor-start", "anchor-end")
"""Columns of whole numbers or fractions; all others hold whole numbers."""
_V = TypeVar("_V")


def code_file(number: int) -> str:
    """Return the name of the file with the codes of a feature."""
    return f"feature-{number}"


@dataclass(frozen=True, eq=False, repr=False)
class StoredCorpus(Corpus):
    """A corpus that lies in a folder; `open_corpus` makes one.

    The columns of units are mapped into memory, which costs nothing until they are read; `part` reads some documents.
    """

    folder: Path = field(default=Path(), kw_only=True)
    first_rows: IntArray = field(default_factory=lambda: np.zeros(1, np.int64), kw_only=True, repr=False)
    # shape (n_documents + 1,): the first row of each document, and the number of rows

    @property
    def sizes(self) -> IntArray:
        """How many units each document has."""
        return np.diff(self.first_rows) if self._intact else super().sizes

    def rows(self, index: int) -> slice:
        """Return the rows of one document's units."""
        if not self._intact:
            return super().rows(index)
        return slice(int(self.first_rows[index]), int(self.first_rows[index + 1]))

    def columns_between(self, first: int, last: int) -> UnitColumns:
        """Read the units of some documents from the files, without mapping them."""
        if not self._intact:
            return super().columns_between(first, last)
        low, high = int(self.first_rows[first]), int(self.first_rows[last])

        def read(name: str, kind: npt.DTypeLike, low: int = low, high: int = high) -> Any:
            return np.fromfile(self.folder / name, kind, count=high - low, offset=8 * low)

        anchors = None
        if self.anchors is not None:
            begins = read(FIRST_ANCHORS, np.int64, low, high + 1)
            kinds = (np.int64, self.start.dtype, self.end.dtype)
            role, start, end = (
                read(name, kind, begins[0], begins[-1]) for name, kind in zip(ANCHORS, kinds, strict=True)
            )
            anchors = Anchors(begins - begins[0], role, start, end, self.anchors.roles)
        return UnitColumns(
            read("document", np.int64) - first,
            read("annotator", np.int64),
            read("start", self.start.dtype),
            read("end", self.end.dtype),
            {
                name: Feature(read(code_file(number), np.int64), column.labels)
                for number, (name, column) in enumerate(self.features.items())
            },
            anchors,
        )

    def _tables(self) -> Iterator[FloatArray]:
        """Read documents from the files, some at a time, without mapping them."""
        batches = batches_of(self.sizes)
        if len(batches) == 1:  # a part with all documents is this corpus itself
            yield from super()._tables()
            return
        for batch in batches:
            yield from self.part(batch.start, batch.stop)._tables()

    @property
    def _intact(self) -> bool:
        """Whether this is what the files hold; a copy with other units (`replace`) is not."""
        columns = (self.document, self.annotator, self.start, self.end, *(one.codes for one in self.features.values()))
        anchors = () if self.anchors is None else (self.anchors.first, self.anchors.start)
        return all(isinstance(column, np.memmap) or not len(column) for column in (*columns, *anchors))

    def __eq__(self, other: object) -> bool:
        """Whether both contain the same data, wherever it is."""
        if not isinstance(other, Corpus):
            return False
        return self is other or (self._sizes == other._sizes and bool(self._content == other._content))

    __hash__ = Corpus.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        if self._intact:
            return open_corpus, (self.folder,)
        return Corpus, tuple(getattr(self, field.name) for field in fields(Corpus))


def open_corpus(folder: Path) -> StoredCorpus:
    """Open a corpus that was stored in a folder."""
    about = json.loads((folder / ABOUT).read_text("utf-8"))
    first_rows = np.load(folder / "first_rows.npy")
    n_units = int(first_rows[-1])
    kind = np.int64 if about["whole"] else np.float64

    def column(name: str, n_rows: int = n_units) -> Any:
        return _mapped(folder / name, kind if name in POSITIONS else np.int64, n_rows)

    anchors = None
    if about["roles"]:
        first = column(FIRST_ANCHORS, n_units + 1)
        role, start, end = (column(name, int(first[-1])) for name in ANCHORS)
        anchors = Anchors(first, role, start, end, tuple(about["roles"]))
    features = {
        name: Feature(column(code_file(number)), tuple(map(_label, labels)))
        for number, (name, labels) in enumerate(about["features"])
    }
    documents = tuple(json.loads((folder / "documents.json").read_text("utf-8")))
    worked = np.load(folder / "worked.npy")
    continuum = about["continuum"]
    return StoredCorpus(
        documents=documents,
        annotators=tuple(about["annotators"]),
        **{name: column(name) for name in FIXED},
        features=features,
        worked=worked,
        bounds=Constant(len(documents), (continuum[0], continuum[1]))
        if continuum is not None
        else StoredBounds(folder / "bounds"),
        extents=StoredBounds(folder / "extents"),
        texts=StoredTexts(folder / "texts"),
        source=about["source"],
        tokens=StoredTokens(folder / "tokens"),
        dropped=about["dropped"],
        others=about["others"],
        anchors=anchors,
        preparation=tuple((step, how) for step, how in about["preparation"]),
        folder=folder,
        first_rows=first_rows,
    )


class _Stored(Mapping[Any, _V], CutMapping):
    """Values by keys that are numbers; files have what is known about each, sorted by key."""

    def __init__(self, path: Path) -> None:
        self.path = path
        place = path.with_suffix(".npy")
        # columns: document, annotator or 0, and two numbers: the value, or where it is in the file and how long
        self.index: FloatArray = np.load(place) if place.exists() else np.zeros((0, 4))

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[Any]:
        return map(self._key, self.index[:, :2].astype(np.int64).tolist())

    def __contains__(self, key: object) -> bool:
        return self._row(key) is not None

    def __getitem__(self, key: Any) -> _V:
        row = self._row(key)
        if row is None:
            raise KeyError(key)
        return next(self._values(slice(row, row + 1)))

    def between(self, first: int, last: int) -> Iterator[tuple[Any, _V]]:
        """See `CutMapping`."""
        rows = slice(*np.searchsorted(self.index[:, 0], (first, last)).tolist())
        return zip(map(self._key, self.index[rows, :2].astype(np.int64).tolist()), self._values(rows), strict=True)

    def _row(self, key: Any) -> int | None:
        document, who = key if isinstance(key, tuple) else (key, 0)
        low, high = np.searchsorted(self.index[:, 0], (document, document + 1)).tolist()
        row = int(low + np.searchsorted(self.index[low:high, 1], who))
        return row if row < high and self.index[row, 1] == who else None

    def _key(self, pair: list[int]) -> Any:
        return pair[0]

    def _values(self, rows: slice) -> Iterator[_V]:
        raise NotImplementedError

    def _contents(self, rows: slice) -> Iterator[bytes]:
        if rows.start < rows.stop:
            with self.path.open("rb") as file:
                for start, size in self.index[rows, 2:].astype(np.int64).tolist():
                    file.seek(start)
                    yield file.read(size)


class StoredBounds(_Stored[Bounds]):
    """Document to where its continuum begins and ends."""

    def _values(self, rows: slice) -> Iterator[Bounds]:
        return ((low, high) for low, high in self.index[rows, 2:].tolist())


class StoredTexts(_Stored[str]):
    """(Document, annotator) to the text."""

    def _key(self, pair: list[int]) -> Any:
        return tuple(pair)

    def _values(self, rows: slice) -> Iterator[str]:
        return (content.decode("utf-8", "surrogatepass") for content in self._contents(rows))


class StoredTokens(_Stored[IntArray]):
    """Document to where its tokens begin and end."""

    def _values(self, rows: slice) -> Iterator[IntArray]:
        return (np.frombuffer(content, np.int64).reshape(-1, 2) for content in self._contents(rows))


class Constant(Mapping[int, Bounds]):
    """The same continuum for every document."""

    def __init__(self, n_documents: int, bounds: Bounds) -> None:
        self._n = n_documents
        self._bounds = bounds

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._n))

    def __getitem__(self, index: int) -> Bounds:
        if index not in range(self._n):
            raise KeyError(index)
        return self._bounds


def json_label(label: Label) -> Any:
    """Write a label so that JSON keeps what it is: a set of texts is an array."""
    return list(label) if isinstance(label, tuple) else label


def _label(written: Any) -> Label:
    return tuple(written) if isinstance(written, list) else written


def _mapped(path: Path, kind: npt.DTypeLike, n_rows: int) -> Any:
    """Map a column into memory; an empty file cannot be mapped."""
    return np.memmap(path, kind, "r", shape=(n_rows,)) if n_rows else np.zeros(0, kind)
