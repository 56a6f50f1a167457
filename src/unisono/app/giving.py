"""Giving back: what was decided, in any format that can be written; what a format cannot hold; a preview."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from unisono.adjudication import Gold, ItemGold, TextGold
from unisono.adjudication.settling import AnyGold
from unisono.data import Data
from unisono.data.ratings import taken
from unisono.errors import DataError, OptionError, UnisonoError
from unisono.execution import Progress
from unisono.formats import FORMATS, write
from unisono.formats.format import Format
from unisono.formats.registry import by_name
from unisono.output import lies_in, refuse_inputs
from unisono.reporting.alignment_table import write_table

_MOST_SHOWN = 6000
_MOST_FILES = 3
_TABLES = ("csv", "tsv", "jsonl")
"""Formats in which labels of items are tables with whatever columns."""
_MOST_TRIED = 300
"""So many units, or items, show what a format does to them; with all of them, trying all formats may take minutes."""


_DOCUMENTS_TRIED = 2
"""Formats lose more of several documents than of one: their names, for instance."""


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
    files : list of (str, str)
        What would be written for the beginning of the data: names and contents; of binary files, a sentence.
    """

    name: str
    title: str
    suffix: str
    lost: list[str] = field(default_factory=list)
    refused: str = ""
    files: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Giving:
    """A gold standard that is to be written.

    Attributes
    ----------
    draft : Gold, ItemGold or TextGold
        The draft with what was decided.
    plain : bool
        Whether to leave out the shares of annotators who support it.
    """

    draft: AnyGold
    plain: bool = True

    @cached_property
    def data(self) -> Data:
        """The gold standard as data."""
        return self.draft.ratings if isinstance(self.draft, ItemGold) else self.draft.written(plain=self.plain)

    @cached_property
    def beginning(self) -> Giving:
        """The first documents in which there is something, or the beginning of them; of items, the first ones."""
        draft = self.draft
        if isinstance(draft, ItemGold):
            return replace(self, draft=_first_items(draft))
        return replace(self, draft=_first_documents(draft) if isinstance(draft, Gold) else _first_texts(draft))

    def write(self, target: Path, name: str) -> list[str]:
        """Write it to a new file or folder, and return what the format cannot hold."""
        if isinstance(self.draft, ItemGold) and name in _TABLES:
            write_table(self.draft.columns(plain=self.plain), target)
            return []
        if isinstance(self.draft, TextGold) and name in (*_TABLES, "parquet"):
            return write(self.draft.written(plain=self.plain, quoted=name != "jsonl"), target, format=name)
        if isinstance(self.draft, Gold) and self.draft.spans is not None and _joins_annotations(name):
            return write(self.draft.written(plain=self.plain, spans=True), target, format=name)
        return write(self.data, target, format=name)


def _joins_annotations(name: str) -> bool:
    """Whether relations join annotations in a format: that of a tool."""
    chosen = by_name(name, writing=True)
    return chosen.written_by_name or chosen.folder is not None


def offers(draft: AnyGold, source: Collection[str], *, tell: Progress) -> list[Offer]:
    """Try all formats that can be written on the beginning of the data; what is wrong with one is part of its offer.

    The formats that the data came in are first, then those that hold everything.
    """
    some = Giving(draft).beginning
    known = [one for one in FORMATS if one.folder is not None or (one.write is not None and one.suffixes)]
    found = []
    for number, one in enumerate(known, start=1):
        found.append(_offer(one, some))
        tell(number, len(known))
    return sorted(found, key=lambda offer: (bool(offer.refused), offer.name not in source, bool(offer.lost)))


def _offer(one: Format, gold: Giving) -> Offer:
    offer = Offer(one.name, one.title, _suffix(one))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, f"gold{offer.suffix}")
        try:
            lost = [_as_sentence(words) for words in gold.write(target, one.name)]
        except UnisonoError as error:
            return replace(offer, refused=error.reason if isinstance(error, DataError) else str(error))
        every = [target] if target.is_file() else sorted(path for path in target.rglob("*") if path.is_file())
        shown = [(path.relative_to(folder).as_posix(), _content(path)) for path in every[:_MOST_FILES]]
    if len(every) > _MOST_FILES:
        shown.append((f"… and {len(every) - _MOST_FILES} more files", ""))
    return replace(offer, lost=lost, files=shown)


def _as_sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


def give(gold: Giving, name: str, place: str, around: Path, inputs: Sequence[Path]) -> tuple[Path, list[str]]:
    """Write the gold standard to a new file or folder beside what was opened; never over anything.

    Parameters
    ----------
    gold : Giving
        The gold standard.
    name : str
        The format.
    place : str
        What the file or the folder should be called, perhaps in a folder.
    around : path
        The folder in which it has to lie.
    inputs : sequence of path
        What was opened.
    """
    by_name(name, writing=True)
    if not place.strip():
        raise OptionError("write a name for the new file or folder", "path")
    target = around / place.strip()
    if not lies_in(target, around):
        raise OptionError(f"choose a name within {around}, or download it", "path")
    refuse_inputs(target, inputs)
    return target, gold.write(target, name)


def download(gold: Giving, name: str) -> tuple[Path, tempfile.TemporaryDirectory[str]]:
    """Write the gold standard to a temporary place; a folder is packed. Return the file, and what to clean up."""
    chosen = by_name(name, writing=True)
    folder = tempfile.TemporaryDirectory()
    try:
        target = Path(folder.name, f"gold{_suffix(chosen)}")
        gold.write(target, name)
        if target.is_dir():
            target = Path(shutil.make_archive(str(target), "zip", folder.name, target.name))
    except BaseException:
        folder.cleanup()
        raise
    return target, folder


def _first_documents(draft: Gold) -> Gold:
    filled = {one.document for one in draft.drafted}
    names = sorted(draft.documents, key=lambda name: name not in filled)[:_DOCUMENTS_TRIED]
    own = [one for one in draft.proposals if one.document in names]
    return replace(draft, documents=tuple(names), proposals=tuple(own[:_MOST_TRIED]))


def _first_texts(draft: TextGold) -> TextGold:
    names = draft.documents[:_DOCUMENTS_TRIED]
    own = [one for one in draft.proposals if one.document in names]
    return replace(draft, documents=names, proposals=tuple(own[:_MOST_TRIED]), others={})


def _first_items(draft: ItemGold) -> ItemGold:
    ratings, joint = draft.annotated, draft.joint
    rows = np.arange(len(ratings.codes)) < _MOST_TRIED
    if rows.all():
        return draft
    there = np.zeros(len(ratings.documents), np.bool_)
    there[ratings.document[rows]] = True
    some = taken(ratings, rows, np.ones(len(ratings.annotators), np.bool_), there, all_labels=True)
    kept = joint.soft.item < _MOST_TRIED
    soft = replace(joint.soft, **{name: getattr(joint.soft, name)[kept] for name in ("item", "code", "share")})
    own = replace(joint, label=joint.label[:_MOST_TRIED], share=joint.share[rows], doubt=joint.doubt[rows], soft=soft)
    return replace(draft, annotated=some, joint=own)


def _suffix(one: Format) -> str:
    return one.suffixes[0] if one.write is not None and one.suffixes else ""


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


def summary(draft: AnyGold) -> Mapping[str, Any]:
    """Count what is in the gold standard, and what is left to decide."""
    if isinstance(draft, ItemGold):
        return {"labels": draft.n_drafted, "items": len(draft.joint.label), "left": len(draft.to_decide)}
    return {"units": len(draft.drafted), "documents": len(draft.documents), "left": len(draft.to_decide)}
