"""Corpora, or ratings, put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from unisono.arrays import BoolArray
from unisono.data import Corpus, Ratings
from unisono.data.corpus import Bounds
from unisono.data.labels import MISSING, feature
from unisono.data.ratings import unlabelled
from unisono.errors import DataError, OptionError


def merge(
    corpora: Sequence[Corpus],
    *,
    worked: Iterable[tuple[str, str]] = (),
    continuum: tuple[float, float] | None = None,
    source: str = "",
) -> Corpus:
    """Put corpora together; documents of the same name are the same document.

    Parameters
    ----------
    corpora : sequence of Corpus
        At least one.
    worked : iterable of (document, annotator)
        Who worked on what, besides those who have units there.
    continuum : (float, float), optional
        Begin and end of every document's continuum.
    source : str
        Where the corpora come from.
    """
    pairs = list(worked)
    bounds = _common(((corpus.documents[d], given) for corpus in corpora for d, given in corpus.bounds.items()))
    texts = _common(
        (
            ((corpus.documents[d], corpus.annotators[a]), text)
            for corpus in corpora
            for (d, a), text in corpus.texts.items()
        )
    )
    documents = list(dict.fromkeys([*(d for c in corpora for d in c.documents), *(d for d, _ in pairs)]))
    if continuum is not None:
        bounds = dict.fromkeys(documents, _checked(continuum))
    names = dict.fromkeys(name for corpus in corpora for name in corpus.features)
    return Corpus.from_columns(
        documents=documents,
        annotators=[name for corpus in corpora for name in corpus.annotators],
        document=[corpus.documents[d] for corpus in corpora for d in corpus.document.tolist()],
        annotator=[corpus.annotators[a] for corpus in corpora for a in corpus.annotator.tolist()],
        start=_positions([corpus.start for corpus in corpora]),
        end=_positions([corpus.end for corpus in corpora]),
        features={name: [label for corpus in corpora for label in _labels(corpus, name)] for name in names},
        worked=[*(pair for corpus in corpora for pair in _pairs(corpus)), *pairs],
        bounds=bounds,
        texts=texts,
        source=source,
    )


def merge_ratings(parts: Sequence[Ratings], files: Sequence[Path], *, source: str = "") -> Ratings:
    """Put ratings together; documents, items of a document and annotators of the same name are the same.

    Parameters
    ----------
    parts : sequence of Ratings
        At least one, with one row an item each.
    files : sequence of Path
        Where each part comes from, for messages.
    source : str
        Where all of them come from.
    """
    annotators = {name: i for i, name in enumerate(dict.fromkeys(name for part in parts for name in part.annotators))}
    documents = {name: i for i, name in enumerate(dict.fromkeys(name for part in parts for name in part.documents))}
    places = [list(zip(_document_names(part), map(str, part.items), strict=True)) for part in parts]
    number = {place: i for i, place in enumerate(dict.fromkeys(chain.from_iterable(places)))}
    labels = feature([label for part in parts for label in part.labels])
    renamed = np.split(labels.codes, np.cumsum([len(part.labels) for part in parts])[:-1])
    codes = unlabelled(len(number), len(annotators))
    for part, own, new, path in zip(parts, places, renamed, files, strict=True):
        cells = np.ix_([number[place] for place in own], [annotators[name] for name in part.annotators])
        given = np.append(new, MISSING)[part.codes]
        _refuse_labelled_twice((codes[cells] >= 0) & (given >= 0), part, path)
        codes[cells] = np.where(given >= 0, given, codes[cells])
    numbered = all(isinstance(item, int) for part in parts for item in part.items)
    return Ratings(
        items=[int(item) if numbered else item for _, item in number],
        annotators=tuple(annotators),
        documents=tuple(documents),
        document=np.fromiter((documents[name] for name, _ in number), np.int64, count=len(number)),
        codes=codes,
        labels=labels.labels,
        source=source,
    )


def only_for_units(option: str, where: str) -> OptionError:
    """Say that an option makes no sense with ratings."""
    return OptionError(f"--{option} is for units on a continuum, and {where} holds ratings, labels of given items")


def _common(items: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Make a dictionary, and refuse to let one file silently win over another."""
    common: dict[Any, Any] = {}
    for key, value in items:
        if common.setdefault(key, value) != value:
            what = f"document {key!r}" if isinstance(key, str) else f"{key[1]!r} on document {key[0]!r}"
            thing = "continuum" if isinstance(key, str) else "text"
            raise DataError(f"two files give a different {thing} for {what}; make them agree")
    return common


def _checked(continuum: tuple[float, float]) -> Bounds:
    try:
        low, high = map(float, continuum)
    except (TypeError, ValueError):
        raise OptionError(f"the continuum {continuum!r} should be two numbers, where it begins and ends") from None
    if not (np.isfinite([low, high]).all() and low <= high):
        raise OptionError(f"the continuum {low:g} to {high:g} should begin before it ends")
    return low, high


def _document_names(ratings: Ratings) -> list[str]:
    return [ratings.documents[d] for d in ratings.document.tolist()]


def _refuse_labelled_twice(twice: BoolArray, part: Ratings, path: Path) -> None:
    if twice.any():
        row, who = np.argwhere(twice)[0].tolist()
        document = part.documents[int(part.document[row])]
        raise DataError(
            f"the annotator {part.annotators[who]!r} labels the item {str(part.items[row])!r} of document {document!r} "
            "in another file too; remove one, or name the documents differently",
            path=path,
        )


def _positions(parts: Sequence[Any]) -> Any:
    """Concatenate; parts without units have no say in whether positions are whole."""
    return np.concatenate([part for part in parts if len(part)] or [np.zeros(0, dtype=np.int64)])


def _labels(corpus: Corpus, name: str) -> Iterable[Any]:
    return corpus.features[name].values() if name in corpus.features else [None] * corpus.n_units


def _pairs(corpus: Corpus) -> Iterable[tuple[str, str]]:
    return ((corpus.documents[d], corpus.annotators[a]) for d, a in np.argwhere(corpus.worked).tolist())
