"""The result of a coefficient: the value for all data and for each document, and the tables of its family."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

import numpy as np

from unisono.arrays import IntArray
from unisono.data import Data
from unisono.measurement.declaration import Declaration
from unisono.measurement.document_groups import n_units_by_document
from unisono.measurement.intervals import CoefficientParts
from unisono.results import DOCUMENT, VALUES, Estimate, Interval, Line, PValue, Result, Table
from unisono.results.estimate import spelled_interval

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


@dataclass(frozen=True, eq=False)
class DocumentEstimate:
    """A coefficient for one document."""

    document: str
    value: float | None
    observed: float | None
    expected: float | None
    undefined: str | None
    n_units: int
    n_annotators: int
    _estimate: Callable[[], Estimate] = field(repr=False)

    @cached_property
    def estimate(self) -> Estimate:
        """The output of the formula."""
        return self._estimate()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {name: [] if name == "notes" else getattr(self, name, None) for name in DOCUMENT}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DocumentEstimate) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.document, self.value))


class DocumentEstimates(Sequence[DocumentEstimate]):
    """The values of all documents in columns; there may be very many.

    Parameters
    ----------
    names : sequence of str
        The documents' names.
    n_units, n_annotators : int64 array, shape (n_documents,)
        How many units and annotators they have.
    estimate : callable
        Document, by its number, to the output of the formula.
    """

    def __init__(
        self, names: Sequence[str], n_units: IntArray, n_annotators: IntArray, estimate: Callable[[int], Estimate]
    ) -> None:
        self._names = names
        self._n_units = n_units
        self._n_annotators = n_annotators
        self._estimate = estimate
        self._numbers = np.full((len(names), 3), np.nan)
        self._undefined = np.zeros(len(names), np.int64)
        reasons: dict[str | None, int] = {None: 0}
        for index in range(len(names)):
            found = estimate(index)
            self._numbers[index] = [_or_nan(getattr(found, name)) for name in VALUES[:3]]
            self._undefined[index] = reasons.setdefault(found.undefined, len(reasons))
        self._reasons = [*reasons]

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, index: int) -> DocumentEstimate: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[DocumentEstimate]: ...

    def __getitem__(self, index: int | slice) -> DocumentEstimate | Sequence[DocumentEstimate]:
        places = range(len(self))[index]
        return self._at(places) if isinstance(places, int) else [*map(self._at, places)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DocumentEstimates):
            return NotImplemented
        return len(self) == len(other) and all(one == another for one, another in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} documents>"

    def _at(self, index: int) -> DocumentEstimate:
        value, observed, expected = (None if np.isnan(x) else x for x in self._numbers[index].tolist())
        return DocumentEstimate(
            self._names[index],
            value,
            observed,
            expected,
            self._reasons[self._undefined[index]],
            int(self._n_units[index]),
            int(self._n_annotators[index]),
            partial(self._estimate, index),
        )


def _details(details: Mapping[str, Any], of: float | None) -> Iterator[Line]:
    """Go through what is shown of details: numbers, tests, and the interval of the value, by its standard error."""
    for name, value in details.items():
        shown = name.replace("_", " ")
        if name == "standard_error_analytic" and value is not None:
            limits, interval = details.get("interval_analytic"), ""
            if limits:
                found = Interval(limits["low"], limits["high"], limits["level"], "for independent items")
                interval = spelled_interval(found, of)
            yield Line("standard error (analytic)", value, interval)
        elif isinstance(value, Mapping) and value.get("statistic") is not None:
            yield Line(shown, value["statistic"], f"df {value['df']}, p {PValue(value['p']).spelled(3)}")
        elif isinstance(value, float | int):
            yield Line(shown, value, "")


def _or_nan(number: float | None) -> float:
    return np.nan if number is None else number


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

    See Also
    --------
    Result, measure

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> result = unisono.cohen_kappa(labels)
    >>> [(row["category"], round(row["value"], 3)) for row in result.rows["categories"]]
    [('a', 0.615), ('b', 0.615)]
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

    @cached_property
    def details(self) -> Mapping[str, Any]:
        """Further values that belong to this one: numbers, or tests and the like by the names of their parts."""
        more = self.estimate.more
        return dict(self.estimate.details) if more is None else {**self.estimate.details, **more()}

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
    def documents(self) -> DocumentEstimates:
        """The coefficient document by document."""
        data, only = self.data, len(self.data.documents) == 1
        n_units = np.array([self.n_units]) if only else n_units_by_document(data)
        n_annotators = np.array([self.n_annotators]) if only else data.worked.sum(axis=1)
        return DocumentEstimates(data.documents, n_units, n_annotators, self._of_document)

    def _of_document(self, index: int) -> Estimate:
        """Return the output of the formula for one document."""
        if len(self.data.documents) == 1:
            return self.estimate
        return self.apply(self.prepared.statistics(index))

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
        lines = [self._value_line()]
        for name in ("observed", "expected"):
            value = getattr(self.estimate, name)
            if value is not None:
                lines.append(Line(f"{name} {self.estimate.what}", value, ""))
        return [*lines, *_details(self.details, self.value)]

    def tables(self) -> list[Table]:
        """Return tables for display: documents, and those of the family."""
        found = [self._documents_table()] if self.n_documents > 1 else []
        for name, rows in self.rows.items():
            if rows and name not in _NOT_FOR_PEOPLE:
                shown = [column for column in rows[0] if column != "undefined"]
                cells = [tuple(row[column] for column in shown) for row in rows]
                found.append(Table([*map(self._heading, shown)], cells, holds=_HOLDS.get(name, "text")))
        return found + self.matrices()

    def matrices(self) -> list[Table]:
        """Return contingency tables and the like, for display."""
        return self.prepared.matrices()

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
