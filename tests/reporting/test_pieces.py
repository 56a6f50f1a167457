"""Tables in notebooks and on pages of studies: usable with a keyboard or a screen reader, and self-contained."""

from __future__ import annotations

import re

import pytest
from html_checks import assert_well_formed
from report_helpers import HOSTILE

import unisono
from unisono.reporting.markup import seen_label
from unisono.reporting.notebook import result_html
from unisono.reporting.pieces import tabled_page, tables_html
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


TABLES = [Captioned("Agreement", Table(("text", "γ"), [("one", 0.5), ("two", None), ("Mean", 0.5)]), 1)]


def test_page_is_complete_and_self_contained():
    html = tabled_page("a study", TABLES, ["one is hard"])
    assert html.startswith("<!DOCTYPE html>")
    assert_well_formed(html)
    for part in ('<html lang="en">', '<meta charset="utf-8">', 'name="viewport"', "<title>a study</title>"):
        assert part in html
    assert "@media print" in html
    assert "prefers-color-scheme:dark" in html
    assert not re.search(r"https?:|src=|href|@import|url\(|<script", html)
    assert "<li>one is hard</li>" in html
    assert re.search(r"<tfoot>\s*<tr>\s*<th[^>]*><bdi>Mean</bdi></th>\s*<td[^>]*>0.50</td>\s*</tr>\s*</tfoot>", html)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_everything_stays_text(hostile):
    table = Table((hostile, hostile), [(hostile, hostile)])
    html = tabled_page(hostile, [Captioned(hostile, table)], [hostile])
    html.encode()
    assert_well_formed(html)
    assert "<script" not in html
    assert "<img" not in html
