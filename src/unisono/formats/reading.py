"""Files to data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from unisono.checks import check_choice, check_function, check_text, check_whole
from unisono.data import Corpus, Data, Export
from unisono.data.unit_kinds import UNIT_KINDS
from unisono.errors import DataError
from unisono.execution import Pool, Progress, pool
from unisono.formats.archives import Unpacked, unpacked
from unisono.formats.arguments import check_continuum, check_path, check_paths, check_sheet, check_words
from unisono.formats.columns import WORKED
from unisono.formats.combining import FilePart, check_newest, check_used, combined
from unisono.formats.encodings import check_encoding
from unisono.formats.files import locating, unreadable
from unisono.formats.finding import AnnotationFile, candidate_formats, find_annotations
from unisono.formats.folders import find_files
from unisono.formats.format import Instructions, reading_steps
from unisono.formats.line_blocks import line_blocks
from unisono.formats.merging import merge
from unisono.formats.patterns import Pattern, parse_pattern
from unisono.formats.pieces import READ_AS
from unisono.formats.registry import by_content, by_name, reader
from unisono.formats.table import worked_from
from unisono.output import PathLike

_ANNOTATOR_FROM = {
    "folder": "{annotator}/{document}{suffix}",
    "file": "{annotator}{suffix}",
    "tier": None,
    "field": None,
}
_UNITS = (*UNIT_KINDS, "items", "tokens")
SKIPPED = "files or records that could not be read and were passed over"


def read(
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
    workers: int | None = None,
    progress: Progress | None = None,
) -> Data | Export:
    """Read annotations from a file, from several files that belong together, from a folder or from a ZIP archive.

    A table holds units if it has the columns annotator, start and end; ratings if it has item, annotator and label, or
    one column per annotator; normalizations if it has the column original.

    Parameters
    ----------
    paths : path or iterable of paths
        The files, or folders or archives of them; each file may be packed with gzip. If a file does not name its
        document, the document is named after the file.
    format : str, optional
        The format's name (`unisono formats` lists them); detected from name and content if not given.
    pattern : str, optional
        Where the paths name annotator and document, for example ``"{annotator}/{document}.xml"``; ``*`` stands for
        anything within a name. It is compared with the end of each path, and chooses among the files of a folder.
        What a file itself says about annotators and documents counts more.
    annotator_from : {"folder", "file", "tier", "field"}, optional
        Where the annotator's name is: the folder's or the file's name, the tiers of a recording, or a field of the
        file; detected if not given.
    columns : mapping, optional
        Our column names to the file's, for example ``{"document": "doc"}``.
    delimiter : str, optional
        What separates the fields of a CSV file; detected from the content if not given.
    encoding : str, optional
        The encoding of a CSV file, for example ``"windows-1252"``; UTF-8 if it can be, otherwise detected.
    decimal : {".", ","}, optional
        What separates decimals in a CSV file. By default a comma does if semicolons separate fields and all labels are
        numbers.
    sheet : str or int, optional
        The name or the number, from 1, of the sheet of a spreadsheet.
    options : mapping, optional
        Options of the format (`unisono formats` lists them), for example ``{"text": "trans"}``.
    discontinuous : {"together", "whole", "pieces", "main", "drop"}
        What becomes of units in several pieces: one unit with all of them, one unit from the first to the last, one
        unit per piece, the main piece only (a mention of CorefAnnotator without its detached part, elsewhere the first
        piece), or nothing.
    units : {"spans", "relations", "events", "items", "tokens"}, optional
        Which annotations are read, if the files hold several kinds: units that annotators marked, relations between
        them, events with their arguments, labels of whole items, or labels that each token has in a column of the file.
        By default spans and items, whichever there are.
    worked : path, optional
        A table with the columns document and annotator: who worked on what, with or without units.
    continuum : (float, float), optional
        Start and end of every document's continuum. If not given: as the files say, otherwise the units' extent.
    bad : callable, optional
        Called with the error of each file or record that cannot be read, which is then skipped; without it, the error
        is raised.
    workers : int, optional
        How many CPU cores to use where there are many files; by default all.
    progress : callable, optional
        Called with (done, total) after each file.

    Returns
    -------
    Corpus, Ratings, Normalizations or Export
        Its `dropped` lists what was left out. An export holds several kinds of annotations, or labels of items in
        answer to several questions; choose some with `units`, or with ``unisono.prepare(export, layers=[…])``.

    Raises
    ------
    DataError
        If a file cannot be read as it is; the message says where, why and what to do.
    OptionError
        If a parameter has an invalid value.

    See Also
    --------
    from_frame, write, prepare

    Examples
    --------
    >>> import unisono
    >>> unisono.write({"anna": ["a", "b"], "bert": ["a", "a"]}, "ratings.csv")
    []
    >>> unisono.read("ratings.csv")
    Ratings(2 items, 2 annotators, 2 labels)
    """
    given = check_paths(paths, "paths")
    instructions = instructions_of(
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
    where = path_pattern(pattern, instructions.annotator_from)
    chosen = None if format is None else by_name(format)
    table = None if worked is None else check_path(worked, "worked")
    limits = check_continuum(continuum)
    cores = None if workers is None else check_whole(workers, "workers", low=1)
    tell = check_function(progress, "progress", "done", "total")
    files = Reader(instructions, check_function(bad, "bad", "error"), cores, tell)
    with unpacked(given, None if bad is None else files.skip) as content, content.translating():
        files.content = content
        found = find_annotations(content, chosen, where, instructions, files.skip)
        check_used(instructions, found.files, table)
        who = None if table is None else read_worked(content.readable(table, ()), instructions)
        data = combined(
            files.parts(found.files),
            given=given,
            assumed=found.assumed,
            instructions=instructions,
            worked=who,
            continuum=limits,
            skip=files.skip,
        )
        skipped = {SKIPPED: files.n_bad} if files.n_bad else {}
        dropped = {**data.dropped, **skipped, **found.left_out}
        steps = (*reading_steps(instructions, limits, who), *data.preparation)
        return _with_known_names(replace(data, dropped=dropped, preparation=steps), content)


def instructions_of(
    *,
    columns: Mapping[str, str] | None,
    delimiter: str | None,
    encoding: str | None,
    decimal: str | None,
    sheet: str | int | None,
    options: Mapping[str, str] | None,
    annotator_from: str | None,
    discontinuous: str,
    units: str | None,
) -> Instructions:
    """Make instructions from parameters of `read`."""
    return Instructions(
        columns=check_words(columns, "columns", {"document": "doc"}),
        delimiter=None if delimiter is None else check_text(delimiter, "delimiter"),
        encoding=None if encoding is None else check_encoding(check_text(encoding, "encoding")),
        decimal=None if decimal is None else check_choice(decimal, "decimal", (".", ",")),
        sheet=None if sheet is None else check_sheet(sheet),
        options=check_words(options, "options", {"text": "trans"}),
        annotator_from=None
        if annotator_from is None
        else check_choice(annotator_from, "annotator_from", _ANNOTATOR_FROM),
        discontinuous=check_choice(discontinuous, "discontinuous", READ_AS),
        units=None if units is None else check_choice(units, "units", _UNITS),
    )


def read_base(
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002
    options: Mapping[str, str] | None = None,
) -> Corpus:
    """Read a pre-annotation: a file, or a folder of files that are one document each; for the options see `read`.

    If a file does not name its document, the document is named after the file.
    """
    place = check_path(path, "path")
    found = find_files([place], None, candidate_formats(None if format is None else by_name(format)))
    parts = []
    for file, _ in found:
        part = read(file, format=format, options=options)
        if not isinstance(part, Corpus):
            raise DataError("a pre-annotation is a text with units; this holds something else", path=file)
        parts.append(part)
    return parts[0] if len(parts) == 1 else merge(parts, source=place.name)


def path_pattern(pattern: str | None, annotator_from: str | None) -> Pattern | None:
    """Return where paths name annotator and document, as the user says."""
    if pattern is not None:
        return parse_pattern(check_text(pattern, "pattern"))
    text = None if annotator_from is None else _ANNOTATOR_FROM[annotator_from]
    return None if text is None else parse_pattern(text)


@dataclass(frozen=True)
class FileJob:
    """A file to read, in any process: formats are known by their names."""

    path: Path
    format: str
    guessed: bool
    annotator: str
    document: str | None

    def instructed(self, instructions: Instructions) -> Instructions:
        """Return the instructions with what the path says."""
        return replace(instructions, annotator=self.annotator, document=self.document)


@dataclass(frozen=True)
class FileAnswer:
    """What a file holds, or why it cannot be read, and the errors of records in it that were skipped."""

    data: Data | Export | DataError
    skipped: Sequence[DataError]


def read_file(instructions: Instructions, skipping: bool, job: FileJob) -> FileAnswer:
    """Read a file; what is wrong with it is part of the answer."""
    skipped: list[DataError] = []
    own = replace(job.instructed(instructions), bad=skipped.append if skipping else None)
    try:
        with explaining_file(job.path):
            data = reader(job.format, guessed=job.guessed)(job.path, own)
            return FileAnswer(_with_origins(data, job.path), skipped)
    except DataError as error:
        return FileAnswer(error, skipped)


def read_block(instructions: Instructions, job: FileJob, block: range) -> Any:
    """Read a block of a large file; None if the file has to be read as a whole, perhaps to say what is wrong."""
    how = by_name(job.format).in_blocks
    assert how is not None
    try:
        return how.read(job.path, job.instructed(instructions), block)
    except (DataError, OSError, MemoryError):
        return None


@dataclass
class Reader:
    """Reads files, and counts what could not be read; `content` knows how users name the files."""

    instructions: Instructions
    bad: Callable[[DataError], None] | None
    workers: int | None
    progress: Progress | None
    content: Unpacked | None = None
    n_bad: int = 0

    def parts(self, files: Sequence[AnnotationFile]) -> list[FilePart]:
        """Read each file; return what those hold that can be read."""
        parts: list[FilePart] = []
        first: DataError | None = None
        one = partial(read_file, self.instructions, self.bad is not None)
        with pool(self.workers, python=True) as crew:
            known = self._in_blocks(files[0], crew) if len(files) == 1 else None
            answers = iter([known]) if known else crew.each(one, [self._job(file) for file in files])
            for number, (file, answer) in enumerate(zip(files, answers, strict=True), start=1):
                try:
                    parts.append(FilePart(file, self._answered(answer)))
                except DataError as error:
                    self.skip(error)
                    first = first or error
                else:
                    check_newest(parts, self.instructions)
                if self.progress is not None:
                    self.progress(number, len(files))
        if not parts:
            raise first or DataError("there is nothing to read")
        return parts

    def _in_blocks(self, file: AnnotationFile, crew: Pool) -> FileAnswer | None:
        """Share out a large file; None if that is impossible, or not worth it."""
        how = file.format.in_blocks
        if how is None or self.bad is not None or crew.count == 1:
            return None
        job, parts = self._job(file), []
        for part in crew.each(partial(read_block, self.instructions, job), line_blocks(file.path)):
            if part is None:
                return None
            parts.append(part)
        if not parts:
            return None
        with explaining_file(job.path):
            data = how.joined(job.path, job.instructed(self.instructions), parts)
        return None if data is None else FileAnswer(_with_origins(data, job.path), [])

    def one(self, file: AnnotationFile) -> Data | Export:
        """Read one file."""
        return self._answered(read_file(self.instructions, self.bad is not None, self._job(file)))

    def _answered(self, answer: FileAnswer) -> Data | Export:
        for error in answer.skipped:
            self.skip(error)
        if isinstance(answer.data, DataError):
            raise answer.data
        return answer.data

    def _job(self, file: AnnotationFile) -> FileJob:
        own = file.instructed(self.instructions)
        guessed = file.format.read is not by_name(file.format.name).read
        return FileJob(file.path, file.format.name, guessed, own.annotator, own.document)

    def skip(self, error: DataError) -> None:
        """Report what cannot be read, and go on; or raise it."""
        if self.bad is None:
            raise error
        self.n_bad += 1
        self.bad(error if self.content is None else self.content.translated(error))


@contextmanager
def explaining_file(path: Path) -> Iterator[None]:
    """Turn errors of the system into sentences."""
    try:
        with locating(path):
            yield
    except OSError as error:
        raise unreadable(error, path) from None
    except MemoryError:
        raise DataError("the file is too large for this computer's memory; split it", path=path) from None


def _with_origins(data: Data | Export, path: Path) -> Data | Export:
    """Note which file it was, if the format does not note the line."""
    if isinstance(data, Export):
        return data  # whose units come from a format that notes it
    if not isinstance(data, Corpus) or data.origins:
        return data
    pairs = zip(*(index.tolist() for index in data.worked.nonzero()), strict=True)
    return replace(data, origins=dict.fromkeys(pairs, (path, None)))


def _with_known_names(data: Data | Export, content: Unpacked) -> Data | Export:
    """Name files in archives as the user knows them."""
    if isinstance(data, Export) and data.units is not None:
        units = _with_known_names(data.units, content)
        return replace(data, units=units if isinstance(units, Corpus) else None)
    if not isinstance(data, Corpus) or not content.archives:
        return data
    origins = {key: (content.named(Path(path)), line) for key, (path, line) in data.origins.items()}
    return replace(data, origins=origins)


def read_worked(path: Path, instructions: Instructions) -> list[tuple[str, str]]:
    """Read a table of who worked on what: document and annotator."""
    chosen = by_content(path)
    if chosen.read_table is None:
        raise DataError(f"{chosen.title} cannot say who worked on what; use a CSV table", path=path)
    asked = {ours: theirs for ours, theirs in instructions.columns.items() if ours in WORKED.columns}
    with explaining_file(path):
        return worked_from(chosen.read_table(path, Instructions(asked), [WORKED]))
