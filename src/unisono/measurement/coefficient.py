"""Coefficients that are a formula over counts: one decorated function each, everything else is shared.

A family says how data becomes the statistics that its formulas see; `coefficient` makes a declaration for the registry
and a function for Python out of a formula.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from unisono.data import Data
from unisono.errors import DataError, OptionError
from unisono.formats import from_frame
from unisono.measurement.coefficient_result import CoefficientResult, Prepared, Statistics
from unisono.measurement.declaration import Declaration, Parameter
from unisono.results import Estimate

Formula: TypeAlias = Callable[..., Estimate]
"""statistics, and the formula's own parameters by keyword -> estimate."""


@dataclass(frozen=True)
class Family:
    """Measures that see data the same way.

    Attributes
    ----------
    name : str
        What the measures are for.
    unit : str
        What is counted: a label, a unit.
    parameters : tuple of Parameter
        How data is converted; every measure of the family has them.
    prepare : callable
        data and these parameters -> Prepared; DataError with the reason if the data cannot be used.
    result : type
        What its measures give.
    """

    name: str
    unit: str
    parameters: tuple[Parameter, ...]
    prepare: Callable[..., Prepared]
    result: type[CoefficientResult] = CoefficientResult


def coefficient(
    family: Family,
    *,
    name: str,
    symbol: str,
    title: str,
    needs: str,
    ignores: str,
    reference: str,
    papers: tuple[str, ...],
    parameters: Sequence[Parameter] = (),
    for_many: str | None = None,
    when: str = "",
    scale: Literal["agreement", "error", "cost"] = "agreement",
    corrected: bool = True,
    takes_overlap: bool = False,
) -> Callable[[Formula], Coefficient]:
    """Make a measure out of a formula.

    Parameters
    ----------
    family : Family
        How data is seen.
    name, symbol, title, needs, ignores, reference, papers, when, scale, corrected, takes_overlap
        As in `Declaration`.
    parameters : sequence of Parameter
        The formula's own, keyword-only; those of the family come after them.
    for_many : str, optional
        For coefficients of just two annotators: the measure to take when there are more.
    """

    def made(formula: Formula) -> Coefficient:
        return Coefficient(formula, family, tuple(parameters), for_many, about)

    about = {
        "name": name,
        "symbol": symbol,
        "title": title,
        "needs": needs,
        "ignores": ignores,
        "reference": reference,
        "papers": papers,
        "when": when,
        "scale": scale,
        "corrected": corrected,
        "takes_overlap": takes_overlap,
    }
    return made


class Coefficient:
    """A measure as a function of Python: data and keyword-only parameters to a result."""

    def __init__(
        self,
        formula: Formula,
        family: Family,
        own: tuple[Parameter, ...],
        for_many: str | None,
        about: dict[str, Any],
    ) -> None:
        self.formula = formula
        self._family = family
        self._own = [parameter.name for parameter in own]
        self._for_many = for_many
        self.declaration = Declaration(
            family=family.name,
            parameters=own + family.parameters,
            compute=self._compute,
            unfit=self.unfit,
            **about,
        )
        self.__name__ = formula.__name__
        self.__doc__ = _documented(formula.__doc__ or "", self.declaration.parameters)
        self.__signature__ = _signature(self.declaration.parameters)

    def __call__(self, data: Any, /, *more: Any, **options: Any) -> CoefficientResult:
        """Measure data; the formula's docstring says how."""
        if more:
            raise OptionError(f"{self.__name__} takes one table, e.g. {{'anna': [...], 'bert': [...]}}")
        data = from_frame(data) if hasattr(data, "columns") else data
        given = self._given(options)
        own = {name: given[name] for name in self._own}
        prepared = self._family.prepare(data, **{p.name: given[p.name] for p in self._family.parameters})
        wrong_number = self._wrong_number(prepared.data.annotators)

        def apply(statistics: Statistics) -> Estimate:
            reason = wrong_number or statistics.undefined
            if reason:
                return Estimate(None, undefined=reason)
            with np.errstate(over="ignore", invalid="ignore"):
                found = self.formula(statistics, **own)
            numbers = [number for number in (found.value, found.observed, found.expected) if number is not None]
            return found if np.isfinite(numbers).all() else Estimate(None, undefined=_TOO_LARGE)

        def again(other: Data) -> CoefficientResult:
            return self(other, **options)

        result = self._family.result(self.declaration, self._family.unit, prepared, given, apply, again)
        _ = result.estimate  # what the formula refuses is said at once, and not when somebody asks for the value
        return result

    def unfit(self, data: Any, **options: Any) -> str | None:
        """Say why the measure cannot handle the data, or None if it can."""
        try:
            result = self(data, **options)
            return self._wrong_number(result.data.annotators) or result.prepared.statistics().undefined
        except DataError as error:
            return str(error)

    def _given(self, options: Mapping[str, Any]) -> dict[str, Any]:
        known = {parameter.name: parameter for parameter in self.declaration.parameters}
        for name in options:
            if name not in known:
                raise OptionError(f"{self.declaration.name} has no parameter {name!r}; it has: {', '.join(known)}")
        taken = {name: known[name].taken(value, self.declaration.name) for name, value in options.items()}
        return {**{name: parameter.default for name, parameter in known.items()}, **taken}

    def _wrong_number(self, annotators: Sequence[str]) -> str | None:
        if len(annotators) < 2:
            there = f"only {annotators[0]}" if annotators else "nobody"
            return f"agreement needs two annotators or more, and there is {there}; add what another annotated"
        if self._for_many is not None and len(annotators) > 2:
            two = ",".join(annotators[:2])
            return (
                f"{self.declaration.name} is for two annotators, and there are {len(annotators)}; "
                f"take {self._for_many}, choose two (annotators: {two}), or ask for every pair (pairwise)"
            )
        return None

    def _compute(self, data: Data, *, rng: Any, workers: Any, progress: Any, **options: Any) -> CoefficientResult:
        """Compute as the registry asks for it; nothing here is random, or long enough for more than one worker."""
        return self(data, **options)


_TOO_LARGE = "the differences of labels are too large to compute with"


def _documented(text: str, parameters: Sequence[Parameter]) -> str:
    """Put the parameters after the formula's summary, where people look for them."""
    listed = "".join(f"\n{p.name} : default {p.default}\n    {p.description}" for p in parameters)
    return f"{inspect.cleandoc(text)}\n\nKeyword parameters\n------------------{listed}\n"


def _signature(parameters: Sequence[Parameter]) -> inspect.Signature:
    data = inspect.Parameter("data", inspect.Parameter.POSITIONAL_ONLY)
    keywords = [inspect.Parameter(p.name, inspect.Parameter.KEYWORD_ONLY, default=p.default) for p in parameters]
    return inspect.Signature([data, *keywords])
