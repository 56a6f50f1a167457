"""What follows from the answers: what to measure, what to report, and what is missing before that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from unisono.data import Normalizations, Ratings
from unisono.errors import listed, plural
from unisono.measurement.declaration import Declaration
from unisono.measurement.facts import Facts, LabelFacts
from unisono.measurement.registry import Measure, declared, default_measure, parse_measure
from unisono.measurement.scales import alpha_with
from unisono.measurement.spec import Call, Value

_FEW = 30
_DISTANCES: dict[str, dict[str, str]] = {
    "gamma": {"sets": "set", "numbers": "numeric", "steps": "numeric"},
    "text-gamma": {"open": "nld", "sets": "set", "numbers": "numeric", "steps": "numeric"},
}
"""Measure of units and kind of labels to their distance; labels in a well-known order are ordinal for all measures."""

_SCALE = "labels form a scale"
_CONDITIONS = {"sets": "labels like A|B are sets", "numbers": _SCALE, "steps": _SCALE, "ordered": _SCALE}
"""Kind of labels of units to what only people can know about them."""
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
    default = default_measure(facts.data)
    if default.declaration not in declarations:
        return
    fitting, labels = [one.name for one in declarations], facts.labels
    if isinstance(facts.data, Ratings):
        yield from _of_items(str(default), fitting, labels)
        return
    first = fitting[0]
    yield Way("", (_of_units(first, facts),))
    yield from _of_relations(facts, fitting)
    if labels is not None and labels.kind in _CONDITIONS and first in _DISTANCES:
        yield Way(_CONDITIONS[labels.kind], (_with_distance(first, labels),))
    if facts.tokens and "text-gamma" in fitting:
        yield Way("annotators corrected the tokenization", ("text-gamma",))
    if facts.coincide and labels is not None and "krippendorff-alpha" in fitting:
        distance = "nld" if labels.kind == "open" else "nominal"
        beside = _beside("nominal", fitting, labels)
        yield Way("the spans were given to the annotators", (alpha_with(distance), *beside))


def _of_relations(facts: Facts, fitting: Sequence[str]) -> Iterator[Way]:
    """Yield what to measure besides γ if units are relations or dependencies."""
    trees = tuple(name for name in ("tree-alpha", "attachment") if name in fitting)
    if facts.composite == "dependencies" and trees:
        yield Way("these are the dependency trees of sentences", trees)
    elif facts.composite != "units in pieces" and "relation-f1" in fitting:
        yield Way("results are to be compared with those of relation extraction", ("relation-f1",))


def _of_items(default: str, fitting: Sequence[str], labels: LabelFacts | None) -> Iterator[Way]:
    """Yield what to measure if items were labelled: with the distance for their labels, then with others."""
    if labels is None:
        yield Way("", (default,))
        return
    yield Way("", (default, *_beside(labels.scale.distance, fitting, labels)))
    for one in labels.scale.instead:
        if not one.missing:
            yield Way(one.condition, (one.measure, *_beside(one.distance, fitting, labels)))
    if labels.scale.has_order and not labels.scale.as_names:
        yield from _other_measures(fitting, labels)


def _beside(distance: str | Call, fitting: Sequence[str], labels: LabelFacts) -> tuple[str, ...]:
    """Return what to measure beside α with this distance where one label prevails."""
    if not labels.prevail:
        return ()
    if distance == "nominal":
        return ("gwet-ac1",) if "gwet-ac1" in fitting else ()
    fits = labels.scale.has_order and ("gwet-ac2" in fitting or labels.scale.order)  # with an order, words fit, too
    return (_weighted("gwet-ac2", labels),) if fits else ()


_RELIABLE = "you need to know how reliable single ratings, or their means, are (with annotators as a sample)"


def _other_measures(fitting: Sequence[str], labels: LabelFacts) -> Iterator[Way]:
    """Yield the measures of scales besides α that fit, as far as there are any."""
    if "weighted-kappa" in fitting or ("cohen-kappa" in fitting and labels.scale.order):
        yield Way("these two annotators are the only ones of interest", (_weighted("weighted-kappa", labels),))
    if "icc" in fitting and labels.kind in ("numbers", "steps"):
        yield Way(_RELIABLE, ("icc",))
    if "kendall-w" in fitting and labels.kind == "ranks":
        yield Way("every annotator ranked the same things", ("kendall-w",))


def _of_units(name: str, facts: Facts) -> str:
    """Write a measure with the features that it needs."""
    if name == "gamma" and len(facts.features) > 1:
        return _spelled(name, features=list(facts.features))
    if facts.labels is not None and facts.labels.kind == "open" and "open" in _DISTANCES.get(name, {}):
        return _with_distance(name, facts.labels)
    return name


def _with_distance(name: str, labels: LabelFacts) -> str:
    """Write a measure of units with the distance for labels of this kind."""
    if labels.kind == "ordered":
        return _spelled(name, distance=Call("ordinal", labels.scale.order))
    return _spelled(name, distance=_DISTANCES[name][labels.kind])


def _weighted(name: str, labels: LabelFacts) -> str:
    """Write a measure with weights, for labels that are numbers or have an order."""
    order = labels.scale.order
    weights = "quadratic" if name == "gwet-ac2" else "linear"
    return _spelled(name, weights=Call(weights, order)) if order else name


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
    if labels is not None and labels.scale.has_order:
        yield "Whether labels are treated as a scale, and in which order."
    if labels is not None and labels.kind == "open":
        yield f"That labels were open: {labels.n:,} different ones."
    if len(facts.features) > 1:
        yield f"Which features count, and with which weights: {listed(facts.features)}."
