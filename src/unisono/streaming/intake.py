"""Pieces of a corpus, one after the other, become a corpus in a folder.

Documents, annotators and labels are numbered as they come, and numbered anew in their proper order when all are known.
Rows then move to the place of their document, a block at a time, so that neither the order of rows nor the number of
units matters for memory.
"""

from __future__ import annotations

import json
import shutil
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Corpus, Label
from unisono.data.anchors import PIECE, Anchors, tie_breakers
from unisono.data.corpus import Bounds
from unisono.data.labels import MISSING, encode, feature
from unisono.data.selection import Steps
from unisono.data.unit_kinds import Others, summed_others
from unisono.errors import DataError
from unisono.output import sync_file, sync_folder
from unisono.streaming.files import write_sums
from unisono.streaming.stored import ABOUT, ANCHORS, FIRST_ANCHORS, FIXED, POSITIONS, code_file, json_label

_BLOCK = 2**17
"""So many rows are sorted at a time."""
_FLOATS = ("start", "end")
_ANCHOR, _N_ANCHORS = "first-anchor", "n-anchors"
"""Columns of units in pieces that have some with several anchors: where those begin as they came, and how many."""
_RAW_KINDS: Mapping[str, npt.DTypeLike] = {**dict.fromkeys(_FLOATS, np.float64), _ANCHOR: np.int64}
"""What columns hold as they come, if not 32 bits."""
_RAW_ANCHORS = "raw-anchors"
"""The role, start and end of each anchor, as they come."""


class Intake:
    """Takes pieces of a corpus; `seal` makes a corpus of all. Without that, nothing is left of it."""

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self._folder = folder
        self._opened = ExitStack()
        self._sealed = False
        self._documents: dict[str, int] = {}
        self._annotators: dict[str, int] = {}
        self._labels: dict[str, dict[tuple[bool, Label], int]] = {}
        self._n_rows = 0
        self._order: list[str] = []
        self._begun: dict[str, int] = {}  # column to the number of rows before it was first seen
        self._files: dict[str, BinaryIO] = {name: self._file(name) for name in FIXED}
        self._roles: dict[str, int] = {}
        self._n_anchors = self._n_anchored = 0  # how many anchors there are, and units in pieces that have some
        self._whole = self._seconds = True  # whether all positions are whole numbers; whether those of no piece are
        self._versions: list[IntArray] = []  # (document, annotator) of those who worked
        self._bounds = _Index()
        self._extents = _Index()
        self._texts = _Index(self._file("texts"))
        self._tokens = _Index(self._file("tokens"))
        self._dropped: Counter[str] = Counter()
        self._others: dict[str, dict[str, int]] = {}

    def __enter__(self) -> Intake:
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()
        if not self._sealed:
            shutil.rmtree(self._folder, ignore_errors=True)

    def add(self, piece: Corpus) -> None:
        """Add what is in a piece; its documents may have been in earlier ones."""
        documents = _numbers(piece.documents, self._documents)
        people = _numbers(piece.annotators, self._annotators)
        worked = np.argwhere(piece.worked)
        self._versions.append(np.column_stack([documents[worked[:, 0]], people[worked[:, 1]]]))
        columns: dict[str, Any] = {
            "document": documents[piece.document],
            "annotator": people[piece.annotator],
            "start": piece.start,
            "end": piece.end,
        }
        for name, column in piece.features.items():
            table = self._labels.setdefault(name, {})
            codes = [table.setdefault((isinstance(label, bool), label), len(table)) for label in column.labels]
            columns[self._raw_labels(name)] = np.array([*codes, MISSING], np.int64)[column.codes]
        anchors = None if piece.anchors is None else piece.anchors.simplest()
        if anchors is not None:
            columns |= self._add_anchors(anchors)
        for name in columns:
            if name not in self._files:
                self._begun[name], self._files[name] = self._n_rows, self._file(name)
        for name, file in self._files.items():
            values = columns[name] if name in columns else np.full(piece.n_units, MISSING)
            file.write(values.astype(_RAW_KINDS.get(name, np.int32)).tobytes())
        self._n_rows += piece.n_units
        if piece.n_units:
            self._whole = self._whole and piece.start.dtype.kind == "i"
            self._seconds = self._seconds and piece.start.dtype.kind == "f"
        for given, index in ((piece.bounds, self._bounds), (piece.extents, self._extents)):
            for d, (low, high) in given.items():
                index.add(int(documents[d]), 0, low, high)
        for (d, a), text in piece.texts.items():
            self._texts.append(int(documents[d]), int(people[a]), text.encode("utf-8", "surrogatepass"))
        for d, spans in piece.tokens.items():
            self._tokens.append(int(documents[d]), 0, np.ascontiguousarray(spans, np.int64).tobytes())
        self._dropped += Counter(dict(piece.dropped))
        self._others = summed_others([self._others, piece.others])

    def _add_anchors(self, anchors: Anchors) -> dict[str, IntArray]:
        """Add the anchors of a piece's units; return where those of each unit begin, and how many they are."""
        columns = {_ANCHOR: self._n_anchors + anchors.first[:-1], _N_ANCHORS: anchors.sizes}
        roles = _numbers(anchors.roles, self._roles)
        with (self._folder / _RAW_ANCHORS).open("ab") as file:
            rows = np.column_stack([roles[anchors.role], anchors.start, anchors.end])
            file.write(rows.astype(np.float64).tobytes())
        self._n_anchors += anchors.n_anchors
        self._n_anchored += anchors.n_units
        return columns

    def seal(
        self,
        *,
        source: str,
        preparation: Steps = (),
        continuum: Bounds | None = None,
        worked: Iterable[tuple[str, str]] = (),
        dropped: Mapping[str, int] | None = None,
        others: Others | None = None,
        features: Sequence[str] = (),
        with_idle: bool = True,
    ) -> None:
        """Sort what was taken in and make a corpus of it.

        Parameters
        ----------
        source, preparation, continuum, worked, dropped, others
            See `Corpus` and `read`.
        features : sequence of str
            Features in their order; others come after them.
        with_idle : bool
            Whether annotators who worked on nothing stay.
        """
        self._opened.close()
        self._seconds = self._seconds and self._n_rows > 0
        pairs = [*worked]
        listed = (_numbers([d for d, _ in pairs], self._documents), _numbers([a for _, a in pairs], self._annotators))
        self._versions.append(np.column_stack(listed))
        versions = np.concatenate(self._versions)
        busy = set(versions[:, 1].tolist())
        rank, annotators = encode([name if with_idle or n in busy else None for name, n in self._annotators.items()])
        self._order = sorted(self._labels, key=lambda name: [*features, name].index(name))
        if self._n_anchored and self._n_anchored < self._n_rows:
            self._roles.setdefault(PIECE, len(self._roles))  # of units in pieces all of whose units are plain
        present = np.zeros((len(self._documents), len(annotators)), np.bool_)
        present[versions[:, 0], rank[versions[:, 1]]] = True
        first_rows = self._sort(rank)
        np.save(self._folder / "worked.npy", present)
        np.save(self._folder / "first_rows.npy", first_rows)
        documents = [*self._documents]
        self._write_json("documents.json", documents)
        self._save("texts", _common_texts(self._texts.sorted(rank), self._folder / "texts", documents, annotators))
        for name, index in (("tokens", self._tokens), ("extents", self._extents)):
            rows = index.sorted()
            self._save(name, rows[_first_of_each(rows)])
        if continuum is None:
            self._save("bounds", _common_bounds(self._bounds.sorted(), documents, widest=self._seconds))
        about = {
            "annotators": annotators,
            "features": [[name, [*map(json_label, self._table(name)[1])]] for name in self._order],
            "whole": self._whole,
            "roles": sorted(self._roles),
            "continuum": continuum,
            "source": source,
            "preparation": preparation,
            "dropped": {**self._dropped, **(dropped or {})},
            "others": self._others if others is None else others,
        }
        self._write_json(ABOUT, about)
        write_sums(self._folder)
        for path in self._folder.iterdir():
            sync_file(path)
        sync_folder(self._folder)
        self._sealed = True

    def _sort(self, rank: IntArray) -> IntArray:
        """Move rows to their documents, and sort each document's; return the first row of each document."""
        counts = np.zeros(len(self._documents), np.int64)
        for block in self._blocks(0, self._n_rows):
            counts += np.bincount(self._read("document", block), minlength=len(counts))
        first_rows = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        names = [*self._files]
        places = {name: self._folder / f"moved-{number}" for number, name in enumerate(names)}
        moved = {name: self._opened.enter_context(place.open("w+b")) for name, place in places.items()}
        free = first_rows[:-1].copy()  # where the next row of each document goes
        for block in self._blocks(0, self._n_rows):
            document = self._read("document", block)
            order = np.argsort(document, kind="stable")
            where, own = document[order], np.arange(len(order))
            begins = np.flatnonzero(np.diff(where, prepend=-1))
            sizes = np.diff(np.append(begins, len(where)))
            place = free[where] + own - np.repeat(begins, sizes)
            free[where[begins]] += sizes
            runs = np.flatnonzero(np.diff(place, prepend=-2) != 1).tolist()
            for name, file in moved.items():
                values = self._read(name, block)[order]
                for low, high in zip(runs, [*runs[1:], len(place)], strict=True):
                    file.seek(8 * int(place[low]))
                    file.write(values[low:high].tobytes())
        for name in names:
            self._raw(name).unlink()
        self._sort_within(first_rows, moved, rank)
        for place in places.values():
            place.unlink()
        (self._folder / _RAW_ANCHORS).unlink(missing_ok=True)
        return first_rows

    def _sort_within(self, first_rows: IntArray, moved: Mapping[str, BinaryIO], rank: IntArray) -> None:
        """Sort the rows of each document as a corpus has them, with the final numbers of annotators and labels."""
        tables = {self._raw_labels(name): np.append(self._table(name)[0], MISSING) for name in self._order}
        names = [*FIXED, *map(code_file, range(len(tables))), *([FIRST_ANCHORS, *ANCHORS] if self._roles else ())]
        files = {name: self._opened.enter_context((self._folder / name).open("wb")) for name in names}
        n_anchors = first = 0
        while first < len(first_rows) - 1:
            # whole documents, about a block of rows
            last = max(int(np.searchsorted(first_rows, first_rows[first] + _BLOCK, side="right")) - 1, first + 1)
            low, high = int(first_rows[first]), int(first_rows[last])
            columns: dict[str, Any] = {}
            for name, file in moved.items():
                file.seek(8 * low)
                columns[name] = np.frombuffer(file.read(8 * (high - low)), _final_kind(name))
            columns["annotator"] = rank[columns["annotator"]]
            for name, table in tables.items():
                columns[name] = table[columns[name]]
            anchors = self._anchors_of(columns) if self._roles else None
            keys = [columns[name] for name in (*reversed([*tables]), "end", "start", "annotator", "document")]
            order = np.lexsort((*tie_breakers(anchors), *keys))
            made = [columns[name][order] for name in (*FIXED, *tables)]
            if anchors is not None:
                anchors = anchors.take(order)
                made += [n_anchors + anchors.first[:-1], anchors.role, anchors.start, anchors.end]
                n_anchors += anchors.n_anchors
            for (name, file), values in zip(files.items(), made, strict=True):
                whole = self._whole or name not in POSITIONS
                file.write(values.astype(np.int64 if whole else np.float64).tobytes())
            first = last
        if self._roles:
            files[FIRST_ANCHORS].write(np.int64(n_anchors).tobytes())
        self._opened.close()

    def _anchors_of(self, columns: Mapping[str, Any]) -> Anchors:
        """Return the anchors of units that were sorted; those that came without any are plain."""
        roles = sorted(self._roles)
        final = np.array([roles.index(name) for name in self._roles], np.int64)
        came, sizes = columns[_ANCHOR], columns[_N_ANCHORS]
        plain = np.flatnonzero(sizes == MISSING)
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.where(sizes == MISSING, 1, sizes))])
        place = np.repeat(came - first[:-1], np.diff(first)) + np.arange(first[-1])
        place[first[plain]] = 0
        raw = np.memmap(self._folder / _RAW_ANCHORS, np.float64, "r").reshape(-1, 3)
        role, start, end = np.array(raw[place].T)
        codes = final[role.astype(np.int64)]
        if len(plain):
            own = first[plain]
            codes[own], start[own], end[own] = roles.index(PIECE), columns["start"][plain], columns["end"][plain]
        return Anchors(first, codes, start, end, tuple(roles))

    def _table(self, name: str) -> tuple[IntArray, tuple[Label, ...]]:
        """Return the final code of each label that a feature has, and the labels in their order."""
        made = feature([label for _, label in self._labels[name]])
        return made.codes, made.labels

    def _raw_labels(self, name: str) -> str:
        """Return what the column with the labels of a feature is called as long as they come."""
        return f"labels-{[*self._labels].index(name)}"

    def _raw(self, name: str) -> Path:
        return self._folder / f"raw-{name}"

    def _file(self, name: str) -> BinaryIO:
        place = self._folder / name if name in ("texts", "tokens") else self._raw(name)
        return self._opened.enter_context(place.open("wb"))

    def _read(self, name: str, block: range) -> npt.NDArray[Any]:
        """Read rows of a column; those before it was first seen have none."""
        kind = np.dtype(_RAW_KINDS.get(name, np.int32))
        before = self._begun.get(name, 0)
        absent = min(max(before - block.start, 0), len(block))
        offset = kind.itemsize * max(block.start - before, 0)
        values = np.fromfile(self._raw(name), kind, count=len(block) - absent, offset=offset)
        return np.concatenate([np.full(absent, MISSING), values]).astype(_final_kind(name))

    def _blocks(self, first: int, last: int) -> Iterator[range]:
        return (range(low, min(low + _BLOCK, last)) for low in range(first, last, _BLOCK))

    def _save(self, name: str, rows: FloatArray) -> None:
        if len(rows):
            np.save(self._folder / f"{name}.npy", rows)

    def _write_json(self, name: str, content: Any) -> None:
        (self._folder / name).write_text(json.dumps(content), "ascii")  # half a surrogate pair is an escape, too


def _final_kind(name: str) -> npt.DTypeLike:
    return np.float64 if name in _FLOATS else np.int64


class _Index:
    """What is known about documents, or about annotators' versions of them: two numbers, or where it is in a file."""

    def __init__(self, file: BinaryIO | None = None) -> None:
        self.file = file
        self._numbers = array("d")
        self._size = 0

    def add(self, document: int, annotator: int, first: float, second: float) -> None:
        """Note two numbers."""
        self._numbers.extend((document, annotator, first, second))

    def append(self, document: int, annotator: int, content: bytes) -> None:
        """Write something to the file, and note where it is and how long."""
        assert self.file is not None
        self.file.write(content)
        self.add(document, annotator, self._size, len(content))
        self._size += len(content)

    def sorted(self, rank: IntArray | None = None) -> FloatArray:
        """Return what was noted by document and annotator, in the order in which it was noted; shape (n, 4)."""
        rows = np.frombuffer(self._numbers, np.float64).reshape(-1, 4).copy()
        if rank is not None and len(rows):
            rows[:, 1] = rank[rows[:, 1].astype(np.int64)]
        return rows[np.lexsort((rows[:, 1], rows[:, 0]))]


def _first_of_each(rows: FloatArray) -> BoolArray:
    """Whether each row is the first of its document and annotator."""
    return np.concatenate([np.ones(min(len(rows), 1), np.bool_), (np.diff(rows[:, :2], axis=0) != 0).any(axis=1)])


def _common_texts(rows: FloatArray, path: Path, documents: Sequence[str], annotators: Sequence[str]) -> FloatArray:
    """Keep one text of each annotator's version; two different ones are an error, as they are when files are merged."""
    first = _first_of_each(rows)
    if not first.all():
        with path.open("rb") as file:
            for index in np.flatnonzero(~first).tolist():
                if _content(file, rows[index]) != _content(file, rows[index - 1]):
                    document, annotator = (int(number) for number in rows[index, :2])
                    whose = f"{annotators[annotator]!r} on document {documents[document]!r}"
                    raise DataError(f"two files have a different text for {whose}; make them agree")
    return rows[first]


def _content(file: BinaryIO, row: FloatArray) -> bytes:
    file.seek(int(row[2]))
    return file.read(int(row[3]))


def _common_bounds(rows: FloatArray, documents: Sequence[str], widest: bool) -> FloatArray:
    """Keep one continuum of each document; recordings, in seconds, go from the first start to the last end."""
    first = np.flatnonzero(_first_of_each(rows))
    if len(first) == len(rows):
        return rows
    low, high = np.minimum.reduceat(rows[:, 2], first), np.maximum.reduceat(rows[:, 3], first)
    which = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(rows))))
    differing = np.flatnonzero((rows[:, 2:] != rows[first[which], 2:]).any(axis=1))
    if len(differing) and not widest:
        name = documents[int(rows[differing[0], 0])]
        raise DataError(f"two files have a different continuum for document {name!r}; make them agree")
    return np.column_stack([rows[first, :2], low, high])


def _numbers(names: Sequence[str], known: dict[str, int]) -> IntArray:
    """Return the numbers of names; those that are new get the next ones."""
    return np.array([known.setdefault(name, len(known)) for name in names], np.int64)
