"""The tables of a study: rows are texts, columns are guidelines (Reiter 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

from unisono.measurement.registry import parse_measure
from unisono.results import NOTHING, Captioned, Table, p_value
from unisono.studies.study import ALL, Study

_ERRORS = ("error", "cost")
_TOO_FEW = "fewer than two texts have a value by both, so there is no mean difference"


def study_tables(study: Study) -> list[Captioned]:
    """Give all tables: observed and expected disorder and the value, text by text, then guidelines side by side."""
    found = []
    for choice in study.choices:
        for quantity, title in _quantities(study):
            table = _by_text(study, choice, quantity)
            if table is not None:
                found.append(Captioned(f"{title} ({_said(choice)})", table, 4))
        found.append(Captioned(f"Guidelines ({_said(choice)})", _by_guideline(study, choice)))
        if len(study.guidelines) > 1:
            found.append(Captioned(f"Guidelines compared, text by text ({_said(choice)})", _compared(study, choice)))
    return found


def reasons(study: Study) -> list[str]:
    """Say why cells are empty, and why guidelines are not compared."""
    where: dict[str, list[str]] = {}
    for part in study.parts:
        for text, cell in part.cells.items():
            if cell.value is None:
                place = f"{part.guideline}, {text}" + ("" if part.annotators == ALL else f" ({part.annotators})")
                where.setdefault(cell.undefined or "no value", []).append(place)
    for choice in study.choices:
        for difference in study.comparisons(choice):
            if difference.n < 2:
                place = difference.name + ("" if choice == ALL else f" ({choice})")
                where.setdefault(_TOO_FEW, []).append(place)
    return [f"{'; '.join(places)}: {reason}" for reason, places in where.items()]


def notes(study: Study) -> list[str]:
    """Give what one should know about the values, each once, with the parts that it is about."""
    where: dict[str, list[str]] = {}
    for part in study.parts:
        for note in part.notes:
            where.setdefault(note, []).append(f"{part.guideline} ({_said(part.annotators)})")
    return [f"{'; '.join(parts)}: {note}" for note, parts in where.items()]


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
    """Lay out one number of every cell, with least, mean, greatest and sample standard deviation below."""
    columns = [[_number(study, text, one, choice, quantity) for text in study.texts] for one in study.guidelines]
    if not any(value is not None for column in columns for value in column):
        return None
    rows: list[tuple[object, ...]] = [(text, *row) for text, *row in zip(study.texts, *columns, strict=True)]
    for name, summary in (("Min", min), ("Mean", fmean), ("Max", max), ("Stddev.", _deviation)):
        known = [[value for value in column if value is not None] for column in columns]
        rows.append((name, *(summary(values) if values else None for values in known)))
    return Table(("", *study.guidelines), rows)


def _number(study: Study, text: str, guideline: str, choice: str, quantity: str) -> float | None:
    cell = study.cell(text, guideline, choice)
    value = None if cell is None else getattr(cell, quantity)
    return None if value is None else float(value)


def _deviation(values: Sequence[float]) -> float | None:
    return stdev(values) if len(values) > 1 else None


def _by_guideline(study: Study, choice: str) -> Table:
    rows = []
    for name in study.guidelines:
        part = study.part(name, choice)
        if part is not None:
            low, high = (None, None) if part.interval is None else (part.interval.low, part.interval.high)
            counted = [cell for cell in part.cells.values() if cell.value is not None]
            rows.append((name, part.value, low, high, len(counted), sum(cell.n_units for cell in counted)))
    return Table(("guidelines", study.symbol, "from", "to", "texts", "units"), rows)


def _compared(study: Study, choice: str) -> Table:
    rows = [
        (one.name, *((one.value, one.low, one.high, p_value(one.p_adjusted)) if one.n > 1 else [NOTHING] * 4), one.n)
        for one in study.comparisons(choice)
    ]
    return Table(("guidelines", f"difference of {study.symbol}", "from", "to", "p (Holm)", "texts"), rows)


def _said(choice: str) -> str:
    return "all annotators" if choice == ALL else choice
