"""Results as CSV and LaTeX: any measure's tables, all digits in CSV, signs that LaTeX would take for commands."""

from __future__ import annotations

import csv
import io
import itertools

import pytest

import unisono
from unisono.reporting.exported import as_csv, as_latex


@pytest.fixture
def words():
    return unisono.normalization(
        {"original": ["a_b", "c%", "d&"], "A": ["a_b", "c%", "x"], "B": ["ab", "c", "y"], "C": ["ab", "c%", "d\\"]}
    )


def blocks(text):
    """The tables of a CSV, apart by empty lines."""
    rows = list(csv.reader(io.StringIO(text)))
    return [list(group) for filled, group in itertools.groupby(rows, bool) if filled]


def test_csv(words):
    found = {block[0][0]: block for block in blocks(as_csv(words, pairs=words.pairwise()))}
    assert list(found)[:3] == ["normalization", "words as units", "characters as units"]
    headline = {row[0]: row[1] for row in found["normalization"][1:]}
    assert float(headline["α_NLD"]) == pytest.approx(words.value, rel=1e-11)
    assert found["words as units"][0] == ["words as units", "tokens", "agr", "π", "κ", "α", "α_NLD", "A_e"]
    assert [row[0] for row in found["words as units"][1:]] == ["ALL", "MEDIUM", "STRICT"]
    row = words.rows["subsets"][0]
    assert float(found["words as units"][1][5]) == pytest.approx(row["word_alpha"], rel=1e-11)
    widths = {len(row) for row in found["words as units"]}
    assert widths == {8}


def test_csv_of_other_measures():
    ratings = unisono.krippendorff_alpha([["a", "b"], ["a", "a"], ["b", "b"]], rows="items")
    found = blocks(as_csv(ratings))
    assert found[0][0] == ["krippendorff-alpha", "value", "remark"]
    assert found[0][1][0] == "α"
    assert found[1][0][0] == "category"
    corpus = unisono.Corpus.from_columns(
        annotator=["a", "b"], start=[0, 1], end=[5, 6], features={"category": ["x", "y"]}, bounds={"document": (0, 50)}
    )
    assert blocks(as_csv(unisono.gamma(corpus)))[0][0][0] == "gamma"


def test_a_value_that_is_missing_is_an_empty_cell():
    result = unisono.normalization({"original": ["a"], "A": ["a"], "B": ["a"]})
    assert blocks(as_csv(result))[0][1][:2] == ["α_NLD", ""]
    assert "$\\alpha_{\\mathrm{NLD}}$ & -- & undefined" in as_latex(result)


def test_latex(words):
    text = as_latex(words)
    assert text.startswith("% normalization|level:character|")
    assert r"words as units & tokens & agr & $\pi$ & $\kappa$ & $\alpha$ & $\alpha_{\mathrm{NLD}}$ & $A_{e}$ \\" in text
    assert r"a\_b" in text
    assert r"c\%" in text
    assert r"d\&" in text
    assert r"\textbackslash{}" in text
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == text.count(r"\toprule")
    value = f"{words.rows['subsets'][0]['word_alpha']:.4f}".replace("-", "$-$")
    assert value in text
    for line in text.splitlines():
        if line.startswith(r"\begin"):
            columns = line.removeprefix(r"\begin{tabular}").strip("{}")
        elif line.endswith(r"\\"):
            assert line.replace(r"\&", "").count("&") == len(columns) - 1
