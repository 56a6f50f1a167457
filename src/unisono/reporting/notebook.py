"""What notebooks show: results, alignments and data."""

from __future__ import annotations

from typing import Any

import numpy as np

from unisono.alignment.aligned import Aligned
from unisono.alignment.alignment import Alignment
from unisono.alignment.text_alignment import TextAlignment
from unisono.data import Corpus, Ratings
from unisono.errors import plural
from unisono.measurement.coverage import label_counts, unit_counts
from unisono.reporting.alignment_svg import alignment_svg
from unisono.reporting.cards import Card, card_of
from unisono.reporting.markup import escaped, seen_label, with_subscripts
from unisono.reporting.pieces import alignment_caption, bullets, fragment, table_html
from unisono.reporting.shown_tables import ROWS_IN_NOTEBOOK, is_worst_first, shown_table, table_title
from unisono.reporting.side_by_side import texts_figure
from unisono.results import Result, Table

_MOST_FEATURES = 4


def result_html(result: Result) -> str:
    """Show a result: its value and what it is made of, its tables, and the alignment of the worst document."""
    card = card_of(result)
    tables = "".join(_result_table(table, result) for table in result.tables() if table.rows)
    return fragment(
        [
            _headline(card),
            _facts(card),
            bullets(card.remarks),
            _shares(card),
            f'<div class="tables">{tables}</div>' if tables else "",
            f"<p><code>{escaped(card.signature)}</code></p>",
            *map(_figure, worst_alignments(result, 1)),
        ]
    )


def alignment_html(alignment: Aligned) -> str:
    """Show an alignment."""
    return fragment([_figure(alignment)])


def data_html(data: Corpus | Ratings) -> str:
    """Show who marked how much, with which labels, and what was left out."""
    worked, counts = unit_counts(data)
    units = counts.sum(axis=0)
    if isinstance(data, Corpus):
        people = Table(("annotator", "documents", "units"), _rows(data.annotators, worked.sum(axis=0), units))
        counted = [plural(data.n_units, "unit")]
    else:
        people = Table(("annotator", "labels", "missing"), _rows(data.annotators, units, data.n_items - units))
        counted = [plural(data.n_items, "item"), plural(data.n_units, "label")]
    pieces = [table_html(shown_table(people, "Annotators", most_rows=ROWS_IN_NOTEBOOK))]
    for name, (labels, used) in list(label_counts(data).items())[:_MOST_FEATURES]:
        times = used.sum(axis=1)
        order = np.argsort(-times, kind="stable")
        rows = _rows([seen_label(labels[k]) for k in order.tolist()], times[order])
        caption = f"Labels: {name}" if isinstance(data, Corpus) else "Labels"
        table = Table(("label", "times"), rows)
        pieces += [table_html(shown_table(table, caption, most_rows=ROWS_IN_NOTEBOOK))] if rows else []
    counted = [plural(len(data.documents), "document"), plural(len(data.annotators), "annotator"), *counted]
    source = f" ({data.source})" if data.source else ""
    left_out = [f"{n:,} {what}" for what, n in data.dropped.items()]
    return fragment([*pieces, bullets([", ".join(counted) + source, *left_out])])


def worst_alignments(result: Any, most: int) -> list[Aligned]:
    """Return the alignments of the documents with the least agreement; of those without a value, most disorder."""
    ranked = sorted(
        (document for document in result.documents if document.document in result.alignment),
        key=lambda document: (document.value is None, document.value or 0.0, -(document.observed or 0.0)),
    )
    found = [result.alignment[document.document] for document in ranked]
    return [alignment for alignment in found if alignment.annotations.n_units][:most]


def _rows(names: Any, *columns: Any) -> list[tuple[Any, ...]]:
    return [*zip(names, *(column.tolist() for column in columns), strict=True)]


def _result_table(table: Table, result: Result) -> str:
    order = ", worst first" if is_worst_first(table, result) else ""
    return table_html(shown_table(table, f"{table_title(table)}{order}", most_rows=ROWS_IN_NOTEBOOK))


def _figure(alignment: Aligned) -> str:
    if isinstance(alignment, TextAlignment):
        return texts_figure(alignment)
    drawing = alignment_svg(alignment) if isinstance(alignment, Alignment) else ""
    return f"<figure><figcaption>{alignment_caption(alignment)}</figcaption>\n{drawing}</figure>"


def _headline(card: Card) -> str:
    symbol, certainty = with_subscripts(card.symbol), escaped(card.certainty)
    value = (
        f'<span class="value">{symbol} = {card.value}</span><span>{certainty}</span>'
        if card.value
        else f'<span class="value reason">{symbol} is undefined: {certainty}</span>'
    )
    return f'<div class="headline">{value}<span class="soft">{escaped(card.title)}</span></div>'


def _facts(card: Card) -> str:
    rows = "".join(
        f'<dt>{with_subscripts(name)}</dt><dd>{value} <span class="soft">{escaped(remark)}</span></dd>'
        for name, value, remark in card.facts
    )
    return f"<dl>{rows}</dl>" if rows else ""


def _shares(card: Card) -> str:
    """Draw where the disagreement comes from as a stacked bar."""
    if not card.shares:
        return ""
    bars = "".join(
        f'<rect fill="{part.colour}" x="{part.begin:g}" width="{100 * part.share:.2f}" height="10"/>'
        for part in card.shares
    )
    key = "".join(
        f'<span><svg class="dot" viewBox="0 0 10 10"><rect fill="{part.colour}" width="10" height="10" rx="3"/></svg>'
        f"{escaped(part.name)} {part.percent}</span>"
        for part in card.shares
    )
    label = escaped(", ".join(f"{part.name} {part.percent}" for part in card.shares))
    return (
        f'<svg class="shares" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" '
        f'aria-label="The disagreement comes from {label}">{bars}</svg>'
        f'<div class="key"><span class="soft">disagreement in</span>{key}</div>'
    )
