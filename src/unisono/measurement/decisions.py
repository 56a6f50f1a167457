"""The questions that lead to a measure, answered from the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from unisono.data import Normalizations, Ratings
from unisono.errors import listed, plural
from unisono.measurement.facts import Facts, LabelFacts
from unisono.measurement.known_orders import FEWEST_LABELS


class Decision(NamedTuple):
    """A question, the answer, and what follows from it."""

    question: str
    answer: str
    therefore: str


def decide(facts: Facts) -> tuple[Decision, ...]:
    """Answer the questions, from whether items were given to whether one label prevails.

    Where the data cannot answer, what follows begins with *if*: the user has to decide.
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
            f"yes, their texts differ in {listed(facts.corrected, 3)}",
            "text-gamma aligns the texts too; positions in different texts cannot be compared",
        )
        return
    therefore = "positions can be compared directly"
    if facts.tokens:
        therefore = "positions can be compared; if annotators corrected the tokenization, use text-gamma"
    yield Decision("Did annotators correct the text?", "no", therefore)
    if facts.composite:
        yield _composite(facts.composite)
    elif facts.cut:
        yield _cut(facts)
    elif facts.overlap is not None:
        yield Decision("Do units of one annotator overlap?", "yes", "γ is built for this; most other measures are not")
    else:
        labelled = len(facts.features) > 1 or (facts.labels is not None and facts.labels.n > 1)
        others = "uα and cuα are" if labelled else "uα is"
        yield Decision("Do units of one annotator overlap?", "no", f"{others} possible besides γ")
        yield Decision("Is the whole continuum segmented?", "no", "measures of segmentation do not fit")


def _composite(what: str) -> Decision:
    therefore = "γ gives credit for ends that are nearly right; relation-f1 counts relations that are the same"
    if what == "dependencies":
        therefore = "tree-alpha compares whole trees, attachment heads one by one; γ gives credit for near positions"
    elif what == "units in pieces":
        therefore = "γ compares all pieces of a unit; other measures need discontinuous=whole"
    return Decision("Do units have several anchors?", f"yes, they are {what}", therefore)


def _given(facts: Facts) -> Decision:
    question = "Were the items given?"
    if facts.coincide:
        return Decision(
            question,
            "perhaps: all annotators marked the same spans",
            "if they were, agreement on labels: α; if annotators found them, γ gives credit for that",
        )
    return Decision(question, "no, annotators marked spans", "the positions of units count too")


def _cut(facts: Facts) -> Decision:
    question, answer = "Is the whole continuum segmented?", "yes, without gaps and overlaps"
    if facts.features:
        return Decision(question, answer, "γ compares segments and labels; boundary-similarity compares only the cuts")
    if facts.whole:
        return Decision(question, answer, "annotators can only agree on the cuts: boundary-similarity")
    return Decision(
        question,
        "yes, at positions that are not whole numbers",
        "γ, or boundary-similarity with the size of an atom, e.g. step=0.1",
    )


def _of_labels(facts: Facts) -> Iterator[Decision]:
    labels = facts.labels
    if facts.layers:
        answer = f"no, there are {listed(facts.layers)}"
        yield Decision("Do all units belong to one layer?", answer, "layers are measured one by one: choose one")
    elif len(facts.features) > 1:
        yield Decision(
            "Is there one label per unit?",
            f"no, there are {listed(facts.features)}",
            "choose which ones count: features=… for γ (weights are possible), feature=… for other measures",
        )
    elif labels is None:
        yield Decision("Are there labels?", "no", "only positions count")
    else:
        yield _list(labels, facts)
        if labels.kind in ("sets", "paths"):
            yield _several(labels, facts)
        elif labels.kind != "open" and labels.n >= FEWEST_LABELS:
            yield _scale(labels, facts)
        if labels.prevail:
            yield _prevailing(labels, facts)


def _list(labels: LabelFacts, facts: Facts) -> Decision:
    question = "Are labels chosen from a list?"
    of_units = not isinstance(facts.data, Ratings)
    if labels.kind == "one":
        therefore = "only positions matter" if of_units else "agreement cannot be distinguished from chance"
        return Decision(question, f"there is only one: {labels.most}", therefore)
    if labels.kind == "numbers" and not of_units:
        return Decision(question, f"no, they are {labels.n:,} different numbers", "differences between labels count")
    if labels.kind != "open":
        return Decision(question, f"yes, {plural(labels.n, 'label')}", "labels are the same or not")
    therefore = "similar spellings should agree in part: distance=nld"
    if of_units and not facts.corrected:
        therefore = "γ treats every spelling as a different label: unify spellings first, or ignore labels (beta=0)"
    return Decision(question, f"probably not: there are {labels.n:,} different ones", therefore)


def _several(labels: LabelFacts, facts: Facts) -> Decision:
    question = "Are there several labels at once?"
    told = isinstance(facts.data, Ratings) and facts.data.question.kind == labels.kind
    if labels.kind == "paths":
        return Decision(
            "Do labels belong to a taxonomy?", f"yes, {labels.scale.details}", "places near each other agree in part"
        )
    if told:
        return Decision(question, f"yes, {labels.scale.details}", "sets that overlap agree in part")
    return Decision(
        question, "apparently: there are labels like A|B", "if they are sets, sets that overlap agree in part"
    )


def _scale(labels: LabelFacts, facts: Facts) -> Decision:
    question, scale = "Do labels form a scale?", labels.scale
    if scale.odd:
        return Decision(
            question, f"perhaps, but {scale.details}", f"if {scale.instead[0].condition}, treat that as missing"
        )
    if isinstance(facts.data, Ratings) and not scale.as_names:
        answer = "yes" if facts.data.question.kind in ("ordered", "numbers", "ranks") else "apparently"
        return Decision(question, f"{answer}: {scale.words}", "near misses cost less")
    if scale.order:
        return Decision(question, f"apparently: {' < '.join(scale.order)}", "if so, near misses should cost less")
    if scale.looks_like_more:
        return Decision(question, "perhaps: all are numbers", "if so, near misses should cost less")
    return Decision(question, "only you can know", "if so, specify their order: distance=ordinal(…)")


def _prevailing(labels: LabelFacts, facts: Facts) -> Decision:
    therefore = (
        "agreement by chance is frequent, and α and κ can be low although annotators mostly agree: AC1 besides α"
    )
    if not isinstance(facts.data, Ratings):
        therefore = "agreement by chance is frequent: report the value of each category too"
    return Decision("Does one label prevail?", f"yes, {labels.share:.0%} are {labels.most}", therefore)
