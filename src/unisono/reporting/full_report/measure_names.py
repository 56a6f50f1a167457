"""Names that distinguish measures, and their parameters as signatures write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unisono.measurement.completing import Measured
from unisono.results import Result

_OF_SAMPLES = ("n", "seed", "time_limit")


def with_distinct_names(measured: Sequence[Measured]) -> list[Measured]:
    """Add to names that occur more than once the parameters in which they differ."""
    return [replace(one, measure=_name(one, [other for other in measured if other is not one])) for one in measured]


def signed_parameters(result: Result) -> dict[str, str]:
    """Return a result's parameters as its signature writes them."""
    parts = [part.partition(":") for part in result.signature.split("|")[1:-1]]
    return {name: value for name, _, value in parts}


def _name(one: Measured, others: Sequence[Measured]) -> str:
    same = [other.result for other in others if other.measure == one.measure and other.result is not None]
    if one.result is None or not same:
        return one.measure
    others_have = [signed_parameters(result) for result in same]
    given = [
        f"{name}={value}"
        for name, value in signed_parameters(one.result).items()
        if name not in _OF_SAMPLES and any(other.get(name) != value for other in others_have)
    ]
    return f"{one.measure}({','.join(given)})" if given else one.measure
