"""What follows from the answers: what to measure, what to report, and what is missing before that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from unisono.data import Normalizations, Ratings
from unisono.errors import listed, plural
from unisono.measurement.declaration import Declaration
from unisono.measurement.facts import Facts, LabelFacts
from unisono.measurement.registry import Measure, declared, default_measure, parse_measure
from unisono.measurement.spec import Call, Value

_FEW = 30
_DISTANCES: dict[str, dict[str, str]] = {
    "krippendorff-alpha": {"open": "nld", "sets": "masi", "numbers": "ordinal"},
    "gamma": {"sets": "set", "numbers": "numeric"},
    "text-gamma": {"open": "nld", "sets": "set", "numbers": "numeric"},
}
"""Measure and kind of labels to their distance; labels with a well-known order are ordinal for all measures."""

_SCALE = "labels form a scale"
_CONDITIONS = {"sets": "labels like A|B are sets", "numbers": _SCALE, "ordered": _SCALE}
"""Kind of labels to what only people can know about them."""
_CORRECTED = "π or κ, which are printed below it, or γ"


class Way(NamedTuple):
    """Measures to use, and under which condition; the first way has none."""

    condition: str
    measures: tuple[str, ...]


def lacking(facts: Facts) -> str:
    """State in a sentence what is missing before anything can be measured; empty if nothing is."""
    if facts.alone:
        return (
            "Add the work of a second annotator on the same documents or items. If it is already there, documents have "
            "different names, or the annotators' names were not found: say where they are in the paths or files."
        )
    if not facts.data.n_units:
        return "Nobody marked anything: check whether the right files and layers were read."
    if facts.layers:
        return (
            f"There are units of several layers ({listed(facts.layers)}), which are measured one by one: choose a "
            "layer, or name the features that count."
        )
    if isinstance(facts.data, Ratings) and facts.labels is not None and facts.labels.kind == "one":
        return (
            "All items have the same label: add items that could have another label, or check whether the right column "
            "was read."
        )
    return ""


def ways(facts: Facts, declarations: Sequence[Declaration]) -> Iterator[Way]:
    """Yield what to measure: first what the data requires, then what it may require.

    Where the default measure has no value, no other should be used instead.
    """
    if default_measure(facts.data).declaration not in declarations:
        return
    fitting = [one.name for one in declarations]
    first, labels = fitting[0], facts.labels
    beside = ["gwet-ac1"] if labels is not None and labels.prevail and "gwet-ac1" in fitting else []
    of_items = isinstance(facts.data, Ratings)
    yield Way("", (_as_it_is(first, facts), *(beside if of_items else [])))
    if labels is not None and labels.kind in _CONDITIONS and first in _DISTANCES:
        weighted = [_weighted(labels)] if beside and of_items and labels.kind != "sets" else []
        yield Way(_CONDITIONS[labels.kind], (_with_distance(first, labels), *weighted))
    if facts.tokens and "text-gamma" in fitting:
        yield Way("annotators corrected the tokenization", ("text-gamma",))
    if facts.coincide and "krippendorff-alpha" in fitting:
        yield Way("the spans were given to the annotators", (_as_it_is("krippendorff-alpha", facts), *beside))


def _as_it_is(name: str, facts: Facts) -> str:
    """Write a measure with what the data requires: its features, and how open labels are compared."""
    if name == "gamma" and len(facts.features) > 1:
        return _spelled(name, features=list(facts.features))
    if facts.labels is not None and facts.labels.kind == "open" and "open" in _DISTANCES.get(name, {}):
        return _with_distance(name, facts.labels)
    return name


def _with_distance(name: str, labels: LabelFacts) -> str:
    """Write a measure with the distance for labels of this kind."""
    if labels.kind == "ordered":
        return _spelled(name, distance=Call("ordinal", tuple(map(str, labels.order))))
    return _spelled(name, distance=_DISTANCES[name][labels.kind])


def _weighted(labels: LabelFacts) -> str:
    """Write AC2, the counterpart of AC1 for scales."""
    order = tuple(map(str, labels.order))
    return _spelled("gwet-ac2", weights=Call("quadratic", order)) if order else "gwet-ac2"


def _spelled(name: str, **given: Value) -> str:
    return str(Measure(declared(name), given))


def to_report(facts: Facts, taken: Sequence[Way]) -> Iterator[str]:
    """Yield what to report in a paper besides the value."""
    if not taken:
        return
    main = [parse_measure(text).declaration for text in taken[0].measures]
    symbols = " and ".join(one.symbol for one in main)
    if main[0].corrected:
        yield f"{symbols}, {'each ' if len(main) > 1 else ''}with its interval, observed and expected value."
    else:
        yield (
            f"{symbols} with its interval, the fact that it is not corrected for chance, and a value that is: "
            f"{_CORRECTED}."
        )
    what = {Ratings: "labels", Normalizations: "tokens"}.get(type(facts.data), "units")
    yield f"How many annotators, documents and {what}, who the annotators are, and whether they worked independently."
    yield "The measure with its parameters, chance model and seed; the last line of the output contains them all."
    yield from _on_labels(facts)
    if facts.coincide:
        yield "Whether the spans were given to the annotators."
    if facts.corrected:
        yield "What the annotators started from, and how much of it they changed."
    if facts.data.n_units < _FEW:
        yield f"{plural(facts.data.n_units, what[:-1])} are few: the interval matters more than the value."


def _on_labels(facts: Facts) -> Iterator[str]:
    labels = facts.labels
    documents = " and each document" if len(facts.data.documents) > 1 else ""
    if labels is not None and labels.prevail:
        yield (
            f"That {labels.share:.0%} of the labels are {labels.most}, and the value for each category: without this, "
            "nobody can judge the number."
        )
    elif labels is not None and labels.n > 1 and labels.kind != "open":
        yield f"The value for each category{documents}, and what annotators disagree on most."
    else:
        yield "What annotators disagree on most."
    if labels is not None and labels.kind in ("numbers", "ordered"):
        yield "Whether labels are treated as a scale, and in which order."
    if labels is not None and labels.kind == "open":
        yield f"That labels were open: {labels.n:,} different ones."
    if len(facts.features) > 1:
        yield f"Which features count, and with which weights: {listed(facts.features)}."
