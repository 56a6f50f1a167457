"""Which measures fit the data, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.data.coinciding import to_ratings
from unisono.data.labelled_units import first_overlap, labelled_units
from unisono.errors import DataError, plural
from unisono.measures.decisions import PREVALENT, SCALE, Decision, decisions, is_number, to_report
from unisono.measures.declaration import Declaration
from unisono.measures.registry import preferred
from unisono.results import Captioned, Table, Tabled


@dataclass(frozen=True)
class Advice(Tabled):
    """What to take for some data.

    Attributes
    ----------
    observations : tuple of str
        What the data shows that matters for the choice, in sentences.
    fitting : tuple of Declaration
        The measures that can handle the data, the one to take first.
    unfit : dict
        The other measures' names, and why each cannot handle it.
    decisions : tuple of Decision
        The questions that lead to the measure, with answers from the data.
    report : tuple of str
        What to report beside the value.
    """

    observations: tuple[str, ...]
    fitting: tuple[Declaration, ...]
    unfit: dict[str, str]
    decisions: tuple[Decision, ...] = ()
    report: tuple[str, ...] = ()

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Give the questions that lead to the measure, what fits, what does not, and what to report."""
        unfit: dict[str, list[str]] = {}
        for name, reason in self.unfit.items():
            unfit.setdefault(reason, []).append(name)
        tables = [
            Captioned("From the data to the measure", Table(("question", "answer", "therefore"), self.decisions)),
            Captioned(
                "These fit, the first before all others",
                Table(("measure", "when"), [(one.name, one.when) for one in self.fitting]),
            ),
            Captioned(
                "These do not fit",
                Table(("measure", "why"), [(", ".join(names), reason) for reason, names in unfit.items()]),
            ),
        ]
        return tables, [*self.observations, *(f"Report: {sentence}" for sentence in self.report)]

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        return {
            "observations": self.observations,
            "decisions": [one._asdict() for one in self.decisions],
            "fitting": [{"measure": one.name, "title": one.title, "when": one.when} for one in self.fitting],
            "unfit": [{"measure": name, "reason": reason} for name, reason in self.unfit.items()],
            "report": self.report,
        }

    def __repr__(self) -> str:
        return f"Advice(take {', '.join(one.name for one in self.fitting) or 'nothing'})"

    def __str__(self) -> str:
        return "\n".join([*self.observations, *(f"{one.name}: {one.when}" for one in self.fitting)])


def advise(data: Data) -> Advice:
    """Say which measures fit the data, and why the others do not.

    Parameters
    ----------
    data : Corpus or Ratings
        What was annotated.
    """
    ordered = preferred(data)
    reasons = {declaration.name: declaration.unfit(data) for declaration in ordered}
    fitting = tuple(one for one in ordered if reasons[one.name] is None)
    return Advice(
        observations=tuple(_observed(data)),
        fitting=fitting,
        unfit={name: reason for name, reason in reasons.items() if reason is not None},
        decisions=decisions(data),
        report=to_report(data, fitting[0].symbol) if fitting else (),
    )


def _observed(data: Data) -> Iterator[str]:
    if isinstance(data, Ratings):
        return _of_ratings(data)
    return _of_normalizations(data) if isinstance(data, Normalizations) else _of_units(data)


def _of_normalizations(data: Normalizations) -> Iterator[str]:
    changed = ((data.norm >= 0) & (data.norm != data.original[:, None])).any(axis=1)
    yield (
        f"{plural(len(data.annotators), 'annotator')} rewrote {plural(data.n_tokens, 'token')} that were given to "
        f"them; {int(changed.sum()):,} were changed by at least one."
    )
    absent = int((data.norm < 0).sum())
    if absent:
        yield f"{absent:,} of {data.norm.size:,} normalizations are missing: what is there is used."


def _of_ratings(ratings: Ratings) -> Iterator[str]:
    yield (
        f"{plural(len(ratings.annotators), 'annotator')} labelled {plural(ratings.n_items, 'item')} that were given "
        f"to them, with {plural(len(ratings.labels), 'label')}."
    )
    absent = int((ratings.codes < 0).sum())
    if absent:
        yield f"{absent:,} of {ratings.codes.size:,} labels are missing: α, AC1 and Fleiss' κ use what is there."
    yield from _of_labels(ratings.labels, np.bincount(ratings.codes[ratings.codes >= 0], minlength=1))
    yield from (f"{note[:1].upper()}{note[1:]}." for note in ratings.notes)


def _of_units(corpus: Corpus) -> Iterator[str]:
    yield (
        f"{plural(len(corpus.annotators), 'annotator')} marked {plural(corpus.n_units, 'unit')} in "
        f"{plural(len(corpus.documents), 'document')}."
    )
    if not corpus.n_units:
        return
    differing = sum(document.texts_differ for document in corpus)
    if differing:
        yield (
            f"The annotators' texts differ in {plural(differing, 'document')}: they corrected the text itself, which "
            "text-gamma is made for; other measures compare positions in texts that are not the same."
        )
    units = labelled_units(corpus, next(iter(corpus.features), None))
    overlap = first_overlap(units)
    if overlap is not None:
        yield f"Units of one annotator overlap ({overlap}), which γ is made for and most other measures are not."
    if _coincide(corpus):
        yield (
            "Everybody marked the same spans. If these were given to the annotators, who had only labels to choose, "
            "take krippendorff-alpha; if they found the spans themselves, γ gives them credit for it."
        )
    if not corpus.features:
        yield "Units have no labels: only their positions can agree."
    for name, feature in corpus.features.items():
        if (name,) == corpus.label_features:
            yield from _of_labels(feature.labels, np.bincount(feature.codes[feature.codes >= 0], minlength=1))
    if len(corpus.label_features) > 1:
        names = ", ".join(corpus.label_features)
        yield f"Units have several features ({names}): say which count, with weights if you like: gamma(features=…)."


def _of_labels(labels: tuple[object, ...], counts: np.ndarray) -> Iterator[str]:
    total = int(counts.sum())
    if len(labels) == 1:
        yield f"There is only one label ({labels[0]}): agreement on labels cannot be told from chance."
    elif total and counts.max() >= PREVALENT * total:
        most = labels[int(counts.argmax())]
        yield (
            f"{counts.max() / total:.0%} of the labels are {most!r}. Where one label prevails, chance agrees often, "
            "and κ, π and α can be low although annotators mostly agree: report agreement per category beside them."
        )
    if any("|" in str(label) or isinstance(label, tuple) for label in labels):
        yield "Labels look like sets (A|B). Sets that overlap agree in part: krippendorff-alpha(distance=masi) or set."
    if len(labels) >= SCALE and all(is_number(label) for label in labels):
        yield (
            "All labels are numbers. If they are a scale, near misses should cost less: "
            "krippendorff-alpha(distance=ordinal) or (distance=interval), gamma(distance=numeric)."
        )


def _coincide(corpus: Corpus) -> bool:
    """Tell whether two or more marked the same spans wherever they worked."""
    if not (corpus.worked.sum(axis=1) > 1).any():
        return False
    try:
        to_ratings(corpus, feature=next(iter(corpus.features), None))
    except DataError:
        return False
    return True
