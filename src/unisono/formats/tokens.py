"""Tokens as items: what formats say about each, and whether those of several annotators' files are the same.

They are if their texts are, sentence by sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from unisono.data import Export, Label, Ratings
from unisono.data.ratings import taken
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected

Labelled: TypeAlias = Ratings | Export
_TOKEN = re.compile(r"[0-9]+-[0-9]+")
"""How tokens are named: by the numbers of their sentence and of their own."""


@dataclass
class LabelledTokens:
    """Tokens with what an annotator says about each, by column; each column becomes a question about all tokens."""

    _rows: list[_Row] = field(default_factory=list)

    def add(
        self,
        place: tuple[str, int, int],
        text: str,
        labels: Mapping[str, Label],
        *,
        annotator: str | None = None,
        line: int | None = None,
    ) -> None:
        """Add a token: its document, the number of its sentence there, and its own number in the sentence."""
        document, sentence, token = place
        self._rows.append(_Row(document, f"{sentence}-{token}", text, labels, annotator, line))

    def collect(self, collected: Collected) -> None:
        """Hand over the tokens as items.

        Where a column says nothing, the label is an empty set if others in the column are sets, otherwise None.
        """
        names = dict.fromkeys(name for row in self._rows for name in row.labels)
        for name in names:
            several = any(isinstance(row.labels.get(name), tuple) for row in self._rows)
            collected.question(name, "sets" if several else "names")
            for row in self._rows:
                collected.answer(
                    name,
                    row.item,
                    row.labels.get(name, () if several else None),
                    document=row.document,
                    annotator=row.annotator,
                    text=row.text,
                    line=row.line,
                )


class _Row(NamedTuple):
    document: str
    item: str
    text: str
    labels: Mapping[str, Label]
    annotator: str | None
    line: int | None


class _Sentence(NamedTuple):
    """What each token is and its line, by its number; and the file."""

    tokens: dict[int, tuple[str | None, int | None]]
    path: Path

    def differs(self, other: _Sentence) -> int | None:
        """Return the number of the first token that is not the same, if there is one; bad ones may not be there."""
        for number in sorted(self.tokens):
            if number in other.tokens and self.tokens[number][0] != other.tokens[number][0]:
                return number
        longest = min(max(self.tokens), max(other.tokens))
        return None if max(self.tokens) == max(other.tokens) else longest + 1


def same_tokens(parts: Sequence[tuple[Path, Labelled]], skip: Callable[[DataError], None]) -> list[Labelled]:
    """Return what files hold without sentences whose tokens differ from those of an earlier file.

    `skip` takes the error of each.
    """
    known: dict[tuple[str, str], _Sentence] = {}
    kept: list[Labelled] = []
    for path, data in parts:
        differing = set()
        for place, own in _sentences(path, data).items():
            first = known.setdefault(place, own)
            number = own.differs(first)
            if number is not None:
                skip(_difference(place, number, own, first))
                differing.add(place)
        kept.append(_without(data, differing) if differing else data)
    return kept


def _sentences(path: Path, data: Labelled) -> dict[tuple[str, str], _Sentence]:
    """Return the sentences of a file; each question is about all tokens."""
    ratings = data if isinstance(data, Ratings) else next(iter(data.questions.values()))
    nothing = [None] * len(ratings.items)
    rows = zip(ratings.items, _places(ratings), ratings.texts or nothing, ratings.lines or nothing, strict=True)
    found: dict[tuple[str, str], _Sentence] = {}
    for item, place, text, line in rows:
        if not _TOKEN.fullmatch(str(item)):
            problem = f"the labels are of items such as {str(item)[:40]!r}, not of tokens; use "
            raise DataError(problem + mention("units", "items"), path=path, line=line)
        found.setdefault(place, _Sentence({}, path)).tokens[int(str(item).rpartition("-")[2])] = text, line
    return found


def _places(ratings: Ratings) -> list[tuple[str, str]]:
    """Return the document and the sentence of each token."""
    documents = [ratings.documents[index] for index in ratings.document.tolist()]
    sentences = [str(item).partition("-")[0] for item in ratings.items]
    return list(zip(documents, sentences, strict=True))


def _difference(place: tuple[str, str], number: int, own: _Sentence, first: _Sentence) -> DataError:
    document, sentence = place
    where = f"sentence {sentence} of document {document!r}"
    if number in own.tokens and number in first.tokens:
        texts = f"{own.tokens[number][0]!r} here, but {first.tokens[number][0]!r} in another file"
        what = f"token {number} of {where} is {texts}"
    else:
        what = f"{where} has {max(own.tokens)} tokens here, but {max(first.tokens)} in another file"
    _, line = own.tokens.get(number) or own.tokens[max(own.tokens)]
    return DataError(
        f"{what}; make the tokens the same, or give the documents different names", path=own.path, line=line
    )


def _without(data: Labelled, sentences: set[tuple[str, str]]) -> Labelled:
    if isinstance(data, Export):
        questions: Mapping[str, Ratings] = {name: _kept(own, sentences) for name, own in data.questions.items()}
        return replace(data, questions=questions)
    return _kept(data, sentences)


def _kept(ratings: Ratings, sentences: set[tuple[str, str]]) -> Ratings:
    """Leave out some sentences; their annotators and documents stay, whether or not they have others."""
    rows = np.array([place not in sentences for place in _places(ratings)], np.bool_)
    return taken(ratings, rows, np.ones(len(ratings.annotators), np.bool_), np.ones(len(ratings.documents), np.bool_))
