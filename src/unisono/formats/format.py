"""What a format declares, and what a user can say about the files that it reads."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from unisono.data import Corpus, Data, Export
from unisono.data.corpus import Bounds
from unisono.data.selection import Steps
from unisono.data.unit_kinds import COMPOSITE
from unisono.errors import DataError, OptionError
from unisono.formats.columns import TableKind
from unisono.formats.table import RawTable
from unisono.results import listed_name, spelled

_Default = TypeVar("_Default", str, None)


@dataclass(frozen=True, slots=True)
class Instructions:
    """What a user says about the files to read."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Our column names to the file's, for tables."""
    delimiter: str | None = None
    """What separates the fields of a line, for CSV; detected from the content if not given."""
    encoding: str | None = None
    """In which encoding a table of text is; detected if not given."""
    decimal: str | None = None
    """What separates decimals, for CSV: a point or a comma; detected if not given."""
    sheet: str | None = None
    """The name or the number of a sheet, for spreadsheets."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The format's own options (see `Format.options`) and their values."""
    annotator: str = "annotator"
    document: str | None = None
    """What the path says, for files that do not say it themselves; without a document, it is named after the file."""
    annotator_from: str | None = None
    """Where the annotator's name is, if it could be in several places: folder, file, tier or field."""
    discontinuous: str = "together"
    """What becomes of a unit in several pieces: together (one unit with several anchors), whole (from the first to the
    last), pieces (one unit each), main (the main one only) or drop."""
    units: str | None = None
    """Which annotations are wanted, if a file holds several kinds: spans, relations, events, items or tokens; None:
    spans and items, whichever there are."""
    bad: Callable[[DataError], None] | None = None
    """Called with the error of each bad record, which is then skipped; without it, the error is raised."""

    @property
    def has_annotator(self) -> bool:
        """Whether the path says who annotated."""
        return self.annotator != Instructions().annotator

    @property
    def shared_document(self) -> str:
        """The document of files whose paths name their annotators: if they name no document, all share one."""
        return "document" if self.document is None else self.document

    def document_of(self, path: Path) -> str:
        """Return the name of a file's document, for files that do not name it."""
        return path.stem if self.document is None else self.document

    def choice(self, option: str, values: Sequence[str], default: _Default) -> str | _Default:
        """Return the value of one of the format's own options, which must be one of some values."""
        given = self.options.get(option)
        if given is None:
            return default
        if given not in values:
            raise OptionError(f"unknown {option} {given!r}; available: {', '.join(values)}", "options")
        return given

    def names(self, option: str) -> list[str]:
        """Return the names in one of the format's own options, separated by semicolons (or commas, in Python)."""
        return [name.strip() for name in re.split("[;,]", self.options.get(option, "")) if name.strip()]


TABLE_SETTINGS = ("delimiter", "encoding", "decimal", "sheet")
"""Instructions that apply to some formats of tables only."""


@dataclass(frozen=True, slots=True)
class FolderWriting:
    """How a format of several files is written: units on texts, into a folder."""

    write: Callable[[Corpus, Path, Collection[str]], list[str]]
    """Takes a corpus, an empty folder, and the names of what is already in its final place; returns sentences about
    what the format could not hold."""
    ours: Callable[[Path], bool]
    """Whether a folder holds nothing but files of this format, so that they may be replaced."""
    what: str
    """What these files are, in words."""
    pattern: str
    """Where the paths of what was written name annotator and document."""
    wrote: Callable[[Path], bool]
    """Whether a folder was written by `write`, so that its files are read by this pattern."""


@dataclass(frozen=True, slots=True)
class BlockReading:
    """How one large file is read by several workers: block by block, each a range of bytes (see `line_blocks`)."""

    read: Callable[[Path, Instructions, range], Any]
    """Reads a block; None if anything in it is unusual or wrong: the file is then read as a whole, which says where."""
    joined: Callable[[Path, Instructions, Sequence[Any]], Data | None]
    """Puts all blocks together: what reading the whole file gives; None if they have to be checked together."""


@dataclass(frozen=True, slots=True)
class ProjectLayout:
    """How a tool arranges the files of an exported project."""

    is_project: Callable[[Path], bool]
    """Whether a folder is such a project."""
    patterns: tuple[str, ...]
    """Where the paths of its annotations name annotator and document; other files in it are not read."""
    further: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict, hash=False)
    """Options of the format that must be true for more files to be read, the name of the annotator that these count as,
    and the patterns of their paths."""
    nobody: tuple[str, ...] = ()
    """What is there in place of an annotator for versions before anybody worked on a document."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    The texts for people (`reads`, `ignores`, `options`) may mention parameters (`errors.mention`).
    """

    name: str
    title: str
    """What one types, what one reads."""
    suffixes: tuple[str, ...]
    """Of files in this format; the first is the usual one. Without any, the format is only used by name or content."""
    reads: str
    ignores: str
    """What of the file is used, and what is not."""
    sniff: Callable[[bytes, Path], bool]
    """Whether a file is in this format, given its first bytes and its path."""
    read: Callable[[Path, Instructions], Data | Export]
    """Path and instructions to data, or to several kinds of it."""
    pieces: Callable[[Path, Instructions], Iterator[Data | Export]] | None = None
    """The same piece by piece, for large files; a document may be in several pieces."""
    in_blocks: BlockReading | None = None
    """How several workers read one large file together."""
    read_table: Callable[[Path, Instructions, Collection[TableKind]], RawTable] | None = None
    """Path, instructions and the kinds of table to expect to a table, if the format is one of tables."""
    settings: tuple[str, ...] = ()
    """Which of `TABLE_SETTINGS` apply to files of this format."""
    write: Callable[[Data, BinaryIO], list[str]] | None = None
    """Writes data to a stream and returns sentences about what the format could not hold."""
    write_safe: Callable[[Data, BinaryIO], list[str]] | None = None
    """The same, but nothing in the file is a formula for spreadsheets."""
    check_writing: Callable[[], None] | None = None
    """Raises an error if what writing needs is not installed."""
    written_by_name: bool = False
    """Whether the format must be named to be written, since its files are called as those of many others."""
    folder: FolderWriting | None = None
    """The same for a format of several files."""
    project: ProjectLayout | None = None
    """How projects with files in this format are arranged."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The format's own options, and what each of them means."""
    names_annotators: bool | Callable[[Instructions], bool] = True
    """Whether files say who annotated, perhaps depending on the instructions; if not, their paths have to."""
    annotator_from: tuple[str, ...] = ("folder", "file")
    """Where the annotator's name can be in files of this format (see `Instructions`)."""
    whole: bool = False
    """Whether a file that names annotators holds all they did in a document, so that a second one is a mistake."""
    writes_links: tuple[str, ...] = ()
    """Which kinds of units with several anchors can be written: relations, events."""
    composite: tuple[str, ...] = ()
    """Which kinds of units with several anchors files may hold: relations, events."""
    labels_tokens: bool = False
    """Whether files have labels of each token, in columns, which are read with units="tokens"."""
    may_be_empty: bool = False
    """Whether a file without content means that nothing was marked."""
    companions: tuple[str, ...] = ()
    """How names of files end that belong to those of this format (text1.txt and text1-typesystem.xml to text1.xmi), and
    whole names (TypeSystem.xml); such files are not read alone."""

    @property
    def endings(self) -> tuple[str, ...]:
        """How names of companions end."""
        return tuple(name for name in self.companions if name[0] in ".-")

    @property
    def is_written(self) -> bool:
        """Whether data can be written in this format."""
        return self.write is not None or self.folder is not None

    def says_who(self, instructions: Instructions) -> bool:
        """Whether files say who annotated."""
        named = self.names_annotators
        return named if isinstance(named, bool) else named(instructions)


def reading_steps(
    instructions: Instructions, continuum: Bounds | None, worked: Sequence[tuple[str, str]] | None
) -> Steps:
    """Return what a result's signature must name about reading, since it changes what is measured."""

    def words(given: Mapping[str, str]) -> str:
        return ",".join(f"{name}={listed_name(value, ',;=')}" for name, value in sorted(given.items()))

    found = {
        "columns": words(instructions.columns),
        "options": words(instructions.options),
        "sheet": instructions.sheet or "",
        "encoding": instructions.encoding or "",
        "decimal": {",": "comma", ".": "point"}.get(instructions.decimal or "", ""),
        "discontinuous": "" if instructions.discontinuous == "together" else instructions.discontinuous,
        "units": instructions.units if instructions.units in ("tokens", *COMPOSITE) else "",
        "continuum": "" if continuum is None else ":".join(map(spelled, continuum)),
        "worked": "" if worked is None else f"as listed ({_digest(worked)})",
    }
    return tuple((step, how) for step, how in found.items() if how)


def _digest(pairs: Sequence[tuple[str, str]]) -> str:
    return hashlib.sha256(json.dumps(sorted(pairs)).encode()).hexdigest()[:8]
