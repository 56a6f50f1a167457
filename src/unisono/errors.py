"""Errors that a user can mend: one sentence that says what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def listed(names: Sequence[object], most: int = 12) -> str:
    """Name some things in a message, the first of them if there are many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(str, names[:most])) + more


def plural(count: int, what: str) -> str:
    """Write a number with what it counts."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


class UnisonoError(Exception):
    """Something is wrong with the data or the call; the message is meant for the user."""


class DataError(UnisonoError):
    """The data cannot be used as it is.

    Parameters
    ----------
    message : str
        What is wrong and what to do.
    path : path, optional
        The file.
    line : int, optional
        Its line, counted from 1.
    """

    def __init__(self, message: str, *, path: str | Path | None = None, line: int | None = None) -> None:
        where = "" if path is None else f"{path}: "
        if line is not None:
            where = f"line {line}: " if path is None else f"{path}, line {line}: "
        super().__init__(where + message)
        self.reason = message
        self.path = path
        self.line = line


class OptionError(UnisonoError):
    """An option has a value that makes no sense."""
