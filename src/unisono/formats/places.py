"""Who annotated what, where files do not say it and no pattern is given: from the files' names, or not at all.

One way to read the paths is taken if they allow it. Whether it is the right one is then seen from the texts: versions
of one document are alike, different documents are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from unisono.data import Corpus
from unisono.data.likeness import ALIKE, in_common
from unisono.errors import DataError, mention
from unisono.formats.layouts import BRAT, is_written_for_brat
from unisono.formats.patterns import Pattern, Place, parse_pattern

_WORDS_ALIKE = 0.5
"""Versions of a text have at least this share of neighbouring words in common; different texts have far less."""


def assumed_pattern(files: Sequence[Path]) -> Pattern:
    """Find the way in which the paths of several files say who annotated what.

    Folders that were written for brat say it. If files in folders side by side have the same names, folders are
    annotators. If names are such as text1.anna.xml or text1_anna.xml, with at least two files a document, they say
    both. Else all files are versions of one document.
    """
    above = {file.absolute().parent.parent for file in files}
    if all(map(is_written_for_brat, above)):
        return parse_pattern(BRAT)
    suffixes = {file.suffix for file in files}
    suffix = suffixes.pop() if len(suffixes) == 1 else ".*"
    names = [file.name for file in files]
    if len(set(names)) < len(names):
        if len(above) > 1:
            raise _unclear("files of the same name do not lie in folders side by side", files[0], suffix)
        return parse_pattern(f"{{annotator}}/{{document}}{suffix}")
    within = [parse_pattern(f"{{document}}{mark}{{annotator}}{suffix}") for mark in "._"]
    fitting = {pattern: places for pattern in within if (places := _versions(pattern, files))}
    if len({_grouping(places) for places in fitting.values()}) > 1:
        raise _unclear("the files' names can be read in several ways", files[0], suffix)
    shortest = min(fitting, key=lambda pattern: len(fitting[pattern][0].annotator or ""), default=None)
    return shortest or parse_pattern(f"{{annotator}}{suffix}")


def refuse_unlike(files: Mapping[Path, tuple[Place, Corpus]], pattern: Pattern) -> None:
    """Refuse files that would be versions of one document and have different texts."""
    first: dict[str | None, Path] = {}
    for path, (place, corpus) in files.items():
        other = first.setdefault(place.document, path)
        if other != path and not _alike(files[other][1], corpus):
            raise DataError(
                f"the text is another than that of {other}, though both would be versions of one document if the paths "
                f"are {pattern.text}; say what they are, e.g. {mention('pattern', _other_way(pattern))}",
                path=path,
            )


def refuse_second_version(files: Mapping[Path, Corpus]) -> None:
    """Refuse two files of the same annotator and document."""
    seen: dict[tuple[str, str], Path] = {}
    for path, corpus in files.items():
        for document, annotator in np.argwhere(corpus.worked).tolist():
            version = corpus.documents[document], corpus.annotators[annotator]
            other = seen.setdefault(version, path)
            if other != path:
                raise DataError(
                    f"the document {version[0]!r} of annotator {version[1]!r} is in {other} too; leave one out, or say "
                    f"where annotator and document stand ({mention('pattern')}, {mention('annotator_from')})",
                    path=path,
                )


def refuse_same_units(files: Mapping[Path, Corpus]) -> None:
    """Refuse a unit of the same annotator in the same document in two files: they are versions, not parts."""
    seen: dict[tuple[str, str], list[tuple[Path, Corpus]]] = {}
    for path, corpus in files.items():
        for document, annotator in np.argwhere(corpus.worked).tolist():
            version = corpus.documents[document], corpus.annotators[annotator]
            earlier = seen.setdefault(version, [])
            units = _units(corpus, version) if earlier else set()
            for other, before in earlier:
                for start, end, _ in units & _units(before, version):
                    raise DataError(
                        f"the unit {start:g}–{end:g} of {version[1]!r} in the document {version[0]!r} is in {other} "
                        "too; measure the files apart, or compare them: unisono compare",
                        path=path,
                    )
            earlier.append((path, corpus))


def _units(corpus: Corpus, version: tuple[str, str]) -> set[tuple[float, float, str]]:
    document, annotator = version
    units = corpus[document].units
    return {(unit.start, unit.end, repr(unit.features)) for unit in units if unit.annotator == annotator}


def refuse_other_texts(files: Mapping[Path, Corpus]) -> None:
    """Refuse documents of the same name that have different texts in different files: such names are only numbers."""
    first: dict[str, tuple[Path, str]] = {}
    for path, corpus in files.items():
        for name, text in _texts(corpus).items():
            other, before = first.setdefault(name, (path, text))
            if other != path and not _same_text(before, text):
                raise DataError(
                    f"the document {name!r} has another text than in {other}; name documents by a field that tells "
                    "them apart (see unisono formats), or measure the files apart",
                    path=path,
                )


def _versions(pattern: Pattern, files: Sequence[Path]) -> list[Place]:
    """Give what the pattern finds if it finds at least two files of each document; else nothing."""
    places = [place for file in files if (place := pattern.place(file.name)) is not None]
    n_versions = Counter(place.document for place in places)
    return places if len(places) == len(files) and min(n_versions.values()) > 1 else []


def _grouping(places: Sequence[Place]) -> tuple[int, ...]:
    """Give each file the number of its document, in the order of first appearance."""
    number: dict[str | None, int] = {}
    return tuple(number.setdefault(place.document, len(number)) for place in places)


def _unclear(why: str, path: Path, suffix: str) -> DataError:
    return DataError(
        f"{why}, so it is not clear who annotated what; say where annotator and document stand, e.g. "
        + mention("pattern", f"{{annotator}}/{{document}}{suffix}"),
        path=path,
    )


def _other_way(pattern: Pattern) -> str:
    """Give another pattern as an example: annotator and document swapped, or a folder for each annotator."""
    if "{document}" not in pattern.text:
        return f"{{annotator}}/{pattern.text.replace('{annotator}', '{document}')}"
    swapped = {"{annotator}": "{document}", "{document}": "{annotator}"}
    first, second = sorted(swapped, key=pattern.text.index)
    return pattern.text.replace(second, "\0").replace(first, second).replace("\0", first)


def _alike(one: Corpus, other: Corpus) -> bool:
    """Tell whether documents of the same name are versions of one text.

    By neighbouring words (Dice), or by characters if words changed; recordings have no text to compare.
    """
    first, second = _texts(one), _texts(other)
    return all(_same_text(first[name], second[name]) for name in first.keys() & second.keys())


def _texts(corpus: Corpus) -> dict[str, str]:
    return {corpus.documents[document]: text for (document, _), text in corpus.texts.items()}


def _same_text(one: str, other: str) -> bool:
    if one == other:
        return True
    first, second = (Counter(pairwise(["", *text.split()])) for text in (one, other))
    n_all = first.total() + second.total()
    if n_all and 2 * (first & second).total() / n_all >= _WORDS_ALIKE:
        return True
    return in_common(one, other) >= ALIKE
