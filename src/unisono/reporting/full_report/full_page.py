"""The page of a full report: everything that was measured, in one file that needs nothing else.

Text of the data goes through the template's autoescaping, or as JSON into a block that no browser executes. A policy
in the page's head allows the page's own style and script by their hashes, and nothing from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from markupsafe import Markup

from unisono.alignment.aligned import Aligned
from unisono.alignment.text_alignment import TextAlignment
from unisono.comparison.models import ModelsComparison
from unisono.data import Corpus, Data, Ratings
from unisono.errors import DataError
from unisono.measurement.completing import Measured
from unisono.measurement.item_distances import label_distance
from unisono.measurement.segmentation.boundary_disputes import boundary_disputes
from unisono.reporting.addresses import choice_address, document_address
from unisono.reporting.answer import PlainAnswer, Wording, answer_of
from unisono.reporting.cards import KIND_NAMES, Card, card_of, failed_card
from unisono.reporting.full_report import citing
from unisono.reporting.full_report.boundary_places import boundary_places
from unisono.reporting.full_report.chance_histogram import chance_histogram
from unisono.reporting.full_report.confusion import alignment_confusion, rating_confusion
from unisono.reporting.full_report.data_sheet import data_sheet
from unisono.reporting.full_report.difference_plots import difference_plots
from unisono.reporting.full_report.hidden_text import Names, names_of, without_text
from unisono.reporting.full_report.item_places import item_places
from unisono.reporting.full_report.label_order import Orders, orders_of
from unisono.reporting.full_report.label_paints import painted_labels
from unisono.reporting.full_report.label_use import label_use, legend_of
from unisono.reporting.full_report.model_section import model_section
from unisono.reporting.full_report.pair_matrix import pair_matrix
from unisono.reporting.full_report.places import Ends, Places, aligned_places
from unisono.reporting.markup import is_finite, shortened
from unisono.reporting.measure_names import with_distinct_names
from unisono.reporting.notebook import worst_alignments
from unisono.reporting.shown_tables import (
    ROWS_ON_PAGE,
    ShownCell,
    ShownTable,
    shown_table,
    subset_tables,
    table_title,
    zero_is_perfect,
)
from unisono.reporting.side_by_side import text_alignment_html
from unisono.reporting.templates import asset, render, shared_style
from unisono.results import NOTHING, Result, Table
from unisono.results.shown import fixed
from unisono.version import __version__

_SCRIPTS = (
    *("tables.js", "words.js", "arc.js", "arcs.js", "stage.js", "overview.js", "differences.js", "items.js"),
    *("choices.js", "place_tables.js", "places.js"),
)
_MOST_PRINTED = 15
_MOST_TEXTS = 4
_ROWS_OF_TEXTS = 60


class PageBar(NamedTuple):
    """A bar at the top of a page, and its style, for a program that shows the page: HTML that it made itself."""

    content: str
    style: str
    desk: str = ""
    """The address where one decides about places, which ends like that of the place; empty if one cannot."""


NO_BAR = PageBar("", "")


def report_page(
    measured: Sequence[Measured],
    data: Data,
    *,
    title: str,
    alignments: Mapping[str, Aligned] | None = None,
    hide_text: bool = False,
    bar: PageBar = NO_BAR,
    models: ModelsComparison | None = None,
) -> str:
    """Make one self-contained HTML page of what was measured, in the order given.

    `alignments` are documents with their alignments, in case no measure aligns; otherwise those of the first that does
    are used. `hide_text` keeps the documents' text out of the page. `bar` is at its top. `models` compares models with
    people.
    """
    if not any(one.result is not None for one in measured):
        raise DataError("nothing could be measured, so there is nothing to report")
    names = names_of(data, hide=hide_text)
    measured = [replace(one, measure=names.measure(one.measure)) for one in with_distinct_names(measured)]
    aligner, aligned = _aligned(measured, alignments)
    first = next(one.result for one in measured if one.result is not None)
    orders = orders_of(first, aligned)
    places = _places(data, first, aligner, aligned, names, orders)
    documents = [] if places is None else places.documents
    of_labels = _of_labels(data, names, orders)
    texts = "" if hide_text else _side_by_side(measured)
    script = "\n".join(asset(name) for name in _SCRIPTS)
    of_models = None if models is None else model_section(models, places, names)
    style = page_style() + bar.style + ("" if of_models is None else of_models.style)
    return render(
        "page",
        title=title,
        bar=Markup(bar.content),
        desk=bar.desk,
        version=__version__,
        policy=page_policy(style, script, texts),
        style=Markup(style),
        script=Markup(script),
        cards=[_card(one, names, with_places=places is not None) for one in measured],
        sheet=data_sheet(data, names, documents),
        histograms=[(one.measure, found) for one in measured if (found := chance_histogram(one.result)) is not None],
        ladders=[
            (one.measure, _ladder(one.ladder, names), _rungs(one.ladder)) for one in measured if one.ladder is not None
        ],
        groups=[_group(one, one.result, data, names, _addresses(places)) for one in measured if one.result is not None],
        confusion=[]
        if places is not None and places.sort == "boundaries"
        else _confusion(data, aligned, names, orders),
        places=places,
        models=of_models,
        **of_labels,
        printed=None if places is None else _printed(places),
        embedded="" if places is None else embedded(places.to_dict()),
        texts=Markup(texts),
        methods=citing.methods(measured, names),
        latex=citing.measures_table(measured, names),
        bibtex=citing.bibtex(measured),
        hide_text=hide_text,
    )


class TableGroup(NamedTuple):
    """The tables of one measure; `left_out` if subsets of annotators were not measured."""

    measure: str
    tables: list[ShownTable]
    left_out: bool


def embedded(data: Any) -> Markup:
    """Write data so that nothing in it can end the block of the page that it is in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def _places(
    data: Data, first: Result, aligner: str, aligned: Mapping[str, Aligned], names: Names, orders: Orders
) -> Places | None:
    """Return what to look at: boundaries of segmentations, what was aligned, or items."""
    if not isinstance(data, Corpus):
        return item_places(data, names, label_distance(first, data), orders)
    disputes = boundary_disputes(first)
    if disputes is not None:
        return boundary_places(data, disputes, first.measure, names)
    return aligned_places(aligned, aligner, names, orders)


def _aligned(
    measured: Sequence[Measured], alignments: Mapping[str, Aligned] | None
) -> tuple[str, Mapping[str, Aligned]]:
    """Return the first measure that aligns, and its alignments."""
    for one in measured:
        if one.alignment:
            return one.measure, one.alignment
    return "gamma", alignments or {}


class AnsweredCard(NamedTuple):
    """A card, where its value and interval are on an axis from 0 to 100, and the answer in words."""

    card: Card
    axis: dict[str, float]
    answer: PlainAnswer | None


def _card(one: Measured, names: Names, *, with_places: bool) -> AnsweredCard:
    """Describe a result; without places to look at, nothing is a link."""
    if one.result is None:
        return AnsweredCard(failed_card(one.measure, names.error(one.failed)), {}, None)
    card = card_of(one.result, one.measure, names.sentence)
    answer = answer_of(one, Wording(names.document, names.of, names.sentence))
    shown = replace(card, signature=names.signature(card.signature))
    return AnsweredCard(shown, _axis(one.result), answer if with_places else answer.without_addresses())


def _axis(result: Result) -> dict[str, float]:
    """Place 0, 1, the value and the limits of its interval on an axis; nothing if they are too far apart."""
    value, interval = result.value, result.interval
    if value is None or not is_finite(value):
        return {}
    low, high = (value, value) if interval is None else (interval.low, interval.high)
    if not -3 <= low <= high <= 3:
        return {}
    first, last = min(0.0, low, value), max(1.0, high, value)
    places = {"zero": 0.0, "one": 1.0, "value": value, "low": low, "high": high}
    return {name: round(100 * (what - first) / (last - first), 2) for name, what in places.items()}


def _of_labels(data: Data, names: Names, orders: Orders) -> dict[str, Any]:
    """Return the legend of the labels of items, how annotators use them, and how far their numbers are apart."""
    if not isinstance(data, Ratings):
        return {"legend": None, "use": None, "limits": None}
    painted = painted_labels(data, data.codes, orders)
    limits = None if painted.numbers is None else difference_plots(data, painted.numbers)
    return {"legend": legend_of(data, painted, names), "use": label_use(data, painted, names), "limits": limits}


def _confusion(data: Data, aligned: Mapping[str, Aligned], names: Names, orders: Orders) -> list[ShownTable]:
    if not isinstance(data, Ratings):
        return alignment_confusion(aligned, names, orders)
    found = rating_confusion(data, names, orders)
    return [] if found is None else [found]


def _ladder(ladder: Any, names: Names) -> str:
    """Say which errors lead to the value, or why that is unknown."""
    return names.error(ladder) if isinstance(ladder, str) else str(ladder)


def _rungs(ladder: Any) -> list[tuple[str, float | None]]:
    """Return the sentence and the magnitude of each rung, the smallest first."""
    rungs = [(str(rung), rung.magnitude) for rung in getattr(ladder, "rungs", ())]
    return sorted(rungs, key=lambda rung: (rung[1] is None, rung[1] or 0.0))


def _addresses(places: Places | None) -> dict[str, dict[str, str]]:
    """Return the addresses of the places of each document, label and annotator, by what tables call these."""
    if places is None:
        return {}
    documents = {name: document_address(name) for name in places.documents}
    labels = {label: choice_address(label=label) for label in (places.labels or ((),))[0]}
    people = {name: choice_address(alone=name) for name in places.annotators if len(places.annotators) > 2}
    return {
        **dict.fromkeys(("document", "text"), documents),
        **dict.fromkeys(("category", *places.features[:1]), labels),
        "annotator": people,
    }


def _group(
    one: Measured, result: Result, data: Data, names: Names, addresses: Mapping[str, Mapping[str, str]]
) -> TableGroup:
    pairs = pair_matrix(one.pairs, result, data)
    tables = [(table, table_title(table)) for table in without_text(_tables(result), names)]
    tables += [(table, "Without each annotator") for table in subset_tables(result, without=one.without)]
    shown = [_shown(table, title, addresses, bars=not zero_is_perfect(result)) for table, title in tables]
    left_out = not one.subsets and result.n_annotators > 2
    return TableGroup(one.measure, shown if pairs is None else [pairs, *shown], left_out)


def _tables(result: Any) -> list[Table]:
    """Return a result's tables, without the matrices of ratings, which are shown as confusion."""
    elsewhere = result.matrices() if isinstance(result.data, Ratings) else []
    return [table for table in result.tables() if table not in elsewhere]


def _shown(table: Table, title: str, addresses: Mapping[str, Mapping[str, str]], *, bars: bool) -> ShownTable:
    lengths = "A coincidence matrix: every stretch on which units of two annotators overlap."
    note = lengths if table.columns[0] == "length" else ""
    return shown_table(table, title, most_rows=ROWS_ON_PAGE, bars=bars, addresses=addresses, note=note)


def _printed(places: Places) -> ShownTable:
    """List the worst places, for paper and for browsers without scripts."""
    rows = []
    for scene, place in places.worst_first(_MOST_PRINTED):
        differs = sorted(range(len(place.parts)), key=lambda k: -place.parts[k])
        kinds = [places.kinds[k] for k in differs if place.parts[k] > 0]
        labels = "; ".join(
            f"{places.annotators[who]}: {_labels(places, place.cells[track], place.ends_of(track))}"
            for track, who in enumerate(scene.who)
        )
        excerpt = " ".join(scene.excerpt(place).split())
        rows.append(
            [
                ShownCell(f"{scene.name} {place.name or place.number}", small=shortened(excerpt, 80)),
                ShownCell(", ".join(KIND_NAMES.get(kind, kind) for kind in kinds)),
                ShownCell(shortened(labels, 300)),
                ShownCell(fixed(place.size), place.size),
            ]
        )
    columns = ("place", "differs", "annotators", "disorder" if places.sort in ("units", "texts") else "disagreement")
    return ShownTable("The worst places", columns, rows, (False, False, False, True), matrix=True)


def _labels(places: Places, cell: tuple[Any, ...] | None, ends: Ends) -> str:
    if cell is None:
        return NOTHING
    labels = [places.labels[k][number] for k, number in enumerate(cell[2:]) if number >= 0]
    if places.sort == "boundaries":
        return f"boundary at {cell[0]:g}"
    where = _where(cell, ends) if places.sort in ("units", "texts") else ""
    return " ".join(filter(None, [", ".join(labels), where]))


def _where(cell: tuple[Any, ...], ends: Ends) -> str:
    return ", ".join(f"{role} {begin:g}–{end:g}" for role, begin, end in ends) or f"{cell[0]:g}–{cell[1]:g}"


def _side_by_side(measured: Sequence[Measured]) -> str:
    """Show the texts of the worst documents side by side, if annotators corrected them."""
    for one in measured:
        if any(isinstance(alignment, TextAlignment) for alignment in one.alignment.values()):
            worst = [one for one in worst_alignments(one.result, _MOST_TEXTS) if isinstance(one, TextAlignment)]
            return "\n".join(text_alignment_html(alignment, most_rows=_ROWS_OF_TEXTS) for alignment in worst)
    return ""


def page_policy(style: str, script: str = "", texts: str = "") -> str:
    """Allow the page's own styles and script, and nothing else; data cannot add any because it is escaped."""
    styles = " ".join(dict.fromkeys(map(_hashed, [style, *re.findall(r"<style>(.*?)</style>", texts, re.DOTALL)])))
    inline = " ".join(dict.fromkeys(map(_hashed, re.findall(r' style="([^"]*)"', texts))))
    attributes = f"; style-src-attr 'unsafe-hashes' {inline}" if inline else ""
    scripts = _hashed(script) if script else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}{attributes}; base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def page_style() -> str:
    """Return the page's style sheet."""
    return shared_style() + asset("full_page.css")
