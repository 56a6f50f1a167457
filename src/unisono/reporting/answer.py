"""The answer, before all numbers: how high, how certain, where disagreement comes from, and what stands out.

Every sentence states facts of this data; none says whether a value is good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus, Ratings
from unisono.data.labels import Label
from unisono.errors import plural
from unisono.measurement.completing import FEW_UNITS, Measured
from unisono.measurement.coverage import coverage_of
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.scales import label_scale
from unisono.measurement.segmentation.boundary_disputes import FULL_MISS, NEAR_MISS, boundary_disputes
from unisono.reporting.addresses import choice_address, document_address
from unisono.reporting.cards import KIND_NAMES, value_text
from unisono.reporting.markup import enumerated, is_finite, percent
from unisono.reporting.shown_tables import zero_is_perfect
from unisono.results import Result
from unisono.results.shown import written_alike
from unisono.statistics.influence import influential_document

WIDE = 0.2
"""An interval longer than this leaves the first decimal open."""
_VISIBLE = 0.015
"""A document that moves the value by less is not worth a sentence, however alike the others are."""
_ALL = 0.995
_MOST_COMPARED = 20_000_000
"""If there are more pairs of labels of the same item, they are not counted."""
_SOURCES = {
    "segmentation": "units without a counterpart",
    FULL_MISS: "boundaries that others do not have",
    NEAR_MISS: "boundaries that are near those of others",
}


@dataclass(frozen=True)
class Said:
    """A piece of a sentence, and the address of the places behind it; empty if there are none."""

    text: str
    address: str = ""


@dataclass(frozen=True)
class PlainAnswer:
    """What is said of a result: sentences, each in pieces."""

    sentences: tuple[tuple[Said, ...], ...]

    def __str__(self) -> str:
        return " ".join("".join(said.text for said in sentence) for sentence in self.sentences)

    def without_addresses(self) -> PlainAnswer:
        """Return the same words, for where there are no places to look at."""
        return PlainAnswer(tuple(tuple(Said(said.text) for said in sentence) for sentence in self.sentences))


@dataclass(frozen=True)
class Wording:
    """How names and sentences of the data are written; a report on private data hides some."""

    document: Callable[[str], str] = str
    label: Callable[[str, Label], str] = lambda feature, label: str(label)
    sentence: Callable[[str], str] = str


AS_IS = Wording()


def answer_of(measured: Measured, wording: Wording = AS_IS, *, quick: bool = False) -> PlainAnswer:
    """Say what was measured; the result must exist. If it should be quick, large data is not measured again for it."""
    result = measured.result
    if result is None:
        raise ValueError("there is no result")
    if not is_finite(result.value):
        reason = wording.sentence(result.undefined or "it could not be computed").rstrip(".")
        return PlainAnswer(((Said(f"{result.symbol} has no value: {reason}."),), *_sources(result, wording)))
    again = not quick or result.n_units <= FEW_UNITS
    found = [_value(result), *_certainty(result), *_sources(result, wording, again)]
    return PlainAnswer((*found, *_standing_out(measured, wording, again)))


def _value(result: Result) -> tuple[Said, ...]:
    interval = result.interval
    perfect = ", where 0 is perfect" if zero_is_perfect(result) else ""
    value, limits = value_text(result.value), ""
    if interval is not None and result.value is not None:
        value, low, high = written_alike(result.value, interval.low, interval.high)
        limits = f" ({interval.level:.0%}: {low} to {high})"
    return (Said(f"{result.symbol} is {value}{limits}{perfect}."),)


def _certainty(result: Result) -> Iterator[tuple[Said, ...]]:
    """Say that a value is uncertain, with how much data it is based on; nothing if its first decimal is known."""
    counts, interval = coverage_of(result), result.interval
    of_items = counts.items is not None and counts.documents_read == 1
    based = plural(counts.items or 0, "item") if of_items else plural(counts.documents, "document")
    if interval is None:
        yield (Said(f"{based} cannot show how certain that is."),)
    elif result.scale != "cost" and interval.high - interval.low > WIDE:
        yield (Said(f"With {based}, that is uncertain."),)


def _sources(result: Result, wording: Wording, again: bool = True) -> Iterator[tuple[Said, ...]]:
    """Say what most of the disagreement is; `again` says whether edits of boundaries may be counted again."""
    known = result.disagreement or (_of_boundaries(result) if again else {})
    shares = {kind: share for kind, share in known.items() if share > 0}
    if shares:
        largest = max(shares.values())
        alike = {kind: share for kind, share in shares.items() if percent(share) == percent(largest)}
        each = _share(largest) if len(alike) == 1 else Said(f" ({percent(largest)} each).")
        much = Said(f"{_much(sum(alike.values()))} of the disagreement comes from ")
        joints = [*[Said(", ")] * (len(alike) - 2), Said(" and "), each][-len(alike) :]
        named = zip(map(partial(_source, result=result), alike), joints, strict=True)
        yield much, *chain.from_iterable(named)
    elif isinstance(data := result.data, Ratings):
        n = len(data.annotators)
        if len(data.codes) * n * (n - 1) // 2 <= _MOST_COMPARED:
            yield from _confused(data, wording)


def _source(kind: str, result: Result) -> Said:
    """Name what differs, with the address of the places that differ in it."""
    words = {**(result.words if isinstance(result, DisorderResult) else {}), **_SOURCES}
    return Said(words.get(kind, kind.removeprefix("feature ")), choice_address(kind=KIND_NAMES.get(kind, kind)))


def _of_boundaries(result: Result) -> dict[str, float]:
    """Return the shares of full and near misses in what segmentations differ."""
    found = boundary_disputes(result)
    sums = {} if found is None else {kind: float(cost.sum()) for kind, cost in found.costs.items()}
    total = sum(sums.values())
    return {kind: cost / total for kind, cost in sums.items()} if len(sums) > 1 and total else {}


def _much(share: float) -> str:
    return "All" if share > _ALL else "Most" if share > 0.5 else "The largest part"


def _share(share: float) -> Said:
    return Said("." if share > _ALL else f" ({percent(share)}).")


def _confused(ratings: Ratings, wording: Wording) -> Iterator[tuple[Said, ...]]:
    """Say which two labels are confused most often or, of numbers, how far they are apart on average."""
    pairs, times = _disagreements(ratings)
    n = float(times.sum())
    if not n or len(np.unique(pairs)) < 3:  # of two labels, there is nothing else to confuse
        return
    scale = label_scale(ratings)
    if scale.kind == "numbers" and not scale.as_names:
        numbers = np.array([float(str(label)) for label in ratings.labels])
        apart = float(np.abs(numbers[pairs[:, 0]] - numbers[pairs[:, 1]]) @ times / n)
        yield (Said(f"Where two annotators differ, their numbers are {apart:.3g} apart on average."),)
        return
    most = int(times.argmax())
    one, other = (wording.label("label", ratings.labels[code]) for code in pairs[most].tolist())
    share = float(times[most]) / n
    address = choice_address(row=one, column=other)
    if share <= 0.5:
        start, kind = (
            "The most frequent disagreement is between the labels ",
            f" ({percent(share)} of {plural(int(n), 'pair')} of labels).",
        )
    else:
        start, kind = f"{_much(share)} disagreements are between the labels ", _share(share).text
    yield Said(start), Said(f"{one} and {other}", address), Said(kind)


def _disagreements(ratings: Ratings) -> tuple[IntArray, FloatArray]:
    """Return pairs of different labels, the lower code first, and on how many items two annotators differ so."""
    found, weights = [np.zeros(0, np.int64)], [np.zeros(0)]
    codes, times, n = ratings.codes, ratings.times.astype(np.float64), len(ratings.labels)
    for a in range(codes.shape[1]):
        for b in range(a + 1, codes.shape[1]):
            rows = np.flatnonzero((codes[:, a] >= 0) & (codes[:, b] >= 0) & (codes[:, a] != codes[:, b]))
            one, other = codes[rows, a].astype(np.int64), codes[rows, b].astype(np.int64)
            keys, counts = _summed(np.minimum(one, other) * n + np.maximum(one, other), times[rows])
            found.append(keys)
            weights.append(counts)
    keys, counts = _summed(np.concatenate(found), np.concatenate(weights))
    return np.stack([keys // max(n, 1), keys % max(n, 1)], axis=1), counts


def _summed(keys: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """Add up the weights of each key."""
    found, place = np.unique(keys, return_inverse=True)
    return found, np.bincount(place.reshape(-1), weights=weights, minlength=len(found)).astype(np.float64)


def _standing_out(measured: Measured, wording: Wording, again: bool) -> Iterator[tuple[Said, ...]]:
    """Name the document, annotator or category that moves the value by more than it is uncertain.

    `again` says whether data may be measured again without a document.
    """
    result, checked = measured.result, []
    found: list[tuple[Said, ...]] = []
    if result is None:
        return
    if (again or not result.parts.measures_again) and len(result.parts.documents()) > 3:
        checked.append("document")
        found += _document(result, wording)
    if measured.without:
        checked.append("annotator")
        found += _annotator(result, measured.without)
    if measured.without_category is not None:
        checked.append("category")
        found += _category(result, measured.without_category, wording)
    if found:
        yield from found
    elif checked:
        yield (
            Said(
                f"No {' or '.join([', '.join(checked[:-1]), checked[-1]] if len(checked) > 1 else checked)} stands out."
            ),
        )


def _document(result: Result, wording: Wording) -> Iterator[tuple[Said, ...]]:
    one = influential_document(result.parts)
    if one is None or abs(one.without - (result.value or 0.0)) < _VISIBLE:
        return
    name = wording.document(one.document)
    idle = _idle(result, one.document)
    why = f"{enumerated(idle)} marked nothing there, and " if idle else ""
    yield (
        Said(name, document_address(name)),
        Said(f" stands out: {why}without it {result.symbol} would be {value_text(one.without)}."),
    )


def _idle(result: Result, document: str) -> list[str]:
    """Return who worked on a document and marked nothing."""
    data = result.data
    if not isinstance(data, Corpus):
        return []
    index = data.documents.index(document)
    there = data.worked[index] & (data.unit_counts[index] == 0)
    return [data.annotators[who] for who in np.flatnonzero(there).tolist()]


def _annotator(result: Result, without: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Said, ...]]:
    known = [row for row in without if is_finite(row["value_without"])]
    outside = [row for row in known if _is_outside(result, row["value_without"])]
    if outside:
        row = max(outside, key=lambda one: abs(one["value_without"] - (result.value or 0.0)))
        who, value = row["annotator"], value_text(row["value_without"])
        yield (
            Said(who, choice_address(alone=who)),
            Said(f" stands out: without this annotator {result.symbol} would be {value}."),
        )


def _category(result: Result, without: tuple[str, Label, float], wording: Wording) -> Iterator[tuple[Said, ...]]:
    feature, label, value = without
    if _is_outside(result, value):
        name = wording.label(feature, label)
        yield (
            Said(name, choice_address(label=name)),
            Said(f" stands out: without units of this category {result.symbol} would be {value_text(value)}."),
        )


def _is_outside(result: Result, value: float) -> bool:
    """Whether a value is not in the interval of the result."""
    interval = result.interval
    return interval is not None and not interval.low <= value <= interval.high
