"""A corpus as a folder for brat: ``{annotator}/{document}.ann``, the text beside it, and ``annotation.conf``."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from unisono.data import Corpus, Unit
from unisono.data.anchors import PIECE, SOURCE, TARGET, TRIGGER
from unisono.errors import listed, plural
from unisono.formats.tools import brat_names
from unisono.formats.tools.brat_naming import Naming, is_composite, naming_of
from unisono.formats.tools.versions import FileNames, not_held, versions_of

_TOOL = "brat"
PATTERN = "{annotator}/{document}.ann"
CONFIGURATION = "annotation.conf"
_MARK = f"# unisono reads this folder as {PATTERN}"
"""The first line of annotation.conf in a folder that was written here."""
_END = "End"
"""The type of annotations that stand at the ends of relations and events."""
NUMBERED_ROLE = re.compile(r"(\D.*?)\d+")
"""A role that occurs several times in an event has a number from the second time on."""
HOLDS = f"pairs of .ann and .txt, and {CONFIGURATION}"


def write_folder(corpus: Corpus, draft: Path, there: Collection[str] = ()) -> list[str]:
    """Write a corpus for brat into an empty folder; return sentences about what is written differently, or not at all.

    `there` is what is already in its final place. If other annotators stay there, so does their configuration, and
    every annotator who is written gets a separate one, which brat prefers.
    """
    names = FileNames(corpus, taken=[CONFIGURATION])
    naming = naming_of(corpus)
    n_trimmed = n_lost = 0
    roles: set[str] = set()
    linked: dict[str, set[str]] = {}
    for version in versions_of(corpus, _TOOL):
        own = draft / names.folders[version.annotator]
        own.mkdir(exist_ok=True)
        lines = _Lines(version.text)
        for unit in sorted(version.units, key=is_composite):
            lines.add(unit, naming)
        _store(own / f"{names.files[version.document]}.txt", [version.text], end="")
        _store(own / f"{names.files[version.document]}.ann", lines.lines)
        n_trimmed += lines.n_trimmed
        n_lost += lines.n_lost
        roles |= lines.roles
        linked |= lines.linked
    written = sorted(os.listdir(draft))
    staying = sorted(set(there) - {CONFIGURATION, *written})
    for own in [draft / name for name in written] if staying else [draft]:
        _store(own / CONFIGURATION, [*([_MARK] if own == draft else []), *naming.configuration(linked)])
    return [
        *names.said(_TOOL),
        *naming.said,
        *_not_held(corpus, n_trimmed),
        *_not_linked(n_lost, roles),
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
class _Lines:
    """The lines of the .ann of an annotator's version of a text."""

    text: str
    lines: list[str] = field(default_factory=list)
    n_units: int = 0
    n_attributes: int = 0
    n_links: int = 0
    n_trimmed: int = 0
    n_lost: int = 0
    roles: set[str] = field(default_factory=set)
    """The roles of arguments of events."""
    linked: dict[str, set[str]] = field(default_factory=dict)
    """The types of relations, without roles, and of events, with theirs."""
    known: dict[tuple[tuple[int, int], ...], str] = field(default_factory=dict)
    """The annotations that relations and events may join, by their places."""
    free: dict[tuple[str, tuple[tuple[int, int], ...]], list[str]] = field(default_factory=dict)
    """Those that are no event's trigger yet, by their types and places."""

    def add(self, unit: Unit, naming: Naming) -> None:
        """Write a unit: an annotation, a relation, or an event, with annotations for what they join."""
        kind = naming.type_of(unit)
        places: dict[str, list[tuple[int, int]]] = {}
        for role, start, end in unit.anchors or [(PIECE, unit.start, unit.end)]:
            places.setdefault(role, []).append((int(start), int(end)))
        if [*places] == [PIECE]:
            there = tuple(places[PIECE])
            own = self._annotation(kind, places[PIECE])
            self.known.setdefault(there, own)
            self.free.setdefault((kind, there), []).append(own)
        elif places.keys() == {SOURCE, TARGET}:
            ends = [self._end(places[role]) for role in (SOURCE, TARGET)]
            own = self._link("R", f"{kind} Arg1:{ends[0]} Arg2:{ends[1]}")
            self.linked.setdefault(kind, set())
        elif TRIGGER in places:
            where = places.pop(TRIGGER)
            free = self.free.get((kind, tuple(where)))
            trigger = free.pop(0) if free else self._annotation(kind, where)
            arguments = "".join(self._arguments(role, stretches) for role, stretches in places.items())
            own = self._link("E", f"{kind}:{trigger}{arguments}")
            self.linked.setdefault(kind, set()).update(map(brat_names.name, places))
        else:
            self.n_lost += 1
            return
        for name, value in naming.attributes_of(unit):
            self.n_attributes += 1
            self.lines.append(f"A{self.n_attributes}\t{name} {own}{value}")

    def _arguments(self, role: str, stretches: list[tuple[int, int]]) -> str:
        """Write the arguments of one role, which are numbered from the second on."""
        self.roles.add(role)
        name = brat_names.name(role)
        left = list(stretches)
        ends = []
        for pieces, known in self.known.items():
            if len(pieces) > 1 and set(pieces) <= set(left):  # a span in pieces, which is one argument
                ends.append(known)
                left = [one for one in left if one not in pieces]
        ends += [self._end([one]) for one in left]
        return "".join(f" {name}{number if number > 1 else ''}:{end}" for number, end in enumerate(ends, start=1))

    def _end(self, stretches: list[tuple[int, int]]) -> str:
        """Return the annotation at an end of a relation or event: a span that is there, or one of its own."""
        there = tuple(stretches)
        if there not in self.known:
            self.known[there] = self._annotation(_END, stretches)
        return self.known[there]

    def _annotation(self, kind: str, stretches: list[tuple[int, int]]) -> str:
        """Write an annotation; brat has it in several pieces if it includes line breaks."""
        pieces = [piece for start, end in stretches for piece in _pieces(self.text, start, end)]
        self.n_trimmed += (pieces[0][0], pieces[-1][1]) != (stretches[0][0], stretches[-1][1])
        self.n_units += 1
        where = ";".join(f"{begin} {finish}" for begin, finish in pieces)
        shown = " ".join(self.text[begin:finish] for begin, finish in pieces)
        self.lines.append(f"T{self.n_units}\t{kind} {where}\t{shown}")
        return f"T{self.n_units}"

    def _link(self, letter: str, content: str) -> str:
        self.n_links += 1
        self.lines.append(f"{letter}{self.n_links}\t{content}")
        return f"{letter}{self.n_links}"


def _not_linked(n_lost: int, roles: Collection[str]) -> list[str]:
    """Say which relations and events are not written, or differently."""
    said = []
    if n_lost:
        what = plural(n_lost, "relation")
        said.append(f"relations in brat have a source and a target; not written, because one is missing: {what}")
    other = sorted(role for role in roles if _read_role(role) != role)
    if other:
        said.append(f"roles of arguments that will be read differently: {listed(other)}")
    return said


def _read_role(role: str) -> str:
    """Return how a role is read: without numbers."""
    return NUMBERED_ROLE.sub(r"\1", brat_names.name(role))


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
    said = not_held(corpus, _TOOL, links=True)
    if n_trimmed:
        what = plural(n_trimmed, "unit")
        said.insert(0, f"brat has no annotations that begin or end with a line break; {what} written without it")
    if corpus.tokens:
        said.append("tokens are not written")
    return said


def _store(path: Path, lines: Iterator[str] | list[str], end: str = "\n") -> None:
    with path.open("x", encoding="utf-8", newline="") as stream:
        stream.writelines(f"{line}{end}" for line in lines)
