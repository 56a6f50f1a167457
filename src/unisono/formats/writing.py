"""Data to a file, or to a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from unisono.checks import check_flag
from unisono.data import Corpus, Data
from unisono.data.unit_kinds import COMPOSITE, UNIT_KINDS, kinds_of
from unisono.errors import DataError, OptionError
from unisono.formats.arguments import check_path
from unisono.formats.entry import DataLike, Rows, as_data
from unisono.formats.files import locating
from unisono.formats.format import Format
from unisono.formats.jsonl import adding_text
from unisono.formats.registry import by_name, by_suffix
from unisono.output import PathLike, new_file, new_folder, refuse, refuse_folder


def write(
    data: DataLike,
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
    safe: bool = False,
    rows: Rows = None,
) -> list[str]:
    """Write data; the file is there complete or not at all.

    Parameters
    ----------
    data : Corpus, Ratings, Normalizations, or whatever can be turned into them
        What to write; ratings become a table with one column per annotator.
    path : path
        The file, or the folder for brat.
    format : str, optional
        The format's name; detected from the file's name if not given.
    overwrite : bool
        Whether a file of that name may be replaced. In a folder that holds nothing but what was written for brat or by
        brat, the annotators who are written are replaced; others stay.
    safe : bool
        Whether cells of a CSV or TSV file that spreadsheets would take for formulas, since they begin with =, +, -, @,
        a tab or a return, get an apostrophe before them; `read` removes it. Numbers are no formulas.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.

    Returns
    -------
    list of str
        Sentences about what the format could not hold; empty if everything was kept.

    See Also
    --------
    read, from_frame

    Examples
    --------
    >>> import unisono
    >>> unisono.write({"anna": ["a", "b"], "bert": ["a", "a"]}, "mood.csv")
    []
    >>> unisono.read("mood.csv")
    Ratings(2 items, 2 annotators, 2 labels)
    """
    with prepared(as_data(data, rows=rows), path, format=format, overwrite=overwrite, safe=safe) as lost:
        return lost


@contextmanager
def prepared(
    data: Data,
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
    safe: bool = False,
) -> Iterator[list[str]]:
    """Write data as `write` does, and move it to its place only if everything that is done meanwhile succeeds."""
    file = check_path(path, "path")
    chosen = _target(file, format, safe=check_flag(safe, "safe"))
    replacing = check_flag(overwrite, "overwrite")
    _check_links(data, file, chosen)
    write = chosen.write_safe if safe else chosen.write
    if write is not None:
        with new_file(file, overwrite=replacing) as stream:
            lost = write(data, stream)
            stream.flush()  # so that a full disk is noticed now
            yield lost
    elif chosen.folder is not None:
        corpus = _on_texts(data, file, chosen)
        with new_folder(file, overwrite=replacing, ours=chosen.folder.ours, what=chosen.folder.what) as draft:
            there = os.listdir(file) if file.is_dir() else []
            yield chosen.folder.write(corpus, draft, there)


def refuse_target(
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
    safe: bool = False,
    inputs: Iterable[PathLike] = (),
    data: Data | None = None,
) -> Format:
    """Raise what `write` would raise, before the work for it is done; return the format that would be written.

    `inputs` are what is read: nothing is written over it or into it. `data` is what the work begins with, if that
    already decides whether its outcome can be written.
    """
    file = check_path(path, "path")
    chosen = _target(file, format, safe=safe)
    if data is not None:
        _check_links(data, file, chosen)
    if chosen.folder is None:
        refuse(file, overwrite=overwrite, inputs=inputs)
        return chosen
    refuse_folder(file, overwrite=overwrite, inputs=inputs, ours=chosen.folder.ours, what=chosen.folder.what)
    if data is not None and not (corpus := _on_texts(data, file, chosen)).texts:
        worked = [(corpus.documents[d], corpus.annotators[a]) for d, a in np.argwhere(corpus.worked)[:1].tolist()]
        how = adding_text(*(worked[0] if worked else ("text1", "anna")))
        raise DataError(f"there are no texts, and {chosen.name} needs one; write csv or jsonl, or {how}")
    return chosen


def _target(file: Path, name: str | None, *, safe: bool) -> Format:
    """Find the format to write."""
    chosen = by_suffix(file) if name is None else by_name(name, writing=True)
    if safe and chosen.write_safe is None:
        raise OptionError(f"only tables (csv, tsv) use it, not {chosen.title}", "safe")
    if not chosen.is_written:
        raise DataError(f"{chosen.title} can be read but not written; write csv, jsonl or brat", path=file)
    if chosen.check_writing is not None:
        with locating(file):
            chosen.check_writing()
    return chosen


def _check_links(data: Data, file: Path, chosen: Format) -> None:
    """Reject relations and events for formats that would make spans of them."""
    kinds = [UNIT_KINDS[kind] for kind in sorted({*kinds_of(data).tolist()})] if isinstance(data, Corpus) else []
    links = [kind for kind in kinds if kind in COMPOSITE and kind not in chosen.writes_links]
    if links:
        what = " and ".join(links)
        raise DataError(f"{what} are not written as {chosen.title}; write jsonl, csv or brat", path=file)


def _on_texts(data: Data, file: Path, chosen: Format) -> Corpus:
    if not isinstance(data, Corpus):
        raise DataError(f"{chosen.title} holds units on texts, and this is something else; write csv", path=file)
    return data
