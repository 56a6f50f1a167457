"""Corpora, ratings or normalizations put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from unisono.arrays import BoolArray
from unisono.data import Corpus, Data, Normalizations, Ratings
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
    bounds = {} if continuum is not None else _bounds(corpora)
    texts = _common(
        (
            ((corpus.documents[d], corpus.annotators[a]), text)
            for corpus in corpora
            for (d, a), text in corpus.texts.items()
        )
    )
    origins = {
        (corpus.documents[d], corpus.annotators[a]): origin
        for corpus in reversed(corpora)
        for (d, a), origin in corpus.origins.items()
    }
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
        origins=origins,
        tokens={corpus.documents[d]: spans for corpus in reversed(corpora) for d, spans in corpus.tokens.items()},
        dropped=sum((Counter(corpus.dropped) for corpus in corpora), Counter()),
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


def merge_normalizations(parts: Sequence[Normalizations], files: Sequence[Path], *, source: str = "") -> Normalizations:
    """Put normalizations together; documents and annotators of the same name are the same.

    Parameters
    ----------
    parts : sequence of Normalizations
        At least one.
    files : sequence of Path
        Where each part comes from, for messages.
    source : str
        Where all of them come from.
    """
    merged: dict[str, _Tokens] = {}
    for part, path in zip(parts, files, strict=True):
        for index, name in enumerate(part.documents):
            tokens = _Tokens.of(part, index)
            merged[name] = tokens if name not in merged else merged[name].joined(tokens, name, path)
    annotators = list(dict.fromkeys(name for part in parts for name in part.annotators))
    cells = {
        what: {
            who: [text for tokens in merged.values() for text in tokens.cells.get((what, who), tokens.nothing)]
            for who in annotators
        }
        for what in ("norm", "mod", "type")
    }
    sentences = [number for tokens in merged.values() for number in tokens.sentence or tokens.nothing]
    return Normalizations.from_annotators(
        [word for tokens in merged.values() for word in tokens.original],
        cells["norm"],
        mod=cells["mod"],
        type=cells["type"],
        document=[name for name, tokens in merged.items() for _ in tokens.original],
        sentence=None if None in sentences else sentences,
        source=source,
    )


@dataclass(frozen=True)
class _Tokens:
    """The tokens of one document as texts, and by what and whom what was given."""

    original: list[str]
    sentence: list[Any] | None
    cells: dict[tuple[str, str], list[str | None]]

    @classmethod
    def of(cls, part: Normalizations, document: int) -> _Tokens:
        """Take those of one document."""
        first, last = np.searchsorted(part.document, (document, document + 1)).tolist()
        cells: dict[tuple[str, str], list[str | None]] = {}
        for what, codes, texts in (
            ("norm", part.norm, part.forms),
            ("mod", part.mod, part.forms),
            ("type", part.type, part.types),
        ):
            for who, column in zip(part.annotators, () if codes is None else codes[first:last].T, strict=False):
                if (column >= 0).any():
                    cells[what, who] = [None if code < 0 else texts[code] for code in column.tolist()]
        return cls(
            [part.forms[code] for code in part.original[first:last].tolist()],
            None if part.sentence is None else part.sentence[first:last].tolist(),
            cells,
        )

    @property
    def nothing(self) -> list[None]:
        """What somebody has who did not work on the document."""
        return [None] * len(self.original)

    def joined(self, other: _Tokens, name: str, path: Path) -> _Tokens:
        """Add what other annotators gave in another file."""
        if self.original != other.original:
            pairs = enumerate(zip_longest(self.original, other.original), start=1)
            place, (one, two) = next((place, pair) for place, pair in pairs if pair[0] != pair[1])
            raise DataError(
                f"token {place} of document {name!r} is {two!r} here and {one!r} in another file; make the tokens the "
                "same, or name the documents differently",
                path=path,
            )
        both = sorted({who for _, who in self.cells} & {who for _, who in other.cells})
        if both:
            raise DataError(
                f"the annotator {both[0]!r} normalizes document {name!r} in another file too; remove one, or name the "
                "documents differently",
                path=path,
            )
        return _Tokens(self.original, self.sentence or other.sentence, self.cells | other.cells)


def only_for_units(option: str, where: str, data: Data) -> OptionError:
    """Say that an option makes no sense with other data than units."""
    what = "ratings, labels of given items" if isinstance(data, Ratings) else "normalizations, rewritten words"
    return OptionError(f"only units on a continuum use it, and {where} holds {what}", option)


def _bounds(corpora: Sequence[Corpus]) -> dict[str, Bounds]:
    """Give each document's continuum; recordings, in seconds, go from the first begin to the last end."""
    given = [(corpus.documents[d], bounds) for corpus in corpora for d, bounds in corpus.bounds.items()]
    if {corpus.start.dtype.kind for corpus in corpora if corpus.n_units} != {"f"}:
        return _common(given)
    widest: dict[str, Bounds] = {}
    for name, (low, high) in given:
        before = widest.get(name, (low, high))
        widest[name] = (min(low, before[0]), max(high, before[1]))
    return widest


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
        raise OptionError(f"{continuum!r} should be two numbers, where it begins and ends", "continuum") from None
    if not (np.isfinite([low, high]).all() and low <= high):
        raise OptionError(f"{low:g} to {high:g} should begin before it ends", "continuum")
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
