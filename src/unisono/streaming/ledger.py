"""Batches of a measurement as files, so that it can be continued."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np

from unisono.execution import Pool
from unisono.measurement.disorder.document import ARRAYS, DocumentColumns
from unisono.measurement.gamma.batches import MeasuredBatch
from unisono.streaming.files import write_whole, writing

_Made = TypeVar("_Made")
_WORDS = "words"


class BatchFolder:
    """Keeps each batch of γ in a file of its own, as soon as it is measured; see `Ledger`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with writing(folder):
            folder.mkdir(exist_ok=True)

    def filed(self, make: Callable[[Path], _Made]) -> _Made:
        """See `Ledger`."""
        with writing(self._folder):
            return make(self._folder / "mixed")

    def all(
        self, ranges: Sequence[range], job: Callable[[range], Any], run: Callable[[Any], MeasuredBatch], crew: Pool
    ) -> Iterator[MeasuredBatch]:
        """See `Ledger`."""
        missing = [number for number, batch in enumerate(ranges) if self._kept(number, len(batch)) is None]
        jobs = _Jobs([ranges[number] for number in missing], job)
        for number, made in zip(missing, crew.each(run, jobs), strict=True):
            content = _written(made)

            def write(file: BinaryIO, content: bytes = content) -> None:
                file.write(content)

            with writing(self._folder):
                write_whole(self._path(number), write)
        found = (self._kept(number, len(batch)) for number, batch in enumerate(ranges))
        return (batch for batch in found if batch is not None)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:06}.npz"

    def _kept(self, number: int, n_documents: int) -> MeasuredBatch | None:
        """Return a batch that was measured before; None if it was not, or if its file is damaged."""
        try:
            with np.load(self._path(number)) as arrays:
                found = _read(arrays)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        return found if len(found.columns) == n_documents else None


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


def _written(batch: MeasuredBatch) -> bytes:
    columns = batch.columns
    words = json.dumps({"kinds": columns.kinds, "reasons": columns.reasons, "remarks": columns.remarks})
    arrays = {
        **{name: getattr(columns, name) for name in ARRAYS},
        "category_sums": batch.category_sums,
        "label_counts": batch.label_counts,
        _WORDS: np.frombuffer(words.encode(), np.uint8),
    }
    content = BytesIO()
    np.savez(content, allow_pickle=False, **arrays)
    return content.getvalue()


def _read(arrays: Any) -> MeasuredBatch:
    words = json.loads(arrays[_WORDS].tobytes())
    columns = DocumentColumns(
        **{name: arrays[name] for name in ARRAYS},
        kinds=tuple(words["kinds"]),
        reasons=tuple(words["reasons"]),
        remarks=tuple(tuple(notes) for notes in words["remarks"]),
    )
    return MeasuredBatch(columns, arrays["category_sums"], arrays["label_counts"])
