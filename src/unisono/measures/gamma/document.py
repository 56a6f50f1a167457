"""γ of one document."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from unisono.alignment.alignment import Alignment
from unisono.errors import DataError
from unisono.measures.gamma.categories import CategoryTally, tally
from unisono.measures.gamma.expected import Expected


@dataclass(frozen=True)
class DocumentResult:
    """γ of one document.

    Attributes
    ----------
    document : str
        Its name.
    n_units, n_annotators : int
        How many units it has, and how many annotators worked on it.
    alignment : Alignment or None
        The best alignment; None with fewer than two annotators.
    chance : Expected or None
        The random samples; None if there are none.
    undefined : str or None
        Why there is no value, if there is none.
    notes : tuple of str
        What one should know about the value.
    """

    document: str
    n_units: int
    n_annotators: int
    alignment: Alignment | None
    chance: Expected | None
    undefined: str | None
    notes: tuple[str, ...]

    @property
    def value(self) -> float | None:
        """γ = 1 - observed/expected; 1 where all annotators agree exactly."""
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

    @cached_property
    def categories(self) -> CategoryTally | None:
        """Sums over the aligned pairs, for γ_cat and γ_k."""
        if self.alignment is None:
            return None
        it = self.alignment
        return tally(it.annotations, it.dissimilarity, it.solution.table)

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        alignment, chance = self.alignment, self.chance
        return {
            "document": self.document,
            "value": self.value,
            "observed": self.observed,
            "expected": self.expected,
            "expected_error": None if chance is None or alignment is None else chance.error * alignment.delta_empty,
            "undefined": self.undefined,
            "n_units": self.n_units,
            "n_annotators": self.n_annotators,
            "n_samples": 0 if chance is None else len(chance.samples),
            "optimality_gap": None if alignment is None else alignment.optimality_gap,
            "notes": list(self.notes),
        }


def alignment_of(document: DocumentResult) -> Alignment:
    """Give a document's alignment, which must be there."""
    if document.alignment is None:
        raise DataError(f"document {document.document!r} has no alignment")
    return document.alignment


def chance_of(document: DocumentResult) -> Expected:
    """Give a document's random samples, which must be there."""
    if document.chance is None:
        raise DataError(f"document {document.document!r} has no random samples")
    return document.chance
