"""The confidence interval of any coefficient: parts of the data are left out one by one.

Parts are documents; of labels in fewer than five documents, blocks of neighbouring items; of a single document,
stretches of it. docs/intervals.md says which intervals hold, by simulation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus, Data, Ratings
from unisono.errors import DataError, plural
from unisono.results import Interval
from unisono.statistics.leaving_out import LeftOut, limits, poisson_limits
from unisono.statistics.stretches import in_stretches

if TYPE_CHECKING:
    from unisono.measures.categorization.counts import Counts
    from unisono.measures.categorization.family import PreparedRatings
    from unisono.measures.coefficient_result import CoefficientResult

MOST_PARTS = 50
_MOST_WORK = ((30_000, MOST_PARTS), (300_000, 20))
"""Up to so many units, so many parts are left out; each time, all others are measured again."""
_FEWEST_PARTS = 10
_FEW_DOCUMENTS = 5
N_BLOCKS = 10
"""Items next to each other are often alike; blocks are long enough to differ by chance, and enough to tell how much."""
_N_STRETCHES = 5


class Parts(NamedTuple):
    """Parts of data: what they are, the error without each, and how many documents or items each has on average."""

    what: str
    left: LeftOut
    each: float


def interval(result: CoefficientResult, level: float = 0.95) -> Interval | None:
    """Give the interval of a coefficient, or None if there is too little to go by."""
    error = error_of(result)
    if error is None:
        return None
    if error <= 0:
        return _of_error(result, (0.0, poisson_limits(0, level)[1] * _one_more(result)), level, _NOTHING)
    parts = parts_of(result)
    found = None if parts is None else limits(parts.left, level)
    if parts is not None and found is not None:
        return _of_error(result, found, level, _method(parts))
    disputed = _n_disputed(result)
    if disputed is None:
        return None
    low, high = (limit / disputed * error for limit in poisson_limits(disputed, level))
    return _of_error(result, (low, high), level, f"Poisson limits, {plural(disputed, 'item')} disputed")


def error_of(result: Any) -> float | None:
    """Give a result's value as an error: 0 is perfect."""
    declared = getattr(result, "declaration", None)
    return _error(result.value, "agreement" if declared is None else declared.scale)


def within_one(result: Any) -> bool:
    """Tell whether the error cannot be above 1: shares that are not corrected for chance."""
    declared = getattr(result, "declaration", None)
    if declared is None or declared.corrected or result.expected is not None:
        return False
    return bool(declared.scale == "agreement" or (declared.scale == "error" and declared.family == "segmentation"))


def _greatest(result: CoefficientResult) -> float:
    """Give the greatest error there can be.

    κ, π and α of labels, and uα, are not below −1: of two who differ, d(x, y) ≤ d(x, z) + d(z, y) for a third that
    is drawn by chance, so D_o ≤ 2 D_e. A table of costs of one's own need not keep to that.
    """
    if within_one(result):
        return 1.0
    bounded = _labelled(result) is not None or result.declaration.name == "u-alpha"
    return max(2.0, error_of(result) or 0.0) if bounded else inf


def parts_of(result: CoefficientResult) -> Parts | None:
    """Leave parts of the data out one by one; None if there are no parts."""
    error, counts = error_of(result), _counts(result)
    if error is None:
        return None
    weights = documents_of(result)
    if len(weights) >= (2 if counts is None else _FEW_DOCUMENTS):
        return _over_documents(result, error, weights)
    if counts is not None:
        return _over_blocks(result, counts, error)
    return _over_stretches(result, error, list(weights))


def errors_without(result: CoefficientResult, groups: Sequence[Sequence[str]]) -> FloatArray:
    """Give the error without each group of documents; NaN where there is no value then."""
    labelled = _labelled(result)
    if labelled is not None:
        number = {name: index for index, group in enumerate(groups) for name in group}
        ratings = labelled.ratings
        of_document = np.array([number.get(name, -1) for name in ratings.documents], dtype=np.int64)
        return _without_items(result, labelled.statistics(), of_document[ratings.document], len(groups))
    return _errors(result, (_without(result.data, group) for group in groups))


def groups_of(names: Sequence[str], n_units: int) -> list[list[str]]:
    """Put documents into as many groups as can be left out one by one, neighbours together."""
    n_groups = min(len(names), most_parts(n_units))
    which = np.arange(len(names)) * n_groups // max(len(names), 1)
    return [[name for name, group in zip(names, which, strict=True) if group == number] for number in range(n_groups)]


def most_parts(n_units: int) -> int:
    """Say how many parts are left out at most."""
    return next((parts for most, parts in _MOST_WORK if n_units <= most), _FEWEST_PARTS)


def _over_documents(result: CoefficientResult, error: float, weights: dict[str, float]) -> Parts:
    groups = groups_of(list(weights), _work(result))
    of_groups = np.array([sum(weights[name] for name in group) for group in groups])
    left = LeftOut(error, errors_without(result, groups), of_groups, within_one(result))
    what = "documents" if len(groups) == len(weights) else "groups of documents"
    return Parts(what, left, len(weights) / len(groups))


def _over_blocks(result: CoefficientResult, counts: Counts, error: float) -> Parts | None:
    """Leave blocks of items out that follow each other, as many items in each."""
    of_atoms = result.declaration.family != "ratings"
    paired = np.where(counts.paired, counts.repeats, 0.0)
    total = float(paired.sum())
    n_blocks = int(min(_N_STRETCHES if of_atoms else N_BLOCKS, total))
    if not n_blocks:
        return None
    block = np.minimum(((np.cumsum(paired) - paired / 2) * n_blocks / total).astype(np.int64), n_blocks - 1)
    weights = np.bincount(block, weights=paired, minlength=n_blocks).astype(np.float64)
    left = LeftOut(error, _without_items(result, counts, block, n_blocks), weights, within_one(result))
    return Parts("blocks of atoms" if of_atoms else "blocks of items", left, total / n_blocks)


def _over_stretches(result: CoefficientResult, error: float, names: list[str]) -> Parts | None:
    """Leave stretches of the only document out."""
    if not isinstance(result.data, Corpus) or len(names) != 1:
        return None
    cut = in_stretches(
        result.data.select(documents=names), _N_STRETCHES, through=result.declaration.family == "segmentation"
    )
    if cut is None:
        return None
    rest = (_without(cut, [name]) for name in cut.documents)
    weights = np.bincount(cut.document, minlength=len(cut.documents)).astype(np.float64)
    left = LeftOut(error, _errors(result, rest), weights, within_one(result))
    return Parts("stretches of the document", left, 1 / len(weights))


def documents_of(result: CoefficientResult) -> dict[str, float]:
    """Give the documents that count, and how many units each has."""
    data = result.data
    if isinstance(data, Corpus):
        n_units = np.bincount(data.document, minlength=len(data.documents)).astype(np.float64)
        counting = (data.worked.sum(axis=1) >= 2) & (n_units > 0)
    else:
        cells = data.codes if isinstance(data, Ratings) else data.norm
        given = (cells >= 0).sum(axis=1)
        paired = np.where(given >= 2, given, 0)
        n_units = np.bincount(data.document, weights=paired, minlength=len(data.documents)).astype(np.float64)
        counting = n_units > 0
    return {name: float(n) for name, n, yes in zip(data.documents, n_units, counting, strict=True) if yes}


def _without(data: Data, group: Sequence[str]) -> Data:
    left = set(group)
    return data.select(documents=[name for name in data.documents if name not in left])


def _errors(result: CoefficientResult, rests: Iterator[Data]) -> FloatArray:
    """Measure what is left again and again."""
    found = []
    for rest in rests:
        try:
            error = error_of(result.again(rest)) if len(rest.documents) else None
        except DataError:  # what all together allow, some of it need not
            error = None
        found.append(np.nan if error is None else error)
    return np.array(found)


def _error(value: float | None, scale: str) -> float | None:
    if value is None:
        return None
    return float(1 - value) if scale == "agreement" else float(value)


def _labelled(result: CoefficientResult) -> PreparedRatings | None:
    """Give the labels, if that is what the formula sees."""
    from unisono.measures.categorization.family import PreparedRatings

    return result.prepared if isinstance(result.prepared, PreparedRatings) else None


def _counts(result: CoefficientResult) -> Counts | None:
    """Give the counts of labels, if that is what the formula sees."""
    labelled = _labelled(result)
    return None if labelled is None else labelled.statistics()


def _without_items(result: CoefficientResult, counts: Counts, group: IntArray, n_groups: int) -> FloatArray:
    """Give the error without each group of items; items that are labelled alike are counted together."""
    columns, pattern = _patterns(counts.columns, len(counts.labels))
    n_patterns = columns.shape[1]
    total = np.bincount(pattern, weights=counts.repeats, minlength=n_patterns)
    order = np.argsort(group, kind="stable")
    edges = np.searchsorted(group[order], np.arange(n_groups + 1))
    found = np.full(n_groups, np.nan)
    for number in range(n_groups):
        rows = order[edges[number] : edges[number + 1]]
        own = np.bincount(pattern[rows], weights=counts.repeats[rows], minlength=n_patterns)
        rest = replace(counts, columns=columns, repeats=np.maximum(total - own, 0.0))
        error = _error(result.apply(rest).value, result.declaration.scale)
        found[number] = np.nan if error is None else error
    return found


def _patterns(columns: IntArray, n_labels: int) -> tuple[IntArray, IntArray]:
    """Give the distinct items, by their labels, and which of them each item is."""
    size = n_labels + 1
    if size ** len(columns) < 2**62:
        key = np.zeros(columns.shape[1], dtype=np.int64)
        for column in columns:
            key = key * size + column + 1
        _, first, pattern = np.unique(key, return_index=True, return_inverse=True)
        return columns[:, first], pattern.reshape(-1)
    distinct, pattern = np.unique(columns, axis=1, return_inverse=True)
    return distinct, pattern.reshape(-1)


def _work(result: CoefficientResult) -> int:
    """Say how much there is to measure again: units, or items that are labelled differently."""
    counts = _counts(result)
    if counts is None:
        return result.n_units
    return int(min(result.n_units, (len(counts.labels) + 1) ** len(counts.columns)))


_NOTHING = "Poisson limit, no disagreement seen"


def _one_more(result: CoefficientResult) -> float:
    """Say what the error would be if one annotator had done one thing otherwise.

    One of n labels or units concerns 2/n of all comparisons: 1/n_items of two annotators.
    """
    estimate = result.estimate
    if result.declaration.scale == "cost":
        return 2 / (result.n_annotators * max(result.n_documents, 1))
    share = 2 / max(result.n_units, 1)
    if estimate.what == "agreement" and estimate.expected is not None:
        return share / (1 - estimate.expected)
    nominal = str(result.parameters.get("distance", "")) == "nominal" and result.declaration.family == "ratings"
    return share / estimate.expected if nominal and estimate.expected else share


def _n_disputed(result: CoefficientResult) -> int | None:
    """Count the items on which annotators differ, if the data is items."""
    counts = _counts(result)
    if counts is None or result.declaration.family != "ratings":
        return None
    if len(documents_of(result)) >= _FEW_DOCUMENTS:
        return None
    n = int(counts.repeats[counts.paired & (counts.agreeing < counts.pairs)].sum())
    return n or None


def _method(parts: Parts) -> str:
    said = f"jackknife over {parts.left.n_parts:,} {parts.what}"
    undefined = parts.left.n_undefined
    return f"{said}, {undefined} of which leave no value when left out" if undefined else said


def _of_error(result: CoefficientResult, found: tuple[float, float], level: float, method: str) -> Interval:
    """Turn limits of the error into those of the value, within what it can be."""
    low, high = found[0], min(found[1], _greatest(result))
    limits = (low, high) if result.declaration.scale != "agreement" else (1 - high, 1 - low)
    return Interval(*limits, level, method)
