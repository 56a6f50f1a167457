"""Measures of one name told apart, and their parameters as a signature spells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unisono.reporting.full.measured import Measured
from unisono.results import Result

_OF_SAMPLES = ("n", "seed", "time_limit")


def told_apart(measured: Sequence[Measured]) -> list[Measured]:
    """Add to names that stand more than once the parameters by which they differ."""
    return [replace(one, measure=_name(one, [other for other in measured if other is not one])) for one in measured]


def parameters(result: Result) -> dict[str, str]:
    """Give a result's parameters as its signature spells them."""
    parts = [part.partition(":") for part in result.signature.split("|")[1:-1]]
    return {name: value for name, _, value in parts}


def _name(one: Measured, others: Sequence[Measured]) -> str:
    same = [other.result for other in others if other.measure == one.measure and other.result is not None]
    if one.result is None or not same:
        return one.measure
    others_have = [parameters(result) for result in same]
    given = [
        f"{name}={value}"
        for name, value in parameters(one.result).items()
        if name not in _OF_SAMPLES and any(other.get(name) != value for other in others_have)
    ]
    return f"{one.measure}({','.join(given)})" if given else one.measure
