"""The files of a study whose paths name the guidelines, the group, the annotator and the text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from unisono.errors import DataError, OptionError
from unisono.formats.folders import find_paths
from unisono.formats.patterns import Pattern, parse_pattern, unzipped_name
from unisono.formats.registry import FORMATS

_WITH_GROUPS = "{guideline}/{group}/{annotator}/{document}.*"
_WITHOUT = "{guideline}/{annotator}/{document}.*"
_ANY = parse_pattern("*")
_OF_MAC = "__MACOSX"
_KNOWN = {suffix for known in FORMATS for suffix in known.suffixes}
_PLAIN = ".txt"
"""Texts are beside annotations, and so are readme files."""


class FoundFile(NamedTuple):
    """A file of a study, what its path says, and the pattern that it matches."""

    path: Path
    guideline: str
    group: str | None
    annotator: str | None
    pattern: str


def names_guidelines(pattern: Pattern) -> bool:
    """Whether a pattern has a place for the guidelines."""
    return "guideline" in pattern.meaning.groupindex


def find_matching(folder: Path, pattern: Pattern, instead: str) -> tuple[list[FoundFile], dict[str, int]]:
    """Return the files of a folder that match a pattern, and what is left out, but for the file `instead`, in words."""
    if not names_guidelines(pattern):
        raise OptionError('it must name the guidelines, e.g. "{guideline}/{annotator}/*"', "pattern")
    found = find_paths([folder], pattern, FORMATS)
    found.others = {
        what: kept for what, names in found.others.items() if (kept := [name for name in names if name != instead])
    }
    files = [
        FoundFile(one.path, one.names.guideline or "", one.names.group, one.names.annotator, pattern.text)
        for one in found.files
    ]
    return files, found.left_out


def find_laid_out(folder: Path, instead: str) -> list[FoundFile]:
    """Return the files of a folder with the layout GUIDELINE/GROUP/ANNOTATOR/TEXT or GUIDELINE/ANNOTATOR/TEXT.

    `instead` is the file that may describe another layout, for messages.
    """
    if not folder.is_dir():
        raise DataError(f"a study is a folder, or a file {instead}; see docs/study-files.md", path=folder)
    files = _annotations(folder)
    for text in (_WITH_GROUPS, _WITHOUT):
        right = {file for file in files if _depth(file, folder) == text.count("/") + 1}
        if right:
            _check_depths(files, right, folder, instead)
            files_found, _ = find_matching(folder, parse_pattern(text), instead)
            return [file for file in files_found if file.path in right]
    raise DataError(
        "the folder does not have the layout GUIDELINE/GROUP/ANNOTATOR/TEXT or GUIDELINE/ANNOTATOR/TEXT; change it, or "
        f"write a {instead} that says where the files are",
        path=folder,
    )


def leave_out(found: Iterable[FoundFile], patterns: Sequence[str], folder: Path) -> tuple[list[FoundFile], list[str]]:
    """Return the files to read, and the guidelines of each file that one of the patterns names.

    A pattern is compared with the whole path in the folder; ``*`` stands for anything.
    """
    kept, left, used = [], [], set()
    for file in found:
        path = file.path.relative_to(folder).as_posix()
        matching = {pattern for pattern in patterns if fnmatchcase(path, pattern)}
        used |= matching
        if matching:
            left.append(file.guideline)
        else:
            kept.append(file)
    for pattern in patterns:
        if pattern not in used:
            message = f"no file that would be read has the path {pattern!r} in this folder; correct it, or remove it"
            raise DataError(f"leave_out: {message}", path=folder)
    return kept, left


def unwrapped(folder: Path, stop: str) -> Path:
    """Enter folders that hold nothing but another folder; archives often have one around everything.

    Levels with a meaning stay: above each text, there are folders for guidelines and annotators. If there is one more
    level, it may be groups for one set of guidelines; then there are several, and no annotator is in two of them. A
    folder with the file `stop` stays, too.
    """
    while not (folder / stop).is_file():
        inner = _only_folder(folder)
        if inner is None or not ((inner / stop).is_file() or _is_wrapping(folder, inner)):
            return folder
        folder = inner
    return folder


def _is_wrapping(folder: Path, inner: Path) -> bool:
    n_levels = min((_depth(file, folder) for file in _annotations(folder)), default=0)
    with_groups = _WITH_GROUPS.count("/") + 1
    if n_levels == with_groups:
        return inner.name == folder.name or not _are_groups(_folders(inner))
    return n_levels > with_groups


def _are_groups(folders: Sequence[Path]) -> bool:
    people = [one.name for group in folders for one in _folders(group)]
    return len(folders) > 1 and len(people) == len(set(people))


def _only_folder(folder: Path) -> Path | None:
    if not folder.is_dir():
        return None
    content = [one for one in folder.iterdir() if not _is_hidden(one.name)]
    return content[0] if len(content) == 1 and content[0].is_dir() else None


def _folders(folder: Path) -> list[Path]:
    return [one for one in folder.iterdir() if one.is_dir() and not _is_hidden(one.name)]


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name == _OF_MAC


def _annotations(folder: Path) -> list[Path]:
    """Return the files that may be annotations, without those that only belong to others."""
    if not any(_kind(file) in _KNOWN for file in _visible(folder)):
        return []
    return [one.path for one in find_paths([folder], _ANY, FORMATS).files if _kind(one.path) in _KNOWN]


def _kind(file: Path) -> str:
    """Return how a file's name ends, apart from .gz."""
    return Path(unzipped_name(file.name)).suffix.lower()


def _visible(folder: Path) -> Iterable[Path]:
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not _is_hidden(name)]
        yield from (Path(where, name) for name in names if not _is_hidden(name))


def _check_depths(files: Iterable[Path], right: set[Path], folder: Path, instead: str) -> None:
    """Reject annotations at another depth, which would be lost; a table or a text beside them may be anything."""
    kinds = {_kind(file) for file in right}
    guidelines = {_top(file, folder) for file in right}
    example = min(right).relative_to(folder).as_posix()
    for file in files:
        kind = _kind(file)
        is_lost = _depth(file, folder) > 1 and _top(file, folder) not in guidelines and kind != _PLAIN
        if file not in right and (kind in kinds or is_lost):
            raise DataError(
                f"the file is at another depth than {example}; use the same layout for all files, or write a {instead} "
                "that says where they are",
                path=file,
            )


def _top(file: Path, folder: Path) -> str:
    return file.relative_to(folder).parts[0]


def _depth(file: Path, folder: Path) -> int:
    return len(file.relative_to(folder).parts)
