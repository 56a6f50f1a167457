"""What functions of Python take as data: what was read, or a data frame."""

from __future__ import annotations

from os import PathLike
from typing import Any

from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.errors import OptionError
from unisono.formats.frames import from_frame


def as_data(given: Any) -> Data:
    """Take data, or make it out of a data frame; OptionError for anything else.

    Parameters
    ----------
    given : Corpus, Ratings, Normalizations or data frame
        What somebody gave.
    """
    data = from_frame(given) if hasattr(given, "columns") else given
    if isinstance(data, Corpus | Ratings | Normalizations):
        return data
    if isinstance(given, str | PathLike):
        raise OptionError(f"{str(given)!r} is a text and no data: read the file with unisono.read")
    raise OptionError(
        f"a corpus is needed, not {type(given).__name__}: read a file with unisono.read(path), give a data frame, "
        "or make ratings of a list with unisono.Ratings.of"
    )
