"""Tables in notebooks: usable with a keyboard or a screen reader, and safe."""

from __future__ import annotations

import re

import pytest
from html_checks import assert_well_formed
from report_helpers import HOSTILE

import unisono
from unisono.reporting.markup import seen_label
from unisono.reporting.notebook import result_html
from unisono.reporting.pieces import tabled_html, tables_html
from unisono.reporting.shown_tables import shown_table
from unisono.results import Captioned, Table


def test_tables_scroll_by_keyboard_and_have_no_empty_heads():
    piece = tables_html([shown_table(Table(("", "at magnitude"), [("shift", 0.5), ("", None)]), "Rungs <b>")], [])
    assert '<div class="scroll" tabindex="0" role="group" aria-label="Rungs &lt;b&gt;">' in piece
    assert re.search(r"<thead><tr>\s*<td></td>\s*<th", piece)
    assert not re.search(r"<th[^>]*></th>", piece.partition("<tbody>")[0])


@pytest.mark.parametrize(("label", "text"), [("", "(empty)"), ("  ", "(empty)"), (("a", "b"), "a + b"), (0, "0")])
def test_labels_can_be_seen(label, text):
    assert seen_label(label) == text


def test_results_have_boxes_that_scroll():
    result = unisono.krippendorff_alpha([["x", "y"], ["x", "x"], ["y", "y"]], rows="items")
    assert result_html(result).count('<div class="scroll" tabindex="0"') == len(
        [table for table in result.tables() if table.rows]
    )


@pytest.mark.parametrize("hostile", HOSTILE)
def test_everything_stays_text(hostile):
    table = Table((hostile, hostile), [(hostile, hostile)])
    html = tabled_html([Captioned(hostile, table)], [hostile], figures=[(hostile, "<svg></svg>")])
    html.encode()
    assert_well_formed(html)
    assert "<script" not in html
    assert "<img" not in html
