"""Errors that a user can fix: one sentence that says what is wrong, where, and what to do.

Messages speak of parameters through `mention`. Python shows them as arguments (``layers="NE"``), the command line as
its options: only cli/ knows how these are written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

Spell: TypeAlias = Callable[[str, Any], str]
"""A parameter's name, and its value or None, to how both are written."""

_MENTION = re.compile('\x02(\\["[a-z_]+", [^\x02\x03]*\\])\x03')


def mention(parameter: str, value: Any = None) -> str:
    """Name a parameter in a message, perhaps with a value to give it.

    Parameters
    ----------
    parameter : str
        Its name in Python.
    value : str, bool, number, sequence of numbers, or mapping from str to str, optional
        A value that would help.
    """
    return f"\x02{json.dumps([parameter, value], ensure_ascii=False)}\x03"


def spelled_out(message: str, spell: Spell) -> str:
    """Write out the parameters that a message mentions; marks that are part of the data stay as they are."""

    def written(found: re.Match[str]) -> str:
        try:
            return spell(*json.loads(found[1]))
        except (TypeError, ValueError):
            return found[0]

    return _MENTION.sub(written, message)


def as_argument(parameter: str, value: Any) -> str:
    """Write a parameter as Python does."""
    if value is None:
        return parameter
    return f"{parameter}={tuple(value)!r}" if isinstance(value, list) else f"{parameter}={value!r}"


def listed(names: Sequence[object], most: int = 12) -> str:
    """Name some things in a message, the first of them if there are many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(str, names[:most])) + more


def plural(count: int, what: str) -> str:
    """Write a number with what it counts."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


class UnisonoError(Exception):
    """Something is wrong with the data or the call; the message is meant for the user.

    Attributes
    ----------
    message : str
        What is wrong and what to do, with its mentions of parameters; `str()` writes them as Python does.
    """

    def __init__(self, message: str) -> None:
        super().__init__(spelled_out(message, as_argument))
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message,)

    def told(self, spell: Spell) -> str:
        """Give the whole message with parameters written in some way."""
        return spelled_out(self.message, spell)

    def __str__(self) -> str:
        return self.told(as_argument)


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
        super().__init__(message)
        self.path = path
        self.line = line

    @property
    def reason(self) -> str:
        """What is wrong and what to do, without the place."""
        return spelled_out(self.message, as_argument)

    def told(self, spell: Spell) -> str:
        """Give the whole message, the place first."""
        places = ["" if self.path is None else str(self.path), "" if self.line is None else f"line {self.line}"]
        where = ", ".join(filter(None, places))
        return (f"{where}: " if where else "") + super().told(spell)

    def __reduce__(self) -> tuple[Any, ...]:
        return _data_error, (type(self), self.message, self.path, self.line)


def _data_error(kind: type[DataError], message: str, path: str | Path | None, line: int | None) -> DataError:
    return kind(message, path=path, line=line)


class KeepingError(DataError):
    """What was done cannot be kept, as on a full disk: nothing is wrong with the data, and nothing more can be done."""


class OptionError(UnisonoError):
    """A parameter has an invalid value.

    Parameters
    ----------
    message : str
        What is wrong and what to do.
    parameter : str, optional
        The parameter's name; the message begins with it.
    """

    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message if parameter is None else f"{mention(parameter)}: {message}")
        self.parameter = parameter

    @classmethod
    def about(cls, parameter: str | None, message: str) -> OptionError:
        """Make an error about a parameter that the message names itself."""
        error = cls(message)
        error.parameter = parameter
        return error

    def __reduce__(self) -> tuple[Any, ...]:
        return OptionError.about, (self.parameter, self.message)


@contextmanager
def naming(parameter: str, *, said: bool = False) -> Iterator[None]:
    """Name the parameter in errors that do not name any; with `said`, their messages are clear without it."""
    try:
        yield
    except OptionError as error:
        if error.parameter is not None:
            raise
        made = OptionError.about(parameter, error.message) if said else OptionError(error.message, parameter)
        raise made from None
