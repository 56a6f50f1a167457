"""Alignments of relations, events and units in pieces: against brute force over alignments and matchings."""

from __future__ import annotations

import numpy as np
import pytest
from anchors_oracle import least_disorder

from unisono.alignment.solve import best_alignment
from unisono.alignment.stacks import best_alignments
from unisono.data.anchors import Anchors
from unisono.data.annotation_set import sorted_set, stacked
from unisono.data.labels import feature
from unisono.dissimilarity.anchored import AnchorRoles
from unisono.dissimilarity.combined import Dissimilarity, WeightedFeature
from unisono.kernels import switch

N_CASES = 5000
LABELS = {"category": feature(["A", "B", "C"])}
ROLES = ("source", "target", "piece")


@pytest.fixture(params=[False, True], ids=["interpreted", "compiled"])
def way(request, monkeypatch):
    """Run kernels one way or the other."""
    monkeypatch.setattr(switch, "_on", request.param)
    return request.param


def random_anchors(rng, extent):
    """One to three anchors; roles may be missing or occur several times, and some have no length."""
    found = []
    for _ in range(int(rng.integers(1, 4))):
        start, length = (
            int(rng.integers(0, extent)),
            int(rng.choice([0, 1, 2, 3, 5, 10], p=[0.1, 0.2, 0.2, 0.2, 0.2, 0.1])),
        )
        found.append((ROLES[rng.choice(3, p=[0.4, 0.4, 0.2])], start, start + length))
    return found


def random_units(rng):
    """Up to four units of each of two to four annotators; ties and identical anchors are common."""
    n = int(rng.integers(2, 5))
    most, extent = {2: 4, 3: 3, 4: 2}[n], int(rng.choice([6, 15, 40]))
    shift = float(rng.choice([0.0, 0.25]))
    units, drawn = [], []
    for annotator in range(n):
        for _ in range(int(rng.integers(0, most + 1))):
            anchors = random_anchors(rng, extent)
            if drawn and rng.random() < 0.4:  # much of what somebody else has marked
                anchors = [*drawn[rng.integers(len(drawn))]]
                anchors[rng.integers(len(anchors))] = random_anchors(rng, extent)[0]
            drawn.append(anchors)
            units.append(
                (
                    annotator,
                    [(role, start + shift, end + shift) for role, start, end in anchors],
                    "ABC"[rng.integers(3)],
                )
            )
    return units, n


def set_of(units, n):
    anchors = Anchors.of([anchors for _, anchors, _ in units]).as_floats()
    codes = np.array([["ABC".index(category) for _, _, category in units]], dtype=np.int64)
    annotator = np.array([annotator for annotator, _, _ in units], dtype=np.int64)
    return sorted_set(*anchors.hull, annotator, codes, n, (0.0, 100.0), anchors=anchors)


def random_options(rng):
    """Weights of positions, categories and roles, and whether relations have a direction."""
    alpha, beta = rng.choice([0.0, 0.5, 1.0, 3.0, rng.uniform(0, 5)], 2)
    weights = {} if rng.random() < 0.5 else {"source": float(rng.choice([0.5, 2.0, 7.0])), "piece": 1.5}
    return {
        "alpha": 1.0 if alpha == beta == 0 else float(alpha),
        "beta": float(beta),
        "delta_empty": float(rng.choice([0.5, 1.0, 2.0])),
        "weights": weights,
        "directed": bool(rng.random() < 0.6),
    }


def bound(*, weights, directed, **options):
    roles = AnchorRoles.of(weights, directed)
    return Dissimilarity(**options, features=(WeightedFeature("category"),), roles=roles).bind(LABELS)


@pytest.mark.parametrize("block", [0, *(pytest.param(block, marks=pytest.mark.slow) for block in range(1, 20))])
@pytest.mark.usefixtures("way")
def test_equal_to_brute_force(block):
    for seed in range(block * N_CASES // 20, (block + 1) * N_CASES // 20):
        rng = np.random.default_rng(seed)
        units, n = random_units(rng)
        if not units:
            continue
        own = random_options(rng)
        made = set_of(units, n)
        least = least_disorder(units, n, **own)
        found = best_alignment(made, bound(**own))
        assert found.total * own["delta_empty"] / made.mean_units == pytest.approx(least, abs=1e-9, rel=1e-9), seed
        assert found.gap == 0.0
        assert (np.sort(found.table[found.table >= 0]) == np.arange(made.n_units)).all(), seed
        together = best_alignments(stacked([made]), bound(**own))
        assert together.total[0] == pytest.approx(found.total, abs=1e-9), seed
