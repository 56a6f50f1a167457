"""What measures have in common, one test for each property."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import unisono
from unisono.data import Corpus, Ratings
from unisono.measurement.registry import measures, parse_measure

MEASURES = [
    name
    for name, declaration in measures().items()
    if declaration.family in ("ratings", "segmentation", "units") and name != "gamma"
]
FAMILY = {name: declaration.family for name, declaration in measures().items()}
FOR_TWO = {"scott-pi", "cohen-kappa", "weighted-kappa"}
ORDERED = {"weighted-kappa", "gwet-ac2"}
"""Measures whose labels are numbers, so that other names are other labels."""
OFF_ZERO = {
    "gwet-ac1": "its chance model is another than independent labels",
    "gwet-ac2": "its chance model is another than independent labels",
}


def data_for(name, rng, *, n_annotators=3, same=False, n=60):
    """Random annotations that the measure can handle, by the same hand or by independent ones."""
    n_annotators = 2 if name in FOR_TWO else n_annotators
    if FAMILY[name] == "ratings":
        columns = [rng.integers(1, 5, n) for _ in range(n_annotators)]
        columns = [columns[0]] * n_annotators if same else columns
        return Ratings.from_annotators({f"a{i}": list(map(str, column)) for i, column in enumerate(columns)})
    make = cut if FAMILY[name] == "segmentation" else scattered
    drawn = [make(rng, n) for _ in range(n_annotators)]
    drawn = [drawn[0]] * n_annotators if same else drawn
    rows = [(f"a{i}", start, end, label) for i, units in enumerate(drawn) for start, end, label in units]
    return corpus_of(rows, 10 * n)


def cut(rng, n):
    edges = [0, *sorted(rng.choice(np.arange(1, 10 * n), size=n, replace=False).tolist()), 10 * n]
    return [(start, end, None) for start, end in itertools.pairwise(edges)]


def scattered(rng, n):
    edges = sorted(rng.choice(np.arange(0, 10 * n), size=2 * n, replace=False).tolist())
    return [(start, end, str(rng.integers(1, 4))) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def corpus_of(rows, length):
    annotators, starts, ends, labels = zip(*rows, strict=True)
    return Corpus.from_columns(
        annotator=annotators,
        start=starts,
        end=ends,
        features={} if labels[0] is None else {"category": labels},
        bounds={"document": (0, length)},
    )


def without_bounds(corpora):
    """Put corpora together, one document each, that do not say where they begin and end."""
    rows = [(str(d), unit) for d, corpus in enumerate(corpora) for unit in corpus["document"].units]
    return Corpus.from_columns(
        document=[document for document, _ in rows],
        annotator=[unit.annotator for _, unit in rows],
        start=[unit.start for _, unit in rows],
        end=[unit.end for _, unit in rows],
        features={name: [unit.features[name] for _, unit in rows] for name in corpora[0].features},
    )


def renamed(data, annotators=None, labels=None, scale=1, shift=0):
    """The same annotations under other names of annotators and labels, elsewhere and in other measures."""
    annotators = annotators or {}
    labels = labels or {}
    if isinstance(data, Ratings):
        names = [None, *data.labels]
        columns = {
            annotators.get(who, who): [labels.get(names[code + 1], names[code + 1]) for code in column.tolist()]
            for who, column in zip(data.annotators, data.codes.T, strict=True)
        }
        return Ratings.from_annotators(dict(sorted(columns.items())))
    units = data["document"].units
    low, high = data["document"].bounds
    return Corpus.from_columns(
        annotator=[annotators.get(unit.annotator, unit.annotator) for unit in units],
        start=[unit.start * scale + shift for unit in units],
        end=[unit.end * scale + shift for unit in units],
        features={name: [labels.get(u.features[name], u.features[name]) for u in units] for name in data.features},
        bounds={"document": (low * scale + shift, high * scale + shift)},
    )


def value(name, data):
    return parse_measure(name).compute(data).value


@pytest.mark.parametrize("name", MEASURES)
def test_the_order_of_annotators_does_not_matter(name):
    rng = np.random.default_rng(1)
    for _ in range(5):
        data = data_for(name, rng)
        turned = {who: f"z{9 - index}" for index, who in enumerate(data.annotators)}
        assert value(name, renamed(data, annotators=turned)) == pytest.approx(value(name, data), abs=1e-12)


NAMED = [name for name in MEASURES if FAMILY[name] != "segmentation" and measures()[name].labels == "names"]


@pytest.mark.parametrize("name", [name for name in NAMED if name not in ORDERED])
def test_names_of_labels_do_not_matter(name):
    rng = np.random.default_rng(2)
    for _ in range(5):
        data = data_for(name, rng)
        turned = {"1": "zebra", "2": "yak", "3": "x", "4": "a"}
        assert value(name, renamed(data, labels=turned)) == pytest.approx(value(name, data), abs=1e-12)


@pytest.mark.parametrize("name", [name for name in MEASURES if measures()[name].labels != "names"])
def test_origin_and_unit_of_numbers_do_not_matter(name):
    rng = np.random.default_rng(2)
    for _ in range(5):
        data = data_for(name, rng)
        moved = renamed(data, labels={"1": "-1e6", "2": "-999999.5", "3": "-999999", "4": "-999998.5"})
        assert value(name, moved) == pytest.approx(value(name, data), abs=1e-9)


@pytest.mark.parametrize("name", [name for name in MEASURES if measures()[name].labels == "ranks"])
def test_only_the_order_of_labels_matters_to_ranks(name):
    rng = np.random.default_rng(2)
    for _ in range(5):
        data = data_for(name, rng)
        stretched = renamed(data, labels={"1": "-100", "2": "0.5", "3": "3", "4": "1e9"})
        assert value(name, stretched) == pytest.approx(value(name, data), abs=1e-12)


@pytest.mark.parametrize("name", [name for name in MEASURES if FAMILY[name] != "ratings"])
def test_where_the_continuum_begins_does_not_matter(name):
    rng = np.random.default_rng(3)
    for _ in range(5):
        data = data_for(name, rng)
        assert value(name, renamed(data, shift=1000)) == pytest.approx(value(name, data), abs=1e-12)


@pytest.mark.parametrize("name", MEASURES)
def test_identical_annotations_agree_perfectly(name):
    rng = np.random.default_rng(4)
    for n_annotators in (2, 3, 5):
        result = parse_measure(name).compute(data_for(name, rng, n_annotators=n_annotators, same=True))
        assert result.agreement == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", [name for name in MEASURES if measures()[name].corrected and name not in OFF_ZERO])
def test_independent_annotations_agree_as_chance_does(name):
    rng = np.random.default_rng(5)
    values = [value(name, data_for(name, rng, n=100)) for _ in range(40)]
    standard_error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert abs(np.mean(values)) < 4 * standard_error + 0.01


@pytest.mark.parametrize("name", [name for name in MEASURES if measures()[name].corrected])
def test_independent_annotations_agree_far_less_than_identical_ones(name):
    rng = np.random.default_rng(6)
    assert all(value(name, data_for(name, rng)) < 0.5 for _ in range(10))


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_with_its_defaults_is_the_same_measure(name):
    """Written out or given in Python, a parameter's default changes nothing; `str` of a measure reads back."""
    rng = np.random.default_rng(8)
    data = data_for(name, rng)
    given = {p.name: p.default for p in measures()[name].parameters if p.default is not None}
    written = parse_measure(f"{name}({','.join(f'{key}={value}' for key, value in given.items())})")
    assert str(parse_measure(str(written))) == str(written)
    assert written.compute(data).to_dict() == parse_measure(name).compute(data).to_dict()
    assert getattr(unisono, name.replace("-", "_"))(data, **given).value == written.compute(data).value


@pytest.mark.parametrize("name", MEASURES)
def test_every_number_is_a_number_or_has_a_reason(name):
    rng = np.random.default_rng(7)
    few = data_for(name, rng, n=3)
    same = data_for(name, rng, n=3, same=True)
    for data in (few, same, few.select(annotators=[few.annotators[0]]), few.select(documents=[])):
        result = parse_measure(name).compute(data)
        plain = result.to_dict()
        assert (plain["value"] is None) == (plain["undefined"] is not None)
        json.dumps(plain, allow_nan=False, default=list)


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_says_what_it_needs_ignores_and_where_it_is_from(name):
    declaration = measures()[name]
    assert declaration.needs
    assert declaration.ignores
    assert declaration.when
    assert any(character.isdigit() for character in declaration.reference)
    assert declaration.compute.__self__.__doc__


@pytest.mark.parametrize("name", [*MEASURES, "gamma(precision=0.2)"])
def test_choosing_everything_changes_nothing(name):
    rng = np.random.default_rng(9)
    kind = name.partition("(")[0]
    drawn = [data_for(kind, rng, n=12) for _ in range(4)]
    data = drawn[0] if isinstance(drawn[0], Ratings) else without_bounds(drawn)
    again = data.select(documents=data.documents, annotators=data.annotators)
    assert value(name, again) == value(name, data)
