"""The page of tables: one file that needs nothing else."""

from __future__ import annotations

import re

import pytest
from html_checks import assert_well_formed
from report_helpers import HOSTILE

from unisono.reporting.simple_page import tabled_page
from unisono.results import Captioned, Table

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
