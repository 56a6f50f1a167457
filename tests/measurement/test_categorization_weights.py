"""Weights, Light's κ and analytic standard errors: plain formulas, other programs, worked examples, invariants."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import categorization_oracle as oracle
import numpy as np
import pytest
from categorization_helpers import from_cells, from_text, random_table

import unisono
from unisono.data import Ratings
from unisono.errors import DataError, OptionError

WEIGHTS = ("nominal", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")
FORMULAS = {
    "fleiss-kappa": oracle.fleiss,
    "multi-kappa": oracle.conger,
    "bennett-s": oracle.brennan_prediger,
    "gwet-ac2": oracle.gwet,
}
IRRCAC = json.loads(Path(__file__).with_name("irrcac.json").read_text(encoding="utf-8"))
"""Value and standard error of irrCAC 0.4.4, which cannot be installed beside a newer SciPy."""
NAMES = {
    "fleiss": "fleiss-kappa",
    "gwet": "gwet-ac2",
    "conger": "multi-kappa",
    "bp": "bennett-s",
    "krippendorff": "krippendorff-alpha",
}
COHEN = {(1, 1): 88, (1, 2): 14, (1, 3): 18, (2, 1): 10, (2, 2): 40, (2, 3): 10, (3, 1): 2, (3, 2): 6, (3, 3): 12}


def measured(name, weights, data, parameter="weights"):
    return unisono.measure(f"{name}({parameter}={weights})", data)


def drawn(seed):
    """A random table whose labels are 1 to K, all of which occur."""
    rng = np.random.default_rng(1000 + seed)
    n_labels = int(rng.integers(2, 6))
    table = random_table(
        seed,
        n_items=int(rng.integers(8, 40)),
        n_annotators=int(rng.integers(2, 6)),
        n_labels=n_labels,
        missing=float(rng.choice([0, 0.1, 0.3])),
    )
    table[:n_labels, 0] = np.arange(1, n_labels + 1)
    table[0, 1] = 1
    return table, n_labels


@pytest.mark.parametrize("name", FORMULAS)
def test_plain_formulas_on_random_tables(name):
    """Values, and standard errors from the derivative by the weight of each item."""
    for seed in range(80):
        table, n_labels = drawn(seed)
        weights = WEIGHTS[seed % len(WEIGHTS)]
        w = oracle.weights_of(weights, range(1, n_labels + 1))
        rows = [[(who, label - 1) for who, label in row] for row in oracle.rows_of(table) if row]
        found = measured(name, weights, Ratings.of(table, rows="items"))
        assert found.value == pytest.approx(FORMULAS[name](rows, np.ones(len(rows)), w), abs=1e-12)
        n, paired = len(rows), np.array([len(row) >= 2 for row in rows])
        # Gwet does not take the number of items with two labels for random, which adds a little where some have one
        influence = oracle.influences(FORMULAS[name], rows, w) + found.value * (paired / paired.sum() - 1 / n)
        squares = np.square(influence).sum() * n / (n - 1)
        assert found.details["standard_error_analytic"] == pytest.approx(np.sqrt(squares), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "formula", "factor"),
    [("cohen-kappa", oracle.cohen, 0), ("weighted-kappa", oracle.cohen, 0), ("scott-pi", oracle.scott, 1)],
)
def test_plain_formulas_of_two_annotators(name, formula, factor):
    for seed in range(160):
        table = drawn(seed)[0][:, :2]
        both = table[~np.isnan(table).any(axis=1)]
        labels = sorted(set(both.ravel().astype(int).tolist()))
        if len(labels) < 2:
            continue
        weights = WEIGHTS[seed % len(WEIGHTS)] if name == "weighted-kappa" else "nominal"
        data = Ratings.of(both, rows="items")
        found = measured(name, weights, data) if name == "weighted-kappa" else unisono.measure(name, data)
        w = oracle.weights_of(weights, labels)
        rows = [[(who, labels.index(label)) for who, label in row] for row in oracle.rows_of(both)]
        n = len(rows)
        assert found.value == pytest.approx(formula(rows, np.ones(n), w), abs=1e-12)
        squares = np.square(oracle.influences(formula, rows, w)).sum() * (n / (n - 1) if factor else 1)
        error = found.details["standard_error_analytic"]
        assert error == pytest.approx(np.sqrt(squares), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_light_is_the_mean_over_pairs(weights):
    for seed in range(40):
        table = random_table(seed, n_annotators=3 + seed % 3, n_labels=4, missing=0.1 * (seed % 2))
        rows = [[(who, label - 1) for who, label in row] for row in oracle.rows_of(table)]
        found = measured("light-kappa", weights, Ratings.of(table, rows="items"))
        assert found.value == pytest.approx(oracle.light(rows, oracle.weights_of(weights, range(1, 5))), abs=1e-12)
        pairs = [row["value"] for row in found.pairwise()]
        assert found.value == pytest.approx(np.mean(pairs))
        assert (found.details["lowest_pair"], found.details["highest_pair"]) == pytest.approx((min(pairs), max(pairs)))


@pytest.mark.parametrize("weights", IRRCAC[0]["found"])
@pytest.mark.parametrize("theirs", NAMES)
def test_irrcac(theirs, weights):
    ours = {"identity": "nominal"}.get(weights, weights)
    for one in IRRCAC:
        data = from_text(one["table"])
        span = max(data.labels) - min(data.labels) + 1
        distance = {"quadratic": "interval", "ordinal": "gwet-ordinal", "circular": f"circular({span})"}.get(ours, ours)
        alpha = theirs == "krippendorff"
        found = measured(NAMES[theirs], distance if alpha else ours, data, "distance" if alpha else "weights")
        value, error = one["found"][weights][theirs]
        assert found.value == pytest.approx(value, abs=1e-9)
        assert found.details["standard_error_analytic"] == pytest.approx(error, abs=1e-9)
        n = sum(len(word.replace(".", "")) > (1 if alpha else 0) for word in one["table"].split())
        low = found.value - unisono_t(n - 1) * error
        assert found.details["interval_analytic"]["low"] == pytest.approx(low, abs=1e-8)


def unisono_t(freedom):
    from scipy.stats import t

    return t.ppf(0.975, freedom)


def test_fleiss_cohen_everitt_1969():
    """Their formulas, as statsmodels writes them; the data is that of Cohen (1960)."""
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    cells = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    data = from_cells(COHEN)
    plain = inter_rater.cohens_kappa(cells)
    assert unisono.cohen_kappa(data).details["standard_error_analytic"] == pytest.approx(plain.std_kappa)
    for weights, theirs in {"linear": "linear", "quadratic": "quadratic"}.items():
        found = unisono.weighted_kappa(data, weights=weights)
        other = inter_rater.cohens_kappa(cells, wt=theirs)
        assert found.value == pytest.approx(other.kappa)
        assert found.details["standard_error_analytic"] == pytest.approx(other.std_kappa)
    rng = np.random.default_rng(4)
    for _ in range(100):
        cells = rng.integers(0, 20, (4, 4)) + np.diag(rng.integers(1, 40, 4))
        rows = [(c + 1, k + 1) for c in range(4) for k in range(4) for _ in range(cells[c, k])]
        error = unisono.cohen_kappa(rows, rows="items").details["standard_error_analytic"]
        assert error == pytest.approx(inter_rater.cohens_kappa(cells).std_kappa)


GWET_2014 = "11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 ..3."  # Table 2.10, also in irrCAC as raw_4raters


def test_gwet_2014_four_raters():
    """The values and standard errors that irrCAC documents for the table of four raters."""
    data = from_text(GWET_2014)
    ac1 = unisono.gwet_ac1(data)
    assert (ac1.value, ac1.details["standard_error_analytic"]) == pytest.approx((0.77544, 0.14295), abs=5e-6)
    assert (ac1.observed, ac1.expected) == pytest.approx((0.81818, 0.19032), abs=5e-6)
    limits = ac1.details["interval_analytic"]
    assert (limits["low"], limits["high"]) == pytest.approx((0.46081, 1.0), abs=5e-6)
    kappa = unisono.fleiss_kappa(data)
    assert (kappa.value, kappa.details["standard_error_analytic"]) == pytest.approx((0.76117, 0.15302), abs=5e-6)
    ac2 = unisono.gwet_ac2(data, weights="bipolar")
    assert (ac2.value, ac2.details["standard_error_analytic"]) == pytest.approx((0.90037, 0.10582), abs=5e-6)
    assert (ac2.observed, ac2.expected) == pytest.approx((0.96836, 0.68244), abs=5e-6)


def test_conger_1980_and_fleiss_1971_of_two_annotators():
    """Conger's κ generalizes Cohen's, and so does Light's; Fleiss' generalizes Scott's."""
    data = from_cells(COHEN)
    for weights in ("nominal", "linear", "bipolar"):
        two = measured("weighted-kappa", weights, data).value
        assert measured("multi-kappa", weights, data).value == pytest.approx(two)
        assert measured("light-kappa", weights, data).value == pytest.approx(two)
    assert unisono.fleiss_kappa(data).value == pytest.approx(unisono.scott_pi(data).value)


@pytest.mark.parametrize("name", [*FORMULAS, "light-kappa", "krippendorff-alpha"])
@pytest.mark.parametrize("weights", WEIGHTS[1:])
def test_neither_order_nor_names_matter(name, weights):
    parameter = "distance" if name == "krippendorff-alpha" else "weights"
    if name == "krippendorff-alpha" and weights == "circular":
        weights = "circular(4)"
    rng = np.random.default_rng(5)
    table = random_table(3, n_annotators=4, missing=0.1)
    found = measured(name, weights, Ratings.of(table, rows="items"), parameter)
    for turned in (table[rng.permutation(len(table))], table[:, ::-1]):
        other = measured(name, weights, Ratings.of(turned, rows="items"), parameter)
        assert other.value == pytest.approx(found.value)
        assert other.details.get("standard_error_analytic") == pytest.approx(
            found.details.get("standard_error_analytic")
        )
    if weights == "circular(4)":
        return
    words = ["", "low", "mid", "high", "top"]
    renamed = [[None if cell != cell else words[int(cell)] for cell in row] for row in table]
    ordered = measured(name, f"{weights}(low,mid,high,top)", Ratings.of(renamed, rows="items"), parameter)
    assert ordered.value == pytest.approx(found.value)


def test_weights_name_categories_that_nobody_chose():
    table = [["low", "low"], ["low", "mid"], ["mid", "mid"]]
    w = oracle.weights_of("linear", [1, 2, 3])
    rows = [[(0, 0), (1, 0)], [(0, 0), (1, 1)], [(0, 1), (1, 1)]]
    found = unisono.bennett_s(table, weights="linear(low,mid,high)", rows="items")
    assert found.value == pytest.approx(oracle.brennan_prediger(rows, np.ones(3), w))
    assert unisono.bennett_s(table, categories=5, rows="items").expected == pytest.approx(1 / 5)
    assert unisono.gwet_ac2(table, weights="nominal", categories=5, rows="items").value == pytest.approx(
        unisono.gwet_ac1(table, categories=5, rows="items").value
    )
    with pytest.raises(OptionError, match="the weights of only 3 are known"):
        unisono.bennett_s(table, weights="linear(low,mid,high)", categories=4, rows="items")
    with pytest.raises(DataError, match="is not a number; linear needs numbers, or the order"):
        unisono.fleiss_kappa(table, weights="linear", rows="items")
    with pytest.raises(OptionError, match="must be between 0 and 1 here"):
        unisono.multi_kappa([[1, 2], [2, 2]], weights=lambda u, v: 2.0 * (u != v), rows="items")


def test_light_without_a_value():
    same = unisono.light_kappa({"a": [*"xyxy"], "b": [*"xxyy"], "c": [*"xxxx"], "d": [*"xxxx"]})
    assert same.value is None
    assert "κ of 1 of 6 pairs of annotators is undefined" in same.undefined
    apart = unisono.light_kappa({"a": ["x", "y", None], "b": ["x", "y", "x"], "c": [None, None, "x"]})
    assert apart.value is None
    never = unisono.light_kappa({"a": ["x", "y", "x"], "b": ["x", "y", "y"], "c": [None, None, None]})
    assert never.value == pytest.approx(unisono.cohen_kappa({"a": ["x", "y", "x"], "b": ["x", "y", "y"]}).value)


def test_light_of_one_category_against_all_others():
    table = random_table(8, n_annotators=3, missing=0.1)
    found = {row["category"]: row["value"] for row in unisono.light_kappa(table, rows="items").rows["categories"]}
    for label in (1, 2, 3, 4):
        one = np.where(np.isnan(table), np.nan, table == label)
        assert found[label] == pytest.approx(unisono.light_kappa(one, rows="items").value)


def test_details_are_the_same_for_items_and_for_how_often_they_occur():
    data = from_cells(COHEN)
    rows = np.unique(data.codes, axis=0, return_counts=True)
    short = Ratings(range(1, 10), data.annotators, data.documents, np.zeros(9, int), rows[0], data.labels, rows[1])
    for name in ("cohen-kappa", "fleiss-kappa", "multi-kappa", "gwet-ac1", "krippendorff-alpha", "percent-agreement"):
        one, other = (unisono.measure(name, some).details for some in (data, short))
        assert one["standard_error_analytic"] == pytest.approx(other["standard_error_analytic"])
        assert one.keys() == other.keys()


@pytest.mark.parametrize(
    "name",
    [
        *(f"{name}(weights=linear)" for name in [*FORMULAS, "light-kappa"]),
        *(f"krippendorff-alpha(distance={name})" for name in ("ordinal", "ratio", "bipolar")),
        "gwet-ac1",
        "percent-agreement",
    ],
)
def test_results_can_be_pickled_before_and_after_their_details_are_read(name):
    result = unisono.measure(name, Ratings.of(random_table(1), rows="items"))
    before = pickle.loads(pickle.dumps(result))
    details = dict(result.details)
    after = pickle.loads(pickle.dumps(result))
    assert before.details == details == after.details
    assert before == result == after


def test_percent_agreement_is_a_mean():
    table = random_table(2, n_annotators=3, missing=0)
    share = [np.mean([a == b for a, b in ((r[0], r[1]), (r[0], r[2]), (r[1], r[2]))]) for r in table]
    found = unisono.percent_agreement(table, rows="items").details["standard_error_analytic"]
    assert found == pytest.approx(np.std(share, ddof=1) / np.sqrt(len(share)))


@pytest.mark.parametrize("name", ["cohen-kappa", "fleiss-kappa", "krippendorff-alpha", "gwet-ac1", "multi-kappa"])
def test_details_without_a_value_or_a_variance(name):
    none = unisono.measure(name, {"a": [*"xxxx"], "b": [*"xxxx"]})
    assert none.value is None if name != "gwet-ac1" else True
    assert "standard_error_analytic" not in none.details
    json.dumps(none.to_dict(), allow_nan=False)
    full = unisono.measure(name, {"a": [*"xyxy"], "b": [*"xyxy"]})
    assert full.value == pytest.approx(1)
    assert full.details["standard_error_analytic"] == 0
    assert full.details["benchmarks"] is None
    json.dumps(full.to_dict(), allow_nan=False)


def test_two_annotators_are_tested_for_marginal_homogeneity():
    data = from_cells({("yes", "yes"): 20, ("yes", "no"): 12, ("no", "yes"): 3, ("no", "no"): 15})
    for name in ("cohen-kappa", "scott-pi", "weighted-kappa(weights=nominal)"):
        details = unisono.measure(name, data).details
        assert details["mcnemar"]["statistic"] == pytest.approx(81 / 15)
        assert details["mcnemar"]["exact"]
        assert details["stuart_maxwell"]["statistic"] == pytest.approx(81 / 15)
        assert details["bhapkar"]["statistic"] == pytest.approx(81 / 15 / (1 - 81 / 15 / 50))
    shown = {line.name: line.remark for line in unisono.cohen_kappa(data).headline()}
    assert shown["stuart maxwell"] == "df 1, p 0.020"
    assert "for independent items" in shown["standard error (analytic)"]
    assert "mcnemar" not in unisono.cohen_kappa(from_cells(COHEN)).details


def test_atoms_have_no_standard_error_of_independent_items():
    rows = [("anna", 0, 10), ("bert", 0, 12), ("anna", 20, 30), ("bert", 21, 30)]
    corpus = unisono.Corpus.from_columns(
        annotator=[who for who, _, _ in rows],
        start=[start for _, start, _ in rows],
        end=[end for _, _, end in rows],
        features={"category": list("XXYY")},
        bounds={"document": (0, 40)},
    )
    assert "standard_error_analytic" not in unisono.discretized_kappa(corpus).details
