"""The parts of a stream, each against what is made at once, on many small random cases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import unisono
from unisono import Corpus
from unisono.chance.canonical import canonical_documents, content_keys, numbered_key
from unisono.chance.corpus import Mixture
from unisono.data.sets import annotation_sets
from unisono.formats.merging import merge
from unisono.measurement import batching
from unisono.measurement.gamma.mixing import filed_mixtures
from unisono.measurement.gamma.repeats import repeated_contents
from unisono.streaming import intake
from unisono.streaming.intake import Intake
from unisono.streaming.stored import open_corpus


def seeds(few, many):
    """Give few seeds, and many if slow tests are asked for."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(few, many))]


def random_corpus(rng, n_documents=8, n_labels=2, fractions=False, texts=False):
    """Small documents of which many are alike, some with given bounds; the order of units is any."""
    n = int(rng.integers(1, 4 * n_documents))
    document = [f"d{i}" for i in rng.integers(0, n_documents, n)]
    start = rng.integers(0, 3, n) + 10 * rng.integers(0, 2, n) * (rng.random() < 0.5)
    end = start + rng.integers(0, 3, n)
    if fractions:
        start, end = start / 4, end / 4
    pairs = sorted({(name, who) for name in document for who in "ABC" if rng.random() < 0.7})
    labels = [str(label) if label else None for label in rng.integers(0, n_labels + 1, n)]
    return Corpus.from_columns(
        document=document,
        annotator=[str(who) for who in rng.choice(list("CAB"), n)],
        start=start,
        end=end,
        features={"category": labels, "other": [str(one) for one in rng.integers(0, 2, n)]},
        worked=[("empty", "A"), ("empty", "B"), *pairs],
        bounds={name: (-1.0, 30.0) for name in sorted(set(document)) if rng.random() < 0.3},
        texts={pair: f"{pair} " * 9 for pair in pairs} if texts else None,
        tokens={"d1": [(0, 2), (3, 5)]} if "d1" in document else None,
        source="somewhere",
    )


@pytest.mark.parametrize("seed", seeds(100, 300))
def test_repeated_contents_are_numbered_as_content_keys_are(seed, monkeypatch):
    monkeypatch.setattr(batching, "_MOST_DOCUMENTS", 3)
    rng = np.random.default_rng(seed)
    corpus = random_corpus(rng, n_documents=30, fractions=seed % 3 == 0)
    for features in ([], ["category"], ["category", "other"]):
        documents = canonical_documents(annotation_sets(corpus, features))
        repeats = repeated_contents(corpus, features)
        found = [numbered_key(one.digest, repeats.get(index, 0)) for index, one in enumerate(documents)]
        assert found == content_keys(documents)


@pytest.mark.parametrize("seed", seeds(30, 60))
def test_mixtures_in_files_draw_the_same(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(batching, "_MOST_DOCUMENTS", 3)
    rng = np.random.default_rng(seed)
    corpus = random_corpus(rng, n_documents=12, fractions=seed % 3 == 0)
    features = ["category", "other"][: seed % 3]
    documents = canonical_documents(annotation_sets(corpus, features))
    sets, keys = [one.units for one in documents], content_keys(documents)
    filed = filed_mixtures(corpus, features, repeated_contents(corpus, features), tmp_path / "mixed")
    for n, other in filed.items():
        plain = Mixture(sets, n, keys)
        assert other.measured.tolist() == plain.measured.tolist()
        assert (other.impossible, other.n_units) == (plain.impossible, plain.n_units)
        if plain.impossible is None:
            one, two = (type(it).draw([it], [range(5, 25)], 42) for it in (plain, other))
            assert one.documents.tolist() == two.documents.tolist()
            for name in ("start", "end", "codes", "begin"):
                assert np.array_equal(getattr(one.units, name), getattr(two.units, name))


def assert_identical(one, other):
    assert one == other
    for name in ("documents", "annotators", "dropped", "preparation", "source"):
        assert getattr(one, name) == getattr(other, name)
    for name in ("document", "annotator", "start", "end", "worked"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
        assert getattr(one, name).dtype == getattr(other, name).dtype
    assert [*one.features] == [*other.features]
    for name, column in one.features.items():
        assert column.labels == other.features[name].labels
        assert np.array_equal(column.codes, other.features[name].codes)
    for name in ("bounds", "texts", "tokens", "extents"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert sorted(mine) == sorted(theirs)
        assert all(np.array_equal(mine[key], theirs[key]) for key in mine)
        assert len(mine) == len(theirs)


@pytest.mark.parametrize("seed", seeds(100, 200))
def test_pieces_become_the_corpus_that_merging_them_gives(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "_BLOCK", 7)
    rng = np.random.default_rng(seed)
    whole = random_corpus(rng, texts=seed % 2 == 0, fractions=seed % 5 == 0)
    names = [*whole.documents]
    rng.shuffle(names)
    pieces = [whole.select(documents=names[at : at + 3]) for at in range(0, len(names), 3)]
    # a document may be in several pieces, one with each annotator
    pieces = [
        piece.select(annotators=[who]) for piece in pieces for who in rng.permutation(piece.annotators).tolist()
    ] or pieces
    pieces = [replace(piece, extents={}, preparation=()) for piece in pieces]
    expected = merge(pieces, source="all")
    with Intake(tmp_path / "kept") as taken:
        for piece in pieces:
            taken.add(piece)
        taken.seal(source="all")
    found = open_corpus(tmp_path / "kept")
    assert_identical(found, expected)
    first, last = sorted(rng.integers(0, len(found.documents) + 1, 2).tolist())
    assert_identical(found.part(first, last), expected.part(first, last))
    assert np.array_equal(found.sizes, expected.sizes)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("chance", ["shift", "statistical", "corpus"])
def test_batches_do_not_change_documents(seed, chance, monkeypatch):
    corpus = random_corpus(np.random.default_rng(seed), n_documents=9)
    found = []
    for most in (1, 4, 500):
        monkeypatch.setattr(batching, "_MOST_DOCUMENTS", most)
        found.append(unisono.gamma(corpus, features="category", chance=chance, precision=0.3, workers=1))
    for other in found[1:]:
        assert [*other.documents] == [*found[0].documents]
        assert other.value == pytest.approx(found[0].value)
        assert other.gamma_cat == pytest.approx(found[0].gamma_cat)
        assert other.disagreement == pytest.approx(found[0].disagreement)
        for mine, theirs in zip(other.categories(), found[0].categories(), strict=True):
            assert mine == pytest.approx(theirs)
        one, two = other.alignment, found[0].alignment
        assert {name: one[name] for name in one} == {name: two[name] for name in two}
