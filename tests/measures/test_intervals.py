"""The interval of any coefficient: what is left out, limits, coverage, and what others give."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import unisono
from unisono.data import Corpus, Ratings
from unisono.measures.intervals import errors_without, groups_of, parts_of
from unisono.measures.registry import measures, parse_measure

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
    assert str(interval) in result.headline()[0].remark


@pytest.mark.parametrize("name", [*LABELS, *UNITS, *CUTS])
def test_leaving_out_is_measuring_without(name):
    data = data_for(name, np.random.default_rng(4), 6)
    result = parse_measure(name).compute(data)
    groups = [["0"], ["1", "4"], ["5"]]
    found = errors_without(result, groups)
    for error, group in zip(found, groups, strict=True):
        rest = [document for document in data.documents if document not in group]
        some = (
            data.select(documents=rest, all_labels=True) if isinstance(data, Ratings) else data.select(documents=rest)
        )
        value = parse_measure(name).compute(some).value
        assert error == pytest.approx(1 - value if measures()[name].scale == "agreement" else value)


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


def test_few_documents_are_cut_into_blocks_of_items():
    found = unisono.krippendorff_alpha(labels(np.random.default_rng(6), 100, n_documents=3))
    assert found.interval.method == "jackknife over 10 blocks of items"


def test_many_documents_are_left_out_in_groups():
    found = unisono.krippendorff_alpha(labels(np.random.default_rng(7), 600, n_documents=120))
    assert found.interval.method == "jackknife over 50 groups of documents"
    assert [len(group) for group in groups_of(list("abcdefgh"), 10**9)] == [1] * 8
    assert max(map(len, groups_of([str(i) for i in range(1000)], 10**9))) == 100


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


def test_where_one_document_has_all_disagreement_nothing_can_be_said():
    first = ["x", "y"] * 30
    second = ["y", "y", "y", *first[3:]]
    document = [str(i // 10) for i in range(60)]
    found = unisono.cohen_kappa(Ratings.from_annotators({"a": first, "b": second}, document=document))
    assert found.interval is None
    assert "no interval" in found.headline()[0].remark


def test_parts_without_a_value_are_told():
    """Only one document has another label than x: without it there is no α."""
    rng = np.random.default_rng(9)
    truth = ["x"] * 60
    rare = [*truth[:54], "y", "y", "y", "x", "y", "x"]
    first = list(rare)
    second = [("y" if label == "x" else "x") if rng.random() < 0.1 else label for label in rare]
    second[:50] = ["x"] * 50
    document = [str(i // 10) for i in range(60)]
    result = unisono.krippendorff_alpha(Ratings.from_annotators({"a": first, "b": second}, document=document))
    parts = parts_of(result)
    assert parts.left.n_undefined == 1
    assert result.interval is None or "1 of which leave no value when left out" in result.interval.method


def test_tiny_and_empty_data_have_no_interval_and_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rows in ([["x", "x"]], [["x", "y"]], [["x", "x"], ["y", "x"]]):
            unisono.krippendorff_alpha(rows).to_dict()
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
    found = unisono.krippendorff_alpha(cells)
    assert found.interval.low < found.value < found.interval.high


@pytest.mark.parametrize(
    ("name", "make", "runs"),
    [
        ("krippendorff-alpha", lambda rng: labels(rng, 100), 400),
        ("cohen-kappa", lambda rng: labels(rng, 100, n_documents=10), 400),
        ("percent-agreement", lambda rng: labels(rng, 60, 3), 400),
        ("u-alpha", lambda rng: spans(rng, 8), 200),
        ("span-f1", lambda rng: spans(rng, 8), 200),
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
