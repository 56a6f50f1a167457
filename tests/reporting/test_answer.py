"""The answer: sentences of facts."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from report_pages import edited_corpus, ratings

import unisono
from unisono.data import Corpus, Ratings
from unisono.demo import demo_path
from unisono.measurement.completing import with_subsets
from unisono.reporting.answer import Wording, answer_of


def said(result, wording=None, **more):
    measured = replace(with_subsets(result.measure, result), **more)
    return str(answer_of(measured, wording or Wording()))


@pytest.fixture(scope="module")
def demo():
    return unisono.gamma(unisono.read(demo_path()))


def test_the_demo(demo):
    answer = answer_of(with_subsets("gamma", demo))
    assert str(answer) == (
        "γ is 0.66 (95%: 0.16 to 0.87). With 4 documents, that is uncertain. Most of the disagreement comes from "
        "missing units (78%). library stands out: chris marked nothing there, and without it γ would be 0.73."
    )
    addresses = [piece.address for sentence in answer.sentences for piece in sentence if piece.address]
    assert addresses == ["#places?kind=missing%20unit", "#in/library"]


def test_certain_values_are_not_called_uncertain():
    rng = np.random.default_rng(1)
    true = rng.integers(0, 3, 600)
    people = {who: [f"L{k}" for k in np.where(rng.random(600) < 0.1, (true + 1) % 3, true)] for who in ("anna", "bert")}
    sentence = said(unisono.krippendorff_alpha(Ratings.from_annotators(people)))
    assert "uncertain" not in sentence
    assert re.search(
        r"The most frequent disagreement is between the labels L\d and L\d \(\d+% of \d+ pairs of labels\)", sentence
    )


def test_confused_labels_are_counted_by_pairs():
    assert "The most frequent disagreement is between the labels high and mid (50% of 6 pairs of labels)." in said(
        unisono.krippendorff_alpha(ratings())
    )


def test_differences_of_numbers_are_measured():
    people = {"anna": [10.5, 20, 30, 44.5], "bert": [12.5, 20, 34, 44.5]}
    sentence = said(unisono.krippendorff_alpha(Ratings.from_annotators(people), distance="interval"))
    assert "Where two annotators differ, their numbers are 3 apart on average." in sentence


def test_annotators_stand_out_outside_the_interval():
    rng = np.random.default_rng(2)
    true = rng.integers(0, 4, 400)
    people = {who: np.where(rng.random(400) < 0.05, (true + 1) % 4, true) for who in ("anna", "bert", "chris", "dora")}
    people["chris"] = rng.integers(0, 4, 400)
    sentence = said(unisono.krippendorff_alpha(Ratings.from_annotators({n: c.tolist() for n, c in people.items()})))
    assert re.search(r"chris stands out: without this annotator α would be 0\.89", sentence)


def test_categories_stand_out_outside_the_interval(demo):
    sentence = said(demo, without_category=("category", "TIME", 0.99))
    assert "TIME stands out: without units of this category γ would be 0.99." in sentence


def test_nobody_stands_out():
    sentence = said(unisono.krippendorff_alpha(Ratings.from_annotators({w: [1, 2, 1, 2] * 9 for w in "abc"})))
    assert sentence.endswith("No annotator stands out.")


def test_no_value_has_a_reason():
    corpus = Corpus.from_columns(annotator=["a"], start=[0], end=[5], document=["d"])
    sentence = said(unisono.gamma(corpus))
    assert sentence.startswith("γ has no value: ")


def test_errors_say_that_zero_is_perfect():
    result = unisono.window_diff(unisono.from_masses([[2, 3, 6], [2, 2, 7]]))
    assert "where 0 is perfect" in said(result)
    assert "1 document cannot show how certain that is." in said(result) or result.interval


def test_hidden_words_stay_hidden(demo):
    wording = Wording(
        document=lambda name: "document 3", label=lambda feature, label: "label 1", sentence=lambda text: "…"
    )
    sentence = said(demo, wording)
    assert "library" not in sentence
    assert "document 3 stands out" in sentence


def test_parts_that_are_equal_are_both_named():
    corpus = edited_corpus()
    result = unisono.measure("text-gamma(p_text=0.25,p_segmentation=0.04,precision=0.2)", corpus)
    shares = sorted(result.disagreement.values(), reverse=True)
    sentence = said(result)
    each = f"({shares[0]:.0%} each)" in sentence
    assert each == (f"{shares[0]:.0%}" == f"{shares[1]:.0%}")


def test_all_parts_that_are_equal_are_named():
    ends = [("source", 0, 4), ("target", 9, 13)]
    second = [("source", 9, 13), ("target", 17, 21)]
    anchors = [ends, second, ends, second, [("source", 0, 4), ("target", 170, 214)]]
    relations = Corpus.from_columns(
        annotator=["a", "a", "b", "b", "c"], anchors=anchors, features={"category": ["met", "in", "saw", "in", "met"]}
    )
    sentence = said(unisono.gamma(relations))
    assert "All of the disagreement comes from targets, categories and missing units (33% each)." in sentence


def test_boundaries_that_others_do_not_have():
    result = unisono.boundary_similarity(unisono.from_masses({"a": [5, 5, 10], "b": [5, 15], "c": [5, 15]}))
    assert "All of the disagreement comes from boundaries that others do not have." in said(result)
