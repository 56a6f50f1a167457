"""Corpora, ratings or normalizations put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from unisono.arrays import BoolArray
from unisono.data import Corpus, Data, Export, Normalizations, Question, Ratings
from unisono.data.anchors import joined_anchors
from unisono.data.corpus import Bounds
from unisono.data.labels import MISSING, feature
from unisono.data.left_out import EXAMPLE
from unisono.data.ratings import unlabelled
from unisono.data.unit_kinds import summed_others
from unisono.errors import DataError, OptionError
from unisono.formats.collected_labels import SEVERAL, as_kind

_Value = TypeVar("_Value")
_UNLIKE = "items of which files have different texts"


def merge(
    corpora: Sequence[Corpus],
    *,
    worked: Iterable[tuple[str, str]] = (),
    continuum: Bounds | None = None,
    source: str = "",
) -> Corpus:
    """Put corpora together, at least one; documents of the same name are the same document.

    `worked` are pairs of document and annotator who worked on it, besides those who have units there; `continuum` is
    the start and end of every document's continuum.
    """
    pairs = [*(pair for corpus in corpora for pair in _worked(corpus)), *worked]
    documents = list(dict.fromkeys([*(name for corpus in corpora for name in corpus.documents), *dict(pairs)]))
    names = dict.fromkeys(name for corpus in corpora for name in corpus.features)
    merged = Corpus.from_columns(
        documents=documents,
        annotators=[name for corpus in corpora for name in corpus.annotators],
        document=[corpus.documents[d] for corpus in corpora for d in corpus.document.tolist()],
        annotator=[corpus.annotators[a] for corpus in corpora for a in corpus.annotator.tolist()],
        start=_positions([corpus.start for corpus in corpora]),
        end=_positions([corpus.end for corpus in corpora]),
        anchors=joined_anchors([(corpus.anchors, corpus.start, corpus.end) for corpus in corpora]),
        features={name: [label for corpus in corpora for label in _labels(corpus, name)] for name in names},
        worked=pairs,
        bounds=_bounds(corpora) if continuum is None else dict.fromkeys(documents, continuum),
        texts=_common(chain.from_iterable(_by_name(corpus, corpus.texts) for corpus in corpora)),
        source=source,
        origins=dict(chain.from_iterable(_by_name(corpus, corpus.origins) for corpus in reversed(corpora))),
        tokens={corpus.documents[d]: spans for corpus in reversed(corpora) for d, spans in corpus.tokens.items()},
        schemas=_schemas(corpora),
        dropped=summed_dropped(corpora),
    )
    return replace(merged, others=summed_others(corpus.others for corpus in corpora))


def merge_ratings(parts: Sequence[Ratings], files: Sequence[Path], *, source: str = "") -> Ratings:
    """Put ratings of several files together; documents, items and annotators of the same name are the same."""
    annotators = _numbered(name for part in parts for name in part.annotators)
    documents = _numbered(name for part in parts for name in part.documents)
    places = [
        [(part.documents[d], str(item)) for d, item in zip(part.document.tolist(), part.items, strict=True)]
        for part in parts
    ]
    number = _numbered(chain.from_iterable(places))
    said, n_unlike = _item_texts(parts, places, files)
    question = _common_question(parts)
    parts = [_with_empty_sets(part, question) for part in parts]
    labels = feature([as_kind(label, question.kind) for part in parts for label in part.labels])
    recoded = np.split(labels.codes, np.cumsum([len(part.labels) for part in parts])[:-1])
    codes = unlabelled(len(number), len(annotators))
    for part, own, new, path in zip(parts, places, recoded, files, strict=True):
        cells = np.ix_([number[place] for place in own], [annotators[name] for name in part.annotators])
        given = np.append(new, MISSING)[part.codes]
        _check_labelled_once((codes[cells] >= 0) & (given >= 0), part, path)
        codes[cells] = np.where(given >= 0, given, codes[cells])
    counted = all(isinstance(item, int) for part in parts for item in part.items)
    return Ratings(
        items=[int(item) if counted else item for _, item in number],
        annotators=tuple(annotators),
        documents=tuple(documents),
        document=np.fromiter((documents[name] for name, _ in number), np.int64, count=len(number)),
        codes=codes,
        labels=labels.labels,
        question=question,
        texts=tuple(map(said.get, number)) if said else None,
        source=source,
        dropped=summed_dropped(parts) + Counter({_UNLIKE: n_unlike} if n_unlike else {}),
    )


def _with_empty_sets(part: Ratings, question: Question) -> Ratings:
    """Return a file's labels with an empty set where its only annotator, who saw the item, gave none.

    This is for files in which nobody chose several names, while somebody did in others.
    """
    if question.kind != "sets" or part.question.kind == "sets" or len(part.annotators) != 1:
        return part
    codes = np.where(part.codes < 0, len(part.labels), part.codes)
    return replace(part, codes=codes, labels=(*part.labels, ()))


def _common_question(parts: Sequence[Ratings]) -> Question:
    """Return what annotators were asked; if answers are sets in one of the files, they are in all."""
    asked = [part.question for part in parts]
    return next((one for one in asked if one.kind in SEVERAL), next((one for one in asked if one.kind), asked[0]))


def _item_texts(
    parts: Sequence[Ratings], places: Sequence[Sequence[Any]], files: Sequence[Path]
) -> tuple[dict[Any, str], int]:
    """Return what items say, the first file counts, and of how many another file says something else.

    If most of the items that a file shares with earlier ones say something else there, their names, such as running
    numbers, stand for other things, and there is nothing to compare.
    """
    known: dict[Any, str] = {}
    unlike: set[Any] = set()
    for part, own, path in zip(parts, places, files, strict=True):
        said = [(place, text) for place, text in zip(own, part.texts or (), strict=False) if text is not None]
        shared = [(place, text) for place, text in said if place in known]
        others = [(place, text) for place, text in shared if text.split() != known[place].split()]
        if len(others) > len(shared) / 2:
            place, text = others[0]
            raise DataError(
                f"the item {place[1]!r} is {text!r:.60} here, but {known[place]!r:.60} in another file; "
                "give items names that stand for the same in all files",
                path=path,
            )
        unlike |= {place for place, _ in others}
        for place, text in said:
            known.setdefault(place, text)
    return known, len(unlike)


def merge_normalizations(parts: Sequence[Normalizations], files: Sequence[Path], *, source: str = "") -> Normalizations:
    """Put normalizations of several files together; documents and annotators of the same name are the same."""
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
    made = Normalizations.from_annotators(
        [word for tokens in merged.values() for word in tokens.original],
        cells["norm"],
        mod=cells["mod"],
        type=cells["type"],
        document=[name for name, tokens in merged.items() for _ in tokens.original],
        sentence=None if None in sentences else sentences,
        source=source,
    )
    return replace(made, dropped=summed_dropped(parts))


@dataclass(frozen=True)
class _Tokens:
    """The tokens of one document as texts, and what each annotator gave, by (what, annotator)."""

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
        """The cells of annotators who did not work on the document."""
        return [None] * len(self.original)

    def joined(self, other: _Tokens, name: str, path: Path) -> _Tokens:
        """Add what other annotators gave in another file."""
        if self.original != other.original:
            pairs = enumerate(zip_longest(self.original, other.original), start=1)
            place, (one, two) = next((place, pair) for place, pair in pairs if pair[0] != pair[1])
            raise DataError(
                f"token {place} of document {name!r} is {two!r} here but {one!r} in another file; make the tokens the "
                "same, or give the documents different names",
                path=path,
            )
        both = sorted({who for _, who in self.cells} & {who for _, who in other.cells})
        if both:
            raise DataError(
                f"the annotator {both[0]!r} normalizes document {name!r} in another file too; remove one, or give the "
                "documents different names",
                path=path,
            )
        return _Tokens(self.original, self.sentence or other.sentence, self.cells | other.cells)


def only_for_units(parameter: str, where: str, data: Data) -> OptionError:
    """Explain that a parameter is invalid for other data than units."""
    what = "ratings, labels of given items" if isinstance(data, Ratings) else "normalizations, rewritten words"
    return OptionError(f"only units on a continuum use it, and {where} holds {what}", parameter)


def _schemas(corpora: Iterable[Corpus]) -> dict[str, tuple[str, ...]]:
    """Put together what tools say about layers, each thing once."""
    said: dict[str, dict[str, None]] = {}
    for corpus in corpora:
        for kind, texts in corpus.schemas.items():
            said.setdefault(kind, {}).update(dict.fromkeys(texts))
    return {kind: tuple(texts) for kind, texts in said.items()}


def summed_dropped(parts: Iterable[Data | Export]) -> Counter[str]:
    """Add up what was left out; where examples are given, the first counts."""
    found: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for part in parts:
        for what, n in part.dropped.items():
            found[shown.setdefault(what.split(EXAMPLE)[0], what)] += n
    return found


def _bounds(corpora: Sequence[Corpus]) -> dict[str, Bounds]:
    """Return each document's continuum; recordings, in seconds, go from the first start to the last end."""
    given = [(corpus.documents[d], bounds) for corpus in corpora for d, bounds in corpus.bounds.items()]
    if {corpus.start.dtype.kind for corpus in corpora if corpus.n_units} != {"f"}:
        return _common(given)
    widest: dict[str, Bounds] = {}
    for name, (low, high) in given:
        before = widest.get(name, (low, high))
        widest[name] = (min(low, before[0]), max(high, before[1]))
    return widest


def _common(items: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Make a dictionary; no file may silently win over another."""
    common: dict[Any, Any] = {}
    for key, value in items:
        if common.setdefault(key, value) != value:
            what = f"document {key!r}" if isinstance(key, str) else f"{key[1]!r} on document {key[0]!r}"
            thing = "continuum" if isinstance(key, str) else "text"
            raise DataError(f"two files have a different {thing} for {what}; make them agree")
    return common


def _check_labelled_once(twice: BoolArray, part: Ratings, path: Path) -> None:
    if twice.any():
        row, who = np.argwhere(twice)[0].tolist()
        document = part.documents[int(part.document[row])]
        raise DataError(
            f"the annotator {part.annotators[who]!r} labels the item {str(part.items[row])!r} of document {document!r} "
            "in another file too; remove one, or give the documents different names",
            path=path,
        )


def _numbered(names: Iterable[_Value]) -> dict[_Value, int]:
    """Assign numbers to distinct things in the order of their first appearance."""
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _positions(parts: Sequence[Any]) -> Any:
    """Concatenate; parts without units do not matter for whether positions are whole."""
    return np.concatenate([part for part in parts if len(part)] or [np.zeros(0, dtype=np.int64)])


def _labels(corpus: Corpus, name: str) -> Iterable[Any]:
    return corpus.features[name].values() if name in corpus.features else [None] * corpus.n_units


def _worked(corpus: Corpus) -> Iterator[tuple[str, str]]:
    return ((corpus.documents[d], corpus.annotators[a]) for d, a in np.argwhere(corpus.worked).tolist())


def _by_name(corpus: Corpus, versions: Mapping[tuple[int, int], _Value]) -> Iterator[tuple[tuple[str, str], _Value]]:
    """Name the documents and annotators of a mapping by index."""
    return (((corpus.documents[d], corpus.annotators[a]), value) for (d, a), value in versions.items())
