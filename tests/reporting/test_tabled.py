"""Comparisons, plans, drafts, ladders, studies and advice in notebooks."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest
from html_checks import assert_well_formed
from report_helpers import HOSTILE as HOSTILE_NAMES

import unisono
from unisono.data import Corpus
from unisono.results.shown import fixed
from unisono.shuffling import ladder
from unisono.studies import Guideline, study

HOSTILE = HOSTILE_NAMES[1]


def corpus(seed=0, n_documents=6):
    """Three annotators, one of whom moves and relabels units, in documents and with labels of hostile names."""
    rng = np.random.default_rng(seed)
    columns = {"document": [], "annotator": [], "start": [], "end": []}
    labels = []
    for number in range(n_documents):
        for who in ("a", "b", HOSTILE):
            for place in range(0, 200, 20):
                moved = int(rng.integers(0, 8)) if who == HOSTILE else 0
                columns["document"].append(f"{number}{HOSTILE}")
                columns["annotator"].append(who)
                columns["start"].append(place + moved)
                columns["end"].append(place + 12)
                labels.append(HOSTILE if rng.random() < 0.3 + moved / 20 else "x")
    return Corpus.from_columns(**columns, features={"category": labels})


def verdict_table():
    """Verdicts of two judges on three systems."""
    systems = [("s", "t"), ("t", HOSTILE), (HOSTILE, "s")]
    rows = [(f"{n}{HOSTILE}", *systems[n % 3], who, "ab"[n % 2]) for n in range(30) for who in ("a", HOSTILE)]
    return pl.DataFrame(rows, schema=["item", "system_a", "system_b", "judge", "winner"], orient="row")


MADE = {
    "compare": lambda: unisono.compare(corpus(), corpus(1), ["cu-alpha", "span-f1"]),
    "one comparison": lambda: unisono.compare(corpus(), corpus(1), ["cu-alpha"])[0],
    "model": lambda: unisono.compare_model(corpus(), HOSTILE, "cu-alpha"),
    "models": lambda: unisono.compare_models(corpus(), ["b", HOSTILE], "a", "cu-alpha"),
    "plan": lambda: unisono.plan(corpus(), 0.1, "cu-alpha"),
    "prevalence": lambda: unisono.prevalence({"a": [HOSTILE, "x"] * 20, "b": [HOSTILE, "x"] * 20}, "b"),
    "judges": lambda: unisono.judges(verdict_table(), HOSTILE),
    "gold": lambda: unisono.gold(corpus(), sure=1.0),
    "competence": lambda: unisono.gold(corpus(), competence="dawid-skene"),
    "ladder": lambda: ladder(corpus(n_documents=2), "cu-alpha", value=0.8),
    "advice": lambda: unisono.advise(corpus()),
    "study": lambda: study(HOSTILE, [Guideline(HOSTILE, corpus()), Guideline("two", corpus(1))], "cu-alpha"),
}


@pytest.mark.parametrize("name", MADE)
def test_shown_whole_and_safe(name):
    found = MADE[name]()
    tables, sentences = found.tabled()
    html = found._repr_html_()
    assert_well_formed(html)
    assert HOSTILE not in html
    assert html.count("<table>") == sum(bool(one.table.rows) for one in tables) > 0
    assert html.count("<li>") == len(sentences)
    text = re.sub(r"<[^>]*>", "", re.sub(r"(?s)<style>.*?</style>", "", html))
    for one in tables:
        for row in one.table.rows:
            for cell in row:
                if isinstance(cell, float):
                    assert fixed(abs(cell), one.table.digits) in text


def test_a_long_queue_is_cut():
    found = unisono.gold(corpus(n_documents=12), sure=1.0)
    assert len(found.to_decide) > 20
    (queue,), sentences = found.tabled()
    assert queue.caption == "To decide, the worst first, the first 20"
    assert len(queue.table.rows) == 20
    assert sentences[0].endswith(f"{len(found.to_decide)} to decide.")
