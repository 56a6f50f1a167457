"""Files to data, piece by piece: as `read`, for data larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from unisono.checks import check_function
from unisono.data import Corpus, Data, Export
from unisono.data.corpus import Bounds
from unisono.data.selection import Steps
from unisono.errors import DataError
from unisono.execution import Progress
from unisono.formats.archives import unpacked
from unisono.formats.arguments import check_continuum, check_path, check_paths
from unisono.formats.combining import CONTENTS, FilePart, check_newest, check_used, check_versions, source_of
from unisono.formats.finding import AnnotationFile, AnnotationFiles, find_annotations
from unisono.formats.format import Instructions, reading_steps
from unisono.formats.reading import SKIPPED, Reader, explaining_file, instructions_of, path_pattern, read_worked
from unisono.formats.registry import by_name
from unisono.output import PathLike


class Piecewise:
    """Reads files piece by piece; iterate over it, once, and then ask what is known about all.

    Parameters are those of `read`. Pieces hold units; data of other kinds is one piece.

    Attributes
    ----------
    kind : str or None
        The kind of units or labels that is wanted, if it was chosen.
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
        annotator_from: str | None = None,
        columns: Mapping[str, str] | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        decimal: str | None = None,
        sheet: str | int | None = None,
        options: Mapping[str, str] | None = None,
        discontinuous: str = "together",
        units: str | None = None,
        worked: PathLike | None = None,
        continuum: tuple[float, float] | None = None,
        bad: Callable[[DataError], None] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.paths = check_paths(paths, "paths")
        self._instructions = instructions_of(
            columns=columns,
            delimiter=delimiter,
            encoding=encoding,
            decimal=decimal,
            sheet=sheet,
            options=options,
            annotator_from=annotator_from,
            discontinuous=discontinuous,
            units=units,
        )
        self._where = path_pattern(pattern, self._instructions.annotator_from)
        self._chosen = None if format is None else by_name(format)
        self._table = None if worked is None else check_path(worked, "worked")
        self._progress = check_function(progress, "progress", "done", "total")
        self._reader = Reader(self._instructions, check_function(bad, "bad", "error"), 1, self._progress)
        self.continuum: Bounds | None = check_continuum(continuum)
        self.kind = self._instructions.units
        self.source = ""
        self.steps: Steps = ()
        self.worked: list[tuple[str, str]] = []
        self.dropped: Mapping[str, int] = {}

    def __iter__(self) -> Iterator[Data | Export]:
        reader = self._reader
        with unpacked(self.paths, None if reader.bad is None else reader.skip) as content, content.translating():
            reader.content = content
            found = find_annotations(content, self._chosen, self._where, self._instructions, reader.skip)
            check_used(self._instructions, found.files, self._table)
            who = None if self._table is None else read_worked(content.readable(self._table, ()), self._instructions)
            self.worked = who or []
            self.steps = reading_steps(self._instructions, self.continuum, who)
            yield from self._of_files(found)
            self.dropped = {**({SKIPPED: reader.n_bad} if reader.n_bad else {}), **found.left_out}

    def _of_files(self, found: AnnotationFiles) -> Iterator[Data | Export]:
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
        what = "" if versions.kind is Corpus else f" {CONTENTS[versions.kind]}"
        self.source = source_of(self.paths, read, what, found.assumed if versions.kind is Corpus else None)

    def _of_file(self, file: AnnotationFile) -> Iterator[Data | Export]:
        with explaining_file(file.path):
            if file.format.pieces is None or (self._reader.bad is not None and self._is_bad(file)):
                yield self._reader.one(file)
            else:
                yield from file.format.pieces(file.path, file.instructed(self._instructions))

    def _is_bad(self, file: AnnotationFile) -> bool:
        """Whether something in a file cannot be read; a bad record may make a whole file bad."""
        try:
            for _ in file.format.pieces(file.path, file.instructed(self._instructions)) if file.format.pieces else ():
                pass
        except DataError:
            return True
        return False


class _Versions:
    """Checks each piece against earlier files, as `combined` checks all files, without keeping them.

    Files that hold the same version of a document, or another text of it, are read again to be compared, which is rare.
    """

    def __init__(self, found: AnnotationFiles, instructions: Instructions) -> None:
        self._found = found
        self._instructions = instructions
        self._first: FilePart | None = None
        self._number = {file.path: number for number, file in enumerate(found.files)}
        # hashes, which need less space than names: of a version of a document to the first file that it is in, and of
        # a document to the first file with its text, and that text
        self._versions: dict[int, int] = {}
        self._texts: dict[int, tuple[int, int]] = {}

    @property
    def kind(self) -> type:
        """What the files hold."""
        return Corpus if self._first is None else type(self._first.data)

    def check(self, file: AnnotationFile, piece: Data | Export) -> None:
        """Reject a piece that does not go with earlier files."""
        empty = piece if isinstance(piece, Export) else piece.select(documents=[])
        first = self._first = self._first or FilePart(file, empty)
        if len(self._found.files) == 1 or not isinstance(piece, Corpus):
            return
        newest = FilePart(file, piece)
        check_newest([newest] if first.file is file else [first, newest], self._instructions)
        for number in sorted(self._earlier(self._number[file.path], piece)):
            other = self._found.files[number]
            before = FilePart(other, other.format.read(other.path, other.instructed(self._instructions)))
            check_newest([before, newest], self._instructions)
            if isinstance(before.data, Corpus):
                check_versions([(other, before.data), (file, piece)], self._found.assumed, self._instructions)

    def _earlier(self, number: int, piece: Corpus) -> set[int]:
        """Return the earlier files that a piece has to be compared with."""
        found = set()
        for document, annotator in np.argwhere(piece.worked).tolist():
            key = hash((piece.documents[document], piece.annotators[annotator]))
            found.add(self._versions.setdefault(key, number))
        for (document, _), text in piece.texts.items():
            first, content = self._texts.setdefault(hash(piece.documents[document]), (number, hash(text)))
            found.add(first if content != hash(text) else number)
        return found - {number}
