"""REFI-QDA projects, as MAXQDA, ATLAS.ti, NVivo, QualCoder and other programs for qualitative analysis exchange them.

Specification: REFI-QDA 1.5 (qdasoftware.org) and its schema Project.xsd. A project has users, a codebook, and sources
with selections; each coding of a selection names a code and the user who made it. Codings of selections are units,
those of whole sources labels of items. A user worked on a source if there is a coding of theirs: nothing else tells,
unless the path names the annotator.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import head_text
from unisono.formats.format import Format
from unisono.formats.tools.refi_items import add_coded_sources, add_variables
from unisono.formats.tools.refi_positions import CODE_POINTS, UTF_16, Counting, NamedSelection, counting_of
from unisono.formats.tools.refi_project import PACKED, REFI_PROJECT, Coder, RefiProject, guid_of, open_project
from unisono.formats.xml_reading import Node, root_name

_TEXTS = ("TextSource", "PDFSource")
_AREAS = {"PDFSource": "PDFSelection", "PictureSource": "PictureSelection"}
_RECORDINGS = {"AudioSource": "audio", "VideoSource": "video"}
_UNTOLD = "sources in which nothing is coded, so that nobody is known to have worked on them"
_NUMBER = re.compile(r"-?\d{1,15}")

_Positions = Callable[[], tuple[float, float]]


@collecting
def read(collected: Collected) -> None:
    """Read codings of selections as units, those of whole sources as labels of items."""
    project = open_project(collected.path)
    coder = Coder(project, collected.instructions)
    sources = _sources(project)
    _read_texts(sources, project, collected)
    counting = _counting(sources, collected)
    for source in sources:
        if coder.is_named:
            text = None if source.text is None else counting.prepared(source.text)
            collected.version(source.name, text=text, line=source.node.line)
        n_coded = 0
        for part in _parts(source, counting, collected):
            n_coded += _add(part, source, coder, collected)
        collected.drop(_UNTOLD, not n_coded and not coder.is_named and source.node.first("Coding") is None)
    named = {source.name: source.node for source in sources}
    add_coded_sources(named, coder, collected)
    add_variables(named, project, coder, collected)


@dataclass
class _Source:
    """A source: what its document is called, where it is, and its text."""

    name: str
    node: Node
    text: str | None = None

    @property
    def written(self) -> Node | None:
        """The element with the selections of its text: a PDF has them in its plain text."""
        return self.node if self.node.name == "TextSource" else self.node.first("Representation")

    @property
    def selections(self) -> list[Node]:
        """The selections of its text."""
        if self.node.name not in _TEXTS or self.written is None:
            return []
        return self.written.of("PlainTextSelection")


@dataclass
class _Part:
    """A part of a source that is coded: where it is, and what it is a part of."""

    selection: Node
    layer: str
    positions: _Positions
    text: str | None = None


def _sources(project: RefiProject) -> list[_Source]:
    nodes = [node for part in project.root.of("Sources") for node in part.nodes if node.name.endswith("Source")]
    names = [node.attributes.get("name") or guid_of(node) for node in nodes]
    counts = Counter(names)
    own = [name if counts[name] == 1 else f"{name} {guid_of(node)}" for name, node in zip(names, nodes, strict=True)]
    return [_Source(name, node) for name, node in zip(own, nodes, strict=True)]


def _read_texts(sources: list[_Source], project: RefiProject, collected: Collected) -> None:
    """Read the texts of sources; one that cannot be read is a bad record, and its source is left out."""
    for source in list(sources):
        if source.node.name not in _TEXTS or source.written is None:
            continue
        is_read = False
        with collected.record(source.node.line):
            source.text = project.text(source.written)
            is_read = True
        if not is_read:
            sources.remove(source)
        elif source.text is None and source.selections:
            collected.drop("sources whose plain text is not in the project, so that their units have positions only")


def _counting(sources: Sequence[_Source], collected: Collected) -> Counting:
    given = collected.instructions.choice("offsets", ("characters", "utf-16"), None)
    if given is not None:
        return UTF_16 if given == "utf-16" else CODE_POINTS
    named = {
        source.text: [found for one in source.selections if (found := _named(one)) is not None]
        for source in sources
        if source.text is not None
    }
    counting = counting_of(named)
    if counting.words:
        collected.drop(f"selections counted {counting.words}, read so", sum(map(len, named.values())))
    return counting


def _named(selection: Node) -> NamedSelection | None:
    start, end = (selection.attributes.get(name, "") for name in ("startPosition", "endPosition"))
    if not (_NUMBER.fullmatch(start) and _NUMBER.fullmatch(end)):
        return None
    return NamedSelection(int(start), int(end), selection.attributes.get("name", ""))


def _parts(source: _Source, counting: Counting, collected: Collected) -> Iterator[_Part]:
    """Iterate over the parts of a source that may be coded; areas of pages and pictures are counted."""
    areas = source.node.of(_AREAS.get(source.node.name, ""))
    collected.drop("coded areas of pages and pictures", sum(len(area.of("Coding")) for area in areas))
    text = None if source.text is None else counting.prepared(source.text)
    place = counting.placing(text or "")
    for selection in source.selections:
        yield _Part(selection, "text", _text_positions(selection, place), text)
    layer = _RECORDINGS.get(source.node.name)
    if layer is None:
        return
    for selection in [*source.node.of("AudioSelection"), *source.node.of("VideoSelection")]:
        yield _Part(selection, layer, _times(selection.attributes.get("begin"), selection.attributes.get("end")))
    for transcript in source.node.of("Transcript"):
        points = {guid_of(point): point.attributes.get("timeStamp") for point in transcript.of("SyncPoint")}
        for selection in transcript.of("TranscriptSelection"):
            ends = (points.get(guid_of(selection, end)) for end in ("fromSyncPoint", "toSyncPoint"))
            yield _Part(selection, "transcript", _times(*ends))


def _text_positions(selection: Node, place: Callable[[int, int], tuple[int, int]]) -> _Positions:
    def positions() -> tuple[float, float]:
        found = _named(selection)
        if found is None:
            raise DataError("a selection has no startPosition and endPosition, which are whole numbers; correct it")
        return place(found.start, found.end)

    return positions


def _times(begin: str | None, end: str | None) -> _Positions:
    """Return what gives seconds; the file has milliseconds."""

    def positions() -> tuple[float, float]:
        if not (_NUMBER.fullmatch(begin or "") and _NUMBER.fullmatch(end or "")):
            raise DataError("a selection of a recording has no begin and end in milliseconds; correct it")
        return int(begin or 0) / 1000, int(end or 0) / 1000

    return positions


def _add(part: _Part, source: _Source, coder: Coder, collected: Collected) -> int:
    """Add a unit for each code of a part; return how many codings there are."""
    codings = part.selection.of("Coding")
    for coding in codings:
        with collected.record(coding.line):
            code = coder.code(coding)
            if code is None:
                collected.drop("codings that assign cases, not codes")
                continue
            start, end = part.positions()
            annotator = coder.annotator(coding, part.selection)
            collected.version(source.name, annotator, text=part.text, line=coding.line)
            labels = {"category": code}
            collected.unit(
                start, end, labels, document=source.name, annotator=annotator, layer=part.layer, line=coding.line
            )
    return len(codings)


def _sniff(head: bytes, path: Path) -> bool:
    if head.startswith(PACKED):
        return path.suffix.lower() == ".qdpx"
    return root_name(head) in ("Project", "CodeBook") and "QDA-XML" in head_text(head)


FORMAT = Format(
    name="refi",
    title="REFI-QDA",
    suffixes=(".qdpx", ".qde"),
    reads="codings of text, of plain texts of PDFs, and of recordings (in seconds) as units with the code as category; "
    "codings of whole sources as labels of items. Document: the source. Annotator: the user who made the coding; with "
    + mention("annotator_from", "file")
    + " the path, and then variables of sources and cases as labels of items, too",
    ignores="areas of pictures and pages, notes, links, sets, graphs; codebooks (.qdc) have nothing that is coded",
    options={
        "codes": "names, the default, or paths, with the codes above: emotion/joy",
        "offsets": "characters or utf-16, what positions in texts count; by default found from names of selections, "
        "otherwise characters",
    },
    names_annotators=lambda instructions: instructions.annotator_from not in ("folder", "file"),
    annotator_from=("folder", "file", "field"),
    whole=True,
    project=REFI_PROJECT,
    sniff=_sniff,
    read=read,
)
