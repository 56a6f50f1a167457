"""Files to one corpus, or to ratings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.errors import DataError, OptionError, listed, mention
from unisono.execution import Progress
from unisono.formats.archives import unpacked
from unisono.formats.files import is_empty, read_head, unreadable
from unisono.formats.folders import find_files
from unisono.formats.format import Format, Options
from unisono.formats.layouts import NOBODY
from unisono.formats.merging import merge, merge_normalizations, merge_ratings, only_for_units
from unisono.formats.passing_over import read_good_lines
from unisono.formats.patterns import Pattern, Place, parse_pattern
from unisono.formats.places import (
    assumed_pattern,
    refuse_other_texts,
    refuse_same_units,
    refuse_second_version,
    refuse_unlike,
)
from unisono.formats.registry import FORMATS, by_content, by_name

PathLike: TypeAlias = str | os.PathLike[str]

_HOLDS: Mapping[type, str] = {Corpus: "units", Ratings: "ratings", Normalizations: "normalizations"}


def read(
    paths: PathLike | Iterable[PathLike],
    *,
    format: str | None = None,  # noqa: A002
    pattern: str | None = None,
    annotator_from: str | None = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    options: Mapping[str, str] | None = None,
    discontinuous: str = "whole",
    worked: PathLike | None = None,
    continuum: tuple[float, float] | None = None,
    bad: Callable[[DataError], None] | None = None,
    progress: Progress | None = None,
) -> Data:
    """Read annotations from a file, from several files that belong together, from a folder or from a ZIP archive.

    A table holds units if it has the columns annotator, start and end; ratings if it has item, annotator and label, or
    one column an annotator; normalizations if it has the column original.

    Parameters
    ----------
    paths : path or iterable of paths
        The files, or folders or archives of them. Where a file does not name its document, the document is named like
        the file.
    format : str, optional
        The format's name (see `unisono formats`); found from name and content if not given.
    pattern : str, optional
        Where annotator and document stand in the paths, for example ``"{annotator}/{document}.xml"``; ``*`` stands for
        anything within a name. It is compared with the end of each path, and chooses among the files of a folder.
        What a file itself says about annotators and documents counts more.
    annotator_from : {"folder", "file", "tier", "field"}, optional
        Where the annotator's name is: the folder's or the file's name, the tiers of a recording, or a field of the
        file; found out if not given.
    columns : mapping, optional
        Our column names to the file's, for example ``{"document": "doc"}``.
    delimiter : str, optional
        What separates the fields of a CSV file; found from the content if not given.
    options : mapping, optional
        Options of the format (see `unisono formats`), for example ``{"text": "trans"}``.
    discontinuous : {"whole", "pieces", "drop"}
        What becomes of units in several pieces: one unit from the first to the last, one for each, or nothing.
    worked : path, optional
        A table with the columns document and annotator: who worked on what, with units or without.
    continuum : (float, float), optional
        Begin and end of every document's continuum. If not given: as the files say, else the units' extent.
    bad : callable, optional
        Is told of each file or record that cannot be read, which is then passed over; without it, it is an error.
    progress : callable, optional
        Called with (done, total) after each file.

    Returns
    -------
    Corpus, Ratings or Normalizations
        The `dropped` of a corpus says what was left out.

    Raises
    ------
    DataError
        If a file cannot be read as it is; the message says where, why and what to do.
    """
    given = [Path(paths)] if isinstance(paths, str | os.PathLike) else [Path(path) for path in paths]
    if not given:
        raise DataError("there is no file to read; name at least one")
    _refuse_unknown(annotator_from, discontinuous)
    where = None if pattern is None else parse_pattern(pattern)
    damaged: list[DataError] = []
    with unpacked(given, None if bad is None else damaged.append) as content, content.translating():
        reader = _Reader(
            Options(
                dict(columns or {}),
                delimiter,
                dict(options or {}),
                annotator_from=annotator_from,
                discontinuous=discontinuous,
            ),
            None if bad is None else lambda error: bad(content.translated(error)),
            progress,
        )
        for error in damaged:
            reader.pass_over(error)
        asked = where or _pattern_from(annotator_from)
        found = _files(content.paths, format, asked, reader, named=where is not None)
        data = reader.all(found, given, None if worked is None else Path(worked), continuum)
        if not isinstance(data, Corpus) or not content.archives:
            return data
        origins = {key: (content.named(Path(path)), line) for key, (path, line) in data.origins.items()}
        return replace(data, origins=origins)


_ANNOTATOR_FROM = {
    "folder": "{annotator}/{document}{suffix}",
    "file": "{annotator}{suffix}",
    "tier": None,
    "field": None,
}
_DISCONTINUOUS = ("whole", "pieces", "drop")
_SKIPPED = "files or records that could not be read and were passed over"
_BEFORE_ANYBODY = "versions of documents before anybody worked on them"


def _refuse_unknown(annotator_from: str | None, discontinuous: str) -> None:
    if annotator_from is not None and annotator_from not in _ANNOTATOR_FROM:
        raise OptionError(f"{annotator_from!r} is not one of {', '.join(_ANNOTATOR_FROM)}", "annotator_from")
    if discontinuous not in _DISCONTINUOUS:
        raise OptionError(f"{discontinuous!r} is not one of {', '.join(_DISCONTINUOUS)}", "discontinuous")


def _pattern_from(annotator_from: str | None) -> Pattern | None:
    text = None if annotator_from is None else _ANNOTATOR_FROM[annotator_from]
    return None if text is None else parse_pattern(text)


@dataclass
class _Reader:
    """Reads files one after the other.

    Attributes
    ----------
    how : Options
        What the user said.
    bad : callable or None
        Is told of what cannot be read.
    progress : callable or None
        Is told how far it is.
    n_bad : int
        How much could not be read.
    """

    how: Options
    bad: Callable[[DataError], None] | None
    progress: Progress | None
    n_bad: int = 0

    def all(
        self, found: _Found, given: Sequence[Path], worked: Path | None, continuum: tuple[float, float] | None
    ) -> Data:
        """Read all files, and put together what they hold."""
        _refuse_unused(self.how, found.files, worked)
        parts, files = self.parts(found.files)
        if not isinstance(parts[0], Corpus) and (worked is not None or continuum is not None):
            raise only_for_units("worked" if continuum is None else "continuum", str(files[0].path), parts[0])
        left_out = {what: n for what, n in ((_SKIPPED, self.n_bad), (_BEFORE_ANYBODY, found.n_nobody)) if n}
        if isinstance(parts[0], Ratings):
            ratings = _one_set_of_ratings([part for part in parts if isinstance(part, Ratings)], given, files)
            return replace(ratings, dropped=left_out)
        if isinstance(parts[0], Normalizations):
            words = _all_normalizations([part for part in parts if isinstance(part, Normalizations)], given, files)
            return replace(words, dropped=left_out)
        corpora = [part for part in parts if isinstance(part, Corpus)]
        _refuse_doubtful(corpora, files, found.assumed, self.how)
        source = _source(given, files, assumed=found.assumed)
        if len(corpora) == 1 and worked is None and continuum is None:
            corpus = replace(corpora[0], source=source)
        else:
            pairs = [] if worked is None else _read_worked(worked, self.how)
            corpus = merge(corpora, worked=pairs, continuum=continuum, source=source)
        return replace(corpus, dropped={**corpus.dropped, **left_out})

    def parts(self, files: Sequence[_File]) -> tuple[list[Data], list[_File]]:
        """Read each file; give what they hold, and the files that could be read."""
        parts: list[Data] = []
        read_files: list[_File] = []
        first: DataError | None = None
        for number, file in enumerate(files, start=1):
            try:
                part = self.one(file)
            except DataError as error:
                self.pass_over(error)
                first = first or error
            else:
                parts.append(part)
                read_files.append(file)
                _refuse_mixture(parts, read_files)
                _refuse_namesakes(parts, file, self.how)
            if self.progress is not None:
                self.progress(number, len(files))
        if not parts:
            raise first or DataError("there is nothing to read")
        return parts, read_files

    def one(self, file: _File) -> Data:
        """Read a file."""
        how = file.options(self.how)
        if self.bad is not None:
            how = replace(how, bad=self.pass_over)
        with _saying_where(file.path):
            first = file.format.first_record
            if self.bad is not None and first is not None:
                named = replace(how, document=how.document_of(file.path)) if how.document is None else how
                data = read_good_lines(file.path, first, lambda path: file.format.read(path, named), self.pass_over)
            else:
                data = file.format.read(file.path, how)
            return _with_origins(data, file.path)

    def pass_over(self, error: DataError) -> None:
        """Tell of what cannot be read, and go on; or raise it."""
        if self.bad is None:
            raise error
        self.n_bad += 1
        self.bad(error)


def read_base(
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002
    options: Mapping[str, str] | None = None,
) -> Corpus:
    """Read a pre-annotation: a file, or a folder of files that are one document each.

    Parameters
    ----------
    path : path
        The file or folder; where a file does not name its document, the document is named like the file.
    format, options
        See `read`.
    """
    found = find_files([Path(path)], None, _candidates(None if format is None else by_name(format)))
    parts = []
    for file, _ in found:
        part = read(file, format=format, options=options)
        if not isinstance(part, Corpus):
            raise DataError("a pre-annotation is a text with units; this holds something else", path=file)
        parts.append(part)
    return parts[0] if len(parts) == 1 else merge(parts, source=str(Path(path).name))


def _with_origins(data: Data, path: Path) -> Data:
    """Note which file it was, where the format does not note the line."""
    if not isinstance(data, Corpus) or data.origins:
        return data
    pairs = zip(*(index.tolist() for index in data.worked.nonzero()), strict=True)
    return replace(data, origins=dict.fromkeys(pairs, (path, None)))


@dataclass(frozen=True, slots=True)
class _File:
    """A file, its format, and what its path says."""

    path: Path
    format: Format
    place: Place

    def options(self, how: Options) -> Options:
        """Give the options with what the path says."""
        return replace(how, annotator=self.place.annotator or how.annotator, document=self.place.document)


@dataclass(frozen=True)
class _Found:
    """The files, the pattern that was assumed for them, and how many were passed over as nobody's work."""

    files: list[_File]
    assumed: Pattern | None
    n_nobody: int


def _candidates(chosen: Format | None) -> Sequence[Format]:
    return FORMATS if chosen is None or not chosen.suffixes else [chosen]


def _files(
    given: Sequence[Path],
    name: str | None,
    pattern: Pattern | None,
    reader: _Reader,
    *,
    named: bool,
) -> _Found:
    """Find the files, and the pattern that is assumed if some of them need one and none is given."""
    chosen = None if name is None else by_name(name)
    found = find_files(given, pattern, _candidates(chosen))
    _refuse_repeated([path for path, _ in found])
    somebody = [(path, place) for path, place in found if place.annotator not in NOBODY]
    somebody = somebody or found
    files = _with_formats(somebody, chosen, reader.pass_over)
    silent = [file for file in files if not file.format.says_who(reader.how)]
    if silent and named and pattern is not None and not pattern.names_annotators:
        example = mention("pattern", "{annotator}/{document}.xml")
        raise OptionError(f"{silent[0].format.title} does not name the annotator; write e.g. {example}", "pattern")
    _refuse_unclear_tiers(files, reader.how, pattern)
    unplaced = [file.path for file in silent if file.place.annotator is None]
    assumed = assumed_pattern(unplaced) if len(unplaced) > 1 and pattern is None else None
    placed = [file if file.format.says_who(reader.how) else _placed(file, assumed) for file in files]
    return _Found(placed, assumed, len(found) - len(somebody))


def _refuse_unclear_tiers(files: Sequence[_File], how: Options, pattern: Pattern | None) -> None:
    """Refuse several files with tiers if their names could be annotators' as well as their tiers."""
    tiered = [file for file in files if "tier" in file.format.annotator_from and file.format.says_who(how)]
    if len(tiered) < 2 or pattern is not None or how.annotator_from is not None:
        return
    found = assumed_pattern([file.path for file in tiered])
    if "{document}" in found.text:
        raise DataError(
            f"annotators may be what tiers are named, or what the paths say ({found.text}); say which: "
            f"{mention('annotator_from', 'tier')}, or {mention('pattern', found.text)}",
            path=tiered[0].path,
        )


def _with_formats(
    found: Sequence[tuple[Path, Place]], chosen: Format | None, pass_over: Callable[[DataError], None]
) -> list[_File]:
    """Find the format of each file; pass over what has none, unless nothing is left."""
    files: list[_File] = []
    first: DataError | None = None
    for path, place in found:
        try:
            files.append(_File(path, _format(path, chosen), place))
        except DataError as error:
            pass_over(error)
            first = first or error
    if not files and first is not None:
        raise first
    return files


def _placed(file: _File, assumed: Pattern | None) -> _File:
    """Say who annotated what; annotators without a document all have the same."""
    place = (
        file.place
        if assumed is None or file.place.annotator
        else assumed.place(Path(os.path.abspath(file.path)).as_posix())
    )
    if place is None or place.annotator is None:
        return file
    return replace(file, place=replace(place, document=place.document or "document"))


def _format(path: Path, chosen: Format | None) -> Format:
    if chosen is None:
        return by_content(path)
    if not (chosen.may_be_empty and is_empty(path)):
        read_head(path)
    return chosen


def _refuse_repeated(files: Sequence[Path]) -> None:
    seen: dict[Path, Path] = {}
    for path in files:
        if seen.setdefault(Path(os.path.abspath(path)), path) is not path:
            raise DataError("the file is named twice; it would count twice", path=path)


def _refuse_unused(how: Options, files: Sequence[_File], worked: PathLike | None) -> None:
    title = files[0].format.title
    tables = worked is not None or any(file.format.read_worked is not None for file in files)
    if (how.columns or how.delimiter) and not tables:
        raise OptionError(f"only tables use it, not {title}", "columns" if how.columns else "delimiter")
    for file in files:
        if how.annotator_from is not None and how.annotator_from not in file.format.annotator_from:
            said = listed(file.format.annotator_from) or "the file itself names annotators, in a column or key"
            raise OptionError(f"{how.annotator_from!r} means nothing for {file.format.title}; {said}", "annotator_from")
    known = dict.fromkeys(name for file in files for name in file.format.options)
    for name in how.settings:
        if name not in known:
            raise OptionError(f"{title} has no option {name!r}; it has: {listed([*known]) or 'none'}", "options")


def _refuse_mixture(parts: Sequence[Data], files: Sequence[_File]) -> None:
    first, newest = parts[0], parts[-1]
    if type(first) is not type(newest):
        one, other = _HOLDS[type(newest)], _HOLDS[type(first)]
        path = files[len(parts) - 1].path
        raise DataError(f"the file holds {one} where {files[0].path} holds {other}; measure them apart", path=path)


def _refuse_namesakes(parts: Sequence[Data], file: _File, how: Options) -> None:
    """Refuse two files that are one document each and are named alike, such as anna/text1.csv and bert/text1.csv."""
    newest = parts[-1]
    name = file.options(Options()).document_of(file.path)
    if newest.documents != (name,) or not file.format.says_who(how):
        return
    what = "labels" if isinstance(newest, Ratings) else "units"
    for part in parts[:-1]:
        if part.documents == newest.documents and set(part.annotators) & set(newest.annotators):
            raise DataError(
                f"another file has {what} of the same annotators in a document of the same name, {name!r}; "
                "rename one of them, or add a column document",
                path=file.path,
            )


def _refuse_doubtful(corpora: Sequence[Corpus], files: Sequence[_File], assumed: Pattern | None, how: Options) -> None:
    """Refuse files if what they or their paths say about annotators and documents cannot be right."""
    read_files = list(zip(files, corpora, strict=True))
    silent = {file.path: (file.place, corpus) for file, corpus in read_files if not file.format.says_who(how)}
    refuse_second_version({path: corpus for path, (_, corpus) in silent.items()})
    if assumed is not None:
        refuse_unlike(silent, assumed)
    telling = [(file, corpus) for file, corpus in read_files if file.format.says_who(how)]
    whole = {file.path: corpus for file, corpus in telling if file.format.whole}
    refuse_second_version(whole)
    refuse_other_texts(whole)
    refuse_same_units({file.path: corpus for file, corpus in telling if file.format.write is not None})


def _one_set_of_ratings(parts: Sequence[Ratings], given: Sequence[Path], files: Sequence[_File]) -> Ratings:
    source = _source(given, files, " ratings")
    if len(parts) == 1:
        return replace(parts[0], source=source)
    return merge_ratings(parts, [file.path for file in files], source=source)


def _all_normalizations(
    parts: Sequence[Normalizations], given: Sequence[Path], files: Sequence[_File]
) -> Normalizations:
    source = _source(given, files, " normalizations")
    if len(parts) == 1:
        return replace(parts[0], source=source)
    return merge_normalizations(parts, [file.path for file in files], source=source)


@contextmanager
def _saying_where(path: Path) -> Iterator[None]:
    try:
        yield
    except DataError as error:
        raise (error if error.path is not None else DataError(error.message, path=path)) from None
    except OSError as error:
        raise unreadable(error, path) from None
    except MemoryError:
        raise DataError("the file is too large for this computer's memory; split it", path=path) from None


def _read_worked(path: Path, options: Options) -> list[tuple[str, str]]:
    chosen = by_content(path)
    if chosen.read_worked is None:
        raise DataError(f"{chosen.title} cannot say who worked on what; give a CSV table", path=path)
    asked = {ours: theirs for ours, theirs in options.columns.items() if ours in ("document", "annotator")}
    with _saying_where(path):
        return chosen.read_worked(path, Options(asked))


def _source(given: Sequence[Path], files: Sequence[_File], what: str = "", assumed: Pattern | None = None) -> str:
    titles = ", ".join(dict.fromkeys(file.format.title for file in files))
    names = [f"{path.absolute().name}/" if path.is_dir() else path.name for path in given]
    taken = "" if assumed is None else f", taken as {assumed.text}"
    return f"{titles}{what} · {listed(names, 3)}{taken}"
