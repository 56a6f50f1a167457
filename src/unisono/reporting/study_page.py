"""The page of a study: guidelines on one axis, texts as a heat map, differences with intervals, tables folded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from markupsafe import Markup

from unisono.errors import plural
from unisono.measurement.completing import Measured, missing_alignments, with_subsets
from unisono.measurement.registry import parse_measure
from unisono.reporting.addresses import document_address
from unisono.reporting.cards import value_and_interval, value_text
from unisono.reporting.full_report.full_page import page_policy, page_style, report_page
from unisono.reporting.interval_plot import IntervalRow, interval_drawing, interval_figure, interval_style
from unisono.reporting.markup import enumerated, is_finite
from unisono.reporting.pieces import tabled_html
from unisono.reporting.shown_tables import ShownCell, ShownTable, name_cell, shade, shown_table
from unisono.reporting.templates import render, style_sheet
from unisono.results import Captioned
from unisono.studies.definition import Definition
from unisono.studies.result import ALL, Part, Study
from unisono.version import __version__

_SIGNIFICANT, _FEW = 0.05, 4


@dataclass(frozen=True)
class _Shown:
    """What is shown of a measure."""

    measure: str
    symbol: str
    said: list[str]
    values: Markup
    heats: list[ShownTable]
    differences: list[tuple[str, Markup]]
    tables: list[ShownTable]
    few: bool
    """Whether there are so few guidelines that two tables fit side by side on paper."""


def study_page(
    definition: Definition,
    found: Sequence[Study],
    sentences: Sequence[str] = (),
    *,
    reports: Mapping[str, str] | None = None,
) -> str:
    """Make one HTML page of a study; `reports` are the addresses of the reports on each set of guidelines."""
    shown = [_shown(one, reports or {}) for one in found]
    style = page_style() + interval_style() + style_sheet("study")
    return render(
        "study",
        title=definition.title,
        lead=_lead(definition, found[0]),
        version=__version__,
        policy=page_policy(style),
        style=Markup(style),
        studies=shown,
        sentences=[sentence for one in found for sentence in one.tabled()[1]] + list(sentences),
        linked=bool(reports),
    )


def report_files(definition: Definition, folder: Path) -> dict[str, Path]:
    """Name a page for each set of guidelines; names that a file cannot have are changed."""
    files: dict[str, Path] = {}
    for guideline in definition.guidelines:
        plain = "".join(sign if sign.isalnum() or sign in "-_. " else "_" for sign in guideline.name).strip(" .")[:80]
        name, n = plain or "guidelines", 1
        while f"{name}.html".casefold() in {file.name.casefold() for file in files.values()}:
            n += 1
            name = f"{plain or 'guidelines'}-{n}"
        files[guideline.name] = folder / f"{name}.html"
    return files


def guideline_report(definition: Definition, found: Sequence[Study], guideline: str) -> str | None:
    """Make the report on what was annotated by one set of guidelines; None if it was not measured as a whole."""
    parts = [(one.measure, one.part(guideline)) for one in found]
    measured: list[Measured] = [
        with_subsets(measure, part.result) for measure, part in parts if part is not None and part.result is not None
    ]
    if not measured:
        return None
    data = next(one.corpus for one in definition.guidelines if one.name == guideline)
    title = f"{definition.title}: {guideline}"
    return report_page(measured, data, title=title, alignments=missing_alignments(data, measured))


def study_html(study: Study) -> str:
    """Show a study in a notebook: guidelines and their differences on one axis each, and the tables."""
    values = interval_drawing(interval_rows(study, {}), title=f"{study.symbol} of each set of guidelines")
    figures = [(f"{study.symbol} by guidelines", values)]
    if rows := difference_rows(study, ALL):
        drawn = interval_drawing(rows, title=f"Differences of {study.symbol}", whole=False)
        figures.append(("Differences between guidelines", drawn))
    return tabled_html(*study.tabled(), figures=figures)


def _lead(definition: Definition, found: Study) -> str:
    """Say what the study is: what was measured, on how many texts, by whom."""
    people = {name for one in definition.guidelines for name in one.corpus.annotators}
    groups = list(dict.fromkeys(name for one in definition.guidelines for name in one.groups))
    among = f" in {plural(len(groups), 'group')} ({enumerated(groups)})" if groups else ""
    n = len(found.guidelines)
    sets = "one set of guidelines" if n == 1 else f"{n} sets of guidelines"
    return f"Agreement of {plural(len(people), 'annotator')}{among} on {plural(len(found.texts), 'text')}, by {sets}"


def _shown(study: Study, reports: Mapping[str, str]) -> _Shown:
    declared = parse_measure(study.measure).declaration
    errors = declared.scale != "agreement"
    differences = [(_people(choice), drawn) for choice in study.choices if (drawn := _differences(study, choice))]
    values = interval_figure(interval_rows(study, reports), title=f"{study.symbol} of each set of guidelines")
    return _Shown(
        study.measure,
        study.symbol,
        _said(study, errors=errors),
        Markup(values),
        [_heat(study, choice, reports, errors=errors) for choice in study.choices],
        differences,
        [
            shown_table(one.table, one.caption, n_summary=one.n_summary, missing="")
            for one in study.tabled()[0]
            if one.table.rows and not _is_drawn(one, study)
        ],
        len(study.guidelines) <= _FEW,
    )


def _is_drawn(one: Captioned, study: Study) -> bool:
    """Whether a table is the heat map of the values."""
    return one.n_summary > 0 and one.caption.startswith(f"{study.symbol}, ")


def _people(choice: str) -> str:
    return "all annotators" if choice == ALL else choice


def _said(study: Study, *, errors: bool) -> list[str]:
    """Say by which guidelines agreement is highest and lowest, and which differ beyond chance."""
    known = [part for name in study.guidelines if (part := study.part(name)) is not None and is_finite(part.value)]
    if not known:
        return []
    ranked = sorted(known, key=lambda part: part.value or 0.0, reverse=not errors)
    best, worst = ranked[0], ranked[-1]
    if len(known) == 1:
        return [f"With {best.guideline}, {study.symbol} is {_with_interval(best)}."]
    if _with_interval(best) == _with_interval(worst):
        return [f"Agreement is the same with all guidelines: {study.symbol} is {_with_interval(best)}."]
    found = [
        f"Agreement is best with {best.guideline}, where {study.symbol} is {_with_interval(best)}, and worst with "
        f"{worst.guideline}, where it is {_with_interval(worst)}."
    ]
    apart = [one for one in study.comparisons() if one.p_adjusted is not None and one.p_adjusted < _SIGNIFICANT]
    n_pairs = len(list(combinations(study.guidelines, 2)))
    if apart and n_pairs == 1:
        found.append("They differ beyond chance (p\u00a0<\u00a00.05).")
    elif apart:
        differ = f"{len(apart)} {'differs' if len(apart) == 1 else 'differ'}"
        found.append(f"Of {n_pairs} pairs of guidelines, {differ} beyond chance (p\u00a0<\u00a00.05, Holm).")
    elif any(one.p_adjusted is not None for one in study.comparisons()):
        found.append("No two guidelines differ beyond chance (p\u00a0<\u00a00.05, corrected for their number).")
    return found


def _with_interval(part: Part) -> str:
    value, interval = value_and_interval(part.value, part.interval)
    return f"{value} ({interval.partition(' (')[0].replace(' interval', ':')})" if interval else value


def interval_rows(study: Study, reports: Mapping[str, str]) -> list[IntervalRow]:
    """List the value of each set of guidelines for each choice of annotators."""
    rows = []
    for choice in study.choices:
        rows.append(IntervalRow(_people(choice), heading=True))
        for name in study.guidelines:
            part = study.part(name, choice)
            if part is None:
                continue
            low, high = (None, None) if part.interval is None else (part.interval.low, part.interval.high)
            rows.append(IntervalRow(name, part.value, low, high, address=reports.get(name, "")))
    return rows


def _heat(study: Study, choice: str, reports: Mapping[str, str], *, errors: bool) -> ShownTable:
    """Lay the value of each text by each set of guidelines out as a heat map; each cell leads to its report."""
    names = [name for name in study.guidelines if study.part(name, choice) is not None]
    rows = []
    for text in study.texts:
        cells = [_heat_cell(study, text, name, choice, reports, errors=errors) for name in names]
        if any(cell.text for cell in cells):
            rows.append([name_cell(text), *cells])
    whole = [study.part(name, choice) for name in names]
    total = [ShownCell(value_text(part.value)) if part is not None else ShownCell("") for part in whole]
    rows.append([name_cell("all texts"), *total])
    return ShownTable(f"{study.symbol} {_people(choice)}", ("text", *names), rows, matrix=True, n_summary=1)


def _heat_cell(
    study: Study, text: str, guideline: str, choice: str, reports: Mapping[str, str], *, errors: bool
) -> ShownCell:
    cell = study.cell(text, guideline, choice)
    if cell is None or not cell.n_annotators:
        return ShownCell("")
    part = study.part(guideline, choice)
    page, address = reports.get(guideline), ""
    if page and part is not None:
        people = part.annotator_names
        between = {"pair": people} if choice != ALL and len(people) == 2 else {}
        address = page + document_address(text, **between)
    if not is_finite(cell.value):
        return ShownCell("–", small="no value", address=address)
    agreement = 1 - cell.value if errors and cell.value is not None else cell.value
    return ShownCell(
        value_text(cell.value), cell.value, shade(agreement or 0.0), small=plural(cell.n_units, "unit"), address=address
    )


def difference_rows(study: Study, choice: str) -> list[IntervalRow]:
    """List the differences between guidelines that have an interval."""
    return [
        IntervalRow(one.name, one.value, one.low, one.high, certain=(one.p_adjusted or 1.0) < _SIGNIFICANT)
        for one in study.comparisons(choice)
        if one.n > 1
    ]


def _differences(study: Study, choice: str) -> Markup | None:
    rows = difference_rows(study, choice)
    title = f"Differences of {study.symbol} between guidelines ({_people(choice)})"
    return Markup(interval_figure(rows, title=title, whole=False)) if rows else None
