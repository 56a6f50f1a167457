"""Models among people, as a section of the report: who agrees with people, who errs where, and where sides differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from unisono.comparison.models import ModelsComparison
from unisono.comparison.models.roles import runs_of
from unisono.reporting.addresses import document_address, place_address
from unisono.reporting.full_report.hidden_text import Names, without_text
from unisono.reporting.full_report.places import ListedPlace, Places, Scene
from unisono.reporting.interval_plot import IntervalRow, interval_figure, interval_style
from unisono.reporting.markup import shortened
from unisono.reporting.shown_tables import ROWS_ON_PAGE, ShownCell, ShownTable, shown_table
from unisono.reporting.templates import asset
from unisono.results import Table

_MOST_EXAMPLES = 8
_LONGEST = 120
_NO_UNIT = "no unit"


@dataclass(frozen=True)
class ModelSection:
    """What the section shows.

    Attributes
    ----------
    figure : Markup
        People and models as points with intervals on one axis.
    said : list of str
        Sentences on each model.
    tables : list of ShownTable
        Who errs where: categories and documents.
    against : list of ShownTable
        Places where all models say the same and no person does, and the other way round.
    style : str
        The rules that only this section needs.
    """

    figure: Markup
    said: list[str]
    tables: list[ShownTable]
    against: list[ShownTable]
    style: str


@dataclass(frozen=True)
class _Side:
    """Places where one side agrees and nobody of the other says the same."""

    caption: str
    one: tuple[int, ...]
    other: tuple[int, ...]


def model_section(found: ModelsComparison, places: Places | None, names: Names) -> ModelSection:
    """Make the section."""
    return ModelSection(
        Markup(_figure(found)),
        [names.sentence(one) for one in found.tabled()[1]],
        [*_where(found, names, [] if places is None else places.documents)],
        [] if places is None else [*_sides(found, places)],
        interval_style() + asset("models.css"),
    )


def _figure(found: ModelsComparison) -> str:
    """Draw everybody's agreement with people: first people, each with the others, then models."""
    people = [one for one in found.each if one.name in found.humans]
    models = [one for one in found.each if one.name not in found.humans]
    rows = []
    for heading, some in (("People, each with the other people", people), ("Models, each with people", models)):
        known = [one for one in some if one.value is not None]
        if known:
            rows.append(IntervalRow(heading, heading=True))
        for one in known:
            low, high = (None, None) if one.interval is None else (one.interval.low, one.interval.high)
            rows.append(IntervalRow(one.name, one.value, low, high, certain=one.name in found.humans))
    return interval_figure(rows, title=f"Agreement with people: {found.measure}") if rows else ""


def _where(found: ModelsComparison, names: Names, documents: Sequence[str]) -> Iterator[ShownTable]:
    """Make tables of agreement on each category and document, among people and with each model."""
    models = [one.model for one in found.models]
    for what, rows in (("category", found.categories), ("document", found.documents)):
        if len(rows) < 2:
            continue
        cells = [
            (str(row[what]), row["people"], *((row["models"].get(name) or {}).get("value") for name in models))
            for row in rows
        ]
        table = Table((what, "people", *models), cells, 2, holds="labels" if what == "category" else "names")
        addresses = {"document": {name: document_address(name) for name in documents}}
        for safe in without_text([table], names):
            yield shown_table(
                safe,
                f"Agreement with people on each {what}, where models are furthest behind first",
                most_rows=ROWS_ON_PAGE,
                addresses=addresses,
            )


def _sides(found: ModelsComparison, places: Places) -> Iterator[ShownTable]:
    """Make tables of the places where one side agrees against the other."""
    number = {name: index for index, name in enumerate(places.annotators)}
    runs = [run for one in found.models for run in runs_of(one.model, places.annotators)]
    models = tuple(number[name] for name in runs)
    # a crowd was taken for a few people, whose names are not in the data
    named = [name for name in found.humans if name in number] or [name for name in number if name not in runs]
    people = tuple(number[name] for name in named)
    if places.sort not in ("items", "units", "words") or not people or not models:
        return
    for side in (
        _Side("All models say the same, and nobody of the people does", models, people),
        _Side("All people say the same, and no model does", people, models),
    ):
        met = [*_against(places, side)]
        if met:
            yield _shown(places, side, met)


def _against(places: Places, side: _Side) -> Iterator[tuple[Scene, ListedPlace]]:
    for scene in places.scenes:
        for place in scene.places:
            cells = dict(zip(scene.who, place.cells, strict=True))
            one, other = (_labels(places, cells, some) for some in (side.one, side.other))
            if len(one) == len(side.one) and len(set(one)) == 1 and other and one[0] not in other:
                yield scene, place


def _labels(places: Places, cells: dict[int, Any], who: Iterable[int]) -> list[tuple[int, ...]]:
    """Return what annotators say at a place: labels, or that there is no unit; an item without a label says nothing."""
    found = []
    for index in who:
        cell = cells.get(index)
        if cell is not None:
            found.append(tuple(cell[2:]))
        elif places.sort == "units" and index in cells:
            found.append(())
    return found


def _shown(places: Places, side: _Side, met: Sequence[tuple[Scene, ListedPlace]]) -> ShownTable:
    """List some of the places, those with the greatest disagreement first."""
    worst = sorted(met, key=lambda one: -one[1].size)[:_MOST_EXAMPLES]
    rows = []
    for scene, place in worst:
        cells = dict(zip(scene.who, place.cells, strict=True))
        excerpt = shortened(" ".join(scene.excerpt(place).split()), _LONGEST)
        rows.append(
            [
                ShownCell(
                    f"{scene.name} {place.name or place.number}",
                    small=excerpt,
                    address=place_address(scene.name, place.number),
                ),
                *(ShownCell(_said(places, cells, some)) for some in (side.one, side.other)),
            ]
        )
    by = ("models", "people") if side.caption.startswith("All models") else ("people", "models")
    note = f"{len(met):,} places; the worst {len(rows)} are listed." if len(met) > len(rows) else ""
    return ShownTable(side.caption, ("place", *by), rows, (False, False, False), note=note, matrix=True)


def _said(places: Places, cells: dict[int, Any], who: Iterable[int]) -> str:
    """Write what annotators say, each thing once, with their names if they differ."""
    by_label: dict[str, list[str]] = {}
    for index in who:
        if index in cells and (cells[index] is not None or places.sort == "units"):
            by_label.setdefault(_label(places, cells[index]), []).append(places.annotators[index])
    if len(by_label) == 1:
        return next(iter(by_label))
    return shortened("; ".join(f"{label}: {', '.join(some)}" for label, some in by_label.items()), 2 * _LONGEST)


def _label(places: Places, cell: tuple[Any, ...] | None) -> str:
    if cell is None:
        return _NO_UNIT
    labels = [places.labels[k][number] for k, number in enumerate(cell[2:]) if number >= 0]
    return ", ".join(labels) or "a unit"
