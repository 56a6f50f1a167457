"""The correction of Rogan & Gladen (1978) and its limits."""

from __future__ import annotations

import numpy as np
import pytest
from double_samples import TABLE, drawn, sample_of

from unisono.statistics.misclassification import corrected_shares


def test_two_categories_as_rogan_and_gladen():
    table, alone = np.array([[40, 10], [12, 88]]), (400, 450)
    sensitivity, specificity = 40 / 50, 88 / 100
    apparent = (40 + 12 + 400) / (150 + 850)
    expected = (apparent + specificity - 1) / (sensitivity + specificity - 1)
    ill, well = corrected_shares(sample_of(table, alone))
    assert ill.value == pytest.approx(expected)
    assert well.value == pytest.approx(1 - expected)


def test_three_categories_from_the_confusion_matrix():
    sample = sample_of(TABLE, (2300, 2400, 5300))
    confusion = (TABLE / TABLE.sum(axis=1, keepdims=True)).T
    expected = np.linalg.inv(confusion) @ sample.model.mean(axis=0)
    assert [one.value for one in corrected_shares(sample)] == pytest.approx(expected.tolist())


def test_limits_are_those_of_a_ratio():
    """As the delta method's where the model is good and items are many."""
    sample = sample_of(100 * TABLE, (230_000, 240_000, 530_000))
    found = corrected_shares(sample)[0]
    n = TABLE.sum() * 100

    def value(table, q):
        return np.linalg.solve((table / table.sum(axis=1, keepdims=True)).T, q)[0]

    rng = np.random.default_rng(1)
    tables = rng.multinomial(n, (TABLE / TABLE.sum()).ravel(), size=2000).reshape(-1, 3, 3)
    alone = rng.multinomial(1_000_000, [0.23, 0.24, 0.53], size=2000)
    values = [value(t, (t.sum(axis=0) + a) / (n + 1_000_000)) for t, a in zip(tables, alone, strict=True)]
    assert found.high - found.low == pytest.approx(2 * 1.96 * np.std(values), rel=0.05)


def test_a_model_that_says_one_thing_only_says_nothing():
    assert "does not distinguish" in corrected_shares(sample_of([[50, 0], [50, 0]], (400, 0)))
    assert "does not distinguish" in corrected_shares(sample_of([[25, 25], [25, 25]], (200, 200)))


def test_a_weak_model_leaves_everything_possible():
    share = corrected_shares(sample_of([[16, 14], [14, 16]], (200, 200)))[0]
    assert share.high - share.low > 0.9
    assert 0 <= share.low <= share.value <= share.high <= 1


def test_a_category_that_people_never_gave_has_no_share():
    """Items that the model puts there are some of the others, and their shares remain."""
    table = np.array([[40, 5, 5], [10, 85, 5], [0, 0, 0]])
    found = corrected_shares(sample_of(table, (400, 500, 100)))
    assert found[2] is None
    confusion = np.array([[0.8, 0.1], [0.1, 0.85]])
    q = np.array([450, 590]) / 1150
    assert [one.value for one in found[:2]] == pytest.approx(np.linalg.solve(confusion, q).tolist())


def test_people_who_chose_items_by_their_label_do_no_harm():
    """Half of the items by people are of the rare category: the correction still finds its true share."""
    confusion = np.array([[0.85, 0.15], [0.15, 0.85]])
    alone = (confusion @ [0.1, 0.9] * 10_000).astype(int)
    rng = np.random.default_rng(2)
    values = []
    for _ in range(300):
        table = np.array([rng.multinomial(150, confusion[:, j]) for j in (0, 1)])
        values.append(corrected_shares(sample_of(table, alone))[0].value)
    # 300 of 10,300 items are not a random sample of all
    assert np.mean(values) == pytest.approx((0.1 * 10_000 + 150) / 10_300, abs=0.005)


@pytest.mark.parametrize(
    ("share", "confusion", "n_people"),
    [
        ([0.3, 0.7], [[0.85, 0.22], [0.15, 0.78]], 150),
        ([0.2, 0.3, 0.5], [[0.8, 0.1, 0.25], [0.15, 0.7, 0.05], [0.05, 0.2, 0.7]], 200),
    ],
)
def test_covering(share, confusion, n_people):
    rng = np.random.default_rng(4)
    found = [corrected_shares(drawn(rng, share, confusion, n_people, 2000))[0] for _ in range(400)]
    assert 0.93 <= np.mean([one.low <= share[0] <= one.high for one in found]) <= 0.98
    assert np.mean([one.value for one in found]) == pytest.approx(share[0], abs=0.01)


def test_a_matrix_that_is_singular_once_items_are_added():
    """Half an item more in each cell: 1.5 · 4.5 = 0.5 · 13.5."""
    share = corrected_shares(sample_of([[1, 0], [13, 4]], (100, 100)))[0]
    assert (share.low, share.high) == (0, 1)
