"""The lines of a file in WebAnno TSV 3: layers, text, tokens and what their columns say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, NoReturn

from unisono.errors import DataError
from unisono.formats.files import numbered_lines
from unisono.formats.tools.webanno_escapes import in_text

_FORMAT = re.compile(r"#FORMAT=WebAnno TSV (\d+)\.(\d+)\s*")
_LAYER = re.compile(r"#T_(SP|CH|RL)=(.*)")
_ID = re.compile(r"\d{1,9}-\d{1,9}(\.\d{1,9})?")
_SPAN = re.compile(r"(\d{1,10})-(\d{1,10})")
_MOST_SPACES = 2**16


def read_rows(path: Path) -> TsvFile:
    """Read the lines of a file."""
    file = TsvFile(path.stat().st_size + _MOST_SPACES)
    for line, content in numbered_lines(path):
        file.take(content, line)
    file.end_sentence()
    return file


@dataclass(frozen=True, slots=True)
class TsvColumn:
    """A column of a layer: a feature, or the role or target of a slot, or the far end of a relation."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class TsvLayer:
    """A layer: spans (SP), chains (CH) or relations (RL), and where its columns begin."""

    name: str
    kind: str
    columns: tuple[TsvColumn, ...]
    first: int


class TokenRow(NamedTuple):
    """A token, or a part of one, with what each column says."""

    line: int
    number: str
    is_token: bool
    begin: int
    end: int
    form: str
    values: list[str]


@dataclass
class TsvFile:
    """What was read so far."""

    most_spaces: int
    version: tuple[int, int] | None = None
    layers: list[TsvLayer] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    rows: list[TokenRow] = field(default_factory=list)
    n_columns: int = 0
    length: int = 0  # of the text, in UTF-16 code units
    n_spaces: int = 0
    sentence: list[str] = field(default_factory=list)
    in_rows: bool = False

    def take(self, content: str, line: int) -> None:
        """Process a line."""
        if self.version is None:
            self.take_format(content, line)
        elif not content:
            self.end_sentence()
        elif content.startswith("#"):
            if self.in_rows:
                self.end_sentence()
            if content.startswith("#Text="):
                self.sentence.append(in_text(content.removeprefix("#Text="), self.version))
            elif (match := _LAYER.match(content)) is not None:
                self.take_layer(match[1], match[2], line)
        else:
            self.take_row(content, line)

    def take_format(self, content: str, line: int) -> None:
        """Process the first line."""
        match = _FORMAT.fullmatch(content)
        if match is None or match[1] != "3":
            self.fail("the file should begin with #FORMAT=WebAnno TSV 3.3 (or 3.0 to 3.2); export it again", line)
        self.version = int(match[1]), int(match[2])

    def take_layer(self, kind: str, declared: str, line: int) -> None:
        """Process the declaration of a layer."""
        if self.rows:
            self.fail("a layer is declared after the first sentence; export the file again", line)
        name, *features = [part for part in declared.split("|") if part] or [""]
        if not name:
            self.fail("the layer has no name; export the file again", line)
        columns = tuple(_columns(kind, features))
        self.layers.append(TsvLayer(name, kind, columns, self.n_columns))
        self.n_columns += len(columns)

    def take_row(self, content: str, line: int) -> None:
        """Process a token, or a part of one."""
        fields = content.split("\t")
        if len(fields) < 3 + self.n_columns:
            expected = f"{3 + self.n_columns} columns that the header declares"
            self.fail(f"the line has {len(fields)} columns, not the {expected}; correct it", line)
        number, span = _ID.fullmatch(fields[0]), _SPAN.fullmatch(fields[1])
        if number is None or span is None:
            self.fail(f"the line should begin like 1-1, a tab and 0-4, not {content[:40]!r}; correct it", line)
        begin, end = int(span[1]), int(span[2])
        values = fields[3 : 3 + self.n_columns]
        row = TokenRow(line, fields[0], number[1] is None, begin, end, fields[2], values)
        if row.begin > row.end:
            self.fail(f"the token ends ({row.end}) before it begins ({row.begin}); correct it", line)
        if not self.in_rows:
            self.begin_sentence(row.begin, line)
        self.rows.append(row)

    def begin_sentence(self, begin: int, line: int) -> None:
        """Put the sentence where its first token is."""
        if not self.sentence:
            self.fail("the sentence has no #Text=; export the file again", line)
        if self.length == begin + 1 and self.pieces[-1] == "\n":  # the line break after the last sentence is not there
            self.pieces.pop()
            self.length -= 1
        if self.length > begin:
            self.fail(f"the sentence begins at {begin}, before the end ({self.length}) of the last; correct it", line)
        gap = begin - self.length
        self.n_spaces += gap
        if self.n_spaces > self.most_spaces:
            self.fail(f"the sentence begins at {begin}, far behind the text before it; correct the positions", line)
        self.pieces.append(" " * gap)
        self.length = begin
        self.write_sentence()
        self.in_rows = True

    def end_sentence(self) -> None:
        """Note that a sentence is over; one without tokens is right after the previous one."""
        if self.sentence:
            self.write_sentence()
        self.in_rows = False

    def write_sentence(self) -> None:
        """Add the sentence to the text."""
        text = "\n".join(self.sentence)
        self.sentence.clear()
        self.pieces += (text, "\n")
        self.length += len(text.encode("utf-16-le", "surrogatepass")) // 2 + 1

    def fail(self, message: str, line: int) -> NoReturn:
        """Reject the file."""
        raise DataError(message, line=line)


def _columns(kind: str, features: Sequence[str]) -> Iterator[TsvColumn]:
    if not features:
        yield TsvColumn("", "none")
    slot = False
    for name in features:
        if kind == "RL" and name.startswith("BT_"):
            yield TsvColumn(name, "relation")
        elif kind == "SP" and name.startswith("ROLE_"):
            yield TsvColumn(name, "role")
        else:
            yield TsvColumn(name, "target" if slot else "feature")
        slot = kind == "SP" and name.startswith("ROLE_")
