"""The files in paths and folders, and the names that a pattern finds in their paths."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from unisono.errors import DataError, OptionError, listed, mention
from unisono.formats.archives import Unpacked, is_archive
from unisono.formats.files import unreadable
from unisono.formats.format import Format, ProjectLayout
from unisono.formats.patterns import PathNames, Pattern, parse_pattern, unzipped_name
from unisono.formats.registry import PROJECTS

_FURTHER = frozenset(option for project in PROJECTS for option in project.further)
_DEEPEST = 10
_ARCHIVE = ".zip"
_TEXT = ".txt"
_SHOWN = 3
_UNMATCHED = "files that the pattern does not match"
_UNKNOWN = "files in a folder that are not read because of their names"
_UNOPENED = "archives in a folder with other annotations, not opened (name them to read them)"
_UNPACKED = "archives that are unpacked beside them"
_DECISIONS = "files of decisions about annotations"
DECISIONS = "decisions.jsonl"
"""How names of files end that have what people decided about places of the queue."""


class FoundPath(NamedTuple):
    """A file, what a pattern finds in its path, and where it would be if archives in folders were folders."""

    path: Path
    names: PathNames
    seen: Path


@dataclass
class FoundPaths:
    """Files, and what is left out: in words, and the paths or how many."""

    files: list[FoundPath] = field(default_factory=list)
    others: dict[str, list[str]] = field(default_factory=dict)
    further: Counter[str] = field(default_factory=Counter)
    has_project: bool = False

    @property
    def left_out(self) -> dict[str, int]:
        """What is left out, in words, and how much of it."""
        return {
            **{f"{what}: {listed(names, _SHOWN)}": len(names) for what, names in self.others.items()},
            **self.further,
        }

    def leave_out(self, what: str, paths: Iterable[Path], folder: Path) -> None:
        """Note that files in a folder are left out."""
        if names := [path.relative_to(folder).as_posix() for path in paths]:
            self.others.setdefault(what, []).extend(names)


def find_files(
    given: Sequence[Path], pattern: Pattern | None, formats: Sequence[Format]
) -> list[tuple[Path, PathNames]]:
    """Return the files, each with what the pattern finds in its path; see `find_paths`."""
    return [(found.path, found.names) for found in find_paths(given, pattern, formats).files]


def find_paths(
    given: Sequence[Path],
    pattern: Pattern | None,
    formats: Sequence[Format],
    options: Mapping[str, str] | None = None,
    content: Unpacked | None = None,
) -> FoundPaths:
    """Find the files, each with what the pattern finds in its path, and what is left out.

    Of a folder, those files are taken that match the pattern, seen from the folder; without a pattern, the annotations
    of a project that is arranged as a tool exports it, otherwise those whose names end as files of the formats do.
    Hidden files and folders are skipped, and files that only belong to others, such as the texts of brat's annotations.
    A file that is packed with gzip counts as what it holds. With `content`, archives in a folder are folders, if it is
    a project or has nothing else to read. `options` are those of the format.
    """
    found = FoundPaths()
    wanted = [name for name, value in (options or {}).items() if name in _FURTHER and _is_true(name, value)]
    for path in given:
        if not os.path.isdir(path):  # False, too, where the system does not even look
            found.files.append(FoundPath(path, PathNames() if pattern is None else _names(path, pattern), path))
            continue
        project = _project(path) if pattern is None else None
        files = _files(path, pattern, project, formats, content, found)
        decisions = [seen for seen in files if pattern is None and seen.name.endswith(DECISIONS)]
        files = {seen: file for seen, file in files.items() if seen not in decisions}
        found.leave_out(_DECISIONS, decisions, path)
        if project is not None:
            _add_project(path, project, files, formats, wanted, found)
        elif pattern is not None:
            found.files.extend(_matching(path, [pattern], files, formats))
            matching = {one.seen for one in found.files}
            others = [seen for seen in _possible(path, files) if seen not in matching]
            found.leave_out(_UNMATCHED, _without_companions(others, formats, there=files), path)
        else:
            found.files.extend(FoundPath(files[seen], PathNames(), seen) for seen in _annotations(path, files, formats))
            others = [seen for seen in files if _suffix(seen) not in _suffixes(formats)]
            found.leave_out(_UNKNOWN, _without_companions(others, formats, there=files), path)
    if wanted and not found.has_project:
        raise OptionError(f"{wanted[0]!r} is for exported projects, read without a pattern; leave it out", "options")
    return found


def _is_true(option: str, value: str) -> bool:
    if value not in ("true", "false"):
        raise OptionError(f"unknown {option} {value!r}; available: true, false", "options")
    return value == "true"


def _files(
    folder: Path,
    pattern: Pattern | None,
    project: ProjectLayout | None,
    formats: Sequence[Format],
    content: Unpacked | None,
    found: FoundPaths,
) -> dict[Path, Path]:
    """Return the files in a folder, as seen to where they can be read, with those in archives if these are opened."""
    files = {path: path for path in _below(folder)}
    archives = [path for path in files if path.suffix.lower() == _ARCHIVE] if content is not None else []
    if content is None or not archives:
        return files
    for path in archives:
        del files[path]
    if pattern is None:
        likely = _suffixes(formats) - {_TEXT}
        others = _without_companions([path for path in files if _suffix(path) in likely], formats)
    else:
        others = [one.seen for one in _named(files, folder, [pattern])]
    if others and project is None:
        found.leave_out(_UNOPENED, archives, folder)
        return files
    found.leave_out(_UNPACKED, (path for path in archives if path.with_suffix("").exists()), folder)
    for path in archives:
        if not path.with_suffix("").exists():
            files.update(_opened(path, content))
    return files


def _opened(archive: Path, content: Unpacked) -> dict[Path, Path]:
    """Return the files in an archive, as they are seen to where they can be read."""
    try:
        if not is_archive(archive):
            return {archive: archive}
        folder = content.opened(archive)
    except DataError as error:
        if content.bad is None:
            raise
        content.bad(error)
        return {}
    return {archive.with_suffix("") / file.relative_to(folder): file for file in _below(folder)}


def _project(folder: Path) -> ProjectLayout | None:
    """Return the layout of a project that a tool exported."""
    top = _top(folder)
    return next((project for project in PROJECTS if project.is_project(top)), None)


def _possible(folder: Path, files: Mapping[Path, Path]) -> Iterable[Path]:
    """Return the files that may be annotations: in a project, those of annotators and those that options ask for."""
    try:
        project = _project(folder)
    except DataError:  # it has none that can be read without a pattern
        project = None
    if project is None:
        return files
    patterns = [*project.patterns, *(pattern for _, more in project.further.values() for pattern in more)]
    return [one.seen for one in _named(files, folder, list(map(parse_pattern, patterns)))]


def _add_project(
    folder: Path,
    project: ProjectLayout,
    files: Mapping[Path, Path],
    formats: Sequence[Format],
    wanted: Sequence[str],
    found: FoundPaths,
) -> None:
    """Add the annotations of a project, and those that an option asks for; count the others that it could ask for."""
    found.has_project = True
    found.files.extend(_matching(folder, list(map(parse_pattern, project.patterns)), files, formats))
    for option, (annotator, patterns) in project.further.items():
        named = _alone(_named(files, folder, list(map(parse_pattern, patterns))), formats)
        further = [one._replace(names=replace(one.names, annotator=annotator)) for one in named]
        if option in wanted:
            if not further:
                raise OptionError(f"the project has no {option}; leave the option out", "options")
            found.files.extend(further)
        elif further:
            found.further[f"files of the project's {option} (read them with the option {option}=true)"] += len(further)


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


def _matching(
    folder: Path, patterns: Sequence[Pattern], files: Mapping[Path, Path], formats: Sequence[Format]
) -> list[FoundPath]:
    """Return the files that match one of the patterns, the first that does."""
    matching = _named(files, folder, patterns)
    if not matching:
        example = f", such as {next(iter(files)).relative_to(folder)}," if files else ""
        raise DataError(
            f'none of the {len(files)} files in this folder{example} matches the pattern "{patterns[0].text}"; '
            "correct the pattern, which is compared with the end of each path",
            path=folder,
        )
    return _alone(matching, formats)


def _named(files: Mapping[Path, Path], folder: Path, patterns: Sequence[Pattern]) -> list[FoundPath]:
    """Return the files that match a pattern, seen from the folder, or with the folder, if none does otherwise."""
    for within in (True, False):
        paths = {seen: seen.relative_to(folder) if within else Path(os.path.abspath(seen)) for seen in files}
        posix = {seen: path.as_posix() for seen, path in paths.items()}
        found = {seen: next(filter(None, (one.names(posix[seen]) for one in patterns)), None) for seen in files}
        if any(found.values()):
            return [FoundPath(files[seen], names, seen) for seen, names in found.items() if names is not None]
    return []


def _alone(found: Sequence[FoundPath], formats: Sequence[Format]) -> list[FoundPath]:
    kept = set(_without_companions([one.seen for one in found], formats))
    return [one for one in found if one.seen in kept]


def _annotations(folder: Path, files: Iterable[Path], formats: Sequence[Format]) -> list[Path]:
    suffixes = _suffixes(formats)
    found = _without_companions([file for file in files if _suffix(file) in suffixes], formats)
    if not found:
        example = mention("pattern", "{annotator}/{document}.xml")
        message = f"there are no annotation files in this folder; name the files, or say which they are, e.g. {example}"
        raise DataError(message, path=folder)
    kinds = sorted({_suffix(file) for file in found})
    if len(kinds) > 1:
        raise DataError(
            f"there are files of several kinds in this folder ({listed(kinds)}); name the files, or say which count, "
            f"e.g. {mention('pattern', '{annotator}/{document}' + kinds[0])}",
            path=folder,
        )
    return found


def _suffixes(formats: Iterable[Format]) -> set[str]:
    return {suffix for known in formats for suffix in known.suffixes}


def _suffix(path: Path) -> str:
    """Return how a file's name ends, apart from .gz."""
    return Path(unzipped_name(path.name)).suffix.lower()


def _without_companions(
    files: Sequence[Path], formats: Sequence[Format], there: Iterable[Path] | None = None
) -> list[Path]:
    """Leave out what belongs to other files: of the same name but for the suffix, or of a name that says so.

    `there` are the files that others may belong to, by default the same.
    """
    owned = {Path(unzipped_name(str(file))) for file in (files if there is None else there)}
    kept = []
    for file in files:
        plain = Path(unzipped_name(str(file)))
        beside = (
            plain.with_name(plain.name.removesuffix(ending) + suffix)
            for known in formats
            for ending in known.endings
            if plain.name.endswith(ending)
            for suffix in known.suffixes
        )
        by_name = any(plain.name in known.companions for known in formats)
        if not by_name and not any(other in owned for other in beside if other != plain):
            kept.append(file)
    return kept


def _below(folder: Path) -> Iterator[Path]:
    def fail(error: OSError) -> None:
        raise unreadable(error, folder)

    for where, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(where, name) for name in sorted(names) if not name.startswith("."))
