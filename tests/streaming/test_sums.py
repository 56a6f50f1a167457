"""Measures that are sums over documents: the same bytes in batches of any size, in a folder, and interrupted."""

from __future__ import annotations

import itertools
import json
import random
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

import unisono
from unisono.measurement import batching
from unisono.measurement import sums as sums_module
from unisono.measurement.registry import measures, parse_measure
from unisono.measurement.sums import BatchSums, DocumentSums, SummedBatch
from unisono.output import write_whole
from unisono.streaming.ledger import BatchFolder

MEASURES = [
    "krippendorff-alpha",
    "u-alpha",
    "u-alpha(definition=2013)",
    "cu-alpha",
    "cu-alpha(distance=nld)",
    "alpha-u",
    "discretized-alpha(atom=0.5)",
    "discretized-kappa(atom=2)",
    "span-f1",
    "span-f1(match=partial)",
    "span-f1(match=overlap,labels=false)",
    "slot-error-rate",
    "slot-error-rate(reference=bob)",
    "krippendorff-alpha(unmarked=O)",
    "krippendorff-alpha(unmarked=missing,distance=nld)",
    "fleiss-kappa(unmarked=O)",
    "multi-kappa(unmarked=X)",
    "gwet-ac1(unmarked=O)",
    "percent-agreement(unmarked=O)",
]
IN_BATCHES = [
    measure
    for measure in MEASURES
    if measure not in ("krippendorff-alpha", "alpha-u", "u-alpha(definition=2013)")  # the first needs the same spans
]


def table(seed, n_documents=None):
    """Rows of a random table: fractions, units without a label or length, documents of one annotator or of nobody."""
    rng = random.Random(seed)
    n_documents = rng.choice([1, 2, 3, 9, 60]) if n_documents is None else n_documents
    people = ["ann", "bob", "cem", "dan"][: rng.choice([2, 3, 4])]
    labels, fractions = rng.choice(["X", "XY", ["XX", "XY", "ZZ", ""]]), rng.random() < 0.4
    made = []
    for d in range(n_documents):
        base = [(10 * k + rng.randrange(4), rng.choice(labels)) for k in range(rng.choice([0, 1, 3, 6]))]
        for who in people[: 1 if rng.random() < 0.1 else None]:
            own = [(s + rng.randrange(3), s + rng.choice([3, 6]), c) for s, c in base if rng.random() < 0.9]
            for start, end, category in own:
                label = category if rng.random() < 0.8 else rng.choice(labels)
                more = 0.5 if fractions and rng.random() < 0.3 else 0
                made.append((f"d{d}", who, start + more, max(end, start + 1), label))
            made += [] if own else [(f"d{d}", who, "", "", "")]
    rng.shuffle(made)
    return made


def written(path, made):
    lines = ["document,annotator,start,end,category", *(",".join(map(str, row)) for row in made)]
    path.write_text("\n".join(lines) + "\n")
    return path


def cut(seed):
    """Rows of a random table of segmentations; some versions are empty, some documents have one annotator."""
    rng = random.Random(seed)
    people = ["ann", "bob", "cem", "dan"][: rng.choice([2, 3, 4])]
    made = []
    for d in range(rng.choice([1, 2, 3, 9, 60])):
        size, often = rng.choice([1, 2, 7, 30]), rng.choice([0, 0.1, 0.3])
        for who in people[: 1 if rng.random() < 0.1 else None]:
            edges = [0, *(place for place in range(1, size) if rng.random() < often), size]
            empty = rng.random() < 0.05
            made += [(f"d{d}", who, "", "", "")] if empty else [(f"d{d}", who, *pair, "") for pair in pairwise(edges)]
    return made


def told(make):
    """Return the JSON of a result, or the message of an error."""
    try:
        return json.dumps(make().to_dict())
    except unisono.DataError as error:
        return str(error)


def on_three_tables(measures):
    """Each measure with one of three random tables; with all of them if slow tests are asked for."""
    pairs = itertools.product(enumerate(measures), range(3))
    return [pytest.param(one, seed, marks=[pytest.mark.slow] * (seed != n % 3)) for (n, one), seed in pairs]


@pytest.mark.parametrize(("measure", "seed"), on_three_tables(MEASURES))
def test_same_bytes(tmp_path, monkeypatch, measure, seed):
    path = written(tmp_path / "a.csv", table(seed))
    data = unisono.read(path)
    expected = told(partial(unisono.measure, measure, data))
    for most in (1, 4):
        monkeypatch.setattr(batching, "_MOST_DOCUMENTS", most)
        folder = tmp_path / f"kept{most}"
        assert told(partial(unisono.measure, measure, data)) == expected
        assert told(partial(unisono.stream, measure, path, folder)) == expected
        assert told(partial(unisono.stream, measure, path, folder)) == expected


SEGMENTATION = [
    "pk",
    "pk(reference=bob)",
    "window-diff(padding=true)",
    "generalized-hamming(insertion=2)",
    "segmentation-similarity(n=3)",
    "boundary-similarity",
    "boundary-similarity(chance=kappa)",
]


@pytest.mark.parametrize(("measure", "seed"), on_three_tables(SEGMENTATION))
def test_same_bytes_of_segmentations(tmp_path, monkeypatch, measure, seed):
    path = written(tmp_path / "a.csv", cut(seed))
    expected = told(partial(unisono.measure, measure, path))
    for most in (1, 4):
        monkeypatch.setattr(batching, "_MOST_DOCUMENTS", most)
        assert told(partial(unisono.measure, measure, path)) == expected
        assert told(partial(unisono.stream, measure, path, tmp_path / f"kept{most}")) == expected


@pytest.mark.parametrize("measure", IN_BATCHES)
def test_interrupted_and_continued(tmp_path, monkeypatch, measure):
    path = written(tmp_path / "a.csv", table(3, n_documents=23))
    monkeypatch.setattr(batching, "_MOST_DOCUMENTS", 4)
    expected = told(partial(unisono.measure, measure, path))
    n_written = 0

    def killed(place, write):
        nonlocal n_written
        if place.suffix == ".npz":
            n_written += 1
            if n_written in (3, 5):
                raise KeyboardInterrupt
        write_whole(place, write)

    monkeypatch.setattr("unisono.streaming.ledger.write_whole", killed)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            unisono.stream(measure, path, tmp_path / "kept")
    assert len(list((tmp_path / "kept" / "batches-1").glob("*.npz"))) == 3
    assert told(partial(unisono.stream, measure, path, tmp_path / "kept")) == expected
    assert n_written == 8  # nothing is made twice but what was interrupted


def test_which_measures_are_in_batches(tmp_path):
    data = unisono.read(written(tmp_path / "a.csv", table(2, n_documents=5)))
    whole = {name for name in measures() if parse_measure(name).at_once(data)}
    assert whole == {"alpha-u", *(name for name, one in measures().items() if one.family in ("texts", "normalization"))}


def test_many_annotators_with_many_labels_are_counted_one_by_one(tmp_path):
    rng = random.Random(1)
    made = [
        (f"d{d}", f"a{a}", 5 * k, 5 * k + 4, rng.choice("UVWXYZ")) for d in range(9) for a in range(25) for k in (0, 1)
    ]
    path = written(tmp_path / "a.csv", made)
    for measure in ("krippendorff-alpha", "discretized-alpha"):
        assert parse_measure(measure).at_once(unisono.read(path)).startswith("there are too many annotators and labels")
        streamed = told(partial(unisono.stream, measure, path, tmp_path / measure))
        assert streamed == told(partial(unisono.measure, measure, path))


def test_documents_are_the_same_objects(tmp_path):
    path = written(tmp_path / "a.csv", table(4, n_documents=12))
    streamed, plain = unisono.stream("cu-alpha", path, tmp_path / "kept"), unisono.measure("cu-alpha", path)
    assert streamed.documents == plain.documents
    assert streamed == plain
    assert [one.estimate for one in streamed.documents] == [one.estimate for one in plain.documents]
    assert streamed.documents[2:4] == plain.documents[2:4]


@pytest.mark.parametrize("at_once", [50, 2])
def test_sums_without_groups_are_those_of_the_others(monkeypatch, at_once):
    """Brute force: what is left is added up document by document."""
    monkeypatch.setattr(sums_module, "_GROUPS", at_once)
    rng = np.random.default_rng(7)
    for _ in range(50):
        n, n_groups = int(rng.integers(1, 9)), int(rng.integers(1, 4))
        values = rng.integers(0, 3, (n, 5)) / 3
        group = rng.integers(-1, n_groups, n)
        edges = [0, *sorted(rng.choice(np.arange(1, n), min(2, n - 1), replace=False).tolist()), n]
        ranges = [range(low, high) for low, high in pairwise(edges)]

        def batch(documents, values=values):
            where, key = np.nonzero(values[documents.start : documents.stop])
            return SummedBatch(
                len(documents), {"a": DocumentSums(where, key, values[documents.start : documents.stop][where, key])}
            )

        sums = BatchSums(ranges, batch)
        assert sums.total["a"].spread(5) == pytest.approx(values.sum(axis=0))
        for number, rest in enumerate(sums.without(group, n_groups)):
            left = values[group != number].sum(axis=0)
            assert rest["a"].spread(5) == pytest.approx(left)
            assert ((rest["a"].spread(5) == 0) == (left == 0)).all()
        for document in rng.permutation(n).tolist():
            assert (sums.of(document)["a"].spread(5) == values[document]).all()


def test_a_damaged_batch_is_reported(tmp_path):
    path = written(tmp_path / "a.csv", table(4, n_documents=12))
    result = unisono.stream("cu-alpha", path, tmp_path / "kept")
    (file,) = (tmp_path / "kept" / "batches-1").glob("*.npz")
    file.write_bytes(b"damaged")
    with pytest.raises(unisono.DataError, match=r"000000\.npz has been damaged or deleted; repeat the command"):
        result.parts.leave_out([["d1"]])
    assert unisono.stream("cu-alpha", path, tmp_path / "kept") == result
    assert isinstance(BatchFolder(tmp_path / "kept" / "batches-1").batch("000000"), SummedBatch)
