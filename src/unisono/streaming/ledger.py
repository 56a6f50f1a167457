"""Batches of a measurement, and of random samples, as files, so that it can be continued."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np

from unisono.chance.sampling import Samples
from unisono.errors import KeepingError
from unisono.execution import Pool
from unisono.measurement.disorder.document import ARRAYS, DocumentColumns
from unisono.measurement.gamma.batches import MeasuredBatch
from unisono.measurement.gamma.expected import Batch
from unisono.measurement.sums import DocumentSums, SummedBatch
from unisono.output import write_whole
from unisono.streaming.files import writing

_Made = TypeVar("_Made")
_WORDS = "words"
_N_DOCUMENTS = "n_documents"
_MODEL = "samples of"


class BatchFolder:
    """Keeps each batch in a file of its own, as soon as it is made; see `Ledger`."""

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
        names = [f"{number:06}" for number in range(len(ranges))]
        self._complete(names, lambda number: job(ranges[number]), run, crew)
        return _Kept(self, names)

    def each(self, names: Sequence[str], jobs: Sequence[Any], run: Callable[[Any], Any], crew: Pool) -> Iterator[Any]:
        """See `Ledger`."""
        self._complete(names, jobs.__getitem__, run, crew)
        return map(self.batch, names)

    def _complete(self, names: Sequence[str], job: Callable[[int], Any], run: Callable[[Any], Any], crew: Pool) -> None:
        """Make the batches that are not kept yet."""
        missing = [number for number, name in enumerate(names) if self._kept(name) is None]
        for number, made in zip(missing, crew.each(run, _Jobs(missing, job)), strict=True):
            content = _written(made)

            def write(file: BinaryIO, content: bytes = content) -> None:
                file.write(content)

            with writing(self._folder):
                write_whole(self._path(names[number]), write)

    def batch(self, name: str) -> Any:
        """Return a batch that was made before."""
        found = self._kept(name)
        if found is None:
            reason = f"{self._path(name).name} has been damaged or deleted; repeat the command, which makes it again"
            raise KeepingError(reason, path=self._folder)
        return found

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.npz"

    def _kept(self, name: str) -> Any:
        """Return a batch that was made before; None if it was not, or if its file is damaged."""
        try:
            with np.load(self._path(name)) as arrays:
                return _read(arrays)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None


class _Kept(Sequence[Any]):
    """Batches in a folder, which are read when they are needed."""

    def __init__(self, folder: BatchFolder, names: Sequence[str]) -> None:
        self._folder = folder
        self._names = names

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._folder.batch(name) for name in self._names[index]]
        return self._folder.batch(self._names[index])


class _Jobs(Sequence[Any]):
    """Jobs that are made when they are handed out: they may hold documents."""

    def __init__(self, numbers: Sequence[int], job: Callable[[int], Any]) -> None:
        self._numbers = numbers
        self._job = job

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._job(number) for number in self._numbers[index]]
        return self._job(self._numbers[index])


def _written(batch: MeasuredBatch | SummedBatch | Batch) -> bytes:
    content = BytesIO()
    np.savez(content, allow_pickle=False, **_arrays(batch))
    return content.getvalue()


def _arrays(batch: MeasuredBatch | SummedBatch | Batch) -> dict[str, Any]:
    match batch:
        case MeasuredBatch():
            return _columns(batch)
        case SummedBatch():
            return _sums(batch)
        case Batch():
            return {
                _MODEL: np.array(batch.model),
                **{field.name: getattr(batch.samples, field.name) for field in fields(Samples)},
                "ratios": batch.ratios,
                "seen": batch.seen,
            }


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


def _read(arrays: Any) -> MeasuredBatch | SummedBatch | Batch:
    if _MODEL in arrays:
        samples = Samples(*(arrays[field.name] for field in fields(Samples)))
        return Batch(str(arrays[_MODEL]), samples, arrays["ratios"], arrays["seen"])
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
