"""The alternative annotator test, from its definition (Calderon, Reichart & Dror 2025)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from unisono.statistics.alternative import alternative_test, by_yekutieli


def test_by_hand():
    """Forty instances: the model is better on 10, as good on 26, worse on 4."""
    human = np.array([[0.5] * 40])
    model = np.array([[1.0] * 10 + [0.5] * 26 + [0.0] * 4])
    found = alternative_test(["anna"], human, model, epsilon=0.15)
    (anna,) = found.humans
    assert anna.model == pytest.approx(0.9)
    assert anna.human == pytest.approx(0.75)
    behind = np.array([-1.0] * 10 + [0.0] * 26 + [1.0] * 4)
    assert anna.p == pytest.approx(stats.ttest_1samp(behind, 0.15, alternative="less").pvalue)
    assert anna.wins
    assert found.winning_rate == 1.0
    assert found.advantage == pytest.approx(0.9)
    assert found.passes


def test_epsilon_is_what_a_human_may_be_better():
    human = np.array([[1.0] * 8 + [0.0] * 92])
    model = np.zeros((1, 100))
    assert alternative_test(["a"], human, model, epsilon=0.2).passes
    assert not alternative_test(["a"], human, model, epsilon=0.05).passes


def test_few_instances_have_no_verdict():
    """A test of ranks would let a model pass whose human is better on 6 of 29 instances and never worse."""
    human = np.array([[1.0] * 6 + [0.5] * 23])
    model = np.array([[0.5] * 29])
    found = alternative_test(["a"], human, model, epsilon=0.1)
    assert [(one.p, one.wins) for one in found.humans] == [(None, None)]
    assert found.humans[0].model == pytest.approx(23 / 29)
    assert (found.winning_rate, found.passes) == (None, None)


def test_humans_without_a_verdict_do_not_count():
    rng = np.random.default_rng(4)
    human, model = rng.random((3, 40)).round(), np.ones((3, 40))
    human[2, 5:] = np.nan
    found = alternative_test(["a", "b", "c"], human, model, epsilon=0.1)
    assert [one.wins for one in found.humans] == [True, True, None]
    assert found.winning_rate == 1.0
    only = alternative_test(["a", "b"], human[:2], model[:2], epsilon=0.1)
    assert [one.p for one in only.humans] == [one.p for one in found.humans[:2]]


def test_what_cannot_be_told_does_not_count():
    human = np.array([[0.5, np.nan, 0.5], [np.nan] * 3])
    model = np.array([[0.5, 0.5, np.nan], [0.5] * 3])
    first, second = alternative_test(["a", "b"], human, model, epsilon=0.1).humans
    assert (first.n, first.model, first.human, first.p) == (1, 1.0, 1.0, None)
    assert (second.n, second.model, second.wins) == (0, None, None)


def test_always_as_good_is_sure():
    same = np.full((2, 50), 0.5)
    assert alternative_test(["a", "b"], same, same, epsilon=0.1).winning_rate == 1.0
    assert alternative_test(["a", "b"], same, same, epsilon=0.0).winning_rate == 0.0


def test_never_worse_is_as_sure_as_the_instances_are_many():
    """Where the human is better with probability ε, that is not seen in n instances with (1 - ε)^n."""
    same = np.full((1, 40), 0.5)
    assert alternative_test(["a"], same, same, epsilon=0.05).humans[0].p == pytest.approx(0.95**40)
    assert not alternative_test(["a"], same, same, epsilon=0.05).passes
    assert alternative_test(["a"], same + 1, same, epsilon=0.05).humans[0].p == 1.0


def test_yekutieli_against_statsmodels():
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(1)
    for _ in range(200):
        p = rng.random(rng.integers(1, 9)) ** 3
        assert by_yekutieli(p, 0.05).tolist() == multipletests(p, 0.05, method="fdr_by")[0].tolist()


def test_false_winners_are_rare():
    """The human is better by exactly ε."""
    rng = np.random.default_rng(2)
    wins = 0
    for _ in range(1000):
        draw = rng.random(60)
        human, model = (draw < 0.35).astype(float), ((draw >= 0.35) & (draw < 0.5)).astype(float)
        wins += alternative_test(["a"], human[None], model[None], epsilon=0.2).passes
    assert wins / 1000 <= 0.07


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.15, 0.2])
@pytest.mark.parametrize("n", [30, 34, 60])
def test_a_model_that_is_worse_once_is_not_surer_than_one_that_never_is(n, epsilon):
    """p rises with the number of instances on which the human is better."""
    human = np.ones((1, n))
    found = []
    for losses in range(6):
        model = np.ones((1, n))
        model[0, :losses] = 0.0
        found.append(alternative_test(["h"], human, model, epsilon=epsilon).humans[0].p)
    assert all(before <= after * (1 + 1e-9) for before, after in pairwise(found))


def test_the_threshold_itself_is_enough():
    assert by_yekutieli(np.array([0.05]), 0.05).tolist() == [True]
    # of two, the smaller one needs level / 2 / 1.5, and the larger one twice that
    limit = 0.05 / (1 + 1 / 2)
    assert by_yekutieli(np.array([limit, 0.001]), 0.05).tolist() == [True, True]
    assert by_yekutieli(np.array([limit * 1.001, limit / 2]), 0.05).tolist() == [False, True]
    assert by_yekutieli(np.array([limit * 1.001, limit / 2 * 1.001]), 0.05).tolist() == [False, False]


def test_runs_count_by_their_share():
    """Of two runs, one is better and one worse on each of the first ten instances."""
    human = np.full((1, 40), 0.5)
    runs = np.stack([human.copy(), human.copy()])
    runs[0, 0, :10], runs[1, 0, :10] = 1.0, 0.0
    (found,) = alternative_test(["a"], human, runs, epsilon=0.15).humans
    assert (found.n, found.model, found.human) == (40, 35 / 40, 35 / 40)
    alone = alternative_test(["a"], human, runs[:1], epsilon=0.15).humans[0]
    assert alone.model == 1.0
    same = alternative_test(["a"], human, np.stack([runs[0], runs[0]]), epsilon=0.15).humans[0]
    assert same == alone


def test_a_run_that_has_no_instance_plays_no_part():
    human, model = np.full((1, 40), 0.5), np.full((1, 40), 1.0)
    absent = np.full((1, 40), np.nan)
    found = alternative_test(["a"], human, np.stack([model, absent]), epsilon=0.15)
    assert found.humans == alternative_test(["a"], human, model, epsilon=0.15).humans


def test_the_score_test_is_corrected_in_the_same_way():
    rng = np.random.default_rng(5)
    human, model = rng.random((4, 80)).round(), (rng.random((4, 80)) < 0.6).astype(float)
    found = alternative_test(list("abcd"), human, model, epsilon=0.1)
    p = np.array([one.p_score for one in found.humans])
    assert [one.wins_by_score for one in found.humans] == by_yekutieli(p, 0.05).tolist()
    assert found.winning_rate_by_score == np.mean([one.wins_by_score for one in found.humans])


def test_where_the_model_is_hardly_ever_better_the_tests_differ():
    """One human win in 30 instances: the t-test takes it for a spread that is far from ε."""
    human, model = np.full((1, 30), 0.5), np.full((1, 30), 0.5)
    human[0, 0] = 1.0
    (found,) = alternative_test(["a"], human, model, epsilon=0.1).humans
    assert found.wins
    assert found.p < 0.05 < found.p_score
    assert not found.wins_by_score


def test_the_interval_of_the_advantage():
    human, model = np.full((2, 50), 0.5), np.full((2, 50), 0.5)
    human[:, :10] = 1.0
    found = alternative_test(["a", "b"], human, model, epsilon=0.1)
    assert found.advantage == 0.8
    assert 0.65 < found.interval.low < 0.8 < found.interval.high < 0.9
    in_documents = alternative_test(["a", "b"], human, model, epsilon=0.1, clusters=np.arange(50) // 10)
    assert in_documents.interval.low < found.interval.low
    assert in_documents.humans == found.humans
