"""Files to one corpus, or to ratings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from unisono.data import Corpus, Data, Ratings
from unisono.errors import DataError, OptionError, listed
from unisono.formats.files import read_head, unreadable
from unisono.formats.format import Format, Options
from unisono.formats.merging import merge, merge_ratings, only_for_units
from unisono.formats.registry import by_content, by_name

PathLike: TypeAlias = str | os.PathLike[str]


def read(
    paths: PathLike | Iterable[PathLike],
    *,
    format: str | None = None,  # noqa: A002
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    worked: PathLike | None = None,
    continuum: tuple[float, float] | None = None,
) -> Data:
    """Read annotations from a file, or from several files that belong together.

    A table holds units if it has the columns annotator, start and end; ratings if it has item, annotator and label, or
    one column an annotator.

    Parameters
    ----------
    paths : path or iterable of paths
        The files. Where a file does not name its document, the document is named like the file.
    format : str, optional
        The format's name (see `unisono formats`); found from name and content if not given.
    columns : mapping, optional
        Our column names to the file's, for example ``{"document": "doc"}``.
    delimiter : str, optional
        What separates the fields of a CSV file; found from the content if not given.
    worked : path, optional
        A table with the columns document and annotator: who worked on what, with units or without.
    continuum : (float, float), optional
        Begin and end of every document's continuum. If not given: as the files say, else the units' extent.

    Returns
    -------
    Corpus or Ratings

    Raises
    ------
    DataError
        If a file cannot be read as it is; the message says where, why and what to do.
    """
    files = [Path(paths)] if isinstance(paths, str | os.PathLike) else [Path(path) for path in paths]
    if not files:
        raise DataError("there is no file to read; name at least one")
    _refuse_repeated(files)
    options = Options(dict(columns or {}), delimiter)
    formats = [_format(path, format) for path in files]
    if worked is None:
        _refuse_unused(options, formats)
    parts: list[Data] = []
    for path, chosen in zip(files, formats, strict=True):
        with _saying_where(path):
            parts.append(chosen.read(path, options))
            _refuse_mixture(parts, files)
            _refuse_namesakes(parts, path)
    if isinstance(parts[0], Ratings):
        if worked is not None or continuum is not None:
            raise only_for_units("worked" if continuum is None else "continuum", str(files[0]))
        return _one_set_of_ratings([part for part in parts if isinstance(part, Ratings)], files, formats)
    corpora = [part for part in parts if isinstance(part, Corpus)]
    source = _source(files, formats)
    if len(corpora) == 1 and worked is None and continuum is None:
        return replace(corpora[0], source=source)
    pairs = [] if worked is None else _read_worked(Path(worked), options)
    return merge(corpora, worked=pairs, continuum=continuum, source=source)


def _one_set_of_ratings(parts: Sequence[Ratings], files: Sequence[Path], formats: Sequence[Format]) -> Ratings:
    source = _source(files, formats, " ratings")
    return replace(parts[0], source=source) if len(parts) == 1 else merge_ratings(parts, files, source=source)


def _refuse_mixture(parts: Sequence[Data], files: Sequence[Path]) -> None:
    first, newest = parts[0], parts[-1]
    if isinstance(first, Ratings) != isinstance(newest, Ratings):
        one, other = ("ratings", "units") if isinstance(newest, Ratings) else ("units", "ratings")
        path = files[len(parts) - 1]
        raise DataError(f"the file holds {one} where {files[0]} holds {other}; measure them apart", path=path)


def _refuse_namesakes(parts: Sequence[Data], path: Path) -> None:
    """Refuse two files that are one document each and are named alike, such as anna/text1.csv and bert/text1.csv."""
    newest = parts[-1]
    if newest.documents != (path.stem,):
        return
    what = "labels" if isinstance(newest, Ratings) else "units"
    for part in parts[:-1]:
        if part.documents == newest.documents and set(part.annotators) & set(newest.annotators):
            raise DataError(
                f"another file has {what} of the same annotators in a document of the same name, {path.stem!r}; "
                "rename one of them, or add a column document",
                path=path,
            )


def _format(path: Path, name: str | None) -> Format:
    if name is None:
        return by_content(path)
    chosen = by_name(name)
    read_head(path)
    return chosen


def _refuse_repeated(files: Sequence[Path]) -> None:
    seen: dict[Path, Path] = {}
    for path in files:
        if seen.setdefault(Path(os.path.abspath(path)), path) is not path:
            raise DataError("the file is named twice; it would count twice", path=path)


def _refuse_unused(options: Options, formats: Sequence[Format]) -> None:
    tables = any(chosen.read_worked is not None for chosen in formats)
    if (options.columns or options.delimiter) and not tables:
        option = "columns" if options.columns else "delimiter"
        raise OptionError(f"--{option} is for tables; {formats[0].title} has no use for it")


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


def _source(files: Sequence[Path], formats: Sequence[Format], what: str = "") -> str:
    titles = ", ".join(dict.fromkeys(chosen.title for chosen in formats))
    return f"{titles}{what} · {listed([path.name for path in files], 3)}"
