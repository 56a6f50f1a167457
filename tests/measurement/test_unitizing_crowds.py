"""Many annotators of whom few meet: by definition, and whatever is computed at a time."""

from __future__ import annotations

import numpy as np
import pytest
import unitizing_oracle as direct
from unitizing_oracle import corpus

from unisono.data import meetings
from unisono.measurement.unitizing import alpha_u, cu_alpha, discretized_kappa, slot_error_rate, span_f1, u_alpha


def crowd(seed, n_documents=8, n_annotators=9, categories="uvwxyz"):
    """Make documents of one to four annotators out of many; some mark everything, or nothing."""
    rng = np.random.default_rng(seed)
    marked, bounds, worked = [], {}, []
    for d in range(n_documents):
        length = int(rng.integers(12, 30))
        bounds[f"d{d}"] = (0, length)
        for who in rng.permutation(n_annotators)[: rng.integers(1, 5)]:
            worked.append((f"d{d}", f"a{who}"))
            cuts = np.sort(rng.permutation(length + 1)[: 2 * rng.integers(0, 4)])
            cuts = cuts if rng.random() < 0.8 else np.array([0, length])
            for low, high in cuts.reshape(-1, 2).tolist():
                marked.append((f"a{who}", low, high, str(rng.choice([*categories])), f"d{d}"))
    return corpus(marked, bounds, worked)


@pytest.fixture(params=[2**18, 1, 50])
def _portions(request, monkeypatch):
    monkeypatch.setattr(meetings, "_AT_ONCE", request.param)


@pytest.mark.usefixtures("_portions")
@pytest.mark.parametrize("seed", range(5))
def test_by_definition(seed):
    data = crowd(seed)
    result = u_alpha(data)
    assert (result.value, result.details["u_alpha_binary"]) == pytest.approx(direct.u_alpha(data))
    older = u_alpha(data, definition=2013)
    assert (older.observed, older.expected) == pytest.approx(direct.u_alpha_2013(data))
    assert cu_alpha(data).value == pytest.approx(direct.cu_alpha(data, lambda c, k: float(c != k))[0])
    found = {row["category"]: (row["observed"], row["expected"]) for row in alpha_u(data).rows["categories"]}
    for name, both in direct.alpha_u(data).items():
        assert found[name] == pytest.approx(both)
    assert slot_error_rate(data).value == pytest.approx(direct.slot_error_rate(data))
    for match in ("exact", "partial", "overlap"):
        result = span_f1(data, match=match)
        assert result.value == pytest.approx(direct.span_f1(data, match))
        for row in result.rows["categories"]:
            assert row["value"] == pytest.approx(direct.span_f1(data, match, category=row["category"]))


@pytest.mark.parametrize("measure", [u_alpha, cu_alpha, alpha_u, span_f1, slot_error_rate])
@pytest.mark.parametrize("seed", range(3))
def test_each_document_is_measured_as_if_alone(measure, seed):
    data = crowd(seed)
    for document in measure(data).documents:
        alone = measure(data.select(documents=[document.document]))
        assert document.value == (None if alone.value is None else pytest.approx(alone.value))
        assert document.estimate.details == pytest.approx(alone.details)


def test_pairs_of_a_crowd():
    """Each pair that meets is listed both ways, with the units in the documents of both."""
    data = crowd(1)
    listed = {(row["reference"], row["compared"]): row for row in slot_error_rate(data).rows["pairs"]}
    pairs = direct.by_pair(data)
    assert set(listed) == {pair for a, b in pairs for pair in ((a, b), (b, a))}
    for (a, b), documents in pairs.items():
        assert listed[a, b]["n_units"] == sum(len(mine) for mine, _ in documents)
        assert listed[b, a]["n_units"] == sum(len(theirs) for _, theirs in documents)


def test_tables_are_of_all_documents():
    data = crowd(2)
    for measure in (u_alpha, cu_alpha, alpha_u, span_f1):
        assert [row["category"] for row in measure(data).rows["categories"]] == sorted("uvwxyz")


def test_categories_of_atoms_where_two_of_many_meet():
    """Cohen's κ is for two annotators, not for two labels a place."""
    rng = np.random.default_rng(3)
    marked = []
    for d in range(6):
        for who in rng.permutation(6)[:2].tolist():
            cuts = np.sort(rng.permutation(30)[:6]).reshape(-1, 2)
            marked += [(f"a{who}", int(a), int(b), str(rng.choice([*"xyz"])), f"d{d}") for a, b in cuts]
    data = corpus(marked, {f"d{d}": (0, 30) for d in range(6)})
    places = direct.expanded(data)
    for row in discretized_kappa(data).rows["categories"]:
        one = [[None if label is None else label == row["category"] for label in place] for place in places]
        observed, expected = direct.multi_kappa(one)
        assert row["value"] == pytest.approx((observed - expected) / (1 - expected))
