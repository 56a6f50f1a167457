"""How unlike two units are, as pygamma-agreement has it, and what unisono calls the same."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.compat.pygamma_units import Segment, Unit
from unisono.dissimilarity.category import Distance, Matrix, Nominal
from unisono.dissimilarity.combined import Units

CATEGORY = "category"
"""The feature that holds the label of a unit."""


class AbstractDissimilarity(ABC):
    """How unlike two units are. A subclass defines `d(unit1, unit2)`; a compiled `d_mat` is not needed.

    Attributes
    ----------
    categories : tuple of str or None
        The labels that it knows, if it knows them.
    delta_empty : float
        Δ∅, what an empty unit costs.
    """

    def __init__(self, categories: Iterable[str] | None = None, delta_empty: float = 1.0) -> None:
        self.categories = None if categories is None else tuple(sorted(set(categories)))
        self.delta_empty = delta_empty

    @abstractmethod
    def d(self, unit1: Unit, unit2: Unit) -> float:
        """Compare two units."""

    def gamma_options(self) -> dict[str, Any]:
        """Return what `unisono.gamma` takes for it: here, `d` for every pair of units."""
        return {"delta_empty": self.delta_empty, "dissimilarity": self._of_pairs, "features": [CATEGORY]}

    def _of_pairs(self, u: Units, v: Units) -> FloatArray:
        pairs = zip(_units(u), _units(v), strict=True)
        return np.fromiter((self.d(one, other) for one, other in pairs), np.float64, count=len(u.start))


class PositionalSporadicDissimilarity(AbstractDissimilarity):
    """d_pos, equation (3) of Mathet et al. (2015)."""

    def __init__(self, delta_empty: float = 1.0) -> None:
        super().__init__(delta_empty=delta_empty)

    def d(self, unit1: Unit, unit2: Unit) -> float:
        """Compare two units by their positions."""
        one, other = unit1.segment, unit2.segment
        apart = abs(one.start - other.start) + abs(one.end - other.end)
        length = one.duration + other.duration
        if not length:
            return 0.0 if not apart else float("inf")
        return (apart / length) ** 2 * self.delta_empty

    def gamma_options(self) -> dict[str, Any]:
        """Return what `unisono.gamma` takes for it: no category counts."""
        return {"delta_empty": self.delta_empty, "features": []}


class CategoricalDissimilarity(AbstractDissimilarity):
    """How unlike two units are by their labels. A subclass defines `d`, too."""

    distance: Distance | None = None
    """What unisono calls the same; None if only `d` tells."""

    def gamma_options(self) -> dict[str, Any]:
        """Return what `unisono.gamma` takes for it: positions do not count."""
        if self.distance is None:
            return super().gamma_options()
        return {"alpha": 0.0, "delta_empty": self.delta_empty, "features": [CATEGORY], "distance": self.distance}


class AbsoluteCategoricalDissimilarity(CategoricalDissimilarity):
    """0 for equal labels, Δ∅ for others."""

    distance = Nominal()

    def __init__(self, delta_empty: float = 1.0) -> None:
        super().__init__(None, delta_empty)

    def d(self, unit1: Unit, unit2: Unit) -> float:
        """Compare two units by their labels."""
        return float(unit1.annotation != unit2.annotation) * self.delta_empty


class PrecomputedCategoricalDissimilarity(CategoricalDissimilarity):
    """A table of values from 0 to 1, rows and columns in the alphabetical order of the labels."""

    def __init__(self, categories: Iterable[str], matrix: Any, delta_empty: float = 1.0) -> None:
        super().__init__(categories, delta_empty)
        assert self.categories is not None
        self.distance = Matrix(self.categories, np.asarray(matrix, dtype=np.float64))
        self._place = {label: place for place, label in enumerate(self.categories)}

    def d(self, unit1: Unit, unit2: Unit) -> float:
        """Compare two units by their labels."""
        assert isinstance(self.distance, Matrix)
        one, other = unit1.annotation, unit2.annotation
        if one is None or other is None:
            return float(one is not other) * self.delta_empty
        return float(self.distance.values[self._place[one], self._place[other]]) * self.delta_empty


class LambdaCategoricalDissimilarity(PrecomputedCategoricalDissimilarity):
    """A table that a subclass computes with `cat_dissim_func(label, label)`, divided by its largest value above 1."""

    def __init__(self, labels: Iterable[str], delta_empty: float = 1.0) -> None:
        names = sorted(set(labels))
        if not names:
            raise ValueError("there are no labels to compare")
        values = np.zeros((len(names), len(names)))
        for row, column in zip(*np.tril_indices(len(names), -1), strict=True):
            values[row, column] = values[column, row] = self.cat_dissim_func(names[row], names[column])
        super().__init__(names, values / max(1.0, float(values.max())), delta_empty)

    @staticmethod
    @abstractmethod
    def cat_dissim_func(str1: str, str2: str) -> float:
        """Compare two labels."""


class LevenshteinCategoricalDissimilarity(LambdaCategoricalDissimilarity):
    """Edits from one label to the other, divided by one more than the length of the longer one."""

    @staticmethod
    def cat_dissim_func(str1: str, str2: str) -> float:
        """Compare two labels."""
        from rapidfuzz.distance import Levenshtein

        return Levenshtein.distance(str1, str2) / (max(len(str1), len(str2)) + 1)


class OrdinalCategoricalDissimilarity(PrecomputedCategoricalDissimilarity):
    """Labels have places, 0, 1, 2 … unless given: how far apart they are, divided by the largest difference above 1."""

    def __init__(self, labels: Iterable[str], p: Iterable[float] | None = None, delta_empty: float = 1.0) -> None:
        names = [str(label) for label in labels]
        places = [*range(len(names))] if p is None else [*p]
        if len(set(names)) < len(names):
            raise ValueError("a label occurs twice")
        if len(places) != len(names):
            raise ValueError(f"there are {len(names)} labels, but {len(places)} places")
        if not names:
            raise ValueError("there are no labels to compare")
        order = np.argsort(names)
        place = np.asarray(places, dtype=np.float64)[order]
        values = np.abs(place[:, np.newaxis] - place)
        super().__init__(names, values / max(1.0, float(values.max())), delta_empty)


class NumericalCategoricalDissimilarity(OrdinalCategoricalDissimilarity):
    """Labels are numbers: their difference, divided by the largest one above 1."""

    def __init__(self, labels: Iterable[str], delta_empty: float = 1.0) -> None:
        names = [str(label) for label in labels]
        try:
            places = [float(name) for name in names]
        except ValueError as error:
            raise ValueError(f"labels must be numbers ({error})") from None
        super().__init__(names, places, delta_empty)


class CombinedCategoricalDissimilarity(AbstractDissimilarity):
    """α · d_pos + β · d_cat, equation (5)."""

    def __init__(
        self,
        alpha: float = 1.0,
        beta: float = 1.0,
        delta_empty: float = 1.0,
        pos_dissim: AbstractDissimilarity | None = None,
        cat_dissim: CategoricalDissimilarity | None = None,
    ) -> None:
        self.alpha, self.beta = alpha, beta
        self.positional_dissim = pos_dissim or PositionalSporadicDissimilarity(delta_empty)
        self.categorical_dissim = cat_dissim or AbsoluteCategoricalDissimilarity()
        self.categorical_dissim.delta_empty = delta_empty  # as pygamma-agreement does
        super().__init__(self.categorical_dissim.categories, delta_empty)

    def d(self, unit1: Unit, unit2: Unit) -> float:
        """Compare two units by their positions and labels."""
        position, category = self.positional_dissim.d(unit1, unit2), self.categorical_dissim.d(unit1, unit2)
        return self.alpha * position + self.beta * category

    def gamma_options(self) -> dict[str, Any]:
        """Return what `unisono.gamma` takes for it."""
        position, distance = self.positional_dissim, self.categorical_dissim.distance
        plain = type(position) is PositionalSporadicDissimilarity and position.delta_empty == self.delta_empty
        if not plain or distance is None:
            return super().gamma_options()
        weights = {"alpha": self.alpha, "beta": self.beta, "delta_empty": self.delta_empty}
        return {**weights, "features": [CATEGORY], "distance": distance}


def _units(columns: Units) -> Iterable[Unit]:
    labels = columns.features[CATEGORY]
    for start, end, label in zip(columns.start.tolist(), columns.end.tolist(), labels, strict=True):
        yield Unit(Segment(start, end), label)
