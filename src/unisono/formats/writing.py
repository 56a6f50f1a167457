"""Data to a file."""

from __future__ import annotations

import os
from pathlib import Path

from unisono.data import Corpus, Data
from unisono.errors import DataError
from unisono.formats.registry import by_name, by_suffix
from unisono.output import new_file


def write(
    data: Data,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
) -> list[str]:
    """Write data; the file is there complete or not at all.

    Parameters
    ----------
    data : Corpus or Ratings
        What to write; ratings as a table with one column an annotator.
    path : path
        The file, or the folder for brat.
    format : str, optional
        The format's name; found from the file's name if not given.
    overwrite : bool
        Whether a file of that name, or a folder that holds nothing but what was written for brat, may be replaced.

    Returns
    -------
    list of str
        Sentences that say what the format could not hold; empty if everything was kept.
    """
    file = Path(path)
    chosen = by_suffix(file) if format is None else by_name(format)
    if chosen.write_folder is not None:
        if not isinstance(data, Corpus):
            raise DataError(f"{chosen.title} holds units on texts, and this is something else; write csv", path=file)
        return chosen.write_folder(data, file, overwrite=overwrite)
    if chosen.write is None:
        raise DataError(f"{chosen.title} can be read but not written; write csv, jsonl or brat", path=file)
    with new_file(file, overwrite=overwrite) as stream:
        return chosen.write(data, stream)
