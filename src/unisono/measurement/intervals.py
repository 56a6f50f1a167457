"""The confidence interval of any coefficient: parts of the data are left out one by one.

Parts are documents; of labels in fewer than three documents, blocks of neighbouring items; of a single document,
stretches of it. docs/intervals.md says which intervals hold, by simulation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf, log
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus, Data, Ratings
from unisono.errors import DataError, listed, plural
from unisono.results import Interval
from unisono.statistics.leaving_out import FEWEST, WIDEST, LeftOut, in_one_part, limits, no_limits, poisson_limits
from unisono.statistics.stretches import in_stretches

if TYPE_CHECKING:
    from unisono.measurement.categorization.counts import Counts
    from unisono.measurement.categorization.family import PreparedRatings
    from unisono.measurement.coefficient_result import CoefficientResult

MOST_PARTS = 50
_MOST_WORK = ((30_000, MOST_PARTS), (300_000, 20))
"""Up to so many units, so many parts are left out; each time, all others are measured again."""
_FEWEST_PARTS = 10
_FEW_DOCUMENTS = 3
N_BLOCKS = 10
"""Items next to each other are often alike; blocks are long enough to differ by chance, and enough to tell how much."""
_N_STRETCHES = 5
_WIDEST = log(10)
"""Where nothing says how low agreement can be, an error of ten times as much is too much to say anything."""
_BLOCKS = "blocks of items"


class Parts(NamedTuple):
    """Parts of data: what they are, the error without each, and how many documents or items each has on average."""

    what: str
    left: LeftOut
    each: float


def interval(result: CoefficientResult, level: float = 0.95) -> Interval | str:
    """Give the interval of a coefficient, or say in a clause why there is none."""
    error = error_of(result)
    if error is None:
        return "there is no value"
    if error <= 0:
        return _of_error(result, (0.0, poisson_limits(0, level)[1] * _one_more(result)), level, _NOTHING)
    parts = parts_of(result)
    if parts is None:
        return "units overlap all along, and leave no place to cut; give more documents"
    found = limits(parts.left, level)
    if found is not None:
        return _of_error(result, found, level, f"jackknife over {parts.left.n_parts:,} {parts.what}")
    disputed = _n_disputed(result, parts)
    if disputed:
        method = f"Poisson limits, {plural(disputed, 'item')} disputed"
        return _of_error(result, _of_disputed(result, error, disputed, level), level, method)
    if parts.left.in_one_part and parts.left.n_parts >= FEWEST:
        method = f"Poisson limits, nearly all disagreement in one of {parts.left.n_parts:,} {parts.what}"
        return _of_error(result, _in_one_part(result, error, level), level, method)
    return no_limits(parts.left, parts.what)


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


def greatest(result: CoefficientResult) -> float:
    """Give the greatest error there can be.

    κ, π and α of labels, uα and cuα are not below −1: of two who differ, d(x, y) ≤ d(x, z) + d(z, y) for a third that
    is drawn by chance, so D_o ≤ 2 D_e. A table of costs of one's own need not keep to that, nor do measures that expect
    from labels of items that nobody else labelled.
    """
    if within_one(result):
        return 1.0
    bounded = _labelled(result) is not None or result.declaration.name in ("u-alpha", "cu-alpha")
    return 2.0 if bounded and (error_of(result) or 0.0) <= 2.0 else inf


def parts_of(result: CoefficientResult) -> Parts | None:
    """Leave parts of the data out one by one; None if there are no parts."""
    error, counts = error_of(result), _counts(result)
    if error is None:
        return None
    weights = weights_of(result)
    if len(weights) >= (2 if counts is None else _FEW_DOCUMENTS):
        return _over_documents(result, error, weights)
    if counts is not None:
        return _over_blocks(result, counts, error)
    return _over_stretches(result, error, list(weights))


def left_out(
    result: CoefficientResult, error: float, without: FloatArray, weights: FloatArray, names: Sequence[str] = ()
) -> LeftOut:
    """Put together what the error is without each part, and what is known about it."""
    most = greatest(result)
    widest = _WIDEST if most == inf and result.declaration.scale == "agreement" else WIDEST
    return LeftOut(error, without, weights, within_one(result), most, names, widest)


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
    groups = groups_of(list(weights), work(result))
    of_groups = np.array([sum(weights[name] for name in group) for group in groups])
    names = [listed(group, 2) for group in groups]
    left = left_out(result, error, errors_without(result, groups), of_groups, names)
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
    left = left_out(result, error, _without_items(result, counts, block, n_blocks), weights)
    return Parts("blocks of atoms" if of_atoms else _BLOCKS, left, total / n_blocks)


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
    left = left_out(result, error, _errors(result, rest), weights)
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


def weights_of(result: CoefficientResult) -> dict[str, float]:
    """Give how much each document weighs: its number of units.

    What κ, π and α expect of labels by chance hangs on those that are not the most frequent. Where these are in few
    documents, the value is as good as one of these documents alone.
    """
    documents, labelled = documents_of(result), _labelled(result)
    if labelled is None or not result.declaration.corrected or "categories" in result.parameters:
        return documents
    ratings, counts = labelled.ratings, labelled.statistics()
    rare = counts.paired & (counts.columns >= 0) & (counts.columns != int(counts.marginals.argmax()))
    n_rare = np.bincount(ratings.document, weights=counts.repeats * rare.sum(axis=0), minlength=len(ratings.documents))
    found = dict(zip(ratings.documents, n_rare.tolist(), strict=True))
    return {name: found.get(name, 0.0) for name in documents} if n_rare.any() else documents


def _without(data: Data, group: Sequence[str]) -> Data:
    left = set(group)
    return data.select(documents=[name for name in data.documents if name not in left])


def _errors(result: CoefficientResult, rests: Iterator[Data]) -> FloatArray:
    """Measure what is left again and again."""
    found = []
    for rest in rests:
        try:
            error = error_of(result.remeasure(rest)) if len(rest.documents) else None
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
    from unisono.measurement.categorization.family import PreparedRatings

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


def work(result: CoefficientResult) -> int:
    """Say how much there is to measure again: units, or items that are labelled differently."""
    counts = _counts(result)
    if counts is None:
        return result.n_units
    return int(min(result.n_units, (len(counts.labels) + 1) ** len(counts.columns)))


_NOTHING = "Poisson limit, no disagreement seen"


def _one_more(result: CoefficientResult) -> float:
    """Say what the error would be if annotators differed on one thing: an item, a unit, a document that has a cost.

    How far apart labels would be is not known: as far as labels that differ are by chance.
    """
    estimate = result.estimate
    if result.declaration.scale == "cost":
        return 1 / max(result.n_documents, 1)
    counts = _counts(result)
    of_items = counts is not None and result.declaration.family == "ratings"
    share = 1 / max(counts.n_paired if counts is not None and of_items else _n_units(result), 1)
    if estimate.expected is None:
        return share
    if estimate.what == "agreement":
        return share / (1 - estimate.expected)
    if counts is not None and of_items:
        return share / _different_by_chance(counts)
    expects_lengths = result.declaration.name == "alpha-u"  # and no probability
    return share if expects_lengths or _by_distance(result) else share / estimate.expected


def _n_units(result: CoefficientResult) -> float:
    """Give how many units an annotator has on average, all documents together."""
    data = result.data
    if not isinstance(data, Corpus):
        return result.n_units / result.n_annotators
    n_units = np.bincount(data.document, minlength=len(data.documents))
    return float((n_units / np.maximum(data.worked.sum(axis=1), 1)).sum())


def _different_by_chance(counts: Counts) -> float:
    """Give how likely two labels that are drawn by chance differ; α's expected disagreement, if it is nominal."""
    n, total = counts.marginals, counts.n_pairable
    return float(n @ (total - n) / (total * (total - 1)))


def _n_disputed(result: CoefficientResult, parts: Parts) -> int:
    """Count the items on which annotators differ, where parts are blocks of items, or are all alike; else 0."""
    counts = _counts(result)
    if counts is None or result.declaration.family != "ratings":
        return 0
    if parts.what != _BLOCKS and not parts.left.alike:
        return 0
    return int(counts.repeats[counts.paired & (counts.agreeing < counts.pairs)].sum())


def _of_disputed(result: CoefficientResult, error: float, disputed: int, level: float) -> tuple[float, float]:
    """Give the limits of an error that so many items have together.

    By a distance between labels, those seen may be near misses: others may be as far apart as by chance.
    """
    low, high = poisson_limits(disputed, level)
    each = max(error / disputed, _one_more(result)) if _by_distance(result) else error / disputed
    return low / disputed * error, error + (high - disputed) * each


def _in_one_part(result: CoefficientResult, error: float, level: float) -> tuple[float, float]:
    """Give the limits of an error that one part holds nearly all of; by a distance, others may be as by chance."""
    if not _by_distance(result):
        return in_one_part(error, level)
    low, high = poisson_limits(1, level)
    return low * error, error + (high - 1) * max(error, _one_more(result))


def _by_distance(result: CoefficientResult) -> bool:
    """Tell whether labels are not just the same or different."""
    return any(str(result.parameters.get(name, "nominal")) != "nominal" for name in ("distance", "weights"))


def _of_error(result: CoefficientResult, found: tuple[float, float], level: float, method: str) -> Interval:
    """Turn limits of the error into those of the value, within what it can be."""
    low, high = found[0], min(found[1], greatest(result))
    limits = (low, high) if result.declaration.scale != "agreement" else (1 - high, 1 - low)
    return Interval(*limits, level, method)
