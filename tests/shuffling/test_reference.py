"""References: what generate() makes keeps to its model, and whose work is taken from data."""

from __future__ import annotations

import numpy as np
import pytest

from unisono import DataError, OptionError
from unisono.data import Corpus
from unisono.shuffling import generate, reference_of
from unisono.shuffling.written import is_generated, parse_reference

MANY = 4000


def lengths(corpus):
    return corpus.end - corpus.start


def gaps(corpus):
    return corpus.start[1:] - corpus.end[:-1]


def categories(corpus):
    return np.array(corpus.features["category"].values(), dtype=object)


def even(counts, shares):
    """Tell whether counts are what shares give, within chance (χ² below its mean and five standard deviations)."""
    counts, shares = np.asarray(counts, dtype=float), np.asarray(shares, dtype=float)
    expected = counts.sum() * shares / shares.sum()
    free = len(counts) - 1
    return ((counts - expected) ** 2 / expected).sum() < free + 5 * np.sqrt(2 * free)


def test_defaults():
    made = generate()
    assert made.documents == ("document",)
    assert made.annotators == ("reference",)
    assert made.n_units == 60
    assert set(categories(made)) == {"A", "B", "C", "D"}
    assert made.start.dtype == made.end.dtype == np.int64
    assert made.worked.all()
    assert made.source == "generated"


@pytest.mark.parametrize("n_units", [1, 2, 17])
def test_number_of_units_a_document(n_units):
    made = generate(n_units=n_units, n_documents=3)
    assert made.documents == ("document 1", "document 2", "document 3")
    assert [document.n_units for document in made] == [n_units] * 3


def test_documents_differ():
    first, second = generate(n_documents=2)
    assert [unit.start for unit in first.units] != [unit.start for unit in second.units]


def test_equal_prevalences():
    found = categories(generate(n_units=MANY, categories=5))
    names, counts = np.unique(found.astype(str), return_counts=True)
    assert names.tolist() == list("ABCDE")
    assert even(counts, np.ones(5))


def test_given_prevalences_need_not_sum_to_1():
    found = categories(generate(n_units=MANY, categories={"story": 6, "opinion": 3, "aside": 1, "never": 0}))
    counts = [(found == name).sum() for name in ("story", "opinion", "aside")]
    assert sum(counts) == MANY
    assert even(counts, [6, 3, 1])


def test_names_of_categories_are_equally_frequent():
    found = categories(generate(n_units=MANY, categories=["x", "y", "z"]))
    assert even([(found == name).sum() for name in "xyz"], np.ones(3))


def test_names_beyond_the_alphabet_are_different():
    assert len(set(categories(generate(n_units=MANY, categories=40)))) == 40


@pytest.mark.parametrize("n_categories", [0, np.int64(0)])
def test_without_categories(n_categories):
    assert dict(generate(categories=n_categories).features) == {}


def test_one_category():
    assert set(categories(generate(categories=1))) == {"A"}


def test_lengths_are_equally_likely_from_the_least_to_the_greatest():
    found = lengths(generate(n_units=MANY, length=(3, 12)))
    assert even(np.bincount(found, minlength=13)[3:], np.ones(10))
    assert len(np.bincount(found)) == 13


def test_lengths_of_each_category():
    made = generate(n_units=MANY, categories=["x", "y"], length={"x": (1, 4), "y": (20, 29)})
    short, long = (lengths(made)[categories(made) == name] for name in "xy")
    assert even(np.bincount(short)[1:], np.ones(4))
    assert even(np.bincount(long)[20:], np.ones(10))


def test_units_are_never_without_length():
    assert (lengths(generate(length=(0, 1))) == 1).all()
    assert (lengths(generate(categories=1, length={"A": (0, 0)})) == 1).all()


def test_gaps_are_equally_likely_between_units_and_at_both_ends():
    made = generate(n_units=MANY, gap=(2, 7))
    assert even(np.bincount(gaps(made))[2:], np.ones(6))
    ends = [generate(n_units=1, length=(5, 5), gap=(2, 7), rng=seed) for seed in range(300)]
    before = [int(one.start[0]) for one in ends]
    after = [int(one["document"].bounds[1] - one.end[0]) for one in ends]
    assert even(np.bincount(before)[2:], np.ones(6))
    assert even(np.bincount(after)[2:], np.ones(6))


@pytest.mark.parametrize("n_documents", [1, 3])
def test_no_gap_covers_the_continuum(n_documents):
    for document in generate(gap=(0, 0), n_documents=n_documents):
        start = np.array([unit.start for unit in document.units])
        end = np.array([unit.end for unit in document.units])
        assert (start[1:] == end[:-1]).all()
        assert document.bounds == (start[0], end[-1]) == (0, end[-1])


def test_no_overlap_unless_asked_for():
    assert (gaps(generate(n_units=MANY, gap=(0, 3))) >= 0).all()


@pytest.mark.parametrize("share", [0.0, 0.2, 0.7, 1.0])
def test_share_of_units_that_begin_within_the_one_before(share):
    made = generate(n_units=MANY, overlap=share)
    overlapping = (gaps(made) < 0).mean()
    assert abs(overlapping - share) <= 4 * np.sqrt(share * (1 - share) / MANY)
    assert (np.diff(made.start) > 0).all()


def test_a_unit_of_length_1_has_no_inside():
    assert (gaps(generate(length=(1, 1), overlap=1.0)) >= 0).all()


def test_overlapping_begins_are_equally_likely_inside():
    made = generate(n_units=MANY, length=(6, 6), overlap=1.0)
    assert even(np.bincount(np.diff(made.start))[1:], np.ones(5))


def test_units_lie_in_the_continuum():
    for document in generate(overlap=0.5, n_documents=4):
        low, high = document.bounds
        assert low == 0
        assert all(low <= unit.start < unit.end <= high for unit in document.units)


def test_seeds():
    def columns(corpus):
        return corpus.start.tolist(), corpus.end.tolist(), categories(corpus).tolist(), corpus.bounds

    assert columns(generate(rng=7)) == columns(generate(rng=7))
    assert columns(generate(rng=np.random.default_rng(7))) == columns(generate(rng=np.random.default_rng(7)))
    assert columns(generate(rng=7)) != columns(generate(rng=8))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n_units": 0}, "expected a whole number from 1 up"),
        ({"n_documents": 0}, "expected a whole number from 1 up"),
        ({"overlap": 1.1}, "overlap: expected a number from 0 to 1, not 1.1"),
        ({"overlap": -0.1}, "overlap: expected a number from 0 to 1"),
        ({"overlap": float("nan")}, "overlap: expected a number"),
        ({"gap": (5, 1)}, "gap: expected whole numbers, the least first, not 5 and 1"),
        ({"gap": (-1, 1)}, "gap: expected a number from 0 to 1e\\+09, not -1"),
        ({"length": (3, float("nan"))}, "length: expected a number, not nan"),
        ({"length": (1.5, 2.5)}, "length: expected whole numbers, the least first, not 1.5 and 2.5"),
        ({"length": 2.5}, "length: expected whole numbers"),
        ({"categories": 1, "length": {"A": (1, 2.5)}}, "length: expected whole numbers"),
        ({"gap": (0, 0.5)}, "gap: expected whole numbers, the least first, not 0 and 0.5"),
        ({"length": {"A": (1, 2)}}, "there is no length for the category 'B'"),
        ({"categories": -1}, "categories: expected a whole number from 0 up, not -1"),
        ({"categories": []}, "categories: expected prevalences from 0 up, not all 0"),
        ({"categories": {"A": 1, "B": -1}}, "categories: expected"),
        ({"categories": {"A": 0, "B": 0}}, "categories: expected"),
        ({"categories": {"A": float("nan")}}, "categories: expected"),
    ],
)
def test_what_generate_refuses(options, said):
    with pytest.raises(OptionError, match=said):
        generate(**options)


@pytest.mark.parametrize("option", ["gap", "length"])
def test_a_single_number_is_always_the_same(option):
    made, wanted = generate(**{option: 5}), generate(**{option: (5, 5)})
    assert made.start.tolist() == wanted.start.tolist()


@pytest.mark.parametrize("greatest", [float("inf"), 2.0**64])
@pytest.mark.parametrize("option", ["gap", "length"])
def test_ranges_beyond_all_bounds(option, greatest):
    with pytest.raises(OptionError):
        generate(**{option: (0, greatest)})


def test_lengths_by_category_need_categories():
    with pytest.raises(OptionError, match="categor"):
        generate(categories=0, length={"A": (5, 6)})


def team():
    return Corpus.from_columns(
        document=["one", "one", "two", "one", "two"],
        annotator=["anna", "anna", "anna", "bert", "bert"],
        start=[0, 10, 3, 2, 4],
        end=[5, 20, 8, 30, 9],
        features={"category": ["A", "B", "A", "C", "C"], "sure": ["yes", None, "no", "no", "no"]},
        worked=[("one", "chris"), ("three", "anna")],
        annotators=["dora"],
    )


def test_reference_by_name():
    made = reference_of(team(), "anna")
    assert made.annotators == ("reference",)
    assert made.documents == ("one", "two", "three")
    assert made.start.tolist() == [0, 10, 3]
    assert categories(made).tolist() == ["A", "B", "A"]
    assert made.features["sure"].values() == ["yes", None, "no"]
    assert made["three"].n_units == 0
    assert made["three"].annotators == ("reference",)


def test_the_continuum_is_that_of_all_annotators():
    assert reference_of(team(), "anna")["one"].bounds == (0, 30)


def test_documents_that_somebody_else_worked_on_are_left_out():
    assert reference_of(team(), "bert").documents == ("one", "two")


def test_a_single_annotator_need_not_be_named():
    made = reference_of(team().select(annotators=["bert"]))
    assert made.annotators == ("reference",)
    assert made.n_units == 2
    again = reference_of(made)
    assert again.start.tolist() == made.start.tolist()


def test_several_annotators_must_be_told_apart():
    with pytest.raises(OptionError, match="several annotators, anna, bert, chris, dora; choose one as the reference"):
        reference_of(team())


def test_unknown_annotator():
    with pytest.raises(DataError, match="unknown annotator 'emil'; available: anna, bert"):
        reference_of(team(), "emil")


@pytest.mark.parametrize("who", ["chris", "dora"])
def test_who_marked_nothing_is_no_reference(who):
    with pytest.raises(DataError, match=f"'{who}' marked nothing"):
        reference_of(team(), who)


def test_texts_go_along():
    corpus = Corpus.from_columns(
        annotator=["anna", "bert"],
        start=[0, 1],
        end=[1, 2],
        texts={("document", "anna"): "ab", ("document", "bert"): "xyz"},
    )
    made = reference_of(corpus, "bert")
    assert dict(made.texts) == {(0, 0): "xyz"}


@pytest.mark.parametrize(
    ("text", "told"), [("generate", True), ("generate(n_units=3)", True), ("generated.csv", False), ("a.csv", False)]
)
def test_what_is_a_reference_to_generate(text, told):
    assert is_generated(text) is told


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("generate", {}),
        ("generate()", {}),
        ("generate(n_units=7)", {"n_units": 7}),
        ("generate(n_documents=2,n_units=3)", {"n_documents": 2, "n_units": 3}),
        ("generate(categories=0)", {"categories": 0}),
        ("generate(categories=2)", {"categories": 2}),
        ("generate(categories=[x,y])", {"categories": ["x", "y"]}),
        ("generate(categories=[x:4,y:1])", {"categories": {"x": 4, "y": 1}}),
        ("generate(categories=[x:0.75, y:0.25])", {"categories": {"x": 0.75, "y": 0.25}}),
        ('generate(categories=["a, b":4,c:1])', {"categories": {"a, b": 4, "c": 1}}),
        ("generate(length=5-30)", {"length": (5, 30)}),
        ("generate(length=5 - 30)", {"length": (5, 30)}),
        ("generate(length=5–30)", {"length": (5, 30)}),
        ("generate(length=5..30)", {"length": (5, 30)}),
        ("generate(length=12)", {"length": (12, 12)}),
        (
            "generate(categories=[A:3,B:1],length=[A:5-10,B:20])",
            {"categories": {"A": 3, "B": 1}, "length": {"A": (5, 10), "B": (20, 20)}},
        ),
        ("generate(gap=0)", {"gap": (0, 0)}),
        ("generate(gap=2-9)", {"gap": (2, 9)}),
        ("generate(overlap=0.4)", {"overlap": 0.4}),
    ],
)
def test_written_references(text, options):
    made, wanted = parse_reference(text, 5), generate(**options, rng=5)
    assert made.start.tolist() == wanted.start.tolist()
    assert made.end.tolist() == wanted.end.tolist()
    assert made.bounds == wanted.bounds
    assert {name: column.values() for name, column in made.features.items()} == {
        name: column.values() for name, column in wanted.features.items()
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "generate(units=3)",
            "generate has no 'units'; it has: n_units, n_items, n_relations, categories, length, gap, overlap, ",
        ),
        ("generate(rng=3)", "generate has no 'rng'"),
        ("generate(n_units=x)", "n_units: expected a whole number, not 'x'; write e.g. generate"),
        ("generate(n_units=2.5)", "n_units: expected a whole number, not 2.5"),
        ("generate(n_units=0)", "expected a whole number from 1 up"),
        ("generate(n_documents=-1)", "expected a whole number from 1 up"),
        ("generate(n_documents=[1])", "n_documents: expected a whole number"),
        ("generate(categories=2.5)", "categories: expected a number, a list of categories"),
        ("generate(categories=-2)", "categories: expected a whole number from 0 up"),
        ("generate(categories=[A:x])", "categories: expected a number, not 'x'"),
        ("generate(categories=[A:-1])", "categories: expected"),
        ("generate(categories=[])", "categories: expected"),
        ("generate(categories=ordinal(a,b))", "categories: expected a number, a list"),
        ("generate(length=short)", "length: expected a number, not 'short'"),
        ("generate(length=30-5)", "length: expected whole numbers, the least first, not 30 and 5"),
        ("generate(length=2.5)", "length: expected whole numbers"),
        ("generate(length=-5)", "length: expected a number from 0"),
        ("generate(length=[5,10])", "length: expected a number, not '5'"),
        ("generate(length=[A:5-10])", "there is no length for the category 'B'"),
        ("generate(categories=[A],length=[A:x])", "length: expected a number, not 'x'"),
        ("generate(gap=wide)", "gap: expected a number, not 'wide'"),
        ("generate(overlap=much)", "overlap: expected a number, not 'much'"),
        ("generate(overlap=2)", "overlap: expected a number from 0 to 1"),
        ("generate(n_units=3,n_units=4)", "n_units is given twice"),
        ("generate(n_units=3", r"'\)' is missing"),
        ("generate(n_units=3)x", "unexpected 'x'"),
        ("generate(30)", "'=' is missing"),
    ],
)
def test_written_references_that_make_no_sense(text, said):
    with pytest.raises(OptionError, match=said):
        parse_reference(text, 1)


@pytest.mark.parametrize(
    "text", ["generate(length=inf)", "generate(gap=1e400)", "generate(length=1-99999999999999999999)"]
)
def test_written_numbers_beyond_all_bounds(text):
    with pytest.raises(OptionError):
        parse_reference(text, 1)


def test_what_cannot_be_read_is_called_a_reference():
    with pytest.raises(OptionError) as caught:
        parse_reference("generate(30)", 1)
    assert "measure" not in str(caught.value)
