"""An edition: one annotator's text, and the units in it, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

from unisono.arrays import ComparedByContent, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Layer(ComparedByContent):
    """The units of one type in one edition, in the order of the text."""

    # shape (n_units,): positions in symbols; the end is exclusive
    start: IntArray
    end: IntArray
    # shape (n_features, n_units): labels of the features that units of this type have; -1 where there is none
    codes: IntArray

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.start)


@dataclass(frozen=True, slots=True, eq=False)
class Edition(ComparedByContent):
    """One annotator's text and units."""

    text: IntArray  # the text's symbols, as indices into an `Alphabet`
    layers: tuple[Layer, ...]  # the units, type by type

    @property
    def n_units(self) -> int:
        """Number of units of all types."""
        return sum([len(layer.start) for layer in self.layers])  # there may be many small editions
