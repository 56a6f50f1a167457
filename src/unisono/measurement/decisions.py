"""The questions that lead to a measure, answered from the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from unisono.data import Normalizations, Ratings
from unisono.errors import listed, plural
from unisono.measurement.facts import Facts, Labels
from unisono.measurement.scales import FEWEST_LABELS


class Decision(NamedTuple):
    """A question, the answer, and what it leads to."""

    question: str
    answer: str
    therefore: str


def decisions(facts: Facts) -> tuple[Decision, ...]:
    """Answer the questions, from whether items were given to what prevails.

    What data cannot tell is asked back: *if* stands in what it leads to.
    """
    if isinstance(facts.data, Normalizations):
        return (Decision("Did annotators rewrite words?", "yes", "agreement on rewritten words: normalization"),)
    if isinstance(facts.data, Ratings):
        given = Decision("Were the items given?", "yes, a label for each", "agreement on labels: α, κ, π and the like")
        return (given, *_of_labels(facts))
    if not facts.data.n_units:
        return (Decision("Were the items given?", "nobody marked anything", "nothing to compare yet"),)
    return (*_of_spans(facts), *_of_labels(facts))


def _of_spans(facts: Facts) -> Iterator[Decision]:
    yield _given(facts)
    if facts.corrected:
        yield Decision(
            "Did annotators correct the text?",
            f"yes, theirs differ in {listed(facts.corrected, 3)}",
            "text-gamma aligns the texts too; positions in different texts cannot be compared",
        )
        return
    therefore = "positions can be compared as they are"
    if facts.tokens:
        therefore = "positions can be compared; if annotators corrected how it is cut into tokens, text-gamma"
    yield Decision("Did annotators correct the text?", "no", therefore)
    if facts.cut:
        yield _cut(facts)
    elif facts.overlap is not None:
        yield Decision("Do units of one annotator overlap?", "yes", "γ is made for it, most others are not")
    else:
        named = len(facts.features) > 1 or (facts.labels is not None and facts.labels.n > 1)
        others = "uα and cuα are" if named else "uα is"
        yield Decision("Do units of one annotator overlap?", "no", f"{others} possible beside γ")
        yield Decision("Is everything cut into pieces?", "no", "measures of segmentation do not fit")


def _given(facts: Facts) -> Decision:
    question = "Were the items given?"
    if facts.coincide:
        return Decision(
            question,
            "perhaps: everybody marked the same spans",
            "if they were, agreement on labels: α; if annotators found them, γ gives them credit for it",
        )
    return Decision(question, "no, annotators marked spans", "where units begin and end counts too")


def _cut(facts: Facts) -> Decision:
    question, answer = "Is everything cut into pieces?", "yes, without gaps and overlaps"
    if facts.features:
        return Decision(question, answer, "γ sees pieces and labels; boundary-similarity sees the cuts only")
    if facts.whole:
        return Decision(question, answer, "the cuts are all there is to agree on: boundary-similarity")
    return Decision(
        question,
        "yes, at positions that are no whole numbers",
        "γ, or boundary-similarity with the size of an atom, e.g. step=0.1",
    )


def _of_labels(facts: Facts) -> Iterator[Decision]:
    labels = facts.labels
    if len(facts.features) > 1:
        yield Decision(
            "Is there one label a unit?",
            f"no, there are {listed(facts.features)}",
            "say which count: features=… with γ, with weights if you like; feature=… with others",
        )
    elif labels is None:
        yield Decision("Are there labels?", "no", "only positions count")
    else:
        yield _list(labels, facts)
        if labels.kind == "sets":
            yield Decision(
                "Are there several labels at once?",
                "it looks so: labels like A|B",
                "if they are sets, those that overlap agree in part",
            )
        elif labels.kind != "open" and labels.n >= FEWEST_LABELS:
            yield _scale(labels)
        if labels.prevail:
            yield _prevailing(labels, facts)


def _list(labels: Labels, facts: Facts) -> Decision:
    question = "Are labels chosen from a list?"
    of_units = not isinstance(facts.data, Ratings)
    if labels.kind == "one":
        therefore = "labels say nothing; positions do" if of_units else "agreement cannot be told from chance"
        return Decision(question, f"there is only one: {labels.most}", therefore)
    if labels.kind != "open":
        return Decision(question, f"yes, {plural(labels.n, 'label')}", "labels are the same or not")
    therefore = "spellings that are alike should count: distance=nld"
    if of_units and not facts.corrected:
        therefore = "γ takes every spelling for a label of its own: make them alike first, or leave them out (beta=0)"
    return Decision(question, f"hardly: {labels.n:,} different ones", therefore)


def _scale(labels: Labels) -> Decision:
    question = "Are labels a scale?"
    if labels.kind == "ordered":
        order = " < ".join(map(str, labels.order))
        return Decision(question, f"it looks so: {order}", "if so, near misses should cost less")
    if labels.kind == "numbers":
        return Decision(question, "perhaps: all are numbers", "if so, near misses should cost less")
    return Decision(question, "only you can tell", "if so, name their order: distance=ordinal(…)")


def _prevailing(labels: Labels, facts: Facts) -> Decision:
    therefore = "chance agrees often on it, and α and κ can be low though annotators mostly agree: AC1 beside α"
    if not isinstance(facts.data, Ratings):
        therefore = "chance agrees often on it: give the value of each category too"
    return Decision("Does one label prevail?", f"yes, {labels.share:.0%} are {labels.most}", therefore)
