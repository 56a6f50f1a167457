r"""CoNLL-U, the format of Universal Dependencies: one annotator's version of one or more documents.

Specification: universaldependencies.org/format.html. Words are units, at the positions of the tokens of the text. The
words of a multiword token share its position: each has its part if the parts add up to the token, otherwise all of it.
Values in MISC may be escaped: ``\s`` is a space, ``\t`` a tab, ``\r`` and ``\n`` end a line, ``\p`` a bar and
``\\`` a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from unisono.data import Label
from unisono.data.unit_kinds import RELATIONS
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import head_text, numbered_lines
from unisono.formats.format import Format
from unisono.formats.tokens import LabelledTokens
from unisono.formats.tools.words import Words, united

_COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
_ID = re.compile(r"(\d{1,9})(?:-(\d{1,9})|(\.)\d{1,9})?")
_COMMENT = re.compile(r"#\s*(newdoc(?:\s+id)?|text|global\.columns)\s*(?:=\s*(.*?)\s*)?")
_LAYOUT = ("SpaceAfter", "SpacesAfter", "SpacesBefore", "SpacesInToken", "NewPar", "TokenRange")
_TAKEN = ("type", "lemma", "upos", "xpos", "feats", "deprel")
_ESCAPES = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}
_ESCAPE = re.compile(r"\\([strnp\\])")
_EMPTY_NODES = "empty nodes, which are not in the text"
_NO_SPACE = re.compile(r"\S|$")


@collecting
def read(collected: Collected) -> None:
    """Read words as units, with lemma, upos, xpos, feats, deprel and the keys of MISC as features; or as items."""
    documents = _documents(collected)
    if collected.instructions.units == "tokens":
        _collect_tokens(documents, collected)
        return
    for name, sentences in documents.items():
        words = Words()
        placed = []
        for sentence in sentences:
            _check(sentence)
            placed.append(_add(sentence, words))
        words.collect(collected, name)
        for own in placed:
            _add_relations(own, collected, name)


class _Row(NamedTuple):
    """A line with a word, a multiword token or an empty node."""

    line: int
    id: str
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: str
    deprel: str
    deps: str
    misc: str


class _Placed(NamedTuple):
    """A word, and where it is in the text."""

    row: _Row
    place: tuple[int, int]


@dataclass
class _Sentence:
    """Where it begins, whether a document begins with it (then its name, or ""), its text if given, and its rows."""

    line: int = 0
    new_document: str | None = None
    text: str | None = None
    rows: list[_Row] = field(default_factory=list)
    error: DataError | None = None
    """What is wrong with one of its lines."""


@dataclass
class _Token:
    """A stretch of the text, and its words: one, or those of a multiword token."""

    row: _Row
    words: list[_Row]

    @property
    def space(self) -> str:
        """What follows, if the sentence goes on."""
        return "" if "SpaceAfter=No" in self.row.misc.split("|") else " "


def _documents(collected: Collected) -> dict[str, list[_Sentence]]:
    default = collected.instructions.document_of(collected.path)
    documents: dict[str, list[_Sentence]] = {}
    name = default
    for sentence in _sentences(collected):
        if sentence.new_document is not None or not documents:
            name = sentence.new_document or (f"{default} {len(documents) + 1}" if documents else default)
            if name in documents:
                raise DataError(f"the document {name!r} occurs twice; rename one", line=sentence.line)
            documents[name] = []
        documents[name].append(sentence)
    if not documents:
        raise DataError("there are no words in it; check that the file is complete")
    return documents


def _collect_tokens(documents: Mapping[str, Sequence[_Sentence]], collected: Collected) -> None:
    """Make items of words, and questions of columns; a sentence is one record."""
    table = LabelledTokens()
    for name, sentences in documents.items():
        for number, sentence in enumerate(sentences, start=1):
            with collected.record(sentence.line):
                _check(sentence)
                words = [word for token in _tokens(sentence.rows) for word in token.words]
                labels = [_with_head(word) for word in words]
                collected.drop(_EMPTY_NODES, sum("." in row.id for row in sentence.rows))
                for place, (word, own) in enumerate(zip(words, labels, strict=True), start=1):
                    table.add((name, number, place), word.form, own, line=word.line)
    table.collect(collected)


def _with_head(word: _Row) -> dict[str, Label]:
    """Return what the columns say about a word, with the number of its head, which means something if words agree."""
    labels = _labels(word)
    if "head" in labels:
        raise DataError("MISC has 'head', which is a column already; rename it", line=word.line)
    return labels if word.head == "_" else labels | {"head": word.head}


def _check(sentence: _Sentence) -> None:
    if sentence.error is not None:
        raise sentence.error


def _sentences(collected: Collected) -> Iterator[_Sentence]:
    sentence = _Sentence()
    for line, content in numbered_lines(collected.path):
        if not content.strip():
            if sentence.rows or sentence.error:
                yield sentence
                sentence = _Sentence()
            continue
        sentence.line = sentence.line or line
        try:
            if content.startswith("#"):
                _take_comment(content, sentence, line)
            else:
                sentence.rows.append(_row(content, line))
        except DataError as error:
            sentence.error = sentence.error or error
    if sentence.rows or sentence.error:
        yield sentence


def _row(content: str, line: int) -> _Row:
    fields = content.split("\t")
    if len(fields) != 10:
        raise DataError(f"the line has {len(fields)} columns, not 10, separated by tabs; correct it", line=line)
    return _Row(line, *fields)


def _take_comment(content: str, sentence: _Sentence, line: int) -> None:
    match = _COMMENT.fullmatch(content)
    if match is None:
        return
    kind, value = match[1], match[2] or ""
    if sentence.rows:
        raise DataError(f"there is a comment on {kind} within a sentence; insert an empty line before it", line=line)
    if kind == "global.columns" and value.split() != _COLUMNS.split():
        raise DataError("this is CoNLL-U Plus with other columns; convert it to CoNLL-U", line=line)
    if kind.startswith("newdoc"):
        sentence.new_document = value
    elif kind == "text" and match[2] is not None:
        sentence.text = value


def _add_relations(words: Mapping[str, _Placed], collected: Collected, document: str) -> None:
    """Add the dependencies of a sentence: from each word to its head; the root has none."""
    for word, place in words.values():
        label = None if word.deprel == "_" else word.deprel
        if word.head == "_" or not collected.wants(RELATIONS, {"category": label}):
            continue
        with collected.record(word.line):
            head = words.get(word.head)
            if head is None and word.head != "0":
                collected.endless(RELATIONS, f"word {word.id}", f"its head {word.head[:40]}", word.line)
            else:
                target = [] if head is None else [head.place]
                collected.relation([place], target, {"deprel": label}, document=document, line=word.line)


def _add(sentence: _Sentence, words: Words) -> dict[str, _Placed]:
    """Add a sentence to the text, on a separate line, and its words; return where they are, by their IDs."""
    placed: dict[str, _Placed] = {}
    if words.length:
        words.write("\n")
    tokens = _tokens(sentence.rows)
    words.dropped[_EMPTY_NODES] += sum("." in row.id for row in sentence.rows)
    text = sentence.text
    if text is None:
        text = "".join(piece for token in tokens for piece in (token.row.form, token.space)).rstrip(" ")
    at = 0
    for token in tokens:
        at = next(_NO_SPACE.finditer(text, at)).start()
        if not text.startswith(token.row.form, at):
            raise DataError(
                f"the form {token.row.form!r} does not follow in the sentence's comment on text; "
                "correct one of them, or remove the comment",
                line=token.row.line,
            )
        for word, start, end in _spans(token, words.length + at):
            words.add(start, end, word.line)
            placed[word.id] = _Placed(word, (start, end))
            for feature, label in _labels(word).items():
                words.label(feature, label)
        at += len(token.row.form)
    if rest := text[at:].strip():
        raise DataError(f"the comment on text goes on after the last word: {rest!r}; correct it", line=sentence.line)
    words.write(text)
    return placed


def _tokens(rows: Sequence[_Row]) -> list[_Token]:
    """Group words into the tokens that they belong to; empty nodes are not in the text."""
    tokens: list[_Token] = []
    number, last = 0, 0
    for row in rows:
        match = _ID.fullmatch(row.id)
        if match is None:
            raise DataError(f"the ID {row.id!r} should be a number, a range such as 1-2, or such as 1.1", line=row.line)
        if match[3]:
            continue
        first = int(match[1])
        if first != number + 1 or (match[2] and not last <= number < int(match[2])):
            expected = f"the ID is {row.id} where word {number + 1} is expected"
            raise DataError(f"{expected}; correct it, or end the sentence before it with an empty line", line=row.line)
        if match[2]:
            last = int(match[2])
            tokens.append(_Token(row, []))
            continue
        number = first
        if number > last:
            tokens.append(_Token(row, []))
        tokens[-1].words.append(row)
    if number < last:
        row = tokens[-1].row
        raise DataError(f"the multiword token {row.id} ends after word {number}; correct it", line=row.line)
    return tokens


def _spans(token: _Token, at: int) -> Iterator[tuple[_Row, int, int]]:
    """Iterate over the words of a token, each in its part if the parts add up to the token, otherwise in all of it."""
    forms = [word.form for word in token.words]
    if "".join(forms) == token.row.form:
        bounds = list(pairwise(accumulate(map(len, forms), initial=at)))
    else:
        bounds = [(at, at + len(token.row.form))] * len(forms)
    return ((word, start, end) for word, (start, end) in zip(token.words, bounds, strict=True))


def _labels(word: _Row) -> dict[str, Label]:
    """Return what the columns say about a word; different labels of one name make a set."""
    columns = {"lemma": word.lemma, "upos": word.upos, "xpos": word.xpos, "deprel": word.deprel}
    labels: dict[str, Label] = {
        name: label for name, label in columns.items() if label != "_" or (name == "lemma" and word.form == "_")
    }
    if word.feats != "_":
        labels["feats"] = tuple(sorted(set(word.feats.split("|"))))
    for entry in word.misc.split("|"):
        name, equals, value = entry.partition("=")
        if name in _TAKEN:
            raise DataError(f"MISC has {name!r}, which is a column already; rename it", line=word.line)
        if name in ("", "_", *_LAYOUT) or (equals and not value):
            continue
        label: Label = _ESCAPE.sub(lambda match: _ESCAPES[match[1]], value) if equals else True
        labels[name] = label if name not in labels else united(labels[name], label)
    return labels


def _sniff(head: bytes, path: Path) -> bool:
    if path.suffix.lower() in FORMAT.suffixes:
        return True
    lines = head_text(head).removeprefix("\ufeff").splitlines()
    fields = next((line for line in lines if line.strip() and not line.startswith("#")), "").split("\t")
    if len(fields) != 10:
        return False
    row = _Row(0, *fields)
    features = row.feats == "_" or "=" in row.feats
    return bool(re.fullmatch(r"1(-\d+)?|0\.1", row.id)) and features and (row.head == "_" or row.head.isdecimal())


FORMAT = Format(
    name="conllu",
    title="CoNLL-U",
    suffixes=(".conllu",),
    reads="words as units on the text (# text, else FORM and SpaceAfter); lemma, upos, xpos, feats, deprel and every "
    "key of MISC as features; documents from # newdoc id. With "
    + mention("units", "tokens")
    + ": words as items, with these columns and HEAD as questions. With "
    + mention("units", "relations")
    + ": dependencies, from each word (source) to its head (target), with deprel. Annotator, and otherwise document: "
    "from the path",
    ignores="DEPS, empty nodes, labels of multiword tokens and forms of their words, other comments",
    names_annotators=False,
    labels_tokens=True,
    composite=(RELATIONS,),
    sniff=_sniff,
    read=read,
)
