r"""WebAnno TSV 3.0 to 3.3, which WebAnno and INCEpTION write: one annotator's version of one text.

Specification: INCEpTION User Guide, "WebAnno TSV 3.3 File format". Positions count UTF-16 code units. The text is put
together from the lines ``#Text=`` of the sentences; their first tokens say where they are. A sentence ends with a line
break if there is space for it before the next; anything else between sentences is not in the file, and becomes spaces.
An annotation on several tokens, or one of several of a layer on a token, has a number: ``PER[1]|ORG[2]``. In text,
``\t``, ``\n``, ``\r``, ``\f``, ``\b`` and ``\\`` are escaped, up to version 3.1 as Java does; in labels also
``[ ] | _ -> ; *``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from unisono.data import Label
from unisono.data.unit_kinds import COMPOSITE
from unisono.errors import mention
from unisono.formats.collected import Collected, as_label, collecting
from unisono.formats.files import head_text
from unisono.formats.format import Format
from unisono.formats.tokens import LabelledTokens
from unisono.formats.tools.cas import ANNOTATION, UIMA
from unisono.formats.tools.cas_types import type_system_of
from unisono.formats.tools.inception import CURATION, INCEPTION_PROJECT
from unisono.formats.tools.utf16 import Utf16
from unisono.formats.tools.webanno_escapes import in_label, in_text, split_unescaped, without_number
from unisono.formats.tools.webanno_links import Key, TsvLinks
from unisono.formats.tools.webanno_rows import TokenRow, TsvColumn, TsvFile, TsvLayer, read_rows
from unisono.formats.tools.webanno_writing import TSV_FOLDER

_LINK = re.compile(r"(.*)->(\d{1,9}-(\d{1,9}))", re.DOTALL)
_NOTHING = "_"
_NO_LABEL = "*"


@collecting
def read(collected: Collected) -> None:
    """Read annotations as units, with layers and labels."""
    file = read_rows(collected.path)
    if collected.instructions.units == "tokens":
        _collect_tokens(file, collected)
        return
    text = "".join(file.pieces).removesuffix("\n")
    collected.version(text=text)
    _Annotations(file, text, collected).add_all()
    layers = {layer.name: _features(layer) for layer in file.layers if layer.kind == "SP"}
    relations = tuple((layer.name, _features(layer), _joined(layer)) for layer in file.layers if layer.kind == "RL")
    slots = tuple(slot for layer in file.layers for slot in _slots(layer))
    spans = tuple(layers.items())
    types = type_system_of(spans, relations, slots) or type_system_of(spans)
    if types is not None:
        collected.schema(UIMA, types)


def _slots(layer: TsvLayer) -> Iterator[tuple[str, str, str, str]]:
    """Iterate over the slots of a layer: its name, that of the feature, and the types of links and of their targets."""
    for column, target in pairwise(layer.columns):
        feature, _, link = column.name.partition(":")[2].removesuffix("[]").partition("_")
        if column.kind == "role" and feature and link:
            yield (
                layer.name,
                feature,
                link,
                ANNOTATION if target.name.startswith("uima.") else target.name or ANNOTATION,
            )


def _joined(layer: TsvLayer) -> str:
    """Return the type of the annotations that relations of a layer join."""
    names = [column.name.removeprefix("BT_") for column in layer.columns if column.kind == "relation"]
    return next(iter(names), "") or ANNOTATION


def _features(layer: TsvLayer) -> tuple[str, ...]:
    return tuple(column.name for column in layer.columns if column.kind == "feature")


def _collect_tokens(file: TsvFile, collected: Collected) -> None:
    """Make items of tokens, and questions of the features of span layers; parts of tokens are counted."""
    table = LabelledTokens()
    document = collected.instructions.document_of(collected.path)
    named = {name: layer for layer, name in _named(file.layers).items() if layer.kind == "SP"}
    for row in file.rows:
        if not row.is_token:
            collected.drop("parts of tokens, which are not tokens")
            continue
        labels: dict[str, Label] = {}
        for name, layer in named.items():
            for column, value in zip(layer.columns, row.values[layer.first :], strict=False):
                cells = (without_number(cell)[0] for cell in split_unescaped(value, "|"))
                label = as_label(in_label(cell) for cell in cells if cell not in (_NOTHING, _NO_LABEL))
                if label is not None and column.kind == "feature":
                    labels[f"{name}.{column.name}"] = label
        sentence, token = map(int, row.number.split("-"))
        table.add((document, sentence, token), in_text(row.form, (3, 2)), labels, line=row.line)
    table.collect(collected)


def _named(layers: Sequence[TsvLayer]) -> dict[TsvLayer, str]:
    """Return the names of layers: the short ones, if they are different."""
    short = Counter(layer.name.rpartition(".")[2] for layer in layers)
    own = {layer: layer.name.rpartition(".")[2] for layer in layers}
    return {layer: name if short[name] == 1 else layer.name for layer, name in own.items()}


@dataclass
class _Unit:
    """An annotation, with the tokens that it was found on so far."""

    layer: TsvLayer
    line: int
    begin: int
    end: int
    labels: dict[str, Label | None]


class _Annotations:
    """Finds annotations in rows."""

    def __init__(self, file: TsvFile, text: str, collected: Collected) -> None:
        self._file = file
        self._text = text
        self._position = Utf16(text)
        self._collected = collected
        self._units: dict[Key, _Unit] = {}
        self._names = _named(file.layers)
        self._links = TsvLinks(collected, self._names)

    def add_all(self) -> None:
        """Hand over units and tokens."""
        tokens = []
        for row in self._file.rows:
            start, end = self._place(row.begin, row.end, row.line)
            if row.is_token:
                self._check_form(row, self._text[start:end])
                tokens.append((start, end))
            self._links.token(row, (start, end))
            for layer in self._file.layers:
                values = row.values[layer.first : layer.first + len(layer.columns)]
                if any(value != _NOTHING for value in values):
                    self._take(layer, values, row)
        places = {key: self._place(unit.begin, unit.end, unit.line) for key, unit in self._units.items()}
        for key, unit in self._units.items():
            self._collected.unit(*places[key], unit.labels, layer=self._names[unit.layer], line=unit.line)
        self._links.collect(places.__getitem__, lambda key: self._units[key].labels)
        self._collected.tokens(tokens)

    def _place(self, begin: int, end: int, line: int) -> tuple[int, int]:
        start, finish = self._position(begin), self._position(end)
        if start is None or finish is None:
            size = self._position.back(len(self._text))
            self._file.fail(f"{begin}-{end} is not a place in the text, which ends at {size}; correct it", line)
        return start, finish

    def _check_form(self, row: TokenRow, found: str) -> None:
        if found not in (row.form, in_text(row.form, (3, 2)), in_label(row.form)):
            self._file.fail(
                f"the token {row.form!r} is not at {row.begin}-{row.end} of the text, where there is {found!r}; "
                "correct the positions, which count UTF-16 code units",
                row.line,
            )

    def _take(self, layer: TsvLayer, values: Sequence[str], row: TokenRow) -> None:
        """Take what a row says about a layer: for each annotation, one value per column."""
        stacks = [(column, split_unescaped(value, "|")) for column, value in zip(layer.columns, values, strict=True)]
        stacks = [(column, stack) for column, stack in stacks if stack != [_NOTHING]]
        if layer.kind == "RL":
            self._links.relations(layer, stacks, row)
            return
        sizes = sorted({len(stack) for _, stack in stacks})
        if len(sizes) > 1:
            message = f"the columns of {layer.name} have {sizes[0]} and {sizes[-1]} values on one token; correct them"
            self._file.fail(message, row.line)
        for place in range(sizes[0]):
            cells = [(column, stack[place]) for column, stack in stacks]
            if layer.kind == "CH":
                self._take_mention(layer, cells, row)
            else:
                self._take_span(layer, cells, place, row)

    def _take_span(self, layer: TsvLayer, cells: Sequence[tuple[TsvColumn, str]], place: int, row: TokenRow) -> None:
        labels: dict[str, Label | None] = {}
        numbers = set()
        for column, cell in cells:
            if column.kind == "target":
                continue
            value, number = without_number(cell)
            numbers.update([] if number is None else [number])
            if column.kind == "feature":
                labels[column.name] = None if value == _NO_LABEL else in_label(value)
        if len(numbers) > 1:
            self._file.fail(f"an annotation of {layer.name} has two numbers, {sorted(numbers)}; correct it", row.line)
        key = (layer.name, *numbers) if numbers else (layer.name, row.line, place)
        if self._note(key, _Unit(layer, row.line, row.begin, row.end, labels)):
            self._links.begun(layer, row, key, int(next(iter(numbers), 0)))
            if any(column.kind == "role" for column in layer.columns):
                self._links.slots(layer, key, cells, row)

    def _take_mention(self, layer: TsvLayer, cells: Sequence[tuple[TsvColumn, str]], row: TokenRow) -> None:
        labels: dict[str, Label | None] = {}
        key: Key | None = None
        chain, position, relation = "", 1, ""
        for column, cell in cells:
            match = _LINK.fullmatch(cell)
            if match is not None:
                key, chain, position, relation = (layer.name, match[2]), match[2], int(match[3]), match[1]
            elif column.name == "referenceType":
                value, _ = without_number(cell)
                labels[column.name] = None if value == _NO_LABEL else in_label(value)
        if key is None:
            self._file.fail(f"an element of a chain of {layer.name} has no place like ->1-2; correct it", row.line)
        if self._note(key, _Unit(layer, row.line, row.begin, row.end, labels)):
            self._links.begun(layer, row, key, 0)
            self._links.member(layer, (chain.partition("-")[0], position), key, relation, row.line)

    def _note(self, key: Key, unit: _Unit) -> bool:
        """Note an annotation, or that it goes on; return whether it is new."""
        known = self._units.setdefault(key, unit)
        if known is unit:
            return True
        if known.labels != unit.labels:
            earlier = f"an annotation of {unit.layer.name} that begins on line {known.line}"
            self._file.fail(
                f"{earlier} has another label here; correct one of them, or the number in brackets", unit.line
            )
        known.begin, known.end = min(known.begin, unit.begin), max(known.end, unit.end)
        return False


FORMAT = Format(
    name="webanno",
    title="WebAnno TSV 3",
    suffixes=(".tsv",),
    reads="annotations of span layers as units on the text, with the layer and its features as labels; mentions of "
    "chains with referenceType; tokens. With "
    + mention("units", "tokens")
    + ": tokens as items, and features (POS.PosValue) as questions. With "
    + mention("units", "relations")
    + ": relations, and links of chains; with "
    + mention("units", "events")
    + ": annotations with their slots. Annotator and document: from the path",
    ignores="identifiers of sentences",
    options=CURATION,
    names_annotators=False,
    project=INCEPTION_PROJECT,
    folder=TSV_FOLDER,
    labels_tokens=True,
    composite=COMPOSITE,
    writes_links=COMPOSITE,
    sniff=lambda head, path: head_text(head).removeprefix("\ufeff").startswith("#FORMAT=WebAnno TSV"),
    read=read,
)
