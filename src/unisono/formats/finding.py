"""The files to read: their formats, and what their paths say about annotators and documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unisono.errors import DataError, OptionError, mention
from unisono.formats.archives import Unpacked
from unisono.formats.files import is_empty, read_head
from unisono.formats.folders import FoundPath, find_paths
from unisono.formats.format import Format, Instructions
from unisono.formats.patterns import PathNames, Pattern, unzipped_name
from unisono.formats.places import assumed_pattern
from unisono.formats.registry import FORMATS, PROJECTS, by_content

_NOBODY = frozenset(name for project in PROJECTS for name in project.nobody)
_BEFORE_ANYBODY = "versions of documents before anybody worked on them"
_COMPANIONS = tuple(dict.fromkeys(name for known in FORMATS for name in known.companions))


@dataclass(frozen=True, slots=True)
class AnnotationFile:
    """A file, its format, what its path says, and where it would be if it, and archives around it, were unpacked."""

    path: Path
    format: Format
    names: PathNames
    seen: Path

    def instructed(self, instructions: Instructions) -> Instructions:
        """Return the instructions with what the path says."""
        annotator = self.names.annotator or instructions.annotator
        return replace(instructions, annotator=annotator, document=self.names.document)


@dataclass(frozen=True)
class AnnotationFiles:
    """The files to read, the pattern that was assumed for their paths, and what was left out, in words."""

    files: list[AnnotationFile]
    assumed: Pattern | None
    left_out: Mapping[str, int]


def candidate_formats(chosen: Format | None) -> Sequence[Format]:
    """Return the formats whose files count in a folder."""
    return FORMATS if chosen is None or not chosen.suffixes else [chosen]


def find_annotations(
    content: Unpacked,
    chosen: Format | None,
    pattern: Pattern | None,
    instructions: Instructions,
    skip: Callable[[DataError], None],
) -> AnnotationFiles:
    """Find the files, and assume a pattern if some of them need one and none is given.

    `skip` takes the error of a file whose format is not recognized, which is then left out.
    """
    found = find_paths(content.paths, pattern, candidate_formats(chosen), instructions.options, content)
    _check_repeated([one.seen for one in found.files])
    somebody = [one for one in found.files if one.names.annotator not in _NOBODY] or found.files
    files = _with_formats(somebody, chosen, content, skip)
    silent = [file for file in files if not file.format.says_who(instructions)]
    if silent and pattern is not None and not pattern.names_annotators:
        example = mention("pattern", "{annotator}/{document}.xml")
        raise OptionError(f"{silent[0].format.title} does not name the annotator; write e.g. {example}", "pattern")
    _check_tiers(files, instructions, pattern)
    unnamed = [file for file in silent if file.names.annotator is None]
    assumed = None
    if len(unnamed) > 1 and pattern is None:
        writings = dict.fromkeys(file.format.folder for file in unnamed if file.format.folder is not None)
        assumed = assumed_pattern([file.seen for file in unnamed], writings)
    named = [file if file.format.says_who(instructions) else _named(file, assumed) for file in files]
    n_nobody = len(found.files) - len(somebody)
    return AnnotationFiles(named, assumed, found.left_out | ({_BEFORE_ANYBODY: n_nobody} if n_nobody else {}))


def _check_repeated(files: Sequence[Path]) -> None:
    seen: dict[Path, Path] = {}
    for path in files:
        if seen.setdefault(Path(os.path.abspath(path)), path) is not path:
            raise DataError("the file is named twice; it would count twice", path=path)


def _with_formats(
    found: Sequence[FoundPath], chosen: Format | None, content: Unpacked, skip: Callable[[DataError], None]
) -> list[AnnotationFile]:
    """Unpack each file, and find its format; skip files that have none, unless nothing is left."""
    files: list[AnnotationFile] = []
    first: DataError | None = None
    for one in found:
        try:
            path = content.readable(one.path, _COMPANIONS)
            files.append(AnnotationFile(path, _format(path, chosen), one.names, Path(unzipped_name(str(one.seen)))))
        except DataError as error:
            skip(error)
            first = first or error
    if not files and first is not None:
        raise first
    return files


def _format(path: Path, chosen: Format | None) -> Format:
    if chosen is None:
        return by_content(path)
    if not (chosen.may_be_empty and is_empty(path)):
        read_head(path)
    return chosen


def _check_tiers(files: Sequence[AnnotationFile], instructions: Instructions, pattern: Pattern | None) -> None:
    """Reject several files with tiers if both their names and their tiers could be annotators."""
    tiered = [file for file in files if "tier" in file.format.annotator_from and file.format.says_who(instructions)]
    if len(tiered) < 2 or pattern is not None or instructions.annotator_from is not None:
        return
    found = assumed_pattern([file.seen for file in tiered])
    if "{document}" in found.text:
        raise DataError(
            f"annotators may be the names of tiers, or what the paths say ({found.text}); choose one: "
            f"{mention('annotator_from', 'tier')}, or {mention('pattern', found.text)}",
            path=tiered[0].path,
        )


def _named(file: AnnotationFile, assumed: Pattern | None) -> AnnotationFile:
    """Add who annotated what; annotators without a document all share one."""
    names: PathNames | None = file.names
    if assumed is not None and not file.names.annotator:
        names = assumed.names(Path(os.path.abspath(file.seen)).as_posix())
    if names is None or names.annotator is None:
        return file
    return replace(file, names=replace(names, document=names.document or "document"))
