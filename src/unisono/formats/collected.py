"""Collects what a file holds, unit by unit, until it becomes a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from unisono.data import Corpus, Export, Label, Ratings
from unisono.data.anchors import PIECE, SOURCE, TARGET
from unisono.data.corpus import Bounds
from unisono.data.export import LAYER_FEATURE
from unisono.data.questions import AnswerKind
from unisono.data.unit_kinds import RELATIONS, SPANS
from unisono.errors import DataError, mention
from unisono.formats.collected_labels import CollectedLabels
from unisono.formats.files import locating
from unisono.formats.format import Instructions
from unisono.formats.pieces import READ_AS, Piece, Position, joined_pieces, taken_pieces
from unisono.formats.wanted import WantedUnits

FEATURE_TYPE = f"{LAYER_FEATURE} (feature)"
"""What a feature named type is called beside layers."""
BY_FIELD = mention("annotator_from", "field")
"""How a user says that a field of the file names the annotators."""


@dataclass
class Collected:
    """Collects what a reader finds.

    If no document or annotator is named, they are those that the path says.
    """

    MOST_FEATURES: ClassVar[float] = 500

    path: Path
    instructions: Instructions
    documents: dict[str, None] = field(default_factory=dict)
    annotators: dict[str, None] = field(default_factory=dict)
    """Names of documents in their order, and of annotators who worked on none of them."""
    _keys: list[tuple[str, str]] = field(default_factory=list)
    _starts: list[Position] = field(default_factory=list)
    _ends: list[Position] = field(default_factory=list)
    _lines: list[int | None] = field(default_factory=list)
    _labels: dict[str, list[Label | None]] = field(default_factory=dict)
    _texts: dict[tuple[str, str], str] = field(default_factory=dict)
    _bounds: dict[str, Bounds] = field(default_factory=dict)
    _bound_lines: dict[str, int | None] = field(default_factory=dict)
    _worked: dict[tuple[str, str], int | None] = field(default_factory=dict)
    _tokens: dict[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    _dropped: Counter[str] = field(default_factory=Counter)
    _schemas: dict[str, str] = field(default_factory=dict)
    _anchors: dict[int, Sequence[tuple[str, Position, Position]]] = field(default_factory=dict)
    """Of units that are no plain ones, by their numbers."""
    _wanted: WantedUnits = field(init=False)
    _items: CollectedLabels = field(init=False)

    def __post_init__(self) -> None:
        self._items = CollectedLabels(self.path)
        self._wanted = WantedUnits(self.path, self.instructions)

    def question(
        self,
        name: str,
        kind: AnswerKind | None = None,
        order: tuple[str, ...] = (),
        meanings: Mapping[str, str] | None = None,
    ) -> None:
        """Note what the file says about a question that annotators answered for items (see `Question`)."""
        self._items.question(name, kind, order, meanings)

    def answer(
        self,
        question: str,
        item: str,
        label: Label | None,
        *,
        document: str | None = None,
        annotator: str | None = None,
        text: str | None = None,
        line: int | None = None,
    ) -> None:
        """Add the label that an annotator gave to an item; None if the annotator saw it and gave none.

        Items of one name in one document are the same item, in whichever file they are; most need no document. `text`
        is what the item says, for display.
        """
        who = annotator or self.instructions.annotator
        self._items.add(question, item, who, label, document=document, text=text, line=line)

    def version(
        self,
        document: str | None = None,
        annotator: str | None = None,
        *,
        text: str | None = None,
        line: int | None = None,
    ) -> None:
        """Note that an annotator worked on a document, with or without units, and the text."""
        key = self._key(document, annotator)
        self._worked.setdefault(key, line)
        if text is not None and self._texts.setdefault(key, text) != text:
            raise DataError(
                f"there are two different texts of document {key[0]!r} by {key[1]!r}; make them the same", line=line
            )

    def unit(
        self,
        start: Position,
        end: Position,
        labels: Mapping[str, Label | None],
        *,
        document: str | None = None,
        annotator: str | None = None,
        layer: str | None = None,
        line: int | None = None,
    ) -> None:
        """Add a unit; positions are characters (code points) of the text, from 0, or seconds; the end is exclusive.

        Labels are given by feature, None if there is none; the layer is the tier or set of annotations that it belongs
        to, if the format knows several.
        """
        key = self._key(document, annotator)
        self._worked.setdefault(key, line)
        self._check_within(key, start, end, line)
        if self.wants(SPANS, labels, layer):
            self._add(key, start, end, labels, layer, line)

    def unit_in_pieces(
        self,
        pieces: Sequence[Piece],
        labels: Mapping[str, Label | None],
        *,
        document: str | None = None,
        annotator: str | None = None,
        layer: str | None = None,
        line: int | None = None,
    ) -> None:
        """Add what a unit in pieces becomes, as the user wants it; the main piece is the first of those given."""
        joined, how = joined_pieces(pieces, line), self.instructions.discontinuous
        if len(joined) > 1 and how == "together":
            ends = [(PIECE, pieces)]
            self.composite(SPANS, ends, labels, document=document, annotator=annotator, layer=layer, line=line)
            return
        if len(joined) > 1 and self._wanted.kind == SPANS:
            self.drop(f"units in several pieces, {READ_AS[how]}")
        for start, end in taken_pieces(joined, pieces, how):
            self.unit(start, end, labels, document=document, annotator=annotator, layer=layer, line=line)

    def relation(
        self,
        source: Sequence[Piece],
        target: Sequence[Piece],
        labels: Mapping[str, Label | None],
        *,
        document: str | None = None,
        annotator: str | None = None,
        layer: str | None = None,
        line: int | None = None,
    ) -> None:
        """Add a relation; each of its ends may be in pieces, and there may be no target."""
        ends = [(SOURCE, source), (TARGET, target)]
        self.composite(RELATIONS, ends, labels, document=document, annotator=annotator, layer=layer, line=line)

    def composite(
        self,
        kind: str,
        ends: Iterable[tuple[str, Sequence[Piece]]],
        labels: Mapping[str, Label | None],
        *,
        document: str | None = None,
        annotator: str | None = None,
        layer: str | None = None,
        line: int | None = None,
    ) -> None:
        """Add a unit with several anchors, of a kind (see `unit_kinds`), or count it if that kind is not wanted.

        `ends` are the roles, and what is there: a stretch, several pieces of it, or nothing.
        """
        key = self._key(document, annotator)
        self._worked.setdefault(key, line)
        if not self.wants(kind, labels, layer):
            return
        anchors: list[tuple[str, Position, Position]] = []
        for role, pieces in ends:
            taken = taken_pieces(joined_pieces(pieces, line), pieces, self.instructions.discontinuous)
            if pieces and not taken:
                self.drop(f"{kind} with an end in several pieces, left out")
                return
            anchors += [(role, start, end) for start, end in taken]
        for role, start, end in anchors:
            self._check_within(key, start, end, line, f"the {role} of a unit")
        self._anchors[len(self._starts)] = anchors
        first, last = min(start for _, start, _ in anchors), max(end for _, _, end in anchors)
        self._add(key, first, last, labels, layer, line)

    def wants(self, kind: str, labels: Mapping[str, Label | None], layer: str | None = None) -> bool:
        """Whether units of a kind are wanted; if not, one more is counted, by its layer or category."""
        return self._wanted.takes(kind, labels, layer)

    def endless(self, kind: str, what: str, missing: str, line: int | None = None) -> None:
        """Count a wanted unit, such as R1, one of whose ends is not there, such as its target T9."""
        self._wanted.without_end(kind, what, missing, line)

    def _check_within(
        self, key: tuple[str, str], start: Position, end: Position, line: int | None, what: str = "a unit"
    ) -> None:
        if not start <= end:
            raise DataError(f"{what} ends ({end}) before it begins ({start}); correct it", line=line)
        text = self._texts.get(key)
        if text is not None and (start < 0 or end > len(text)):
            size = f"the text, which has {len(text):,} characters"
            raise DataError(
                f"{what} from {start} to {end} is outside {size}; correct the positions or the text", line=line
            )

    def _add(
        self,
        key: tuple[str, str],
        start: Position,
        end: Position,
        labels: Mapping[str, Label | None],
        layer: str | None,
        line: int | None,
    ) -> None:
        self._keys.append(key)
        self._starts.append(start)
        self._ends.append(end)
        self._lines.append(line)
        if layer is not None:
            self._label(LAYER_FEATURE, layer)
        for name, label in labels.items():
            if label is not None:
                self._label(FEATURE_TYPE if name == LAYER_FEATURE and layer is not None else name, label)

    def tokens(self, spans: Sequence[tuple[int, int]], document: str | None = None) -> None:
        """Note the tokens that the file itself has."""
        self._tokens.setdefault(self._document(document), spans)

    def bounds(self, begin: float, end: float, document: str | None = None, line: int | None = None) -> None:
        """Note where a continuum begins and ends, if it is not a text."""
        name = self._document(document)
        first = self._bound_lines.setdefault(name, line)
        if self._bounds.setdefault(name, (begin, end)) != (begin, end):
            raise DataError(
                f"the document {name!r} has another continuum{_on_line(first)}; make them the same", line=line
            )

    def schema(self, kind: str, text: str) -> None:
        """Note what the tool says about its layers, in its own form, so that they can be written back."""
        self._schemas[kind] = text

    def drop(self, what: str, n: int = 1) -> None:
        """Count what is left out, in words that explain why: "relations, which are not compared"."""
        if n:
            self._dropped[what] += n

    def bad(self, error: DataError) -> None:
        """Skip a bad record if the user wants that; otherwise raise its error."""
        if self.instructions.bad is None:
            raise error
        self.instructions.bad(error)

    @contextmanager
    def record(self, line: int | None = None) -> Iterator[None]:
        """Locate errors in a record, and skip it if the user wants that: then nothing of it is kept."""
        before = None if self.instructions.bad is None else self._state()
        try:
            with locating(self.path, line):
                yield
        except DataError as error:
            if before is None:
                raise
            self._return_to(before)
            self.bad(error)

    def data(self) -> Corpus | Ratings | Export:
        """Make a corpus of the units, ratings of the labels of items, or an export of both or of several questions.

        A corpus without any unit still says who marked nothing, which counts if other files have units.
        """
        questions = self._items.ratings()
        if not questions:
            return self.corpus()
        dropped = dict(self._dropped)
        units = self.corpus() if self._worked else None
        if len(questions) == 1 and units is None:
            return replace(next(iter(questions.values())), dropped=dropped)
        left_out = dropped if units is None else dict(units.dropped)
        return Export(units, questions, source=self.path.name, dropped=left_out)

    def corpus(self) -> Corpus:
        """Make a corpus of the units."""
        if not self.documents and not self.annotators:
            raise DataError("there is no annotated document in it; check that the file is complete")
        if len(self._labels) > self.MOST_FEATURES:
            raise DataError(f"units have more than {self.MOST_FEATURES} features; check that this is the right file")
        self._skip_outside()
        n_units = len(self._starts)
        spans = zip(self._starts, self._ends, strict=True)
        corpus = Corpus.from_columns(
            documents=self.documents,
            annotators=self.annotators,
            document=[document for document, _ in self._keys],
            annotator=[annotator for _, annotator in self._keys],
            start=self._starts,
            end=self._ends,
            features={name: own + [None] * (n_units - len(own)) for name, own in self._labels.items()},
            worked=self._worked,
            bounds=self._bounds,
            texts=self._texts,
            source=self.path.name,
            locate=lambda row: (self.path, self._lines[row]),
            origins={key: (self.path, line) for key, line in self._worked.items()},
            tokens=self._tokens,
            schemas={kind: (text,) for kind, text in self._schemas.items()},
            dropped=self._dropped + self._wanted.missing_ends(),
            anchors=[self._anchors.get(row) or [(PIECE, *span)] for row, span in enumerate(spans)]
            if self._anchors
            else None,
        )
        return replace(corpus, others=self._wanted.others())

    def _state(self) -> tuple[list[int], Counter[str], Counter[tuple[str, str]]]:
        """Return how much was collected; nothing that was collected is changed later."""
        return [*map(len, self._parts())], Counter(self._dropped), Counter(self._wanted.besides)

    def _return_to(self, state: tuple[list[int], Counter[str], Counter[tuple[str, str]]]) -> None:
        """Forget what was collected since."""
        sizes, self._dropped, self._wanted.besides = state
        for part, size in zip(self._parts(), sizes, strict=True):
            if isinstance(part, list):
                del part[size:]
            else:
                while len(part) > size:
                    part.popitem()
        for column in self._labels.values():
            del column[len(self._starts) :]

    def _parts(self) -> tuple[list[Any] | dict[Any, Any], ...]:
        units = (self._keys, self._starts, self._ends, self._lines, self._labels, self._anchors)
        versions = (self.documents, self.annotators, self._texts, self._bounds, self._bound_lines, self._worked)
        return (*units, *versions, self._tokens, self._wanted.endless, *self._items.parts())

    def _label(self, name: str, label: Label | None) -> None:
        """Label the last unit; units before it without this label get None."""
        column = self._labels.setdefault(name, [])
        missing = len(self._starts) - 1 - len(column)
        if missing:
            column.extend([None] * missing)
        column.append(label)

    def _skip_outside(self) -> None:
        """Reject units outside their continuum, or skip them."""
        outside = set()
        rows = enumerate(zip(self._keys, self._starts, self._ends, self._lines, strict=True)) if self._bounds else ()
        for row, ((document, _), start, end, line) in rows:
            low, high = self._bounds.get(document, (start, end))
            if start < low or end > high:
                where = f"outside its continuum, {low:g} to {high:g}{_on_line(self._bound_lines[document])}"
                message = f"a unit from {start} to {end} is {where}; correct one of them"
                self.bad(DataError(message, path=self.path, line=line))
                outside.add(row)
        parts: list[list[Any]] = [self._keys, self._starts, self._ends, self._lines, *self._labels.values()]
        for part in parts if outside else ():
            part[:] = [one for row, one in enumerate(part) if row not in outside]
        if outside:
            kept = (row for row in range(len(self._starts) + len(outside)) if row not in outside)
            self._anchors = {new: self._anchors[row] for new, row in enumerate(kept) if row in self._anchors}
            self._labels = {name: own for name, own in self._labels.items() if any(one is not None for one in own)}

    def _key(self, document: str | None, annotator: str | None) -> tuple[str, str]:
        return self._document(document), annotator or self.instructions.annotator

    def _document(self, document: str | None) -> str:
        name = document or self.instructions.document_of(self.path)
        self.documents[name] = None
        return name


def collecting(
    collect: Callable[[Collected], None],
) -> Callable[[Path, Instructions], Corpus | Ratings | Export]:
    """Make the reader of a format out of a function that collects what a file holds; its errors name the file."""

    def read(path: Path, instructions: Instructions) -> Corpus | Ratings | Export:
        with locating(path):
            collected = Collected(path, instructions)
            collect(collected)
            return collected.data()

    return read


def as_label(texts: Iterable[str]) -> Label | None:
    """Return one text as it is, several as a set, and None for none."""
    given = tuple(sorted({text for text in texts if text.strip()}))
    return given[0] if len(given) == 1 else given or None


def _on_line(line: int | None) -> str:
    return "" if line is None else f" (line {line})"
