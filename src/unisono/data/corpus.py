"""Corpus and Document: columns inside, units outside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray, run, sorted_order
from unisono.data.anchors import Anchor, Anchors, tie_breakers
from unisono.data.annotation_set import AnnotationSet, sorted_set
from unisono.data.annotations import Annotations
from unisono.data.labels import Coded, Feature, Label, encode, feature
from unisono.data.selection import Steps, chosen, kept
from unisono.data.spans import Locate, Positions, checked_spans
from unisono.drawing import Drawn
from unisono.errors import DataError, OptionError, listed

Bounds: TypeAlias = tuple[float, float]
Origin: TypeAlias = tuple[str | Path, int | None]

_T = TypeVar("_T")
_MOST_VERSIONS = 10**8


class TokenText(NamedTuple):
    """A text whose tokens are the positions of a document.

    Attributes
    ----------
    text : str
        The text.
    tokens : int64 array, shape (n_tokens, 2)
        Where each token begins and ends, in characters.
    """

    text: str
    tokens: IntArray

    def characters(self, start: float, end: float) -> tuple[int, int]:
        """Return the characters from the beginning of a token to the end of the one before another."""
        n_tokens = len(self.tokens)
        first, last = (min(max(int(place), 0), n_tokens) for place in (start, end))
        if first < last:
            return int(self.tokens[first, 0]), int(self.tokens[last - 1, 1])
        place = len(self.text) if first == n_tokens else int(self.tokens[first, 0])
        return place, place


class CutMapping(ABC):
    """A mapping from documents, or annotators' versions of them, that gives those of some documents at once."""

    @abstractmethod
    def between(self, first: int, last: int) -> Iterator[tuple[Any, Any]]:
        """Iterate over keys and values of the documents from `first`, included, to `last`, excluded."""


class UnitColumns(NamedTuple):
    """The columns of some units: see `Corpus`."""

    document: IntArray
    annotator: IntArray
    start: Positions
    end: Positions
    features: Mapping[str, Feature]
    anchors: Anchors | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: who marked it, from where to where, its features, and its anchors unless it is a plain stretch.

    Attributes
    ----------
    annotator : str
        Who marked it.
    start, end : int or float
        Where it starts and ends; the end is exclusive.
    features : dict
        Its labels by the name of the feature; None where it has none.
    anchors : tuple of Anchor
        The ends of a relation, the parts of an event or the pieces of a unit; empty if it is a plain stretch.

    See Also
    --------
    Document, Corpus

    Examples
    --------
    >>> import unisono
    >>> unit = unisono.Unit("anna", 0, 4, {"category": "PER"})
    >>> unit.category, unit.end - unit.start
    ('PER', 4)
    """

    annotator: str
    start: int | float
    end: int | float
    features: Mapping[str, Label | None] = field(default_factory=dict)
    anchors: tuple[Anchor, ...] = ()

    @property
    def category(self) -> Label | None:
        """The feature named category, or the only feature there is."""
        if "category" in self.features:
            return self.features["category"]
        others = [label for name, label in self.features.items() if name != "type"] or [*self.features.values()]
        return others[0] if len(others) == 1 else None


@dataclass(frozen=True, eq=False)
class Corpus(Annotations, Drawn):
    """Documents and what annotators marked in them. Make one with `unisono.read` or `Corpus.from_columns`.

    Units are stored in columns, sorted by document, annotator and position. Nested, overlapping, identical
    and zero-length units are all kept.

    Attributes
    ----------
    documents, annotators : tuple of str
        Their names; annotators sorted, documents in the order of their first appearance.
    document, annotator : int64 array, shape (n_units,)
        Index into the names, unit by unit.
    start, end : int64 or float64 array, shape (n_units,)
        Positions; the end is exclusive. A unit with several anchors goes from the first to the last.
    features : dict of Feature
        Categories and other labels by name.
    worked : bool array, shape (n_documents, n_annotators)
        Who worked on which document; an annotator who did and has no unit there marked nothing.
    bounds : dict
        Document index to (start, end) of its continuum, if given.
    extents : dict
        Document index to (start, end) of all original units, if annotators or units have been left out since.
    texts : dict
        (document index, annotator index) to the text, where given.
    source : str
        Where the corpus comes from, for display.
    origins : dict
        (document index, annotator index) to the file and its line, where known, for messages.
    tokens : dict
        Document index to the start and end of its tokens, shape (n_tokens, 2), if the files contain tokens.
    counted : dict
        Document index to its text and tokens, if positions count tokens; `texts` is empty then.
    dropped : dict
        What was left out when it was read or prepared and why, with counts.
    preparation : tuple
        What was done to it before it was measured: (step, how), in order; results put it into their signature.
    anchors : Anchors or None
        The anchors of units, if some are relations, events or units in pieces; None if all units are plain.
    schemas : dict
        What the tool says about its layers, in its own form, so that they can be written back: by kind of schema.
    others : dict
        What the files hold besides: kind of units (spans, relations, events) to type to number.

    See Also
    --------
    Document, Unit, read, from_frame

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> corpus
    Corpus(1 documents, 2 annotators, 4 units, features: category)
    >>> corpus.annotators, corpus.n_units
    (('anna', 'bert'), 4)
    >>> corpus["document"].units[-1].category
    'ORG'
    """

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    document: IntArray
    annotator: IntArray
    start: Positions
    end: Positions
    features: Mapping[str, Feature]
    worked: BoolArray
    bounds: Mapping[int, Bounds] = field(default_factory=dict)
    extents: Mapping[int, Bounds] = field(default_factory=dict, repr=False)
    texts: Mapping[tuple[int, int], str] = field(default_factory=dict)
    source: str = ""
    origins: Mapping[tuple[int, int], Origin] = field(default_factory=dict, repr=False)
    tokens: Mapping[int, IntArray] = field(default_factory=dict, repr=False)
    counted: Mapping[int, TokenText] = field(default_factory=dict, repr=False)
    dropped: Mapping[str, int] = field(default_factory=dict)
    preparation: Steps = ()
    anchors: Anchors | None = None
    schemas: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    others: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @classmethod
    def from_columns(
        cls,
        *,
        annotator: Sequence[str],
        start: Any = None,
        end: Any = None,
        document: Sequence[str] | None = None,
        documents: Iterable[str] = (),
        annotators: Iterable[str] = (),
        features: Mapping[str, Iterable[Any]] | None = None,
        worked: Iterable[tuple[str, str]] = (),
        bounds: Mapping[str, Bounds] | None = None,
        texts: Mapping[tuple[str, str], str] | None = None,
        source: str = "",
        locate: Locate | None = None,
        origins: Mapping[tuple[str, str], Origin] | None = None,
        tokens: Mapping[str, Any] | None = None,
        dropped: Mapping[str, int] | None = None,
        anchors: Anchors | Iterable[Iterable[tuple[str, float, float]]] | None = None,
        schemas: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Corpus:
        """Make a corpus from columns of equal length, one row per unit.

        Parameters
        ----------
        annotator, document : sequence of str
            Names; all units belong to one document named "document" if none is given.
        start, end : sequence or array of numbers
            Positions, whole or not; the end is exclusive. They follow from `anchors`, if those are given.
        documents, annotators : iterable of str, optional
            Names besides those in the columns: documents in the desired order, annotators who
            worked on none of them.
        features : mapping, optional
            Feature name to labels; None where a unit has none.
        worked : iterable of (document, annotator), optional
            Who worked on what, besides those who have units there.
        bounds : mapping, optional
            Document to (start, end) of its continuum.
        texts : mapping, optional
            (document, annotator) to the text.
        source : str, optional
            Where the data comes from.
        locate : callable, optional
            Row to (file, line), for messages.
        origins : mapping, optional
            (document, annotator) to (file, line), for messages.
        tokens : mapping, optional
            Document to (start, end) of each of its tokens.
        dropped : mapping, optional
            What was left out and why, with counts.
        anchors : iterable, optional
            For each unit its anchors, (role, start, end) each, if some units are relations, events or units in pieces;
            the anchors of other units, and all pieces of a unit, have the role ``piece``.
        schemas : mapping, optional
            What the tool says about its layers, by the kind of schema.
        """
        features = {} if features is None else features
        bounds = {} if bounds is None else bounds
        texts = {} if texts is None else texts
        in_documents = Coded.of(["document"] * len(annotator) if document is None else document)
        by = Coded.of(annotator)
        if anchors is not None and not isinstance(anchors, Anchors):
            anchors = Anchors.of(anchors, locate)
        own = None if anchors is None else anchors.simplest()
        begin, finish = checked_spans(start, end, locate) if anchors is None else anchors.hull
        if not len(by) == len(in_documents) == len(begin):
            raise DataError("the columns of the units differ in length")
        for what, names_of in (("annotator", by), ("document", in_documents)):
            if None in names_of.values:
                row = int(np.flatnonzero(names_of.codes == names_of.values.index(None))[0])
                raise DataError(f"unit {row} has no {what}; add it")
        pairs = list(dict.fromkeys([*worked, *texts]))
        names = tuple(dict.fromkeys([*documents, *in_documents.values, *(name for name, _ in pairs), *bounds]))
        number = {name: index for index, name in enumerate(names)}
        _, people = encode([*by.values, *(name for _, name in pairs), *annotators])
        code_of = {name: code for code, name in enumerate(people)}
        where, who = in_documents.numbers(number), by.numbers(code_of)
        if len(names) * len(people) > _MOST_VERSIONS:
            raise DataError(f"{len(names):,} documents by {len(people):,} annotators are too many; check the names")
        present = np.zeros((len(names), len(people)), dtype=np.bool_)
        present[where, who] = True
        also = np.array([(number[name], code_of[person]) for name, person in pairs], np.int64).reshape(-1, 2)
        present[also[:, 0], also[:, 1]] = True
        columns = {name: feature(values) for name, values in features.items()}
        for name, column in columns.items():
            if len(column.codes) != len(where):
                raise DataError(f"the feature {name!r} has {len(column.codes)} labels for {len(where)} units")
        codes = [column.codes for column in reversed(columns.values())]
        order = sorted_order((*tie_breakers(own), *codes, finish, begin, who, where))
        corpus = cls(
            documents=names,
            annotators=people,
            document=where[order],
            annotator=who[order],
            start=begin[order],
            end=finish[order],
            features={name: column.take(order) for name, column in columns.items()},
            worked=present,
            bounds={number[name]: (float(low), float(high)) for name, (low, high) in bounds.items()},
            texts={(number[d], code_of[a]): text for (d, a), text in texts.items()},
            source=source,
            origins={(number[d], code_of[a]): origin for (d, a), origin in (origins or {}).items()},
            tokens={
                number[name]: np.asarray(spans, dtype=np.int64).reshape(-1, 2) for name, spans in (tokens or {}).items()
            },
            dropped=dict(dropped or {}),
            schemas=dict(schemas or {}),
            anchors=None if own is None else own.take(order),
        )
        corpus._check_bounds()
        return corpus

    @property
    def n_units(self) -> int:
        """Number of units in all documents."""
        return len(self.start)

    def n_units_of(self, annotator: str) -> int:
        """Return the number of units that an annotator marked."""
        return int((self.annotator == self.annotators.index(annotator)).sum())

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Document]:
        return (Document(self, index) for index in range(len(self.documents)))

    def __getitem__(self, name: str) -> Document:
        try:
            return Document(self, self.documents.index(name))
        except ValueError:
            raise KeyError(f"unknown document {name!r}") from None

    @property
    def unit_counts(self) -> IntArray:
        """How many units each annotator has in each document; shape (n_documents, n_annotators)."""
        shape = len(self.documents), len(self.annotators)
        flat = np.bincount(self.document * shape[1] + self.annotator, minlength=shape[0] * shape[1])
        return flat.reshape(shape).astype(np.int64)

    @property
    def sizes(self) -> IntArray:
        """How many units each document has; shape (n_documents,)."""
        return np.bincount(self.document, minlength=len(self.documents)).astype(np.int64)

    def part(self, first: int, last: int) -> Corpus:
        """Return the documents from `first`, included, to `last`, excluded, with the annotators and labels of all."""
        if (first, last) == (0, len(self.documents)):
            return self
        columns = self.columns_between(first, last)

        def own(given: Mapping[int, _T]) -> dict[int, _T]:
            if isinstance(given, CutMapping):
                return {index - first: one for index, one in given.between(first, last)}
            return {index - first: given[index] for index in range(first, last) if index in given} if given else {}

        def versions(given: Mapping[tuple[int, int], _T]) -> dict[tuple[int, int], _T]:
            if isinstance(given, CutMapping):
                return {(d - first, a): one for (d, a), one in given.between(first, last)}
            pairs = np.argwhere(self.worked[first:last]).tolist() if given else ()
            return {(d, a): given[first + d, a] for d, a in pairs if (first + d, a) in given}

        return Corpus(
            documents=self.documents[first:last],
            annotators=self.annotators,
            document=columns.document,
            annotator=columns.annotator,
            start=columns.start,
            end=columns.end,
            features=columns.features,
            worked=self.worked[first:last],
            bounds=own(self.bounds),
            extents=own(self.extents),
            texts=versions(self.texts),
            source=self.source,
            origins=versions(self.origins),
            tokens=own(self.tokens),
            counted=own(self.counted),
            dropped=self.dropped,
            preparation=self.preparation,
            schemas=self.schemas,
            anchors=columns.anchors,
            others=self.others,
        )

    def columns_between(self, first: int, last: int) -> UnitColumns:
        """Return the units of some documents, which are numbered from the first of these."""
        rows = run(self.document, first, last)
        return UnitColumns(
            self.document[rows] - first,
            self.annotator[rows],
            self.start[rows],
            self.end[rows],
            {name: column.take(rows) for name, column in self.features.items()},
            None if self.anchors is None else self.anchors.take(rows),
        )

    @property
    def _sizes(self) -> tuple[Any, ...]:
        return tuple(sorted(self.documents)), self.annotators, self.n_units

    @property
    def _content(self) -> dict[str, Any]:
        """Everything that each document contains, for comparison."""
        return {document.name: document._content for document in self}

    def __repr__(self) -> str:
        return (
            f"Corpus({len(self.documents)} documents, {len(self.annotators)} annotators, {self.n_units} units, "
            f"features: {', '.join(self.features) or 'none'})"
        )

    def select(
        self,
        *,
        annotators: Iterable[str] | None = None,
        documents: Iterable[str] | None = None,
        all_labels: bool = False,
    ) -> Corpus:
        """Keep some annotators, some documents, or both; documents that none of them worked on are removed, too.

        So are labels that no remaining unit has, unless all labels are to remain as possible choices.
        """
        keep_annotators = kept(self.annotators, annotators, "annotator")
        keep_documents = kept(self.documents, documents, "document")
        if annotators is not None:
            keep_documents = keep_documents & self.worked[:, keep_annotators].any(axis=1)
        units = keep_annotators[self.annotator] & keep_documents[self.document]
        new_document = np.cumsum(keep_documents) - 1
        new_annotator = np.cumsum(keep_annotators) - 1

        def versions(given: Mapping[tuple[int, int], _T]) -> dict[tuple[int, int], _T]:
            kept = ((d, a) for d, a in given if keep_documents[d] and keep_annotators[a])
            return {(int(new_document[d]), int(new_annotator[a])): given[d, a] for d, a in kept}

        return Corpus(
            documents=tuple(np.array(self.documents, dtype=object)[keep_documents]),
            annotators=tuple(np.array(self.annotators, dtype=object)[keep_annotators]),
            document=new_document[self.document[units]],
            annotator=new_annotator[self.annotator[units]],
            start=self.start[units],
            end=self.end[units],
            features={
                name: column.take(units) if all_labels else column.take(units).given()
                for name, column in self.features.items()
            },
            worked=self.worked[np.ix_(keep_documents, keep_annotators)],
            bounds={int(new_document[d]): bounds for d, bounds in self.bounds.items() if keep_documents[d]},
            extents={int(new_document[d]): extent for d, extent in self.all_extents().items() if keep_documents[d]},
            texts=versions(self.texts),
            source=self.source,
            origins=versions(self.origins),
            tokens={int(new_document[d]): spans for d, spans in self.tokens.items() if keep_documents[d]},
            counted={int(new_document[d]): text for d, text in self.counted.items() if keep_documents[d]},
            dropped=self.dropped,
            preparation=self._chosen(keep_annotators, annotators, keep_documents, documents),
            schemas=self.schemas,
            anchors=None if self.anchors is None else self.anchors.take(units).simplest(),
            others=self.others,
        )

    def _chosen(self, people: BoolArray, annotators: Any, texts: BoolArray, documents: Any) -> Steps:
        steps = self.preparation
        if annotators is not None:
            steps = chosen(steps, "annotators", self.annotators, people)
        return steps if documents is None else chosen(steps, "documents", self.documents, texts)

    def all_extents(self) -> dict[int, Bounds]:
        """Return the start and end of documents for which they are not given, as far as they are known."""
        # documents without texts, all at once: there may be thousands, and intervals leave them out one by one
        starts = np.searchsorted(self.document, np.arange(len(self.documents) + 1))
        marked = np.flatnonzero(np.diff(starts))
        low = np.minimum.reduceat(self.start, starts[marked]) if len(marked) else self.start
        high = np.maximum.reduceat(self.end, starts[marked]) if len(marked) else self.end
        limits = zip(low.astype(np.float64).tolist(), high.astype(np.float64).tolist(), strict=True)
        guessed = dict(zip(marked.tolist(), limits, strict=True))
        with_text = {document for document, _ in self.texts}.intersection(guessed)
        guessed |= {index: Document(self, index).bounds for index in with_text} | dict(self.extents)
        return {index: extent for index, extent in sorted(guessed.items()) if index not in self.bounds}

    def origin(self, document: int, annotator: int) -> dict[str, Any]:
        """Return the file and line of an annotator's version of a document, for a `DataError`."""
        path, line = self.origins.get((document, annotator), (None, None))
        return {"path": path, "line": line}

    def chosen_feature(self, name: str | None = None) -> str | None:
        """Choose the feature to use as the category: the given one, else the one named category, else the only one."""
        if name is not None:
            if name not in self.features:
                known = listed([*self.features]) or "none"
                raise OptionError.about("feature", f"unknown feature {name!r}; available: {known}")
            return name
        names = self.label_features
        if len(names) > 1:
            raise DataError(
                f"no feature is named category, and there are several: {listed(names)}; name the one that counts, "
                f"e.g. feature={names[-1]}"
            )
        return names[0] if names else None

    @property
    def label_features(self) -> tuple[str, ...]:
        """The features that may be the category: the one of that name, else all but a type that all units share."""
        if "category" in self.features:
            return ("category",)
        names = tuple(name for name, column in self.features.items() if column.labels) or tuple(self.features)
        if len(names) > 1 and "type" in names and len(self.features["type"].labels) <= 1:
            return tuple(name for name in names if name != "type")
        return names

    def _tables(self) -> Iterator[FloatArray]:
        for document in self:
            rows, low = self.rows(document.index), document.bounds[0]
            labels = [column.codes[rows] for column in self.features.values()]
            own = None if self.anchors is None else self.anchors.take(rows).simplest()
            anchors = [] if own is None else [own.table(low)]
            yield np.column_stack([self.start[rows] - low, self.end[rows] - low, *labels, *anchors]).astype(np.float64)

    def rows(self, index: int) -> slice:
        """Return the rows of one document's units."""
        return run(self.document, index, index + 1)

    def _check_bounds(self) -> None:
        for index, (low, high) in self.bounds.items():
            rows = self.rows(index)
            name = self.documents[index]
            if not low <= high:
                raise DataError(f"the continuum of document {name!r} ends ({high:g}) before it begins ({low:g})")
            if rows.stop > rows.start and (self.start[rows].min() < low or self.end[rows].max() > high):
                raise DataError(
                    f"document {name!r} has units outside its continuum {low:g} to {high:g}; "
                    "fix the positions or the bounds"
                )


@dataclass(frozen=True)
class Document:
    """One continuum of a corpus with the units of all who worked on it.

    Attributes
    ----------
    corpus : Corpus
        What it belongs to.
    index : int
        Its place among the documents of the corpus.

    See Also
    --------
    Corpus, Unit

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> document = corpus["document"]
    >>> document.name, document.annotators, document.n_units, document.bounds
    ('document', ('anna', 'bert'), 4, (0.0, 9.0))
    >>> document.units[0]
    Unit(annotator='anna', start=0, end=4, features={'category': 'PER'}, anchors=())
    """

    corpus: Corpus
    index: int

    @property
    def name(self) -> str:
        """The document's name."""
        return self.corpus.documents[self.index]

    @property
    def annotators(self) -> tuple[str, ...]:
        """Those who worked on the document, with or without units."""
        return tuple(self.corpus.annotators[i] for i in np.flatnonzero(self.corpus.worked[self.index]))

    @property
    def n_units(self) -> int:
        """Number of units of all annotators."""
        rows = self.corpus.rows(self.index)
        return int(rows.stop - rows.start)

    @property
    def bounds(self) -> Bounds:
        """Start and end of the continuum: as given, else the text's length, else the units' extent."""
        given = self.corpus.bounds.get(self.index, self.corpus.extents.get(self.index))
        if given is not None:
            return given
        rows = self.corpus.rows(self.index)
        starts, ends = self.corpus.start[rows].tolist(), self.corpus.end[rows].tolist()
        lengths = [len(text) for text in self._texts]
        origin = [0] if lengths or not starts else []
        return float(min(starts + origin)), float(max(ends + origin + lengths))

    @property
    def has_bounds(self) -> bool:
        """Whether the start and end of the continuum are given, or its text."""
        return self.index in self.corpus.bounds or bool(self._texts)

    @property
    def guessed_from_more(self) -> bool:
        """Whether start and end were guessed from units of which some have been left out since."""
        if self.index not in self.corpus.extents or self.has_bounds:
            return False
        rows = self.corpus.rows(self.index)
        if rows.stop == rows.start:
            return False
        return self.bounds != (self.corpus.start[rows].min(), self.corpus.end[rows].max())

    @property
    def text(self) -> str | None:
        """The text, if there is one and all annotators have the same."""
        texts = set(self._texts)
        return texts.pop() if len(texts) == 1 else None

    @property
    def texts_differ(self) -> bool:
        """Whether annotators have different texts."""
        return len(set(self._texts)) > 1

    @property
    def readable(self) -> str | None:
        """The text to show: the common one, or the one whose tokens are counted."""
        counted = self.corpus.counted.get(self.index)
        return self.text if counted is None else counted.text

    def characters(self, start: float, end: float) -> tuple[float, float]:
        """Return where a stretch begins and ends in the text to show; positions that are not tokens stay the same."""
        counted = self.corpus.counted.get(self.index)
        return (start, end) if counted is None else counted.characters(start, end)

    def quoting(self, annotator: str | None = None) -> Callable[[float, float], str | None]:
        """Return what gives the text of stretches, an annotator's own if texts differ; None where there is none.

        The text is looked up once: with many annotators, comparing their texts takes long.
        """
        text = self.readable
        if text is None and annotator is not None:
            text = self.corpus.texts.get((self.index, self.corpus.annotators.index(annotator)))

        def covered(start: float, end: float) -> str | None:
            first, last = self.characters(start, end)
            if text is None or first != int(first) or last != int(last) or not 0 <= first <= last <= len(text):
                return None
            return text[int(first) : int(last)]

        return covered

    @property
    def _texts(self) -> list[str]:
        if not self.corpus.texts:  # as in tables, of which there are large ones
            return []
        people = np.flatnonzero(self.corpus.worked[self.index]).tolist()
        return [self.corpus.texts[self.index, who] for who in people if (self.index, who) in self.corpus.texts]

    @property
    def units(self) -> list[Unit]:
        """All units, sorted by annotator and position."""
        rows = self.corpus.rows(self.index)
        names = [self.corpus.annotators[code] for code in self.corpus.annotator[rows].tolist()]
        labels = {name: column.take(rows).values() for name, column in self.corpus.features.items()}
        start, end = self.corpus.start[rows].tolist(), self.corpus.end[rows].tolist()
        anchors = self._anchors
        own = [()] * len(names) if anchors is None else anchors.listed()
        return [
            Unit(who, start[i], end[i], {name: column[i] for name, column in labels.items()}, own[i])
            for i, who in enumerate(names)
        ]

    @property
    def _anchors(self) -> Anchors | None:
        rows = self.corpus.rows(self.index)
        return None if self.corpus.anchors is None else self.corpus.anchors.take(rows)

    @property
    def _content(self) -> tuple[Any, ...]:
        """Everything that the document contains, for comparison."""
        units = [(unit.annotator, unit.start, unit.end, _given(unit.features), unit.anchors) for unit in self.units]
        people = np.flatnonzero(self.corpus.worked[self.index]).tolist()
        texts = {self.corpus.annotators[who]: self.corpus.texts.get((self.index, who)) for who in people}
        return sorted(units, key=repr), texts, self.corpus.bounds.get(self.index)

    def annotation_set(self, features: Sequence[str] = ()) -> AnnotationSet:
        """Return the units as arrays to compute with, with the codes of some features."""
        rows = self.corpus.rows(self.index)
        local = np.cumsum(self.corpus.worked[self.index]) - 1
        codes = [self.corpus.features[name].codes[rows] for name in features]
        return sorted_set(
            self.corpus.start[rows].astype(np.float64),
            self.corpus.end[rows].astype(np.float64),
            local[self.corpus.annotator[rows]],
            np.array(codes, dtype=np.int64).reshape(len(features), rows.stop - rows.start),
            int(self.corpus.worked[self.index].sum()),
            self.bounds,
            inferred=not self.has_bounds,
            anchors=None if self._anchors is None else self._anchors.as_floats(),
        )


def _given(features: Mapping[str, Label | None]) -> list[tuple[str, Label]]:
    return sorted((name, label) for name, label in features.items() if label is not None)
