"""F1 of spans: the share of units that two annotators have in common, as named-entity studies report it.

References
----------
.. [1] Chinchor, N., Sundheim, B. (1993). MUC-5 evaluation metrics. MUC-5.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, Unpack

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.labelled_units import LabelledUnits
from unisono.errors import plural
from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import UnitsOptions
from unisono.measurement.readers import choice, yes_or_no
from unisono.measurement.unitizing.matching import Matches, Ways, prepare
from unisono.measurement.unitizing.units import family_of_units
from unisono.results import Estimate

MATCHES = {"exact": 0.0, "partial": 0.5, "overlap": 1.0}
"""The credit of units that overlap but are not the same."""


def _ways(*, match: str, labels: bool) -> Ways:
    """Return the ways of matching that the formula compares."""
    wanted = [*((name, labels) for name in MATCHES), ("exact", False), (match, True)]
    return {_way(*one): partial(_credit, partly=MATCHES[one[0]], labels=one[1]) for one in wanted}


@coefficient(
    family_of_units(partial(prepare, ways=_ways), own=True),
    symbol="F1",
    title="F1 of spans: the share of units that annotators have in common, pair by pair",
    needs="spans, with or without categories, nested or overlapping; two or more annotators",
    ignores="chance; units that nearly coincide, unless match is partial or overlap",
    reference="Hripcsak & Rothschild 2005",
    papers=("hripcsak2005",),
    when="if results are to be compared with those of named-entity studies",
    parameters=(
        Parameter("match", "exact", choice(*MATCHES), "exact, partial (overlap counts half) or overlap (counts fully)"),
        Parameter("labels", True, yes_or_no, "true or false: whether the category must be the same"),
    ),
    corrected=False,
    takes_overlap=True,
)
def span_f1(
    matches: Matches,
    *,
    match: Literal["exact", "partial", "overlap"] = "exact",
    labels: bool = True,
    **how: Unpack[UnitsOptions],
) -> Estimate:
    """Share of units in common: F1 = 2 · credit / (n_a + n_b), the mean over pairs of annotators.

    Units are matched one to one, for the greatest total credit: 1 for the same start, end and category; for units of
    the same category that overlap otherwise, nothing (exact), 0.5 (partial) or 1 (overlap). Credit and numbers of units
    are summed over documents for each pair. F1 of either annotator against the other is the same number; the mean is
    their positive specific agreement.

    See Also
    --------
    slot_error_rate, relation_f1, gamma

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> round(unisono.span_f1(corpus).value, 3)
    0.5
    """
    n_units = matches.n_units.sum(axis=1)
    values = {
        **{name: mean_f1(matches.saved(_way(name, labels)), n_units) for name in MATCHES},
        "span_only": mean_f1(matches.saved(_way("exact", False)), n_units),
    }
    categories = f1_by_category(matches, _way(match, True))
    return Estimate(
        values[match],
        details={"macro": float(np.mean([*categories.values()])), **values},
        tables={"categories": category_rows(matches, categories)} if matches.document is None else {},
        notes=empty_pairs(n_units),
    )


def empty_pairs(n_units: IntArray) -> tuple[str, ...]:
    """State how many pairs of annotators have no units; shape (n_pairs,)."""
    empty = int((n_units == 0).sum())
    return (f"{plural(empty, 'pair')} of annotators left out: neither marked anything",) if empty else ()


def f1_by_category(matches: Matches, way: str) -> dict[int, float]:
    """Return F1 of each category, by a way that never matches units of different ones."""
    found = matches.by_category(way)
    begin = np.flatnonzero(np.diff(found.category, prepend=-1))
    parts = zip(np.split(found.saved, begin[1:]), np.split(found.n_units, begin[1:]), strict=True)
    return {int(found.category[first]): mean_f1(*part) for first, part in zip(begin, parts, strict=True)}


def category_rows(matches: Matches, categories: dict[int, float]) -> list[dict[str, Any]]:
    """Return a table of categories with their values."""
    names, n_units = matches.names, matches.n_by_category
    return [{"category": names[k], "value": value, "n_units": int(n_units[k + 1])} for k, value in categories.items()]


def mean_f1(credit: FloatArray, n_units: Any) -> float:
    """Return the mean of 2 · credit / (n_a + n_b) over the pairs that marked anything."""
    some = n_units > 0
    return float(np.mean(2 * credit[some] / n_units[some]))


def _way(match: str, labels: bool) -> str:
    return f"{match}, {'same' if labels else 'any'} category"


def _credit(units: LabelledUnits, u: IntArray, v: IntArray, *, partly: float, labels: bool) -> FloatArray:
    """Return the credit of a pair of units that overlap."""
    same = (units.start[u] == units.start[v]) & (units.end[u] == units.end[v])
    fits = units.category[u] == units.category[v] if labels else np.ones(len(u), np.bool_)
    return np.asarray(np.where(same, 1.0, partly) * fits)
