from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
import segmentation_oracle as oracle
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.data import Corpus, Ratings
from unisono.data.cuts import from_masses
from unisono.errors import DataError, OptionError
from unisono.formats import read
from unisono.kernels import boundaries
from unisono.measurement.advice import advise
from unisono.measurement.registry import measure, measures
from unisono.measurement.segmentation import (
    boundary_similarity,
    generalized_hamming,
    pk,
    segmentation_similarity,
    window_diff,
)
from unisono.measurement.segmentation.boundary_disputes import boundary_disputes
from unisono.preparation.conversion import to_cuts

ALL = (boundary_similarity, segmentation_similarity, pk, window_diff, generalized_hamming)
STARGAZER = {
    "1": [2, 3, 3, 1, 3, 6, 3],
    "2": [2, 8, 2, 4, 2, 3],
    "3": [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1],
    "4": [2, 1, 4, 1, 1, 3, 1, 4, 3, 1],
    "5": [3, 2, 4, 3, 5, 4],
    "6": [2, 3, 4, 2, 2, 5, 3],
    "7": [2, 3, 2, 2, 3, 1, 3, 2, 3],
}


def masses_of(cut):
    """Masses out of whether each potential boundary is one."""
    places = [0, *(index + 1 for index, is_cut in enumerate(cut) if is_cut), len(cut) + 1]
    return [int(mass) for mass in np.diff(places)]


@st.composite
def segmentations(draw, n=2, least=1):
    length = draw(st.integers(least, 40))
    cuts = st.lists(st.booleans(), min_size=length - 1, max_size=length - 1)
    return [masses_of(draw(cuts)) for _ in range(n)]


@st.composite
def corpora(draw):
    """Several documents, not everybody on each."""
    documents = {}
    for index in range(draw(st.integers(1, 3))):
        people = draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True))
        documents[f"d{index}"] = dict(zip(people, draw(segmentations(len(people))), strict=True))
    return documents


def mean(values):
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def close(value, other):
    return value is other is None or value == pytest.approx(other, abs=1e-12)


# golden numbers


def test_hearst_1997_stargazer(shared):
    corpus = read(shared / "segeval" / "hearst1997.json")
    found = {one.__name__: one(corpus) for one in ALL}
    assert found["boundary_similarity"].value == pytest.approx(0.5336863533292105)
    assert found["boundary_similarity"].details["pi"] == pytest.approx(0.4644497376737814)
    assert found["boundary_similarity"].details["kappa"] == pytest.approx(0.4653201972630967)
    assert found["segmentation_similarity"].value == pytest.approx(0.7952380952380952)
    assert found["pk"].value == pytest.approx(0.3258145363408521)
    assert found["window_diff"].value == pytest.approx(0.4110275689223058)
    assert boundary_similarity(from_masses({"stargazer": STARGAZER})).value == found["boundary_similarity"].value


@pytest.mark.parametrize(
    ("group", "b", "s", "p_k", "wd", "pi", "kappa"),
    [
        ("KAZANTSEVA2012_G5", 0.2309355035, 0.8298776049, 0.3553005828, 0.4251497723, 0.2399575652, 0.2421099325),
        ("KAZANTSEVA2012_G2", 0.4474573343, 0.8980522954, 0.2882256924, 0.3257163092, 0.4083169766, 0.4106841874),
        ("LARGE_DISAGREEMENT", 0.0, 0.0, 1.0, 1.0, -1 / 3, 0.0),
        ("COMPLETE_AGREEMENT", 1.0, 1.0, 0.0, 0.0, 1.0, 1.0),
    ],
)
def test_kazantseva_2012_several_documents(shared, group, b, s, p_k, wd, pi, kappa):
    documents = json.loads((shared / "segeval" / "samples.json").read_text())[group]
    found = boundary_similarity(from_masses(documents))
    assert found.value == pytest.approx(b)
    assert found.details == pytest.approx({"pi": pi, "kappa": kappa})
    assert segmentation_similarity(from_masses(documents)).value == pytest.approx(s)
    assert pk(from_masses(documents)).value == pytest.approx(p_k)
    assert window_diff(from_masses(documents)).value == pytest.approx(wd)


@pytest.mark.parametrize(
    ("one", "other", "b", "s"),
    [([2, 3, 6], [2, 2, 7], 0.75, 0.95), ([2, 3, 6], [5, 6], 0.5, 0.9)],
)
def test_fournier_2013_pairs(one, other, b, s):
    assert boundary_similarity(from_masses([one, other])).value == pytest.approx(b)
    assert segmentation_similarity(from_masses([one, other])).value == pytest.approx(s)


def test_fournier_2013_agreement():
    pair = {"c1": [2, 8, 2, 1], "c2": [2, 1, 7, 2, 1]}
    corrected = boundary_similarity(from_masses(pair), chance="pi")
    assert corrected.value == pytest.approx(0.72676, abs=5e-6)
    assert corrected.observed == pytest.approx(3 / 4)
    assert corrected.expected == pytest.approx((3.5 / 12) ** 2)
    assert corrected.details["similarity"] == pytest.approx(0.75)
    kappa = boundary_similarity(from_masses(pair), chance="kappa")
    assert kappa.value == pytest.approx(8 / 11)
    assert kappa.expected == pytest.approx(3 / 12 * 4 / 12)


@pytest.mark.parametrize(
    ("of", "to", "insertion", "deletion", "shift", "cost"),
    [
        ("1100100000", "1100010000", 1, 1, 0.5, 0.5),
        ("1100100000", "1100000001", 1, 1, 0.5, 2.0),
        ("011", "110", 1, 1, 0.5, 1.0),
        ("111", "000", 1, 2, 0.5, 6.0),
        ("000", "111", 1, 2, 0.5, 3.0),
    ],
)
def test_bookstein_2002_costs(of, to, insertion, deletion, shift, cost):
    pair = {"system": masses_of([*map(int, of)]), "text": masses_of([*map(int, to)])}
    found = generalized_hamming(
        from_masses(pair), insertion=insertion, deletion=deletion, shift=shift, reference="text"
    )
    assert found.value == pytest.approx(cost)


def test_pevzner_hearst_2002_windows():
    """P_k does not see the small segment that is added inside the window, WindowDiff does."""
    reference, with_small_segment = [10, 10], [10, 1, 9]
    pair = {"ref": reference, "hyp": with_small_segment}
    assert pk(from_masses(pair), window=5, reference="ref").value == pytest.approx(1 / 15)
    assert window_diff(from_masses(pair), window=5, reference="ref").value == pytest.approx(5 / 15)


# by definition


@given(segmentations(), st.integers(1, 8))
def test_windows_are_counted_as_defined(pair, k):
    data = {"r": pair[0], "h": pair[1]}
    for window in (None, k):
        assert close(pk(from_masses(data), window=window, reference="r").value, oracle.pk(*pair, window))
        assert close(
            window_diff(from_masses(data), window=window, reference="r").value, oracle.window_diff(*pair, window)
        )
        padded = window_diff(from_masses(data), window=window, reference="r", padding=True).value
        assert close(padded, oracle.window_diff(*pair, window, padding=True))


@given(
    segmentations(),
    st.sampled_from([0.5, 1.0, 3.0]),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.sampled_from([None, 0.0, 0.1, 0.5, 1.0, 4.0]),
)
def test_hamming_is_the_least_cost(pair, insertion, deletion, shift):
    found = generalized_hamming(
        from_masses({"r": pair[0], "h": pair[1]}), insertion=insertion, deletion=deletion, shift=shift, reference="r"
    )
    cost = oracle.hamming(pair[1], pair[0], insertion, deletion, shift)
    assert found.value == pytest.approx(cost, abs=1e-9)
    most = insertion * (len(pair[0]) - 1) + deletion * (len(pair[1]) - 1)
    assert close(found.details["normalized"], cost / most if most else None)


@given(segmentations(), st.integers(1, 7))
def test_edits_are_those_of_the_greedy_rule(pair, n):
    assert close(segmentation_similarity(from_masses(pair), n=n).value, oracle.similarity(*pair, n))
    assert close(boundary_similarity(from_masses(pair), n=n).value, oracle.boundary_similarity(*pair, n))


@settings(max_examples=60)
@given(corpora(), st.integers(1, 4))
def test_many_annotators_and_documents(documents, n):
    pairs = [(a, b) for coders in documents.values() for a, b in combinations(coders.values(), 2)]
    ordered = [(a, b) for coders in documents.values() for a, b in permutations(coders.values(), 2)]
    people = {who for coders in documents.values() for who in coders}
    if len(people) < 2:
        assert boundary_similarity(from_masses(documents)).undefined.startswith("agreement needs two annotators")
        return
    assert close(
        boundary_similarity(from_masses(documents), n=n).value, mean(oracle.boundary_similarity(*p, n) for p in pairs)
    )
    assert close(
        segmentation_similarity(from_masses(documents), n=n).value, mean(oracle.similarity(*p, n) for p in pairs)
    )
    assert close(pk(from_masses(documents)).value, mean(oracle.pk(*p) for p in ordered))
    assert close(window_diff(from_masses(documents)).value, mean(oracle.window_diff(*p) for p in ordered))
    costs = mean(oracle.hamming(*p, 1.0, 2.0, None) for p in ordered)
    found = generalized_hamming(from_masses(documents), deletion=2.0).value
    assert found is costs is None or found == pytest.approx(costs, abs=1e-9)
    if pairs:
        expected = oracle.beyond_chance(documents, n)
        details = boundary_similarity(from_masses(documents), n=n).details
        assert all(close(details[name], value) for name, value in expected.items())


@given(segmentations(n=3))
def test_spans_and_masses_are_the_same(three):
    columns = [
        (f"{who}", end - mass, end)
        for who, masses in enumerate(three)
        for mass, end in zip(masses, np.cumsum(masses).tolist(), strict=True)
    ]
    names, start, end = zip(*columns, strict=True)
    corpus = Corpus.from_columns(annotator=names, start=[7 + s for s in start], end=[7 + e for e in end])
    for one in ALL:
        assert one(corpus).value == one(from_masses(three)).value


@pytest.mark.parametrize("one", ALL)
@pytest.mark.parametrize("masses", [[[2, 3, 6], [2, 2, 7]], {"a": [2, 3, 6], "b": [2, 2, 7]}, {"stargazer": STARGAZER}])
def test_bare_masses_are_still_taken_with_a_warning(one, masses):
    with pytest.warns(FutureWarning, match=r"should be passed as unisono\.from_masses") as caught:
        found = one(masses)
    assert [warning.filename for warning in caught] == [__file__]
    assert found == one(from_masses(masses))


# what every result has


def test_error_rates_are_turned_into_agreement():
    pair = [[2, 3, 6], [2, 2, 7]]
    for one in (pk, window_diff):
        assert one(from_masses(pair)).agreement == pytest.approx(1 - one(from_masses(pair)).value)
        assert one.declaration.scale == "error"
    found = generalized_hamming(from_masses(pair))
    assert found.value == pytest.approx(2 * 6 / 11)
    assert found.agreement == pytest.approx(1 - 2 * 6 / 11 / 4)
    for one in (boundary_similarity, segmentation_similarity):
        assert one(from_masses(pair)).agreement == one(from_masses(pair)).value


def test_table_of_annotators():
    for one in ALL:
        rows = one(from_masses({"stargazer": STARGAZER})).rows["annotators"]
        assert [row["annotator"] for row in rows] == list(STARGAZER)
        assert [row["n_units"] for row in rows] == [len(masses) for masses in STARGAZER.values()]
        assert rows[0]["mean_length"] == pytest.approx(3.0)
    others = [oracle.boundary_similarity(STARGAZER["1"], STARGAZER[who]) for who in "234567"]
    assert boundary_similarity(from_masses(STARGAZER)).rows["annotators"][0]["value"] == pytest.approx(mean(others))


def test_pairs_and_documents():
    documents = {"d": {"a": [2, 3], "b": [3, 2], "c": [2, 3]}, "e": {"a": [4], "b": [1, 3]}}
    found = boundary_similarity(from_masses(documents))
    assert {(row["annotator_1"], row["annotator_2"]): row["value"] for row in found.pairwise()} == {
        ("a", "b"): 0.25,
        ("a", "c"): 1.0,
        ("b", "c"): 0.5,
    }
    assert [document.value for document in found.documents] == [pytest.approx(2 / 3), 0.0]
    assert found.n_units == 9
    found.to_dict()


@settings(deadline=None)
@given(corpora())
def test_each_document_is_measured_as_if_alone(documents):
    if len({who for coders in documents.values() for who in coders}) < 2:
        return
    for one in ALL:
        for found in one(from_masses(documents)).documents:
            alone = one(from_masses({found.document: documents[found.document]}))
            assert close(found.value, alone.value)


def test_the_reference_sets_the_window_and_the_direction():
    documents = {"gold": [10, 10], "anna": [2, 8, 10], "bert": [20]}
    expected = mean([oracle.pk(documents["gold"], documents[who]) for who in ("anna", "bert")])
    assert pk(from_masses(documents), reference="gold").value == pytest.approx(expected)
    costs = [oracle.hamming(documents[who], documents["gold"], 1, 5, None) for who in ("anna", "bert")]
    found = generalized_hamming(from_masses(documents), deletion=5, reference="gold")
    assert found.value == pytest.approx(mean(costs))
    assert "not among the annotators: anna, bert" in found.leave_one_out()[2]["undefined_without"]
    with pytest.raises(DataError, match="'goldi' is not among"):
        _ = pk(from_masses(documents), reference="goldi").value


def test_two_annotators_are_each_the_reference_once():
    pair = [[1, 1, 1, 9], [6, 6]]
    assert window_diff(from_masses(pair)).value == pytest.approx(
        (oracle.window_diff(*pair) + oracle.window_diff(*pair[::-1])) / 2
    )
    assert oracle.window_diff(*pair) != oracle.window_diff(*pair[::-1])


def test_half_a_window_is_rounded_to_even_and_at_least_two():
    assert pk(from_masses({"r": [5, 5, 5], "x": [15]}), reference="r").value == oracle.pk([5, 5, 5], [15], 2)
    assert pk(from_masses({"r": [7, 7, 7], "x": [21]}), reference="r").value == oracle.pk([7, 7, 7], [21], 4)
    assert pk(from_masses({"r": [1] * 9, "x": [9]}), reference="r").value == oracle.pk([1] * 9, [9], 2)


def test_a_boundary_moved_by_half_a_segment_costs_a_deletion_and_an_insertion():
    for distance, cost in ((1, 0.4), (4, 1.6), (5, 2.0), (7, 2.0)):
        assert generalized_hamming(from_masses([[10, 10], [10 - distance, 10 + distance]])).value == pytest.approx(cost)


def test_greedy_transpositions_can_depend_on_the_direction_of_reading():
    """The rule takes the leftmost of two that are equally short; what is left over may then be too far from another."""
    pair, backwards = [[3, 2, 1], [1, 3, 2]], [[1, 2, 3], [2, 3, 1]]
    assert boundary_similarity(from_masses(pair), n=3).value == pytest.approx(2 / 9)
    assert boundary_similarity(from_masses(backwards), n=3).value == pytest.approx(1 / 2)


# what has no value


@pytest.mark.parametrize("pair", [[[9], [9]], [[1], [1]]])
def test_nobody_cuts(pair):
    found = boundary_similarity(from_masses(pair), chance="pi")
    assert found.value is None
    assert "no boundary was placed" in found.undefined
    assert found.details == {"pi": None, "kappa": None}
    distance = generalized_hamming(from_masses(pair))
    assert (distance.value, distance.details["normalized"], distance.agreement) == (0.0, None, None)


def test_nobody_cuts_what_could_be_cut():
    assert segmentation_similarity(from_masses([[9], [9]])).value == 1
    assert pk(from_masses([[9], [9]])).value == window_diff(from_masses([[9], [9]])).value == 0


def test_nobody_can_cut_one_atom():
    assert "a single atom" in segmentation_similarity(from_masses([[1], [1]])).undefined


def test_comparisons_without_a_value_are_left_out():
    documents = {"d": {"a": [4], "b": [4]}, "e": {"a": [2, 2], "b": [2, 2]}}
    found = boundary_similarity(from_masses(documents))
    assert found.value == 1
    assert found.notes == ("1 comparison of 2 left out: no boundary was placed, so none can match",)
    windows = pk(from_masses({"d": {"a": [1, 1], "b": [2]}, "e": {"a": [9, 9], "b": [9, 9]}}))
    assert windows.value == 0
    assert windows.notes == ("2 comparisons of 4 left out: the window is as long as the continuum, or longer",)


def test_cutting_everywhere_is_chance():
    found = boundary_similarity(from_masses([[1, 1, 1], [1, 1, 1]]), chance="kappa")
    assert found.value is None
    assert "by chance is already perfect" in found.undefined
    assert found.details["similarity"] == 1


@pytest.mark.parametrize("one", [pk, window_diff])
def test_a_window_as_long_as_the_continuum(one):
    found = one(from_masses([[2, 3], [1, 4]]), window=5)
    assert found.value is None
    assert "as long as the continuum" in found.undefined
    assert one(from_masses([[2, 3], [1, 4]]), window=2**53).value is None


def test_documents_of_one_annotator():
    documents = {"d": {"a": [1, 2]}, "e": {"b": [1, 2]}}
    found = boundary_similarity(from_masses(documents))
    assert found.undefined == "no document was segmented by two of the annotators"
    assert found.notes == ("2 documents left out, segmented by one annotator only",)
    assert "two annotators or more" in boundary_similarity(from_masses({"a": [1, 2]})).undefined
    assert "two annotators or more" in boundary_similarity(from_masses({})).undefined


# what is refused


@pytest.mark.parametrize(
    ("one", "options"),
    [
        (pk, {"window": 0}),
        (pk, {"window": 1.5}),
        (window_diff, {"window": True}),
        (boundary_similarity, {"n": 0}),
        (boundary_similarity, {"n": "two"}),
        (segmentation_similarity, {"n": -1}),
        (boundary_similarity, {"chance": "alpha"}),
        (generalized_hamming, {"insertion": 0}),
        (generalized_hamming, {"deletion": math.nan}),
        (generalized_hamming, {"shift": -1}),
        (generalized_hamming, {"shift": math.inf}),
        (boundary_similarity, {"step": 0}),
        (boundary_similarity, {"step": math.nan}),
        (boundary_similarity, {"step": "one"}),
        (boundary_similarity, {"step": 1e-17}),
        (boundary_similarity, {"windows": 3}),
    ],
)
def test_wrong_options(one, options):
    with pytest.raises(OptionError, match=next(iter(options))):
        _ = one(from_masses([[2, 3], [1, 4]]), **options).value


def test_ratings_are_not_segmentations():
    ratings = Ratings.of([["a", "b"]], rows="items")
    with pytest.raises(DataError, match="labels of items"):
        boundary_similarity(ratings)
    assert "labels of items" in boundary_similarity.unfit(ratings)


def test_gaps_are_refused_and_labels_ignored():
    columns = {"annotator": ["a", "a", "b"], "start": [0, 3, 0], "end": [2, 5, 5]}
    corpus = Corpus.from_columns(**columns, features={"category": ["x", "y", "x"]})
    assert "'a' leaves out 2 to 3" in pk.unfit(corpus)
    columns["end"] = [3, 5, 5]
    assert pk(Corpus.from_columns(**columns, features={"category": ["x", "y", "x"]})).notes == ("labels are ignored",)
    assert pk(Corpus.from_columns(**columns, features={"category": [None] * 3})).notes == ()


# names, speed


def test_names_are_those_of_the_registry():
    names = ["boundary-similarity", "segmentation-similarity", "window-diff", "pk", "generalized-hamming"]
    assert [name for name, one in measures().items() if one.family == "segmentation"] == names
    corpus = from_masses({"stargazer": STARGAZER})
    assert measure("boundary-similarity(n=3,chance=kappa)", corpus).value == pytest.approx(
        boundary_similarity(from_masses(STARGAZER), n=3, chance="kappa").value
    )
    assert measure("window-diff(window=3,padding=yes)", corpus).value == pytest.approx(
        mean(oracle.window_diff(a, b, 3, padding=True) for a, b in permutations(STARGAZER.values(), 2))
    )
    assert measure("pk(step=2)", corpus).n_units == 56


def test_kernel_is_the_same_in_machine_code():
    rng = np.random.default_rng(5)
    cuts = [np.sort(rng.choice(np.arange(1, 400), 60, replace=False)) for _ in range(6)]
    starts = 60 * np.arange(7)
    first, second = (np.array(side, dtype=np.int64) for side in zip(*combinations(range(6), 2), strict=True))
    for saved, price in ((2.0, 0.3), (2.0, 0.0), (1.5, 0.01)):
        given = (np.concatenate(cuts), starts, first, second, saved, np.full(len(first), price))
        for plain, machine in zip(boundaries.moves.python()(*given), boundaries.moves.machine()(*given), strict=True):
            assert list(plain) == machine.tolist()


def test_long_continua():
    rng = np.random.default_rng(3)
    cuts = [np.sort(rng.choice(np.arange(1, 10**7), 3000, replace=False)) for _ in range(2)]
    pair = [np.diff([0, *cut, 10**7]).tolist() for cut in cuts]
    for one in ALL:
        assert one(from_masses(pair)).value is not None


def test_portions_change_nothing(monkeypatch):
    from unisono.measurement.segmentation import edits as boundary_edits

    rng = np.random.default_rng(2)
    documents = {str(d): {who: masses_of(rng.random(30) < 0.3) for who in "abc"} for d in range(9)}
    whole = [one(from_masses(documents)).value for one in ALL]
    monkeypatch.setattr(boundary_edits, "_AT_ONCE", 25)
    assert [one(from_masses(documents)).value for one in ALL] == whole
    monkeypatch.setattr(boundary_edits, "_FARTHEST", 100)
    assert [one(from_masses(documents)).value for one in ALL] == whole


@pytest.mark.parametrize("segmenting", ALL)
def test_an_empty_version_does_not_stop_the_measure(segmenting):
    """It is left out as if nobody had worked on it, and named."""
    masses = {"d1": {"a": [2, 3, 6], "b": [2, 2, 7]}, "d2": {"a": [4, 7]}, "d3": {"a": [5, 6], "b": [4, 7]}}
    without = from_masses(masses)
    empty = replace(without, worked=np.ones_like(without.worked))
    found, expected = segmenting(empty), segmenting(without)
    assert found.value == expected.value
    assert [one.value for one in found.documents] == [one.value for one in expected.documents]
    assert "1 version left out, in which nothing is marked: b in d2" in found.notes
    with pytest.raises(DataError, match="'b' marked nothing"):
        to_cuts(empty)  # who converts must decide what it means


def test_advice_on_segmentations_with_an_empty_version():
    masses = {"d1": {"a": [2, 3, 6], "b": [2, 2, 7]}, "d2": {"a": [4, 3, 4]}}
    corpus = from_masses(masses)
    advice = advise(replace(corpus, worked=np.ones_like(corpus.worked)))
    assert advice.take[0].measures[0] == "boundary-similarity"


@settings(max_examples=60)
@given(
    st.integers(2, 4).flatmap(
        lambda size: st.lists(st.sets(st.integers(1, 19), max_size=8), min_size=size, max_size=size)
    ),
    st.integers(1, 4),
)
def test_edits_belong_to_the_places_where_somebody_cut(cut, n):
    """Each pair's additions and transpositions, as the oracle finds them, are the costs of places."""
    masses = {f"{k}": np.diff([0, *sorted(one), 20]).tolist() for k, one in enumerate(cut)}
    expected = [oracle.edits(one, other, n) for one, other in combinations(masses.values(), 2)]
    corpus = from_masses(masses)
    for measure_edits in (boundary_similarity, segmentation_similarity):
        found = boundary_disputes(measure_edits(corpus, n=n))
        assert found.costs["full miss"].sum() * len(expected) == pytest.approx(sum(one[0] for one in expected))
        assert found.costs["near miss"].sum() * len(expected) == pytest.approx(sum(one[2] for one in expected))
        assert [set(np.flatnonzero(~np.isnan(row)).tolist()) for row in found.cut] == [
            {who for who, one in enumerate(cut) if place in one} for place in sorted(set().union(*cut))
        ]


@settings(max_examples=60)
@given(
    st.integers(2, 3).flatmap(
        lambda size: st.lists(st.sets(st.integers(1, 19), max_size=8), min_size=size, max_size=size)
    ),
    st.integers(1, 6),
    st.booleans(),
)
def test_windows_over_a_place_are_those_that_differ(cut, k, padding):
    """Counted window by window, for each pair in both directions."""
    corpus = from_masses({f"{i}": np.diff([0, *sorted(one), 20]).tolist() for i, one in enumerate(cut)})
    starts = range(-k, 20) if padding else range(20 - k)
    places = sorted(set().union(*cut))
    for sliding, differ, more in (
        (pk, lambda r, h: bool(r) != bool(h), {}),
        (window_diff, lambda r, h: r != h, {"padding": padding}),
    ):
        if sliding is pk and padding:
            continue
        found = boundary_disputes(sliding(corpus, window=k, **more)).costs["windows"]
        for place, cost in zip(places, found.tolist(), strict=True):
            over = [i for i in starts if i < place <= i + k]
            shares = [
                np.mean([differ(*(len([b for b in one if i < b <= i + k]) for one in pair)) for i in over])
                if over
                else 0
                for pair in permutations(cut, 2)
            ]
            assert cost == pytest.approx(np.mean(shares))


def test_places_of_other_measures_are_no_boundaries():
    assert boundary_disputes(measure("gamma", from_masses([[2, 3], [3, 2]]))) is None
    assert boundary_disputes(None) is None
