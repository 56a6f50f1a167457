"""α_U, uα, |uα, cuα and (k)uα: published examples, direct implementations, what they cannot handle."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
import unitizing_oracle as direct
from unitizing_oracle import corpus, random_corpus, units

import unisono
from unisono.data import Corpus, Ratings
from unisono.errors import DataError, OptionError
from unisono.measurement.unitizing.krippendorff_1995 import alpha_u
from unisono.measurement.unitizing.krippendorff_2016 import cu_alpha, u_alpha

P_254 = units(
    i=[(225, 295, "c"), (370, 400, "c"), (180, 240, "k"), (300, 350, "k")],
    j=[(220, 300, "c"), (355, 375, "c"), (400, 420, "c"), (180, 240, "k"), (300, 350, "k")],
)
P_57 = {
    "A": ([(2, 8), (14, 6)], [(4, 4), (15, 2)]),
    "B": ([(0, 18)], [(0, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 3), (9, 1)]),
    "C": ([(2, 6), (10, 2), (14, 4), (20, 2)], [(0, 2), (4, 4), (10, 4), (16, 2), (20, 2)]),
    "D": ([(0, 2), (2, 8), (10, 4), (14, 6), (20, 4)], [(0, 4), (4, 4), (8, 7), (15, 2), (17, 7)]),
}
THREE = units(
    A=[(2, 5, 1), (9, 11, 1), (12, 20, 2)],
    B=[(2, 5, 1), (7, 15, 2)],
    C=[(2, 5, 1), (10, 15, 2)],
)
FIGURE_14 = units(
    A=[(0, 15, 4), (20, 35, 1), (45, 55, 2), (60, 65, 4)],
    B=[(0, 15, 4), (30, 43, 3), (45, 50, 1), (60, 65, 4)],
)
"""Intersections as in the paper; where the matching units and gaps lie is not said there, their lengths are."""


def stretched(names, stretch):
    marked = [
        (str(who), start * stretch, (start + length) * stretch, name)
        for name in names
        for who, marked in enumerate(P_57[name])
        for start, length in marked
    ]
    return corpus(marked, (0, 24 * stretch))


def by_category(result, column="value"):
    return {row["category"]: row[column] for row in result.rows["categories"]}


def test_krippendorff_2004_p254():
    result = alpha_u(corpus(P_254, (150, 450)))
    assert result.value == pytest.approx(0.859, abs=5e-4)
    assert by_category(result, "observed") == pytest.approx({"c": 0.0144, "k": 0}, abs=5e-5)
    assert by_category(result, "expected") == pytest.approx({"c": 0.0532, "k": 0.0490}, abs=5e-5)
    assert by_category(result) == pytest.approx({"c": 0.7286, "k": 1}, abs=5e-5)


def test_krippendorff_1995_p57():
    result = alpha_u(stretched("ABCD", 1))
    assert by_category(result, "observed") == pytest.approx(
        {"A": 0.03125, "B": 2.26736, "C": 0.02778, "D": 0.38715}, abs=1e-5
    )
    small = alpha_u(stretched("C", 0.5))
    assert small.expected == pytest.approx(0.05494, abs=1e-5)
    assert small.value == pytest.approx(0.494, abs=5e-4)


def test_krippendorff_1995_p57_without_steps():
    """Two of the four published expected values; B and C do not come out with the formula of Krippendorff (2004)."""
    fine, limit = alpha_u(stretched("ABCD", 50_000)), alpha_u(stretched("ABCD", 1 / 3))
    assert by_category(fine, "expected") == pytest.approx(by_category(limit, "expected"), abs=1e-5)
    assert by_category(limit, "expected")["A"] == pytest.approx(0.06990, abs=5e-6)
    assert by_category(limit, "expected")["D"] == pytest.approx(0.41445, abs=5e-6)
    assert by_category(limit)["A"] == pytest.approx(0.553, abs=5e-4)
    assert by_category(limit)["D"] == pytest.approx(0.066, abs=5e-4)


def test_dkpro_2_3_examples():
    split = corpus([("0", 1, 9, "A"), ("1", 2, 3, "A"), ("1", 4, 5, "A"), ("1", 6, 7, "A")], (0, 10))
    result = alpha_u(split)
    assert (result.observed, result.expected) == pytest.approx((0.91, 0.5352), abs=1e-4)
    assert result.value == pytest.approx(-0.7003, abs=1e-4)
    single = corpus([("0", 0, 1, "X")], (0, 20), worked=[("document", "1"), ("document", "2")])
    assert alpha_u(single).value == pytest.approx(0)


def test_krippendorff_2016_three_annotators():
    data = corpus(THREE, (0, 20))
    result = u_alpha(data)
    assert result.value == pytest.approx(0.474, abs=5e-4)
    assert result.details["u_alpha_binary"] == pytest.approx(0.433, abs=5e-4)
    assert cu_alpha(data).value == pytest.approx(0.779, abs=5e-4)


def test_mathet_2015_figure_14():
    data = corpus(FIGURE_14, (0, 76))
    assert u_alpha(data, definition=2013).observed == pytest.approx(239 / 76)
    result = cu_alpha(data, distance="interval")
    assert (result.observed, result.expected) == pytest.approx((50 / 60, 3.25))
    assert result.value == pytest.approx(0.744, abs=5e-4)


@pytest.mark.parametrize(
    ("marked", "total"),
    [
        ([("A", 10, 20, "x")], 100),  # figure 17: an orphan of length 10
        ([("A", 10, 11, "x"), ("B", 15, 16, "x")], 2),  # two of length 1
        ([("A", 40, 140, "x"), ("B", 60, 160, "y")], 7200),  # figure 21a
        ([("A", 40, 140, "x"), ("B", 40, 140, "y")], 10000),  # figure 21b
        ([("A", 10, 18, "x")], 64),  # figure 18: a split unit that the other has not costs less
        ([("A", 10, 14, "x"), ("A", 14, 18, "x")], 32),
        ([("A", 10, 18, "x"), ("B", 10, 14, "x"), ("B", 14, 18, "x")], 0),  # figure 19: cuts are not seen
    ],
)
def test_mathet_2015_figures_17_to_21(marked, total):
    data = corpus(marked, (0, 200), worked=[("document", "A"), ("document", "B")])
    assert u_alpha(data, definition=2013).observed * 200 == pytest.approx(total)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shape", [{}, {"n_documents": 4, "missing": 0.3, "n_annotators": 4}, {"n_annotators": 2}])
def test_by_definition(seed, shape):
    data = random_corpus(seed, **shape)
    result = u_alpha(data)
    assert (result.value, result.details["u_alpha_binary"]) == pytest.approx(direct.u_alpha(data))
    assert (u_alpha(data, definition=2013).observed, u_alpha(data, definition=2013).expected) == pytest.approx(
        direct.u_alpha_2013(data)
    )
    value, categories = direct.cu_alpha(data, lambda c, k: float(c != k))
    assert cu_alpha(data).value == pytest.approx(value)
    for name, expected in categories.items():
        assert by_category(cu_alpha(data))[name] == pytest.approx(expected)
    pooled, found = alpha_u(data), direct.alpha_u(data)
    assert by_category(pooled, "observed") == pytest.approx({name: o for name, (o, _) in found.items()})
    assert by_category(pooled, "expected") == pytest.approx({name: e for name, (_, e) in found.items()})
    observed, expected = map(sum, zip(*found.values(), strict=True))
    assert pooled.value == pytest.approx(1 - observed / expected)


@pytest.mark.parametrize("seed", range(3))
def test_by_definition_with_fractions(seed):
    data = random_corpus(seed, fractions=True, n_documents=2)
    assert (u_alpha(data).value, u_alpha(data).details["u_alpha_binary"]) == pytest.approx(direct.u_alpha(data))
    assert u_alpha(data, definition=2013).observed == pytest.approx(direct.u_alpha_2013(data)[0])
    assert cu_alpha(data).value == pytest.approx(direct.cu_alpha(data, lambda c, k: float(c != k))[0])


def test_without_steps_is_the_limit_of_small_ones():
    data = random_corpus(5, n_documents=2)
    for measure, options in ((alpha_u, {}), (u_alpha, {"definition": 2013})):
        limit, fine = measure(scaled(data, 1 / 7), **options).value, measure(scaled(data, 10_000), **options).value
        assert fine == pytest.approx(limit, abs=1e-3)
        assert abs(measure(data, **options).value - limit) > 1e-3


def scaled(data, scale):
    bounds = {index: (low * scale, high * scale) for index, (low, high) in data.bounds.items()}
    return dataclasses.replace(data, start=data.start * scale, end=data.end * scale, bounds=bounds)


@pytest.mark.parametrize(
    ("distance", "delta"),
    [
        ("interval", lambda c, k: (c - k) ** 2),
        ("ratio", lambda c, k: ((c - k) / (c + k)) ** 2),
        (lambda c, k: np.abs(c.astype(float) - k.astype(float)), lambda c, k: abs(c - k)),
    ],
)
def test_distances_between_numbers(distance, delta):
    data = random_corpus(3, n_documents=2)
    numbers = {"x": 1, "y": 2, "z": 5}
    marked = [
        (unit.annotator, unit.start, unit.end, numbers[unit.category], document.name)
        for document in data
        for unit in document.units
    ]
    data = corpus(marked, {document.name: document.bounds for document in data})
    value, categories = direct.cu_alpha(data, delta)
    result = cu_alpha(data, distance=distance)
    assert result.value == pytest.approx(value)
    assert by_category(result) == pytest.approx(categories)


def test_each_document_is_measured_as_if_alone():
    data = random_corpus(8, n_documents=4, n_annotators=4, missing=0.3)
    for measure in (alpha_u, u_alpha, cu_alpha):
        result = measure(data)
        for document in result.documents:
            assert document.value == pytest.approx(measure(data.select(documents=[document.document])).value)


def test_a_corpus_of_copies():
    """Coincidences and their margins double, so that only the self-pairings differ."""
    once = [("A", 2, 9, "x", "d1"), ("B", 3, 11, "x", "d1"), ("A", 12, 19, "y", "d1"), ("B", 12, 15, "x", "d1")]
    twice = once + [(*unit[:4], "d2") for unit in once]
    one, two = corpus(once, {"d1": (0, 30)}), corpus(twice, {"d1": (0, 30), "d2": (0, 30)})
    assert u_alpha(two).observed == pytest.approx(u_alpha(one).observed)
    assert cu_alpha(two).observed == pytest.approx(cu_alpha(one).observed)
    assert u_alpha(two, definition=2013).observed == pytest.approx(u_alpha(one, definition=2013).observed)


def test_coverage_and_matrix():
    result = cu_alpha(corpus(THREE, (0, 20)))
    assert by_category(result, "coverage") == pytest.approx({1: 21 / 22, 2: 12.5 / 21})
    assert result.details["coverage"] == pytest.approx(23 / 32)
    table = result.prepared.matrices()[0]
    assert [[float(cell) for cell in row[1:]] for row in table.rows] == [[9.0, 1.5], [1.5, 11.0]]
    with_gaps = u_alpha(corpus(THREE, (0, 20))).prepared.matrices()[0]
    assert with_gaps.columns == ("length", "gap", "1", "2")
    assert sum(float(cell) for row in with_gaps.rows for cell in row[1:]) == 60


def test_no_matrix_of_many_categories():
    marked = [(who, 3 * k, 3 * k + 2, f"c{k}") for who in "AB" for k in range(13)]
    assert u_alpha(corpus(marked, (0, 40))).prepared.matrices() == []
    assert cu_alpha(corpus(marked, (0, 40))).prepared.matrices() == []


@pytest.mark.parametrize("measure", [u_alpha, cu_alpha])
def test_overlap_is_refused(measure):
    data = corpus(
        [("anna", 3, 9, "PER", "d1"), ("anna", 5, 12, "LOC", "d1"), ("bert", 3, 9, "PER", "d1")], {"d1": (0, 20)}
    )
    with pytest.raises(DataError) as error:
        measure(data)
    symbol = measure.declaration.symbol
    said = f"document d1: anna's units 3–9 (PER) and 5–12 (LOC) overlap, which {symbol} cannot handle; use gamma"
    assert str(error.value) == said
    assert measure.declaration.unfit(data) == said


def test_alpha_u_lets_categories_overlap():
    marked = [("anna", 3, 9, "PER"), ("anna", 5, 12, "LOC"), ("bert", 3, 9, "PER")]
    assert alpha_u(corpus(marked, (0, 20))).value is not None
    with pytest.raises(DataError, match=r"anna's units 3–9 \(PER\) and 8–10 \(PER\) overlap, which α_U cannot handle"):
        alpha_u(corpus([*marked, ("anna", 8, 10, "PER")], (0, 20)))


def test_the_same_unit_twice_overlaps():
    with pytest.raises(DataError, match=r"3–9 \(x\) and 3–9 \(x\) overlap"):
        u_alpha(corpus([("A", 3, 9, "x"), ("A", 3, 9, "x"), ("B", 3, 9, "x")], (0, 20)))


def test_units_of_length_0_do_not_count():
    marked = [("A", 2, 9, "x"), ("B", 3, 9, "x"), ("A", 12, 15, "y"), ("B", 12, 16, "x")]
    plain, pointed = corpus(marked, (0, 20)), corpus([*marked, ("A", 5, 5, "z"), ("B", 18, 18, "x")], (0, 20))
    for measure in (alpha_u, u_alpha, cu_alpha):
        assert measure(pointed).value == measure(plain).value
        assert "2 units of length 0 cover nothing and do not count" in measure(pointed).notes
        assert not measure(plain).notes


def test_undefined_values():
    nobody = corpus([], (0, 20), worked=[("document", "A"), ("document", "B")])
    alone = corpus([("A", 0, 5, "x", "d1"), ("B", 0, 5, "x", "d2")], {"d1": (0, 9), "d2": (0, 9)})
    points = corpus([("A", 3, 3, "x"), ("B", 3, 3, "x")], (0, 20))
    apart = corpus([("A", 0, 5, "x"), ("B", 6, 9, "y")], (0, 20))
    full = corpus([("A", 0, 20, "x"), ("B", 0, 20, "x")], (0, 20))
    for measure in (alpha_u, u_alpha, cu_alpha):
        assert measure(nobody).value is None
        assert measure(nobody).undefined == "no annotator marked anything"
        assert measure(alone).undefined.startswith("no document was worked on by two annotators")
        assert measure(points).undefined == "all units have length 0"
        assert measure.declaration.unfit(nobody)
        assert json.loads(json.dumps(measure(nobody).to_dict()))["value"] is None
    assert u_alpha(nobody, definition=2013).value is None
    assert cu_alpha(apart).undefined == "no unit meets a unit of another annotator"
    assert u_alpha(full).undefined.startswith("no disagreement is expected by chance")
    assert u_alpha(full, definition=2013).undefined.startswith("no disagreement is expected by chance")
    assert cu_alpha(full).undefined.startswith("no disagreement is expected by chance")
    assert u_alpha(apart).rows["categories"][0]["undefined"] == "none of its units meets a unit of another annotator"


def test_two_units_of_different_categories_agree_as_chance_does():
    data = corpus([("A", 0, 10, "x"), ("B", 0, 10, "y")], (0, 20), worked=[("document", who) for who in "CD"])
    assert (cu_alpha(data).observed, cu_alpha(data).expected, cu_alpha(data).value) == (1, 1, 0)


def test_documents_of_one_annotator_are_left_out():
    marked = [("A", 2, 9, "x", "d1"), ("B", 3, 9, "y", "d1"), ("A", 0, 4, "x", "d2")]
    data = corpus(marked, {"d1": (0, 20), "d2": (0, 20)})
    for measure in (alpha_u, u_alpha):
        result = measure(data)
        assert result.value == pytest.approx(measure(data.select(documents=["d1"])).value)
        assert result.n_units == 2
        assert "1 of 2 documents is left out: fewer than two annotators worked on it" in result.notes
        assert result.documents[1].estimate.undefined == "fewer than two annotators worked on it"


def test_guessed_bounds_are_noted():
    data = corpus([("A", 2, 9, "x"), ("B", 3, 9, "y")])
    assert any("were guessed from the units" in note for note in u_alpha(data).notes)
    assert any("were guessed from the units" in note for note in alpha_u(data).notes)
    assert not cu_alpha(data).notes


def test_features_and_labels():
    columns = {"annotator": ["A", "B", "A", "B"], "start": [0, 0, 10, 10], "end": [5, 5, 15, 15]}
    bounds = {"document": (0, 20)}
    two = Corpus.from_columns(**columns, features={"p": list("xyxx"), "q": list("xxyy")}, bounds=bounds)
    with pytest.raises(DataError, match="no feature is named category, and there are several: p, q"):
        u_alpha(two)
    assert u_alpha(two, feature="q").value == pytest.approx(1)
    assert u_alpha(two, feature="p").value < 1
    with pytest.raises(OptionError, match="unknown feature 'r'; available: p, q"):
        u_alpha(two, feature="r")
    bare = Corpus.from_columns(**columns, bounds=bounds)
    assert u_alpha(bare).value == pytest.approx(1)
    assert "units have no labels, so all belong to one category" in u_alpha(bare).notes
    some = Corpus.from_columns(**columns, features={"category": ["x", "x", None, "x"]}, bounds=bounds)
    assert "1 unit has no label, which is treated as a category of its own" in u_alpha(some).notes
    assert set(by_category(u_alpha(some))) == {"x", "(no label)"}
    with pytest.raises(DataError, match="some units have no label"):
        _ = cu_alpha(some, distance="interval").value
    with pytest.raises(DataError, match="'x' is not a number"):
        _ = cu_alpha(two, feature="p", distance="interval").value


def test_other_data_is_refused():
    with pytest.raises(DataError, match="are needed, but these are labels of given items"):
        u_alpha(Ratings.of([["a", "b"]], rows="items"))
    with pytest.raises(OptionError, match=r"data: expected a path, .*, not list"):
        alpha_u([1, 2])
    with pytest.raises(OptionError, match="definition=2015 is invalid; definition: "):
        _ = u_alpha(corpus(THREE, (0, 20)), definition=2015).value
    with pytest.raises(OptionError, match="cu-alpha has no parameter 'definition'"):
        _ = cu_alpha(corpus(THREE, (0, 20)), definition=2013).value


def test_small_units_on_a_long_continuum():
    """D_e is tiny beside L², and the value is still right."""
    data = corpus([("A", 500_000, 500_001, "x"), ("B", 500_000, 500_001, "x")], (0, 10**7))
    assert alpha_u(data).value == pytest.approx(1)
    assert u_alpha(data).value == pytest.approx(1)
    far = corpus([("A", 5 * 10**6, 5 * 10**6 + 1, "x"), ("B", 0, 1, "x")], (0, 10**7))
    assert u_alpha(far).value == pytest.approx(direct.u_alpha(far)[0], abs=1e-9)
    assert u_alpha(far, definition=2013).value is not None


def test_pairs_of_annotators():
    data = random_corpus(4, n_documents=3, n_annotators=3, missing=0.2)
    for row in u_alpha(data).pairwise():
        names = [row["annotator_1"], row["annotator_2"]]
        assert row["value"] == pytest.approx(u_alpha(data.select(annotators=names)).value)


def test_an_annotator_who_marks_nothing_does_not_change_agreement_on_categories():
    rows = [("A", 0, 10, "x"), ("B", 0, 10, "y"), ("A", 20, 21, "y"), ("B", 20, 21, "y")]
    two = cu_alpha(corpus(rows, (0, 30)))
    for silent in (["C"], ["C", "D"]):
        more = corpus(rows, (0, 30), worked=[("document", who) for who in silent])
        assert cu_alpha(more).value == pytest.approx(two.value)
        assert cu_alpha(more).expected == pytest.approx(two.expected)
    assert two.value == pytest.approx(-0.068, abs=5e-4)


def test_random_categories_agree_as_chance_does_whatever_the_number_of_annotators():
    rng = np.random.default_rng(11)
    for n_annotators in (2, 3, 5):
        values = []
        for _ in range(40):
            rows = [
                (who, 10 * i, 10 * i + 5, str(rng.integers(3))) for who in "ABCDE"[:n_annotators] for i in range(30)
            ]
            values.append(cu_alpha(corpus(rows, (0, 300))).value)
        assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(40)


def test_fractions_of_any_unit_of_measure_give_the_same():
    values = [
        u_alpha(corpus([("A", 0.0, 0.1 * s, "x"), ("B", 0.5 * s, 0.6 * s, "x")], (0, s))).value for s in (0.1, 0.5, 3.7)
    ]
    assert values == pytest.approx([values[0]] * 3)
    assert values[0] == pytest.approx(-0.105, abs=2e-3)


@pytest.mark.parametrize("measure", ["u-alpha", "cu-alpha", "alpha-u", "u-alpha(definition=2013)"])
@pytest.mark.parametrize("unit", [1e-20, 1e-100, 1e-150, 1e-170, 1e-300, 1e-320])
def test_very_short_units(measure, unit):
    rows = [("a", 0, 3, "X"), ("a", 5, 9, "Y"), ("b", 0, 4, "X"), ("b", 5, 8, "X"), ("b", 11, 12, "Y")]

    def value(size):
        corpus = unisono.Corpus.from_columns(
            annotator=[row[0] for row in rows],
            start=[row[1] * size for row in rows],
            end=[row[2] * size for row in rows],
            features={"category": [row[3] for row in rows]},
        )
        return unisono.measure(measure, corpus)

    assert value(unit).value == pytest.approx(value(0.1).value, rel=1e-3)  # 1e-320 has three digits
    assert not value(unit).undefined


def test_a_document_that_is_too_short_beside_others():
    rows = [("long", who, start, start + 2.5) for who in "ab" for start in (0, 7)]
    rows += [("short", who, start, start + 1e-170) for who in "ab" for start in (0, 3e-170)]
    document, annotator, start, end = zip(*rows, strict=True)
    corpus = unisono.Corpus.from_columns(document=document, annotator=annotator, start=start, end=end)
    for measure in ("u-alpha", "alpha-u"):
        result = unisono.measure(measure, corpus)
        assert result.value is not None
        assert [one["undefined"] is None for one in result.to_dict()["documents"]] == [True, False]
