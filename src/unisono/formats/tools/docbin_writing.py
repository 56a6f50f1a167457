"""A corpus as spaCy's DocBin: entities where nothing overlaps, otherwise groups of spans."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, BinaryIO

from unisono.data import Data
from unisono.data.export import LAYER_FEATURE
from unisono.errors import DataError
from unisono.formats.tools.one_annotator import category_of, label_of, lost, only_versions, overlapping, plain_label
from unisono.formats.tools.tokenizing import cut, tokens_of
from unisono.formats.tools.versions import Version

_TOOL = "a DocBin"
_ENTITIES, _GROUP = "ents", "sc"


def check_spacy() -> None:
    """Raise an error that says what to install if spaCy is not."""
    try:
        import spacy.tokens  # noqa: F401
    except ImportError:
        message = "writing DocBin needs spaCy, which is not installed; install it with pip install 'unisono[spacy]'"
        raise DataError(message) from None


def write_docbin(data: Data, stream: BinaryIO) -> list[str]:
    """Write documents with their units; return sentences about what is not written."""
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    corpus, versions = only_versions(data, _TOOL)
    category, vocabulary = category_of(corpus), Vocab()
    layered = LAYER_FEATURE in corpus.features and category != LAYER_FEATURE
    grouped = any(overlapping(version.units) for version in versions)
    packed = DocBin(store_user_data=False)
    for version in versions:
        packed.add(_doc(version, vocabulary, category, layered=layered, grouped=grouped))
    stream.write(packed.to_bytes())
    n_empty = sum(unit.start == unit.end for version in versions for unit in version.units)
    numbered = "the names of documents are not written; they are in the order of the data"
    return [
        *lost(corpus, category, _TOOL, n_empty, layers=layered),
        *([numbered] if len(versions) > 1 else []),
        *(["units overlap, so they are groups of spans (doc.spans), not entities (doc.ents)"] if grouped else []),
    ]


def _doc(version: Version, vocabulary: Any, category: str | None, *, layered: bool, grouped: bool) -> Any:
    from spacy.tokens import Doc, Span

    units = [unit for unit in version.units if unit.start < unit.end]
    words, spaces, first = _words(version, {int(unit.start) for unit in units}, {int(unit.end) for unit in units})
    doc = Doc(vocabulary, words=words, spaces=spaces)
    ends = {end: number for number, end in enumerate(_ends(words, spaces), start=1)}
    groups: dict[str, list[Any]] = defaultdict(list)
    for unit in units:
        label = plain_label(label_of(unit, category))
        span = Span(doc, first[int(unit.start)], ends[int(unit.end)], label=label)
        layer = unit.features.get(LAYER_FEATURE) if layered else None
        groups[str(layer) if layer is not None else _GROUP if grouped else _ENTITIES].append(span)
    if not grouped:
        doc.set_ents(groups.pop(_ENTITIES, []))
    for name, spans in groups.items():
        doc.spans[name] = spans
    return doc


def _words(version: Version, begun: set[int], ended: set[int]) -> tuple[list[str], list[bool], dict[int, int]]:
    """Divide a text into tokens and white space so that units begin and end with tokens.

    Returns the words, whether a space follows each, and the number of the word that begins at a place.
    """
    text, places = version.text, begun | ended
    tokens = sorted(cut(tokens_of(version), places))
    begins, ends = [begin for begin, _ in tokens], [end for _, end in tokens]
    gaps = {gap for gap in zip([0, *ends], [*begins, len(text)], strict=True) if gap[0] < gap[1]}
    words: list[str] = []
    spaces: list[bool] = []
    first: dict[int, int] = {}
    for begin, end in sorted([*tokens, *gaps]):
        # one space belongs to the word before it, unless a unit begins or ends with that space
        spaced = (begin, end) in gaps and words and text[begin] == " " and not spaces[-1]
        if spaced and begin not in begun and begin + 1 not in ended:
            spaces[-1] = True
            begin += 1
        for start, finish in cut([(begin, end)] if begin < end else [], places):
            first[start] = len(words)
            words.append(text[start:finish])
            spaces.append(False)
    return words, spaces, first


def _ends(words: list[str], spaces: list[bool]) -> list[int]:
    """Return where each word ends in the text."""
    ends, place = [], 0
    for word, space in zip(words, spaces, strict=True):
        place += len(word)
        ends.append(place)
        place += space
    return ends
