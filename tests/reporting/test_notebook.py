"""Results in notebooks: complete, honest about what is undefined, and safe."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from html_checks import assert_well_formed
from report_helpers import HOSTILE, aligned, demo_result

import unisono
from unisono.data import Corpus, Ratings
from unisono.reporting.notebook import alignment_html, result_html
from unisono.reporting.shown_tables import ROWS_IN_NOTEBOOK, is_worst_first
from unisono.results import Table


@pytest.fixture(scope="module")
def demo():
    return demo_result()


def corpus(*rows, **more):
    document, annotator, start, end, category = zip(*rows, strict=True) if rows else ((),) * 5
    features = {"category": list(category)}
    return Corpus.from_columns(
        document=document, annotator=annotator, start=list(start), end=list(end), features=features, **more
    )


def visible(html):
    """Give what one reads: no styles, no tags."""
    return re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<style>.*?</style>", "", html))


def test_result_has_all_its_parts(demo):
    html = result_html(demo)
    assert_well_formed(html)
    text = " ".join(visible(html).split())
    assert f"γ = {demo.value:.3f}" in text
    assert f"{demo.interval.low:.2f} to {demo.interval.high:.2f}" in text
    assert f"{demo.observed:.3f}" in text
    assert f"{demo.expected:.3f} ± {demo.expected_error:.3f}" in text
    assert f"{demo.n_samples} samples of chance (corpus)" in text
    assert demo.signature in text
    for part in (*demo.corpus.documents, *demo.corpus.features["category"].labels, "missing units"):
        assert part in text
    assert html.count("<svg xmlns") == 1  # the worst document's picture


def test_worst_document_comes_first(demo):
    html = result_html(demo)
    worst = min(demo.documents, key=lambda document: document.value).document
    assert f"<strong>{worst}</strong>" in html
    assert re.search(r'<tbody>\s*<tr>\s*<th scope="row"[^>]*><bdi>(\w+)', html)[1] == worst


def test_notebooks_show_it(demo):
    assert demo._repr_html_() == result_html(demo)
    assert demo.alignment["ferry"]._repr_html_() == alignment_html(demo.alignment["ferry"])


def test_alignment_line(demo):
    html = alignment_html(demo.alignment["ferry"])
    assert_well_formed(html)
    assert "<strong>ferry</strong> · disorder 0.4" in html
    assert "alignment proven optimal" in html


def test_alignment_of_nothing():
    html = alignment_html(aligned(worked=[("document", "a"), ("document", "b")]))
    assert_well_formed(html)
    assert "no annotator marked anything" in html


UNDEFINED = {
    "nothing at all": lambda: corpus(),
    "nothing marked": lambda: corpus(worked=[("d", "a"), ("d", "b")]),
    "one annotator": lambda: corpus(("d", "a", 0, 5, "A")),
    "only one document has a value": lambda: corpus(
        ("d", "a", 0, 5, "A"), ("d", "b", 3, 9, "B"), ("d", "b", 20, 25, "A"), ("e", "a", 0, 5, "A")
    ),
    "full agreement": lambda: corpus(("d", "a", 0, 5, "A"), ("d", "b", 0, 5, "A")),
    "no category": lambda: Corpus.from_columns(annotator=["a", "b"], start=[0, 4], end=[5, 9]),
}


@pytest.mark.parametrize("case", UNDEFINED)
def test_undefined_values_show_the_reason(case):
    result = unisono.gamma(UNDEFINED[case]())
    html = result_html(result)
    assert_well_formed(html)
    text = visible(html)
    assert not re.search(r"\b(nan|NaN|None|inf)\b", text)
    if result.undefined is not None:
        assert f"γ is undefined: {result.undefined}" in text
    for document in result.documents:
        assert document.undefined is None or document.undefined in text
    for note in result.notes:
        assert note in text


def test_long_tables_are_cut_and_say_so():
    rows = [(f"d{k:02d}", who, 10 * (who == "b") * (k % 3), 30, "A") for k in range(25) for who in "ab"]
    html = result_html(unisono.gamma(corpus(*rows), precision=0.3))
    assert f"… and {25 - ROWS_IN_NOTEBOOK} more rows" in html
    assert_well_formed(html)


def test_hostile_names_stay_text():
    rows = [
        (doc, who, 3 * k, 30 + k, lab) for k, lab in enumerate(HOSTILE) for doc in HOSTILE[:3] for who in HOSTILE[:2]
    ]
    html = result_html(unisono.gamma(corpus(*rows), precision=0.3))
    html.encode()
    assert_well_formed(html)
    assert "<script" not in html
    assert "<img" not in html


def test_styles_are_scoped(demo):
    html = result_html(demo)
    style = re.search(r"(?s)<style>(.*?)</style>", html)[1]
    scope = re.match(r'<div class="([\w-]+)">', html)[1]
    selectors = re.findall(r"([^{}]+)\{", re.sub(r":is\([^{]*\)", "", style))
    assert all(part.strip().startswith(f".{scope}") for line in selectors for part in line.split(","))


def captions(result):
    return re.findall(r"<caption>(.*?)</caption>", result._repr_html_())


def test_only_tables_in_that_order_are_said_to_be_the_worst_first():
    data = Ratings.from_annotators({"a": "xyxyx", "b": "xyxyy", "c": "yyxxx"})
    assert captions(unisono.krippendorff_alpha(data)) == ["Categories", "Annotators", "Items", "Coincidences"]
    uneven = Ratings.from_annotators({"a": "xyxyx", "b": "xyxyy", "c": "xyxxx", "d": "yyxxx"})
    assert "Items, worst first" in captions(unisono.krippendorff_alpha(uneven))
    spans = corpus(*((d, w, k * (w == "b"), 9, "A") for k, d in enumerate("defg") for w in "ab"))
    assert "Documents, worst first" in captions(unisono.gamma(spans, precision=0.3))


@pytest.mark.parametrize(
    ("measure", "values", "said"),
    [
        ("cu-alpha", [0.1, 0.5, None], True),
        ("cu-alpha", [0.5, 0.1], False),
        ("cu-alpha", [None, 0.1, 0.5], False),
        ("cu-alpha", [0.5, 0.5], False),
        ("slot-error-rate", [0.5, 0.1], True),
        ("slot-error-rate", [0.1, 0.5], False),
    ],
)
def test_what_is_worst_depends_on_the_measure(measure, values, said):
    result = unisono.measure(measure, corpus(("d", "a", 0, 5, "A"), ("d", "b", 0, 5, "B")))
    rows = [(f"d{k}", value) for k, value in enumerate(values)]
    assert is_worst_first(Table(("document", result.symbol), rows), result) == said
    assert not is_worst_first(Table(("coincidences", "x"), rows), result)


def test_corpora_show_who_marked_what():
    data = corpus(
        ("d", "anna", 0, 5, "A"), ("d", "bert", 0, 5, "B"), ("e", "anna", 0, 5, HOSTILE[0]), dropped={"notes": 3}
    )
    html = data._repr_html_()
    assert_well_formed(html)
    assert "<script" not in html
    text = " ".join(visible(html).split())
    assert "anna 2 2 bert 1 1" in text
    assert "2 documents, 2 annotators, 3 units" in text
    assert "3 notes" in text


def test_ratings_show_who_labelled_what():
    data = replace(
        Ratings.of([["x", None], ["x", "y"]], rows="items"), annotators=("anna", "bert"), repeats=np.array([5, 2])
    )
    html = data._repr_html_()
    assert_well_formed(html)
    text = " ".join(visible(html).split())
    assert "anna 7 0 bert 2 5" in text
    assert "label anna bert times x 7 0 7 y 0 2 2" in text
    assert "1 document, 2 annotators, 7 items, 9 labels" in text


def test_many_labels_are_cut_and_say_so():
    data = Ratings.of([[f"l{k:02}"] * 2 for k in range(25)], rows="items")
    assert "… and 5 more rows" in data._repr_html_()
