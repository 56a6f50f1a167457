"""ALTO: one annotator's transcription of a page, or the output of text recognition.

Specification: the schemas alto-1-0.xsd to alto-4-4.xsd (Library of Congress, ALTO board). The text of a TextLine is
made of its String, SP (a space) and HYP (the hyphen at its end). A line without any SP has a space between all its
strings, as the schema says that white space separates them. Blocks come in the ReadingOrder if there is one (since
4.3), the rest after them in the order of the file. A word is what stands between white space; the hyphen belongs to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from unisono.data import Corpus
from unisono.errors import DataError, mention
from unisono.formats.format import Format, Options
from unisono.formats.tools.collected import Collected
from unisono.formats.tools.settings import one_of
from unisono.formats.tools.transcribed import Transcribed
from unisono.formats.xml_reading import Node, root_name, tree

_ROOT = "alto"
_HYPHENS = ("keep", "join")


def read(path: Path, options: Options) -> Corpus:
    """Read the lines of a page as its text, and their words as units."""
    hyphens = one_of(options.settings, "hyphens", _HYPHENS, "keep")
    root = tree(path)
    layout = root.first("Layout")
    if root.name.lower() != _ROOT or layout is None:
        other = mention("format", "…")
        message = f"ALTO has a <Layout> in <{_ROOT}>, and this <{root.name}> has not; name the format with {other}"
        raise DataError(message, path=path, line=root.line)
    text = Transcribed(Collected(path, options))
    for line in _lines(root, layout):
        text.add(_text(line, joined=hyphens == "join"), line.line)
    return text.corpus()


def _lines(root: Node, layout: Node) -> Iterator[Node]:
    """Go through the lines in reading order."""
    rest = {id(line): line for line in layout.below("TextLine")}
    named = {node.attributes["ID"]: node for node in layout.below() if "ID" in node.attributes}
    order = root.first("ReadingOrder")
    references = [] if order is None else [node.attributes.get("REF", "") for node in order.below("ElementRef")]
    for node in [named[reference] for reference in dict.fromkeys(references) if reference in named]:
        for line in [node, *node.below("TextLine")]:
            if id(line) in rest:
                yield rest.pop(id(line))
    yield from rest.values()


def _text(line: Node, *, joined: bool) -> str:
    """Make the text of a line; if joined, hyphenated words are whole, in the line where they begin."""
    spaced = line.first("SP") is None
    pieces: list[str] = []
    for node in line.nodes:
        part = node.attributes.get("SUBS_TYPE") if joined and "SUBS_CONTENT" in node.attributes else None
        if node.name == "SP":
            pieces.append(" ")
        elif node.name == "HYP" and not joined:
            pieces.append(node.attributes.get("CONTENT", ""))
        elif node.name == "String" and part != "HypPart2":
            content = node.attributes.get("SUBS_CONTENT" if part else "CONTENT", "")
            pieces.append(f" {content}" if spaced else content)
    return "".join(pieces).strip()


def _sniff(head: bytes, path: Path) -> bool:
    return root_name(head).lower() == _ROOT


FORMAT = Format(
    name="alto",
    title="ALTO",
    suffixes=(".xml",),
    reads="lines in reading order as the text, and words as units, for text-γ. Annotator and document: from the path",
    ignores="coordinates, styles, glyphs, alternatives, confidence, tags, descriptions",
    options={
        "hyphens": "words that are hyphenated at the end of a line: keep (two words, as they stand) or join (one, as "
        "SUBS_CONTENT has it); by default keep"
    },
    names_annotators=False,
    sniff=_sniff,
    read=read,
)
