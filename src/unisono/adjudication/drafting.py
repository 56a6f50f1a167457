"""From annotations to a draft of a gold standard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unisono.adjudication.competence import MODELS, Competence, weighed
from unisono.adjudication.opinions import Row, counted
from unisono.adjudication.proposal import Thresholds, propose
from unisono.adjudication.result import Gold
from unisono.alignment.alignment import Alignment
from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.errors import DataError, OptionError, listed, plural
from unisono.execution import Progress, Workers
from unisono.formats.entry import as_data
from unisono.measurement.registry import Measure, aligning_measure, parse_measure


def gold(
    corpus: Data,
    measure: str | None = None,
    *,
    support: float = 0.5,
    majority: float = 0.5,
    boundary: float | None = None,
    sure: float | None = None,
    ask_above: float = 0.0,
    competence: str | None = None,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Gold:
    """Draft a gold standard: a unit for each unitary alignment that enough annotators marked.

    Its boundaries are the medians, its labels those that most gave. What cannot be told so is left to a person, who
    finds it in the queue.

    Parameters
    ----------
    corpus : Corpus
        Documents, each with two annotators or more.
    measure : str, optional
        The measure that aligns, with its parameters, e.g. ``gamma(alpha=3,beta=1)``.
    support : float
        More than this share of the annotators of a document must have marked a unit.
    majority : float
        More than this share of those must have given a label; otherwise it goes to the queue.
    boundary : float, optional
        Units whose starts or ends are further apart than this go to the queue; by default, those whose median is
        between two positions that as many chose.
    sure : float, optional
        Units with enough support go to the queue too if they have no more than this.
    ask_above : float
        Units with too little support go to the queue if they have more than this.
    competence : {"dawid-skene", "mace"}, optional
        Let annotators count by their competence, which is estimated; by default all count the same.
    workers : int, Executor or None
        Threads, or any `concurrent.futures.Executor`.
    progress : callable, optional
        Called with (done, total) after each alignment.

    Returns
    -------
    Gold
    """
    thresholds = Thresholds(support, majority, boundary, sure, ask_above)
    if competence is not None and competence not in MODELS:
        raise OptionError(f"there is no model of competence {competence!r}; there are: {', '.join(MODELS)}")
    units = _units(corpus)
    chosen = _measure(units, measure)
    alignments: Mapping[str, Alignment] = chosen.align(units, workers=workers, progress=progress)
    rows: list[Row] = [(name, row) for name, alignment in alignments.items() for row in alignment]
    trust: Competence | None = None
    if competence is None:
        opinions = counted(rows)
    else:
        opinions, trust = weighed(rows, alignments, units.annotators, competence)
    proposals = tuple(
        propose(name, row, opinion, thresholds) for (name, row), opinion in zip(rows, opinions, strict=True)
    )
    notes = _notes(units, alignments, trust)
    return Gold(units, tuple(alignments), proposals, str(chosen), trust, tuple(notes))


def _units(given: Any) -> Corpus:
    """Give units that can be aligned, or say why there are none."""
    data = as_data(given)
    if isinstance(data, Ratings):
        raise DataError("these are ratings, labels of given items, and a gold standard is drafted of units")
    if isinstance(data, Normalizations):
        raise DataError("these are normalizations, words that annotators rewrote, and have no units")
    if not (data.worked.sum(axis=1) > 1).any():
        raise DataError("no document was worked on by two annotators; add what another annotated")
    for document in data:
        if document.texts_differ:
            raise DataError(
                f"the annotators of document {document.name!r} have different texts, and a gold standard has one; "
                "see with `unisono align` where they differ, and make the texts alike"
            )
    return data


def _measure(corpus: Corpus, name: str | None) -> Measure:
    chosen = aligning_measure(corpus) if name is None else parse_measure(name)
    if chosen.declaration.takes_base:
        raise OptionError(
            f"{chosen.declaration.name} aligns texts that differ, and a gold standard has one text; take gamma"
        )
    return chosen


def _notes(corpus: Corpus, alignments: Mapping[str, Alignment], trust: Competence | None) -> list[str]:
    """Say what one should know about the draft."""
    alone = [name for name in corpus.documents if name not in alignments]
    unproven = [name for name, alignment in alignments.items() if alignment.optimality_gap > 0]
    return [
        *_note(alone, "left out, for fewer than two annotators worked on it"),
        *_note(unproven, "aligned, but not proven to be aligned best; give more time, e.g. gamma(time_limit=120)"),
        *(["competence was still changing when the estimation was stopped"] if trust and not trust.settled else []),
    ]


def _note(documents: Sequence[str], what: str) -> list[str]:
    return [f"{plural(len(documents), 'document')} {what}: {listed(documents)}"] if documents else []
