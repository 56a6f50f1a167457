"""γ, or text-γ, of one document."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from unisono.alignment.aligned import Aligned
from unisono.chance.sampling import Expectation
from unisono.errors import DataError
from unisono.results import DOCUMENT

A = TypeVar("A", bound=Aligned)
E = TypeVar("E", bound=Expectation)


@dataclass(frozen=True)
class DocumentResult(Generic[A, E]):
    """γ, or text-γ, of one document.

    Attributes
    ----------
    document : str
        Its name.
    n_units, n_annotators : int
        How many units it has, and how many annotators worked on it.
    alignment : Aligned or None
        The best alignment; None with fewer than two annotators.
    chance : Expectation or None
        The disorder expected by chance; None if it cannot be estimated.
    undefined : str or None
        Why there is no value, if there is none.
    notes : tuple of str
        What a reader should know about the value.
    """

    document: str
    n_units: int
    n_annotators: int
    alignment: A | None = field(repr=False)
    chance: E | None = field(repr=False)
    undefined: str | None
    notes: tuple[str, ...]

    @property
    def value(self) -> float | None:
        """γ = 1 - observed/expected; 1 if all annotators agree exactly."""
        if self.undefined is not None or self.observed is None:
            return None
        if self.observed == 0:
            return 1.0
        return None if not self.expected else 1 - self.observed / self.expected

    @property
    def observed(self) -> float | None:
        """δ_o, the least disorder."""
        return None if self.alignment is None else self.alignment.disorder

    @property
    def expected(self) -> float | None:
        """δ_e, the mean disorder of random annotations."""
        if self.chance is None or self.alignment is None:
            return None
        return self.chance.mean * self.alignment.delta_empty

    @property
    def usable(self) -> bool:
        """Whether the document counts in the value of the corpus."""
        return bool(self.alignment is not None and self.observed is not None and self.expected)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        alignment, chance = self.alignment, self.chance
        found = {
            "document": self.document,
            "value": self.value,
            "observed": self.observed,
            "expected": self.expected,
            "expected_error": None if chance is None or alignment is None else chance.error * alignment.delta_empty,
            "undefined": self.undefined,
            "n_units": self.n_units,
            "n_annotators": self.n_annotators,
            "n_samples": 0 if chance is None else chance.n_samples,
            "optimality_gap": None if alignment is None else alignment.optimality_gap,
            "notes": list(self.notes),
        }
        return {name: found[name] for name in DOCUMENT}


def alignment_of(document: DocumentResult[A, E]) -> A:
    """Return a document's alignment, which must exist."""
    if document.alignment is None:
        raise DataError(f"document {document.document!r} has no alignment")
    return document.alignment


def chance_of(document: DocumentResult[A, E]) -> E:
    """Return the disorder expected by chance for a document, which must exist."""
    if document.chance is None:
        raise DataError(f"document {document.document!r} has no random samples")
    return document.chance
