"""brat standoff: an annotator's ``.ann`` with the ``.txt`` beside it.

Specification: brat.nlplab.org/standoff.html. Positions are code points of the text as it is stored, which is how brat
counts them: a Windows line break is two characters, and a byte order mark is one. Other programs leave out the mark or
count such a line break once. The text is taken in the way in which most annotations cover what the ``.ann`` says.

brat cuts annotations at line breaks. Pieces with only white space and a line break between them are joined.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from unisono.data import Label
from unisono.data.anchors import SOURCE, TARGET, TRIGGER
from unisono.data.labels import written_label
from unisono.data.unit_kinds import COMPOSITE, EVENTS, RELATIONS
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import Bad, head_text, is_empty, numbered_lines, stored_text
from unisono.formats.format import FolderWriting, Format
from unisono.formats.links import LinksOfText, RoleLink
from unisono.formats.tools.brat_names import BREAKS
from unisono.formats.tools.brat_writing import (
    HOLDS,
    NUMBERED_ROLE,
    PATTERN,
    holds_only_brat,
    is_written_for_brat,
    write_folder,
)

_LARGEST_GAP = 1000
_MUCH_SPACE = 10
_SHOWN = 60
_SPANS = re.compile(r"(\S+) +([0-9]{1,15} +[0-9]{1,15}(?:;[0-9]{1,15} +[0-9]{1,15})*) *")
_EVENT = re.compile(r"([^\s:]+):(\S*)(?: .*)?")
_RELATION = re.compile(r"(\S+)((?:\s+[^\s:]+:[^\s:]+)+)")
_ARGUMENT = re.compile(r"\s([^\s:]+):([^\s:]+)")
_ENDS = {"Arg1": SOURCE, "Arg2": TARGET}
_NORMALIZATION = re.compile(r"(\S+) (?:Annotation:)?(\S+) (?:Referent:)?(\S+) *")
_NORMALIZATION_TURNED = re.compile(r"(\S+) Referent:(\S+) Annotation:(\S+) *")
_SETTINGS = ("annotation.conf", "visual.conf", "tools.conf", "kb_shortcuts.conf")
_NOT_READ = {
    "*": "equivalences, which are not compared",
    "#": "notes, which are not compared",
}


@collecting
def read(collected: Collected) -> None:
    """Read text-bound annotations as units, with their attributes and normalizations as features."""
    found = _Found()
    for line, content in _lines(collected.path, collected.instructions.bad):
        with collected.record(line):
            _take(line, content.split("\t", 2), found, collected)
    text = _fitting(stored_text(collected.path.with_suffix(".txt"), collected.path), found.spans.values())
    collected.version(text=text)
    for own in list(found.spans.values()):
        if misfit := _misfit(own, text):
            del found.spans[own.id]
            with collected.record(own.line):
                raise DataError(misfit)
    for labelling in found.labels:
        with collected.record(labelling.line):
            _label(found, labelling, collected)
    _collect_links(found, text, collected)
    for own in found.spans.values():
        labels = {"category": own.category, **own.labels}
        collected.unit_in_pieces(_joined(own.pieces, text), labels, line=own.line)


@dataclass
class _Span:
    """A text-bound annotation, with the text that it says it has (None if it says nothing)."""

    id: str
    category: str
    pieces: list[tuple[int, int]]
    written: str | None
    line: int
    labels: dict[str, Label] = field(default_factory=dict)


class _Labelling(NamedTuple):
    """What an attribute or a normalization says about which annotation."""

    line: int
    target: str
    name: str
    label: Label


@dataclass
class _Found:
    """What the lines say, by ID: spans, triggers of events, relations and events with their lines, labels; all IDs."""

    spans: dict[str, _Span] = field(default_factory=dict)
    triggers: dict[str, str] = field(default_factory=dict)
    links: dict[str, tuple[str, int]] = field(default_factory=dict)
    given: dict[str, dict[str, Label]] = field(default_factory=dict)
    labels: list[_Labelling] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)


def _lines(path: Path, bad: Bad | None) -> Iterator[tuple[int, str]]:
    """Iterate over the lines that are not empty; the file may be, if nothing was annotated."""
    if not is_empty(path):
        yield from ((line, content) for line, content in numbered_lines(path, bad) if content.strip())


def _take(line: int, fields: Sequence[str], found: _Found, collected: Collected) -> None:
    """Take what one line says."""
    own, kind = fields[0], fields[0][:1]
    if len(fields) < 2:
        raise DataError(f"there is no tab after the ID in {fields[0][:40]!r}; write T1, a tab, and the rest")
    if own in found.ids and kind != "*":
        raise DataError(f"the ID {own} occurs twice; give each annotation a different one")
    found.ids.add(own)
    if kind == "T":
        found.spans[own] = _span(line, fields)
    elif kind in ("A", "M"):
        found.labels.append(_attribute(line, fields[1]))
    elif kind == "N":
        found.labels.append(_normalization(line, fields[1]))
    elif kind == "E":
        event = _EVENT.fullmatch(fields[1].rstrip())
        if event is None:
            raise DataError(f"the event {own} should look like {own}, a tab, and Type:T1 Role:T2; correct it")
        found.triggers[own] = event[2]
        found.links[own] = fields[1].rstrip(), line
    elif kind == "R":
        found.links[own] = fields[1].rstrip(), line
    elif kind in _NOT_READ:
        collected.drop(_NOT_READ[kind])
    else:
        raise DataError(f"the ID {own[:40]!r} should begin with T, E, A, M, N, R, # or *; correct it")


def _span(line: int, fields: Sequence[str]) -> _Span:
    match = _SPANS.fullmatch(fields[1])
    if match is None:
        form = f"{fields[0]}, a tab, a type, and where it begins and ends, such as Person 0 5 or Person 0 5;16 23"
        raise DataError(f"{fields[1][:60]!r} is not understood; write {form}")
    pieces = [(int(start), int(end)) for start, end in (piece.split() for piece in match[2].split(";"))]
    return _Span(fields[0], match[1], pieces, fields[2] if len(fields) > 2 else None, line)


def _attribute(line: int, content: str) -> _Labelling:
    """Parse a flag, such as Negation T1, or a value, such as Confidence T1 high."""
    name, *rest = content.strip().split(" ", 2)
    if not rest or not name:
        raise DataError(f"the attribute {content!r} should look like Negation T1 or Confidence T1 high; correct it")
    name = "category (attribute)" if name == "category" else name
    return _Labelling(line, rest[0], name, rest[1] if len(rest) > 1 else True)


def _normalization(line: int, content: str) -> _Labelling:
    """Parse e.g. Reference T1 Wikipedia:534366, or what the shared tasks of BioNLP 2013 write."""
    if turned := _NORMALIZATION_TURNED.fullmatch(content):
        return _Labelling(line, turned[3], turned[1], turned[2])
    match = _NORMALIZATION.fullmatch(content)
    if match is None:
        form = "like Reference T1 Wikipedia:534366"
        raise DataError(f"the normalization {content[:60]!r} should look {form}; correct it")
    return _Labelling(line, match[2], "category (normalization)" if match[1] == "category" else match[1], match[3])


def _label(found: _Found, labelling: _Labelling, collected: Collected) -> None:
    """Label the unit that a label belongs to: for an event, that is its trigger."""
    _, target, name, label = labelling
    if target not in found.ids:
        raise DataError(f"{name} belongs to {target}, which is not there; correct the ID, or remove the line")
    own = found.spans.get(found.triggers.get(target, target))
    _set(found.given.setdefault(target, {}), name, label)
    if own is not None:
        _set(own.labels, name, label)
    elif not (target in found.links and collected.instructions.units == RELATIONS):
        collected.drop("attributes and normalizations of what is not compared")


def _set(labels: dict[str, Label], name: str, label: Label) -> None:
    labels[name] = _both(labels[name], label) if name in labels else label


def _collect_links(found: _Found, text: str, collected: Collected) -> None:
    """Hand over relations and events; the place of an event is that of its trigger."""
    if collected.instructions.units not in COMPOSITE:
        for own, (content, _) in found.links.items():
            kind = EVENTS if own in found.triggers else RELATIONS
            collected.wants(kind, {"category": re.split(r"[\s:]", content)[0]})
        return
    places = {span.id: _joined(span.pieces, text) for span in found.spans.values()}
    places |= {event: places[trigger] for event, trigger in found.triggers.items() if trigger in places}
    links = LinksOfText(collected, places=places)
    for own, (content, line) in found.links.items():
        with collected.record(line):
            links.add(_link(own, content, line, found))
    links.collect()


def _link(own: str, content: str, line: int, found: _Found) -> RoleLink:
    """Parse a relation, such as Origin Arg1:T3 Arg2:T4, or an event, such as Merge:T2 Org1:T1 Org2:T3."""
    if own in found.triggers:
        category, _, rest = content.partition(":")
        ends = [(NUMBERED_ROLE.sub(r"\1", role), there) for role, there in _ARGUMENT.findall(f" {rest}")]
        trigger = [(TRIGGER, found.triggers[own])] if found.triggers[own] else []
        labels = {"category": category, **found.given.get(found.triggers[own], {}), **found.given.get(own, {})}
        return RoleLink(own, EVENTS, [*trigger, *ends], labels, line=line)
    match = _RELATION.fullmatch(content)
    named = _ARGUMENT.findall(match[2]) if match else []
    if match is None or len(named) != 2:
        raise DataError(f"the relation {own} should look like {own}, a tab, and Type Arg1:T1 Arg2:T2; correct it")
    named.sort(key=lambda end: [*_ENDS].index(end[0]) if end[0] in _ENDS else len(_ENDS))
    (_, source), (_, target) = named
    labels = {"category": match[1], **found.given.get(own, {})}
    return RoleLink(own, RELATIONS, [(SOURCE, source), (TARGET, target)], labels, line=line)


def _both(earlier: Label, later: Label) -> Label:
    """Combine two labels: into a set, if they differ."""
    if earlier == later:
        return earlier
    return tuple(
        sorted({*(earlier if isinstance(earlier, tuple) else (written_label(earlier),)), written_label(later)})
    )


def _fitting(stored: str, spans: Collection[_Span]) -> str:
    """Return the text in the way in which most annotations fit it."""
    bare = stored.removeprefix("\ufeff")
    ways = dict.fromkeys([stored, bare, stored.replace("\r\n", "\n"), bare.replace("\r\n", "\n")])
    return max(ways, key=lambda text: sum(_fits(span, text) for span in spans))


def _fits(span: _Span, text: str) -> bool:
    """Whether the text is what the annotation says; white space, such as a line break, may differ."""
    if _outside(span, text) is not None:
        return False
    written = (span.written or "").split()
    if not written:
        return True
    if sum(end - start for start, end in span.pieces) > _MUCH_SPACE * len(span.written or "") + _LARGEST_GAP:
        return False
    pieces = [text[start:end] for start, end in span.pieces]
    expected = " ".join(pieces).split(), "".join(pieces).split()  # the latter as brat did before version 1.3
    return any(words and written[: len(words)] == words for words in expected)


def _outside(span: _Span, text: str) -> tuple[int, int] | None:
    """Return the first piece that is not within the text."""
    return next(((start, end) for start, end in span.pieces if not start <= end <= len(text)), None)


def _misfit(span: _Span, text: str) -> str | None:
    """Explain what is wrong if the text is not what the annotation says."""
    if _fits(span, text):
        return None
    outside = _outside(span, text)
    if outside is not None:
        what = f"is from {outside[0]} to {outside[1]}, not within the text, which has {len(text):,} characters"
    else:
        there = " ".join(text[start : min(end, start + _SHOWN)] for start, end in span.pieces[:_SHOWN])
        what = f"is {(span.written or '')[:_SHOWN]!r}, but in the text there is {there[:_SHOWN]!r}"
    return f"{span.id} {what}; correct the positions or the text"


def _joined(pieces: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Join what brat cut at line breaks."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(pieces):
        between = text[joined[-1][1] : start] if joined and start - joined[-1][1] <= _LARGEST_GAP else ""
        if BREAKS.search(between) and between.isspace():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _sniff(head: bytes, path: Path) -> bool:
    return path.suffix.lower() in FORMAT.suffixes and not head_text(head).lstrip("\ufeff \r\n\t").startswith(("<", "{"))


FORMAT = Format(
    name="brat",
    title="brat standoff",
    suffixes=(".ann",),
    reads="text-bound annotations (T), triggers of events too, as units on the text in the .txt beside it; the type "
    "as category, attributes (A, M) and normalizations (N) as features; with "
    + mention("units", "relations")
    + " relations (R), with "
    + mention("units", "events")
    + " events (E) with trigger and arguments. Annotator and document: from the path",
    ignores="equivalences, notes and configuration",
    names_annotators=False,
    may_be_empty=True,
    composite=COMPOSITE,
    writes_links=COMPOSITE,
    sniff=_sniff,
    read=read,
    folder=FolderWriting(write_folder, holds_only_brat, HOLDS, PATTERN, is_written_for_brat),
    companions=(".txt", *_SETTINGS),
)
