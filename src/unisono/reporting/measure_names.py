"""Names of measures; those that would share one also name the parameters in which they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from unisono.errors import OptionError
from unisono.measurement.completing import Measured
from unisono.measurement.registry import Measure, parse_measure
from unisono.measurement.spec import quoted
from unisono.results import Result

_OF_SAMPLES = ("n", "seed", "time_limit")


def with_distinct_names(measured: Sequence[Measured]) -> list[Measured]:
    """Give results that share a measure's name distinct names, where they can be distinguished."""
    return [replace(one, measure=_name(one, [other for other in measured if other is not one])) for one in measured]


def signed_parameters(result: Result) -> dict[str, str]:
    """Return a result's parameters as its signature writes them."""
    parts = [part.partition(":") for part in result.signature.split("|")[1:-1]]
    return {name: value for name, _, value in parts}


def measure_labels(names: Iterable[str]) -> dict[str, str]:
    """Label measures by their symbols; those that share one with another measure keep their names."""
    known = {name: _measure(name) for name in names}
    return {name: name if own is None else _label(own, known.values()) for name, own in known.items()}


def _name(one: Measured, others: Sequence[Measured]) -> str:
    same = [other.result for other in others if other.measure == one.measure and other.result is not None]
    if one.result is None or not same:
        return one.measure
    own, *rest = map(signed_parameters, (one.result, *same))
    given = _differing({name: value for name, value in own.items() if name not in _OF_SAMPLES}, rest)
    return f"{one.measure}({','.join(given)})" if given else one.measure


def _measure(name: str) -> Measure | None:
    try:
        return parse_measure(name)
    except OptionError:
        return None


def _label(measure: Measure, known: Iterable[Measure | None]) -> str:
    symbol = measure.declaration.symbol
    same = [other for other in known if other is not None and other.declaration.symbol == symbol]
    if any(other.declaration.name != measure.declaration.name for other in same):
        return str(measure)
    own, *rest = ({name: quoted(value) for name, value in one.given.items()} for one in (measure, *same))
    given = _differing(own, rest)
    return f"{symbol} ({', '.join(given)})" if given else symbol


def _differing(own: Mapping[str, str], others: Sequence[Mapping[str, str]]) -> list[str]:
    return [f"{name}={value}" for name, value in own.items() if any(other.get(name) != value for other in others)]
