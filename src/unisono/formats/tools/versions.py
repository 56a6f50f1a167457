"""Annotators' versions of documents, checked and named, for formats with one file per version."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from unisono.arrays import IntArray
from unisono.data import Corpus, Document, Unit
from unisono.data.unit_kinds import SPANS, UNIT_KINDS, kinds_of
from unisono.errors import DataError, listed, plural
from unisono.formats.jsonl import adding_text
from unisono.formats.tools import brat_names


@dataclass(frozen=True)
class Version:
    """What one annotator marked in one document; positions are whole and within the text."""

    document: str
    annotator: str
    text: str
    units: list[Unit]
    tokens: IntArray | None
    """Where each token begins and ends, if the data says so."""


def versions_of(corpus: Corpus, tool: str) -> Iterator[Version]:
    """Iterate over all versions, document by document; `tool` is who needs them, for messages."""
    for document in corpus:
        units = defaultdict(list)
        for unit in document.units:
            units[unit.annotator].append(unit)
        for code in np.flatnonzero(corpus.worked[document.index]).tolist():
            text = _text(document, code, tool)
            own = units[corpus.annotators[code]]
            for unit in own:
                check_unit(unit, document.name, len(text), tool)
            yield Version(document.name, corpus.annotators[code], text, own, corpus.tokens.get(document.index))


def write_versions(
    corpus: Corpus,
    draft: Path,
    tool: str,
    suffix: str,
    write: Callable[[Version, Path], None],
) -> list[str]:
    """Write ``{annotator}/{document}{suffix}`` for each version; return sentences about what is written differently."""
    names = FileNames(corpus)
    for version in versions_of(corpus, tool):
        folder = draft / names.folders[version.annotator]
        folder.mkdir(exist_ok=True)
        write(version, folder / f"{names.files[version.document]}{suffix}")
    return [*names.said(tool), *not_held(corpus, tool)]


class FileNames:
    """Names of folders and files for annotators and documents, which every file system accepts."""

    def __init__(self, corpus: Corpus, taken: Iterable[str] = ()) -> None:
        annotators, documents = dict(enumerate(corpus.annotators)), dict(enumerate(corpus.documents))
        folders = brat_names.distinct(annotators, brat_names.file_name, taken=taken, same=brat_names.caseless)
        files = brat_names.distinct(documents, brat_names.file_name, same=brat_names.caseless)
        self.folders = {corpus.annotators[code]: name for code, name in folders.items()}
        self.files = {corpus.documents[code]: name for code, name in files.items()}

    def said(self, tool: str) -> list[str]:
        """Say what is written differently."""
        kinds = {"names of annotators": self.folders, "names of documents": self.files}
        return [
            one
            for what, names in kinds.items()
            for one in brat_names.renamed(what, {name: name for name in names}, names, tool)
        ]


def _text(document: Document, annotator: int, tool: str) -> str:
    """Return an annotator's text, or the one that all others share."""
    text = document.corpus.texts.get((document.index, annotator), document.text)
    name = document.corpus.annotators[annotator]
    who = f"document {document.name!r} by {name!r}"
    if text is None:
        how = adding_text(document.name, name)
        raise DataError(f"there is no text of {who}, and {tool} needs one; write csv or jsonl, or {how}")
    if "\0" in text:
        raise DataError(f"there is a NUL character in the text of {who}; remove it, or write jsonl")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DataError(f"there is half a character (a surrogate) in the text of {who}; correct it") from None
    return text


def check_unit(unit: Unit, document: str, length: int, tool: str) -> None:
    """Reject a unit whose positions are not whole or not within the text."""
    where = f"a unit of {unit.annotator!r} in document {document!r} is from {unit.start} to {unit.end}"
    if unit.start != int(unit.start) or unit.end != int(unit.end):
        raise DataError(f"{where}; {tool} needs whole numbers, so write csv or jsonl")
    if not 0 <= unit.start <= unit.end <= length:
        raise DataError(f"{where}, not within the text, which has {length:,} characters; correct it, or write jsonl")


def not_held(corpus: Corpus, tool: str, *, links: bool = False) -> list[str]:
    """Say what a format of texts with units cannot hold; `links`: whether it has units with several anchors."""
    said = []
    idle = [name for code, name in enumerate(corpus.annotators) if not corpus.worked[:, code].any()]
    if idle:
        said.append(f"annotators who worked on no document are not written: {listed(idle)}")
    untouched = [document.name for document in corpus if not document.annotators]
    if untouched:
        said.append(f"documents that nobody worked on are not written: {listed(untouched)}")
    other = [
        document.name
        for document in corpus
        if document.index in corpus.bounds and document.bounds != (0.0, len(document.text or ""))
    ]
    if other:
        said.append(f"the continuum is the whole text in {tool}, not the part that was given: {listed(other)}")
    if corpus.anchors is not None and not links:
        n = int(((corpus.anchors.sizes > 1) & (kinds_of(corpus) == UNIT_KINDS.index(SPANS))).sum())
        said += [f"{plural(n, 'unit')} in several pieces, written from the first to the last"] if n else []
    return said


def staying(draft: Path, there: Collection[str]) -> list[str]:
    """Say what else stays in the folder that the draft goes to."""
    names = sorted(set(there) - {path.name for path in draft.iterdir()})
    return [f"what else is in the folder stays as it is: {listed(names)}"] if names else []


def holds_only(suffixes: Collection[str], names: Collection[str] = ()) -> Callable[[Path], bool]:
    """Return whether a folder holds nothing but files with some endings, or of some names."""

    def check(folder: Path) -> bool:
        for parent, folders, files in os.walk(folder, onerror=_raise):
            if any(Path(parent, name).is_symlink() for name in [*folders, *files]):
                return False
            if not all(name in names or name.endswith(tuple(suffixes)) for name in files):
                return False
        return True

    return check


def _raise(error: OSError) -> NoReturn:
    raise error
