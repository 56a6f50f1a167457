"""Who annotated what, if files do not say it and no pattern is given: it is guessed from the files' names.

A way to read the paths is taken if they allow it. Whether it is the right one is then checked against the texts:
versions of one document are alike, different documents are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from unisono.data import Corpus
from unisono.data.likeness import ALIKE, in_common
from unisono.errors import DataError, mention
from unisono.formats.format import FolderWriting
from unisono.formats.patterns import PathNames, Pattern, parse_pattern

_WORDS_ALIKE = 0.5
"""Versions of a text have at least this share of neighbouring words in common; different texts have far less."""


def assumed_pattern(files: Sequence[Path], writings: Iterable[FolderWriting] = ()) -> Pattern:
    """Find the way in which the paths of several files say who annotated what.

    A folder that `write` made says it. If files in folders side by side have the same names, folders are annotators. If
    names are such as text1.anna.xml or text1_anna.xml, with at least two files per document, they say both. Otherwise
    all files are versions of one document.
    """
    above = {file.absolute().parent.parent for file in files}
    for writing in writings:
        if all(map(writing.wrote, above)):
            return parse_pattern(writing.pattern)
    suffixes = {file.suffix for file in files}
    suffix = suffixes.pop() if len(suffixes) == 1 else ".*"
    names = [file.name for file in files]
    if len(set(names)) < len(names):
        if len(above) > 1:
            raise _unclear("files of the same name are not in folders side by side", files[0], suffix)
        return parse_pattern(f"{{annotator}}/{{document}}{suffix}")
    within = [parse_pattern(f"{{document}}{mark}{{annotator}}{suffix}") for mark in "._"]
    fitting = {pattern: found for pattern in within if (found := _versions(pattern, files))}
    if len({_grouping(found) for found in fitting.values()}) > 1:
        raise _unclear("the files' names can be read in several ways", files[0], suffix)
    shortest = min(fitting, key=lambda pattern: len(fitting[pattern][0].annotator or ""), default=None)
    return shortest or parse_pattern(f"{{annotator}}{suffix}")


def check_alike(files: Mapping[Path, tuple[PathNames, Corpus]], pattern: Pattern) -> None:
    """Reject files that would be versions of one document but have different texts."""
    first: dict[str | None, Path] = {}
    for path, (names, corpus) in files.items():
        other = first.setdefault(names.document, path)
        if other != path and not _alike(files[other][1], corpus):
            raise DataError(
                f"the text differs from that of {other}, though both would be versions of one document if the paths "
                f"are {pattern.text}; say what they are, e.g. {mention('pattern', _other_way(pattern))}",
                path=path,
            )


def check_single_versions(files: Mapping[Path, Corpus]) -> None:
    """Reject two files with the same annotator and document."""
    seen: dict[tuple[str, str], Path] = {}
    for path, corpus in files.items():
        for document, annotator in _pairs(corpus):
            other = seen.setdefault((document, annotator), path)
            if other != path:
                raise DataError(
                    f"the document {document!r} of annotator {annotator!r} is in {other} too; leave one out, or say "
                    f"where annotator and document are named ({mention('pattern')}, {mention('annotator_from')})",
                    path=path,
                )


def check_distinct_units(files: Mapping[Path, Corpus]) -> None:
    """Reject a unit of the same annotator in the same document in two files: they are versions, not parts."""
    if len(files) < 2:
        return
    seen: dict[tuple[str, str], list[tuple[Path, Corpus]]] = {}
    for path, corpus in files.items():
        for version in _pairs(corpus):
            earlier = seen.setdefault(version, [])
            units = _units(corpus, version) if earlier else set()
            for other, before in earlier:
                for start, end, _ in units & _units(before, version):
                    raise DataError(
                        f"the unit {start:g}–{end:g} of {version[1]!r} in the document {version[0]!r} is in {other} "
                        "too; measure the files separately, or compare them with `compare`",
                        path=path,
                    )
            earlier.append((path, corpus))


def check_same_texts(files: Mapping[Path, Corpus]) -> None:
    """Reject documents of the same name with different texts in different files: such names are only numbers."""
    first: dict[str, tuple[Path, str]] = {}
    for path, corpus in files.items():
        for name, text in _texts(corpus).items():
            other, before = first.setdefault(name, (path, text))
            if other != path and not _same_text(before, text):
                raise DataError(
                    f"the document {name!r} has another text than in {other}; name documents by a field that "
                    f"distinguishes them (one of the format's {mention('options')}), or measure the files separately",
                    path=path,
                )


def _pairs(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Iterate over (document, annotator) of those who worked."""
    return ((corpus.documents[d], corpus.annotators[a]) for d, a in np.argwhere(corpus.worked).tolist())


def _units(corpus: Corpus, version: tuple[str, str]) -> set[tuple[float, float, str]]:
    document, annotator = version
    units = corpus[document].units
    return {(unit.start, unit.end, repr(unit.features)) for unit in units if unit.annotator == annotator}


def _versions(pattern: Pattern, files: Sequence[Path]) -> list[PathNames]:
    """Return what the pattern finds if it finds at least two files of each document; otherwise nothing."""
    found = [names for file in files if (names := pattern.names(file.name)) is not None]
    n_versions = Counter(names.document for names in found)
    return found if len(found) == len(files) and min(n_versions.values()) > 1 else []


def _grouping(found: Sequence[PathNames]) -> tuple[int, ...]:
    """Return the number of each file's document, in the order of first appearance."""
    number: dict[str | None, int] = {}
    return tuple(number.setdefault(names.document, len(number)) for names in found)


def _unclear(why: str, path: Path, suffix: str) -> DataError:
    example = mention("pattern", f"{{annotator}}/{{document}}{suffix}")
    message = f"{why}, so it is unclear who annotated what; say where annotator and document are named, e.g. {example}"
    return DataError(message, path=path)


def _other_way(pattern: Pattern) -> str:
    """Return another pattern as an example: annotator and document swapped, or one folder per annotator."""
    if "{document}" not in pattern.text:
        return f"{{annotator}}/{pattern.text.replace('{annotator}', '{document}')}"
    swapped = {"{annotator}": "{document}", "{document}": "{annotator}"}
    first, second = sorted(swapped, key=pattern.text.index)
    return pattern.text.replace(second, "\0").replace(first, second).replace("\0", first)


def _alike(one: Corpus, other: Corpus) -> bool:
    """Whether documents of the same name are versions of one text; recordings have no text to compare."""
    first, second = _texts(one), _texts(other)
    return all(_same_text(first[name], second[name]) for name in first.keys() & second.keys())


def _texts(corpus: Corpus) -> dict[str, str]:
    return {corpus.documents[document]: text for (document, _), text in corpus.texts.items()}


def _same_text(one: str, other: str) -> bool:
    """Whether texts are alike by neighbouring words (Dice), or by characters if words changed."""
    if one == other:
        return True
    first, second = (Counter(pairwise(["", *text.split()])) for text in (one, other))
    n_all = first.total() + second.total()
    if n_all and 2 * (first & second).total() / n_all >= _WORDS_ALIKE:
        return True
    return in_common(one, other) >= ALIKE
