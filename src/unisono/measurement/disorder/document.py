"""γ, or text-γ, document by document: numbers in columns, and what each document looks like."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Generic, TypeVar, overload

import numpy as np

from unisono.alignment.aligned import Aligned
from unisono.alignment.solution import relative_gap
from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.chance.sampling import Expectation, means_and_errors
from unisono.data import Corpus, Document
from unisono.errors import DataError
from unisono.results import DOCUMENT

A = TypeVar("A", bound=Aligned)
E = TypeVar("E", bound=Expectation)

SERIOUS = 0.5
"""A unitary alignment that costs at least this fraction of an empty unit is a serious disagreement. Without any, the
interval reaches down to the Poisson limit of 3.69 missing units; without that floor, intervals of short documents with
high agreement cover the true value in 53 to 82% of cases only."""
NONE = -1


@dataclass(frozen=True, eq=False)
class DocumentColumns:
    """All that a value for the corpus needs of its documents: one row per document, costs in units of Δ∅.

    Results are computed from these numbers only, so alignments and random samples need not be kept.

    Attributes
    ----------
    n_units, n_annotators : int64 array, shape (n_documents,)
        How many units a document has, and how many annotators worked on it.
    size : float64 array, shape (n_documents,)
        x̄, the mean number of units per annotator.
    total, bound : float64 array, shape (n_documents,)
        What the best alignment costs, and what none costs less than; NaN if there is none.
    n_aligned : int64 array, shape (n_documents,)
        How many units the alignment has.
    serious : bool array, shape (n_documents,)
        Whether it has a serious disagreement.
    parts : float64 array, shape (n_documents, n_kinds)
        Its cost by what differs.
    model : int64 array, shape (n_documents,)
        The number of the chance model; documents with the same number share one.
    mean, error, gap : float64 array, shape (n_documents,)
        What chance gives: see `Expectation`; NaN if that cannot be estimated.
    n_samples : int64 array, shape (n_documents,)
        The number of random annotation sets.
    undefined, notes : int64 array, shape (n_documents,)
        Index into `reasons`, -1 if there is a value; index into `remarks`.
    kinds : tuple of str
        What can differ.
    reasons : tuple of str
        Why documents have no value.
    remarks : tuple of tuple of str
        What a reader should know about the value of a document.
    """

    n_units: IntArray
    n_annotators: IntArray
    size: FloatArray
    total: FloatArray
    bound: FloatArray
    n_aligned: IntArray
    serious: BoolArray
    parts: FloatArray
    model: IntArray
    mean: FloatArray
    error: FloatArray
    gap: FloatArray
    n_samples: IntArray
    undefined: IntArray
    notes: IntArray
    kinds: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    remarks: tuple[tuple[str, ...], ...] = ((),)

    def __len__(self) -> int:
        return len(self.n_units)

    @classmethod
    def joined(cls, pieces: Sequence[DocumentColumns]) -> DocumentColumns:
        """Put the columns of several batches of documents one below the other."""
        if len(pieces) == 1:
            return pieces[0]
        kinds = tuple(dict.fromkeys(kind for piece in pieces for kind in piece.kinds))
        reasons = tuple(dict.fromkeys(reason for piece in pieces for reason in piece.reasons))
        remarks = tuple(dict.fromkeys([(), *(notes for piece in pieces for notes in piece.remarks)]))
        recoded = [
            replace(
                piece,
                parts=_placed(piece.parts, [kinds.index(kind) for kind in piece.kinds], len(kinds)),
                undefined=np.array([*map(reasons.index, piece.reasons), NONE], np.int64)[piece.undefined],
                notes=np.array([*map(remarks.index, piece.remarks)], np.int64)[piece.notes],
            )
            for piece in pieces
        ]
        columns = {name: np.concatenate([getattr(piece, name) for piece in recoded]) for name in ARRAYS}
        return cls(**columns, kinds=kinds, reasons=reasons, remarks=remarks)

    @property
    def aligned(self) -> BoolArray:
        """Whether there is an alignment: several annotators worked on the document."""
        return np.asarray(~np.isnan(self.total))

    @property
    def sampled(self) -> BoolArray:
        """Whether the disorder expected by chance is known."""
        return np.asarray(~np.isnan(self.mean))


ARRAYS = tuple(field.name for field in fields(DocumentColumns) if field.name not in ("kinds", "reasons", "remarks"))


def expectations(chances: Sequence[Expectation | None]) -> dict[str, Any]:
    """Return the columns of what chance gives for each document."""
    distinct = {id(one): one for one in chances if one is not None}
    found = dict(zip(distinct, means_and_errors([*distinct.values()]), strict=True))
    nothing = (np.nan, np.nan, np.nan, 0)
    numbers = [nothing if one is None else (*found[id(one)], one.gap, one.n_samples) for one in chances]
    mean, error, gap, n_samples = np.array(numbers, dtype=np.float64).reshape(len(chances), 4).T
    return {"mean": mean, "error": error, "gap": gap, "n_samples": n_samples.astype(np.int64)}


class LazyAlignments(Mapping[str, A], ABC):
    """The best alignment of each document, by its name, made when it is asked for.

    Parameters
    ----------
    corpus : Corpus
        The documents.
    aligned : iterable of int
        Those that have an alignment.
    """

    def __init__(self, corpus: Corpus, aligned: Iterable[int]) -> None:
        self._corpus = corpus
        self._places = {corpus.documents[index]: index for index in aligned}
        self._made: dict[str, A] = {}

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __getitem__(self, name: str) -> A:
        if name not in self._made:
            self._made[name] = self._make(Document(self._corpus, self._places[name]))
        return self._made[name]

    @abstractmethod
    def _make(self, document: Document) -> A:
        """Align a document, or put together what is known of it."""


@dataclass(frozen=True, slots=True)
class KnownExpectation:
    """What chance gives, if the random samples themselves were not kept."""

    mean: float
    error: float
    gap: float
    n_samples: int


class Documents(Sequence["DocumentResult[A, E]"]):
    """The documents of a result: their values as columns, and each of them as a `DocumentResult`.

    Parameters
    ----------
    names : sequence of str
        The documents' names.
    columns : DocumentColumns
        Their numbers.
    delta_empty : float
        Δ∅, what an empty unit costs.
    alignments : mapping
        Name to alignment, of those that have one.
    chances : mapping
        Number of a chance model to what it gives, as far as that was kept.
    """

    def __init__(
        self,
        names: Sequence[str],
        columns: DocumentColumns,
        delta_empty: float,
        alignments: Mapping[str, A],
        chances: Mapping[int, E],
    ) -> None:
        self.names = names
        self.columns = columns
        self.delta_empty = delta_empty
        self.alignments = alignments
        self.chances = chances

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, index: int) -> DocumentResult[A, E]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[DocumentResult[A, E]]: ...

    def __getitem__(self, index: int | slice) -> DocumentResult[A, E] | Sequence[DocumentResult[A, E]]:
        places = range(len(self))[index]
        return DocumentResult(self, places) if isinstance(places, int) else [DocumentResult(self, i) for i in places]

    def __iter__(self) -> Iterator[DocumentResult[A, E]]:
        return (DocumentResult(self, index) for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Documents):
            return NotImplemented
        return len(self) == len(other) and all(map(DocumentResult.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} documents>"

    @cached_property
    def observed(self) -> FloatArray:
        """δ_o of each document; NaN without an alignment or units."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = self.columns.total * self.delta_empty / self.columns.size
        return np.where(self.columns.size > 0, found, np.nan)

    @cached_property
    def expected(self) -> FloatArray:
        """δ_e of each document; NaN if it cannot be estimated."""
        return np.where(self.columns.aligned, self.columns.mean * self.delta_empty, np.nan)

    @cached_property
    def values(self) -> FloatArray:
        """γ = 1 - δ_o/δ_e; 1 if all annotators agree exactly; NaN where it is undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = 1 - self.observed / np.where(self.expected > 0, self.expected, np.nan)
        found = np.where(self.observed == 0, 1.0, found)
        return np.where(self.columns.undefined == NONE, found, np.nan)

    @cached_property
    def usable(self) -> BoolArray:
        """Whether each document counts in the value of the corpus."""
        return np.asarray(~np.isnan(self.observed) & (self.expected > 0))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class DocumentResult(Generic[A, E]):
    """γ, or text-γ, of one document."""

    owner: Documents[A, E]
    index: int

    @property
    def document(self) -> str:
        """Its name."""
        return self.owner.names[self.index]

    @property
    def n_units(self) -> int:
        """How many units it has."""
        return int(self.owner.columns.n_units[self.index])

    @property
    def n_annotators(self) -> int:
        """How many annotators worked on it."""
        return int(self.owner.columns.n_annotators[self.index])

    @property
    def alignment(self) -> A | None:
        """The best alignment; None with fewer than two annotators."""
        return self.owner.alignments.get(self.document)

    @property
    def chance(self) -> E | KnownExpectation | None:
        """The disorder expected by chance; None if it cannot be estimated."""
        columns, index = self.owner.columns, self.index
        if np.isnan(columns.mean[index]):
            return None
        kept = self.owner.chances.get(int(columns.model[index]))
        if kept is not None:
            return kept
        mean, error, gap = (float(column[index]) for column in (columns.mean, columns.error, columns.gap))
        return KnownExpectation(mean, error, gap, int(columns.n_samples[index]))

    @property
    def undefined(self) -> str | None:
        """Why there is no value, if there is none."""
        code = int(self.owner.columns.undefined[self.index])
        return None if code == NONE else self.owner.columns.reasons[code]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the value."""
        return self.owner.columns.remarks[int(self.owner.columns.notes[self.index])]

    @property
    def value(self) -> float | None:
        """γ = 1 - observed/expected; 1 if all annotators agree exactly."""
        return _known(self.owner.values, self.index)

    @property
    def observed(self) -> float | None:
        """δ_o, the least disorder."""
        return _known(self.owner.observed, self.index)

    @property
    def expected(self) -> float | None:
        """δ_e, the mean disorder of random annotations."""
        return _known(self.owner.expected, self.index)

    @property
    def usable(self) -> bool:
        """Whether the document counts in the value of the corpus."""
        return bool(self.owner.usable[self.index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DocumentResult) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.document, self.n_units))

    def __repr__(self) -> str:
        value = f"undefined ({self.undefined})" if self.value is None else f"{self.value:.4f}"
        return f"DocumentResult({self.document!r}, {value}, {self.n_units} units, {self.n_annotators} annotators)"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        columns, index = self.owner.columns, self.index
        total = _known(columns.total, index)
        error = None if total is None else _known(columns.error, index)
        found = {
            "document": self.document,
            "value": self.value,
            "observed": self.observed,
            "expected": self.expected,
            "expected_error": None if error is None else error * self.owner.delta_empty,
            "undefined": self.undefined,
            "n_units": self.n_units,
            "n_annotators": self.n_annotators,
            "n_samples": int(columns.n_samples[index]),
            "optimality_gap": None if total is None else relative_gap(total, columns.bound.item(index)),
            "notes": list(self.notes),
        }
        return {name: found[name] for name in DOCUMENT}


def alignment_of(document: DocumentResult[A, E]) -> A:
    """Return a document's alignment, which must exist."""
    if document.alignment is None:
        raise DataError(f"document {document.document!r} has no alignment")
    return document.alignment


def _placed(parts: FloatArray, places: Sequence[int], n_kinds: int) -> FloatArray:
    wide = np.zeros((len(parts), n_kinds))
    wide[:, places] = parts
    return wide


def _known(column: FloatArray, index: int) -> float | None:
    number: float = column.item(index)  # several times faster than with NumPy's numbers
    return None if number != number else number
