"""Slot Error Rate and F1 of spans: the paper's costs, brute-force matching, peers."""

from __future__ import annotations

import json

import numpy as np
import pytest
import unitizing_oracle as direct
from unitizing_oracle import corpus, random_corpus, units

from unisono.data import Corpus
from unisono.errors import DataError, OptionError
from unisono.measurement.unitizing.f1 import span_f1
from unisono.measurement.unitizing.slot_errors import slot_error_rate

REFERENCE = [(10 * k, 10 * k + 6, "xyzw"[k % 4]) for k in range(16)]


@pytest.mark.parametrize(
    ("marked", "value"),
    [
        ([(0, 6, "x"), (10, 16, "y")], 0.0),
        ([(0, 6, "y"), (10, 16, "y")], 0.25),  # T: wrong type
        ([(1, 6, "x"), (10, 16, "y")], 0.25),  # B: wrong boundary
        ([(1, 6, "y"), (10, 16, "y")], 0.5),  # TB: both
        ([(0, 6, "x"), (10, 16, "y"), (20, 26, "x")], 0.5),  # I: insertion
        ([(0, 6, "x")], 0.5),  # D: deletion
        ([(30, 36, "x"), (40, 46, "y")], 2.0),  # no overlap: deleted and inserted
        ([(0, 6, "x"), (10, 16, "y"), *[(20 + 2 * k, 21 + 2 * k, "x") for k in range(6)]], 3.0),  # not bounded by 1
    ],
)
def test_mathet_2015_section_3_4_2_costs(marked, value):
    data = corpus(units(gold=[(0, 6, "x"), (10, 16, "y")], system=marked))
    result = slot_error_rate(data, reference="gold")
    assert result.value == pytest.approx(value)
    assert result.agreement == pytest.approx(1 - value)


def test_mathet_2015_figure_26_shifted_units():
    """All units slightly shifted: an agreement of .5."""
    data = corpus(
        units(A=REFERENCE, B=[(a + 1, b, c) for a, b, c in REFERENCE], C=[(a, b - 1, c) for a, b, c in REFERENCE])
    )
    assert slot_error_rate(data).agreement == pytest.approx(0.5)


def test_mathet_2015_figure_25_random_categories():
    """The same units with categories at random, of four: an agreement of .625."""
    rng = np.random.default_rng(1)
    many = [(10 * k, 10 * k + 6) for k in range(4000)]
    data = corpus([(who, *span, str(rng.integers(4))) for who in "ABC" for span in many])
    assert slot_error_rate(data).agreement == pytest.approx(0.625, abs=0.01)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("overlap", [False, True])
def test_by_brute_force(seed, overlap):
    data = random_corpus(seed, n_units=3, n_documents=3, overlap=overlap, missing=0.2)
    assert slot_error_rate(data).value == pytest.approx(direct.slot_error_rate(data))
    for match in ("exact", "partial", "overlap"):
        for labels in (True, False):
            result = span_f1(data, match=match, labels=labels)
            assert result.value == pytest.approx(direct.span_f1(data, match, labels))
        for row in span_f1(data, match=match).rows["categories"]:
            assert row["value"] == pytest.approx(direct.span_f1(data, match, category=row["category"]))
    assert span_f1(data).details["span_only"] == pytest.approx(direct.span_f1(data, "exact", False))


def test_each_document_is_measured_as_if_alone():
    data = random_corpus(8, n_documents=4, n_annotators=4, missing=0.3, overlap=True)
    for measure in (slot_error_rate, span_f1):
        for document in measure(data).documents:
            assert document.value == pytest.approx(measure(data.select(documents=[document.document])).value)


def test_greedy_matching_would_not_do():
    """Two partial matches are worth more than the exact one that would block both."""
    data = corpus(units(A=[(0, 6, "x"), (5, 12, "x")], B=[(5, 12, "x"), (11, 20, "x")]))
    assert slot_error_rate(data, reference="A").value == pytest.approx(0.5)
    assert span_f1(data, match="overlap").value == pytest.approx(1)
    assert span_f1(data, match="partial").value == pytest.approx(0.5)


def test_counts_are_summed_over_documents():
    marked = [("A", 0, 5, "x", "d1"), ("B", 0, 5, "x", "d1")]
    marked += [("A", 10 * k, 10 * k + 5, "x", "d2") for k in range(3)] + [("B", 3, 8, "x", "d2")]
    data = corpus(marked)
    assert span_f1(data).value == pytest.approx(2 * 1 / 6)
    assert slot_error_rate(data, reference="A").value == pytest.approx((0 + 2.5) / 4)
    assert slot_error_rate(data, reference="B").value == pytest.approx((0 + 2.5) / 2)
    assert slot_error_rate(data).value == pytest.approx((2.5 / 4 + 2.5 / 2) / 2)
    pairs = {(row["reference"], row["compared"]): row["value"] for row in slot_error_rate(data).rows["pairs"]}
    assert pairs == pytest.approx({("A", "B"): 2.5 / 4, ("B", "A"): 2.5 / 2})


def test_only_shared_documents_count_for_a_pair():
    marked = [("A", 0, 5, "x", "d1"), ("B", 0, 5, "x", "d1"), ("A", 0, 5, "x", "d2"), ("C", 0, 5, "x", "d2")]
    assert span_f1(corpus(marked)).value == pytest.approx(1)
    assert slot_error_rate(corpus(marked)).value == pytest.approx(0)


def test_units_of_length_0():
    data = corpus(units(A=[(3, 3, "x"), (5, 9, "x")], B=[(3, 3, "x"), (5, 9, "x"), (7, 7, "x")]))
    assert span_f1(data).value == pytest.approx(4 / 5)
    assert span_f1(data, match="overlap").value == pytest.approx(4 / 5)
    assert slot_error_rate(data, reference="A").value == pytest.approx(1 / 2)


def test_identical_units_are_matched_one_to_one():
    data = corpus(units(A=[(3, 9, "x"), (3, 9, "x")], B=[(3, 9, "x")]))
    assert span_f1(data).value == pytest.approx(2 / 3)
    assert slot_error_rate(data, reference="B").value == pytest.approx(1)


def test_details_and_categories():
    data = corpus(units(A=[(0, 5, "x"), (10, 15, "y"), (20, 25, "y")], B=[(0, 5, "x"), (10, 15, "x"), (21, 25, "y")]))
    result = span_f1(data)
    assert result.details == pytest.approx(
        {"exact": 1 / 3, "partial": 1.5 / 3, "overlap": 2 / 3, "span_only": 2 / 3, "macro": (2 / 3 + 0) / 2}
    )
    assert [(row["category"], row["value"], row["n_units"]) for row in result.rows["categories"]] == [
        ("x", pytest.approx(2 / 3), 3),
        ("y", pytest.approx(0), 3),
    ]
    assert span_f1(data, labels=False).value == pytest.approx(2 / 3)


def test_undefined_values():
    nobody = corpus([], (0, 20), worked=[("document", "A"), ("document", "B")])
    for measure in (span_f1, slot_error_rate):
        assert measure(nobody).undefined == "no annotator marked anything"
        assert json.loads(json.dumps(measure(nobody).to_dict()))["value"] is None
    empty = corpus(units(A=[(0, 5, "x")]), worked=[("document", "B"), ("document", "C")])
    assert slot_error_rate(empty, reference="B").undefined == "the reference has no units to divide by"
    assert slot_error_rate(empty).value == pytest.approx(1)
    assert "4 pairs left out: the reference marked nothing" in slot_error_rate(empty).notes
    assert span_f1(empty).value == 0
    assert "1 pair of annotators left out: neither marked anything" in span_f1(empty).notes


def test_the_reference_must_be_an_annotator():
    data = corpus(units(A=[(0, 5, "x")], B=[(0, 5, "x")]))
    with pytest.raises(DataError, match="the reference 'gold' is not among the annotators: A, B"):
        _ = slot_error_rate(data, reference="gold").value
    assert [row["undefined"] is None for row in slot_error_rate(data, reference="A").pairwise()] == [True]


def test_wrong_options():
    data = corpus(units(A=[(0, 5, "x")], B=[(0, 5, "x")]))
    with pytest.raises(OptionError, match="match=some is invalid; match: "):
        _ = span_f1(data, match="some").value


@pytest.mark.parametrize("seed", range(3))
def test_exact_f1_is_that_of_scikit_learn(seed):
    """On a table of all spans and labels, marked or not, F1 of the class "marked" is the same for both annotators."""
    metrics = pytest.importorskip("sklearn.metrics")
    data = random_corpus(seed, n_annotators=2, n_documents=3)
    sets = [
        {(one.name, u.start, u.end, u.category) for one in data for u in one.units if u.annotator == who}
        for who in data.annotators
    ]
    everything = sorted(sets[0] | sets[1])
    marked = [[span in own for span in everything] for own in sets]
    assert span_f1(data).value == pytest.approx(metrics.f1_score(*marked))


def test_nervaluate_1_2_1():
    """Its "strict" is exact, its "exact" is span_only, its "partial" ignores labels; "ent_type" matches greedily."""
    strict = [0.0870, 0, 0.0769, 0, 0, 0, 0, 0, 0, 0, 0, 0.08]
    exact = [0.0870, 0.16, 0.0769, 0, 0, 0, 0.0833, 0, 0, 0.0833, 0, 0.08]
    partial = [0.3043, 0.44, 0.4231, 0.2593, 0.3077, 0.1923, 0.3333, 0.2692, 0.1923, 0.25, 0.2143, 0.32]
    data = [random_corpus(seed, n_annotators=2, n_documents=2) for seed in range(12)]
    assert [span_f1(one).value for one in data] == pytest.approx(strict, abs=5e-5)
    assert [span_f1(one, labels=False).value for one in data] == pytest.approx(exact, abs=5e-5)
    assert [span_f1(one, labels=False, match="partial").value for one in data] == pytest.approx(partial, abs=5e-5)


def test_long_units_over_many_short_ones():
    """A unit that covers everything meets everybody; the search stays as long as what it finds."""
    short = [(2 * k, 2 * k + 1, "x") for k in range(3000)]
    data = corpus(units(A=[(0, 6000, "x"), *short], B=[(0, 6000, "x"), *short]))
    assert span_f1(data, match="partial").value == pytest.approx(1)
    assert slot_error_rate(data).value == pytest.approx(0)


def test_the_order_of_annotators_does_not_matter():
    data = random_corpus(11, n_documents=2, overlap=True)
    swap = {"a0": "a2", "a1": "a0", "a2": "a1"}
    other = Corpus.from_columns(
        annotator=[swap[unit.annotator] for document in data for unit in document.units],
        document=[document.name for document in data for _ in document.units],
        start=[unit.start for document in data for unit in document.units],
        end=[unit.end for document in data for unit in document.units],
        features={"category": [unit.category for document in data for unit in document.units]},
    )
    assert slot_error_rate(data).value == pytest.approx(slot_error_rate(other).value)
    assert span_f1(data, match="partial").value == pytest.approx(span_f1(other, match="partial").value)
