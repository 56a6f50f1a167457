"""Tables in notebooks and on pages of studies: who has only a keyboard or a screen reader gets into them."""

from __future__ import annotations

import re

import pytest

import unisono
from unisono.reporting.notebook import captioned_table, coefficient_html, seen_label
from unisono.results import Table


def test_tables_scroll_by_keyboard_and_have_no_empty_heads():
    piece = captioned_table("Rungs <b>", Table(("", "at magnitude"), [("shift", 0.5), ("", None)]))
    assert '<div class="table" tabindex="0" role="group" aria-label="Rungs &lt;b&gt;">' in piece
    assert "<thead><tr><td></td><th" in piece
    assert not re.search(r"<th[^>]*></th>", piece.partition("<tbody>")[0])


@pytest.mark.parametrize(("label", "text"), [("", "(empty)"), ("  ", "(empty)"), (("a", "b"), "a + b"), (0, "0")])
def test_labels_can_be_seen(label, text):
    assert seen_label(label) == text


def test_results_have_boxes_that_scroll():
    result = unisono.krippendorff_alpha([["x", "y"], ["x", "x"], ["y", "y"]], rows="items")
    assert coefficient_html(result).count('<div class="table" tabindex="0"') == len(
        [table for table in result.tables() if table.rows]
    )
