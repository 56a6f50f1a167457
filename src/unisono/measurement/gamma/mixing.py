"""Annotations mixed from all documents of a corpus that is larger than memory.

A sample needs few documents, but any. So all of them are put, in the order in which chance numbers them, into files
that are mapped into memory: only what is drawn is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.chance.canonical import canonical_documents, numbered_key
from unisono.chance.corpus import MixedDocuments, Mixture, most_units, shared_beginning
from unisono.data import Corpus
from unisono.data.anchors import Anchors
from unisono.data.sets import annotation_sets
from unisono.measurement.batching import batches_of
from unisono.output import sync_file, write_whole

_INDEX = "index.npz"
"""Written last: files without it are not complete."""
_AT_ONCE = 500
_ANCHORS = {"anchor-role": np.int64, "anchor-start": np.float64, "anchor-end": np.float64}
"""Files of anchors, if some units have several."""


@dataclass(frozen=True)
class FiledMixture(Mixture):
    """A mixture whose documents are in files; `filed_mixtures` makes them."""

    folder: Path = Path()
    roles: tuple[str, ...] = ()  # of anchors; none if all units are plain

    @cached_property
    def measured(self) -> IntArray:
        """See `Mixture`."""
        return np.asarray(self._index["measured"])

    @property
    def n_units(self) -> int:
        """See `Mixture`."""
        return int(float(self._index["mean_size"]) * self.n_annotators) if len(self.measured) else 0

    @cached_property
    def _drawn(self) -> MixedDocuments:
        index = self._index
        n_units = int(index["first"][-1])
        codes = np.memmap(self.folder / "codes", np.int64, "r").reshape(-1, n_units) if index["n_features"] else None
        return MixedDocuments(
            index["annotators"],
            index["first"],
            np.asarray(np.memmap(self.folder / "start", np.float64, "r")),
            np.asarray(np.memmap(self.folder / "end", np.float64, "r")),
            index["length"],
            np.zeros((0, n_units), np.int64) if codes is None else np.asarray(codes),
            self._anchors if self.roles else None,
        )

    @property
    def _anchors(self) -> Anchors:
        kinds = {"first-anchors": np.int64, **_ANCHORS}
        first, role, start, end = (np.asarray(np.memmap(self.folder / name, own, "r")) for name, own in kinds.items())
        return Anchors(first, role, start, end, self.roles)

    @cached_property
    def _most(self) -> int:
        return int(self._index["most"])

    @cached_property
    def _index(self) -> Mapping[str, Any]:
        with np.load(self.folder / _INDEX) as arrays:
            return dict(arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        return FiledMixture, ((), self.n_annotators, None, self.folder, self.roles)


def filed_mixtures(
    corpus: Corpus, features: Sequence[str], repeats: Mapping[int, int], folder: Path
) -> dict[int, Mixture]:
    """Return a mixture for each number of annotators, with files in a folder; `repeats` are as `repeated_contents`."""
    folder.mkdir(exist_ok=True)
    if not (folder / _INDEX).exists():
        _file(corpus, features, repeats, folder)
    sizes = np.unique(corpus.worked.sum(axis=1)).tolist()
    roles = () if corpus.anchors is None else corpus.anchors.roles
    return {n: FiledMixture((), n, None, folder, roles) for n in sizes if n > 1}


def _file(corpus: Corpus, features: Sequence[str], repeats: Mapping[int, int], folder: Path) -> None:
    """Write the documents that are measured, in the order of their content."""
    found = _collected(corpus, features, folder)
    keys = [
        numbered_key(digest, repeats.get(index, 0)) for index, digest in zip(found.index, found.digest, strict=True)
    ]
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
    low, high, inferred = (np.array(column) for column in (found.low, found.high, found.inferred))
    begin = shared_beginning(low, high, inferred)
    n_annotators, sizes = np.array(found.n_annotators, np.int64), np.array(found.size, np.int64)
    counts, n_units = np.array(found.counts, np.int64), int(sizes.sum())
    first_row, first_count = np.cumsum(sizes) - sizes, np.cumsum(n_annotators) - n_annotators
    with (
        (folder / "start").open("wb") as starts,
        (folder / "end").open("wb") as ends,
        (folder / "codes").open("wb") as codes,
    ):
        codes.truncate(8 * n_units * len(features))
        written = 0
        for place in range(0, len(order), _AT_ONCE):
            some = order[place : place + _AT_ONCE]
            rows = _runs(first_row[some], sizes[some])
            offset = np.repeat(begin[some], sizes[some])
            for name, file in (("all-start", starts), ("all-end", ends)):
                file.write((np.memmap(folder / name, np.float64, "r")[rows] - offset).tobytes())
            for number in range(len(features)):
                codes.seek(8 * (number * n_units + written))
                codes.write(np.memmap(folder / f"all-codes-{number}", np.int64, "r")[rows].tobytes())
            written += len(rows)
    if corpus.anchors is not None and len(order):
        _file_anchors(found, order, begin, folder)
    for path in folder.glob("all-*"):
        path.unlink()
    for path in folder.iterdir():
        sync_file(path)
    index: dict[str, Any] = {
        "measured": np.array(found.index, np.int64)[order],
        "annotators": np.concatenate([np.zeros(1, np.int64), np.cumsum(n_annotators[order])]),
        "first": np.concatenate(
            [np.zeros(1, np.int64), np.cumsum(counts[_runs(first_count[order], n_annotators[order])])]
        ),
        "length": (high - begin)[order],
        "most": most_units(counts),
        "mean_size": np.mean((sizes / n_annotators)[order]) if len(order) else 0.0,
        "n_features": len(features),
    }
    write_whole(folder / _INDEX, lambda file: np.savez(file, allow_pickle=False, **index))


def _file_anchors(found: _Collected, order: IntArray, begin: FloatArray, folder: Path) -> None:
    """Write the anchors of units, in the same order of documents."""
    sizes, n_anchors = np.array(found.size, np.int64), np.array(found.n_anchors, np.int64)
    first_row, first_anchor = np.cumsum(sizes) - sizes, np.cumsum(n_anchors) - n_anchors
    every = {name: np.memmap(folder / f"all-{name}", kind, "r") for name, kind in _ANCHORS.items()}
    own = np.memmap(folder / "all-n-anchors", np.int64, "r")
    with ExitStack() as opened:
        firsts, *files = (opened.enter_context((folder / name).open("wb")) for name in ("first-anchors", *_ANCHORS))
        written = 0
        for place in range(0, len(order), _AT_ONCE):
            some = order[place : place + _AT_ONCE]
            of_unit = own[_runs(first_row[some], sizes[some])]
            firsts.write((written + np.cumsum(of_unit) - of_unit).tobytes())
            rows, offset = _runs(first_anchor[some], n_anchors[some]), np.repeat(begin[some], n_anchors[some])
            for (name, column), file in zip(every.items(), files, strict=True):
                file.write((column[rows] - (0 if name == "anchor-role" else offset)).tobytes())
            written += len(rows)
        firsts.write(np.int64(written).tobytes())


class _Collected:
    """What is known about each document that is measured, in the order of the corpus."""

    def __init__(self) -> None:
        self.index: list[int] = []
        self.digest: list[str] = []
        self.n_annotators: list[int] = []
        self.size: list[int] = []
        self.low: list[float] = []
        self.high: list[float] = []
        self.inferred: list[bool] = []
        self.counts: list[int] = []  # how many units each annotator has
        self.n_anchors: list[int] = []


def _collected(corpus: Corpus, features: Sequence[str], folder: Path) -> _Collected:
    """Write the units of all documents that are measured one after another, each as `canonical` returns it."""
    found = _Collected()
    names = ["all-start", "all-end", *(f"all-codes-{number}" for number in range(len(features)))]
    if corpus.anchors is not None:
        names += ["all-n-anchors", *(f"all-{name}" for name in _ANCHORS)]
    with ExitStack() as opened:
        files = [opened.enter_context((folder / name).open("wb")) for name in names]
        for batch in batches_of(corpus.sizes):
            documents = canonical_documents(annotation_sets(corpus.part(batch.start, batch.stop), features))
            for index, document in zip(batch, documents, strict=True):
                units = document.units
                if units.n_annotators < 2 or not units.n_units:
                    continue
                found.index.append(index)
                found.digest.append(document.digest)
                found.n_annotators.append(units.n_annotators)
                found.size.append(units.n_units)
                found.low.append(units.bounds[0])
                found.high.append(units.bounds[1])
                found.inferred.append(units.inferred)
                found.counts += np.bincount(units.annotator, minlength=units.n_annotators).tolist()
                columns = [units.start, units.end, *units.codes]
                if units.anchors is not None:
                    own = units.anchors
                    found.n_anchors.append(own.n_anchors)
                    columns += [own.sizes, own.role, own.start, own.end]
                for file, column in zip(files, columns, strict=True):
                    file.write(np.ascontiguousarray(column).tobytes())
    return found


def _runs(first: IntArray, sizes: IntArray) -> IntArray:
    """Return the numbers from each first one on, so many of each, one after another."""
    before = np.cumsum(sizes) - sizes
    return np.asarray(np.repeat(first - before, sizes) + np.arange(int(sizes.sum())))
