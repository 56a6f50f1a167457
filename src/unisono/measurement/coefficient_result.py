"""What a coefficient gives: the value of all data, of each document, and the tables of its family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np

from unisono import tables
from unisono.data import Corpus, Data, Ratings
from unisono.errors import plural
from unisono.measurement.declaration import Declaration
from unisono.measurement.intervals import interval
from unisono.measurement.subsets import VALUES, Subsets, columns, worst_first
from unisono.results import Estimate, Interval, Line, Signature, Table

_NOT_FOR_PEOPLE = ("items", "contingency", "coincidences")
"""Tables that are long; `Prepared.matrices` shows them better."""
_HOLDS: dict[str, Literal["names", "labels"]] = {"annotators": "names", "categories": "labels"}


class Statistics(Protocol):
    """What a formula sees."""

    @property
    def undefined(self) -> str | None:
        """Why there can be no value, whatever the formula; None if there can be one."""


class Prepared(Protocol):
    """Data of one family, ready for its formulas."""

    @property
    def data(self) -> Data:
        """What was prepared; subsets of annotators are taken from it."""

    @property
    def n_units(self) -> int:
        """How many units or labels count."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or guessed: sentences without a full stop."""

    def statistics(self, document: int | None = None) -> Statistics:
        """Give what formulas see, of one document of the data or of all."""

    def tables(self, apply: Callable[[Any], Estimate]) -> Mapping[str, list[dict[str, Any]]]:
        """Give the tables that all measures of the family have; `apply` is the formula with its parameters."""

    def matrices(self) -> list[Table]:
        """Give contingency tables and the like, for people."""


@dataclass(frozen=True)
class DocumentEstimate:
    """A coefficient of one document."""

    document: str
    estimate: Estimate
    n_units: int

    @property
    def value(self) -> float | None:
        """The coefficient."""
        return self.estimate.value

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        values = {name: getattr(self.estimate, name) for name in VALUES}
        return {"document": self.document, **values, "n_units": self.n_units}


@dataclass(frozen=True)
class CoefficientResult(Subsets):
    """A coefficient of a corpus or of ratings.

    Attributes
    ----------
    declaration : Declaration
        The measure.
    unit : str
        What is counted: a label, a unit.
    prepared : Prepared
        The data as the formula sees it.
    parameters : dict
        All parameters with their values.
    apply : callable
        statistics -> estimate: the formula with its parameters.
    again : callable
        Measures other data the same way.
    """

    declaration: Declaration
    unit: str
    prepared: Prepared
    parameters: Mapping[str, Any]
    apply: Callable[[Any], Estimate]
    again: Callable[[Any], CoefficientResult]

    @cached_property
    def interval(self) -> Interval | None:
        """95 % interval over documents, or over blocks of the only one; None if there is too little to go by."""
        return self._interval if isinstance(self._interval, Interval) else None

    @property
    def no_interval(self) -> str | None:
        """Why a value has no interval, if it has none."""
        if self.value is None or self.interval is not None:
            return None
        return self._interval if isinstance(self._interval, str) else None

    @cached_property
    def estimate(self) -> Estimate:
        """What the formula gives for all data."""
        return self.apply(self.prepared.statistics())

    @property
    def data(self) -> Data:
        """What was measured."""
        return self.prepared.data

    @property
    def measure(self) -> str:
        """The measure's name."""
        return self.declaration.name

    @property
    def symbol(self) -> str:
        """The letter that papers use for it."""
        return self.declaration.symbol

    @property
    def value(self) -> float | None:
        """The coefficient; None where it is undefined."""
        return self.estimate.value

    @property
    def agreement(self) -> float | None:
        """The value as an agreement: 1 is perfect, also where the value itself is an error."""
        return self._agreement(self.estimate)

    @property
    def observed(self) -> float | None:
        """Observed agreement or disagreement, as the formula has it."""
        return self.estimate.observed

    @property
    def expected(self) -> float | None:
        """Agreement or disagreement expected by chance, as the formula has it."""
        return self.estimate.expected

    @property
    def undefined(self) -> str | None:
        """Why there is no value, if there is none."""
        return self.estimate.undefined

    @property
    def details(self) -> Mapping[str, float | None]:
        """Further values that belong to this one."""
        return self.estimate.details

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know about the value."""
        return tuple(dict.fromkeys([*self.prepared.notes, *self.estimate.notes]))

    @cached_property
    def documents(self) -> tuple[DocumentEstimate, ...]:
        """The coefficient document by document."""
        names = self.data.documents
        if len(names) == 1:
            return (DocumentEstimate(names[0], self.estimate, self.n_units),)
        return tuple(
            DocumentEstimate(name, self.apply(self.prepared.statistics(index)), n_units)
            for index, (name, n_units) in enumerate(zip(names, _units_by_document(self.data), strict=True))
        )

    @cached_property
    def rows(self) -> Mapping[str, list[dict[str, Any]]]:
        """All tables by name: categories, items, annotators and what else the measure has."""
        merged = {**self.prepared.tables(self.apply)}
        merged.update(self.estimate.tables)
        return merged

    @property
    def n_units(self) -> int:
        """Number of units, or of labels given to items."""
        return self.prepared.n_units

    @property
    def alignment(self) -> Mapping[str, Any]:
        """Nothing: these measures make no alignment."""
        return {}

    @property
    def signature(self) -> str:
        """Measure, parameters and version: what is needed to repeat the value."""
        given = {name: _signed(value) for name, value in self.parameters.items()}
        return str(Signature(self.measure, {name: value for name, value in given.items() if value is not None}))

    @cached_property
    def per_document(self) -> Any:
        """Frame: the coefficient of each document."""
        rows = [document.to_dict() for document in self.documents]
        return tables.frame(columns(rows, ("document", *VALUES, "n_units")))

    @cached_property
    def per_category(self) -> Any:
        """Frame: agreement on each category."""
        return self.frame("categories")

    def frame(self, name: str, library: str | None = None) -> Any:
        """Give one of the tables as a frame; `rows` names them."""
        rows = self.rows.get(name, [])
        return tables.frame(columns(rows, rows[0] if rows else ()), library)

    def categories(self) -> list[dict[str, Any]]:
        """Give agreement on each category, where the measure knows of categories."""
        return self.rows.get("categories", [])

    def title(self) -> str:
        """Say in one line what was measured."""
        people = plural(self.n_annotators, "annotator")
        return f"{self.symbol} of {people} on {plural(self.n_documents, 'document')}, {plural(self.n_units, self.unit)}"

    def headline(self) -> list[Line]:
        """Give the value and what it is made of, line by line."""
        lines = [Line(self.symbol, self.value, self._value_remark())]
        for name in ("observed", "expected"):
            value = getattr(self.estimate, name)
            if value is not None:
                lines.append(Line(f"{name} {self.estimate.what}", value, ""))
        lines += [Line(name.replace("_", " "), value, "") for name, value in self.details.items()]
        return lines

    def tables(self) -> list[Table]:
        """Give tables for people: documents, and those of the family."""
        found = []
        if self.n_documents > 1:
            found.append(self._documents_table())
        for name, listed in self.rows.items():
            if listed and name not in _NOT_FOR_PEOPLE:
                shown = [column for column in listed[0] if column != "undefined"]
                found.append(
                    Table(
                        [self._heading(column) for column in shown],
                        [tuple(row[column] for column in shown) for row in listed],
                        holds=_HOLDS.get(name, "text"),
                    )
                )
        return found + self.prepared.matrices()

    def remarks(self) -> list[str]:
        """Give sentences on what one should know about the value."""
        return [f"Note: {note}." for note in self.notes]

    @cached_property
    def _interval(self) -> Interval | str:
        """The interval, or why there is none."""
        return interval(self)

    def _value_remark(self) -> str:
        if self.undefined is not None:
            return f"undefined: {self.undefined}"
        sure = f"no interval: {self.no_interval}" if self.interval is None else str(self.interval)
        return sure if self.declaration.scale == "agreement" else f"0 is perfect; {sure}"

    def _agreement(self, estimate: Estimate) -> float | None:
        if estimate.value is None or self.declaration.scale == "agreement":
            return estimate.value
        error = estimate.normalized if self.declaration.scale == "cost" else estimate.value
        return None if error is None else 1 - error

    def _documents_table(self) -> Table:
        """List documents, the worst first."""
        agreements = {d.document: self._agreement(d.estimate) for d in self.documents}
        ranked = sorted(self.documents, key=lambda d: worst_first(agreements[d.document]))
        names = [name for name in VALUES[:3] if any(getattr(d.estimate, name) is not None for d in ranked)]
        rows = [(d.document, *(getattr(d.estimate, name) for name in names), d.n_units) for d in ranked]
        return Table(["document", *map(self._heading, names), f"{self.unit}s"], rows, holds="names")

    def _heading(self, key: str) -> str:
        return {"value": self.symbol, "n_units": f"{self.unit}s"}.get(key, key.replace("_", " "))

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, as `--json` prints it."""
        return {
            "measure": self.measure,
            "value": self.value,
            "observed": self.observed,
            "expected": self.expected,
            "undefined": self.undefined,
            "interval": None if self.interval is None else self.interval.to_dict(),
            "no_interval": self.no_interval,
            "agreement": self.agreement,
            "n_documents": self.n_documents,
            "n_annotators": self.n_annotators,
            "n_units": self.n_units,
            "n_samples": 0,
            "optimality_gap": 0.0,
            "details": dict(self.details),
            **self.rows,
            "notes": list(self.notes),
            "signature": self.signature,
            "documents": [document.to_dict() for document in self.documents],
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Give the headline as a frame of one row."""
        names = ("measure", "value", "observed", "expected", "n_documents", "n_annotators", "n_units")
        row = {name: getattr(self, name) for name in names}
        row["low"], row["high"] = (None, None) if self.interval is None else (self.interval.low, self.interval.high)
        row["signature"] = self.signature
        return tables.frame({name: [value] for name, value in row.items()}, library)

    def __repr__(self) -> str:
        value = f"undefined ({self.undefined})" if self.value is None else f"{self.value:.4f}"
        return f"CoefficientResult({self.symbol} = {value}, {self.n_annotators} annotators)"


def _units_by_document(data: Data) -> list[int]:
    cells = None if isinstance(data, Corpus) else data.codes if isinstance(data, Ratings) else data.norm
    given = np.ones(data.n_units) if cells is None else (cells >= 0).sum(axis=1)
    if isinstance(data, Ratings) and data.repeats is not None:
        given = given * data.repeats
    n_units = np.bincount(data.document, weights=given, minlength=len(data.documents))
    return [int(n) for n in n_units]


def _signed(value: Any) -> Any:
    """Give what stands for a parameter's value in a signature; a function has only its name."""
    named = f"custom({getattr(value, '__name__', 'function')})" if callable(value) else value
    return getattr(value, "signature", named)
