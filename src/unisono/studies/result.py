"""What a study found, and its tables: rows are texts, columns are guidelines (Reiter 2018)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean, stdev
from typing import Any

import numpy as np

from unisono.measurement.registry import parse_measure
from unisono.results import NOTHING, Captioned, Interval, Result, Table, Tabled, p_value
from unisono.statistics.paired import Difference, adjusted_by_holm, paired_difference

ALL = "all"
_ERRORS = ("error", "cost")
_TOO_FEW = "fewer than two texts have a value by both, so there is no mean difference"


@dataclass(frozen=True)
class StudyCell:
    """A text by one set of guidelines.

    Attributes
    ----------
    value, observed, expected : float or None
        Agreement, and observed and expected disagreement as the measure defines them.
    n_annotators, n_units : int
        What it is computed from.
    undefined : str or None
        Why there is no value, if there is none.

    See Also
    --------
    Study, Part

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> cell = unisono.studies.study("Pilot", {"first": corpus}, "span-f1").parts[0].cells["document"]
    >>> cell.value, cell.n_annotators, cell.n_units
    (0.5, 2, 4)
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
        The guidelines; "all", "within GROUP", or "between GROUP and GROUP".
    cells : dict
        Text to what was found.
    value : float or None
        The value over all texts.
    interval : Interval or None
        Of the value.
    undefined : str or None
        Why there is no value.
    notes : tuple of str
        What one should know about the value.
    annotator_names : tuple of str
        The annotators.
    result : Result or None
        The result of all annotators, with everything that a report shows; None for groups.

    See Also
    --------
    Study, study, StudyCell

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> part = unisono.studies.study("Pilot", {"first": corpus}, "span-f1").parts[0]
    >>> part.guideline, part.annotators, part.value
    ('first', 'all', 0.5)
    """

    guideline: str
    annotators: str
    cells: Mapping[str, StudyCell]
    value: float | None
    interval: Interval | None
    undefined: str | None
    notes: tuple[str, ...] = ()
    annotator_names: tuple[str, ...] = ()
    result: Result | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Study(Tabled):
    """What a study found.

    Attributes
    ----------
    title : str
        The study's name.
    measure, symbol : str
        The measure with its parameters, and its letter.
    parts : tuple of Part
        Every set of guidelines for every choice of annotators.
    dropped : dict
        Guidelines to what was left out or changed when their data was read and prepared, with counts.

    See Also
    --------
    study, Part, StudyCell

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> found = unisono.studies.study("Pilot", {"first": corpus}, "span-f1")
    >>> found.cell("document", "first", "all").value
    0.5
    """

    title: str
    measure: str
    symbol: str
    parts: tuple[Part, ...]
    dropped: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has a value."""
        return not any(cell.value is not None for part in self.parts for cell in part.cells.values())

    @property
    def guidelines(self) -> tuple[str, ...]:
        """The guidelines, in the order of the study."""
        return tuple(dict.fromkeys(part.guideline for part in self.parts))

    @property
    def choices(self) -> tuple[str, ...]:
        """All annotators, within each group, and between every two, in the order in which the study names them."""
        every = dict.fromkeys(part.annotators for part in self.parts)
        return tuple(sorted(every, key=lambda name: (name != ALL, name.startswith("between "))))

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts, in the order of their names."""
        return tuple(sorted({text for part in self.parts for text in part.cells}))

    def part(self, guideline: str, annotators: str = ALL) -> Part | None:
        """Return one part; None if there is no such part."""
        found = (part for part in self.parts if (part.guideline, part.annotators) == (guideline, annotators))
        return next(found, None)

    def cell(self, text: str, guideline: str, annotators: str = ALL) -> StudyCell | None:
        """Return one cell; None if the text was not annotated by these guidelines."""
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
        """Return all tables, why cells are empty, and what one should know."""
        tables = [table for choice in self.choices for table in _tables(self, choice)]
        return tables, [
            *(f"No value: {reason}" for reason in _reasons(self)),
            *(f"Note: {note}" for note in _notes(self)),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "title": self.title,
            "measure": self.measure,
            "dropped": {name: dict(counts) for name, counts in self.dropped.items()},
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


def _tables(study: Study, choice: str) -> Iterator[Captioned]:
    """Yield observed and expected disorder and the value, text by text, then guidelines side by side."""
    people = "all annotators" if choice == ALL else choice
    for quantity, title in _quantities(study):
        table = _by_text(study, choice, quantity)
        if table is not None:
            yield Captioned(f"{title} ({people})", table, 4)
    yield Captioned(f"Guidelines ({people})", _by_guideline(study, choice))
    if len(study.guidelines) > 1:
        yield Captioned(f"Guidelines compared, text by text ({people})", _compared(study, choice))


def _quantities(study: Study) -> list[tuple[str, str]]:
    declared = parse_measure(study.measure).declaration
    what = "disorder" if declared.name in ("gamma", "text-gamma") else ""
    better = "lower" if declared.scale in _ERRORS else "higher"
    return [
        ("observed", f"Observed {what}".strip()),
        ("expected", f"Expected {what}".strip()),
        ("value", f"{study.symbol}, the {better} the better"),
    ]


def _by_text(study: Study, choice: str, quantity: str) -> Table | None:
    """Lay out one number of every cell, with minimum, mean, maximum and sample standard deviation below."""
    cells = [[study.cell(text, one, choice) for text in study.texts] for one in study.guidelines]
    columns = [[None if cell is None else getattr(cell, quantity) for cell in column] for column in cells]
    known = [[value for value in column if value is not None] for column in columns]
    if not any(known):
        return None
    rows: list[tuple[object, ...]] = [(text, *row) for text, *row in zip(study.texts, *columns, strict=True)]
    for name, summary in (("Min", min), ("Mean", fmean), ("Max", max), ("Stddev.", _deviation)):
        rows.append((name, *(summary(values) if values else None for values in known)))
    return Table(("", *study.guidelines), rows)


def _deviation(values: Sequence[float]) -> float | None:
    return stdev(values) if len(values) > 1 else None


def _by_guideline(study: Study, choice: str) -> Table:
    rows = []
    for name in study.guidelines:
        part = study.part(name, choice)
        if part is not None:
            low, high = (None, None) if part.interval is None else (part.interval.low, part.interval.high)
            defined = [cell for cell in part.cells.values() if cell.value is not None]
            rows.append((name, part.value, low, high, len(defined), sum(cell.n_units for cell in defined)))
    return Table(("guidelines", study.symbol, "from", "to", "texts", "units"), rows)


def _compared(study: Study, choice: str) -> Table:
    rows = [
        (one.name, *((one.value, one.low, one.high, p_value(one.p_adjusted)) if one.n > 1 else [NOTHING] * 4), one.n)
        for one in study.comparisons(choice)
    ]
    return Table(("guidelines", f"difference of {study.symbol}", "from", "to", "p (Holm)", "texts"), rows)


def _reasons(study: Study) -> list[str]:
    """Explain why cells are empty, and why guidelines are not compared."""
    found = [
        (cell.undefined or "no value", f"{part.guideline}, {text}", part.annotators)
        for part in study.parts
        for text, cell in part.cells.items()
        if cell.value is None
    ]
    found += [
        (_TOO_FEW, one.name, choice) for choice in study.choices for one in study.comparisons(choice) if one.n < 2
    ]
    return _each_once((reason, place if people == ALL else f"{place} ({people})") for reason, place, people in found)


def _notes(study: Study) -> list[str]:
    """Return what one should know about the values."""
    return _each_once(
        (note, f"{part.guideline} ({'all annotators' if part.annotators == ALL else part.annotators})")
        for part in study.parts
        for note in part.notes
    )


def _each_once(told: Iterator[tuple[str, str]]) -> list[str]:
    """Write each sentence once, after all places that it is about."""
    where: dict[str, list[str]] = {}
    for sentence, place in told:
        where.setdefault(sentence, []).append(place)
    return [f"{'; '.join(places)}: {sentence}" for sentence, places in where.items()]
