"""The result of every measure: one class for γ, text-γ, normalization and all coefficients.

A family defines how its values are computed; everything that results have in common is here: subsets of annotators,
frames, plain data, the signature.
"""

from __future__ import annotations

import itertools
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from unisono import tables
from unisono.checks import check_names
from unisono.data import Data
from unisono.drawing import Drawn, figure_of
from unisono.errors import DataError, OptionError, plural
from unisono.execution import Progress, Workers, pool
from unisono.results.estimate import Estimate, Interval, ValueScale, spelled_interval
from unisono.results.functions import function_name
from unisono.results.shown import Line, Table, digits_apart
from unisono.results.signature import Signature, spelled

VALUES = ("value", "observed", "expected", "undefined")
TABLES = (
    "categories",
    "annotators",
    "items",
    "contingency",
    "coincidences",
    "pairs",
    "types",
    "features",
    "subsets",
    "texts",
    "annotator_pairs",
    "confusion",
    "modernization",
    "disagreements",
    "edits",
    "representation",
    "limits",
)
"""The tables that a measure may have, by name; `to_dict` has all of them, null if there is none."""

DOCUMENT = (
    "document",
    *VALUES,
    "expected_error",
    "n_units",
    "n_annotators",
    "n_samples",
    "optimality_gap",
    "notes",
)
"""What `to_dict` has for each document; null if it does not apply."""


class Result(Drawn, ABC):
    """An agreement: the value, its components, and what is needed to repeat it.

    All measures provide the same attributes; one that does not apply to a measure is None or empty.

    Attributes
    ----------
    unit : str
        What is counted: a unit, a label.
    parameters : mapping
        The measure's parameters.
    documents : sequence
        The value of each document; every one has `document` (its name), `value` and `to_dict()` (with keys `DOCUMENT`).

    See Also
    --------
    measure, Interval, Comparisons

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> result = unisono.krippendorff_alpha(labels)
    >>> round(result.value, 3), round(result.observed, 3), round(result.expected, 3)
    (0.64, 0.2, 0.556)
    >>> result.to_dict()["n_annotators"]
    2
    """

    unit: str
    parameters: Mapping[str, Any]
    documents: Any

    # what each family supplies

    declaration: Any

    @property
    @abstractmethod
    def data(self) -> Data:
        """What was measured: a corpus, ratings or normalizations."""

    @cached_property
    @abstractmethod
    def estimate(self) -> Estimate:
        """The value for all data and its components."""

    @property
    @abstractmethod
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the value."""

    @property
    @abstractmethod
    def n_units(self) -> int:
        """Number of units, or of labels given to items."""

    @property
    @abstractmethod
    def rows(self) -> Mapping[str, list[dict[str, Any]]]:
        """All tables of the measure by name (`TABLES`): categories, items and any others that it has."""

    @property
    @abstractmethod
    def parts(self) -> Any:
        """The parts of the data that can be left out, for intervals and comparisons."""

    @property
    @abstractmethod
    def remeasure(self) -> Callable[[Any], Result]:
        """What measures other data in the same way."""

    # what follows from that

    @property
    def measure(self) -> str:
        """The measure's name."""
        return str(self.declaration.name)

    @property
    def symbol(self) -> str:
        """The letter that papers use for it."""
        return str(self.declaration.symbol)

    @property
    def scale(self) -> ValueScale:
        """Whether 1 is perfect agreement, or 0 is."""
        scale: ValueScale = self.declaration.scale
        return scale

    @property
    def value(self) -> float | None:
        """The value for all data; None if it is undefined."""
        return self.estimate.value

    @property
    def agreement(self) -> float | None:
        """The value as an agreement: 1 is perfect, even if the value itself is an error."""
        return self.estimate.agreement(self.scale)

    @property
    def observed(self) -> float | None:
        """Observed agreement, disagreement or disorder, as defined by the formula; None if it has none."""
        return self.estimate.observed

    @property
    def expected(self) -> float | None:
        """The same as expected by chance; None if the formula has no such part."""
        return self.estimate.expected

    @property
    def undefined(self) -> str | None:
        """Why there is no value, if there is none."""
        return self.estimate.undefined

    @property
    def details(self) -> Mapping[str, Any]:
        """Further values that belong to this one, such as the greatest possible κ."""
        return self.estimate.details

    @cached_property
    def _interval(self) -> Interval | str:
        """The interval, or why there is none."""
        found: Interval | str = self.parts.interval()
        return found

    # what most families do not have

    @property
    def alignment(self) -> Mapping[str, Any]:
        """Document to its alignment; empty if the measure aligns nothing."""
        return {}

    @property
    def disagreement(self) -> Mapping[str, float]:
        """Where the disorder comes from: the share of each kind; empty if the measure has no disorder."""
        return {}

    @property
    def expected_error(self) -> float | None:
        """The Monte-Carlo standard error of `expected`, if that is sampled."""
        return None

    @property
    def expected_gap(self) -> float | None:
        """The fraction by which `expected` may be too high; 0 if all random alignments are proven optimal."""
        return None

    @property
    def optimality_gap(self) -> float | None:
        """The fraction by which `observed` may exceed the least disorder; 0 if proven optimal."""
        return None

    @property
    def n_samples(self) -> int | None:
        """Number of random annotation sets that `expected` is the mean of."""
        return None

    @property
    def gamma_cat(self) -> float | None:
        """γ_cat, agreement on categories given the alignment; None for all measures but γ."""
        return None

    def more_data(self) -> dict[str, Any]:
        """Return plain data that only some measures have: γ_cat, the rates of text-γ."""
        return {"gamma_cat": None, "p_text": None, "p_segmentation": None}

    # what all have in common

    @property
    def source(self) -> str:
        """Where the data comes from."""
        return self.data.source

    @property
    def preparation(self) -> tuple[tuple[str, str], ...]:
        """What was done to the data before it was measured: (step, how), in order."""
        return self.data.preparation

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self.data.documents)

    @property
    def n_annotators(self) -> int:
        """Number of annotators."""
        return len(self.data.annotators)

    @property
    def interval(self) -> Interval | None:
        """95% interval over documents, or over parts of the only one; None if there is too little data."""
        return self._interval if isinstance(self._interval, Interval) and self.value is not None else None

    @property
    def no_interval(self) -> str | None:
        """Why a value has no interval, if it has none."""
        return self._interval if isinstance(self._interval, str) and self.value is not None else None

    @property
    def mean(self) -> float | None:
        """The mean of the values of the documents that have one."""
        values = [document.value for document in self.documents if document.value is not None]
        return float(np.mean(values)) if values else None

    @property
    def signature(self) -> str:
        """Measure, parameters, preparation of the data, seed and version: what is needed to repeat the value."""
        return str(Signature(self.measure, {**self._signed, **signed_preparation(self.preparation), **self._drawn}))

    @property
    def _signed(self) -> Mapping[str, Any]:
        """The parameters as in the signature."""
        return {name: signed(value) for name, value in self.parameters.items() if value is not None}

    @property
    def _drawn(self) -> Mapping[str, Any]:
        """What the signature says about random samples."""
        return {}

    @cached_property
    def per_document(self) -> Any:
        """Frame: the value of each document, and its components."""
        rows = [document.to_dict() for document in self.documents]
        return tables.frame(columns(rows, [name for name in DOCUMENT if name != "notes"]))

    @cached_property
    def per_category(self) -> Any:
        """Frame: agreement on each category."""
        return self.frame("categories")

    @cached_property
    def per_annotator(self) -> Any:
        """Frame: each annotator's number of units, and the value without this annotator."""
        names = ("annotator", "n_units", *(f"{name}_without" for name in VALUES))
        return tables.frame(columns(self.leave_one_out(), names))

    @cached_property
    def per_pair(self) -> Any:
        """Frame: the value of every pair of annotators."""
        return tables.frame(columns(self.pairwise(), ("annotator_1", "annotator_2", *VALUES, "n_units")))

    def frame(self, name: str, library: str | None = None) -> Any:
        """Return one of the tables as a frame; `rows` names them.

        Parameters
        ----------
        name : str
            The table's name; a measure without such a table returns an empty frame.
        library : {"pandas", "polars", "pyarrow"}, optional
            Which kind of frame; by default that of a library that is already imported, or else installed.
        """
        if name not in TABLES:
            raise OptionError(f"unknown table {name!r}; available: {', '.join(self.rows) or 'none'}", "name")
        rows = self.rows.get(name, [])
        return tables.frame(columns(rows, rows[0] if rows else ()), library)

    def categories(self) -> list[dict[str, Any]]:
        """Return agreement on each category, if the measure has categories."""
        return self.rows.get("categories", [])

    def leave_one_out(self, *, workers: Workers = None, progress: Progress | None = None) -> list[dict[str, Any]]:
        """Return the value without each annotator in turn.

        Parameters
        ----------
        workers : int, Executor or None
            How many CPU cores to use, or an executor; by default as for the value itself.
        progress : callable, optional
            Called with (done, total) after each value.

        Returns
        -------
        list of dict
            One row per annotator: annotator, n_units, and value, observed, expected, undefined and agreement without
            this annotator (value_without …); empty with fewer than three annotators.
        """
        everybody = self.data.annotators
        if len(everybody) < 3:
            return []
        rests = [tuple(other for other in everybody if other != who) for who in everybody]
        return [
            {
                "annotator": who,
                "n_units": self.data.n_units_of(who),
                **{f"{name}_without": rest[name] for name in (*VALUES, "agreement")},
            }
            for who, rest in zip(everybody, self._of_each(rests, workers, progress), strict=True)
        ]

    def pairwise(self, *, workers: Workers = None, progress: Progress | None = None) -> list[dict[str, Any]]:
        """Return the value of every pair of annotators on what both worked on; for the parameters see `leave_one_out`.

        Returns
        -------
        list of dict
            One row per pair: annotator_1, annotator_2, value, observed, expected, undefined, agreement, n_units.
        """
        pairs = list(itertools.combinations(self.data.annotators, 2))
        return [
            {"annotator_1": a, "annotator_2": b, **values}
            for (a, b), values in zip(pairs, self._of_each(pairs, workers, progress), strict=True)
        ]

    def groups(
        self, groups: Mapping[str, Iterable[str]], *, workers: Workers = None, progress: Progress | None = None
    ) -> list[dict[str, Any]]:
        """Return the value within each group of annotators, and of each pair of groups together.

        Parameters
        ----------
        groups : mapping
            Name of a group to its annotators, e.g. ``{"experts": ["anna", "bert"], "students": ["chris", "dora"]}``.
        workers, progress
            See `leave_one_out`.

        Returns
        -------
        list of dict
            One row per group, and one per pair of groups (named "experts + students"): group, value, observed,
            expected, undefined, agreement, n_units.
        """
        if not isinstance(groups, Mapping):
            raise OptionError("expected a list of annotators for each name", "groups")
        members = {name: tuple(check_names(group, "groups")) for name, group in groups.items()}
        if not all(members.values()):
            raise OptionError("a group of annotators is empty", "groups")
        subsets = list(members.items())
        for (a, first), (b, second) in itertools.combinations(members.items(), 2):
            subsets.append((f"{a} + {b}", tuple(dict.fromkeys(first + second))))
        found = self._of_each([who for _, who in subsets], workers, progress)
        return [{"group": name, **values} for (name, _), values in zip(subsets, found, strict=True)]

    def plot(
        self,
        by: str | None = None,
        path: str | os.PathLike[str] | None = None,
        *,
        columns: int = 2,
        overwrite: bool = False,
    ) -> Any:
        """Draw the value of each document, category, pair or annotator with matplotlib, for a paper.

        Labels that are numbers can be drawn as differences between two annotators, too (Bland–Altman plot).

        Parameters
        ----------
        by : {"documents", "categories", "pairs", "annotators", "differences"}, optional
            What each dot stands for; by default documents, or categories if there is only one document. With
            "differences", the mean difference and the limits of agreement are drawn, with their intervals.
        path : path, optional
            Where to write it: .pdf, .svg or .png.
        columns : {1, 2}
            As wide as how many columns of a paper: 85 or 178 mm.
        overwrite : bool
            Whether a file with that name may be replaced.

        Returns
        -------
        matplotlib.figure.Figure
        """
        return figure_of(self, by, None if path is None else Path(path), columns=columns, overwrite=overwrite)

    def title(self) -> str:
        """Return one line that states what was measured."""
        people, texts = plural(self.n_annotators, "annotator"), plural(self.n_documents, "document")
        compared = f" ({self.compared_as})" if self.compared_as else ""
        return f"{self.symbol}{compared} of {people} on {texts}, {plural(self.n_units, self.unit)}"

    @property
    def compared_as(self) -> str:
        """As what labels are compared, in a word or two; empty if there is only one way."""
        return ""

    @abstractmethod
    def headline(self) -> list[Line]:
        """Return the value and its components, line by line."""

    @abstractmethod
    def tables(self) -> list[Table]:
        """Return tables for people: documents, categories and any others that the measure has."""

    def remarks(self) -> list[str]:
        """Return sentences on what a reader should know about the value."""
        return [f"Note: {note}." for note in self.notes]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as the command line prints it in JSON; `json_schema` describes it."""
        return {**self.summary(), "documents": [document.to_dict() for document in self.documents]}

    def summary(self) -> dict[str, Any]:
        """Return what `to_dict` returns, apart from the documents, of which there may be very many."""
        return {
            "measure": self.measure,
            "value": self.value,
            "agreement": self.agreement,
            "observed": self.observed,
            "expected": self.expected,
            "expected_error": self.expected_error,
            "undefined": self.undefined,
            "interval": None if self.interval is None else self.interval.to_dict(),
            "no_interval": self.no_interval,
            "mean_over_documents": self.mean,
            "n_documents": self.n_documents,
            "n_annotators": self.n_annotators,
            "n_units": self.n_units,
            "n_samples": self.n_samples,
            "optimality_gap": self.optimality_gap,
            "expected_gap": self.expected_gap,
            "disagreement": dict(self.disagreement) or None,
            "details": dict(self.details),
            **self.more_data(),
            **{name: self.rows.get(name) for name in TABLES},
            "notes": list(self.notes),
            "parameters": {name: spelled(value) for name, value in self._signed.items()},
            "preparation": [list(step) for step in self.preparation],
            "signature": self.signature,
        }

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """Return the JSON Schema of what `to_dict` returns, the same for all measures."""
        schema: dict[str, Any] = json.loads(files("unisono.results").joinpath("result.schema.json").read_text("utf-8"))
        return schema

    def to_frame(self, library: str | None = None) -> Any:
        """Return the headline as a frame of one row."""
        names = ("measure", "value", "observed", "expected", "n_documents", "n_annotators", "n_units", "n_samples")
        row = {name: getattr(self, name) for name in names}
        row["low"], row["high"] = (None, None) if self.interval is None else (self.interval.low, self.interval.high)
        row["signature"] = self.signature
        return tables.frame({name: [value] for name, value in row.items()}, library)

    def __repr__(self) -> str:
        value = f"undefined ({self.undefined})" if self.value is None else f"{self.value:.4f}"
        where = f"{plural(self.n_documents, 'document')}, {plural(self.n_annotators, 'annotator')}"
        return f"{type(self).__name__}({self.symbol} = {value}, {where})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result) or type(self) is not type(other):
            return NotImplemented
        return self.data == other.data and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.measure, self.signature, self.value))

    @cached_property
    def _of_subset(self) -> dict[tuple[str, ...], dict[str, Any]]:
        """Values of some of the annotators, as far as they are known."""
        return {}

    def _of_each(
        self, subsets: Sequence[tuple[str, ...]], workers: Workers, progress: Progress | None
    ) -> list[dict[str, Any]]:
        """Measure some annotators only, those of each subset; each only once."""
        known = self._of_subset
        unknown = [subset for subset in dict.fromkeys(subsets) if subset not in known]
        hands, tell = self._crew
        with pool(hands if workers is None else workers, progress=progress or tell, python=True) as crew:
            found = crew.map(partial(_values_of, self.remeasure, self.data), unknown, nested=True)
        known.update(zip(unknown, found, strict=True))
        return [known[subset] for subset in subsets]

    @property
    def _crew(self) -> tuple[Workers, Progress | None]:
        """Who did the work and who was told, for values of parts of the data."""
        return None, None

    def _value_line(self) -> Line:
        """Return the first line of the headline: the value has no fewer decimals than its interval."""
        limits = () if self.interval is None else (self.interval.low, self.interval.high)
        return Line(self.symbol, self.value, self._value_remark(), max(3, digits_apart((self.value, *limits))))

    def _value_remark(self) -> str:
        if self.undefined is not None:
            return f"undefined: {self.undefined}"
        sure = (
            f"no interval: {self.no_interval}" if self.interval is None else spelled_interval(self.interval, self.value)
        )
        return sure if self.scale == "agreement" else f"0 is perfect; {sure}"


def _values_of(remeasure: Callable[[Any], Result], data: Data, annotators: Sequence[str]) -> dict[str, Any]:
    """Measure some annotators only."""
    some = _only(data, annotators)
    try:
        result = remeasure(some)
    except DataError as error:  # what is possible with all annotators may be impossible with these
        return {**dict.fromkeys((*VALUES, "agreement")), "undefined": str(error), "n_units": some.n_units}
    return {**{name: getattr(result, name) for name in (*VALUES, "agreement")}, "n_units": result.n_units}


def _only(data: Data, annotators: Sequence[str]) -> Data:
    """Keep some annotators; they could choose from the same labels as all."""
    return data.select(annotators=annotators, all_labels=True)


def columns(rows: Iterable[Mapping[str, Any]], names: Iterable[str]) -> dict[str, list[Any]]:
    """Turn rows into columns."""
    rows = list(rows)
    return {name: [row[name] for row in rows] for name in names}


def signed(value: Any) -> Any:
    """Return how a parameter's value is written in a signature; a function has only its name."""
    named = f"custom({function_name(value)})" if callable(value) else value
    return getattr(value, "signature", named)


def signed_preparation(steps: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return what a signature says about the preparation of the data; nothing if there was none."""
    said = ";".join(f"{step}={how}" for step, how in steps)
    return {"prepared": said} if said else {}
