"""Agreement on normalization against a direct implementation, against nltk, and what must not change it."""

from __future__ import annotations

import normalization_oracle as oracle
import numpy as np
import pytest

import unisono
from unisono.data import Normalizations
from unisono.measurement.normalization.tokens import SUBSETS, TokenRows

DISTANCES = {"nominal": oracle.nominal, "nld": oracle.nld}


def random_tokens(seed, n_tokens=40, n_annotators=3, missing=0.2, letters="abcde"):
    """Random words that annotators rewrite alike more often than not; None where a normalization is missing."""
    rng = np.random.default_rng(seed)

    def word(low=1):
        return "".join(rng.choice(list(letters), rng.integers(low, 6)))

    def edited(text):
        signs, place = list(text), rng.integers(len(text))
        kind = rng.integers(3)
        if kind == 0:
            signs[place] = str(rng.choice(list(letters)))
        elif kind == 1:
            signs.insert(place + rng.integers(2), str(rng.choice(list(letters))))
        elif len(signs) > 1:
            signs.pop(place)
        return "".join(signs)

    vocabulary = [word() for _ in range(12)]
    originals = [str(rng.choice(vocabulary)) for _ in range(n_tokens)]
    truth = {original: original if rng.random() < 0.4 else edited(original) for original in vocabulary}
    columns = []
    for _ in range(n_annotators):
        column = [edited(truth[o]) if rng.random() < 0.3 else truth[o] for o in originals]
        columns.append([None if rng.random() < missing else word for word in column])
    return originals, columns


def table(originals, columns):
    return Normalizations.from_annotators(originals, {f"a{i}": column for i, column in enumerate(columns)})


@pytest.mark.parametrize("subset", SUBSETS)
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("level", ["word", "character"])
def test_alpha_is_as_by_definition(level, distance, subset):
    for seed in range(4):
        originals, columns = random_tokens(seed)
        result = unisono.normalization(table(originals, columns), level=level, distance=distance, subset=subset)
        units = getattr(oracle, f"{level}s")(*oracle.chosen(originals, columns, subset))
        value, observed, expected = oracle.alpha(units, DISTANCES[distance])
        assert result.value == pytest.approx(value, abs=1e-12)
        assert result.observed == pytest.approx(observed, abs=1e-12)
        assert result.expected == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("subset", SUBSETS)
@pytest.mark.parametrize("distance", ["masi", "jaccard"])
def test_alpha_of_edits_is_as_by_definition(distance, subset):
    for seed in range(4):
        originals, columns = random_tokens(seed)
        result = unisono.normalization(table(originals, columns), level="edits", distance=distance, subset=subset)
        expected = oracle.edits_alpha(*oracle.chosen(originals, columns, subset), distance)
        assert result.value == pytest.approx(expected, abs=1e-12)


def test_the_tables_are_as_by_definition():
    originals, columns = random_tokens(3, n_tokens=40)
    documents = [f"d{i % 3}" for i in range(40)]
    data = Normalizations.from_annotators(
        originals, {f"a{i}": column for i, column in enumerate(columns)}, document=documents
    )
    rows = unisono.normalization(data).rows
    for row in rows["subsets"]:
        some = oracle.chosen(originals, columns, row["subset"].lower())
        check_row(row, *some)
    for row in rows["texts"]:
        inside = [i for i, document in enumerate(documents) if document == row["document"]]
        check_row(row, [originals[i] for i in inside], [[column[i] for i in inside] for column in columns])
    for row in rows["annotator_pairs"]:
        pair = [columns[int(row[name][1:])] for name in ("annotator_1", "annotator_2")]
        check_row(row, originals, pair)


def check_row(row, originals, columns):
    words, characters = oracle.words(originals, columns), oracle.characters(originals, columns)
    assert row["n_tokens"] == sum(sum(word is not None for word in unit) >= 2 for unit in words)
    for level, units in (("word", words), ("character", characters)):
        assert row[f"{level}_agreement"] == pytest.approx(oracle.agreement(units))
        assert row[f"{level}_alpha"] == pytest.approx(oracle.alpha(units, oracle.nominal)[0])
        assert row[f"{level}_alpha_nld"] == pytest.approx(oracle.alpha(units, oracle.nld)[0])


def test_pi_and_kappa_are_those_of_ratings():
    originals, columns = random_tokens(1)
    row = unisono.normalization(table(originals, columns)).rows["subsets"][0]
    ratings = [list(unit) for unit in oracle.words(originals, columns)]
    shared = [unit for unit in ratings if sum(word is not None for word in unit) > 1]
    assert row["word_pi"] == pytest.approx(unisono.fleiss_kappa(shared, rows="items").value, abs=1e-12)
    assert row["word_kappa"] == pytest.approx(unisono.multi_kappa(shared, rows="items").value, abs=1e-12)
    assert row["word_alpha"] == pytest.approx(unisono.krippendorff_alpha(ratings, rows="items").value, abs=1e-12)
    nld = unisono.krippendorff_alpha(ratings, distance="nld", rows="items")
    assert row["word_alpha_nld"] == pytest.approx(nld.value, abs=1e-12)
    assert row["word_expected_agreement"] == pytest.approx(
        1 - unisono.krippendorff_alpha(ratings, rows="items").expected
    )


def test_words_against_nltk():
    """nltk 3.9 to 3.10, without missing values: its α weighs items with fewer labels differently."""
    agreement = pytest.importorskip("nltk.metrics.agreement")
    for seed in range(4):
        originals, columns = random_tokens(seed, missing=0)
        triples = [(str(a), str(i), word) for a, column in enumerate(columns) for i, word in enumerate(column)]
        for distance, function in DISTANCES.items():
            theirs = agreement.AnnotationTask(data=triples, distance=function)
            ours = unisono.normalization(table(originals, columns), level="word", distance=distance)
            assert ours.value == pytest.approx(theirs.alpha(), abs=1e-9)
        row = unisono.normalization(table(originals, columns)).rows["subsets"][0]
        task = agreement.AnnotationTask(data=triples)
        assert row["word_agreement"] == pytest.approx(task.avg_Ao(), abs=1e-9)
        assert row["word_pi"] == pytest.approx(task.pi(), abs=1e-9)
        assert row["word_kappa"] == pytest.approx(task.multi_kappa(), abs=1e-9)


ALL = [
    ("character", "nld"),
    ("character", "nominal"),
    ("word", "nld"),
    ("word", "nominal"),
    ("edits", "masi"),
    ("edits", "jaccard"),
]


@pytest.mark.parametrize(("level", "distance"), ALL)
def test_what_does_not_matter(level, distance):
    def value(originals, columns):
        return unisono.normalization(table(originals, columns), level=level, distance=distance).value

    for seed in range(5):
        originals, columns = random_tokens(seed)
        expected = value(originals, columns)
        assert value(originals, columns[::-1]) == pytest.approx(expected, abs=1e-12)
        order = np.random.default_rng(seed).permutation(len(originals))
        turned = [[column[i] for i in order] for column in columns]
        assert value([originals[i] for i in order], turned) == pytest.approx(expected, abs=1e-12)
        other = str.maketrans("abcde", "=∅öx😀")
        renamed = [[None if word is None else word.translate(other) for word in column] for column in columns]
        assert value([word.translate(other) for word in originals], renamed) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("level", "distance"), ALL)
def test_identical_normalizations_agree_perfectly(level, distance):
    originals, columns = random_tokens(2, missing=0)
    result = unisono.normalization(table(originals, [columns[0]] * 4), level=level, distance=distance)
    assert result.value == pytest.approx(1.0)
    assert result.observed == 0


@pytest.mark.parametrize(("level", "distance"), ALL)
def test_independent_normalizations_agree_as_chance_does(level, distance):
    """Originals of one letter: there, chance is all there is."""
    values = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        columns = [[str(word) for word in rng.choice(["a", "b", "cd", "ab"], 60)] for _ in range(3)]
        result = unisono.normalization(table(["a"] * 60, columns), level=level, distance=distance)
        values.append(result.value)
    assert abs(np.mean(values)) < 4 * np.std(values, ddof=1) / np.sqrt(len(values)) + 0.01


def test_machine_code_and_python_give_the_same_value(monkeypatch):
    from unisono.kernels import switch

    originals, columns = random_tokens(4, n_tokens=60)
    data = table(originals, columns)
    values = []
    for on in (False, True):
        monkeypatch.setattr(switch, "_on", on)
        values.append([TokenRows(data).all_tokens.agreement(*kind, "all").value for kind in ALL])
    assert values[0] == values[1]


def test_many_words_are_compared_some_at_a_time(monkeypatch):
    from unisono.dissimilarity import difference_sums

    originals, columns = random_tokens(5, n_tokens=80)
    expected = unisono.normalization(table(originals, columns), level="word").rows["subsets"]
    monkeypatch.setattr(difference_sums, "_TABLE_LIMIT", 0)
    monkeypatch.setattr(difference_sums, "_PAIRS_AT_ONCE", 16)
    found = unisono.normalization(table(originals, columns), level="word").rows["subsets"]
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, nan_ok=False)
