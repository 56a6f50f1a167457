"""The page: everything that was measured, in one file that needs nothing else.

Text of the data goes through the template's autoescaping, or as JSON into a block that no browser runs. A policy in
the page's head allows the page's own style and script by their hashes, and nothing from anywhere else.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

from unisono.alignment.aligned import Aligned
from unisono.alignment.text_alignment import TextAlignment
from unisono.data import Corpus, Data, Ratings
from unisono.errors import DataError
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.reporting.full import citing
from unisono.reporting.full.chance import chance_histogram
from unisono.reporting.full.confusion import alignment_confusion, rating_confusion
from unisono.reporting.full.grids import Cell, Grid, grid_of
from unisono.reporting.full.hiding import Names, names_of, shown_tables
from unisono.reporting.full.items import distance_of, item_places
from unisono.reporting.full.labels import Orders, orders_of
from unisono.reporting.full.measured import Measured
from unisono.reporting.full.naming import told_apart
from unisono.reporting.full.pairs import pair_matrix, shared_by
from unisono.reporting.full.places import Places, aligned_places
from unisono.reporting.full.sheet import data_sheet
from unisono.reporting.full.values import card, ladder_rungs, zero_is_perfect
from unisono.reporting.markup import fixed, shortened
from unisono.reporting.notebook import worst_alignments
from unisono.reporting.side_by_side import text_alignment_html
from unisono.reporting.subsets import subset_tables
from unisono.results import Result, Table
from unisono.version import __version__

_SCRIPTS = ("tables.js", "words.js", "stage.js", "places.js")
_MOST_PRINTED = 15
_MOST_TEXTS = 4
_ROWS_OF_TEXTS = 60


def report_page(
    measured: Sequence[Measured],
    data: Data,
    *,
    title: str,
    alignments: Mapping[str, Aligned] | None = None,
    hide_text: bool = False,
) -> str:
    """Make one self-contained HTML page of what was measured.

    Parameters
    ----------
    measured : sequence of Measured
        The measures and what they gave, in the order in which they are shown.
    data : Corpus, Ratings or Normalizations
        What was measured.
    title : str
        The page's heading.
    alignments : mapping, optional
        Document to its alignment, where no measure makes any; those of the first that does are taken otherwise.
    hide_text : bool
        Whether the documents' text must not be in the page.

    Returns
    -------
    str
        The page.
    """
    if not any(one.result is not None for one in measured):
        raise DataError("nothing could be measured, so there is nothing to report")
    measured = told_apart(measured)
    names = names_of(data, hide=hide_text)
    aligner, aligned = _aligned(measured, alignments)
    first = next(one.result for one in measured if one.result is not None)
    orders = orders_of(first, aligned)
    places = (
        aligned_places(aligned, aligner, names, orders)
        if isinstance(data, Corpus)
        else item_places(data, names, distance_of(first, data), orders)
    )
    documents = [] if places is None else places.documents
    texts = "" if hide_text else _side_by_side(measured)
    script = "\n".join(_asset(name) for name in _SCRIPTS)
    style = _asset("style.css")
    return _template().render(
        title=title,
        version=__version__,
        policy=_policy(style, script, texts),
        style=Markup(style),
        script=Markup(script),
        cards=[card(one, names) for one in measured],
        sheet=data_sheet(data, names, documents),
        histograms=[(one.measure, found) for one in measured if (found := chance_histogram(one.result)) is not None],
        ladders=[
            (one.measure, _ladder(one.ladder, names), ladder_rungs(one.ladder))
            for one in measured
            if one.ladder is not None
        ],
        groups=[_group(one, one.result, data, names, documents) for one in measured if one.result is not None],
        confusion=_confusion(data, aligned, names, orders),
        places=places,
        printed=None if places is None else _printed(places),
        embedded="" if places is None else embedded(places.to_dict()),
        texts=Markup(texts),
        methods=citing.methods(measured, names),
        latex=citing.latex(measured),
        bibtex=citing.bibtex(measured),
        hide_text=hide_text,
    )


@dataclass(frozen=True)
class Group:
    """The tables of one measure: of pairs, of annotators, and all others; `left_out` if nobody asked for subsets."""

    measure: str
    symbol: str
    pairs: Grid | None
    tables: list[Grid]
    left_out: bool


def embedded(data: Any) -> Markup:
    """Write data so that it can stand in a page: nothing in it ends the block that it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def _aligned(
    measured: Sequence[Measured], alignments: Mapping[str, Aligned] | None
) -> tuple[str, Mapping[str, Aligned]]:
    """Give the first measure that aligns, and its alignments."""
    for one in measured:
        if one.alignment:
            return one.measure, one.alignment
    return "gamma", alignments or {}


def _confusion(data: Data, aligned: Mapping[str, Aligned], names: Names, orders: Orders) -> list[Grid]:
    if not isinstance(data, Ratings):
        return alignment_confusion(aligned, names, orders)
    found = rating_confusion(data, names, orders)
    return [] if found is None else [found]


def _ladder(ladder: Any, names: Names) -> str:
    """Say what errors would give the value, or why that cannot be said."""
    return names.error(ladder) if isinstance(ladder, str) else str(ladder)


def _group(one: Measured, result: Result, data: Data, names: Names, documents: Sequence[str]) -> Group:
    pairs = pair_matrix(one.pairs, data.annotators, result.symbol, shared_by(data, result.unit))
    bars = not zero_is_perfect(result)
    grids = [
        grid_of(table, caption, documents, bars=bars, note=note)
        for table in shown_tables(_tables(result), names)
        for caption, note in [_caption(table)]
    ]
    without, _, _ = subset_tables(result.symbol, f"their {result.unit}s", one.without, (), ())
    if without.rows:
        grids.append(grid_of(without, "Without each annotator", bars=bars))
    return Group(one.measure, result.symbol, pairs, grids, not one.subsets and result.n_annotators > 2)


def _tables(result: Result) -> list[Table]:
    """Give a result's tables, without those that the page shows in another way."""
    if isinstance(result, CoefficientResult) and isinstance(result.data, Ratings):
        elsewhere = result.prepared.matrices()
        return [table for table in result.tables() if table not in elsewhere]
    return result.tables()


def _caption(table: Table) -> tuple[str, str]:
    """Say what a table shows, and what one should know."""
    first = str(table.columns[0])
    if first == "length":
        return (
            "Lengths on which categories coincide",
            "A coincidence matrix: every stretch on which units of two annotators meet.",
        )
    plural = {"category": "Categories", "type": "Types"}.get(first)
    return plural or (f"{first.capitalize()}s" if first.isalpha() and first.islower() else first.capitalize()), ""


def _printed(places: Places) -> Grid:
    """List the worst places, for paper and where no script runs."""
    rows = []
    for scene, place in places.worst_first(_MOST_PRINTED):
        differs = sorted(range(len(place.parts)), key=lambda k: -place.parts[k])
        said = ", ".join(places.words(places.kinds[k]) for k in differs if place.parts[k] > 0)
        labels = "; ".join(
            f"{places.annotators[who]}: {_said(places, cell)}" for who, cell in zip(scene.who, place.cells, strict=True)
        )
        excerpt = " ".join(scene.excerpt(place).split())
        rows.append(
            [
                Cell(f"{scene.name} {place.name or place.number}", small=shortened(excerpt, 80)),
                Cell(said),
                Cell(shortened(labels, 300)),
                Cell(fixed(place.size), place.size),
            ]
        )
    columns = ("place", "differs", "annotators", "disorder" if places.worst else "disagreement")
    return Grid("The worst places", columns, (False, False, False, True), rows, matrix=True)


def _said(places: Places, cell: tuple[Any, ...] | None) -> str:
    if cell is None:
        return "–"
    labels = [places.labels[k][number] for k, number in enumerate(cell[2:]) if number >= 0]
    where = f"{cell[0]:g}–{cell[1]:g}" if places.sort in ("units", "texts") else ""
    return " ".join(filter(None, [", ".join(labels), where]))


def _side_by_side(measured: Sequence[Measured]) -> str:
    """Show the texts of the worst documents side by side, where annotators corrected them."""
    for one in measured:
        if any(isinstance(alignment, TextAlignment) for alignment in one.alignment.values()):
            result: Any = one.result
            worst = worst_alignments(result, _MOST_TEXTS)
            return "\n".join(text_alignment_html(alignment, most_rows=_ROWS_OF_TEXTS) for alignment in worst)
    return ""


def _policy(style: str, script: str, texts: str) -> str:
    """Allow the page's own styles and script, and nothing else; data cannot add any, for it is escaped."""
    styles = " ".join(dict.fromkeys(map(_hashed, [style, *re.findall(r"<style>(.*?)</style>", texts, re.DOTALL)])))
    inline = " ".join(dict.fromkeys(map(_hashed, re.findall(r' style="([^"]*)"', texts))))
    attributes = f"; style-src-attr 'unsafe-hashes' {inline}" if inline else ""
    return (
        f"default-src 'none'; script-src {_hashed(script)}; style-src {styles}{attributes}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _asset(name: str) -> str:
    return files("unisono.reporting.full").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _template() -> jinja2.Template:
    loader = jinja2.FunctionLoader(_asset)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["symbol"] = _symbol
    environment.filters["shortened"] = shortened
    environment.filters["whole_url"] = _quoted
    return environment.get_template("page.html")


def _quoted(name: str) -> str:
    """Quote a name for an address, its slashes too."""
    return quote(name, safe="", errors="replace")


def _symbol(text: str) -> Markup:
    """Write letters after an underscore small and low: γ_cat."""
    return Markup(re.sub(r"(?<=[A-Zα-ω])_(\w+)", r"<sub>\1</sub>", str(escape(text))))
