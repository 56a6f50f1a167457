"""Coefficients that are formulas over counts: one decorated function each, everything else is shared.

A family defines how data becomes statistics for its formulas; `coefficient` makes a declaration for the registry
and a typed Python function from a formula.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast

import numpy as np

from unisono.data import Corpus, Data
from unisono.data.ratings import Rows
from unisono.errors import DataError, OptionError
from unisono.execution import Pool
from unisono.formats.entry import DataLike, as_data
from unisono.measurement.bibliography import cited
from unisono.measurement.coefficient_result import CoefficientResult, Prepared
from unisono.measurement.composite import refuse_composite
from unisono.measurement.declaration import Declaration, Parameter
from unisono.measurement.ledger import Ledger
from unisono.measurement.sums import SummedBatch, SumsPrepared
from unisono.results import Estimate, spelled

_P = ParamSpec("_P")
_R = TypeVar("_R", bound=CoefficientResult, covariant=True)


@dataclass(frozen=True)
class Family(Generic[_R]):
    """Measures that use data in the same way."""

    name: str  # what the measures are for
    unit: str  # what is counted: a label, a unit
    parameters: tuple[Parameter, ...]  # how data is converted; every measure of the family has them
    # data and these parameters -> Prepared; DataError with the reason if the data cannot be used
    prepare: Callable[..., Prepared]
    result: type[_R]  # the type of its results
    entry: Callable[..., Data] = as_data  # converts user input into data
    own: bool = False  # whether `prepare` takes the parameters of the formula, too
    # data and all parameters -> why all data is needed at once; None if `prepare` never gives `SumsPrepared`
    at_once: Callable[..., str] | None = None


def coefficient(
    family: Family[_R], *, parameters: Sequence[Parameter] = (), **declared: Any
) -> Callable[[Callable[Concatenate[Any, _P], Estimate]], Coefficient[_P, _R]]:
    """Make a measure from a formula; `declared` is what else a `Declaration` has: symbol, title, needs, ….

    The formula takes statistics, its own `parameters` by keyword, and, as keywords that it ignores, those that its
    family takes (``**how: Unpack[…]``), so that editors and type checkers know the whole signature.
    """
    own = tuple(parameters)

    def made(formula: Callable[Concatenate[Any, _P], Estimate]) -> Coefficient[_P, _R]:
        made: Coefficient[_P, _R] = Coefficient(formula, family, own)
        made.declaration = Declaration(
            name=formula.__name__.replace("_", "-"),
            family=family.name,
            parameters=own + family.parameters,
            compute=made.compute,
            stream=None if family.at_once is None else made.stream,
            at_once=made.at_once,
            unfit=made.unfit,
            entry=family.entry,
            **declared,
        )
        made.__doc__ = _documented(formula.__doc__ or "", made.declaration, family.result.__name__)
        made.__signature__ = _signature(made.declaration.parameters)
        return made

    return made


class Coefficient(Generic[_P, _R]):
    """A measure as a Python function: from data and keyword-only parameters to a result."""

    declaration: Declaration
    __signature__: inspect.Signature

    def __init__(
        self, formula: Callable[Concatenate[Any, _P], Estimate], family: Family[_R], own: tuple[Parameter, ...]
    ) -> None:
        self.formula = formula
        self._family = family
        self._own = [parameter.name for parameter in own]
        self.__name__ = self.__qualname__ = formula.__name__
        self.__module__ = formula.__module__

    def __call__(self, data: DataLike | None = None, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Measure data, which may be named, too (data=…); the formula's docstring says how."""
        if data is None:
            data = cast("Any", kwargs.pop("data", None))
        if args:
            raise OptionError.about("data", f"{self.__name__} expects one table, e.g. {{'anna': [...], 'bert': [...]}}")
        return self.measure(data, kwargs)

    def __reduce__(self) -> str:
        return self.__name__  # pickled by name, as functions are

    def measure(self, data: Any, options: Mapping[str, Any], keep: Callable[[SumsPrepared], None] | None = None) -> _R:
        """Measure data with the parameters that are given; `keep` decides where what is added up is kept."""
        given = {name: value for name, value in options.items() if name != "rows"}
        rows: Rows = options.get("rows")
        values = self._values(given)
        names = [parameter.name for parameter in self._family.parameters] + (self._own if self._family.own else [])
        of_family = {name: values[name] for name in names}
        known = self._family.entry(data, rows=rows)
        if not self.declaration.takes_composite:
            refuse_composite(known)
        prepared = self._family.prepare(known, **of_family)
        if keep is not None and isinstance(prepared, SumsPrepared):
            keep(prepared)
        result = self._family.result(self, self._family.unit, prepared, values, given)
        _ = result.estimate  # what the formula rejects is reported at once, not when the value is first used
        return result

    def estimate(self, statistics: Any, data: Data, parameters: Mapping[str, Any]) -> Estimate:
        """Apply the formula to statistics, unless there can be no value."""
        reason = self.declaration.wrong_number(data.annotators) or statistics.undefined
        if reason:
            return Estimate(None, undefined=reason)
        formula: Callable[..., Estimate] = self.formula
        own = {name: parameters[name] for name in self._own}
        with np.errstate(over="ignore", invalid="ignore"):
            found = formula(statistics, **own)
        numbers = [number for number in (found.value, found.observed, found.expected) if number is not None]
        return found if np.isfinite(numbers).all() else Estimate(None, undefined=_TOO_LARGE)

    def unfit(self, data: Any, **options: Any) -> str | None:
        """Explain why the measure cannot handle the data, or return None if it can."""
        try:
            result = self.measure(data, options)
            return self.declaration.wrong_number(result.data.annotators) or result.prepared.statistics().undefined
        except DataError as error:
            return str(error)

    def compute(self, data: Data, *, rng: Any, workers: Any, progress: Any, **options: Any) -> _R:
        """Compute for the registry; nothing here is random or slow enough for more than one worker."""
        return self.measure(data, options)

    def stream(
        self, corpus: Corpus, ledger: Ledger[SummedBatch], *, rng: Any, workers: Any, progress: Any, **options: Any
    ) -> _R:
        """Compute for the registry, batch by batch."""
        return self.measure(corpus, options, lambda prepared: prepared.sums.keep(ledger, Pool(progress=progress)))

    def at_once(self, data: Data, **options: Any) -> str:
        """Explain in a clause why all data is needed at once; empty if it can be measured batch by batch."""
        if self._family.at_once is None:
            return ""
        return self._family.at_once(data, **self._values(options))

    def _values(self, options: Mapping[str, Any]) -> dict[str, Any]:
        known = {parameter.name: parameter for parameter in self.declaration.parameters}
        for name in options:
            if name not in known:
                message = f"{self.declaration.name} has no parameter {name!r}; available: {', '.join(known)}"
                raise OptionError.about(name, message)
        taken = {name: known[name].taken(value, self.declaration.name) for name, value in options.items()}
        return {**{name: parameter.default for name, parameter in known.items()}, **taken}


_TOO_LARGE = "the differences between labels are too large to compute with"


_DATA = """data : Corpus, Ratings, Normalizations, path, frame, mapping or bare table
    The annotations; see `unisono.read`. {needs}."""
_SECTION = re.compile(r"^[A-Z][a-z]+( [A-Z][a-z]+)?\n-{4,}$", re.MULTILINE)
_ROWS = """rows : {"items", "annotators"}, optional
    What the rows of a bare table are."""


def _documented(text: str, declaration: Declaration, result: str) -> str:
    """Put the parameters after the formula's summary, before its own sections, and the papers after all."""
    own = [
        f"{parameter.name} : default {spelled(parameter.default)}\n    {_sentence(parameter.description)}"
        for parameter in declaration.parameters
    ]
    parameters = "\n".join([_DATA.format(needs=_sentence(declaration.needs)[:-1]), *own, _ROWS])
    papers = "\n".join(f".. [{number}] {cited(key)}" for number, key in enumerate(declaration.papers, 1))
    sections = f"Parameters\n----------\n{parameters}\n\nReturns\n-------\n{result}\n"
    references = f"References\n----------\n{papers}\n"
    cleaned = inspect.cleandoc(text)
    found = _SECTION.search(cleaned)
    place = len(cleaned) if found is None else found.start()
    parts = (cleaned[:place], sections, cleaned[place:], references)
    return "\n\n".join(part.rstrip() for part in parts if part) + "\n"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _signature(parameters: Sequence[Parameter]) -> inspect.Signature:
    data = inspect.Parameter("data", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    keywords = [inspect.Parameter(p.name, inspect.Parameter.KEYWORD_ONLY, default=p.default) for p in parameters]
    rows = inspect.Parameter("rows", inspect.Parameter.KEYWORD_ONLY, default=None)
    return inspect.Signature([data, *keywords, rows])
