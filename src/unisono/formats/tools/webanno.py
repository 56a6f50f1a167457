r"""WebAnno TSV 3.0 to 3.3, which WebAnno and INCEpTION write: one annotator's version of one text.

Specification: INCEpTION User Guide, "WebAnno TSV 3.3 File format". Positions count UTF-16 code units. The text is put
together from the lines ``#Text=`` of the sentences; where these stand, the first token says. A sentence ends with a
line break if there is room for it before the next; what else was between sentences is not in the file, and becomes
spaces. An annotation on several tokens, or one of several of a layer on a token, has a number: ``PER[1]|ORG[2]``. In
text, ``\t``, ``\n``, ``\r``, ``\f``, ``\b`` and ``\\`` are escaped, up to version 3.1 as Java does; in labels also ``[
] | _ -> ; *``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unisono.data import Corpus, Label
from unisono.formats.files import head_text
from unisono.formats.format import Format, Options
from unisono.formats.tools.collected import Collected
from unisono.formats.tools.utf16 import Utf16
from unisono.formats.tools.webanno_escapes import in_label, in_text, numbered, split
from unisono.formats.tools.webanno_rows import Column, File, Layer, Row, read_rows

_LINK = re.compile(r"(.*)->(\d{1,9}-(\d{1,9}))", re.DOTALL)
_NOTHING = "_"
_NO_LABEL = "*"


def read(path: Path, options: Options) -> Corpus:
    """Read annotations as units, with layers and labels."""
    file = read_rows(path)
    text = "".join(file.pieces).removesuffix("\n")
    collected = Collected(path, options)
    collected.version(text=text)
    _Annotations(file, text, collected).add_all()
    return collected.corpus()


@dataclass
class _Unit:
    """An annotation, with the tokens that it was found on so far."""

    layer: Layer
    line: int
    begin: int
    end: int
    labels: dict[str, Label | None]


class _Annotations:
    """Finds annotations in rows."""

    def __init__(self, file: File, text: str, collected: Collected) -> None:
        self._file = file
        self._text = text
        self._position = Utf16(text)
        self._collected = collected
        self._units: dict[tuple[object, ...], _Unit] = {}

    def add_all(self) -> None:
        """Hand over units and tokens."""
        tokens = []
        for row in self._file.rows:
            start, end = self._place(row.begin, row.end, row.line)
            if row.is_token:
                self._refuse_other(row, self._text[start:end])
                tokens.append((start, end))
            for layer in self._file.layers:
                values = row.values[layer.first : layer.first + len(layer.columns)]
                if any(value != _NOTHING for value in values):
                    self._take(layer, values, row)
        short = Counter(layer.name.rpartition(".")[2] for layer in self._file.layers)
        for unit in self._units.values():
            name = unit.layer.name.rpartition(".")[2]
            layer_name = name if short[name] == 1 else unit.layer.name
            place = self._place(unit.begin, unit.end, unit.line)
            self._collected.unit(*place, unit.labels, layer=layer_name, line=unit.line)
        self._collected.tokens(tokens)

    def _place(self, begin: int, end: int, line: int) -> tuple[int, int]:
        start, finish = self._position(begin), self._position(end)
        if start is None or finish is None:
            size = self._position.back(len(self._text))
            self._file.fail(f"{begin}-{end} is not a place in the text, which ends at {size}; mend it", line)
        return start, finish

    def _refuse_other(self, row: Row, found: str) -> None:
        if found not in (row.form, in_text(row.form, (3, 2)), in_label(row.form)):
            self._file.fail(
                f"the token {row.form!r} is not at {row.begin}-{row.end} of the text, where there is {found!r}; "
                "mend the positions, which count UTF-16 code units",
                row.line,
            )

    def _take(self, layer: Layer, values: Sequence[str], row: Row) -> None:
        """Take what a row says about a layer: for each annotation, one value in each column."""
        stacks = [(column, split(value, "|")) for column, value in zip(layer.columns, values, strict=True)]
        stacks = [(column, stack) for column, stack in stacks if stack != [_NOTHING]]
        if layer.kind == "RL":
            self._collected.drop("relations, which are not compared", max(len(stack) for _, stack in stacks))
            return
        sizes = sorted({len(stack) for _, stack in stacks})
        if len(sizes) > 1:
            message = f"the columns of {layer.name} have {sizes[0]} and {sizes[-1]} values on one token; mend them"
            self._file.fail(message, row.line)
        for place in range(sizes[0]):
            cells = [(column, stack[place]) for column, stack in stacks]
            if layer.kind == "CH":
                self._take_mention(layer, cells, row)
            else:
                self._take_span(layer, cells, place, row)

    def _take_span(self, layer: Layer, cells: Sequence[tuple[Column, str]], place: int, row: Row) -> None:
        labels: dict[str, Label | None] = {}
        numbers = set()
        n_links = 0
        for column, cell in cells:
            if column.kind == "target":
                continue
            value, number = numbered(cell)
            numbers.update([] if number is None else [number])
            if column.kind == "feature":
                labels[column.name] = None if value == _NO_LABEL else in_label(value)
            elif column.kind == "role" and value != _NOTHING:
                n_links += len(split(value, ";"))
        if len(numbers) > 1:
            self._file.fail(f"an annotation of {layer.name} has two numbers, {sorted(numbers)}; mend it", row.line)
        key = (layer.name, *numbers) if numbers else (layer.name, row.line, place)
        if self._note(key, _Unit(layer, row.line, row.begin, row.end, labels)):
            self._collected.drop("links between units (slots), which are not compared", n_links)

    def _take_mention(self, layer: Layer, cells: Sequence[tuple[Column, str]], row: Row) -> None:
        labels: dict[str, Label | None] = {}
        key: tuple[object, ...] | None = None
        position = 1
        for column, cell in cells:
            match = _LINK.fullmatch(cell)
            if match is not None:
                key, position = (layer.name, match[2]), int(match[3])
            elif column.name == "referenceType":
                value, _ = numbered(cell)
                labels[column.name] = None if value == _NO_LABEL else in_label(value)
        if key is None:
            self._file.fail(f"an element of a chain of {layer.name} has no place like ->1-2; mend it", row.line)
        if self._note(key, _Unit(layer, row.line, row.begin, row.end, labels)) and position > 1:
            self._collected.drop("links of chains, which are not compared")

    def _note(self, key: tuple[object, ...], unit: _Unit) -> bool:
        """Note an annotation, or that it goes on; tell whether it is new."""
        known = self._units.setdefault(key, unit)
        if known is unit:
            return True
        if known.labels != unit.labels:
            earlier = f"an annotation of {unit.layer.name} that begins on line {known.line}"
            self._file.fail(f"{earlier} has another label here; mend one of them, or the number in brackets", unit.line)
        known.begin, known.end = min(known.begin, unit.begin), max(known.end, unit.end)
        return False


def _sniff(head: bytes, path: Path) -> bool:
    return head_text(head).removeprefix("\ufeff").startswith("#FORMAT=WebAnno TSV")


FORMAT = Format(
    name="webanno",
    title="WebAnno TSV 3",
    suffixes=(".tsv",),
    reads="annotations of span layers as units on the text, with the layer and its features as labels; mentions of "
    "chains with referenceType; tokens. Annotator and document: from the path",
    ignores="relations, links of chains, slots, identifiers of sentences",
    names_annotators=False,
    sniff=_sniff,
    read=read,
)
