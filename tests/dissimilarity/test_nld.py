"""The normalized Levenshtein distance, as a difference for α."""

from __future__ import annotations

import normalization_oracle as oracle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono
from unisono.dissimilarity import difference_sums
from unisono.dissimilarity.difference import NormalizedLevenshtein
from unisono.dissimilarity.registry import DistanceRole, as_distance
from unisono.errors import DataError, OptionError

texts = st.lists(st.text("abäж😀", max_size=6), min_size=1, max_size=12, unique=True)


@given(texts, st.integers(0, 2**32 - 1), st.sampled_from([(1024, 2**19), (0, 8)]))
def test_sums_over_pairs_are_as_by_definition(labels, seed, limits):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(difference_sums, "_TABLE_LIMIT", limits[0])
        patch.setattr(difference_sums, "_PAIRS_AT_ONCE", limits[1])
        delta = NormalizedLevenshtein().differences(labels)
        table = np.array([[oracle.nld(a, b) for b in labels] for a in labels])
        codes = np.arange(len(labels))
        u, v = np.repeat(codes, len(labels)), np.tile(codes, len(labels))
        assert delta.compare(u, v).reshape(table.shape) == pytest.approx(table)
        rng = np.random.default_rng(seed)
        p, q = rng.integers(0, 3, (2, len(labels))).astype(float)
        assert delta.total(p, q) == pytest.approx(p @ table @ q)
        weights = np.stack([p, q], axis=1)
        used = weights.any(axis=1)
        assert delta.against(weights)[used] == pytest.approx((table @ weights)[used])


def test_long_texts():
    labels = ["a" * 300, "b" * 300, "a" * 299 + "b"]
    delta = NormalizedLevenshtein().differences(labels)
    assert delta.compare(np.array([0, 0]), np.array([1, 2])) == pytest.approx([1.0, 1 / 300])


@pytest.mark.parametrize("length", [254, 255, 256, 257])
def test_as_many_edits_as_a_byte_can_hold(length):
    labels = ["a" * length, "b" * length, "b" * (length - 1)]
    delta = NormalizedLevenshtein().differences(labels)
    assert delta.compare(np.array([0, 1]), np.array([1, 2])) == pytest.approx([1.0, 1 / length])
    assert delta.total(np.array([1.0, 0, 0]), np.array([0, 1.0, 0])) == pytest.approx(1.0)


def test_as_a_distance_of_alpha():
    assert isinstance(as_distance("nld", DistanceRole.ALPHA), NormalizedLevenshtein)
    items = [["nehme", "nähme"], ["und", "und"], ["das", "dass"], ["in", None]]
    value, observed, expected = oracle.alpha(items, oracle.nld)
    result = unisono.krippendorff_alpha(items, distance="nld", rows="items")
    assert (result.value, result.observed, result.expected) == pytest.approx((value, observed, expected))
    assert "distance:nld" in result.signature
    assert (
        unisono.measure("krippendorff-alpha(distance=nld)", unisono.Ratings.of(items, rows="items")).value
        == result.value
    )


def test_numbers_are_compared_as_they_are_written_and_sets_are_refused():
    assert unisono.krippendorff_alpha([[12, 13], [12, 12]], distance="nld", rows="items").observed == pytest.approx(
        2 * 0.5 / 4
    )
    with pytest.raises(DataError, match="is a set; nld compares words"):
        _ = unisono.krippendorff_alpha([[["a"], ["b"]], [["a"], ["a"]]], distance="nld", rows="items").value
    with pytest.raises(OptionError):
        as_distance("levenshtein", DistanceRole.ALPHA)
