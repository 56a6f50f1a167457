"""Giving back: what was decided, in any format that can be written; what a format cannot hold; a preview."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unisono.adjudication import Gold, ItemGold
from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError, UnisonoError
from unisono.formats import FORMATS, write
from unisono.formats.format import Format
from unisono.formats.registry import by_name
from unisono.output import lies_in, same_place

_MOST_SHOWN = 6000
_MOST_FILES = 3


@dataclass(frozen=True)
class Offer:
    """A format, and what it does to the data.

    Attributes
    ----------
    name, title, suffix : str
        The format, and how names of its files end; folders have no suffix.
    lost : list of str
        What it cannot hold.
    refused : str
        Why the data cannot be written in it; empty if it can.
    """

    name: str
    title: str
    suffix: str
    lost: list[str]
    refused: str


@dataclass(frozen=True)
class Preview:
    """What would be written for one document.

    Attributes
    ----------
    files : list of (str, str)
        Names and contents; binary files have a sentence instead.
    lost : list of str
        What the format cannot hold.
    """

    files: list[tuple[str, str]]
    lost: list[str]


def gold_data(draft: Gold | ItemGold, *, plain: bool, hide_text: bool = False) -> Data:
    """Return the gold standard as data."""
    return draft.written(plain=plain, hide_text=hide_text) if isinstance(draft, Gold) else draft.ratings


def offers(data: Data) -> list[Offer]:
    """Try all formats that can be written on a small part of the data."""
    some = _first_document(data)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for one in FORMATS:
            if one.is_written:
                found.append(_offer(one, some, Path(folder, one.name)))
    return sorted(found, key=lambda offer: bool(offer.refused))


def _offer(one: Format, data: Data, target: Path) -> Offer:
    suffix = one.suffixes[0] if one.write is not None and one.suffixes else ""
    try:
        lost = write(data, target.with_name(target.name + suffix), format=one.name)
    except UnisonoError as error:
        return Offer(one.name, one.title, suffix, [], _reason(error))
    return Offer(one.name, one.title, suffix, lost, "")


def preview(data: Data, name: str) -> Preview:
    """Write the first document, and return what the files contain."""
    chosen = by_name(name, writing=True)
    some = _first_document(data)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "gold" + (chosen.suffixes[0] if chosen.write is not None and chosen.suffixes else ""))
        try:
            lost = write(some, target, format=name)
        except UnisonoError as error:
            raise DataError(_reason(error)) from None
        every = [target] if target.is_file() else sorted(path for path in target.rglob("*") if path.is_file())
        shown = [(path.relative_to(folder).as_posix(), _content(path)) for path in every[:_MOST_FILES]]
        if len(every) > _MOST_FILES:
            shown.append((f"… and {len(every) - _MOST_FILES} more files", ""))
    return Preview(shown, lost)


def give(data: Data, name: str, place: str, around: Path, inputs: list[Path]) -> tuple[Path, list[str]]:
    """Write the data to a new file or folder beside what was opened; never over anything.

    Parameters
    ----------
    data : Data
        The gold standard.
    name : str
        The format.
    place : str
        What the file or the folder should be called, perhaps in a folder.
    around : path
        The folder in which it has to lie.
    inputs : list of path
        What was opened.
    """
    by_name(name, writing=True)
    if not place.strip():
        raise OptionError("write a name for the new file or folder", "path")
    target = around / place.strip()
    if not lies_in(target, around):
        raise OptionError(f"choose a name within {around}, or download it", "path")
    if any(same_place(target, given) or (given.is_dir() and lies_in(target, given)) for given in inputs):
        raise OptionError("this is where the annotations are; choose a name outside of them", "path")
    return target, write(data, target, format=name)


def download(data: Data, name: str, stem: str) -> tuple[str, Path, tempfile.TemporaryDirectory[str]]:
    """Write the data to a temporary place; a folder is packed. Return its name, the file and what to clean up."""
    import shutil

    chosen = by_name(name, writing=True)
    folder = tempfile.TemporaryDirectory()
    try:
        suffix = chosen.suffixes[0] if chosen.write is not None and chosen.suffixes else ""
        target = Path(folder.name, stem + suffix)
        write(data, target, format=name)
        if target.is_dir():
            packed = shutil.make_archive(str(target), "zip", folder.name, stem)
            target = Path(packed)
    except BaseException:
        folder.cleanup()
        raise
    return target.name, target, folder


def _first_document(data: Data) -> Data:
    """Return the first document in which there is something."""
    if not isinstance(data, Corpus) or not data.documents:
        return data
    named = next((document.name for document in data if document.n_units), data.documents[0])
    return data.select(documents=[named])


def _content(path: Path) -> str:
    with path.open("rb") as stream:
        head = stream.read(_MOST_SHOWN + 1)
    try:
        text = head[:_MOST_SHOWN].decode("utf-8", errors="ignore") if len(head) > _MOST_SHOWN else head.decode("utf-8")
    except UnicodeDecodeError:
        return f"(a binary file of {path.stat().st_size:,} bytes)"
    if "\0" in text:
        return f"(a binary file of {path.stat().st_size:,} bytes)"
    return text + ("\n…" if len(head) > _MOST_SHOWN else "")


def _reason(error: UnisonoError) -> str:
    """Return an error's sentence without the temporary place."""
    return error.reason if isinstance(error, DataError) else str(error)


def summary(draft: Gold | ItemGold) -> Mapping[str, Any]:
    """Count what is in the gold standard, and what is left to decide."""
    if isinstance(draft, Gold):
        return {"units": len(draft.drafted), "documents": len(draft.documents), "left": len(draft.to_decide)}
    return {"labels": draft.n_drafted, "items": len(draft.joint.label), "left": len(draft.to_decide)}
