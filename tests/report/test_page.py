"""The page: one file that needs nothing else."""

from __future__ import annotations

import re

import pytest
from html_checks import assert_well_formed
from report_helpers import HOSTILE, demo_result

import unisono
from unisono.data import Corpus
from unisono.report.page import MOST_ALIGNMENTS, page


@pytest.fixture(scope="module")
def demo():
    return demo_result()


def test_page_is_complete_and_self_contained(demo):
    html = page(demo, "unisono demo")
    assert html.startswith("<!DOCTYPE html>")
    assert_well_formed(html)
    for part in ('<html lang="en">', '<meta charset="utf-8">', 'name="viewport"', "<title>unisono demo</title>"):
        assert part in html
    assert "@media print" in html
    assert "prefers-color-scheme:dark" in html
    assert not re.search(r"https?:|src=|href|@import|url\(|<script", html)


def test_every_document_is_drawn_worst_first(demo):
    html = page(demo, "demo")
    worst_first = sorted(demo.documents, key=lambda document: document.value)
    assert re.findall(r"<figcaption><strong>(\w+)", html) == [document.document for document in worst_first]


def test_of_many_documents_the_worst_are_drawn_and_the_rest_counted():
    names = [f"d{k:02d}" for k in range(13)]
    rows = [(name, who, 5 * k, 10 + 5 * k + (who == "b")) for name in names for k in range(3) for who in "ab"]
    document, annotator, start, end = zip(*rows, strict=True)
    corpus = Corpus.from_columns(document=document, annotator=annotator, start=start, end=end)
    html = page(unisono.gamma(corpus, precision=0.3), "many")
    assert html.count("<figure>") == MOST_ALIGNMENTS
    assert "… and 3 more documents" in html


def test_nothing_to_show():
    html = page(unisono.gamma(Corpus.from_columns(annotator=[], start=[], end=[])), "nothing")
    assert_well_formed(html)
    assert "γ is undefined: there are no documents" in html


@pytest.mark.parametrize("title", HOSTILE)
def test_title_stays_text(demo, title):
    html = page(demo, title)
    html.encode()
    assert_well_formed(html)
    assert "<script" not in html
    assert "<img" not in html
