"""d(u, v) of units whose texts may differ too (Barteld et al. 2016, §5)."""

from __future__ import annotations

import itertools
import pickle
import unicodedata

import numpy as np
import pytest

from unisono.data import Corpus
from unisono.data.editions import editions
from unisono.data.stacked_editions import stacked_editions
from unisono.dissimilarity.category import Custom, Matrix, Nominal, Numeric
from unisono.dissimilarity.combined import WeightedFeature
from unisono.dissimilarity.difference import NormalizedLevenshtein
from unisono.dissimilarity.text import TextDissimilarity, UnitPairs
from unisono.errors import DataError, OptionError

MACRON = unicodedata.lookup("COMBINING MACRON")
FEATURES = ("pos", "lemma")


def corpus_of(one, other, features=FEATURES):
    """One text a list of units (text, label, label, …), separated by spaces."""
    rows = []
    texts = {}
    for who, units in (("A", one), ("B", other)):
        place = 0
        for word, *labels in units:
            rows.append((who, place, place + len(word), labels))
            place += len(word) + 1
        texts["d", who] = " ".join(word for word, *_ in units)
    return Corpus.from_columns(
        annotator=[row[0] for row in rows],
        document=["d"] * len(rows),
        start=[row[1] for row in rows],
        end=[row[2] for row in rows],
        features={name: [row[3][k] for row in rows] for k, name in enumerate(features)},
        texts=texts,
    )


def compared(definition, one, other, features=FEATURES, *, complete=False, graphemes=False, back=False):
    """d of all units of the first with all of the second, as a table."""
    made = editions(corpus_of(one, other, features), features, graphemes=graphemes)
    bound = definition.bind(made.kinds, made.labels, made.alphabet)
    sides = made.of_document[0]
    compare = bound.between(stacked_editions(sides), 0, complete=complete)
    n, m = (edition.layers[0].n_units for edition in sides)
    u, v = np.divmod(np.arange(n * m), m)
    return compare(pairs_of(v, u, 1, 0) if back else pairs_of(u, v)).reshape(n, m)


def pairs_of(u, v, first=0, second=1):
    """Units of one edition and of another."""
    return UnitPairs(np.full(len(u), first), np.full(len(u), second), u, v)


def weighted(**weights):
    return tuple(WeightedFeature(name, weight) for name, weight in weights.items())


def plain(**weights):
    return TextDissimilarity(weighted(**(weights or dict.fromkeys(FEATURES, 1.0))))


def d(definition, u, v, **more):
    return float(compared(definition, [u], [v], **more)[0, 0])


@pytest.mark.parametrize(
    ("u", "v", "expected"),
    [
        (("ab", "X", "l"), ("ab", "X", "l"), 0),
        (("ab", "X", "l"), ("ac", "X", "l"), 1 / 3),
        (("ab", "X", "l"), ("ab", "Y", "l"), 1 / 3),
        (("ab", "X", "l"), ("ac", "Y", "l"), 2 / 3),
        (("ab", "X", "l"), ("ac", "Y", "k"), 1),
        (("ab", "X", None), ("ab", "X", "l"), 1 / 3),  # one of them has a lemma: it counts, and differs
        (("ab", "X", None), ("ac", "X", None), 1 / 2),  # neither has: it does not count
        (("ab", None, None), ("ac", None, None), 1),
        (("ab", None, None), ("ab", None, None), 0),
        (("ab", None, "l"), ("ab", "X", None), 2 / 3),
    ],
)
def test_the_mean_over_text_and_features_that_one_of_them_has(u, v, expected):
    # other units have labels, so that both features are known
    more = ("zz", "X", "l"), ("yy", "Y", "k")
    found = compared(plain(), [u, more[0]], [v, more[1]])
    assert found[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("u", "v", "expected"),
    [
        (("ab", "X", None), ("ac", "X", None), 1 / 3),
        (("ab", None, None), ("ac", None, None), 1 / 3),
        (("ab", "X", None), ("ab", "X", "l"), 1 / 3),
        (("ab", "X", None), ("ac", "Y", None), 2 / 3),
    ],
)
def test_none_is_a_label_of_random_units(u, v, expected):
    found = compared(plain(), [u, ("zz", "X", "l")], [v, ("yy", "Y", "k")], complete=True)
    assert found[0, 0] == pytest.approx(expected)


def test_weights():
    definition = TextDissimilarity(weighted(pos=2.0, lemma=0.5), text_weight=1.5)
    assert d(definition, ("ab", "X", "l"), ("ac", "X", "l")) == pytest.approx(1.5 / 4)
    assert d(definition, ("ab", "X", "l"), ("ab", "Y", "l")) == pytest.approx(2 / 4)
    assert d(definition, ("ab", "X", "l"), ("ab", "X", "k")) == pytest.approx(0.5 / 4)
    assert d(definition, ("ab", "X", None), ("ab", "Y", None)) == pytest.approx(2 / 3.5)


def test_a_text_that_does_not_count():
    definition = TextDissimilarity(weighted(pos=1.0, lemma=1.0), text_weight=0.0)
    assert d(definition, ("ab", "X", "l"), ("zz", "X", "k")) == pytest.approx(1 / 2)
    assert d(definition, ("ab", "X", "l"), ("zz", "X", "l")) == 0.0
    # nothing that counts is there
    found = compared(definition, [("ab", None, None), ("c", "X", "l")], [("zz", None, None)])
    assert found[0, 0] == 0.0
    assert found[1, 0] == 1.0


def test_a_feature_that_does_not_count():
    definition = TextDissimilarity(weighted(pos=0.0, lemma=1.0))
    assert d(definition, ("ab", "X", "l"), ("ab", "Y", "l")) == 0.0
    assert d(definition, ("ab", "X", "l"), ("ac", "Y", "l")) == pytest.approx(1 / 2)


def test_no_features():
    assert d(TextDissimilarity(), ("ab",), ("ab",), features=()) == 0.0
    assert d(TextDissimilarity(), ("ab",), ("abc",), features=()) == 1.0


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("hat", "hatt", 1 / 4), ("hat", "hat", 0), ("vins", "vms", 2 / 4), ("abc", "xyz", 1), ("a", "", 1), ("", "", 0)],
)
def test_normalized_levenshtein_distance_of_texts(one, other, expected):
    definition = TextDissimilarity(text_distance=NormalizedLevenshtein())
    assert d(definition, (one,), (other,), features=()) == pytest.approx(expected)


def test_normalized_levenshtein_distance_of_clusters():
    definition = TextDissimilarity(text_distance=NormalizedLevenshtein())
    u, v = (f"m{MACRON}a",), ("ma",)
    assert d(definition, u, v, features=()) == pytest.approx(1 / 3)
    assert d(definition, u, v, features=(), graphemes=True) == pytest.approx(1 / 2)
    w = (f"m{MACRON}{MACRON}a",)
    assert d(definition, u, w, features=(), graphemes=True) == pytest.approx(1 / 2)
    assert d(definition, u, u, features=(), graphemes=True) == 0.0


def test_many_symbols_are_told_apart():
    # more symbols than there are characters before the surrogates
    letters = "".join(chr(code) for code in range(0x100, 0x12000) if not 0xD800 <= code < 0xE000 and chr(code) != " ")
    definition = TextDissimilarity(text_distance=NormalizedLevenshtein())
    one = [(letters,), (letters[-1],), (letters[60_000:],)]
    found = compared(definition, one, [(letters[-1],), (letters[60_001:],), (letters[-2],)], features=())
    size = len(letters) - 60_000
    assert found[1].tolist() == [0.0, pytest.approx((size - 2) / (size - 1)), 1.0]
    assert found[2, 1] == pytest.approx(1 / size)


def test_distances_of_features():
    matrix = Matrix.of_pairs({("X", "Y"): 0.25, ("X", "Z"): 1.0, ("Y", "Z"): 0.5})
    features = WeightedFeature("pos", 1.0, matrix), WeightedFeature("lemma", 2.0, NormalizedLevenshtein())
    definition = TextDissimilarity(features, text_distance=NormalizedLevenshtein())
    # text 1/2, pos 0.25, lemma 1/3 twice
    others = [("q", "Z", "x")]
    found = compared(definition, [("ab", "X", "lem"), *others], [("ac", "Y", "lam")])
    assert found[0, 0] == pytest.approx((1 / 2 + 0.25 + 2 / 3) / 4)
    found = compared(definition, [("ab", "X", "lem"), *others], [("ab", None, "lem")])
    assert found[0, 0] == pytest.approx(1 / 4)


def test_numbers_as_labels():
    definition = TextDissimilarity((WeightedFeature("pos", 1.0, Numeric(10.0)),))
    assert d(definition, ("ab", 3), ("ab", 7), features=("pos",)) == pytest.approx(0.4 / 2)


def random_units(rng, n):
    words, labels = ["a", "ab", "abc", "b", "hat", "hatt"], ["X", "Y", "Z", None]
    return [(words[rng.integers(6)], labels[rng.integers(4)], labels[rng.integers(4)]) for _ in range(n)]


@pytest.mark.parametrize("text_distance", [Nominal(), NormalizedLevenshtein()])
@pytest.mark.parametrize("complete", [False, True])
def test_symmetric_within_one_and_as_defined(text_distance, complete):
    matrix = Matrix.of_pairs({("X", "Y"): 0.25, ("X", "Z"): 1.0, ("Y", "Z"): 0.5})
    features = WeightedFeature("pos", 2.0, matrix), WeightedFeature("lemma", 0.5)
    definition = TextDissimilarity(features, 1.5, text_distance)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        one, other = random_units(rng, 7), random_units(rng, 6)
        one.append(("q", "X", "Y"))
        found = compared(definition, one, other, complete=complete)
        assert found == pytest.approx(compared(definition, one, other, complete=complete, back=True), abs=1e-15)
        assert (found >= 0).all()
        assert (found <= 1 + 1e-12).all()
        for (i, u), (j, v) in itertools.product(enumerate(one), enumerate(other)):
            assert found[i, j] == pytest.approx(by_hand(u, v, text_distance, complete)), (u, v)


def by_hand(u, v, text_distance, complete):
    table = {"XY": 0.25, "XZ": 1.0, "YZ": 0.5}
    total, weight = 1.5 * spelled_apart(u[0], v[0], text_distance), 1.5
    for k, share in ((1, 2.0), (2, 0.5)):
        if not complete and u[k] is None and v[k] is None:
            continue
        weight += share
        if u[k] == v[k]:
            continue
        both = u[k] is not None and v[k] is not None
        total += share * (table["".join(sorted((u[k], v[k])))] if both and k == 1 else 1.0)
    return total / weight


def spelled_apart(one, other, distance):
    if isinstance(distance, Nominal):
        return float(one != other)
    before = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        here = [i]
        for j, sign in enumerate(other, start=1):
            here.append(min(before[j] + 1, here[j - 1] + 1, before[j - 1] + (letter != sign)))
        before = here
    return before[-1] / max(len(one), len(other), 1)


def test_parts_add_up():
    definition = plain(pos=2.0, lemma=1.0)
    made = editions(corpus_of([("ab", "X", "l"), ("b", "X", None)], [("ac", "Y", "l")]), FEATURES)
    bound = definition.bind(made.kinds, made.labels, made.alphabet)
    compare = bound.between(stacked_editions(made.of_document[0]), 0)
    pairs = pairs_of(np.array([0, 1]), np.array([0, 0]))
    parts = compare.parts(pairs)
    assert [part.tolist() for part in parts] == [[0.25, 0.25], [0.5, 0.5], [0.0, 0.25]]
    assert sum(parts) == pytest.approx(compare(pairs))


def test_the_same_text():
    made = editions(corpus_of([("ab",), ("c",)], [("c",), ("ab",), ("abc",)], ()), ())
    bound = TextDissimilarity().bind(made.kinds, made.labels, made.alphabet)
    compare = bound.between(stacked_editions(made.of_document[0]), 0)
    assert compare.same_text(pairs_of(*np.divmod(np.arange(6), 3))).tolist() == [False, True, False, True, False, False]


def test_the_mean_distance_of_labels_drawn_at_random():
    matrix = Matrix.of_pairs({("X", "Y"): 0.25, ("X", "Z"): 1.0, ("Y", "Z"): 0.5})
    features = WeightedFeature("pos", 1.0, matrix), WeightedFeature("lemma")
    made = editions(corpus_of([("a", "X", "X"), ("b", "Y", "Y"), ("c", "Z", "Z")], [("a", "X", "X")]), FEATURES)
    bound = TextDissimilarity(features).bind(made.kinds, made.labels, made.alphabet)
    counts = np.array([1.0, 2.0, 3.0, 4.0])  # none, X, Y, Z
    assert bound.expected("lemma", counts) == pytest.approx(1 - (1 + 4 + 9 + 16) / 100)
    apart = 2 * (1 * (2 + 3 + 4) * 1.0 + 2 * 3 * 0.25 + 2 * 4 * 1.0 + 3 * 4 * 0.5) / 100
    assert bound.expected("pos", counts) == pytest.approx(apart)
    assert bound.expected("pos", np.array([0.0, 5.0, 0.0, 0.0])) == 0.0


def test_too_many_labels_to_compare_all():
    labels = [f"w{k}" for k in range(2100)]
    one = [("a", label) for label in labels]
    made = editions(corpus_of(one, one[:1], ("pos",)), ("pos",))
    counts = np.ones(len(labels) + 1)
    spelling = TextDissimilarity((WeightedFeature("pos", 1.0, NormalizedLevenshtein()),))
    nominal = TextDissimilarity((WeightedFeature("pos"),))
    bind = made.kinds, made.labels, made.alphabet
    assert spelling.bind(*bind).expected("pos", counts) is None
    assert nominal.bind(*bind).expected("pos", counts) == pytest.approx(1 - 1 / len(counts))


def test_it_travels_to_other_processes():
    features = (WeightedFeature("pos", 1.0, Matrix.of_pairs({("X", "Y"): 0.25})), WeightedFeature("lemma"))
    definition = TextDissimilarity(features, 2.0, NormalizedLevenshtein())
    made = editions(corpus_of([("ab", "X", "l")], [("ac", "Y", "k")]), FEATURES)
    bound = definition.bind(made.kinds, made.labels, made.alphabet)
    again = pickle.loads(pickle.dumps(bound))
    pair, both = pairs_of(*np.zeros((2, 1), np.int64)), stacked_editions(made.of_document[0])
    found = [one.between(both, 0)(pair) for one in (bound, again)]
    assert found[0] == found[1]


# --- refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_weights_that_cannot_be(weight):
    with pytest.raises(OptionError, match="the weight of 'text' must be a number from 0 up"):
        TextDissimilarity(text_weight=weight)
    with pytest.raises(OptionError, match="the weight of 'pos' must be a number from 0 up"):
        TextDissimilarity(weighted(pos=weight))


def test_something_must_count():
    with pytest.raises(OptionError, match="text and features cannot all weigh 0"):
        TextDissimilarity(weighted(pos=0.0), text_weight=0.0)
    with pytest.raises(OptionError, match="text and features cannot all weigh 0"):
        TextDissimilarity(text_weight=0.0)


def test_texts_are_compared_by_nominal_or_nld():
    with pytest.raises(OptionError, match="texts cannot be compared by numeric; available for texts: nominal, nld"):
        TextDissimilarity(text_distance=Numeric())


def test_a_matrix_above_one():
    matrix = Matrix(("X", "Y"), np.array([[0.0, 2.0], [2.0, 0.0]]))
    with pytest.raises(DataError, match="is not within 0 to 1"):
        TextDissimilarity((WeightedFeature("pos", 1.0, matrix),))


def test_a_distance_of_the_users_above_one():
    definition = TextDissimilarity((WeightedFeature("pos", 1.0, Custom(lambda u, v: 1.5 * (u != v))),))
    with pytest.raises(OptionError, match=r"the distance of 'pos' returned 1\.5; distances must be from 0 to 1"):
        d(definition, ("ab", "X"), ("ab", "Y"), features=("pos",))


def test_a_distance_of_the_users():
    definition = TextDissimilarity((WeightedFeature("pos", 1.0, Custom(lambda u, v: 0.5 * (u != v))),))
    assert d(definition, ("ab", "X"), ("ab", "Y"), features=("pos",)) == pytest.approx(0.25)


def test_a_distance_that_depends_on_the_order():
    definition = TextDissimilarity((WeightedFeature("pos", 1.0, Custom(lambda u, v: 0.5 * (u < v))),))
    with pytest.raises(OptionError, match="depends on their order"):
        d(definition, ("ab", "X"), ("ab", "Y"), features=("pos",))
