"""The numbers of a study: every text by every set of guidelines, for all annotators and for every two groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from unisono.data import Corpus
from unisono.errors import DataError
from unisono.execution import Progress, Workers
from unisono.measurement.registry import Measure, parse_measure
from unisono.results import Captioned, Interval, Tabled
from unisono.statistics.paired import Difference, adjusted_by_holm, paired_difference
from unisono.studies.definition import Guideline

ALL = "all"
DEFAULT = "gamma(chance=shift)"
"""Texts differ in what is expected of them by chance, so each is taken for itself, as in the slides."""


@dataclass(frozen=True)
class Cell:
    """A text by one set of guidelines.

    Attributes
    ----------
    value, observed, expected : float or None
        Agreement, and observed and expected disagreement as the measure has them.
    n_annotators, n_units : int
        What it is made of.
    undefined : str or None
        Why there is no value, if there is none.
    """

    value: float | None
    observed: float | None
    expected: float | None
    n_annotators: int
    n_units: int
    undefined: str | None


@dataclass(frozen=True)
class Part:
    """One set of guidelines for one choice of annotators.

    Attributes
    ----------
    guideline, annotators : str
        Which guidelines; all annotators, or the names of two groups.
    cells : dict
        Text to what was found.
    value : float or None
        Over all texts, with its interval.
    interval : Interval or None
        Of the value.
    undefined : str or None
        Why there is no value.
    notes : tuple of str
        What one should know about the value.
    """

    guideline: str
    annotators: str
    cells: Mapping[str, Cell]
    value: float | None
    interval: Interval | None
    undefined: str | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Study(Tabled):
    """What was found.

    Attributes
    ----------
    title : str
        The study's name.
    measure, symbol : str
        The measure with its parameters, and its letter.
    parts : tuple of Part
        Every set of guidelines for every choice of annotators.
    """

    title: str
    measure: str
    symbol: str
    parts: tuple[Part, ...]

    @property
    def guidelines(self) -> tuple[str, ...]:
        """The guidelines, in the order of the study."""
        return tuple(dict.fromkeys(part.guideline for part in self.parts))

    @property
    def choices(self) -> tuple[str, ...]:
        """All annotators, and every two groups, in the order in which the study names them."""
        return tuple(dict.fromkeys(part.annotators for part in self.parts))

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts, in the order of their names."""
        return tuple(sorted({text for part in self.parts for text in part.cells}))

    def part(self, guideline: str, annotators: str = ALL) -> Part | None:
        """Give one part; None if it is not there."""
        found = (part for part in self.parts if (part.guideline, part.annotators) == (guideline, annotators))
        return next(found, None)

    def cell(self, text: str, guideline: str, annotators: str = ALL) -> Cell | None:
        """Give one cell; None if the text was not annotated so."""
        part = self.part(guideline, annotators)
        return None if part is None else part.cells.get(text)

    def comparisons(self, annotators: str = ALL) -> list[Difference]:
        """Compare every two sets of guidelines, text by text."""
        found = []
        for one, other in combinations(self.guidelines, 2):
            pairs = [
                (first.value, second.value)
                for text in self.texts
                if (first := self.cell(text, one, annotators)) and (second := self.cell(text, other, annotators))
            ]
            known = np.array([pair for pair in pairs if None not in pair], dtype=np.float64).reshape(-1, 2)
            found.append(paired_difference(f"{one} − {other}", known[:, 0], known[:, 1]))
        return adjusted_by_holm(found)

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Give all tables, why cells are empty, and what one should know."""
        from unisono.studies.tables import notes, reasons, study_tables

        empty = [f"No value: {reason}" for reason in reasons(self)]
        return study_tables(self), [*empty, *(f"Note: {note}" for note in notes(self))]

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        return {
            "title": self.title,
            "measure": self.measure,
            "parts": [
                {
                    "guideline": part.guideline,
                    "annotators": part.annotators,
                    "value": part.value,
                    "interval": None if part.interval is None else part.interval.to_dict(),
                    "undefined": part.undefined,
                    "notes": list(part.notes),
                    "texts": [{"text": text, **vars(cell)} for text, cell in part.cells.items()],
                }
                for part in self.parts
            ],
            "comparisons": {choice: [one.to_dict() for one in self.comparisons(choice)] for choice in self.choices},
        }


def study(
    title: str,
    guidelines: Sequence[Guideline],
    measure: str = DEFAULT,
    *,
    rng: int = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Study:
    """Measure every text by every set of guidelines, for all annotators and for every two groups.

    Parameters
    ----------
    title : str
        The study's name.
    guidelines : sequence of Guideline
        See `read_study`.
    measure : str
        A measure with its parameters.
    rng : int
        Seed.
    workers : int, Executor or None
        Who does the work.
    progress : callable, optional
        Called with (done, total) after each part.
    """
    chosen = parse_measure(measure)
    groups = [*dict.fromkeys(name for one in guidelines for name in one.groups)]
    jobs = [(one, name, people) for one in guidelines for name, people in _choices(one, groups)]
    parts = []
    for number, (guideline, name, people) in enumerate(jobs, start=1):
        parts.append(_part(chosen, guideline, name, people, rng, workers))
        if progress is not None:
            progress(number, len(jobs))
    return Study(title, measure, chosen.declaration.symbol, tuple(parts))


def _choices(guideline: Guideline, groups: Sequence[str]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Give all annotators, and those of every two groups, in the order of the whole study."""
    yield ALL, guideline.corpus.annotators
    for one, other in combinations([name for name in groups if name in guideline.groups], 2):
        yield f"{one} – {other}", (*guideline.groups[one], *guideline.groups[other])


def _part(measure: Measure, guideline: Guideline, name: str, people: Sequence[str], rng: int, workers: Workers) -> Part:
    corpus = guideline.corpus.select(annotators=people)
    try:
        result = measure.compute(corpus, rng=rng, workers=workers)
    except DataError:
        return _text_by_text(measure, guideline, name, corpus, rng, workers)
    found = result.to_dict()
    cells = {row["document"]: _cell(row, corpus) for row in found["documents"]}
    for text in guideline.corpus.documents:
        if text in corpus.documents:
            cells.setdefault(text, _cell({"document": text, "undefined": "too few annotators"}, corpus))
        else:
            cells[text] = Cell(None, None, None, 0, 0, "none of these annotators worked on it")
    interval = None if found.get("interval") is None else Interval(**found["interval"])
    return Part(guideline.name, name, cells, result.value, interval, result.undefined, tuple(found.get("notes", ())))


def _text_by_text(
    measure: Measure, guideline: Guideline, name: str, corpus: Corpus, rng: int, workers: Workers
) -> Part:
    """Measure each text by itself where not all of them can be measured together."""
    cells = {}
    for text in corpus.documents:
        own = corpus.select(documents=[text])
        try:
            result = measure.compute(own, rng=rng, workers=workers)
            row = {**result.to_dict(), "document": text}
        except DataError as error:
            row = {"document": text, "undefined": str(error)}
        cells[text] = _cell(row, corpus)
    reasons = [cell.undefined for cell in cells.values() if cell.undefined]
    return Part(guideline.name, name, cells, None, None, reasons[0] if reasons else None)


def _cell(row: Mapping[str, Any], corpus: Corpus) -> Cell:
    index = corpus.documents.index(row["document"])
    rows = corpus.rows(index)
    return Cell(
        row.get("value"),
        row.get("observed"),
        row.get("expected"),
        int(corpus.worked[index].sum()),
        int(rows.stop - rows.start),
        row.get("undefined"),
    )
