"""Data to a file, or to a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from unisono.data import Corpus, Data
from unisono.errors import DataError
from unisono.formats.format import Format
from unisono.formats.json_values import adding_text
from unisono.formats.registry import by_name, by_suffix
from unisono.output import new_file, new_folder, refuse, refuse_folder


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
        Whether a file of that name may be replaced, or, in a folder that holds nothing but what was written for brat
        or by brat, the annotators who are written; others stay.

    Returns
    -------
    list of str
        Sentences that say what the format could not hold; empty if everything was kept.
    """
    with prepared(data, path, format=format, overwrite=overwrite) as lost:
        return lost


@contextmanager
def prepared(
    data: Data,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
) -> Iterator[list[str]]:
    """Write data, and give it its name only when all that is done meanwhile went well.

    Parameters
    ----------
    data, path, format, overwrite
        See `write`.
    """
    file = Path(path)
    chosen = _target(file, format)
    if chosen.write is not None:
        with new_file(file, overwrite=overwrite) as stream:
            lost = chosen.write(data, stream)
            stream.flush()  # a full disk tells now
            yield lost
    elif chosen.folder is not None:
        corpus = _on_texts(data, file, chosen)
        with new_folder(file, overwrite=overwrite, ours=chosen.folder.ours, what=chosen.folder.what) as draft:
            there = os.listdir(file) if file.is_dir() else []
            yield chosen.folder.write(corpus, draft, there)


def refuse_target(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
    inputs: Iterable[str | os.PathLike[str]] = (),
    data: Data | None = None,
) -> Format:
    """Refuse what `write` would refuse, before the work for it is done.

    Parameters
    ----------
    path, format, overwrite
        See `write`.
    inputs : iterable of path
        What is read; nothing is written over it or among it.
    data : Data, optional
        What the work begins with, where that tells already whether its outcome can be written.

    Returns
    -------
    Format
        What would be written.
    """
    file = Path(path)
    chosen = _target(file, format)
    if chosen.folder is None:
        refuse(file, overwrite=overwrite, inputs=inputs)
        return chosen
    refuse_folder(file, overwrite=overwrite, inputs=inputs, ours=chosen.folder.ours, what=chosen.folder.what)
    if data is not None and not (corpus := _on_texts(data, file, chosen)).texts:
        worked = [(corpus.documents[d], corpus.annotators[a]) for d, a in np.argwhere(corpus.worked)[:1].tolist()]
        how = adding_text(*(worked[0] if worked else ("text1", "anna")))
        raise DataError(f"there are no texts, and {chosen.name} needs one; write csv or jsonl, or {how}")
    return chosen


def _target(file: Path, name: str | None) -> Format:
    """Find the format to write."""
    chosen = by_suffix(file) if name is None else by_name(name)
    if chosen.write is None and chosen.folder is None:
        raise DataError(f"{chosen.title} can be read but not written; write csv, jsonl or brat", path=file)
    return chosen


def _on_texts(data: Data, file: Path, chosen: Format) -> Corpus:
    if not isinstance(data, Corpus):
        raise DataError(f"{chosen.title} holds units on texts, and this is something else; write csv", path=file)
    return data
