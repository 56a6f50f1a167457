"""A corpus as a folder for brat: ``{annotator}/{document}.ann``, the text beside it, and ``annotation.conf``."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np

from unisono.data import Corpus, Document, Unit
from unisono.errors import DataError, listed, plural
from unisono.formats.jsonl import adding_text
from unisono.formats.tools import brat_names
from unisono.formats.tools.brat_naming import Naming, naming_of

PATTERN = "{annotator}/{document}.ann"
CONFIGURATION = "annotation.conf"
_MARK = f"# unisono reads this folder as {PATTERN}"
"""The first line of annotation.conf in a folder that was written here."""
HOLDS = f"pairs of .ann and .txt, and {CONFIGURATION}"


def write_folder(corpus: Corpus, draft: Path, there: Collection[str] = ()) -> list[str]:
    """Write a corpus for brat into an empty folder; return sentences about what is written differently, or not at all.

    `there` is what is already in its final place. If other annotators stay there, so does their configuration, and
    every annotator who is written gets a separate one, which brat prefers.
    """
    annotators = dict(enumerate(corpus.annotators))
    documents = dict(enumerate(corpus.documents))
    folders = brat_names.distinct(annotators, brat_names.file_name, taken=[CONFIGURATION], same=brat_names.caseless)
    files = brat_names.distinct(documents, brat_names.file_name, same=brat_names.caseless)
    naming = naming_of(corpus)
    n_trimmed = 0
    for document in corpus:
        for code, version in _versions(document, naming).items():
            own = draft / folders[code]
            own.mkdir(exist_ok=True)
            _store(own / f"{files[document.index]}.txt", [version.text], end="")
            _store(own / f"{files[document.index]}.ann", version.lines)
            n_trimmed += version.n_trimmed
    written = sorted(os.listdir(draft))
    staying = sorted(set(there) - {CONFIGURATION, *written})
    for own in [draft / name for name in written] if staying else [draft]:
        _store(own / CONFIGURATION, [*([_MARK] if own == draft else []), *naming.configuration()])
    return [
        *brat_names.renamed("names of annotators", annotators, folders),
        *brat_names.renamed("names of documents", documents, files),
        *naming.said,
        *_not_held(corpus, n_trimmed),
        *([f"what else is in the folder stays as it is: {listed(staying)}"] if staying else []),
    ]


def is_written_for_brat(folder: Path) -> bool:
    """Whether the folder's configuration says that it was written here."""
    try:
        with (folder / CONFIGURATION).open(encoding="utf-8", errors="replace") as lines:
            return lines.readline(len(_MARK) + 1).rstrip() == _MARK
    except OSError:
        return False


def holds_only_brat(folder: Path) -> bool:
    """Whether a folder holds nothing but annotations with their texts, and configuration."""
    for parent, folders, files in os.walk(folder, onerror=_raise):
        paired = {name[: -len(".ann")] for name in files if name.endswith(".ann")}
        texts = {name[: -len(".txt")] for name in files if name.endswith(".txt")}
        known = {CONFIGURATION, *(f"{name}{suffix}" for name in paired & texts for suffix in (".ann", ".txt"))}
        if not known.issuperset(files) or any(Path(parent, name).is_symlink() for name in [*folders, *files]):
            return False
    return True


def _raise(error: OSError) -> NoReturn:
    raise error


@dataclass
class _Version:
    """An annotator's version of a document: the text, and the lines of the .ann."""

    text: str
    lines: list[str] = field(default_factory=list)
    n_units: int = 0
    n_attributes: int = 0
    n_trimmed: int = 0

    def add(self, unit: Unit, naming: Naming) -> None:
        """Write a unit; brat has it in several pieces if it includes line breaks."""
        start, end = int(unit.start), int(unit.end)
        pieces = _pieces(self.text, start, end)
        self.n_trimmed += (pieces[0][0], pieces[-1][1]) != (start, end)
        self.n_units += 1
        own = f"T{self.n_units}"
        where = ";".join(f"{begin} {finish}" for begin, finish in pieces)
        shown = " ".join(self.text[begin:finish] for begin, finish in pieces)
        self.lines.append(f"{own}\t{naming.type_of(unit)} {where}\t{shown}")
        for name, value in naming.attributes_of(unit):
            self.n_attributes += 1
            self.lines.append(f"A{self.n_attributes}\t{name} {own}{value}")


def _versions(document: Document, naming: Naming) -> dict[int, _Version]:
    """Return all versions of a document, by the annotator's number."""
    units = defaultdict(list)
    for unit in document.units:
        units[unit.annotator].append(unit)
    versions = {}
    for code in np.flatnonzero(document.corpus.worked[document.index]).tolist():
        version = versions[code] = _Version(_text(document, code))
        for unit in units[document.corpus.annotators[code]]:
            _check_unit(unit, document.name, len(version.text))
            version.add(unit, naming)
    return versions


def _text(document: Document, annotator: int) -> str:
    """Return an annotator's text, or the one that all others share."""
    text = document.corpus.texts.get((document.index, annotator), document.text)
    name = document.corpus.annotators[annotator]
    who = f"document {document.name!r} by {name!r}"
    if text is None:
        how = adding_text(document.name, name)
        raise DataError(f"there is no text of {who}, and brat needs one; write csv or jsonl, or {how}")
    if "\0" in text:
        raise DataError(f"there is a NUL character in the text of {who}; remove it, or write jsonl")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DataError(f"there is half a character (a surrogate) in the text of {who}; correct it") from None
    return text


def _check_unit(unit: Unit, document: str, length: int) -> None:
    where = f"a unit of {unit.annotator!r} in document {document!r} is from {unit.start} to {unit.end}"
    if unit.start != int(unit.start) or unit.end != int(unit.end):
        raise DataError(f"{where}; brat needs whole numbers, so write csv or jsonl")
    if not 0 <= unit.start <= unit.end <= length:
        raise DataError(f"{where}, not within the text, which has {length:,} characters; correct it, or write jsonl")


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cut a unit at line breaks; one that is only a line break is written without length."""
    pieces, begin = [], start
    for found in brat_names.BREAKS.finditer(text, start, end):
        pieces.append((begin, found.start()))
        begin = found.end()
    pieces.append((begin, end))
    return [(first, last) for first, last in pieces if first < last] or [(start, start)]


def _not_held(corpus: Corpus, n_trimmed: int) -> list[str]:
    """Say what is not written."""
    said = []
    if n_trimmed:
        what = plural(n_trimmed, "unit")
        said.append(f"brat has no annotations that begin or end with a line break; {what} written without it")
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
        said.append(f"the continuum is the whole text in brat, not the part that was given: {listed(other)}")
    if corpus.tokens:
        said.append("tokens are not written")
    return said


def _store(path: Path, lines: Iterator[str] | list[str], end: str = "\n") -> None:
    with path.open("x", encoding="utf-8", newline="") as stream:
        stream.writelines(f"{line}{end}" for line in lines)
