"""What results of γ have beyond other measures of disorder: agreement on categories, γ_cat and γ_k."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from unisono import tables
from unisono.alignment.alignment import Alignment
from unisono.arrays import FloatArray, IntArray
from unisono.data import Label
from unisono.measurement.disorder.result import DisorderResult, ranked_values
from unisono.measurement.gamma.categories import Agreement, agreements
from unisono.measurement.gamma.expected import ExpectedCategories
from unisono.results import VALUES, Line, Table, columns


@dataclass(frozen=True, eq=False, repr=False)
class GammaResult(DisorderResult[Alignment, ExpectedCategories]):
    """γ of a corpus; see `DisorderResult`.

    Attributes
    ----------
    feature : str or None
        The feature whose labels are the categories; None if there is none, or nothing was aligned.
    category_sums : float64 array, shape (4, 1 + n_categories)
        What agreement on categories is computed from: see `categories.summed`.
    label_counts : int64 array, shape (1 + n_categories,)
        How many units have no category, and how many have each.

    See Also
    --------
    gamma, Result, Alignment

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> result = unisono.gamma(corpus, precision=0.1)
    >>> round(result.gamma_cat, 3)
    0.505
    >>> {name: round(share, 3) for name, share in result.disagreement.items()}
    {'position': 0.02, 'category': 0.98, 'missing': 0.0}
    """

    feature: str | None
    category_sums: FloatArray
    label_counts: IntArray

    measure = "gamma"
    symbol = "γ"
    words: ClassVar[Mapping[str, str]] = {
        "position": "boundaries",
        "category": "categories",
        "missing": "missing units",
        "source": "sources",
        "target": "targets",
        "ends": "ends of relations",
    }

    @property
    def gamma_cat(self) -> float | None:
        """γ_cat: agreement on categories, given the alignment."""
        return self._categorical[0][0]

    @property
    def gamma_cat_undefined(self) -> str | None:
        """Why γ_cat has no value, if it has none."""
        return self._categorical[0][3]

    @cached_property
    def per_category(self) -> Any:
        """Frame: γ_k of each category."""
        return tables.frame(columns(self.categories(), ("category", *VALUES, "n_units")))

    @cached_property
    def rows(self) -> Mapping[str, list[dict[str, Any]]]:
        """One table, categories: γ_k of each category, agreement on it given the alignment."""
        return {"categories": self._categories()}

    def _categories(self) -> list[dict[str, Any]]:
        return [
            {"category": label, **_values(*self._categorical[k]), "n_units": int(self.label_counts[k])}
            for k, label in enumerate(self._labels, start=1)
        ]

    def more_lines(self) -> list[Line]:
        """Return γ_cat, if it has a value."""
        if self.gamma_cat is None:
            return []
        return [Line("γ_cat", self.gamma_cat, "agreement on categories, given the alignment")]

    def tables(self) -> list[Table]:
        """Return tables for display, the worst first: documents and categories."""
        categories = self.categories()
        if len(categories) < 2:
            return super().tables()
        return [*super().tables(), ranked_values("category", "γ_k", categories, self.feature)]

    def more_data(self) -> dict[str, Any]:
        """Return γ_cat, its components, and the feature whose labels are the categories."""
        found = {"feature": self.feature, **_values(*self._categorical[0])}
        return {**super().more_data(), "gamma_cat": found}

    @property
    def _labels(self) -> tuple[Label, ...]:
        return () if self.feature is None else self.corpus.features[self.feature].labels

    @cached_property
    def _categorical(self) -> list[Agreement]:
        """Value, observed, expected, and why undefined: for all pairs, then category by category."""
        if self.feature is None:
            return [(None, None, None, "units have no category")]
        return agreements(self.category_sums)


def _values(
    value: float | None, observed: float | None, expected: float | None, undefined: str | None
) -> dict[str, Any]:
    return {"value": value, "observed": observed, "expected": expected, "undefined": undefined}
