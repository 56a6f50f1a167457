"""PAGE XML: one annotator's transcription of a page, for example from Transkribus, eScriptorium or Aletheia.

Specification: the schemas pagecontent.xsd 2009-03-16 to 2024-07-15 (PRImA Research Lab). Regions come in the
ReadingOrder, those that it does not name after them; lines in the order of ``index`` (or of ``readingOrder`` in
``custom``, as Transkribus writes it) if all of a region have one, else of the file. Of several TextEquiv, the one with
the lowest index counts. Words are those that the line marks (Word), otherwise what is between white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.format import Format
from unisono.formats.tools.words import NO_WORDS, Words
from unisono.formats.xml_reading import Node, has_root, tree_of

_ROOT = "PcGts"
_INDEX = re.compile(r"-?\d{1,9}", re.ASCII)
_CUSTOM_INDEX = re.compile(r"readingOrder\s*\{\s*index\s*:\s*(\d{1,9})\s*;?\s*\}", re.ASCII)
_NO_SPACE = re.compile(r"\S|$")


@collecting
def read(collected: Collected) -> None:
    """Read the lines of a page as its text, and their words as units."""
    by_word = collected.instructions.choice("level", ("word", "line"), "word") == "word"
    root = tree_of(collected.path, _ROOT, "PAGE XML")
    page = root.first("Page")
    if page is None:
        raise DataError("there is no <Page>; check that the file is complete", line=root.line)
    words = Words()
    for region in _regions(page):
        _add_region(region, words, collected, by_word=by_word)
    words.collect(collected)


def _regions(page: Node) -> Iterator[Node]:
    """Iterate over the regions that hold text, in reading order; regions within others follow them."""
    rest = {id(node): node for node in page.below("TextRegion")}
    named = {node.attributes["id"]: node for node in page.below() if "id" in node.attributes}
    order = page.first("ReadingOrder")
    references = dict.fromkeys([] if order is None else _references(order))
    ordered = [named[reference] for reference in references if reference in named]
    later = {id(region) for region in ordered}
    for region in ordered:
        for node in [region, *(node for node in region.below("TextRegion") if id(node) not in later)]:
            if id(node) in rest:
                yield rest.pop(id(node))
    yield from rest.values()


def _references(group: Node) -> Iterator[str]:
    """Iterate over what a group refers to, including groups in it."""
    members = [node for node in group.nodes if node.name.endswith(("Indexed", "Group", "Ref"))]
    for node in _sorted(members, [_index(node.attributes.get("index", "")) for node in members]):
        if "regionRef" in node.attributes:
            yield node.attributes["regionRef"]
        yield from _references(node)


def _add_region(region: Node, words: Words, collected: Collected, *, by_word: bool) -> None:
    lines = region.of("TextLine")
    if not lines and not region.first("TextRegion"):
        for row in (_equivalent(region) or "").splitlines():
            words.write_line(row.strip(), region.line)
    given = [_index(line.attributes.get("index", "")) for line in lines]
    if None in given:
        customs = [_CUSTOM_INDEX.search(line.attributes.get("custom", "")) for line in lines]
        given = [None if custom is None else int(custom[1]) for custom in customs]
    for line in _sorted(lines, given):
        _add_line(line, words, collected, by_word=by_word)


def _add_line(line: Node, words: Words, collected: Collected, *, by_word: bool) -> None:
    whole = (_equivalent(line) or "").strip()
    forms = [(_equivalent(word) or "").strip() for word in line.of("Word")] if by_word else []
    own = [form for form in forms if form]
    words.dropped[NO_WORDS] += len(forms) - len(own)
    spans = _placed(own, whole) if own else None
    if own and spans is None:
        collected.drop("texts of lines that differ from those of their words, which count", int(bool(whole)))
        whole = " ".join(own)
        spans = _placed(own, whole)
    words.write_line(whole, line.line, spans)


def _placed(words: Sequence[str], text: str) -> list[tuple[int, int]] | None:
    """Return where the words are if they make the text, with or without white space between them."""
    spans, at = [], 0
    for word in words:
        at = next(_NO_SPACE.finditer(text, at)).start()
        if not text.startswith(word, at):
            return None
        spans.append((at, at + len(word)))
        at += len(word)
    return None if text[at:].strip() else spans


def _equivalent(node: Node) -> str | None:
    """Return the text of a region, line or word; None if it has none."""
    texts = node.of("TextEquiv")
    first = min(texts, key=lambda text: _index(text.attributes.get("index", "")) or 0, default=None)
    content = None if first is None else first.first("Unicode")
    return None if content is None else content.text()


def _index(text: str) -> int | None:
    return int(text) if _INDEX.fullmatch(text) else None


def _sorted(nodes: Sequence[Node], index: Sequence[int | None]) -> list[Node]:
    """Put nodes in the order of their numbers if all have one."""
    numbers = [number for number in index if number is not None]
    if len(numbers) < len(nodes):
        return list(nodes)
    return [nodes[place] for place in sorted(range(len(nodes)), key=numbers.__getitem__)]


FORMAT = Format(
    name="page",
    title="PAGE XML",
    suffixes=(".xml",),
    reads="lines in reading order as the text, and words (Word, otherwise between white space) as units, for text-γ. "
    "Annotator and document: from the path",
    ignores="coordinates, styles, glyphs, metadata, texts with another index, types of regions",
    options={
        "level": "what makes the text and its words: word (the words that lines mark, if they do) or line (only the "
        "texts of lines); by default word"
    },
    names_annotators=False,
    sniff=has_root(_ROOT),
    read=read,
)
