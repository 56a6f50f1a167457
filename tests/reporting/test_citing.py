"""Whom to cite, and what may be put on one page."""

from __future__ import annotations

import re

import pytest
from report_pages import large_corpus, measured, normalizations

import unisono
from unisono.data import Corpus, Ratings
from unisono.errors import OptionError
from unisono.measurement.bibliography import references
from unisono.measurement.completing import Measured
from unisono.measurement.registry import measures
from unisono.reporting.full_report import citing
from unisono.reporting.full_report.hidden_text import Names


def keys(text):
    return re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE)


@pytest.mark.parametrize("name", measures())
def test_every_measure_names_papers_of_the_bibliography(name):
    papers = measures()[name].papers
    assert papers
    assert set(papers) <= set(references())


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
    labels = {"a": "xxy", "b": "yxy"}
    results = (
        measure(Ratings.from_annotators(labels)) for measure in (unisono.krippendorff_alpha, unisono.cohen_kappa)
    )
    unisono.report(results, tmp_path / "page.html")
    assert "Cohen" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("wrong", [{"a": 1}, [3], 3, None])
def test_what_is_neither_result_nor_data_is_rejected(wrong, tmp_path):
    with pytest.raises(OptionError, match=r"^results: expected"):
        unisono.report(wrong, tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_results_and_data_cannot_be_mixed(tmp_path):
    corpus = large_corpus(n_units=10)
    with pytest.raises(OptionError, match=r"results: expected results only.* not Corpus"):
        unisono.report([unisono.span_f1(corpus), corpus], tmp_path / "page.html")


@pytest.mark.parametrize("data", [Ratings.from_annotators({"a": "xyx", "b": "xyy"}), normalizations()])
def test_data_is_measured_with_what_advice_lists_first(data, tmp_path):
    unisono.report(data, tmp_path / "page.html")
    first = unisono.advise(data).fitting[0].name
    assert f'<article class="card" aria-label="{first}"' in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_files_and_tables_are_read_as_everywhere(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,annotator,label\n" + "".join(f"{k},{who},{'xy'[k % 2]}\n" for k in range(6) for who in "ab"))
    unisono.report(path, tmp_path / "page.html")
    unisono.report([["x", "y"], ["y", "y"]], tmp_path / "other.html", rows="items")
    with pytest.raises(OptionError, match="rows"):
        unisono.report([["x", "y"], ["y", "y"]], tmp_path / "third.html")


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


class Prepared:
    """A result whose data was prepared."""

    def __init__(self, result, preparation):
        self.result, self.preparation = result, preparation

    def __getattr__(self, name):
        return getattr(self.result, name)


def sentence(*steps, hide=False):
    result = Prepared(unisono.span_f1(large_corpus(n_units=10)), steps)
    return citing.methods([Measured("span-f1", result)], Names(hide))


@pytest.mark.parametrize(
    ("step", "clause"),
    [
        (("positions", "tokens"), "counting positions in tokens"),
        (("where", "length > 3"), "keeping units where length > 3"),
        (("layers", "NE"), "keeping units of layer NE"),
        (("layers", "NE,POS"), "keeping units of layers NE and POS"),
        (("annotators", "anna,bert,chris"), "keeping annotators anna, bert and chris"),
        (("clean", "case, spaces"), "cleaning labels (case and spaces)"),
        (("adjacent", "merged"), "merging adjacent units with the same labels"),
        (("documents", "40 of 50 (1a2b3c4d)"), "keeping 40 of 50 documents"),
        (("converted", "ratings(unmarked=O)"), "converting units to ratings(unmarked=O)"),
        (("discontinuous", "pieces"), "reading discontinuous units as pieces"),
        (("discontinuous", "drop"), "leaving out discontinuous units"),
        (("discontinuous", "main"), "reading only the main piece of discontinuous units"),
        (("worked", "as listed"), "using a table of who worked on which document"),
        (("something", "new"), "setting something to new"),
    ],
)
def test_the_methods_name_how_data_was_prepared(step, clause):
    assert sentence(step).startswith(f"After {clause}, the agreement of 2 annotators on 1 document")
    assert sentence().startswith("The agreement of 2 annotators")


def test_several_steps_are_one_clause():
    steps = (("layer", "NE"), ("where", "length > 3"), ("positions", "tokens"))
    clause = "keeping units of layer NE, keeping units where length > 3 and counting positions in tokens"
    assert sentence(*steps).startswith(f"After {clause}, the agreement")


def test_the_preparation_of_a_result_is_named_once():
    prepared = unisono.prepare(large_corpus(n_units=10), where="length > 3")
    said = citing.methods([measured("span-f1", prepared)], Names(False))
    assert said.startswith("After keeping units where length > 3, the agreement")
    assert "prepared =" not in said


def test_conditions_that_quote_are_hidden_with_the_text():
    assert "Xanthippe" in sentence(("where", 'text == "Xanthippe"'))
    assert "Xanthippe" not in sentence(("where", 'text == "Xanthippe"'), hide=True)
    assert "applying where (not shown)" in sentence(("where", "text == Xanthippe"), hide=True)
    assert "counting positions in tokens" in sentence(("positions", "tokens"), hide=True)
    assert "applying positions (not shown)" in sentence(("positions", "tokens(regex=Xanthippe)"), hide=True)
