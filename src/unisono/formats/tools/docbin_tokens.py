"""What a DocBin says about each token: tag, part of speech, lemma, dependency, head, morphology, entity."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from unisono.data import Label
from unisono.errors import DataError
from unisono.formats.tokens import LabelledTokens

Named = Callable[[int], str | None]
"""Gives the text that a number stands for."""

NO_MORPHOLOGY = "_"
"""What stands for an empty morphology; files do not list it among their texts."""

_TEXTS = {"tag": "TAG", "lemma": "LEMMA", "dep": "DEP"}
_IOB = {1: "I", 2: "O", 3: "B"}


def add_tokens(
    name: str, words: Sequence[str], columns: Mapping[str, Any], named: Named, table: LabelledTokens
) -> None:
    """Add the tokens of a document; they are all of one sentence, since not every file has sentences."""
    labels: list[dict[str, Label]] = [{} for _ in words]
    for feature, column in _TEXTS.items():
        _note(feature, [named(number) for number in _column(columns, column)], labels)
    _note("pos", [_part_of_speech(number) for number in _column(columns, "POS")], labels)
    morphology = [named(number) for number in _column(columns, "MORPH")]
    if any(text not in (None, NO_MORPHOLOGY) for text in morphology):
        members = [set((text or "").split("|")) - {"", NO_MORPHOLOGY} for text in morphology]
        _note("morph", [tuple(sorted(own)) for own in members], labels)
    _note("ent", _entities(columns, named), labels)
    if any(_column(columns, "DEP")):
        _note("head", _heads(_column(columns, "HEAD")), labels)
    for number, (word, own) in enumerate(zip(words, labels, strict=True), start=1):
        table.add((name, 1, number), word, own)


def _column(columns: Mapping[str, Any], name: str) -> list[int]:
    found: list[int] = columns[name].tolist() if name in columns else []
    return found


def _note(feature: str, found: Sequence[Label | None], labels: list[dict[str, Label]]) -> None:
    for own, label in zip(labels, found, strict=False):
        if label is not None:
            own[feature] = label


def _part_of_speech(number: int) -> str | None:
    from spacy.parts_of_speech import NAMES

    if number not in NAMES:
        raise DataError(f"the number {number} stands for no part of speech; save the file again")
    return NAMES[number] or None


def _entities(columns: Mapping[str, Any], named: Named) -> list[str | None]:
    """Return tags such as B-PER, if there is an entity."""
    kinds = [named(number) for number in _column(columns, "ENT_TYPE")]
    codes = _column(columns, "ENT_IOB")
    if not any(kinds):
        return []
    return [
        f"{_IOB[code]}-{kind}" if kind and code in (1, 3) else _IOB.get(code)
        for code, kind in zip(codes, kinds, strict=False)
    ]


def _heads(numbers: Sequence[int]) -> list[str]:
    """Return the numbers of heads, which a file stores as distances; 0 if a token is its own."""
    heads = []
    for place, number in enumerate(numbers):
        distance = number - 2**64 if number >= 2**63 else number
        if not 0 <= place + distance < len(numbers):
            raise DataError(f"the head of token {place + 1} is not within the document; save the file again")
        heads.append(str(place + 1 + distance) if distance else "0")
    return heads
