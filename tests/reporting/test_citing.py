"""Whom to cite, and what may be put on one page."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest
from report_pages import large_corpus, measured, normalizations

import unisono
from unisono.data import Corpus, Ratings
from unisono.errors import OptionError
from unisono.measurement.registry import measures
from unisono.reporting.full import citing
from unisono.reporting.full.grids import grid_of
from unisono.results import Table


def keys(text):
    return re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE)


@pytest.mark.parametrize("name", measures())
def test_every_measure_names_papers_of_the_bibliography(name):
    bibliography = files("unisono.reporting.full").joinpath("assets", "references.bib").read_text(encoding="utf-8")
    papers = measures()[name].papers
    assert papers
    assert set(papers) <= set(keys(bibliography))


def test_the_papers_of_what_was_measured_and_of_the_program():
    corpus = large_corpus(n_units=10)
    written = citing.bibtex([measured("gamma(precision=0.5)", corpus), measured("span-f1", corpus)])
    assert keys(written) == ["mathet2015", "mathet2017", "hripcsak2005", "unisono"]
    assert f"version = {{{unisono.__version__}}}" in written


def test_results_of_different_data_are_refused(tmp_path):
    one, other = (unisono.span_f1(large_corpus(n_units=n)) for n in (10, 12))
    with pytest.raises(OptionError, match="span-f1 and span-f1 were measured on different data"):
        unisono.report([one, other], tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_the_same_data_may_have_been_given_twice(tmp_path):
    table = [["x", "y"], ["x", "x"], ["y", "y"]]
    results = (measure(table) for measure in (unisono.krippendorff_alpha, unisono.cohen_kappa))
    unisono.report(results, tmp_path / "page.html")
    assert "Cohen" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("wrong", [{"a": 1}, [3], 3, None])
def test_what_is_no_result_is_refused(wrong, tmp_path):
    with pytest.raises(OptionError, match="is no result; give what a measure"):
        unisono.report(wrong, tmp_path / "page.html")


@pytest.mark.parametrize("several", [False, True])
def test_data_must_be_measured_first(several, tmp_path):
    for data, how in [
        (large_corpus(n_units=3), "Corpus is no result; measure it first: unisono.report(unisono.gamma(corpus), …)"),
        (Ratings.of([["x", "y"]], rows="items"), "unisono.report(unisono.krippendorff_alpha(ratings), …)"),
        (normalizations(), "unisono.report(unisono.normalization(words), …)"),
    ]:
        with pytest.raises(OptionError, match=re.escape(how)):
            unisono.report([data] if several else data, tmp_path / "page.html")


@pytest.mark.parametrize("path", ["a.csv", Path("a.csv")])
def test_files_must_be_read_and_measured_first(path, tmp_path):
    with pytest.raises(OptionError, match=r"'a.csv' is no result; read and measure it first: unisono.report\("):
        unisono.report(path, tmp_path / "page.html")


def units(label="x", start=0, text="ab", source=""):
    features = {"category": [label, "y"]}
    texts = {("d", "a"): text}
    return Corpus.from_columns(
        document=["d", "d"],
        annotator=["a", "b"],
        start=[start, 1],
        end=[2, 2],
        features=features,
        texts=texts,
        source=source,
    )


def test_data_is_the_same_if_it_holds_the_same():
    assert units() == units(source="elsewhere")
    for other in (units(label="z"), units(start=1), units(text="cd"), Ratings.of([["x", "y"]], rows="items")):
        assert units() != other


def test_long_tables_name_no_option_of_the_command_line():
    grid = grid_of(Table(("document", "γ"), [(f"d{k}", k / 900) for k in range(900)]), "Documents")
    assert "400 more rows" in grid.note
    assert "--" not in grid.note
