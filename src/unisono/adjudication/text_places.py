"""Texts that differ, cut into places: what stands in each annotator's text between things that all have.

Tokens (units of the type of which there are most) that all annotators have, as the alignment says, cut every text into
as many parts. Such a token is a place; so is what lies between two of them. Neighbours in which texts differ become one
place unless white space is between them, because their texts cannot be decided separately.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from unisono.adjudication.proposal import label_words
from unisono.alignment.text_alignment import TextAlignment
from unisono.data import Label, Unit
from unisono.data.editions import GAP_TYPE

Shape: TypeAlias = tuple[str, tuple[tuple[int, int], ...]]
"""A text with the places of its tokens, without their labels."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token in a version of a text; positions count from the beginning of the version."""

    start: int
    end: int
    features: Mapping[str, Label | None] = field(hash=False)


@dataclass(frozen=True, slots=True)
class TextVersion:
    """What one annotator has at a place, or what a person decided: a text with tokens."""

    text: str
    tokens: tuple[Token, ...] = ()

    @property
    def shape(self) -> Shape:
        """The text and the places of its tokens."""
        return self.text, tuple((one.start, one.end) for one in self.tokens)

    @property
    def words(self) -> str:
        """The version for people: a line between tokens, text outside tokens in brackets, and the labels."""
        labels = [
            ", ".join(label_words(one) for one in token.features.values() if one is not None) for token in self.tokens
        ]
        said = shape_words(self.shape)
        return f"{said} ({' | '.join(one or 'none' for one in labels)})" if any(labels) else said


def shape_words(shape: Shape) -> str:
    """Write a text and its tokens for people."""
    text, spans = shape
    parts, at = [], 0
    for start, end in spans:
        parts += [f"[{text[at:start].strip()}]"] if text[at:start].strip() else []
        parts.append(text[start:end])
        at = end
    rest = text[at:].strip()
    return " | ".join([*parts, *([f"[{rest}]"] if rest else [])]) or "nothing"


@dataclass(frozen=True)
class TextPlace:
    """What annotators have at a place.

    Attributes
    ----------
    document : str
        The document.
    versions : dict
        Annotator to version.
    starts : dict
        Annotator to where the version begins in their text.
    space : str
        The white space before it that most have.
    is_token : bool
        Whether all have one token here, and the same one.
    disorder : float
        What the place adds to the disorder of the alignment.
    """

    document: str
    versions: Mapping[str, TextVersion]
    starts: Mapping[str, int]
    space: str
    is_token: bool
    disorder: float


@dataclass(frozen=True)
class CutDocument:
    """The places of a document, the white space at its end, and units of other types: annotator and unit."""

    name: str
    places: tuple[TextPlace, ...]
    end: str
    others: tuple[Unit, ...]


def finest_type(alignments: Sequence[TextAlignment]) -> str | None:
    """Return the type of which there are most units; None if there are none."""
    counts = Counter(name for one in alignments for name in one.types if name != GAP_TYPE)
    return min(counts, key=lambda name: (-counts[name], name)) if counts else None


def cut_document(alignment: TextAlignment, finest: str | None) -> CutDocument:
    """Cut the texts of a document into places."""
    return _Cutting(alignment, finest).cut()


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the texts, without white space around it."""

    spans: Sequence[tuple[int, int]]  # where it is in each text
    is_token: bool  # whether all have one token there
    rows: tuple[int, ...]  # its unitary alignments


class _Cutting:
    def __init__(self, alignment: TextAlignment, finest: str | None) -> None:
        document, corpus = alignment.document, alignment.document.corpus
        self.document = document.name
        self.names = list(alignment.names)
        self.texts = [corpus.texts[document.index, corpus.annotators.index(who)] for who in self.names]
        units, types = alignment.units, alignment.types
        place = {who: number for number, who in enumerate(self.names)}
        self.tokens: list[list[Unit]] = [[] for _ in self.names]
        for unit, name in zip(units, types, strict=True):
            if name == finest:
                self.tokens[place[unit.annotator]].append(unit)
        self.first = [[int(unit.start) for unit in own] for own in self.tokens]
        self.others = tuple(unit for unit, name in zip(units, types, strict=True) if name not in (finest, GAP_TYPE))
        self.cost = alignment.solution.cost.tolist()
        self.rows = {
            number: [units[k] if k >= 0 else None for k in row]
            for number, row in enumerate(alignment.solution.table.tolist())
            if next(types[k] for k in row if k >= 0) == finest
        }

    def cut(self) -> CutDocument:
        """Cut all texts."""
        places = [*self._places([*self._joined(self._parts())])]
        ends = [span[1] for span in places[-1][0].spans] if places else [0] * len(self.texts)
        tail = _usual([text[end:] for text, end in zip(self.texts, ends, strict=True)])
        return CutDocument(self.document, tuple(place for _, place in places), tail, self.others)

    def _parts(self) -> Iterator[_Part]:
        """Cut the texts at the tokens that all have."""
        common = _increasing(
            [[(int(u.start), int(u.end)) for u in row if u] for row in self.rows.values() if None not in row]
        )
        cuts = [[(0, 0) for _ in self.texts], *common, [(len(text), len(text)) for text in self.texts]]
        rows = self._rows(common)
        for number, (before, after) in enumerate(pairwise(cuts)):
            between = [self._trimmed(a[1], b[0], who) for who, (a, b) in enumerate(zip(before, after, strict=True))]
            if any(start < end for start, end in between):
                yield _Part(between, False, rows[2 * number])
            if number < len(common):
                yield _Part(after, True, rows[2 * number + 1])

    def _rows(self, common: Sequence[Sequence[tuple[int, int]]]) -> Mapping[int, tuple[int, ...]]:
        """Return the unitary alignments in each part: that of token k is 2k + 1, what lies before it is 2k."""
        starts = [[row[who][0] for row in common] for who in range(len(self.texts))]
        found: dict[int, tuple[int, ...]] = defaultdict(tuple)
        for number, row in self.rows.items():
            who, unit = next((who, unit) for who, unit in enumerate(row) if unit is not None)
            place = bisect_right(starts[who], int(unit.start))
            is_common = place > 0 and starts[who][place - 1] == int(unit.start)
            found[2 * place - 1 if is_common else 2 * place] += (number,)
        return found

    def _trimmed(self, start: int, end: int, who: int) -> tuple[int, int]:
        """Leave out white space around a stretch, unless it belongs to a token."""
        text = self.texts[who][start:end]
        own = [(unit.start, unit.end) for unit in self._tokens_in(start, end, who)]
        first = start + len(text) - len(text.lstrip())
        last = max(end - (len(text) - len(text.rstrip())), first)
        if own:
            first, last = min(first, int(own[0][0])), max(last, int(own[-1][1]))
        return first, last

    def _tokens_in(self, start: int, end: int, who: int) -> list[Unit]:
        low = bisect_left(self.first[who], start)
        return [unit for unit in self.tokens[who][low : bisect_right(self.first[who], end)] if unit.end <= end]

    def _joined(self, parts: Iterator[_Part]) -> Iterator[_Part]:
        """Join neighbours whose texts differ and that nothing separates in somebody's text."""
        held: _Part | None = None
        for part in parts:
            if held is not None and self._differ(held) and self._differ(part) and _touch(held, part):
                spans = [_together(*both) for both in zip(held.spans, part.spans, strict=True)]
                held = _Part(spans, False, held.rows + part.rows)
                continue
            if held is not None:
                yield held
            held = part
        if held is not None:
            yield held

    def _differ(self, part: _Part) -> bool:
        return len({self._version(who, *span).shape for who, span in enumerate(part.spans)}) > 1

    def _version(self, who: int, start: int, end: int) -> TextVersion:
        tokens = [
            Token(int(unit.start) - start, int(unit.end) - start, _labels(unit))
            for unit in self._tokens_in(start, end, who)
        ]
        return TextVersion(self.texts[who][start:end], tuple(tokens))

    def _places(self, parts: Sequence[_Part]) -> Iterator[tuple[_Part, TextPlace]]:
        before: Sequence[tuple[int, int]] = [(0, 0)] * len(self.texts)
        for number, part in enumerate(parts):
            spaces = [
                self.texts[who][a[1] : b[0]]
                for who, (a, b) in enumerate(zip(before, part.spans, strict=True))
                if b[0] < b[1] and (a[0] < a[1] or not number)
            ]
            named = {who: self._version(k, *part.spans[k]) for k, who in enumerate(self.names)}
            starts = {who: part.spans[k][0] for k, who in enumerate(self.names)}
            disorder = sum(self.cost[row] for row in part.rows)
            space = _usual(spaces or [" "])
            yield part, TextPlace(self.document, named, starts, space, part.is_token, disorder)
            before = part.spans


def _together(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Join two stretches; of an empty one, only the white space beside it would be left."""
    if one[0] == one[1] or other[0] == other[1]:
        return other if one[0] == one[1] else one
    return one[0], other[1]


def _labels(unit: Unit) -> dict[str, Label | None]:
    """Return the labels of a token; all tokens are of one type, which need not be decided."""
    return {name: label for name, label in unit.features.items() if name != "type"}


def _touch(one: _Part, other: _Part) -> bool:
    """Whether two neighbours touch in the text of somebody who has both."""
    both = zip(one.spans, other.spans, strict=True)
    return any(a[1] == b[0] for a, b in both if a[0] < a[1] and b[0] < b[1])


def _usual(spaces: Sequence[str]) -> str:
    """Return the white space that most have; of several, the shortest."""
    counts = Counter(spaces)
    return min(counts, key=lambda one: (-counts[one], len(one), one))


def _increasing(rows: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Leave out the fewest tokens so that all others have the same order in all texts; text by text."""
    rows = sorted(rows)
    for who in range(1, len(rows[0]) if rows else 0):
        tails: list[tuple[int, int]] = []  # of the increasing sequences of each length, the least last start, its row
        back = [-1] * len(rows)
        for number, row in enumerate(rows):
            place = bisect_left(tails, (row[who][0], -1))
            back[number] = tails[place - 1][1] if place else -1
            tails[place : place + 1] = [(row[who][0], number)]
        kept, at = [], tails[-1][1] if tails else -1
        while at >= 0:
            kept.append(rows[at])
            at = back[at]
        rows = kept[::-1]
    return rows
