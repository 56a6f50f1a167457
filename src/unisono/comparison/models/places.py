"""Where a model agrees less with people than people do: by category and by document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from unisono.comparison.models.pairs import MeasuredPairs, Pair
from unisono.data import Label

PEOPLE = "people"


def by_category(
    scopes: Mapping[str, MeasuredPairs], runs: Mapping[str, Sequence[str]], humans: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the mean agreement on each category among people and of each model with people, the worst model first."""
    return _ranked(scopes, runs, humans, "category", _categories)


def by_document(
    scopes: Mapping[str, MeasuredPairs], runs: Mapping[str, Sequence[str]], humans: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the same for each document; nothing if each item is one."""
    scopes = {model: measured for model, measured in scopes.items() if not measured.scope.items}
    return _ranked(scopes, {model: runs[model] for model in scopes}, humans, "document", _documents)


def _ranked(
    scopes: Mapping[str, MeasuredPairs],
    runs: Mapping[str, Sequence[str]],
    humans: Sequence[str],
    what: str,
    rows_of: Callable[[Any], dict[Label, float]],
) -> list[dict[str, Any]]:
    among, sign = [*combinations(humans, 2)], 1.0
    found: dict[Label, dict[str, Any]] = {}
    known: dict[int, dict[Pair, dict[Label, float]]] = {}
    for model, measured in scopes.items():
        if id(measured) not in known:  # models that did the same share it
            known[id(measured)] = _tables(measured, humans, rows_of)
        tables = known[id(measured)]
        people, mixed = _means(tables, among), _means(tables, product(humans, runs[model]))
        sign = 1.0 if measured.like is None or measured.like.scale.agreement else -1.0
        for place in dict.fromkeys([*people, *mixed]):
            row = found.setdefault(place, {what: place, PEOPLE: people.get(place), "models": {}})
            with_model, own = mixed.get(place), people.get(place)
            behind = None if with_model is None or own is None else sign * (own - with_model)
            row["models"][model] = {"value": with_model, "behind": behind}
    return sorted(found.values(), key=lambda row: (-_most(row), str(row[what])))


def _tables(
    measured: MeasuredPairs, humans: Sequence[str], rows_of: Callable[[Any], dict[Label, float]]
) -> dict[Pair, dict[Label, float]]:
    """Return the values of all places for each pair with a person."""
    return {
        pair: rows_of(result)
        for pair, result in measured.results.items()
        if not isinstance(result, str) and not pair.isdisjoint(humans)
    }


def _most(row: Mapping[str, Any]) -> float:
    """Return how far the worst model is behind people."""
    return max((one["behind"] for one in row["models"].values() if one["behind"] is not None), default=-np.inf)


def _means(tables: Mapping[Pair, Mapping[Label, float]], pairs: Iterable[Sequence[str]]) -> dict[Label, float]:
    found: dict[Label, list[float]] = {}
    for pair in pairs:
        for place, value in tables.get(frozenset(pair), {}).items():
            found.setdefault(place, []).append(value)
    return {place: float(np.mean(values)) for place, values in found.items()}


def _categories(result: Any) -> dict[Label, float]:
    return {row["category"]: row["value"] for row in result.categories() if row["value"] is not None}


def _documents(result: Any) -> dict[Label, float]:
    return {one.document: one.value for one in result.documents if one.value is not None}
