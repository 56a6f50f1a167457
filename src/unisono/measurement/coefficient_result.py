"""The result of a coefficient: the value for all data and for each document, and the tables of its family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, Protocol

from unisono.data import Data
from unisono.measurement.declaration import Declaration
from unisono.measurement.intervals import CoefficientParts
from unisono.results import DOCUMENT, VALUES, Estimate, Line, Result, Table

if TYPE_CHECKING:  # coefficients make results
    from unisono.measurement.coefficient import Coefficient

_NOT_FOR_PEOPLE = ("items", "contingency", "coincidences")
"""Long tables; `Prepared.matrices` shows them better."""
_HOLDS: dict[str, Literal["names", "labels"]] = {"annotators": "names", "categories": "labels"}


class Statistics(Protocol):
    """The input of a formula."""

    @property
    def undefined(self) -> str | None:
        """Why there can be no value, whatever the formula; None if there can be one."""


class Prepared(Protocol):
    """Data of one family, ready for its formulas."""

    @property
    def data(self) -> Data:
        """The original data, from which subsets of annotators are selected."""

    @property
    def n_units(self) -> int:
        """How many units or labels count."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or guessed: sentences without a full stop."""

    def statistics(self, document: int | None = None) -> Statistics:
        """Return the input of formulas, for one document of the data or for all."""

    def tables(self, apply: Callable[[Any], Estimate]) -> Mapping[str, list[dict[str, Any]]]:
        """Return the tables that all measures of the family have; `apply` is the formula with its parameters."""

    def matrices(self) -> list[Table]:
        """Return contingency tables and the like, for display."""


@dataclass(frozen=True)
class DocumentEstimate:
    """A coefficient for one document."""

    document: str
    estimate: Estimate = field(repr=False)
    n_units: int
    n_annotators: int

    @property
    def value(self) -> float | None:
        """The coefficient."""
        return self.estimate.value

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        values = {name: getattr(self.estimate, name) for name in VALUES}
        about = {"document": self.document, "n_units": self.n_units, "n_annotators": self.n_annotators, "notes": []}
        return {name: {**values, **about}.get(name) for name in DOCUMENT}


@dataclass(frozen=True, eq=False, repr=False)
class CoefficientResult(Result):
    """A coefficient for a corpus, ratings or normalizations.

    Attributes
    ----------
    formula : Coefficient
        The coefficient itself.
    unit : str
        What is counted: a label, a unit.
    prepared : Prepared
        The data in the form that the formula uses.
    parameters : dict
        All parameters with their values.
    options : dict
        The parameters that were given.
    """

    formula: Coefficient[Any, Any]
    unit: str
    prepared: Prepared
    parameters: Mapping[str, Any]
    options: Mapping[str, Any]

    @property
    def declaration(self) -> Declaration:
        """The measure as the registry knows it."""
        return self.formula.declaration

    @property
    def data(self) -> Data:
        """What was measured."""
        return self.prepared.data

    @cached_property
    def estimate(self) -> Estimate:
        """The output of the formula for all data."""
        return self.apply(self.prepared.statistics())

    def apply(self, statistics: Any) -> Estimate:
        """Apply the formula, with its parameters, to other statistics."""
        return self.formula.estimate(statistics, self.data, self.parameters)

    @property
    def remeasure(self) -> Callable[[Any], CoefficientResult]:
        """What measures other data in the same way."""
        return partial(self.formula.measure, options=self.options)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the value."""
        return tuple(dict.fromkeys([*self.prepared.notes, *self.estimate.notes]))

    @cached_property
    def documents(self) -> tuple[DocumentEstimate, ...]:
        """The coefficient document by document."""
        names = self.data.documents
        counts = zip(self.data.unit_counts.sum(axis=1).tolist(), self.data.worked.sum(axis=1).tolist(), strict=True)
        if len(names) == 1:
            return (DocumentEstimate(names[0], self.estimate, self.n_units, self.n_annotators),)
        return tuple(
            DocumentEstimate(name, self.apply(self.prepared.statistics(index)), n_units, n_annotators)
            for index, (name, (n_units, n_annotators)) in enumerate(zip(names, counts, strict=True))
        )

    @cached_property
    def rows(self) -> Mapping[str, list[dict[str, Any]]]:
        """All tables by name: categories, items, annotators and any others that the measure has."""
        return {**self.prepared.tables(self.apply), **self.estimate.tables}

    @property
    def n_units(self) -> int:
        """Number of units, or of labels given to items."""
        return self.prepared.n_units

    def headline(self) -> list[Line]:
        """Return the value and its components, line by line."""
        lines = [Line(self.symbol, self.value, self._value_remark())]
        for name in ("observed", "expected"):
            value = getattr(self.estimate, name)
            if value is not None:
                lines.append(Line(f"{name} {self.estimate.what}", value, ""))
        return lines + [Line(name.replace("_", " "), value, "") for name, value in self.details.items()]

    def tables(self) -> list[Table]:
        """Return tables for display: documents, and those of the family."""
        found = [self._documents_table()] if self.n_documents > 1 else []
        for name, rows in self.rows.items():
            if rows and name not in _NOT_FOR_PEOPLE:
                shown = [column for column in rows[0] if column != "undefined"]
                cells = [tuple(row[column] for column in shown) for row in rows]
                found.append(Table([*map(self._heading, shown)], cells, holds=_HOLDS.get(name, "text")))
        return found + self.prepared.matrices()

    @property
    def parts(self) -> CoefficientParts:
        """The parts of the data that can be left out, for intervals and comparisons."""
        return CoefficientParts(self)

    def _documents_table(self) -> Table:
        """List documents, the worst first."""
        agreements = {d.document: d.estimate.agreement(self.scale) for d in self.documents}
        ranked = sorted(self.documents, key=lambda d: by_agreement(agreements[d.document]))
        names = [name for name in VALUES[:3] if any(getattr(d.estimate, name) is not None for d in ranked)]
        rows = [(d.document, *(getattr(d.estimate, name) for name in names), d.n_units) for d in ranked]
        return Table(["document", *map(self._heading, names), f"{self.unit}s"], rows, holds="names")

    def _heading(self, key: str) -> str:
        return {"value": self.symbol, "n_units": f"{self.unit}s"}.get(key, key.replace("_", " "))


def by_agreement(agreement: float | None) -> tuple[bool, float]:
    """Sort by agreement, the lowest first; rows without a value come last."""
    return agreement is None, agreement or 0.0
