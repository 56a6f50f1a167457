"""Random annotation sets of many models, drawn in one call: each is the same as when it is drawn alone."""

from __future__ import annotations

import numpy as np
import pytest
from drawing import draw_one

from unisono.chance.corpus import Mixture
from unisono.chance.shift import Shift
from unisono.chance.statistical import Statistical
from unisono.data.annotation_set import sorted_set
from unisono.kernels import switch


def random_set(rng, n):
    """Units of n annotators, some of whom marked nothing, on a continuum of whole positions or of others."""
    counts = rng.integers(0, 6, n)
    counts[rng.integers(n)] += 1
    total, low = int(counts.sum()), float(rng.integers(-50, 50))
    start = rng.integers(0, 80, total).astype(float)
    end = start + rng.choice([0, 1, 3, 9], total)
    if rng.random() < 0.4:
        start, end = start * 0.37, end * 0.37
    who = np.repeat(np.arange(n), counts)
    return sorted_set(low + start, low + end, who, rng.integers(-1, 3, (2, total)), n, (low, low + 100.0))


@pytest.mark.parametrize("kind", [Shift, Statistical])
@pytest.mark.parametrize("on", [False, True], ids=["interpreted", "compiled"])
def test_models_of_documents(kind, on, monkeypatch):
    monkeypatch.setattr(switch, "_on", on)
    rng = np.random.default_rng(1)
    for n in (2, 3, 5):
        models = [kind(random_set(rng, n), index, f"document {index}") for index in range(20)]
        numbers = [range(first := int(rng.integers(9)), first + int(rng.integers(1, 12))) for _ in models]
        together = kind.draw(models, numbers, 42)
        assert together.documents.ravel().tolist() == [i for i, own in enumerate(numbers) for _ in own]
        at = 0
        for model, own in zip(models, numbers, strict=True):
            for number in own:
                alone = draw_one(model, number)
                assert together.units.one(at) == alone
                own_order = sorted_set(alone.start, alone.end, alone.annotator, alone.codes * 0, n, alone.bounds)
                assert own_order.start.tolist() == alone.start.tolist()  # sorted as annotation sets are
                at += 1
        assert together.units.n_sets == at


def test_models_of_a_corpus(monkeypatch):
    rng = np.random.default_rng(2)
    for n in (2, 3, 4):
        documents = [random_set(rng, int(rng.integers(1, 5))) for _ in range(12)]
        model = Mixture(documents, n, [str(index) for index in range(12)])
        monkeypatch.setattr(switch, "_on", True)
        together = Mixture.draw([model], [range(3, 60)], 42)
        monkeypatch.setattr(switch, "_on", False)
        for at, number in enumerate(range(3, 60)):
            assert together.units.one(at) == draw_one(model, number)
            assert len(set(together.documents[at].tolist())) == n


def test_python_and_machine_code_draw_the_same(monkeypatch):
    rng = np.random.default_rng(3)
    for kind in (Shift, Statistical):
        models = [kind(random_set(rng, 3), index, str(index)) for index in range(10)]
        found = []
        for on in (False, True):
            monkeypatch.setattr(switch, "_on", on)
            found.append(kind.draw(models, [range(20)] * 10, 42).units)
        one, other = found
        assert one.begin.tolist() == other.begin.tolist()
        np.testing.assert_allclose(one.start, other.start, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(one.end, other.end, rtol=1e-9, atol=1e-9)
        assert (one.codes == other.codes).all()
