"""What a format declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from unisono.data import Data


@dataclass(frozen=True, slots=True)
class Options:
    """What a user can say about a file.

    Attributes
    ----------
    columns : mapping
        Our names to the file's, for tables.
    delimiter : str, optional
        What separates the fields of a line, for CSV; found from the content if not given.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    delimiter: str | None = None


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
