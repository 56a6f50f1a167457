"""Files to one corpus, or to ratings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.errors import DataError, OptionError, listed
from unisono.formats.files import read_head, unreadable
from unisono.formats.folders import find_files
from unisono.formats.format import Format, Options
from unisono.formats.merging import merge, merge_normalizations, merge_ratings, only_for_units
from unisono.formats.patterns import Pattern, Place, parse_pattern
from unisono.formats.places import assumed_pattern, refuse_second_version, refuse_unlike
from unisono.formats.registry import FORMATS, by_content, by_name

PathLike: TypeAlias = str | os.PathLike[str]

_HOLDS: Mapping[type, str] = {Corpus: "units", Ratings: "ratings", Normalizations: "normalizations"}


def read(
    paths: PathLike | Iterable[PathLike],
    *,
    format: str | None = None,  # noqa: A002
    pattern: str | None = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    options: Mapping[str, str] | None = None,
    worked: PathLike | None = None,
    continuum: tuple[float, float] | None = None,
) -> Data:
    """Read annotations from a file, from several files that belong together, or from a folder.

    A table holds units if it has the columns annotator, start and end; ratings if it has item, annotator and label, or
    one column an annotator; normalizations if it has the column original.

    Parameters
    ----------
    paths : path or iterable of paths
        The files, or folders of them. Where a file does not name its document, the document is named like the file.
    format : str, optional
        The format's name (see `unisono formats`); found from name and content if not given.
    pattern : str, optional
        Where annotator and document stand in the paths, for example ``"{annotator}/{document}.xml"``; ``*`` stands for
        anything within a name. It is compared with the end of each path, and chooses among the files of a folder.
        What a file itself says about annotators and documents counts more.
    columns : mapping, optional
        Our column names to the file's, for example ``{"document": "doc"}``.
    delimiter : str, optional
        What separates the fields of a CSV file; found from the content if not given.
    options : mapping, optional
        Options of the format (see `unisono formats`), for example ``{"text": "trans"}``.
    worked : path, optional
        A table with the columns document and annotator: who worked on what, with units or without.
    continuum : (float, float), optional
        Begin and end of every document's continuum. If not given: as the files say, else the units' extent.

    Returns
    -------
    Corpus, Ratings or Normalizations

    Raises
    ------
    DataError
        If a file cannot be read as it is; the message says where, why and what to do.
    """
    given = [Path(paths)] if isinstance(paths, str | os.PathLike) else [Path(path) for path in paths]
    if not given:
        raise DataError("there is no file to read; name at least one")
    how = Options(dict(columns or {}), delimiter, dict(options or {}))
    files, assumed = _files(given, format, None if pattern is None else parse_pattern(pattern))
    _refuse_unused(how, files, worked)
    parts: list[Data] = []
    for file in files:
        with _saying_where(file.path):
            parts.append(_with_origins(file.format.read(file.path, file.options(how)), file.path))
            _refuse_mixture(parts, files)
            _refuse_namesakes(parts, file)
    if not isinstance(parts[0], Corpus) and (worked is not None or continuum is not None):
        raise only_for_units("worked" if continuum is None else "continuum", str(files[0].path), parts[0])
    if isinstance(parts[0], Ratings):
        return _one_set_of_ratings([part for part in parts if isinstance(part, Ratings)], given, files)
    if isinstance(parts[0], Normalizations):
        return _all_normalizations([part for part in parts if isinstance(part, Normalizations)], given, files)
    corpora = [part for part in parts if isinstance(part, Corpus)]
    _refuse_doubtful(corpora, files, assumed)
    source = _source(given, files, assumed=assumed)
    if len(corpora) == 1 and worked is None and continuum is None:
        return replace(corpora[0], source=source)
    pairs = [] if worked is None else _read_worked(Path(worked), how)
    return merge(corpora, worked=pairs, continuum=continuum, source=source)


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
    chosen = None if format is None else by_name(format)
    every = [suffix for known in FORMATS for suffix in known.suffixes]
    found = find_files([Path(path)], None, every if chosen is None else chosen.suffixes or every)
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


def _files(given: Sequence[Path], name: str | None, pattern: Pattern | None) -> tuple[list[_File], Pattern | None]:
    """Find the files, and the pattern that is assumed if some of them need one and none is given."""
    chosen = None if name is None else by_name(name)
    every = [suffix for known in FORMATS for suffix in known.suffixes]
    found = find_files(given, pattern, every if chosen is None else chosen.suffixes or every)
    _refuse_repeated([path for path, _ in found])
    files = [_File(path, _format(path, chosen), place) for path, place in found]
    silent = [file for file in files if not file.format.names_annotators]
    if silent and pattern is not None and not pattern.names_annotators:
        example = 'e.g. "{annotator}/{document}.xml"'
        raise OptionError(f"--pattern: {silent[0].format.title} does not name the annotator; write {example}")
    assumed = assumed_pattern([file.path for file in silent]) if len(silent) > 1 and pattern is None else None
    return [file if file.format.names_annotators else _placed(file, assumed) for file in files], assumed


def _placed(file: _File, assumed: Pattern | None) -> _File:
    """Say who annotated what; annotators without a document all have the same."""
    place = file.place if assumed is None else assumed.place(Path(os.path.abspath(file.path)).as_posix())
    if place is None or place.annotator is None:
        return file
    return replace(file, place=replace(place, document=place.document or "document"))


def _format(path: Path, chosen: Format | None) -> Format:
    if chosen is None:
        return by_content(path)
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
        raise OptionError(f"--{'columns' if how.columns else 'delimiter'} is for tables; {title} has no use for it")
    known = dict.fromkeys(name for file in files for name in file.format.options)
    for name in how.settings:
        if name not in known:
            raise OptionError(f"--option {name}: {title} has no such option; there are: {listed([*known]) or 'none'}")


def _refuse_mixture(parts: Sequence[Data], files: Sequence[_File]) -> None:
    first, newest = parts[0], parts[-1]
    if type(first) is not type(newest):
        one, other = _HOLDS[type(newest)], _HOLDS[type(first)]
        path = files[len(parts) - 1].path
        raise DataError(f"the file holds {one} where {files[0].path} holds {other}; measure them apart", path=path)


def _refuse_namesakes(parts: Sequence[Data], file: _File) -> None:
    """Refuse two files that are one document each and are named alike, such as anna/text1.csv and bert/text1.csv."""
    newest = parts[-1]
    name = file.options(Options()).document_of(file.path)
    if newest.documents != (name,) or not file.format.names_annotators:
        return
    what = "labels" if isinstance(newest, Ratings) else "units"
    for part in parts[:-1]:
        if part.documents == newest.documents and set(part.annotators) & set(newest.annotators):
            raise DataError(
                f"another file has {what} of the same annotators in a document of the same name, {name!r}; "
                "rename one of them, or add a column document",
                path=file.path,
            )


def _refuse_doubtful(corpora: Sequence[Corpus], files: Sequence[_File], assumed: Pattern | None) -> None:
    """Refuse files that name no annotators if what their paths say cannot be right."""
    silent = {
        file.path: (file.place, corpus)
        for file, corpus in zip(files, corpora, strict=True)
        if not file.format.names_annotators
    }
    refuse_second_version({path: corpus for path, (_, corpus) in silent.items()})
    if assumed is not None:
        refuse_unlike(silent, assumed)


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
        raise (error if error.path is not None else DataError(str(error), path=path)) from None
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
