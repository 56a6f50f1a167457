"""The interval of any coefficient: what is left out, limits, coverage, and what others give."""

from __future__ import annotations

import json
import warnings
from typing import Unpack

import numpy as np
import pytest

import unisono
from unisono.data import Corpus, Ratings
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.family import FAMILY
from unisono.measurement.coefficient import coefficient
from unisono.measurement.document_groups import grouped_documents
from unisono.measurement.options import RatingsOptions
from unisono.measurement.registry import measures, parse_measure
from unisono.results import Estimate, Interval
from unisono.results.estimate import spelled_interval

UNITS = ("u-alpha", "cu-alpha", "alpha-u", "discretized-alpha", "discretized-kappa", "span-f1", "slot-error-rate")
CUTS = ("pk", "window-diff", "generalized-hamming", "segmentation-similarity", "boundary-similarity")
LABELS = [name for name, one in measures().items() if one.family == "ratings"]
FOR_TWO = {"scott-pi", "cohen-kappa", "weighted-kappa"}


def labels(rng, n_items, n_annotators=2, n_documents=1, deviates=0.25):
    """Labels of which so many are drawn anew."""
    truth = rng.integers(1, 4, n_items)
    columns = [
        np.where(rng.random(n_items) < deviates, rng.integers(1, 4, n_items), truth) for _ in range(n_annotators)
    ]
    document = [str(i * n_documents // n_items) for i in range(n_items)]
    return Ratings.from_annotators({f"a{i}": column.tolist() for i, column in enumerate(columns)}, document=document)


def spans(rng, n_documents, n_units=12, deviates=0.3):
    columns = {"document": [], "annotator": [], "start": [], "end": []}
    category = []
    for number in range(n_documents):
        edges = np.sort(rng.choice(np.arange(0, 20 * n_units, 2), 2 * n_units, replace=False))
        for who in "ab":
            for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
                if rng.random() < deviates / 3:
                    continue
                columns["document"].append(str(number))
                columns["annotator"].append(who)
                columns["start"].append(start + int(rng.random() < deviates))
                columns["end"].append(end)
                category.append(str(rng.integers(1, 4) if rng.random() < deviates else 1))
    bounds = {str(number): (0, 20 * n_units) for number in range(n_documents)}
    return Corpus.from_columns(**columns, features={"category": category}, bounds=bounds)


def cuts(rng, n_documents, n_segments=12, deviates=0.3):
    columns = {"document": [], "annotator": [], "start": [], "end": []}
    for number in range(n_documents):
        true = np.sort(rng.choice(np.arange(1, 10 * n_segments), n_segments - 1, replace=False))
        for who in "ab":
            moved = np.unique(np.clip(true + (rng.random(len(true)) < deviates), 1, 10 * n_segments - 1)).tolist()
            edges = [0, *moved, 10 * n_segments]
            columns["start"] += edges[:-1]
            columns["end"] += edges[1:]
            columns["document"] += [str(number)] * (len(edges) - 1)
            columns["annotator"] += [who] * (len(edges) - 1)
    return Corpus.from_columns(**columns)


def data_for(name, rng, n_documents):
    if name in LABELS:
        return labels(rng, 20 * n_documents, n_documents=n_documents)
    return (spans if name in UNITS else cuts)(rng, n_documents, 12 if n_documents > 1 else 60)


@pytest.mark.parametrize("name", [*LABELS, *UNITS, *CUTS])
@pytest.mark.parametrize("n_documents", [1, 8])
def test_every_measure_has_an_interval_around_its_value(name, n_documents):
    result = parse_measure(name).compute(data_for(name, np.random.default_rng(3), n_documents))
    interval = result.interval
    assert interval.low < result.value < interval.high
    if measures()[name].scale == "agreement":
        assert interval.high <= 1
    else:
        assert interval.low >= 0
    if not measures()[name].corrected and measures()[name].scale == "agreement":
        assert interval.low >= 0
    assert ("8 documents" in interval.method) == (n_documents == 8)
    plain = result.to_dict()
    assert plain["interval"] == interval.to_dict()
    json.dumps(plain, allow_nan=False, default=list)
    assert spelled_interval(interval, result.value) in result.headline()[0].remark


@pytest.mark.parametrize("name", [*LABELS, *UNITS, *CUTS])
def test_leaving_out_is_measuring_without(name):
    data = data_for(name, np.random.default_rng(4), 6)
    result = parse_measure(name).compute(data)
    groups = [["0"], ["1", "4"], ["5"]]
    found = result.parts.leave_out(groups).without
    for error, group in zip(found, groups, strict=True):
        rest = [document for document in data.documents if document not in group]
        some = (
            data.select(documents=rest, all_labels=True) if isinstance(data, Ratings) else data.select(documents=rest)
        )
        value = parse_measure(name).compute(some).value
        assert error == pytest.approx(1 - value if measures()[name].scale == "agreement" else value)


@pytest.mark.parametrize(
    "name", ["krippendorff-alpha", "fleiss-kappa", "gwet-ac2", "u-alpha", "span-f1", "window-diff"]
)
@pytest.mark.parametrize("deviates", [0.0, 0.3])
def test_the_order_of_documents_and_annotators_does_not_matter(name, deviates):
    make = labels if name in LABELS else spans if name in UNITS else cuts
    rng = np.random.default_rng(13)
    data = labels(rng, 60, 3, 6, deviates) if make is labels else make(rng, 6, deviates=deviates)
    found = parse_measure(name).compute(data).interval
    turned = data.select(documents=data.documents[::-1]).select(annotators=data.annotators[::-1])
    other = parse_measure(name).compute(turned).interval
    assert (other.low, other.high, other.method) == (pytest.approx(found.low), pytest.approx(found.high), found.method)


@pytest.mark.parametrize("name", ["krippendorff-alpha(distance=interval)", "percent-agreement", "gwet-ac1"])
def test_more_of_the_same_is_narrower(name):
    """Every document twice, under another name: the value stays, and the interval is narrower."""
    data = labels(np.random.default_rng(14), 80, 2, 8, 0.3)
    columns = {who: [data.labels[code] for code in data.codes[:, k]] * 2 for k, who in enumerate(data.annotators)}
    names = [data.documents[index] for index in data.document.tolist()]
    twice = Ratings.from_annotators(columns, document=names + [f"again {name}" for name in names])
    one, two = (parse_measure(name).compute(some) for some in (data, twice))
    assert two.value == pytest.approx(one.value, abs=0.01)
    assert two.interval.high - two.interval.low < 0.85 * (one.interval.high - one.interval.low)


def test_kappa_against_statsmodels():
    """Its asymptotic variance and our jackknife agree on many items."""
    from statsmodels.stats.inter_rater import cohens_kappa

    data = labels(np.random.default_rng(5), 4000, n_documents=4000 // 20, deviates=0.4)
    found = unisono.cohen_kappa(data)
    table = np.zeros((3, 3))
    np.add.at(table, tuple(data.codes.T), 1)
    other = cohens_kappa(table)
    assert found.value == pytest.approx(other.kappa)
    half = (found.interval.high - found.interval.low) / 2
    assert half == pytest.approx(1.96 * other.std_kappa, rel=0.25)


IRRCAC = {
    ("krippendorff-alpha", 0.0): (0.50411, 0.03182),
    ("fleiss-kappa", 0.0): (0.50356, 0.03182),
    ("gwet-ac1", 0.0): (0.58882, 0.02806),
    ("krippendorff-alpha", 0.15): (0.48921, 0.03567),
    ("fleiss-kappa", 0.15): (0.49207, 0.03714),
    ("gwet-ac1", 0.15): (0.58670, 0.03275),
}
"""Value and standard error of irrCAC 0.4.4, of 300 items with three labels each, or with so many missing."""


@pytest.mark.parametrize(("name", "missing"), IRRCAC)
def test_standard_errors_of_irrcac(name, missing):
    """Items left out one by one say what its formulas for the variance say."""
    rng, shares = np.random.default_rng(30), [0.5, 0.25, 0.15, 0.1]
    truth = rng.choice(4, 300, p=shares)
    codes = np.stack([np.where(rng.random(300) < 0.3, rng.choice(4, 300, p=shares), truth) for _ in range(3)], axis=1)
    codes = np.where(rng.random(codes.shape) < missing, -1, codes)
    items = tuple(map(str, range(300)))
    result = parse_measure(name).compute(Ratings(items, tuple("abc"), items, np.arange(300), codes, (1, 2, 3, 4)))
    value, error = IRRCAC[name, missing]
    assert result.value == pytest.approx(value, abs=1e-5)
    left = result.parts.leave_out([[item] for item in items])
    slope = left.error * (2 - left.error) / 2  # of r by λ = log(r / (2 - r))
    assert slope * np.sqrt(left.variance) == pytest.approx(error, rel=0.03)
    half = (result.interval.high - result.interval.low) / 2  # over 50 groups of items
    assert half == pytest.approx(1.97 * error, rel=0.2)


@pytest.mark.parametrize(("n_documents", "parts"), [(2, "100 items"), (3, "3 documents"), (4, "4 documents")])
def test_few_documents_are_cut_into_items(n_documents, parts):
    found = unisono.krippendorff_alpha(labels(np.random.default_rng(6), 100, n_documents=n_documents))
    assert found.interval.method == f"jackknife over {parts}"


def test_many_documents_are_left_out_in_groups():
    found = unisono.krippendorff_alpha(labels(np.random.default_rng(7), 600, n_documents=120))
    assert found.interval.method == "jackknife over 50 groups of documents"
    assert [len(group) for group in grouped_documents(list("abcdefgh"), 10**9)] == [1] * 8
    assert max(map(len, grouped_documents([str(i) for i in range(1000)], 10**9))) == 100


@pytest.mark.parametrize("name", ["krippendorff-alpha", "cohen-kappa", "percent-agreement", "span-f1", "window-diff"])
def test_without_disagreement_the_interval_has_a_width(name):
    rng = np.random.default_rng(8)
    make = spans if name in UNITS else cuts
    data = labels(rng, 50, deviates=0.0) if name in LABELS else make(rng, 5, deviates=0.0)
    result = parse_measure(name).compute(data)
    interval = result.interval
    assert result.agreement == pytest.approx(1)
    assert 0.01 < interval.high - interval.low < 0.3
    assert interval.method == "Poisson limit, no disagreement seen"
    if name == "percent-agreement":
        assert interval.low == pytest.approx(1 - 3.6889 / 50, abs=1e-4)


def test_few_disputed_items_have_poisson_limits():
    first = ["x", "y"] * 20
    second = ["y", *first[1:]]
    found = unisono.percent_agreement({"a": first, "b": second})
    assert found.interval.method == "Poisson limits, 1 item disputed"
    assert found.interval.low == pytest.approx(1 - 5.5716 / 40, abs=1e-4)
    assert found.interval.high == pytest.approx(1 - 0.0253 / 40, abs=1e-4)


def test_where_one_document_has_all_disagreement_it_is_an_event_seen_once():
    first = ["x", "y"] * 30
    second = ["y", "y", "y", *first[3:]]
    document = [str(i // 10) for i in range(60)]
    found = unisono.cohen_kappa(Ratings.from_annotators({"a": first, "b": second}, document=document))
    assert found.interval.method == "Poisson limits, nearly all disagreement in one of 6 documents"
    assert found.interval.low == pytest.approx(1 - 5.5716 * (1 - found.value), abs=1e-4)
    assert found.interval.high == pytest.approx(1 - 0.0253 * (1 - found.value), abs=1e-4)


def rare_in_one(n_documents=6):
    """Only the last document has another label than x: without it there is no α."""
    first = ["x"] * 54 + list("yyyxyx")
    second = list(first)
    second[55], second[57] = "x", "y"
    document = [f"d{i * n_documents // 60}" for i in range(60)]
    return Ratings.from_annotators({"a": first, "b": second}, document=document)


def test_without_a_value_when_one_document_is_left_out_there_is_no_interval():
    result = unisono.krippendorff_alpha(rare_in_one())
    assert result.parts.jackknife().n_undefined == 1
    assert result.interval is None
    assert result.no_interval == "without document d5 there is no value, so everything depends on one document"
    assert result.no_interval in result.headline()[0].remark
    assert result.to_dict()["no_interval"] == result.no_interval
    assert unisono.percent_agreement(rare_in_one()).no_interval is None


def test_without_a_value_when_one_block_is_left_out_disputed_items_count():
    interval = unisono.krippendorff_alpha(rare_in_one(1)).interval
    assert interval.method == "Poisson limits, 2 items disputed"
    assert interval.low < 0.2 < 0.95 < interval.high


def test_where_rare_labels_are_in_few_documents_these_count():
    """Two documents have another label than x: α is as uncertain as one of two documents, agreement of ten is not."""
    first = ["x"] * 80 + list("xyxyxyxyxy") * 2
    second = list(first)
    second[81], second[82], second[93] = "x", "y", "x"
    document = [str(i // 10) for i in range(100)]
    data = Ratings.from_annotators({"a": first, "b": second}, document=document)
    assert unisono.krippendorff_alpha(data).parts.jackknife().freedom == pytest.approx(1)
    assert unisono.percent_agreement(data).parts.jackknife().freedom == pytest.approx(9)
    assert unisono.gwet_ac1(data).parts.jackknife().freedom == pytest.approx(9)


@pytest.mark.parametrize("n_documents", [1, 6])
def test_where_all_parts_are_alike_disputed_items_count(n_documents):
    columns = {"a": [1, 2, 1, 2] * 6, "b": [1, 2, 1, 1] * 6}
    document = [str(i * n_documents // 24) for i in range(24)]
    found = unisono.percent_agreement(Ratings.from_annotators(columns, document=document))
    if n_documents == 6:
        assert found.interval.method == "Poisson limits, 6 items disputed"
    assert found.interval.low < 0.6 < 0.85 < found.interval.high


def test_a_distance_does_not_hide_how_few_labels_differ():
    """With two labels, all distances give the same α, and the same interval where nothing is disputed."""
    column = [1] * 97 + [5] * 3
    data = Ratings.from_annotators({"a": column, "b": column})
    lows = [
        unisono.krippendorff_alpha(data, distance=d).interval.low for d in ("nominal", "ordinal", "interval", "ratio")
    ]
    lows.append(unisono.weighted_kappa(data, weights="quadratic").interval.low)
    assert lows == pytest.approx([0.3693] * 5, abs=1e-4)


def test_a_near_miss_does_not_hide_far_ones():
    first = [1] * 50 + [2] * 20 + [9] * 30
    second = [2, *first[1:]]
    data = Ratings.from_annotators({"a": first, "b": second})
    found = unisono.krippendorff_alpha(data, distance="interval")
    assert found.interval.method == "Poisson limits, 1 item disputed"
    assert found.interval.low < 0.95 < 1 - 5.5716 * (1 - found.value)


@pytest.mark.parametrize("n_annotators", [2, 20])
def test_without_disagreement_items_count_and_not_labels(n_annotators):
    data = Ratings.from_annotators({f"a{i}": [1, 2] * 5 for i in range(n_annotators)})
    assert unisono.percent_agreement(data).interval.low == pytest.approx(1 - 3.6889 / 10, abs=1e-4)


@pytest.mark.parametrize("name", ["u-alpha", "cu-alpha"])
def test_limits_are_not_below_what_can_be(name):
    for seed in range(20):
        interval = parse_measure(name).compute(spans(np.random.default_rng(seed), 3, 4, 0.9)).interval
        assert interval is None or interval.low >= -1


def test_gamma_says_why_there_is_no_interval():
    few = unisono.gamma(spans(np.random.default_rng(2), 2), chance="shift", precision=0.2)
    assert few.interval is None
    assert few.no_interval == "only 2 documents count, and an interval needs 3 or more"
    assert few.no_interval in few.headline()[0].remark
    assert few.to_dict()["no_interval"] == few.no_interval
    assert few.no_interval in few._repr_html_()
    many = unisono.gamma(spans(np.random.default_rng(2), 4), chance="shift", precision=0.2)
    assert many.interval.method == "jackknife over 4 documents"
    assert many.no_interval is None


def test_tiny_and_empty_data_have_no_interval_and_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rows in ([["x", "x"]], [["x", "y"]], [["x", "x"], ["y", "x"]]):
            unisono.krippendorff_alpha(rows, rows="items").to_dict()
        for name in (*UNITS, *CUTS):
            data = (spans if name in UNITS else cuts)(np.random.default_rng(1), 1, 2)
            parse_measure(name).compute(data).to_dict()


def test_crowds_are_left_out_too():
    """More annotators than patterns can be numbered."""
    rng = np.random.default_rng(10)
    cells = np.full((60, 90), np.nan)
    for row in cells:
        who = rng.choice(90, 3, replace=False)
        row[who] = np.where(rng.random(3) < 0.2, rng.integers(1, 4, 3), rng.integers(1, 4))
    found = unisono.krippendorff_alpha(cells, rows="items")
    assert found.interval.low < found.value < found.interval.high


@pytest.mark.parametrize(
    ("name", "make", "runs"),
    [
        ("krippendorff-alpha", lambda rng: labels(rng, 100), 400),
        ("cohen-kappa", lambda rng: labels(rng, 100, n_documents=10), 400),
        pytest.param("percent-agreement", lambda rng: labels(rng, 60, 3), 400, marks=pytest.mark.slow),
        ("u-alpha", lambda rng: spans(rng, 8), 200),
        pytest.param("span-f1", lambda rng: spans(rng, 8), 200, marks=pytest.mark.slow),
        ("window-diff", lambda rng: cuts(rng, 8), 200),
        ("u-alpha", lambda rng: spans(rng, 1, 60), 200),
    ],
)
def test_coverage(name, make, runs):
    """As often as a binomial count allows, ± 4 standard errors; benchmarks/interval_coverage.py has many more cases."""
    chosen = parse_measure(name)
    rng = np.random.default_rng(11)
    found = [chosen.compute(make(rng)) for _ in range(runs)]
    large = np.random.default_rng(12)
    if name in LABELS:
        truth = chosen.compute(labels(large, 200_000, 2 if name != "percent-agreement" else 3)).value
    else:
        truth = chosen.compute((spans if name in UNITS else cuts)(large, 1000)).value
    hits = np.mean([one.interval.low <= truth <= one.interval.high for one in found])
    assert 0.95 - 4 * np.sqrt(0.95 * 0.05 / runs) <= hits


def test_perfect_agreement_of_lengths():
    """α_U expects squared lengths, which are no probabilities."""
    corpus = Corpus.from_columns(
        document=[f"d{d}" for d in range(5) for _ in range(12)],
        annotator=["a", "b"] * 30,
        start=[10 * (k // 2) for _ in range(5) for k in range(12)],
        end=[10 * (k // 2) + 6 for _ in range(5) for k in range(12)],
        bounds={f"d{d}": (0, 100) for d in range(5)},
    )
    assert 0.5 < parse_measure("alpha-u").compute(corpus).interval.low < 1


def near_miss(**more):
    first = [1 + i % 5 for i in range(100)]
    return Ratings.from_annotators({"a": first, "b": [first[0] + 1, *first[1:]]}, **more)


def test_a_near_miss_in_one_document_says_nothing_about_far_ones():
    measure = parse_measure("krippendorff-alpha(distance=interval)")
    in_documents = measure.compute(near_miss(document=[f"d{i // 20}" for i in range(100)])).interval
    assert "one of 5 documents" in in_documents.method
    assert in_documents.low == pytest.approx(measure.compute(near_miss()).interval.low, abs=0.01)


def test_a_value_below_what_can_be_is_no_limit():
    """What is expected of items that nobody else labelled can make κ as low as one likes."""
    ratings = Ratings.from_annotators({"a": ["x"] * 100, "b": [None] * 5 + ["y"] + [None] * 94})
    result = unisono.fleiss_kappa(ratings)
    assert result.value < -1
    assert result.interval is None or result.interval.low < result.value


def test_documents_that_are_the_same_say_nothing_about_others():
    units = [(10 * k, 10 * k + 5) for k in range(6)]
    rows = [(f"d{d}", "a", *unit) for d in range(6) for unit in units]
    rows += [(f"d{d}", "b", start + (start == 20), end) for d in range(6) for start, end in units if start != 30]
    document, annotator, start, end = zip(*rows, strict=True)
    corpus = Corpus.from_columns(document=document, annotator=annotator, start=start, end=end)
    for chance in ("shift", "corpus"):
        result = parse_measure(f"gamma(chance={chance},precision=0.1)").compute(corpus)
        assert result.interval is None
        assert result.no_interval.startswith("all 6 documents are alike")


def test_reasons_are_true():
    apart = [("a", 10 * k, 10 * k + 5) for k in range(6)] + [("b", 10 * k + 6, 10 * k + 9) for k in range(6)]
    annotator, start, end = zip(*apart * 4, strict=True)
    corpus = Corpus.from_columns(document=[f"d{i // 12}" for i in range(48)], annotator=annotator, start=start, end=end)
    assert "agree on nothing" in parse_measure("span-f1").compute(corpus).no_interval


@coefficient(
    FAMILY,
    symbol="A_s",
    title="Sure agreement: percent agreement, with an interval of its own",
    needs="labels for given items; any number of annotators; labels may be missing",
    ignores="chance",
    reference="nobody, 1900",
    papers=("gwet2014",),
    corrected=False,
)
def sure_agreement(counts: Counts, **how: Unpack[RatingsOptions]) -> Estimate:
    """Share of pairs of annotators who agree."""
    own = Interval(0.0, 1.0, 0.95, "its own theory") if counts.n_paired > 20 else "items are too few for the theory"
    return Estimate(counts.observed, interval=own)


@pytest.mark.parametrize("n_documents", [1, 2])
def test_a_formula_can_have_an_interval_of_its_own(n_documents):
    result = sure_agreement(labels(np.random.default_rng(13), 60, n_documents=n_documents))
    assert result.interval == Interval(0.0, 1.0, 0.95, "its own theory")
    few = sure_agreement(labels(np.random.default_rng(13), 20, n_documents=n_documents))
    assert (few.interval, few.no_interval) == (None, "items are too few for the theory")


def test_a_formulas_own_interval_takes_no_account_of_documents_so_that_of_several_is_a_jackknife():
    data = labels(np.random.default_rng(13), 60, n_documents=3)
    assert sure_agreement(data).interval == unisono.percent_agreement(data).interval
    assert sure_agreement(data).interval.method == "jackknife over 3 documents"
