"""The registry: every measure is declared once, and the declaration drives parsing, help and documentation."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unisono.data import Corpus
from unisono.errors import OptionError
from unisono.execution import Progress, Workers
from unisono.measures.spec import Value, parse, quoted

_FAMILIES = ("unisono.measures.gamma_declaration",)
"""Modules that declare measures; each has DECLARATIONS."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a measure.

    Attributes
    ----------
    name : str
        As it is written.
    default : object
        Its value if not given.
    read : callable
        Makes the value out of what was written; raises ValueError.
    description : str
        For people.
    """

    name: str
    default: Any
    read: Callable[[Value], Any]
    description: str


@dataclass(frozen=True)
class Declaration:
    """A measure as the registry knows it.

    Attributes
    ----------
    name, title : str
        How it is called, and what it is.
    needs, ignores, reference : str
        What data it takes, what it does not see, where it is defined.
    parameters : tuple of Parameter
        What can be set.
    compute : callable
        corpus, rng=, workers=, progress= and the parameters -> result.
    align : callable or None
        corpus, workers=, progress= and the parameters -> alignments by document, if the measure makes any.
    unfit : callable
        corpus -> why the measure cannot handle it, or None.
    """

    name: str
    title: str
    needs: str
    ignores: str
    reference: str
    parameters: tuple[Parameter, ...]
    compute: Callable[..., Any]
    align: Callable[..., Any] | None
    unfit: Callable[[Corpus], str | None]


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters; `str()` of it reads back as the same measure."""

    declaration: Declaration
    given: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.given:
            return self.declaration.name
        return f"{self.declaration.name}({','.join(f'{key}={quoted(v)}' for key, v in self.given.items())})"

    def compute(
        self,
        corpus: Corpus,
        *,
        rng: int | np.random.Generator | None = 42,
        workers: Workers = None,
        progress: Progress | None = None,
    ) -> Any:
        """Measure a corpus."""
        return self.declaration.compute(corpus, rng=rng, workers=workers, progress=progress, **self._values())

    def align(self, corpus: Corpus, *, workers: Workers = None, progress: Progress | None = None) -> Any:
        """Align the units of each document, without measuring."""
        if self.declaration.align is None:
            raise OptionError(f"{self.declaration.name} makes no alignment; gamma does")
        return self.declaration.align(corpus, workers=workers, progress=progress, **self._values())

    def _values(self) -> dict[str, Any]:
        known = {parameter.name: parameter for parameter in self.declaration.parameters}
        values = {}
        for name, written in self.given.items():
            try:
                values[name] = known[name].read(written)
            except (TypeError, ValueError):
                shown = quoted(written)
                what = known[name].description
                raise OptionError(f"{self.declaration.name}: {name}={shown} makes no sense; {name} is {what}") from None
        return values


def measures() -> dict[str, Declaration]:
    """Give all measures by name."""
    found: dict[str, Declaration] = {}
    for module in _FAMILIES:
        for declaration in importlib.import_module(module).DECLARATIONS:
            found[declaration.name] = declaration
    return found


def parse_measure(text: str) -> Measure:
    """Make a measure out of its name and parameters, e.g. ``gamma(alpha=3,beta=1)``."""
    name, given = parse(text)
    known = measures()
    if name not in known:
        raise OptionError(f"there is no measure {name!r}; there are: {', '.join(known)}")
    declaration = known[name]
    names = [parameter.name for parameter in declaration.parameters]
    for key in given:
        if key not in names:
            raise OptionError(f"{name} has no parameter {key!r}; it has: {', '.join(names)}")
    return Measure(declaration, given)


def default_measure(corpus: Corpus) -> Measure:
    """Choose the measure to take when none is named: the first that can handle the data."""
    for declaration in measures().values():
        if declaration.unfit(corpus) is None:
            return Measure(declaration)
    return Measure(next(iter(measures().values())))


def measure(
    name: str,
    corpus: Corpus,
    *,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Any:
    """Measure a corpus with any measure by name.

    Parameters
    ----------
    name : str
        A measure with its parameters, e.g. ``gamma(alpha=3,beta=1)``.
    corpus : Corpus
        The data.
    rng : int, Generator or None
        Seed.
    workers : int, Executor or None
        Threads, or any `concurrent.futures.Executor`.
    progress : callable, optional
        Called with (done, total).
    """
    return parse_measure(name).compute(corpus, rng=rng, workers=workers, progress=progress)
