"""What a format's own options say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from unisono.errors import OptionError

_Default = TypeVar("_Default", str, None)


def names_in(settings: Mapping[str, str], option: str) -> list[str]:
    """Give the names that an option lists between semicolons (or commas, where the caller can write them)."""
    return [name.strip() for name in re.split("[;,]", settings.get(option, "")) if name.strip()]


def one_of(settings: Mapping[str, str], option: str, values: Sequence[str], default: _Default) -> str | _Default:
    """Give what an option says, which has to be one of some values.

    Parameters
    ----------
    settings : mapping
        Options to what they say.
    option : str
        The option.
    values : sequence of str
        What it can be.
    default : str or None
        What it is if nobody says it.
    """
    given = settings.get(option)
    if given is None:
        return default
    if given not in values:
        raise OptionError(f"{option} is {given!r}, which is not one of {', '.join(values)}", "options")
    return given
