"""Batches of a measurement as files, so that it can be continued."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np

from unisono.errors import KeepingError
from unisono.execution import Pool
from unisono.measurement.disorder.document import ARRAYS, DocumentColumns
from unisono.measurement.gamma.batches import MeasuredBatch
from unisono.measurement.sums import DocumentSums, SummedBatch
from unisono.streaming.files import write_whole, writing

_Made = TypeVar("_Made")
_WORDS = "words"
_N_DOCUMENTS = "n_documents"


class BatchFolder:
    """Keeps each batch in a file of its own, as soon as it is measured; see `Ledger`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with writing(folder):
            folder.mkdir(exist_ok=True)

    def filed(self, make: Callable[[Path], _Made]) -> _Made:
        """See `Ledger`."""
        with writing(self._folder):
            return make(self._folder / "mixed")

    def all(
        self, ranges: Sequence[range], job: Callable[[range], Any], run: Callable[[Any], Any], crew: Pool
    ) -> Sequence[Any]:
        """See `Ledger`."""
        missing = [number for number, batch in enumerate(ranges) if self._kept(number, len(batch)) is None]
        jobs = _Jobs([ranges[number] for number in missing], job)
        for number, made in zip(missing, crew.each(run, jobs), strict=True):
            content = _written(made)

            def write(file: BinaryIO, content: bytes = content) -> None:
                file.write(content)

            with writing(self._folder):
                write_whole(self._path(number), write)
        return _Kept(self, ranges)

    def batch(self, number: int, n_documents: int) -> Any:
        """Return a batch that was measured before."""
        found = self._kept(number, n_documents)
        if found is None:
            reason = f"{self._path(number).name} has been damaged or deleted; repeat the command, which makes it again"
            raise KeepingError(reason, path=self._folder)
        return found

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:06}.npz"

    def _kept(self, number: int, n_documents: int) -> Any:
        """Return a batch that was measured before; None if it was not, or if its file is damaged."""
        try:
            with np.load(self._path(number)) as arrays:
                found = _read(arrays)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        n_kept = found.n_documents if isinstance(found, SummedBatch) else len(found.columns)
        return found if n_kept == n_documents else None


class _Kept(Sequence[Any]):
    """Batches in a folder, which are read when they are needed."""

    def __init__(self, folder: BatchFolder, ranges: Sequence[range]) -> None:
        self._folder = folder
        self._ranges = ranges

    def __len__(self) -> int:
        return len(self._ranges)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[number] for number in range(len(self))[index]]
        number = range(len(self))[index]
        return self._folder.batch(number, len(self._ranges[number]))


class _Jobs(Sequence[Any]):
    """Jobs that are made when they are handed out: they may hold documents."""

    def __init__(self, ranges: Sequence[range], job: Callable[[range], Any]) -> None:
        self._ranges = ranges
        self._job = job

    def __len__(self) -> int:
        return len(self._ranges)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._job(batch) for batch in self._ranges[index]]
        return self._job(self._ranges[index])


def _written(batch: MeasuredBatch | SummedBatch) -> bytes:
    content = BytesIO()
    np.savez(content, allow_pickle=False, **(_sums(batch) if isinstance(batch, SummedBatch) else _columns(batch)))
    return content.getvalue()


def _sums(batch: SummedBatch) -> dict[str, Any]:
    arrays: dict[str, Any] = {_N_DOCUMENTS: np.array(batch.n_documents)}
    for name, sums in batch.tables.items():
        arrays |= {f"{name}/{column}": values for column, values in sums._asdict().items()}
    return arrays


def _columns(batch: MeasuredBatch) -> dict[str, Any]:
    columns = batch.columns
    words = json.dumps({"kinds": columns.kinds, "reasons": columns.reasons, "remarks": columns.remarks})
    return {
        **{name: getattr(columns, name) for name in ARRAYS},
        "category_sums": batch.category_sums,
        "label_counts": batch.label_counts,
        _WORDS: np.frombuffer(words.encode(), np.uint8),
    }


def _read(arrays: Any) -> MeasuredBatch | SummedBatch:
    if _N_DOCUMENTS in arrays:
        names = dict.fromkeys(name.rpartition("/")[0] for name in arrays if name != _N_DOCUMENTS)
        tables = {
            name: DocumentSums(*(arrays[f"{name}/{column}"] for column in DocumentSums._fields)) for name in names
        }
        return SummedBatch(int(arrays[_N_DOCUMENTS]), tables)
    words = json.loads(arrays[_WORDS].tobytes())
    columns = DocumentColumns(
        **{name: arrays[name] for name in ARRAYS},
        kinds=tuple(words["kinds"]),
        reasons=tuple(words["reasons"]),
        remarks=tuple(tuple(notes) for notes in words["remarks"]),
    )
    return MeasuredBatch(columns, arrays["category_sums"], arrays["label_counts"])
