"""The labels to choose from, and how far they are apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from unisono.data import Label
from unisono.dissimilarity.category import Distance, Nominal
from unisono.dissimilarity.difference_sums import Differences
from unisono.errors import OptionError, listed


@dataclass(frozen=True)
class Weighing:
    """A distance, bound to the labels of the data."""

    distance: Distance
    labels: Sequence[Label]

    @cached_property
    def differences(self) -> Differences:
        """How much the labels that occur differ."""
        return self.distance.differences(self.labels)

    @cached_property
    def known(self) -> Sequence[Label]:
        """The labels that the distance knows of, whether they occur or not."""
        return self.distance.known_labels(self.labels)

    @cached_property
    def known_total(self) -> float:
        """The sum of the differences over all pairs of these labels."""
        each = np.ones(len(self.known))
        return self.distance.differences(self.known).total(each, each)

    def among(self, n_categories: int | None) -> tuple[int, float]:
        """Return the number of categories and the sum of the differences over all ordered pairs of them.

        A number of categories can be given where all are equally far apart; other weights need the categories' names.
        """
        known = len(self.known)
        if n_categories is None or n_categories == known:
            return known, self.known_total
        if isinstance(self.distance, Nominal):
            return n_categories, float(n_categories * (n_categories - 1))
        raise OptionError.about(
            "categories",
            f"categories={n_categories}, but the weights of only {known} are known; name all of them in order, "
            f"e.g. weights=quadratic({','.join(map(str, self.known[:3]))},…), or pass a matrix",
        )

    def refuse_above_one(self) -> None:
        """Raise an error if the distance between two labels is above 1."""
        self.distance.check_within_one()
        if self._greatest > 1:
            raise OptionError(
                f"{self.distance} reaches {self._greatest:g}, but must be between 0 and 1 here; divide it by that value"
            )

    @cached_property
    def _greatest(self) -> float:
        return self.distance.greatest(self.labels)


@dataclass(frozen=True)
class Scale:
    """The labels to choose from."""

    labels: Sequence[Label]  # those that occur in the data
    # whether there are just two, one category and all others together, which differ completely
    one_or_other: bool = False
    _weighings: dict[int, tuple[Any, Weighing]] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Scale, (self.labels, self.one_or_other)  # what is bound can be bound again

    def n_categories(self, given: int | None = None) -> int:
        """Return the number of categories: the number that occur, or the number given."""
        if given is None or self.one_or_other:
            return len(self.labels)
        if given < len(self.labels):
            shown = listed(self.labels)
            message = f"categories={given} is less than the {len(self.labels)} that occur: {shown}"
            raise OptionError.about("categories", message)
        return given

    def weighing(self, given: Any, make: Callable[[Any], Distance]) -> Weighing:
        """Bind the distance or weights; only once, because there are many documents."""
        if self.one_or_other:
            return Weighing(Nominal(), self.labels)
        if id(given) not in self._weighings:
            self._weighings[id(given)] = given, Weighing(make(given), self.labels)
        return self._weighings[id(given)][1]
