"""What a measure says of some of the annotators only: without each, of each pair, of groups."""

from __future__ import annotations

import itertools
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from unisono import tables
from unisono.data import Data, Ratings
from unisono.drawing import Drawn, figure_of
from unisono.errors import DataError, OptionError

VALUES = ("value", "observed", "expected", "undefined")


class Subsets(Drawn, ABC):
    """Measures subsets of annotators, only when asked.

    Attributes
    ----------
    again : callable
        Measures other data the same way.
    """

    again: Callable[[Any], Any]

    @property
    @abstractmethod
    def data(self) -> Data:
        """What was measured."""

    @property
    def source(self) -> str:
        """Where the data comes from."""
        return self.data.source

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self.data.documents)

    @property
    def n_annotators(self) -> int:
        """Number of annotators."""
        return len(self.data.annotators)

    @cached_property
    def per_annotator(self) -> Any:
        """Frame: each annotator's units, and the value without them."""
        names = ("annotator", "n_units", *(f"{name}_without" for name in VALUES))
        return tables.frame(columns(self.leave_one_out(), names))

    @cached_property
    def per_pair(self) -> Any:
        """Frame: the value of every pair of annotators."""
        return tables.frame(columns(self.pairwise(), ("annotator_1", "annotator_2", *VALUES, "n_units")))

    def plot(
        self, by: str | None = None, path: str | os.PathLike[str] | None = None, *, overwrite: bool = False
    ) -> Any:
        """Draw the value of each document, category, pair or annotator with matplotlib, for a paper.

        Parameters
        ----------
        by : {"documents", "categories", "pairs", "annotators"}, optional
            What each dot stands for; by default documents, or categories where there is only one.
        path : path, optional
            Where to write it: .pdf, .svg or .png.
        overwrite : bool
            Whether a file of that name may be replaced.

        Returns
        -------
        matplotlib.figure.Figure
        """
        return figure_of(self, by, None if path is None else Path(path), overwrite=overwrite)

    def leave_one_out(self) -> list[dict[str, Any]]:
        """Give the value without each annotator in turn."""
        return [dict(row) for row in self._leave_one_out]

    def pairwise(self) -> list[dict[str, Any]]:
        """Give the value of every pair of annotators on what both worked on."""
        return [dict(row) for row in self._pairwise]

    def groups(self, groups: Mapping[str, Iterable[str]]) -> list[dict[str, Any]]:
        """Give the value within each group of annotators, and of every two groups together.

        Parameters
        ----------
        groups : mapping
            Name of a group to its annotators.
        """
        members = {name: tuple(group) for name, group in groups.items()}
        rows = [self._of(who, group=name) for name, who in members.items()]
        for (a, first), (b, second) in itertools.combinations(members.items(), 2):
            rows.append(self._of(tuple(dict.fromkeys(first + second)), group=f"{a} + {b}"))
        return rows

    @cached_property
    def _leave_one_out(self) -> list[dict[str, Any]]:
        everybody = self.data.annotators
        if len(everybody) < 3:
            return []
        rows = []
        for who in everybody:
            rest = self._of([other for other in everybody if other != who])
            without = {f"{name}_without": rest[name] for name in (*VALUES, "agreement")}
            rows.append({"annotator": who, "n_units": self.data.n_units_of(who), **without})
        return rows

    @cached_property
    def _pairwise(self) -> list[dict[str, Any]]:
        pairs = itertools.combinations(self.data.annotators, 2)
        return [self._of([a, b], annotator_1=a, annotator_2=b) for a, b in pairs]

    def _of(self, annotators: Iterable[str], **about: str) -> dict[str, Any]:
        """Measure some annotators only."""
        chosen = list(annotators)
        if not chosen:
            raise OptionError("a group of annotators is empty")
        some = _only(self.data, chosen)
        try:
            result = self.again(some)
        except DataError as error:  # what all together allow, these alone need not
            values = {**dict.fromkeys((*VALUES, "agreement")), "undefined": str(error)}
            return {**about, **values, "n_units": some.n_units}
        values = {name: getattr(result, name) for name in (*VALUES, "agreement")}
        return {**about, **values, "n_units": result.n_units}


def _only(data: Data, annotators: list[str]) -> Data:
    """Keep some annotators; they could choose from the same labels as all."""
    if isinstance(data, Ratings):
        return data.select(annotators=annotators, all_labels=True)
    return data.select(annotators=annotators)


def columns(rows: Iterable[Mapping[str, Any]], names: Iterable[str]) -> dict[str, list[Any]]:
    """Turn rows into columns."""
    rows = list(rows)
    return {name: [row[name] for row in rows] for name in names}


def worst_first(agreement: float | None) -> tuple[bool, float]:
    """Sort by agreement, the least first; what has none comes last."""
    return agreement is None, agreement or 0.0
