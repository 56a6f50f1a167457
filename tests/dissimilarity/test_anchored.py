"""Positions of units with several anchors: by hand, against all matchings, and where they are looked for."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from anchors_oracle import d_anchors

from unisono.alignment.anchor_windows import Windows
from unisono.alignment.pairs import _all_pairs
from unisono.data.anchors import Anchors
from unisono.data.annotation_set import sorted_set, stacked
from unisono.dissimilarity.anchored import AnchorRoles, spelled_roles
from unisono.kernels import switch

U, V = np.array([0]), np.array([1])


def apart(one, other, weights=None, directed=True):
    roles = AnchorRoles.of(weights, directed)
    both = Anchors.of([one, other]).as_floats()
    (there,), (back,) = (roles.positional(both, *order) for order in ((U, V), (V, U)))
    assert there == back or there == pytest.approx(back, rel=1e-14)
    return there


def relation(source, target):
    return [("source", *source), ("target", *target)]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([("piece", 4, 14)], [("piece", 14, 24)], 1.0),
        ([("piece", 4, 4)], [("piece", 5, 5)], inf),
        ([("trigger", 0, 5)], [("agent", 0, 5)], inf),  # nothing to match
        (relation((0, 5), (10, 15)), relation((0, 5), (10, 15)), 0.0),
        (relation((0, 5), (10, 15)), relation((0, 5), (90, 95)), 1.0),  # (0 + 2) / 2: half of what two lone units cost
        (relation((0, 5), (10, 15)), relation((5, 10), (10, 15)), 0.5),
        (relation((0, 5), (10, 15)), relation((50, 55), (90, 95)), 51.0),  # (10² + 2) · 2/4
        ([("piece", 0, 5), ("piece", 10, 15)], [("piece", 0, 5)], 1 / 1.5),
        ([("piece", 0, 5), ("piece", 10, 15)], [("piece", 10, 15), ("piece", 2, 7)], 0.16 / 2),
        ([("piece", 0, 2), ("piece", 2, 4)], [("piece", 2, 4), ("piece", 4, 6)], 1.0),  # 2 or 1 + 1: the same
    ],
)
def test_by_hand(one, other, expected):
    assert apart(one, other) == pytest.approx(expected)


def test_weights_and_direction_by_hand():
    one, other = relation((0, 5), (10, 15)), relation((0, 5), (90, 95))
    assert apart(one, other, {"source": 3}) == pytest.approx(2 * 2 / 8)  # the targets cost 2 of the weight of 8
    assert apart(one, other, {"target": 3}) == pytest.approx(2 * 6 / 8)
    turned = relation((10, 15), (0, 5))
    assert apart(one, turned) == pytest.approx(3.0)  # (2² + 2) · 2/4: one pair must count
    assert apart(one, turned, directed=False) == 0.0
    assert apart(one, turned, {"source": 7}, directed=False) == 0.0
    assert spelled_roles(AnchorRoles.of({"source": 2, "target": 0.5}, True)) == "source*2+target*0.5"


@pytest.mark.parametrize("compiled", [False, True])
def test_equal_to_all_matchings(compiled, monkeypatch):
    monkeypatch.setattr(switch, "_on", compiled)
    for seed in range(1500 if compiled else 400):
        rng = np.random.default_rng(seed)
        one, other = (
            [
                (str(rng.choice(["source", "target", "piece"])), int(start), int(start + rng.choice([0, 1, 3, 6])))
                for start in rng.integers(0, 12, int(rng.integers(1, 6)))
            ]
            for _ in range(2)
        )
        weights = None if rng.random() < 0.4 else {"source": float(rng.choice([0.3, 1, 4])), "piece": 2.5}
        directed = bool(rng.random() < 0.6)
        expected = d_anchors(one, other, weights, directed)
        assert apart(one, other, weights, directed) == pytest.approx(expected, rel=1e-12, abs=1e-12), seed


def test_shares_add_up():
    rng = np.random.default_rng(1)
    every = Anchors.of(
        [
            [
                (str(rng.choice(["source", "target", "piece"])), int(start), int(start) + 3)
                for start in rng.integers(0, 9, 3)
            ]
            for _ in range(60)
        ]
    ).as_floats()
    u, v = rng.integers(0, 60, (2, 300))
    for directed in (True, False):
        roles = AnchorRoles.of({"target": 3}, directed)
        shares, whole = roles.shares(every, u, v), roles.positional(every, u, v)
        np.testing.assert_allclose(shares.sum(axis=1), whole, rtol=1e-12, atol=1e-12)


def test_many_anchors_take_no_time():
    rng = np.random.default_rng(0)
    starts = rng.integers(0, 4000, 800)
    one = [("piece", int(start), int(start) + 5) for start in starts]
    other = [("piece", int(start) + 1, int(start) + 6) for start in starts]
    assert apart(one, other) <= 0.04 + 1e-12


def random_set(rng, n, extent):
    """Few or many anchors, short or long, of few or many units."""
    units = []
    for annotator in range(n):
        for _ in range(int(rng.integers(0, 7))):
            many = int(rng.choice([1, 2, 2, 3, 9]))
            start = int(rng.integers(0, extent))
            anchors = []
            for _ in range(many):
                begin = start + int(rng.integers(0, 40))
                anchors.append(
                    (str(rng.choice(["source", "target", "piece"])), begin, begin + int(rng.choice([0, 1, 4, 30])))
                )
            units.append((annotator, anchors))
    anchors = Anchors.of([anchors for _, anchors in units]).as_floats()
    annotator = np.array([annotator for annotator, _ in units], np.int64)
    return sorted_set(*anchors.hull, annotator, np.zeros((0, len(units)), np.int64), n, (0.0, 1.0), anchors=anchors)


@pytest.mark.parametrize("limit", [0.3, 1.0, 2.0, 5.0, 30.0])
def test_windows_miss_no_pair(limit):
    listed = every = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 5))
        sets = [random_set(rng, n, int(rng.choice([60, 400, 4000]))) for _ in range(3)]
        weights = None if seed % 2 else {"source": 0.25, "piece": 5.0}
        roles = AnchorRoles.of(weights, directed=seed % 3 > 0)
        together = stacked(sets)
        _, u, v = Windows.of(together, together.anchors, roles).pairs(limit)
        found = {*zip(u.tolist(), v.tolist(), strict=True)}
        before = 0
        for units in sets:
            if not units.n_units:
                continue
            alone = [Windows.of(units, units.anchors, roles).in_blocks(limit, 1)]
            own = {(int(a), int(b)) for _, u, v in alone[0] for a, b in zip(u, v, strict=True)}
            assert own == {(a - before, b - before) for a, b in found if 0 <= a - before < units.n_units}
            for _, u, v in _all_pairs(units):
                near = roles.positional(units.anchors, u, v) < limit
                assert own >= {*zip(u[near].tolist(), v[near].tolist(), strict=True)}
                every += len(u)
            listed += len(own)
            before += units.n_units
    assert listed < 0.6 * every  # most pairs are not looked at


def test_windows_do_not_widen_for_a_long_anchor_or_a_large_unit():
    relations = [relation((100 * k, 100 * k + 5), (100 * k + 10, 100 * k + 15)) for k in range(300)]
    large = [("source", 50 * k, 50 * k + 5) for k in range(300)]
    long = relation((0, 30000), (10, 15))
    units = [*relations, large, long, *relations]
    anchors = Anchors.of(units).as_floats()
    annotator = np.repeat([0, 1], [302, 300])
    made = sorted_set(*anchors.hull, annotator, np.zeros((0, 602), np.int64), 2, (0.0, 1.0), anchors=anchors)
    _, u, _ = Windows.of(made, made.anchors, AnchorRoles()).pairs(2.0)
    assert np.bincount(u).tolist().count(1) >= 299
