"""Runs of a benchmark, saved in a file one by one, so that an interrupted benchmark can be resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from unisono.data import Corpus, Ratings
from unisono.errors import DataError
from unisono.shuffling.benchmarking import Run
from unisono.version import __version__


class FileStore:
    """Saves runs as JSON lines; the first line says which benchmark they belong to.

    It is `about` what the values depend on besides errors, magnitude and repetition.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self._path = path
        self._about = {"unisono": __version__, **about}
        self._known: dict[Run, Mapping[str, float | None]] = {}
        if path.is_dir():
            raise DataError("this is a folder; choose another output", path=path)
        if not path.exists() or not self._read():
            path.unlink(missing_ok=True)
            self._append({"benchmark": self._about})

    @property
    def n_known(self) -> int:
        """How many runs are done."""
        return len(self._known)

    def known(self) -> Mapping[Run, Mapping[str, float | None]]:
        """Return the runs that are done."""
        return self._known

    def keep(self, run: Run, values: Mapping[str, float | None]) -> None:
        """Save a run."""
        self._append({"error": run.errors, "magnitude": run.magnitude, "repetition": run.repetition, "values": values})
        self._known[run] = values

    def remove(self) -> None:
        """Remove the file: the benchmark is done."""
        self._path.unlink(missing_ok=True)

    def _read(self) -> bool:
        """Read the file, and return whether there is anything in it."""
        content = self._path.read_bytes()
        *complete_lines, cut_off = content.split(b"\n")
        if not complete_lines and b'{"benchmark"'.startswith(cut_off[:12]):
            return False  # interrupted at the very start
        try:
            head, *rows = [json.loads(line) for line in complete_lines]
            about = head["benchmark"]
            for row in rows:
                self._known[Run(row["error"], row["magnitude"], row["repetition"])] = row["values"]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise DataError(
                "this file does not come from an interrupted benchmark; remove it, or choose another output",
                path=self._path,
            ) from None
        if about != json.loads(json.dumps(self._about)):
            raise DataError(
                "these are runs of a benchmark with other data or settings; remove the file to start again",
                path=self._path,
            )
        if cut_off:  # nothing else is touched, so that no run is lost if this is interrupted too
            os.truncate(self._path, len(content) - len(cut_off))
        return True

    def _append(self, entry: Mapping[str, Any]) -> None:
        try:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(entry, ensure_ascii=False) + "\n")
        except OSError as error:
            reason = error.strerror or str(error)
            raise DataError(f"runs cannot be saved ({reason}); check the folder", path=self._path) from None


def fingerprint(data: Corpus | Ratings) -> str:
    """Return a short text that is the same only for the same units, or labels, of the same annotators and documents."""
    code = 0
    for column in _columns(data):
        code = crc32(np.ascontiguousarray(column).tobytes(), code)
    return f"{crc32(_names(data).encode(errors='surrogatepass'), code):08x}"


def _columns(data: Corpus | Ratings) -> list[Any]:
    if isinstance(data, Ratings):
        return [data.document, data.codes, data.times]
    features = [feature.codes for feature in data.features.values()]
    return [data.document, data.annotator, data.start, data.end, data.worked, *features]


def _names(data: Corpus | Ratings) -> str:
    if isinstance(data, Ratings):
        return repr((data.labels, data.documents, data.annotators, [*data.items]))
    labels = repr([(name, feature.labels) for name, feature in data.features.items()])
    texts = repr((sorted(data.texts.items()), sorted(data.bounds.items()), data.documents, data.annotators))
    return labels + texts
