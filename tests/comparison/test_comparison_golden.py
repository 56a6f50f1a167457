"""Comparisons, models and plans of fixed data: all numbers that are reported.

The data and what is simulated come from fixed seeds. A change of these numbers is a change of what users get.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from comparison_helpers import BAD, GOOD, ratings, spans

from unisono.comparison import Comparison, compare, compare_model, plan
from unisono.comparison.comparisons import Comparisons
from unisono.comparison.planning import _Draws, _left_out, _parts, _Pilot
from unisono.comparison.plans import Width, needed_for
from unisono.comparison.two_studies import grouped
from unisono.data import Ratings
from unisono.measurement.registry import parse_measure
from unisono.statistics.jackknife import Jackknife
from unisono.statistics.paired import Difference

PEOPLE = {"a": 0.2, "b": 0.3, "c": 0.2, "gpt": 0.4}


def numbers(difference):
    return difference.value, difference.low, difference.high, difference.p, difference.p_adjusted, difference.n


def test_two_studies_of_labels():
    rng = np.random.default_rng(100)
    found = compare(ratings(rng, GOOD, 60, 6), ratings(rng, BAD, 60, 6), ["krippendorff-alpha", "percent-agreement"])
    assert [one.values for one in found] == [
        pytest.approx((0.9495655859, 0.4023854363)),
        pytest.approx((0.9666666667, 0.6)),
    ]
    wanted = [
        (0.5471801496, 0.1633575511, 1.0203596936, 0.0121200395, 0.0190768825, 6),
        (0.3666666667, 0.1271660804, 0.6155269617, 0.0095384413, 0.0190768825, 6),
    ]
    assert [numbers(one.difference) for one in found] == [pytest.approx(one, abs=1e-9) for one in wanted]


def test_two_studies_of_units():
    one, other = (spans(np.random.default_rng(101), people, 5, 5) for people in (GOOD, BAD))
    found = compare(one, other, ["slot-error-rate", "u-alpha"])
    wanted = [
        (-0.26, -0.5855042620, 0.0268742474, 0.0659402099, 0.1318804197, 5),
        (0.1224535765, -0.1923508867, 0.4368913017, 0.3409208889, 0.3409208889, 5),
    ]
    assert [numbers(one.difference) for one in found] == [pytest.approx(one, abs=1e-9) for one in wanted]


def test_a_model_of_labels():
    found = compare_model(ratings(np.random.default_rng(102), PEOPLE, 50, 5), "gpt", "krippendorff-alpha")
    assert found.comparison.values == pytest.approx((0.5738525063, 0.6014637042))
    assert numbers(found.comparison.difference) == pytest.approx(
        (-0.0276111978, -0.1498300055, 0.0945921119, 0.5627144451, None, 5), abs=1e-9
    )
    assert [(one.annotator, one.n, one.model, one.human, one.wins) for one in found.test.humans] == [
        ("a", 50, 0.92, 0.88, True),
        ("b", 50, 0.88, 0.86, True),
        ("c", 50, 0.88, 0.9, False),  # p₍₃₎ is above 0.05 / (1 + 1/2 + 1/3)
    ]
    assert [one.p for one in found.test.humans] == pytest.approx([0.0022018654, 0.0118253898, 0.0289553069])
    assert (found.test.winning_rate, found.test.advantage) == pytest.approx((2 / 3, 0.8933333333))


def test_a_model_of_units():
    found = compare_model(spans(np.random.default_rng(103), PEOPLE, 4, 5), "gpt", "span-f1")
    assert found.comparison.values == pytest.approx((0.3833333333, 0.1833333333))
    assert numbers(found.comparison.difference) == pytest.approx(
        (0.2, 0.1675394424, 0.2321823512, 0.0003012318, None, 4), abs=1e-9
    )
    assert [(one.model, one.human) for one in found.test.humans] == [(0.0, 1.0), (0.25, 1.0), (0.0, 1.0)]


PLANS = {
    "documents": (
        lambda: (ratings(np.random.default_rng(104), PEOPLE, 60, 12), 0.2, "krippendorff-alpha"),
        {},
        (0.4756307789, 0.2178740805, 12, 17),
        (5, 10, 15, 20, 30),
        [(5, 0.41208613, 0.135), (10, 0.23988308, 0.2675), (15, 0.1854072, 0.6925), (20, 0.16051597, 0.9625)],
    ),
    "items": (
        lambda: (ratings(np.random.default_rng(105), PEOPLE, 90), 0.1, "krippendorff-alpha"),
        {"probability": 0.5},
        (0.5005822450, 0.1945952061, 90, 346),
        (30, 50, 75, 100, 150, 200, 300, 500, 750),
        [(30, 0.34901536, 0.0), (50, 0.2668652, 0.0), (75, 0.21326953, 0.0), (100, 0.18494753, 0.0)],
    ),
    "units": (
        lambda: (spans(np.random.default_rng(106), BAD, 6, 5), 0.3, "u-alpha"),
        {},
        (0.4076066681, 0.4082014454, 6, 13),
        (5, 10, 15, 20),
        [(5, 0.53337684, 0.3575), (10, 0.25730701, 0.5925), (15, 0.2100008, 0.9825), (20, 0.18340767, 1.0)],
    ),
}


@pytest.mark.parametrize("which", PLANS)
def test_plans(which):
    data, options, pilot, sizes, widths = PLANS[which]
    found = plan(*data(), **options)
    assert (found.value, found.pilot_width, found.n_pilot, found.needed) == pytest.approx(pilot)
    assert tuple(one.n for one in found.widths) == sizes  # eight that are not always enough, and the first that is
    assert [(one.n, one.width, one.share) for one in found.widths][:4] == [pytest.approx(one) for one in widths]


@pytest.mark.parametrize("order", [[3, 1, 0, 4, 2], [4, 3, 2, 1, 0]])
def test_the_order_of_documents_plays_no_part_in_a_plan(order):
    without, weights = np.array([0.29, 0.31, 0.29, 0.28, 0.32]), np.array([1.0, 2.0, 3.0, 2.0, 2.0])
    noise = 1 + 1e-15 * np.arange(5)  # sums depend on their order in the last digits
    one, other = Jackknife(0.3, without, weights), Jackknife(0.3, (without * noise)[order], weights[order])
    first, second = (_Draws(_Pilot(left, 100), 0.1, np.random.default_rng(1)).at(7) for left in (one, other))
    assert (first.width, first.share) == pytest.approx((second.width, second.share))


def test_the_width_of_a_very_large_study():
    left = Jackknife(0.3, np.array([0.29, 0.31, 0.3, 0.28, 0.32]), np.ones(5))
    draws = _Draws(_Pilot(left, 100), 0.1, np.random.default_rng(1))
    # influences are enlarged by √(5/4), because those of n parts vary by (n - 1)/n of what parts do
    assert draws._influence == pytest.approx(np.sort(left.influence) * np.sqrt(5 / 4))
    assert draws.at(100_000).width == pytest.approx(
        # 100 parts of a thousand documents: √(variance/100,000) on either side, times t with 99 degrees of freedom
        2 * 0.3 * np.sinh(1.98422 * np.sqrt(np.square(left.influence).mean() * 5 / 4 / 100_000)),
        rel=0.05,
    )


class Steps:
    """An interval is narrow enough from some number on."""

    def __init__(self, enough):
        self.enough, self.tried = enough, []

    def at(self, n):
        self.tried.append(n)
        return Width(n, 0.1, float(n >= self.enough))


@pytest.mark.parametrize("enough", [5, 6, 13, 20, 30, 31, 49, 50])
def test_the_number_that_is_needed_is_found_exactly(enough):
    steps = Steps(enough)
    widths = [steps.at(n) for n in (5, 10, 15, 20, 30, 50)]
    assert needed_for(steps.at, widths, 0.8) == enough
    assert needed_for(Steps(51).at, [Steps(51).at(50)], 0.8) is None


@pytest.mark.parametrize("enough", [3100, 4321, 4999])
def test_large_numbers_are_found_within_two_percent(enough):
    steps = Steps(enough)
    found = needed_for(steps.at, [steps.at(3000), steps.at(5000)], 0.8)
    assert enough <= found <= 1.02 * enough + 1


def test_how_many_parts_an_interval_leaves_out():
    by_document = parse_measure("krippendorff-alpha").compute(ratings(np.random.default_rng(1), BAD, 120, 12))
    pilot, what = _parts(by_document)
    assert (what, pilot.left.n_parts, pilot.left.each) == ("documents", 12, 1.0)
    items = parse_measure("krippendorff-alpha").compute(ratings(np.random.default_rng(1), BAD, 120))
    pilot, what = _parts(items)
    assert (what, pilot.left.n_parts, pilot.left.each, pilot.most) == ("items", 120, 1.0, 50)
    many = parse_measure("krippendorff-alpha").compute(ratings(np.random.default_rng(1), BAD, 900, 300))
    assert _left_out(many).n_parts == 300  # one by one, although the interval takes groups


def test_p_is_corrected_from_two_comparisons_on():
    difference = Difference("a − b", 0.1, -0.1, 0.3, 0.03, 8, 0.06)
    one = Comparison("gamma", "γ", "a", "b", (0.6, 0.5), (None, None), difference, "documents")
    assert "is higher in a than in b (p = 0.030)" in one.tabled()[1][0]
    said = Comparisons([one, one]).tabled()[1][0]
    assert "no difference between a and b beyond chance (p = 0.060, corrected for several comparisons)" in said
    assert Comparisons([one, one]).tabled()[0][1].table.columns[4:6] == ("p", "p (Holm)")
    assert one.tabled()[0][1].table.columns[4:6] == ("p", "documents")


def test_the_threshold_of_significance():
    for p, said in ((0.0499, "is higher in b than in a"), (0.05, "no difference"), (0.00099, "p < 0.001")):
        difference = Difference("a − b", -0.1, -0.3, 0.1, p, 8)
        one = Comparison("gamma", "γ", "a", "b", (0.5, 0.6), (None, None), difference, "documents")
        assert said in one.tabled()[1][0]


def test_items_are_paired_by_document_and_name():
    """Items of the second study come in another order, and names recur in documents."""
    labels = {"a": list("xyxyxyxxyy"), "b": list("xyxyyyxxyx")}
    documents, items = ["p"] * 5 + ["q"] * 5, list("abcde") * 2
    one = Ratings.from_annotators(labels, items=items, document=documents)
    back = slice(None, None, -1)
    reversed_labels = {name: column[back] for name, column in labels.items()}
    other = Ratings.from_annotators(reversed_labels, items=items[back], document=documents[back])
    (found,) = compare(one, other, "krippendorff-alpha")
    assert (found.difference.value, found.difference.p, found.parts) == (0.0, 1.0, "blocks of items")
    assert found.difference.n == 10
    assert found.lost == ""


@pytest.mark.parametrize("measure", ["gamma(chance=shift,precision=0.3)", "slot-error-rate", "u-alpha"])
def test_a_model_that_guesses_is_never_as_good(measure):
    """Whether a measure is of agreement, of error, or a disorder that was observed: more alike is better."""
    data = spans(np.random.default_rng(107), {"a": 0.05, "b": 0.05, "c": 0.05, "gpt": 0.9}, 4, 6)
    assert [(one.model, one.human) for one in compare_model(data, "gpt", measure).test.humans] == [(0.0, 1.0)] * 3


def test_each_study_has_its_own_interval():
    rng = np.random.default_rng(108)
    studies = ratings(rng, GOOD, 60, 6), ratings(rng, BAD, 60, 6)
    (found,) = compare(*studies, "krippendorff-alpha")
    for interval, data in zip(found.intervals, studies, strict=True):
        wanted = parse_measure("krippendorff-alpha").compute(data).interval
        assert (interval.low, interval.high) == (wanted.low, wanted.high)
    rows = found.tabled()[0][0].table.rows
    assert [row[1:3] for row in rows] == [
        (value, interval.low) for value, interval in zip(found.values, found.intervals, strict=True)
    ]


def test_two_items_in_common_can_be_compared():
    labels = {"a": list("xyxy"), "b": list("xyyy")}
    one = Ratings.from_annotators(labels, items=list("pqrs"))
    (found,) = compare(one, Ratings.from_annotators(labels, items=list("pqtu")), "percent-agreement")
    assert (found.difference.value, found.values) == (0.0, (1.0, 1.0))
    assert found.lost.endswith("2 of 4 items of one and 2 of 4 items of other.")


def test_why_there_is_no_difference_at_all():
    difference = Difference("a − b", None, None, None, None, 0)
    one = Comparison(
        "gamma", "γ", "a", "b", (None, None), (None, None), difference, "documents", undefined="a: nothing"
    )
    known = Comparison("gamma", "γ", "a", "b", (0.5, 0.6), (None, None), difference, "documents")
    assert Comparisons([one, one]).undefined == "a: nothing"
    assert Comparisons([one, known]).undefined is None


@pytest.mark.parametrize(("most_parts", "n_groups"), [(np.inf, 60), (50, 50)])
def test_gamma_leaves_out_single_documents_and_formulas_groups(most_parts, n_groups):
    names = [f"d{number}" for number in range(60)]
    one, other = (
        SimpleNamespace(
            parts=SimpleNamespace(documents=lambda own=own: dict.fromkeys(own, 1.0), most_parts=most_parts),
            data=SimpleNamespace(documents=own, contents=lambda own=own: np.array(own, "S16")),
            n_units=9,
        )
        for own in ([*names, "only here"], names)
    )
    found = grouped([one, other])
    assert len(found) == n_groups
    assert sorted(name for group in found for name in group) == sorted(names)
