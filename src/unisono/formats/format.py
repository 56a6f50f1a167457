"""What a format declares."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from unisono.data import Corpus, Data
from unisono.errors import DataError


@dataclass(frozen=True, slots=True)
class Options:
    """What a user can say about a file.

    Attributes
    ----------
    columns : mapping
        Our names to the file's, for tables.
    delimiter : str, optional
        What separates the fields of a line, for CSV; found from the content if not given.
    settings : mapping
        The format's own options (see `Format.options`) to their values.
    annotator, document : str
        What the path says, for files that do not say it themselves; without a document, it is named like the file.
    annotator_from : {"folder", "file", "tier", "field"}, optional
        Where the annotator's name is, where it could be in several places.
    discontinuous : {"whole", "pieces", "drop"}
        What becomes of a unit in several pieces: one unit from the first to the last, a unit for each, or nothing.
    bad : callable, optional
        Is told of a bad record, which is then passed over; without it, it is an error.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    delimiter: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    annotator: str = "annotator"
    document: str | None = None
    annotator_from: str | None = None
    discontinuous: str = "whole"
    bad: Callable[[DataError], None] | None = None

    def document_of(self, path: Path) -> str:
        """Give the name of a file's document where the file itself names none."""
        return path.stem if self.document is None else self.document


@dataclass(frozen=True, slots=True)
class FolderWriting:
    """How a format of several files is written: units on texts, into a folder.

    Attributes
    ----------
    write : callable
        Takes a corpus, an empty folder, and the names of what is in the place where that will be put; gives sentences
        on what the format could not hold.
    ours : callable
        Whether a folder holds nothing but files of this format, so that they may be replaced.
    what : str
        What these files are, in words.
    """

    write: Callable[[Corpus, Path, Collection[str]], list[str]]
    ours: Callable[[Path], bool]
    what: str


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    Attributes
    ----------
    name, title : str
        What one types, what one reads.
    suffixes : tuple of str
        Of files that are written in this format; the first is the usual one. Without any, it is only read
        and written by name.
    reads, ignores : str
        What of the file is used, and what is not.
    sniff : callable
        Whether a file is of this format, given its first bytes and its path.
    read : callable
        Path and options to data.
    read_worked : callable, optional
        Path and options to (document, annotator) pairs, if a table in this format can say who worked on what.
    write : callable, optional
        Writes data to a stream and gives sentences on what the format could not hold.
    folder : FolderWriting, optional
        The same for a format of several files.
    options : mapping
        Options of its own, and what each of them says.
    names_annotators : bool or callable
        Whether files say who annotated, perhaps depending on the options; if not, their paths have to.
    annotator_from : tuple of str
        Where annotators can be found in files of this format, if a user says where (see `Options`).
    whole : bool
        Whether a file that names annotators holds all that they did in a document, so that a second one is a mistake.
    may_be_empty : bool
        Whether a file without content says that nothing was marked.
    first_record : int, optional
        Where a line is a record, so that a bad one can be passed over: the first that is.
    companions : tuple of str
        Suffixes of files that belong to those of this format and have the same name otherwise (text1.txt to text1.ann),
        and whole names (TypeSystem.xml); they are not read by themselves.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    reads: str
    ignores: str
    sniff: Callable[[bytes, Path], bool]
    read: Callable[[Path, Options], Data]
    read_worked: Callable[[Path, Options], list[tuple[str, str]]] | None = None
    write: Callable[[Data, BinaryIO], list[str]] | None = None
    folder: FolderWriting | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    names_annotators: bool | Callable[[Options], bool] = True
    annotator_from: tuple[str, ...] = ("folder", "file")
    whole: bool = False
    may_be_empty: bool = False
    first_record: int | None = None
    companions: tuple[str, ...] = ()

    def says_who(self, options: Options) -> bool:
        """Tell whether files say who annotated."""
        named = self.names_annotators
        return named if isinstance(named, bool) else named(options)
