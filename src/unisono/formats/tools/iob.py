"""Columns with chunk tags, as in CoNLL-2000 and CoNLL-2003: one token per line, an empty line between sentences.

Tags say where chunks begin and end (Ramshaw & Marcus 1995; Tjong Kim Sang & Veenstra 1999): in IOB1, ``B-`` only marks
a chunk that follows another of the same type; in IOB2 (BIO), every chunk begins with it; in BIOES (BILOU, BMES), ``E-``
ends a chunk and ``S-`` is a chunk of one token. All are read by the rules of conlleval, the script of these shared
tasks: a chunk also begins with ``I-`` or ``E-`` after something else, and ends where it cannot go on. What the scheme
does not allow is counted. The text is made of the tokens, with spaces between them and one line per sentence. Lines
that begin with ``-DOCSTART-`` begin a document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from unisono.data import Label
from unisono.errors import DataError, OptionError, mention, plural
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import HEAD, head_text, numbered_lines
from unisono.formats.format import Format, Instructions
from unisono.formats.tokens import LabelledTokens
from unisono.formats.tools.iob_writing import write_iob
from unisono.formats.tools.words import Words

_DOCUMENT = "-DOCSTART-"
_NAMED = re.compile(r"-DOCSTART-\s+\((.*)\)")
_TAG = re.compile(r"O|([BIELSUM])(?:-(.+))?")
_TYPED_TAG = re.compile(r"O|[BIELSU]-\S+")
_SPACES = re.compile("[ \t]+")
_SAME = {"L": "E", "U": "S", "M": "I"}
_SCHEMES = {"iob1": "IB", "iob2": "IB", "bio": "IB", "bioes": "IBES", "bilou": "IBES"}
_REPAIRED = "tags that are not allowed where they are (such as I- where no chunk has begun), read as conlleval does"
_NEARLY_ALL = 0.95


@collecting
def read(collected: Collected) -> None:
    """Read chunks as units, with their type as category."""
    columns = _columns(collected.instructions)
    if collected.instructions.units == "tokens":
        _collect_tokens(columns, collected)
        return
    documents = _documents(columns, collected)
    for document in documents:
        for annotator in columns.tags:
            collected.version(document.name, annotator, text=document.words.text, line=document.line)
        collected.tokens(document.words.spans, document.name)
    for annotator in columns.tags:
        runs = [(document, run) for document in documents for run in document.runs(annotator)]
        scheme = columns.scheme or _scheme([run for _, run in runs])
        for document, run in runs:
            _add_chunks(run, document, annotator, scheme, collected)


class _Tag(NamedTuple):
    """A letter (O, B, I, E or S), the chunk's type, and the token that it belongs to."""

    letter: str
    type: str | None
    token: int


@dataclass(frozen=True)
class _Columns:
    """Where tokens and tags are, counted from 0; whose the tags are, None if the path says it."""

    token: int
    tags: Mapping[str | None, int]
    scheme: str | None


@dataclass
class _Document:
    """A document: its words so far, the lines of its tokens, where sentences begin, and the tags."""

    name: str
    line: int
    words: Words = field(default_factory=Words)
    lines: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    tags: dict[str | None, list[_Tag]] = field(default_factory=dict)

    def add(self, token: str, line: int, *, begins: bool) -> None:
        """Add a token to the text, perhaps on a new line."""
        if begins:
            self.sentences.append(len(self.lines))
        self.words.write("" if not self.lines else "\n" if begins else " ")
        self.words.add(self.words.length, self.words.length + len(token))
        self.words.write(token)
        self.lines.append(line)

    def runs(self, annotator: str | None) -> Iterator[list[_Tag]]:
        """Iterate over the tags of an annotator, sentence by sentence."""
        tags = self.tags.get(annotator, [])
        return (tags[first:last] for first, last in pairwise([*self.sentences, len(tags)]))


def _columns(instructions: Instructions) -> _Columns:
    options = instructions.options
    scheme = instructions.choice("scheme", tuple(_SCHEMES), None)
    token = _number("token", options.get("token", "1"))
    tags: dict[str | None, int] = {}
    for pair in instructions.names("columns"):
        name, _, number = pair.rpartition(":")
        if not name or name in tags:
            example = mention("options", {"columns": "anna:3;bert:4"})
            raise OptionError(f"columns is {pair!r}; write e.g. {example}, each name once", "options")
        tags[name] = _number("columns", number)
    if not tags:
        tags = {None: _number("column", options["column"]) if "column" in options else -1}
    elif "column" in options:
        raise OptionError("column and columns exclude each other; use one of them", "options")
    return _Columns(token, tags, scheme)


def _number(option: str, text: str) -> int:
    """Parse the number of a column; the first is 1."""
    if not re.fullmatch(r"[1-9]\d{0,3}", text):
        raise OptionError(f"{option} is {text!r}, but columns are numbered 1, 2, 3 …", "options")
    return int(text) - 1


class _Line(NamedTuple):
    """A line with a token: its document, its number and content, and whether a sentence begins with it."""

    document: _Document
    number: int
    content: str
    begins: bool


def _lines(collected: Collected) -> Iterator[_Line]:
    """Iterate over the lines with tokens; a document without any has a line with no content."""
    n_documents = 0
    document: _Document | None = None
    names: set[str] = set()
    begins = True
    for number, text in numbered_lines(collected.path):
        content = text.rstrip(" \t").lstrip(" ")  # a tab at the beginning ends an empty column
        if not content:
            begins = True
        elif content.startswith(_DOCUMENT):
            document = _document(content, n_documents, names, number, collected)
            n_documents += 1
            begins = True
            yield _Line(document, number, "", begins)
        elif not (begins and _is_comment(content)):
            if document is None:
                document = _document(content, 0, names, number, collected)
                n_documents = 1
            yield _Line(document, number, content, begins)
            begins = False


def _documents(columns: _Columns, collected: Collected) -> list[_Document]:
    documents: list[_Document] = []
    for line in _lines(collected):
        if not documents or line.document is not documents[-1]:
            documents.append(line.document)
        if line.content:
            _add(line.content, line.document, columns, line.number, collected, begins=line.begins)
    return documents


def _collect_tokens(columns: _Columns, collected: Collected) -> None:
    """Make items of tokens, and questions of the columns after them; or one of the annotators' columns."""
    table = LabelledTokens()
    sentences: Counter[str] = Counter()
    n_columns = place = 0
    for line in _lines(collected):
        if not line.content:
            continue
        fields = _fields(line.content)
        n_columns = n_columns or len(fields)
        name = line.document.name
        sentences[name] += line.begins
        place = 1 if line.begins else place + 1
        token = ""
        given: list[tuple[str | None, dict[str, Label]]] = [(annotator, {}) for annotator in columns.tags]
        with collected.record(line.number):
            token = _token(fields, columns, line.number)
            if len(fields) != n_columns:
                raise DataError(f"the line has {plural(len(fields), 'column')}, the first has {n_columns}; correct one")
            given = list(_token_labels(fields, columns))
        for annotator, labels in given if token else ():  # a bad line loses its labels, but not its token
            table.add((name, sentences[name], place), token, labels, annotator=annotator, line=line.number)
    table.collect(collected)


def _token_labels(fields: Sequence[str], columns: _Columns) -> Iterator[tuple[str | None, dict[str, Label]]]:
    """Iterate over annotators, with what they say about a token, by the names of columns."""
    if any(columns.tags):
        for annotator, number in columns.tags.items():
            yield annotator, {"tag": fields[number]} if number < len(fields) else {}
        return
    numbers = [number for number in range(len(fields)) if number > columns.token]
    yield None, {f"column {number + 1}": fields[number].strip() for number in numbers if fields[number].strip()}


def _document(content: str, n_before: int, names: set[str], line: int, collected: Collected) -> _Document:
    default = collected.instructions.document_of(collected.path)
    named = _NAMED.fullmatch(content)
    given = named[1].strip() if named else ""
    name = given or (f"{default} {n_before + 1}" if n_before else default)
    if name in names:
        raise DataError(f"the document {name!r} occurs twice; rename one", line=line)
    names.add(name)
    return _Document(name, line)


def _is_comment(content: str) -> bool:
    return content.startswith("#") and not _TAG.fullmatch(_fields(content)[-1])


def _fields(content: str) -> list[str]:
    return content.split("\t") if "\t" in content else _SPACES.split(content)


def _add(
    content: str, document: _Document, columns: _Columns, line: int, collected: Collected, *, begins: bool
) -> None:
    """Add the token of a line, and its tags; a bad line loses its tags, but not its token, or others would move."""
    fields = _fields(content)
    token = _token(fields, columns, line)
    place = len(document.lines)
    document.add(token, line, begins=begins)
    needed = max(2, *(number + 1 for number in columns.tags.values()))
    if len(fields) < needed:
        with collected.record(line):
            n_columns = plural(len(fields), "column")
            raise DataError(f"the line has {n_columns} where {needed} are expected; add the tag")
    for annotator, number in columns.tags.items():
        text = fields[number].strip() if len(fields) >= max(2, number + 1) else "O"
        tag = _tag(text, place, columns.scheme, line, collected)
        document.tags.setdefault(annotator, []).append(tag)


def _token(fields: Sequence[str], columns: _Columns, line: int) -> str:
    token = fields[columns.token].strip() if columns.token < len(fields) else ""
    if not token:
        raise DataError(f"there is no token in column {columns.token + 1}; correct or remove the line", line=line)
    return token


def _tag(text: str, token: int, scheme: str | None, line: int, collected: Collected) -> _Tag:
    match = _TAG.fullmatch(text)
    letter = "" if match is None else _SAME.get(match[1] or "O", match[1] or "O")
    if match is not None and letter in "O" + _SCHEMES[scheme or "bioes"]:
        return _Tag(letter, match[2], token)
    with collected.record(line):
        allowed = f"a tag of {scheme}" if scheme else "O, or such as B-PER or I-PER"
        column = mention("options", {"column": "…"})
        message = f"the tag {text!r} should be {allowed}; correct it, or say which column holds the tags with {column}"
        raise DataError(message)
    return _Tag("O", None, token)


def _scheme(runs: Sequence[Sequence[_Tag]]) -> str:
    """Find out which scheme it is: IOB1 if B- is only where IOB1 needs it, and I- begins chunks."""
    if any(tag.letter in "ES" for run in runs for tag in run):
        return "bioes"
    begins = {begin for run in runs for begin in _begins(run)}
    return "iob1" if ("I", False) in begins and ("B", False) not in begins else "iob2"


def _begins(run: Sequence[_Tag]) -> Iterator[tuple[str, bool]]:
    """Iterate over chunks: the letter with which each begins, and whether another of its type is right before it."""
    before = _Tag("O", None, -1)
    for chunk in _chunks(run):
        begin = chunk[0]
        yield begin.letter, before.letter != "O" and (before.token + 1, before.type) == (begin.token, begin.type)
        before = chunk[-1]


def _chunks(run: Sequence[_Tag]) -> Iterator[list[_Tag]]:
    """Iterate over the chunks of a sentence."""
    chunk: list[_Tag] = []
    for tag in run:
        if chunk and not _goes_on(chunk[-1], tag):
            yield chunk
            chunk = []
        if tag.letter != "O":
            chunk.append(tag)
    if chunk:
        yield chunk


def _goes_on(before: _Tag, tag: _Tag) -> bool:
    return tag.letter in "IE" and before.letter in "BI" and tag.type == before.type


def _n_repaired(chunk: Sequence[_Tag], scheme: str) -> int:
    """Count what the scheme does not allow: a wrong beginning, a wrong end."""
    first, last = chunk[0].letter, chunk[-1].letter
    if scheme == "iob1":
        return 0
    if scheme in ("iob2", "bio"):
        return int(first != "B")
    return int(first != "S") if len(chunk) == 1 else (first != "B") + (last != "E")


def _add_chunks(
    run: Sequence[_Tag], document: _Document, annotator: str | None, scheme: str, collected: Collected
) -> None:
    spans = document.words.spans
    for chunk in _chunks(run):
        first, last = chunk[0], chunk[-1]
        collected.drop(_REPAIRED, _n_repaired(chunk, scheme))
        collected.unit(
            spans[first.token][0],
            spans[last.token][1],
            {"category": first.type},
            document=document.name,
            annotator=annotator,
            line=document.lines[first.token],
        )


def _sniff(head: bytes, path: Path) -> bool:
    if path.suffix.lower() in FORMAT.suffixes:
        return True
    if path.suffix.lower() not in (".txt", ".tsv"):
        return False
    lines = [line.strip() for line in head_text(head).removeprefix("\ufeff").splitlines()]
    whole = lines if len(head) < HEAD else lines[:-1]
    rows = [_fields(line) for line in whole if line and not line.startswith(_DOCUMENT) and not _is_comment(line)]
    tagged = [row for row in rows if len(row) > 1 and _TYPED_TAG.fullmatch(row[-1])]
    return any(row[-1] != "O" for row in tagged) and len(tagged) >= _NEARLY_ALL * len(rows)


FORMAT = Format(
    name="iob",
    title="IOB columns",
    suffixes=(".conll", ".iob", ".bio", ".iob2"),
    reads="chunks (IOB1, IOB2, BIOES, BILOU) as units on the text that the tokens make, with their type as category; "
    "documents from -DOCSTART-. With "
    + mention("units", "tokens")
    + ": tokens as items, and every column after them as a question (column 2). Annotator, and otherwise document: "
    "from the path; or annotators from columns",
    ignores="further columns and comments",
    options={
        "column": "the number of the column with the tags; by default the last",
        "columns": "annotators and the numbers of their columns, if one file holds the tags of several: anna:3;bert:4",
        "token": "the number of the column with the tokens; by default 1",
        "scheme": "iob1, iob2 (bio) or bioes (bilou); by default detected from the tags",
    },
    names_annotators=lambda instructions: "columns" in instructions.options,
    labels_tokens=True,
    sniff=_sniff,
    read=read,
    write=write_iob,
)
