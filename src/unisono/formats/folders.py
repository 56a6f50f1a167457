"""The files in paths and folders, and the names that a pattern finds in their paths."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from unisono.errors import DataError, listed, mention
from unisono.formats.files import unreadable
from unisono.formats.format import Format
from unisono.formats.patterns import PathNames, Pattern, parse_pattern
from unisono.formats.registry import PROJECTS

_DEEPEST = 10


def find_files(
    given: Sequence[Path], pattern: Pattern | None, formats: Sequence[Format]
) -> list[tuple[Path, PathNames]]:
    """Return the files, each with what the pattern finds in its path.

    Of a folder, those files are taken that match the pattern, seen from the folder; without a pattern, the annotations
    of a project that is arranged as a tool exports it, otherwise those whose names end as files of the formats do.
    Hidden files and folders are skipped, and files that only belong to others, such as the texts of brat's annotations.
    """
    found: list[tuple[Path, PathNames]] = []
    for path in given:
        if not path.is_dir():
            found.append((path, PathNames() if pattern is None else _names(path, pattern)))
        elif patterns := (_project_patterns(path) if pattern is None else (pattern,)):
            found.extend(_matching(path, patterns, formats))
        else:
            found.extend((file, PathNames()) for file in _annotations(path, formats))
    return found


def _project_patterns(folder: Path) -> tuple[Pattern, ...]:
    """Return the patterns of paths in a folder that is a project which a tool exported."""
    top = _top(folder)
    project = next((project for project in PROJECTS if project.is_project(top)), None)
    return () if project is None else tuple(map(parse_pattern, project.patterns))


def _top(folder: Path) -> Path:
    """Go down while there is nothing but one folder, as in archives of a folder."""
    for _ in range(_DEEPEST):
        entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
        if len(entries) != 1 or not entries[0].is_dir():
            break
        folder = entries[0]
    return folder


def _names(path: Path, pattern: Pattern) -> PathNames:
    names = pattern.names(Path(os.path.abspath(path)).as_posix())
    if names is None:
        message = f'the path does not match the pattern "{pattern.text}"; check the pattern, or leave the file out'
        raise DataError(message, path=path)
    return names


def _matching(folder: Path, patterns: Sequence[Pattern], formats: Sequence[Format]) -> list[tuple[Path, PathNames]]:
    """Return the files that match one of the patterns, the first that does."""
    files = list(_below(folder))
    matching = _named([(file, file.relative_to(folder).as_posix()) for file in files], patterns)
    if not matching:  # the folder itself may be a part of the pattern
        matching = _named([(file, Path(os.path.abspath(file)).as_posix()) for file in files], patterns)
    if not matching:
        example = f", such as {files[0].relative_to(folder)}," if files else ""
        raise DataError(
            f'none of the {len(files)} files in this folder{example} matches the pattern "{patterns[0].text}"; '
            "correct the pattern, which is compared with the end of each path",
            path=folder,
        )
    alone = set(_without_companions([file for file, _ in matching], formats))
    return [(file, names) for file, names in matching if file in alone]


def _named(paths: Sequence[tuple[Path, str]], patterns: Sequence[Pattern]) -> list[tuple[Path, PathNames]]:
    found = [(file, next(filter(None, (one.names(path) for one in patterns)), None)) for file, path in paths]
    return [(file, names) for file, names in found if names is not None]


def _annotations(folder: Path, formats: Sequence[Format]) -> list[Path]:
    suffixes = {suffix for known in formats for suffix in known.suffixes}
    files = _without_companions([file for file in _below(folder) if file.suffix.lower() in suffixes], formats)
    if not files:
        example = mention("pattern", "{annotator}/{document}.xml")
        message = f"there are no annotation files in this folder; name the files, or say which they are, e.g. {example}"
        raise DataError(message, path=folder)
    kinds = sorted({file.suffix.lower() for file in files})
    if len(kinds) > 1:
        raise DataError(
            f"there are files of several kinds in this folder ({listed(kinds)}); name the files, or say which count, "
            f"e.g. {mention('pattern', '{annotator}/{document}' + kinds[0])}",
            path=folder,
        )
    return files


def _without_companions(files: Sequence[Path], formats: Sequence[Format]) -> list[Path]:
    """Leave out what belongs to other files: of the same name but for the suffix, or of a name that says so."""
    there = set(files)
    kept = []
    for file in files:
        owners = [known for known in formats if file.suffix in known.companions or file.name in known.companions]
        beside = (file.with_suffix(suffix) for known in owners for suffix in known.suffixes)
        by_name = any(file.name in known.companions for known in owners)
        if not by_name and not any(other in there for other in beside if other != file):
            kept.append(file)
    return kept


def _below(folder: Path) -> Iterator[Path]:
    def fail(error: OSError) -> None:
        raise unreadable(error, folder)

    for where, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(where, name) for name in sorted(names) if not name.startswith("."))
