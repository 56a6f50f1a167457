"""The files that paths and folders stand for, and what a pattern finds in their paths."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from unisono.errors import DataError, listed
from unisono.formats.files import unreadable
from unisono.formats.patterns import Pattern, Place


def find_files(given: Sequence[Path], pattern: Pattern | None, suffixes: Collection[str]) -> list[tuple[Path, Place]]:
    """Give the files, each with what the pattern finds in its path.

    Of a folder, those files are taken that match the pattern, seen from the folder; without a pattern, those whose
    names end in one of the suffixes. Hidden files and folders are passed over.

    Parameters
    ----------
    given : sequence of Path
        Files and folders.
    pattern : Pattern, optional
        Where annotator and document stand.
    suffixes : collection of str
        How the names of annotation files end.
    """
    found: list[tuple[Path, Place]] = []
    for path in given:
        if not path.is_dir():
            found.append((path, Place() if pattern is None else _place(path, pattern)))
        elif pattern is not None:
            found.extend(_matching(path, pattern))
        else:
            found.extend((file, Place()) for file in _annotations(path, suffixes))
    return found


def _place(path: Path, pattern: Pattern) -> Place:
    place = pattern.place(Path(os.path.abspath(path)).as_posix())
    if place is None:
        message = f'the path does not match the pattern "{pattern.text}"; check the pattern, or leave the file out'
        raise DataError(message, path=path)
    return place


def _matching(folder: Path, pattern: Pattern) -> list[tuple[Path, Place]]:
    files = [(file, pattern.place(file.relative_to(folder).as_posix())) for file in _below(folder)]
    matching = [(file, place) for file, place in files if place is not None]
    if not matching:
        example = f", such as {files[0][0].relative_to(folder)}" if files else ""
        raise DataError(
            f'none of the {len(files)} files in this folder{example}, matches the pattern "{pattern.text}"; '
            "mend the pattern, which is compared with the end of each path",
            path=folder,
        )
    return matching


def _annotations(folder: Path, suffixes: Collection[str]) -> list[Path]:
    files = [file for file in _below(folder) if file.suffix.lower() in suffixes]
    if not files:
        raise DataError(
            "there are no annotation files in this folder; name the files, or say which they are, "
            'e.g. --pattern "{annotator}/{document}.xml"',
            path=folder,
        )
    kinds = sorted({file.suffix.lower() for file in files})
    if len(kinds) > 1:
        raise DataError(
            f"there are files of several kinds in this folder ({listed(kinds)}); name the files, or say which count, "
            f'e.g. --pattern "{{annotator}}/{{document}}{kinds[0]}"',
            path=folder,
        )
    return files


def _below(folder: Path) -> Iterator[Path]:
    def fail(error: OSError) -> None:
        raise unreadable(error, folder)

    for where, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(where, name) for name in sorted(names) if not name.startswith("."))
