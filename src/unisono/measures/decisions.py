"""The questions that lead to a measure, answered from the data, and what to report of the value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.data.labelled_units import first_overlap, labelled_units
from unisono.errors import plural

PREVALENT = 0.8
"""From this share on, one label decides what κ and α say."""
SCALE = 3
"""From so many different numbers on, labels are likely to be a scale."""
_OPEN = 0.3
"""From so many different labels a label on, annotators write what they like."""
_FEW = 30


class Decision(NamedTuple):
    """A question, the answer, and what it leads to."""

    question: str
    answer: str
    therefore: str


def decisions(data: Data) -> tuple[Decision, ...]:
    """Answer the questions, from whether items were given to what prevails."""
    if isinstance(data, Normalizations):
        return (Decision("Did annotators rewrite words?", "yes", "agreement on rewritten words: normalization"),)
    if isinstance(data, Ratings):
        counts = np.bincount(data.codes[data.codes >= 0], minlength=len(data.labels))
        return (
            Decision("Were the items given?", "yes, a label for each", "agreement on labels: α, κ, π and the like"),
            *_of_labels(data.labels, counts),
        )
    return _of_units(data)


def to_report(data: Data, symbol: str) -> tuple[str, ...]:
    """Say what belongs into a paper beside the value."""
    what = "labels" if isinstance(data, Ratings) else "tokens" if isinstance(data, Normalizations) else "units"
    sentences = [
        f"{symbol} with its interval, and what it is made of: observed and expected.",
        f"How many annotators, documents and {what}, who the annotators are, and whether they worked independently.",
        "The measure with its parameters, chance model and seed: the last line of the output is all of it.",
    ]
    if not isinstance(data, Normalizations):
        sentences.append("The value for each category and each document, and what annotators disagree on most.")
    if data.n_units < _FEW:
        sentences.append(f"{plural(data.n_units, what[:-1])} are few: the interval matters more than the value.")
    return tuple(sentences)


def _of_units(corpus: Corpus) -> tuple[Decision, ...]:
    corrected = any(document.texts_differ for document in corpus)
    found = [
        Decision("Were the items given?", "no, annotators marked spans", "a measure of spans"),
        Decision(
            "Did annotators correct the text?",
            "yes, their texts differ" if corrected else "no",
            "text-gamma, which aligns the texts too" if corrected else "positions can be compared as they are",
        ),
    ]
    if not corpus.n_units:
        return tuple(found)
    overlap = first_overlap(labelled_units(corpus, next(iter(corpus.features), None)))
    found.append(
        Decision(
            "Do units of one annotator overlap?",
            "no" if overlap is None else "yes",
            "uα, cuα and segmentations are possible too" if overlap is None else "γ; most others cannot handle it",
        )
    )
    names = corpus.label_features
    if len(names) > 1:
        found.append(
            Decision("Is there one label a unit?", f"no, there are {', '.join(names)}", "weights: gamma(features=…)")
        )
    elif names:
        column = corpus.features[names[0]]
        found += _of_labels(column.labels, np.bincount(column.codes[column.codes >= 0], minlength=len(column.labels)))
    else:
        found.append(Decision("Do units have labels?", "no", "only positions count"))
    return tuple(found)


def _of_labels(labels: Sequence[object], counts: np.ndarray) -> list[Decision]:
    total = int(counts.sum())
    if not total:
        return []
    found = []
    is_open = len(labels) >= _FEW and len(labels) >= _OPEN * total
    found.append(
        Decision(
            "Are labels chosen from a list?",
            f"hardly: {len(labels):,} different ones" if is_open else f"yes, {plural(len(labels), 'label')}",
            "spellings that are alike should count: distance=nld" if is_open else "labels are the same or not",
        )
    )
    if len(labels) >= SCALE and all(is_number(label) for label in labels):
        found.append(
            Decision("Are labels a scale?", "perhaps, all are numbers", "near misses cost less: ordinal, interval")
        )
    share = float(counts.max() / total)
    if share >= PREVALENT and len(labels) > 1:
        found.append(
            Decision(
                "Does one label prevail?", f"yes, {share:.0%} are {labels[int(counts.argmax())]}", "AC1 beside α and κ"
            )
        )
    return found


def is_number(label: object) -> bool:
    """Tell whether a label is a number, or is written as one."""
    try:
        return not isinstance(label, bool) and bool(np.isfinite(float(str(label))))
    except ValueError:
        return False
