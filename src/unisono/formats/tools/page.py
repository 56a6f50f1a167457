"""PAGE XML: one annotator's transcription of a page, for example from Transkribus, eScriptorium or Aletheia.

Specification: the schemas pagecontent.xsd 2009-03-16 to 2024-07-15 (PRImA Research Lab). Regions come in the
ReadingOrder, those that it does not name after them; lines in the order of ``index`` (or of ``readingOrder`` in
``custom``, as Transkribus writes it) if all of a region have one, else of the file. Of several TextEquiv, the one with
the lowest index counts. Words are those that the line marks (Word), else what stands between white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from unisono.data import Corpus
from unisono.errors import DataError, mention
from unisono.formats.format import Format, Options
from unisono.formats.tools.collected import Collected
from unisono.formats.tools.settings import one_of
from unisono.formats.tools.transcribed import Span, Transcribed
from unisono.formats.xml_reading import Node, root_name, tree

_ROOT = "PcGts"
_INDEX = re.compile(r"-?\d{1,9}", re.ASCII)
_CUSTOM_INDEX = re.compile(r"readingOrder\s*\{\s*index\s*:\s*(\d{1,9})\s*;?\s*\}", re.ASCII)
_NO_SPACE = re.compile(r"\S|$")
_LEVELS = ("word", "line")


def read(path: Path, options: Options) -> Corpus:
    """Read the lines of a page as its text, and their words as units."""
    level = one_of(options.settings, "level", _LEVELS, "word")
    root = tree(path)
    page = root.first("Page")
    if root.name != _ROOT or page is None:
        other = mention("format", "…")
        message = f"PAGE XML has a <Page> in <{_ROOT}>, and this <{root.name}> has not; name the format with {other}"
        raise DataError(message, path=path, line=root.line)
    text = Transcribed(Collected(path, options))
    for region in _regions(page):
        _add_region(region, text, words=level == "word")
    return text.corpus()


def _regions(page: Node) -> Iterator[Node]:
    """Go through the regions that hold text, in reading order; regions within others follow them."""
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
    """Go through what a group refers to, groups in it included."""
    members = [node for node in group.nodes if node.name.endswith(("Indexed", "Group", "Ref"))]
    for node in _sorted(members, [_index(node.attributes.get("index", "")) for node in members]):
        if "regionRef" in node.attributes:
            yield node.attributes["regionRef"]
        yield from _references(node)


def _add_region(region: Node, text: Transcribed, *, words: bool) -> None:
    lines = region.of("TextLine")
    if not lines and not region.first("TextRegion"):
        for row in (_equivalent(region) or "").splitlines():
            text.add(row.strip(), region.line)
    given = [_index(line.attributes.get("index", "")) for line in lines]
    if None in given:
        customs = [_CUSTOM_INDEX.search(line.attributes.get("custom", "")) for line in lines]
        given = [None if custom is None else int(custom[1]) for custom in customs]
    for line in _sorted(lines, given):
        _add_line(line, text, words=words)


def _add_line(line: Node, text: Transcribed, *, words: bool) -> None:
    whole = (_equivalent(line) or "").strip()
    own = [form.strip() for word in line.of("Word") if (form := _equivalent(word)) and form.strip()] if words else []
    if not own:
        text.add(whole, line.line)
        return
    spans = _placed(own, whole)
    if spans is None:
        if whole:
            text.collected.drop("texts of lines that are not those of their words, which count")
        whole = " ".join(own)
        spans = _placed(own, whole)
    text.add(whole, line.line, spans)


def _placed(words: Sequence[str], text: str) -> list[Span] | None:
    """Say where the words are if they make the text, with or without white space between them."""
    spans, at = [], 0
    for word in words:
        at = next(_NO_SPACE.finditer(text, at)).start()
        if not text.startswith(word, at):
            return None
        spans.append((at, at + len(word)))
        at += len(word)
    return None if text[at:].strip() else spans


def _equivalent(node: Node) -> str | None:
    """Give the text of a region, line or word; None if it has none."""
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


def _sniff(head: bytes, path: Path) -> bool:
    return root_name(head) == _ROOT


FORMAT = Format(
    name="page",
    title="PAGE XML",
    suffixes=(".xml",),
    reads="lines in reading order as the text, and words (Word, else between white space) as units, for text-γ. "
    "Annotator and document: from the path",
    ignores="coordinates, styles, glyphs, metadata, texts with another index, what regions are",
    options={
        "level": "what makes the text and its words: word (the words that lines mark, where they do) or line (the "
        "texts of lines only); by default word"
    },
    names_annotators=False,
    sniff=_sniff,
    read=read,
)
