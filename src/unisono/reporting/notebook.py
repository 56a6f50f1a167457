"""What notebooks show: results, alignments and data."""

from __future__ import annotations

from typing import Any

import numpy as np
from markupsafe import Markup

from unisono.alignment.aligned import Aligned
from unisono.alignment.alignment import Alignment
from unisono.alignment.text_alignment import TextAlignment
from unisono.data import Corpus, Ratings
from unisono.data.left_out import told_dropped
from unisono.data.unit_kinds import told_others
from unisono.errors import as_argument, plural, spelled_out
from unisono.measurement.completing import Measured
from unisono.measurement.coverage import label_counts
from unisono.reporting.alignment_svg import alignment_svg
from unisono.reporting.answer import answer_of
from unisono.reporting.cards import card_of
from unisono.reporting.markup import is_finite, seen_label
from unisono.reporting.pieces import alignment_caption, fragment, tables_html
from unisono.reporting.shown_tables import ROWS_IN_NOTEBOOK, ShownTable, is_worst_first, shown_table, table_title
from unisono.reporting.side_by_side import texts_figure
from unisono.reporting.templates import render
from unisono.results import Result, Table

_MOST_FEATURES, _MOST_ANNOTATORS = 4, 8


def result_html(result: Result) -> str:
    """Show a result: its value and what it is made of, its tables, and the alignment of the worst document."""
    tables = [_result_table(table, result) for table in result.tables() if table.rows]
    figures = [Markup(_figure(alignment)) for alignment in worst_alignments(result, 1)]
    answer = answer_of(Measured(result.measure, result)) if is_finite(result.value) else None
    return fragment(render("notebook", card=card_of(result), answer=answer, tables=tables, figures=figures))


def alignment_html(alignment: Aligned) -> str:
    """Show an alignment."""
    return fragment(_figure(alignment))


def data_html(data: Corpus | Ratings) -> str:
    """Show who marked how much, with which labels, and what was left out."""
    worked, counts = data.worked, data.unit_counts
    units = counts.sum(axis=0)
    if isinstance(data, Corpus):
        summary = Table(("annotator", "documents", "units"), _rows(data.annotators, worked.sum(axis=0), units))
        counted = [plural(data.n_units, "unit")]
    else:
        summary = Table(("annotator", "labels", "missing"), _rows(data.annotators, units, data.n_items - units))
        counted = [plural(data.n_items, "item"), plural(data.n_units, "label")]
    tables = {"Annotators": summary}
    for name, (labels, used) in list(label_counts(data).items())[:_MOST_FEATURES]:
        times = used.sum(axis=1)
        order = np.argsort(-times, kind="stable")
        names = [seen_label(labels[k]) for k in order.tolist()]
        several = 1 < len(data.annotators) <= _MOST_ANNOTATORS
        people = data.annotators if several else ()
        each = [used[order, who] for who in range(len(people))]
        tables[f"Labels: {name}" if isinstance(data, Corpus) else "Labels"] = Table(
            ("label", *people, "times"), _rows(names, *each, times[order])
        )
    counted = [plural(len(data.documents), "document"), plural(len(data.annotators), "annotator"), *counted]
    source = f" ({data.source})" if data.source else ""
    left_out = [*told_dropped(data.dropped)]
    others = data.others if isinstance(data, Corpus) else {}
    left_out += [spelled_out(sentence, as_argument) for sentence in told_others(others)]
    shown = [shown_table(table, caption, most_rows=ROWS_IN_NOTEBOOK) for caption, table in tables.items() if table.rows]
    return tables_html(shown, [", ".join(counted) + source, *left_out])


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


def _result_table(table: Table, result: Result) -> ShownTable:
    order = ", worst first" if is_worst_first(table, result) else ""
    return shown_table(table, f"{table_title(table)}{order}", most_rows=ROWS_IN_NOTEBOOK)


def _figure(alignment: Aligned) -> str:
    if isinstance(alignment, TextAlignment):
        return texts_figure(alignment)
    drawing = alignment_svg(alignment) if isinstance(alignment, Alignment) else ""
    return f"<figure><figcaption>{alignment_caption(alignment)}</figcaption>\n{drawing}</figure>"
