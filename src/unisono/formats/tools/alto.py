"""ALTO: one annotator's transcription of a page, or the output of text recognition.

Specification: the schemas alto-1-0.xsd to alto-4-4.xsd (Library of Congress, ALTO board). The text of a TextLine is
made of its String, SP (a space) and HYP (the hyphen at its end). A line without any SP has a space between all its
strings, as the schema says that white space separates them. Blocks come in the ReadingOrder if there is one (since
4.3), the rest after them in the order of the file. A word is what is between white space; the hyphen belongs to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.format import Format
from unisono.formats.tools.words import NO_WORDS, Words
from unisono.formats.xml_reading import Node, has_root, tree_of

_ROOT = "alto"


@collecting
def read(collected: Collected) -> None:
    """Read the lines of a page as its text, and their words as units."""
    joined = collected.instructions.choice("hyphens", ("keep", "join"), "keep") == "join"
    root = tree_of(collected.path, _ROOT, "ALTO")
    layout = root.first("Layout")
    if layout is None:
        raise DataError("there is no <Layout>; check that the file is complete", line=root.line)
    words = Words()
    for line in _lines(root, layout):
        words.write_line(_text(line, words, joined=joined), line.line)
    words.collect(collected)


def _lines(root: Node, layout: Node) -> Iterator[Node]:
    """Iterate over the lines in reading order."""
    rest = {id(line): line for line in layout.below("TextLine")}
    named = {node.attributes["ID"]: node for node in layout.below() if "ID" in node.attributes}
    order = root.first("ReadingOrder")
    references = [] if order is None else [node.attributes.get("REF", "") for node in order.below("ElementRef")]
    for node in [named[reference] for reference in dict.fromkeys(references) if reference in named]:
        for line in [node, *node.below("TextLine")]:
            if id(line) in rest:
                yield rest.pop(id(line))
    yield from rest.values()


def _text(line: Node, words: Words, *, joined: bool) -> str:
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
            words.dropped[NO_WORDS] += not content.strip()
            pieces.append(f" {content}" if spaced else content)
    return "".join(pieces).strip()


FORMAT = Format(
    name="alto",
    title="ALTO",
    suffixes=(".xml",),
    reads="lines in reading order as the text, and words as units, for text-γ. Annotator and document: from the path",
    ignores="coordinates, styles, glyphs, alternatives, confidence, tags, descriptions",
    options={
        "hyphens": "words that are hyphenated at the end of a line: keep (two words, as written) or join (one, as in "
        "SUBS_CONTENT); by default keep"
    },
    names_annotators=False,
    sniff=has_root(_ROOT),
    read=read,
)
