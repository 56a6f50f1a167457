"""Agreement between groups: the mean over the pairs of one annotator of each, and its interval."""

from __future__ import annotations

from itertools import product
from statistics import fmean

import numpy as np
import pytest
from scipy import stats

import unisono
from unisono.demo import demo_path
from unisono.studies import Guideline, study


@pytest.fixture(scope="module")
def corpus():
    """The built-in data, in which a fourth annotator repeats what anna marked, a little later."""
    found = unisono.read(demo_path())
    rows = [
        (document.name, who, unit.start + shift, unit.end + shift, unit.category)
        for document in found
        for who, source, shift in (("anna", "anna", 0), ("bert", "bert", 0), ("chris", "chris", 0), ("dora", "anna", 2))
        for unit in document.units
        if unit.annotator == source
    ]
    document, annotator, start, end, category = zip(*rows, strict=True)
    return unisono.Corpus.from_columns(
        document=document, annotator=annotator, start=start, end=end, features={"category": category}
    )


@pytest.fixture(scope="module")
def found(corpus):
    groups = {"own": ["anna", "bert"], "foreign": ["chris", "dora"]}
    return study("s", [Guideline("first", corpus, groups)], "span-f1(match=overlap)", workers=1)


def pairs_of(corpus, documents=None):
    some = corpus if documents is None else corpus.select(documents=documents)
    return [
        unisono.measure("span-f1(match=overlap)", some.select(annotators=pair))
        for pair in product(["anna", "bert"], ["chris", "dora"])
    ]


def test_groups_are_measured_within_and_between(found):
    assert found.choices == ("all", "within own", "within foreign", "between own and foreign")


def test_within_a_group_are_only_its_annotators(found, corpus):
    own = unisono.measure("span-f1(match=overlap)", corpus.select(annotators=["anna", "bert"]))
    part = found.part("first", "within own")
    assert part.value == own.value
    assert part.annotator_names == ("anna", "bert")
    assert (part.interval.low, part.interval.high) == (own.interval.low, own.interval.high)


def test_between_groups_is_the_mean_over_pairs(found, corpus):
    part = found.part("first", "between own and foreign")
    assert part.value == pytest.approx(fmean(one.value for one in pairs_of(corpus)))
    for text in corpus.documents:
        values = [one.value for one in pairs_of(corpus, [text])]
        known = [value for value in values if value is not None]
        assert part.cells[text].value == pytest.approx(fmean(known))
    assert "means over 4 pairs of annotators, one of each group" in part.notes


def test_the_interval_of_the_mean_is_a_jackknife_over_documents(found, corpus):
    part = found.part("first", "between own and foreign")
    texts = list(corpus.documents)
    error = 1 - part.value
    without = [
        1 - fmean(one.value for one in pairs_of(corpus, [name for name in texts if name != text])) for text in texts
    ]
    scaled = np.log(without) - np.log(1 - np.array(without))
    weights = np.array([sum(one.parts.documents().get(text, 0.0) for one in pairs_of(corpus)) for text in texts])
    freedom = weights.sum() ** 2 / np.square(weights).sum() - 1
    n = len(texts)
    width = stats.t.ppf(0.975, freedom) * np.sqrt((n - 1) / n * np.square(scaled - scaled.mean()).sum())
    middle = np.log(error) - np.log(1 - error)
    limits = 1 - 1 / (1 + np.exp(-(middle + np.array([width, -width]))))
    assert (part.interval.low, part.interval.high) == pytest.approx(tuple(limits))
    assert part.interval.method == "jackknife over 4 documents; mean of 4 pairs"


def test_one_annotator_each_is_an_ordinary_pair(corpus):
    groups = {"own": ["anna"], "foreign": ["bert"]}
    found = study("s", [Guideline("first", corpus, groups)], "span-f1", workers=1)
    pair = unisono.span_f1(corpus.select(annotators=["anna", "bert"]))
    part = found.part("first", "between own and foreign")
    assert found.choices == ("all", "between own and foreign")
    assert (part.value, part.interval.low) == (pair.value, pair.interval.low)


def test_pairs_without_a_value_are_left_out_and_counted(corpus):
    units = corpus.select(annotators=["anna", "bert", "chris"])
    groups = {"own": ["anna", "bert"], "foreign": ["chris"]}
    some = units.select(documents=["library"])
    found = study("s", [Guideline("first", some, groups)], "gamma(chance=shift)", workers=1)
    part = found.part("first", "between own and foreign")
    assert part.value is None or part.notes
    assert set(part.cells) == {"library"}
