"""Files to data, piece by piece: as `read`, for data larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from unisono.checks import check_function
from unisono.data import Corpus, Data
from unisono.data.corpus import Bounds
from unisono.data.selection import Steps
from unisono.errors import DataError
from unisono.execution import Progress
from unisono.formats.archives import unpacked
from unisono.formats.arguments import check_continuum, check_path, check_paths
from unisono.formats.combining import FilePart, check_newest, check_used, source_of
from unisono.formats.finding import AnnotationFile, AnnotationFiles, find_annotations
from unisono.formats.format import Instructions, reading_steps
from unisono.formats.pieces import pieces
from unisono.formats.places import _alike, _same_text, _texts, check_distinct_units, check_single_versions
from unisono.formats.reading import SKIPPED, _explaining, _pattern, _read_worked, _Reader, instructed
from unisono.formats.registry import by_name
from unisono.output import PathLike


class Piecewise:
    """Reads files piece by piece; iterate over it, once, and then ask what is known about all.

    Parameters are those of `read`. Pieces hold units; data of other kinds is one piece.

    Attributes
    ----------
    source : str
        Where the data comes from.
    steps : tuple
        What a signature must name about reading.
    continuum : (float, float) or None
        Start and end of every document's continuum, if given.
    worked : list of (str, str)
        Who worked on what, as listed by the user.
    dropped : dict
        What was left out, besides what pieces count.
    """

    def __init__(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        format: str | None = None,  # noqa: A002
        pattern: str | None = None,
        worked: PathLike | None = None,
        continuum: tuple[float, float] | None = None,
        bad: Callable[[DataError], None] | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> None:
        self.paths = check_paths(paths, "paths")
        self._instructions = instructed(**options)
        self._where = _pattern(pattern, self._instructions.annotator_from)
        self._chosen = None if format is None else by_name(format)
        self._table = None if worked is None else check_path(worked, "worked")
        self._progress = check_function(progress, "progress", "done", "total")
        self._reader = _Reader(self._instructions, check_function(bad, "bad", "error"), self._progress)
        self.continuum: Bounds | None = check_continuum(continuum)
        self.source = ""
        self.steps: Steps = ()
        self.worked: list[tuple[str, str]] = []
        self.dropped: Mapping[str, int] = {}
        self.is_one = False  # whether all is in one piece, as `read` would return it

    def __iter__(self) -> Iterator[Data]:
        reader = self._reader
        with unpacked(self.paths, None if reader.bad is None else reader.skip) as content, content.translating():
            reader.content = content
            found = find_annotations(content, self._chosen, self._where, self._instructions, reader.skip)
            check_used(self._instructions, found.files, self._table)
            who = None if self._table is None else _read_worked(content.readable(self._table, ()), self._instructions)
            self.worked = who or []
            self.steps = reading_steps(self._instructions, self.continuum, who)
            yield from self._of_files(found)
            self.dropped = {**({SKIPPED: reader.n_bad} if reader.n_bad else {}), **found.left_out}

    def _of_files(self, found: AnnotationFiles) -> Iterator[Data]:
        read: list[AnnotationFile] = []
        first: DataError | None = None
        versions = _Versions(found, self._instructions)
        for number, file in enumerate(found.files, start=1):
            try:
                for piece in self._of_file(file):
                    versions.check(file, piece)
                    yield piece
                read.append(file)
            except DataError as error:
                self._reader.skip(error)
                first = first or error
            if self._progress is not None:
                self._progress(number, len(found.files))
        if not read:
            raise first or DataError("there is nothing to read")
        self.source = source_of(self.paths, read, found.assumed)

    def _of_file(self, file: AnnotationFile) -> Iterator[Data]:
        with _explaining(file.path):
            if self._reader.bad is not None:
                yield self._reader.one(file)
            else:
                yield from pieces(file.format, file.path, file.instructed(self._instructions))
