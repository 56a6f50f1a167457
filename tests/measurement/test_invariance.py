"""What must not change a number: order, names, documents that count nothing; and a filter equals a filtered file."""

from __future__ import annotations

import json
from itertools import permutations

import numpy as np
import pytest

import unisono
from unisono.data import Corpus, Ratings
from unisono.measurement.registry import measures, parse_measure

OF_UNITS = [
    *(name for name, declared in measures().items() if declared.family == "units"),
    "gamma(chance=shift)",
    "gamma(chance=statistical)",
    "gamma(distance=numeric)",
    "gamma(features=[category:2,sure])",
    "text-gamma(precision=0.3)",
]
OF_LABELS = [name for name, declared in measures().items() if declared.family == "ratings"]
PEOPLE = ("anna", "bert", "carl")


def rows_of(seed, n_documents=5):
    """One row per unit: document, annotator, start, end, category, sure."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(n_documents):
        begin = np.sort(rng.choice(12, size=6, replace=False)) * 10
        for who in PEOPLE:
            for start in begin.tolist():
                if rng.random() < 0.8:
                    low = start + int(rng.integers(0, 3))
                    row = (f"t{d}", who, low, low + int(rng.integers(2, 8)), int(rng.integers(1, 4)), "yes")
                    rows.append(row if rng.random() < 0.7 else (*row[:4], 9, "no"))
    return rows


def text_of(document):
    return (document + " abcdefgh ") * 13


def corpus(rows, *, guessed=False, also=(), documents=None, annotators=None):
    """A corpus whose continua are known by their texts, unless they are to be guessed."""
    names = (
        dict.fromkeys([*(row[0] for row in rows), *(place[0] for place in also)]) if documents is None else documents
    )
    people = dict.fromkeys([row[1] for row in rows]) if annotators is None else annotators
    return Corpus.from_columns(
        document=[row[0] for row in rows],
        annotator=[row[1] for row in rows],
        start=[row[2] for row in rows],
        end=[row[3] for row in rows],
        features={"category": [row[4] for row in rows], "sure": [row[5] for row in rows]},
        documents=names,
        worked=[*((name, who) for name in names for who in people if (name, "only") not in also), *also],
        texts=None if guessed else {(name, who): text_of(name)[:126] for name in names for who in people},
    )


def value(measure, data):
    measured = parse_measure(measure)
    return None if measured.unfit(data) else measured.compute(data)


def same(one, other, *, but=()):
    """Whether two results say the same, up to rounding."""

    def close(a, b):
        if isinstance(a, dict) and isinstance(b, dict):
            return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a if key not in but)
        if isinstance(a, list | tuple) and isinstance(b, list | tuple):
            return len(a) == len(b) and all(map(close, a, b))
        if isinstance(a, float) and isinstance(b, float):
            return a == pytest.approx(b, rel=1e-9, abs=1e-11)
        return a == b

    return close(one, other)


def told(result):
    """All that a result says, except how it was prepared."""
    data = json.loads(json.dumps(result.to_dict(), default=str))
    for key in ("signature", "preparation", "dropped", "source"):
        data.pop(key, None)
    return data


@pytest.mark.parametrize("measure", OF_UNITS)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_neither_order_nor_names_change_a_number(measure, seed):
    rows = rows_of(seed)
    given = value(measure, corpus(rows))
    assert given is not None
    rng = np.random.default_rng(seed)
    shuffled = [rows[index] for index in rng.permutation(len(rows))]
    new_name = {"anna": "zoe", "bert": "abel", "carl": "mia"}
    renamed = [(f"s{9 - int(row[0][1])}", new_name[row[1]], *row[2:]) for row in rows]
    for other in (rows[::-1], shuffled, renamed):
        if measure.startswith("text-gamma") and other is renamed:
            continue  # the texts here contain the names of documents
        found = value(measure, corpus(other))
        for what in ("value", "observed", "expected", "n_samples"):
            assert same(getattr(given, what, None), getattr(found, what, None)), what
        each = [sorted(one["value"] or 0 for one in result.to_dict()["documents"] or []) for result in (given, found)]
        assert each[0] == pytest.approx(each[1])


@pytest.mark.parametrize("measure", OF_LABELS)
def test_neither_order_nor_names_change_a_number_of_ratings(measure):
    rng = np.random.default_rng(3)
    people = PEOPLE[:2] if measures()[measure].two_only else PEOPLE
    true = rng.integers(1, 5, 40)
    labels = {who: [int(t) if rng.random() < 0.7 else int(rng.integers(1, 5)) for t in true] for who in people}
    order = rng.permutation(40)
    renamed = {f"x{9 - k}": [column[index] for index in order] for k, column in enumerate(labels.values())}
    given, found = (value(measure, Ratings.from_annotators(table)) for table in (labels, renamed))
    assert given.value == pytest.approx(found.value, rel=1e-9)


@pytest.mark.parametrize("chance", ["corpus", "shift", "statistical", "auto"])
@pytest.mark.parametrize("guessed", [False, True])
def test_documents_that_say_nothing_change_nothing(chance, guessed):
    rows = rows_of(4)
    given = unisono.gamma(corpus(rows, guessed=guessed), chance=chance)
    for n in (1, 5, 20):
        nobody = [(f"empty{k}", who) for k in range(n) for who in PEOPLE]
        alone = [(f"alone{k}", "only") for k in range(n)]
        lonely = [(f"alone{k}", "anna", 3, 50, 1, "yes") for k in range(n)]
        data = Corpus.from_columns(
            document=[row[0] for row in [*rows, *lonely]],
            annotator=[row[1] for row in [*rows, *lonely]],
            start=[row[2] for row in [*rows, *lonely]],
            end=[row[3] for row in [*rows, *lonely]],
            features={name: [row[k] for row in [*rows, *lonely]] for name, k in (("category", 4), ("sure", 5))},
            documents=[f"empty{k}" for k in range(n)],
            worked=nobody + [(place[0], "anna") for place in alone],
            texts=None if guessed else {(d, who): text_of(d)[:126] for d in {row[0] for row in rows} for who in PEOPLE},
        )
        found = unisono.gamma(data, chance=chance)
        assert (found.value, found.expected, found.n_samples, found.gamma_cat) == pytest.approx(
            (given.value, given.expected, given.n_samples, given.gamma_cat)
        )
        assert found.interval.low == pytest.approx(given.interval.low)


FILTERS = {
    "annotators": ({"annotators": ["anna", "carl"]}, lambda row: row[1] != "bert"),
    "documents": ({"documents": ["t1", "t3"]}, lambda row: row[0] in ("t1", "t3")),
    "label": ({"where": "category != 9"}, lambda row: row[4] != 9),
    "annotator": ({"where": 'annotator != "bert"'}, lambda row: row[1] != "bert"),
    "document": ({"where": 'document in ["t1", "t3"] and length < 7'}, None),
    "both": ({"where": '(document == "t1" or document == "t2") and not annotator == "carl"'}, None),
    "layer": ({"where": 'sure == "yes"', "annotators": ["bert", "carl"]}, None),
}
KEEPS = {
    "document": lambda row: row[0] in ("t1", "t3") and row[3] - row[2] < 7,
    "both": lambda row: row[0] in ("t1", "t2") and row[1] != "carl",
    "layer": lambda row: row[1] != "anna" and row[5] == "yes",
}


@pytest.mark.parametrize("which", FILTERS)
@pytest.mark.parametrize("measure", [one for one in OF_UNITS if not one.startswith("text-gamma")])
def test_a_filter_equals_a_filtered_file(measure, which):
    rows = rows_of(5)
    how, keeps = FILTERS[which]
    keeps = keeps or KEEPS[which]
    left = [row for row in rows if keeps(row)]
    filtered = unisono.prepare(corpus(rows), **how)
    file = corpus(left)
    assert filtered == file
    one, two = value(measure, filtered), value(measure, file)
    assert (one is None) == (two is None)
    if one is not None:
        assert same(told(one), told(two)), which
        assert [[*table.rows] for table in one.tables()] == [[*table.rows] for table in two.tables()]


def test_a_filter_says_that_a_guessed_continuum_stays():
    rows = [("t", who, start, start + 4, label, "yes") for who in PEOPLE for start, label in ((0, 9), (20, 1), (40, 2))]
    data = unisono.prepare(corpus(rows, guessed=True), where="category != 9")
    for measure in ("gamma", "u-alpha"):
        assert any("filtered out" in note for note in value(measure, data).notes), measure
        assert not any("filtered out" in note for note in value(measure, corpus(rows, guessed=True)).notes)


def test_an_annotator_who_may_have_marked_something_stays():
    rows = [("t", "anna", 0, 4, 1, "yes"), ("t", "bert", 0, 4, 2, "yes"), ("t", "carl", 0, 4, 2, "no")]
    data = unisono.prepare(corpus(rows), where='category == 2 or annotator == "carl"')
    assert data.annotators == PEOPLE
    data = unisono.prepare(corpus(rows), where='category == 2 and annotator != "carl"')
    assert data.annotators == ("anna", "bert")
    assert data.n_units == 1


def test_neither_order_nor_names_change_plans_and_ladders():
    rows = rows_of(6, 7)
    new_name = {"anna": "zoe", "bert": "abel", "carl": "mia"}
    renamed = [(f"s{9 - int(row[0][1])}", new_name[row[1]], *row[2:]) for row in rows[::-1]]
    one, other = corpus(rows), corpus(renamed)
    first, second = (unisono.plan(data, 0.15, "gamma") for data in (one, other))
    assert first.needed == second.needed
    assert [width.width for width in first.widths] == pytest.approx([width.width for width in second.widths])
    ladders = [
        unisono.shuffling.ladder(data, "u-alpha(feature=category)", errors=["false-negatives"]) for data in (one, other)
    ]
    assert [rung.magnitude for rung in ladders[0].rungs] == pytest.approx([rung.magnitude for rung in ladders[1].rungs])


def test_the_order_of_many_documents_does_not_change_intervals():
    rows = rows_of(8, 60)
    order = np.random.default_rng(1).permutation(60)
    place = {f"t{d}": int(number) for d, number in enumerate(order)}
    new_name = {"anna": "zoe", "bert": "abel", "carl": "mia"}
    other = sorted(
        ((f"u{place[row[0]]}", new_name[row[1]], *row[2:]) for row in rows), key=lambda row: place["t" + row[0][1:]]
    )
    for measure in ("u-alpha", "span-f1"):
        first, second = (value(measure, corpus(some)).interval for some in (rows, other))
        assert first.method == "jackknife over 50 groups of documents"
        assert (first.low, first.high) == pytest.approx((second.low, second.high))


def test_the_order_of_many_documents_does_not_change_intervals_of_ratings():
    rng = np.random.default_rng(2)
    labels = {who: rng.integers(1, 4, 240).tolist() for who in PEOPLE}
    document = [f"d{k // 4}" for k in range(240)]
    order = np.argsort(np.repeat(rng.permutation(60), 4), kind="stable")
    both = [
        Ratings.from_annotators(
            {who: [column[k] for k in rows] for who, column in labels.items()}, document=[document[k] for k in rows]
        )
        for rows in (range(240), order)
    ]
    limits = [(one.low, one.high) for one in (unisono.measure("krippendorff-alpha", data).interval for data in both)]
    assert limits[0] == pytest.approx(limits[1])


@pytest.mark.parametrize("chance", ["shift", "corpus"])
def test_where_a_continuum_begins_does_not_matter(chance):
    rows = [(*row[:2], row[2] / 10, row[3] / 10, *row[4:]) for row in rows_of(9)]
    moved = [(*row[:2], row[2] + 1.1, row[3] + 1.1, *row[4:]) for row in rows]
    first, second = (unisono.gamma(corpus(some, guessed=True), chance=chance) for some in (rows, moved))
    assert (first.value, first.n_samples) == pytest.approx((second.value, second.n_samples), rel=1e-6)


EQUALLY_GOOD = {
    "a0": "6-7x 14-15z 23-25x 27-27y 37-42z 42-44x 47-47y 53-60x",
    "a1": "10-12x 15-19x 21-21x 28-30z 44-50z 50-57z",
    "a2": "5-10z 12-17x 22-29x 33-34z 41-41x 46-50y",
    "a3": "6-11y 28-30y 33-37x 46-46z 63-69y",
}
"""Units of one document for which two alignments have the least disorder."""


def test_names_do_not_decide_between_alignments_that_are_equally_good():
    marked = [
        (who, *map(int, span[:-1].split("-")), span[-1])
        for who, spans in EQUALLY_GOOD.items()
        for span in spans.split()
    ]
    found = []
    for names in permutations("wxyz"):
        new_name = dict(zip(EQUALLY_GOOD, names, strict=True))
        data = Corpus.from_columns(
            annotator=[new_name[row[0]] for row in marked],
            start=[row[1] for row in marked],
            end=[row[2] for row in marked],
            features={"category": [row[3] for row in marked]},
        )
        draft = unisono.gold(data).plain["document"].units
        groups = sorted(
            sorted((unit.start, unit.end, unit.features["category"]) for unit in row.units.values() if unit)
            for row in unisono.align(data)["document"]
        )
        found.append((groups, [(unit.start, unit.end) for unit in draft]))
    assert all(one == found[0] for one in found)
