"""γ as a user meets it: corpora, corner cases, determinism, invariants, categories, subsets of annotators."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import unisono
from unisono.errors import DataError, OptionError
from unisono.kernels import switch

pytestmark = pytest.mark.usefixtures("both_paths")


def corpus_of(*rows, worked=(), bounds=None, **features):
    """Rows of document, annotator, start, end, category."""
    return unisono.Corpus.from_columns(
        document=[row[0] for row in rows],
        annotator=[row[1] for row in rows],
        start=[row[2] for row in rows],
        end=[row[3] for row in rows],
        features={"category": [row[4] for row in rows], **features},
        worked=worked,
        bounds=bounds,
    )


def random_corpus(seed, n_documents=1, n_annotators=3, n_units=6, noise=2, extent=100, scale=1, offset=0):
    """Annotators who copy a reference with errors."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(n_documents):
        starts = np.sort(rng.choice(extent, n_units, replace=False))
        for a in range(n_annotators):
            for s in starts:
                if rng.random() < 0.9:
                    start = int(s + rng.integers(-noise, noise + 1)) * scale + offset
                    end = start + int(rng.integers(3, 9)) * scale
                    rows.append((f"d{d}", f"a{a}", start, end, "XYZ"[rng.integers(3) if rng.random() < 0.2 else d % 3]))
    return corpus_of(*rows)


def test_value_is_one_minus_observed_over_expected():
    result = unisono.gamma(random_corpus(1))
    assert result.value == pytest.approx(1 - result.observed / result.expected)
    assert result.n_samples >= 30
    assert 0 < result.expected_error < 0.02 * result.expected
    assert result.interval.low < result.value < result.interval.high <= 1
    assert result.signature.startswith("gamma|alpha:1|beta:1|delta_empty:1|chance:shift|precision:0.02|n:")
    assert result.signature.endswith(f"|seed:42|unisono:{unisono.__version__}")


def test_identical_annotators_agree_entirely():
    units = [(0, 4, "A"), (2, 9, "B"), (20, 20, "A"), (30, 31, "C")]
    rows = [("d", who, *unit) for who in "abc" for unit in units]
    result = unisono.gamma(corpus_of(*rows))
    assert result.observed == 0
    assert result.value == 1
    assert all(not row.differs for row in result.alignment["d"])


def test_identical_where_nothing_else_is_possible_is_one_and_says_so():
    rows = [("d", who, 0, 50, "A") for who in "ab"]
    result = unisono.gamma(corpus_of(*rows))
    assert result.value == 1
    assert "covers the whole continuum" in " ".join(result.notes)


def test_one_unit_that_covers_everything_is_undefined_with_the_reason():
    result = unisono.gamma(corpus_of(("d", "a", 0, 50, "A"), ("d", "b", 0, 50, "B")))
    assert result.value is None
    assert result.observed == 1
    assert "covers the whole continuum" in result.undefined


def test_one_unit_that_covers_everything_has_a_value_with_wider_bounds():
    corpus = corpus_of(("d", "a", 0, 50, "A"), ("d", "b", 0, 50, "B"), bounds={"d": (0, 500)})
    assert unisono.gamma(corpus).value is not None


def test_one_annotator_is_undefined():
    result = unisono.gamma(corpus_of(("d", "a", 0, 5, "A"), ("d", "a", 7, 9, "A")))
    assert result.value is None
    assert "fewer than two annotators" in result.undefined
    assert json.dumps(result.to_dict(), allow_nan=False)


def test_no_units_are_undefined():
    result = unisono.gamma(corpus_of(worked=[("d", "a"), ("d", "b")]))
    assert result.value is None
    assert "marked anything" in result.undefined


def test_no_documents_are_undefined():
    assert unisono.gamma(corpus_of()).undefined == "there are no documents"


def test_who_marked_nothing_is_not_who_was_not_asked():
    rows = [("d", who, *unit) for who in "ab" for unit in [(0, 5, "A"), (10, 15, "A"), (30, 40, "B")]]
    asked = unisono.gamma(corpus_of(*rows, worked=[("d", "c")]))
    not_asked = unisono.gamma(corpus_of(*rows))
    assert not_asked.value == 1
    assert asked.observed == pytest.approx(2 / 3 * 3 / 2)
    assert asked.value < 1


def test_documents_with_different_annotators():
    rows = [("d1", who, 10 * i, 10 * i + 5, "AB"[i % 2]) for who in "ab" for i in range(5)]
    rows += [("d2", who, 10 * i + 1, 10 * i + 5, "AB"[i % 2]) for who in "bcd" for i in range(7)]
    result = unisono.gamma(corpus_of(*rows))
    assert [row["n_annotators"] for row in result.to_dict()["documents"]] == [2, 3]
    assert result.value == 1


def test_documents_without_value_are_left_out_and_named():
    rows = [("d1", who, 10 * i + (who == "b"), 10 * i + 5, "A") for who in "ab" for i in range(5)]
    result = unisono.gamma(corpus_of(*rows, ("d2", "a", 0, 5, "A")))
    assert result.documents[1].value is None
    assert "1 of 2 documents has no value" in result.notes[0]
    assert result.value == pytest.approx(result.documents[0].value)


def test_corpus_value_pools_costs():
    result = unisono.gamma(random_corpus(5, n_documents=2, n_annotators=3), chance="shift")
    weights = [alignment.annotations.mean_units for alignment in result.alignment.values()]
    observed = np.average([document.observed for document in result.documents], weights=weights)
    expected = np.average([document.expected for document in result.documents], weights=weights)
    assert result.value == pytest.approx(1 - observed / expected)
    assert result.mean == pytest.approx(np.mean([document.value for document in result.documents]))


def test_auto_takes_the_corpus_where_it_can():
    assert unisono.gamma(random_corpus(3, n_documents=6, n_annotators=2)).chance == "corpus"
    assert unisono.gamma(random_corpus(3, n_documents=2, n_annotators=3)).chance == "shift"
    with pytest.raises(OptionError, match="as many documents as annotators"):
        unisono.gamma(random_corpus(3, n_documents=2, n_annotators=3), chance="corpus")


def test_same_seed_same_numbers_whatever_the_workers():
    corpus = random_corpus(4, n_documents=5, n_annotators=3)
    results = [unisono.gamma(corpus, rng=7, workers=workers) for workers in (1, 3)]
    with ProcessPoolExecutor(2) as processes:
        results.append(unisono.gamma(corpus, rng=7, workers=processes))
    assert len({json.dumps(result.to_dict(), sort_keys=True) for result in results}) == 1
    other = unisono.gamma(corpus, rng=8)
    assert other.expected != results[0].expected
    assert other.observed == results[0].observed


def test_generator_and_fresh_seed():
    corpus = random_corpus(4)
    a = unisono.gamma(corpus, rng=np.random.default_rng(3))
    b = unisono.gamma(corpus, rng=np.random.default_rng(3))
    assert a.expected == b.expected
    again = unisono.gamma(corpus, rng=None)
    assert unisono.gamma(corpus, rng=again.seed).expected == again.expected


@pytest.mark.parametrize("seed", range(5))
def test_observed_disorder_is_invariant(seed):
    base = unisono.gamma(random_corpus(seed))
    moved = unisono.gamma(random_corpus(seed, offset=10**12))
    scaled = unisono.gamma(random_corpus(seed, scale=1000))
    assert moved.observed == pytest.approx(base.observed, abs=1e-12)
    assert moved.value == pytest.approx(base.value, abs=1e-12)
    assert scaled.observed == pytest.approx(base.observed, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_names_and_order_do_not_matter(seed):
    corpus = random_corpus(seed)
    units = next(iter(corpus)).units
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(units))
    label = {"X": "q", "Y": "x", "Z": "a"}
    person = {"a0": "zoe", "a1": "max", "a2": "eva"}
    renamed = corpus_of(
        *(("other", person[units[i].annotator], units[i].start, units[i].end, label[units[i].category]) for i in order)
    )
    base, other = unisono.gamma(corpus), unisono.gamma(renamed)
    assert other.observed == pytest.approx(base.observed, abs=1e-12)
    assert other.expected == pytest.approx(base.expected, rel=0.06)
    first = base._categorical[0][1]
    assert other._categorical[0][1] == pytest.approx(first, abs=1e-9)


def test_delta_empty_scales_disorders_and_leaves_gamma():
    corpus = random_corpus(2)
    one, two = unisono.gamma(corpus), unisono.gamma(corpus, delta_empty=2)
    assert two.observed == pytest.approx(2 * one.observed)
    assert two.expected == pytest.approx(2 * one.expected)
    assert two.value == pytest.approx(one.value)


def test_gamma_cat_by_hand():
    rows = [("d", "a", 0, 10, "A"), ("d", "a", 20, 30, "B"), ("d", "a", 40, 50, "B")]
    rows += [("d", "b", 0, 10, "A"), ("d", "b", 20, 35, "A"), ("d", "b", 40, 50, "B")]
    result = unisono.gamma(corpus_of(*rows), chance="shift")
    weight = 1 - (5 / 25) ** 2
    assert result._categorical[0][1] == pytest.approx(weight / (2 + weight))
    by_category = {row["category"]: row for row in result.categories()}
    assert by_category["A"]["observed"] == pytest.approx(weight / (1 + weight))
    assert by_category["B"]["observed"] == pytest.approx(weight / (1 + weight))
    assert by_category["A"]["n_units"] == 3
    assert result.gamma_cat == pytest.approx(1 - result._categorical[0][1] / result._categorical[0][2])


def test_gamma_cat_weights_by_the_number_of_units_aligned():
    rows = [("d", who, 0, 10, cat) for who, cat in zip("abc", "AAB", strict=True)]
    rows += [("d", who, 20, 30, "A") for who in "ab"]
    result = unisono.gamma(corpus_of(*rows))
    assert result._categorical[0][1] == pytest.approx((2 * 0.5) / (3 * 0.5 + 1))


def test_single_category_has_no_gamma_cat():
    rows = [("d", who, 10 * i + (who == "b"), 10 * i + 6, "A") for who in "ab" for i in range(5)]
    result = unisono.gamma(corpus_of(*rows))
    assert result.gamma_cat is None
    assert "as with a single category" in result.gamma_cat_undefined


def test_subsets_of_annotators():
    corpus = random_corpus(9, n_annotators=4)
    result = unisono.gamma(corpus)
    pairs = {(row["annotator_1"], row["annotator_2"]): row for row in result.pairwise()}
    assert len(pairs) == 6
    alone = unisono.gamma(corpus.select(annotators=["a0", "a2"]), chance="shift")
    assert pairs["a0", "a2"]["value"] == alone.value
    without = {row["annotator"]: row for row in result.leave_one_out()}
    rest = unisono.gamma(corpus.select(annotators=["a0", "a1", "a2"]), chance="shift")
    assert without["a3"]["value_without"] == rest.value
    groups = {row["group"]: row for row in result.groups({"old": ["a0", "a1"], "new": ["a2", "a3"]})}
    assert groups["old"]["value"] == pairs["a0", "a1"]["value"]
    assert groups["old + new"]["value"] == result.value
    assert len(result.per_pair) == 6
    assert len(result.per_annotator) == 4


def test_frames():
    result = unisono.gamma(random_corpus(6, n_documents=3))
    assert len(result.per_document) == 3
    assert list(result.per_document["document"]) == ["d0", "d1", "d2"]
    assert len(result.per_category) == 3
    assert result.to_frame("polars")["value"][0] == result.value
    assert result.alignment["d0"].to_frame("pyarrow").num_rows == len(result.alignment["d0"])
    disorder = list(result.alignment["d0"].to_frame("pandas")["disorder"])
    assert disorder == sorted(disorder, reverse=True)


def test_parts_of_a_unitary_alignment_add_up():
    result = unisono.gamma(random_corpus(11, noise=4), alpha=2, beta=0.5)
    for row in result.alignment["d0"]:
        assert sum(row.parts.values()) == pytest.approx(row.disorder)
        assert set(row.units) == {"a0", "a1", "a2"}
    assert sum(result.disagreement.values()) == pytest.approx(1)


def test_several_features_with_weights():
    rows = [("d", "a", 0, 10, "A"), ("d", "b", 0, 10, "B")]
    corpus = corpus_of(*rows, bounds={"d": (0, 100)}, lemma=["x", "x"])
    observed = unisono.gamma(corpus, features={"category": 1, "lemma": 3}).observed
    assert observed == pytest.approx(0.25)
    assert unisono.gamma(corpus, features="lemma").observed == 0
    assert unisono.gamma(corpus).observed == 1


def test_features_must_be_chosen_if_none_is_named_category():
    corpus = unisono.Corpus.from_columns(
        annotator=["a", "b"], start=[0, 0], end=[5, 5], features={"pos": ["N", "V"], "lemma": ["x", "x"]}
    )
    with pytest.raises(unisono.DataError, match="name those that count"):
        unisono.gamma(corpus)
    with pytest.raises(unisono.DataError, match="there is no feature 'word'"):
        unisono.gamma(corpus, features="word")


def test_units_without_category():
    corpus = unisono.Corpus.from_columns(annotator=["a", "a", "b"], start=[0, 30, 0], end=[10, 35, 8])
    result = unisono.gamma(corpus)
    assert result.value is not None
    assert result.gamma_cat is None


def test_own_dissimilarity():
    def shared_start(u, v):
        return np.where(u.start == v.start, 0.0, 5.0) + (u.features["category"] != v.features["category"])

    corpus = corpus_of(("d", "a", 0, 10, "A"), ("d", "b", 0, 90, "A"), ("d", "b", 50, 90, "B"))
    result = unisono.gamma(corpus, dissimilarity=shared_start)
    assert result.observed == pytest.approx(1 / 1.5)
    assert "dissimilarity:shared_start" in result.signature


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"alpha": -1}, "alpha: expected a number from 0 up, not -1"),
        ({"alpha": 0, "beta": 0}, "cannot both be 0"),
        ({"delta_empty": 0}, "delta_empty: expected a number above 0, not 0"),
        ({"chance": "dice"}, "chance: expected auto, shift, corpus or statistical, not 'dice'"),
        ({"precision": 0}, "precision: expected a number between 0 and 1, e.g. 0.02, not 0"),
        ({"confidence": 1.5}, "confidence: expected a number between 0 and 1, e.g. 0.95, not 1.5"),
        ({"time_limit": 0}, "time_limit: expected a number above 0, not 0"),
        ({"rng": -3}, "seed must be"),
        (
            {"distance": "euclid"},
            r"unknown distance 'euclid'; available for γ: nominal, ordinal\(low,mid,high\), numeric",
        ),
        ({"f_cat": "cubic"}, "f_cat: expected linear, steep or a function"),
        ({"features": {"category": -1}}, "features: expected a number"),
        ({"workers": 0}, "workers: expected a whole number from 1 up, not 0"),
    ],
)
def test_senseless_options(options, sentence):
    with pytest.raises(OptionError, match=sentence):
        unisono.gamma(random_corpus(1), **options)


def test_ordinal_needs_an_order_or_numbers():
    rows = [("d", "a", 0, 5, 1), ("d", "b", 0, 5, 2), ("d", "b", 20, 25, 7)]
    assert unisono.gamma(corpus_of(*rows), distance="ordinal").observed == pytest.approx((0.5 + 1) / 1.5)
    with pytest.raises(DataError, match="ordinal needs numbers, or the order of the labels"):
        unisono.gamma(random_corpus(1), distance="ordinal")


@pytest.mark.parametrize("module", ["unisono", "unisono.cli.app"])
def test_importing_is_light(module):
    """The package, and the command line as far as help needs it."""
    import subprocess
    import sys

    code = (
        f"import sys, {module}; print([m for m in ('numba', 'scipy', 'pandas', 'numpy', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_corpus_chance_is_left_out_with_the_document():
    result = unisono.gamma(random_corpus(3, n_documents=6, n_annotators=2), precision=0.05)
    assert result.chance == "corpus"
    samples = result.documents[0].chance.samples
    weights = np.array([alignment.annotations.mean_units for alignment in result.alignment.values()])
    observed = np.array([alignment.solution.total for alignment in result.alignment.values()])
    expected = [
        np.mean(samples.disorder[(samples.documents != d).all(axis=1)]) * (weights.sum() - weights[d]) for d in range(6)
    ]
    by_definition = (observed.sum() - observed) / np.array(expected)
    assert result.parts.jackknife().without == pytest.approx(by_definition)


def test_agreeing_documents_without_chance_are_told_of():
    whole = [(d, who, 0, 50, "A") for d in ("d1", "d2") for who in "ab"]
    other = [("d3", who, 10 * i + (who == "b"), 10 * i + 6, "AB"[i % 2]) for who in "ab" for i in range(6)]
    result = unisono.gamma(corpus_of(*whole, *other), chance="shift")
    assert any("left out of γ of the corpus: 2 of 3" in note for note in result.notes)
    assert result.value == pytest.approx(result.documents[2].value)


def test_a_value_or_a_reason_always():
    agree = [("d1", who, 0, 50, "A") for who in "ab"]
    differ = [("d2", "a", 0, 50, "A"), ("d2", "b", 0, 50, "B")]
    result = unisono.gamma(corpus_of(*agree, *differ), chance="shift")
    assert result.value == 1
    assert result.observed == 0
    assert "1 of 2 documents has no value" in result.notes[0]


def test_documents_with_one_annotator_keep_their_counts():
    result = unisono.gamma(corpus_of(("d", "a", 0, 5, "A"), ("d", "a", 7, 9, "A")))
    document = result.to_dict()["documents"][0]
    assert (document["n_units"], document["n_annotators"]) == (2, 1)


def test_a_pair_that_shares_too_little_is_undefined_and_no_error():
    rows = [(f"d{d}", who, 10 * i + d, 10 * i + d + 6, "AB"[i % 2]) for d in range(8) for who in "ab" for i in range(3)]
    rows += [("d0", who, 10 * i, 10 * i + 6, "A") for i in range(3) for who in "ce"]
    result = unisono.gamma(corpus_of(*rows), chance="auto", precision=0.3)
    assert result.chance == "corpus"
    pairs = {(row["annotator_1"], row["annotator_2"]): row for row in result.pairwise()}
    assert pairs["a", "b"]["value"] is not None
    assert pairs["c", "e"]["value"] == 1  # they agree exactly
    rows[-1] = ("d0", "e", 1, 9, "B")
    again = unisono.gamma(corpus_of(*rows), chance="auto", precision=0.3)
    pair = {(row["annotator_1"], row["annotator_2"]): row for row in again.pairwise()}["c", "e"]
    assert pair["value"] is None
    assert "as many documents as annotators" in pair["undefined"]


def test_own_dissimilarity_has_a_kind_of_its_own():
    corpus = corpus_of(("d", "a", 0, 10, "A"), ("d", "b", 0, 10, "B"), ("d", "b", 50, 90, "B"))
    result = unisono.gamma(
        corpus, precision=0.3, dissimilarity=lambda u, v: (u.features["category"] != v.features["category"]) * 0.5
    )
    assert set(result.disagreement) == {"dissimilarity", "missing"}
    assert result._repr_html_()


def test_asymmetric_dissimilarity_is_refused():
    corpus = corpus_of(("d", "a", 0, 10, "A"), ("d", "b", 3, 10, "B"))
    with pytest.raises(OptionError, match="depends on their order"):
        unisono.gamma(corpus, dissimilarity=lambda u, v: np.maximum(u.start - v.start, 0.0))


def test_signature_knows_a_matrix_by_its_content():
    corpus = corpus_of(("d", "a", 0, 10, "A"), ("d", "b", 3, 10, "B"), bounds={"d": (0, 50)})
    one, two = (unisono.gamma(corpus, distance={("A", "B"): value}).signature for value in (0.5, 0.6))
    assert one != two


@pytest.mark.parametrize(
    "options",
    [
        {"distance": unisono.Numeric(1.0), "f_cat": lambda x: -x},
        {"f_cat": lambda x: x * np.nan},
        {"distance": {("A", "B"): 0.2, ("B", "A"): 0.9}},
    ],
)
def test_senseless_functions(options):
    with pytest.raises(unisono.UnisonoError):
        unisono.gamma(corpus_of(("d", "a", 0, 10, "1"), ("d", "b", 3, 10, "2")), **options)


def test_what_is_no_corpus_is_refused_with_advice():
    for call in (unisono.gamma, unisono.align):
        with pytest.raises(DataError, match=r"annotations\.csv: there is no such file"):
            call("annotations.csv")
        with pytest.raises(OptionError, match=r"corpus: expected a path, a data frame, what unisono\.read.*, not list"):
            call([1, 2])
        with pytest.raises(DataError, match=r"units with a start and an end are needed.*use krippendorff-alpha"):
            call({"anna": ["x", "y"], "bert": ["x", "x"]})


def test_different_texts_are_noted():
    corpus = unisono.Corpus.from_columns(
        annotator=["a", "a", "b", "b"],
        start=[0, 20, 1, 20],
        end=[5, 25, 5, 26],
        texts={("document", "a"): "x" * 40, ("document", "b"): "y" * 41},
    )
    assert any("different texts" in note for note in unisono.gamma(corpus).notes)


def test_reprs_are_short():
    result = unisono.gamma(random_corpus(1))
    assert len(repr(result)) < 120
    assert len(repr(result.alignment["d0"])) < 120


@pytest.mark.parametrize("alpha", [1e-320, 1e-100, 1e-13])
def test_hardly_any_weight_of_positions_is_like_none(alpha):
    corpus = unisono.Corpus.from_columns(
        annotator=["a", "a", "a", "b", "b", "c"],
        start=[0, 5, 20, 30, 40, 3],
        end=[3, 9, 22, 33, 41, 8],
        features={"category": list("XYXXYX")},
    )
    given, without = (unisono.gamma(corpus, alpha=weight, precision=0.1) for weight in (alpha, 0.0))
    assert given.observed == pytest.approx(without.observed, abs=1e-9)
    assert given.value == pytest.approx(without.value, abs=1e-9)


@pytest.mark.parametrize("measure", ["gamma(precision=1e-9)", "text-gamma(precision=1e-9,p_text=0.2)"])
def test_a_precision_that_takes_ages_is_refused(measure):
    corpus = unisono.Corpus.from_columns(
        annotator=["a", "a", "b", "b"],
        start=[0, 5, 1, 5],
        end=[3, 9, 3, 8],
        features={"category": list("XYXY")},
        texts={("", "a"): "abcdefghijkl", ("", "b"): "abcdefghijkl"},
        document=[""] * 4,
    )
    with pytest.raises(OptionError, match=r"^precision: 1e-09 needs about .* samples, more than 1,000,000; use "):
        unisono.measure(measure, corpus)


@pytest.mark.parametrize("chance", ["auto", "shift", "statistical"])
def test_the_same_without_machine_code(chance, monkeypatch):
    corpus = random_corpus(3, n_documents=4)
    compiled = unisono.gamma(corpus, chance=chance, precision=0.1)
    monkeypatch.setattr(switch, "_on", False)
    monkeypatch.setattr(switch, "_WORTH_LOADING", 10**12)
    interpreted = unisono.gamma(corpus, chance=chance, precision=0.1)
    assert not switch.compiled()
    assert interpreted.to_dict() == compiled.to_dict()
    assert interpreted.leave_one_out() == compiled.leave_one_out()


def test_samples_of_long_batches_are_shared_out(monkeypatch):
    corpus = unisono.Corpus.from_columns(
        document=[f"d{n}" for n in range(600) for _ in range(4)],
        annotator=["anna", "anna", "bert", "bert"] * 600,
        start=[0, 10, 1, 12] * 600,
        end=[5, 19, 6, 19] * 600,
        features={"category": ["a", "b", "a", "a"] * 600},
    )
    monkeypatch.setattr(switch, "_on", True)  # workers are only used with machine code
    steps = []
    for fine in (0.0, 1.0):
        monkeypatch.setattr("unisono.measurement.gamma.measure._FINE", fine)
        told = []
        found = unisono.gamma(
            corpus, chance="shift", precision=0.3, workers=2, progress=lambda done, total, told=told: told.append(done)
        )
        steps.append((len(told), found.to_dict()))
    assert steps[0][1] == steps[1][1]
    assert steps[0][0] == 5 < steps[1][0]
