"""What a report with hidden text must not say: no sentence and no label may quote it."""

from __future__ import annotations

import pytest
from report_pages import measured

from unisono.data import Corpus, Ratings
from unisono.measurement.completing import Measured
from unisono.reporting.full_report.full_page import report_page
from unisono.reporting.full_report.hidden_text import LEFT_OUT, MOST_NAMED, Names, names_of, without_text
from unisono.results import Table

TEXT = "the hats of Xanthippe are red and the umbrella is blue"
REASON = "the label 'secret7' is not a number; ordinal needs numbers"


def corpus_of(feature, text=TEXT):
    """Give every word of a text to two annotators, and a label made of the word."""
    rows, place = [], 0
    for index, word in enumerate(text.split()):
        rows.append((place, place + len(word), feature(word, index)))
        place += len(word) + 1
    return Corpus.from_columns(
        annotator=["a"] * len(rows) + ["b"] * len(rows),
        start=[row[0] for row in rows] * 2,
        end=[row[1] for row in rows] * 2,
        document=["d"] * 2 * len(rows),
        features={"category": [row[2] for row in rows] * 2},
        texts={("d", "a"): text, ("d", "b"): text},
    )


def test_reasons_quote_nothing():
    data = Ratings.from_annotators({who: [f"secret{k}" for k in range(60)] for who in "ab"})
    failed = Measured("krippendorff-alpha(distance=ordinal)", failed=REASON)
    told = measured("krippendorff-alpha", data, ladder=f"No ladder: {REASON}.")
    page = report_page([told, failed], data, title="T", hide_text=True)
    assert "secret" not in page
    assert page.count(LEFT_OUT) == 2
    assert "secret7" in report_page([told, failed], data, title="T")


@pytest.mark.parametrize("said", ["'secret' and 'Secret' are treated as different", "“secret” is no label"])
def test_remarks_that_quote_are_left_out(said):
    assert Names(True).sentence(said) == LEFT_OUT
    assert Names(False).sentence(said) == said


def test_remarks_that_quote_nothing_are_kept():
    said = "2 of 3 documents have no value: annotators' texts differ"
    assert Names(True).sentence(said) == said


def test_labels_that_look_alike_are_not_quoted():
    data = Ratings.from_annotators({"a": ["secret", "Secret", "x", "x"] * 5, "b": ["secret", "x", "x", "x"] * 5})
    remark = "are treated as different labels"
    assert remark in report_page([measured("krippendorff-alpha", data)], data, title="T")
    assert remark not in report_page([measured("krippendorff-alpha", data)], data, title="T", hide_text=True)


@pytest.mark.parametrize(
    "feature",
    [
        lambda word, index: word,
        lambda word, index: f"{word}CORR",
        lambda word, index: f"remark {index}",
        lambda word, index: word.upper() if index % 5 == 0 else "same",
        lambda word, index: word[::-1],
    ],
)
def test_features_that_could_be_text_are_numbered(feature):
    corpus = corpus_of(feature)
    names = names_of(corpus, hide=True)
    assert list(names.numbers) == ["category"]
    page = report_page([measured("span-f1", corpus)], corpus, title="T", hide_text=True)
    labels = {label for label in corpus.features["category"].labels if label != "same"}
    assert not [label for label in labels if f">{label}<" in page or f'"{label}"' in page]


def test_words_of_the_texts_are_no_names_of_categories():
    words = [f"word{k}" for k in range(12)]
    corpus = corpus_of(lambda word, index: words[(index + 1) % 12], " ".join(words * 4))
    assert list(names_of(corpus, hide=True).numbers) == ["category"]


def test_categories_keep_their_names():
    corpus = corpus_of(lambda word, index: ("NOUN", "VERB", "DET")[index % 3])
    assert names_of(corpus, hide=True).numbers == {}
    page = report_page([measured("span-f1", corpus)], corpus, title="T", hide_text=True)
    assert "NOUN" in page
    assert "Xanthippe" not in page


def test_tables_say_what_they_hold():
    names, labels, text = (Table(("x", "y"), [("a", 1)], holds=holds) for holds in ("names", "labels", "text"))
    every = [names, labels, text]
    assert without_text(every, Names(False)) == every
    assert without_text(every, Names(True)) == [names, labels]
    assert without_text(every, Names(True, {"label": {"a": 1}})) == [names]
    many = Table(("x", "y"), [(str(k), k) for k in range(MOST_NAMED + 1)], holds="labels")
    assert without_text([many, Table(("x", "y"), [], holds="names")], Names(True)) == []
    assert Table(("x",), []).holds == "text"  # unless somebody says that it is safe
