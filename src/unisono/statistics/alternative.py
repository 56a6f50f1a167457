"""The alternative annotator test: whether a model may replace a human annotator [1]_.

For every human j, the others are the reference: on each instance, does the model agree with them at least as well as j?
ρ_j is the share of instances on which it does, ρ_j^h that on which j agrees at least as well as the model. The null
hypothesis ρ_j ≤ ρ_j^h - ε is tested with a paired t-test, corrected for several humans [2]_. The winning rate ω is the
share of humans for whom it is rejected; the model passes if ω ≥ 0.5. The mean of ρ_j is the average advantage
probability ρ.

For fewer than 30 instances, the paper takes Wilcoxon's signed-rank test. That is a test of the median, which is 0 as
long as the two are equally good on most instances, so it says nothing about ε: humans with fewer instances get no
verdict here. Even with more, the t-test rejects too often where the model is hardly ever better than the human: its
variance is then that of the few instances on which the human is better. A score test (`noninferiority`), which keeps
its level, is therefore run besides.

With several runs of a model, what counts on each instance is the share of its runs.

References
----------
.. [1] Calderon, N., Reichart, R. & Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: how to
       statistically justify replacing human annotators with LLMs. ACL 2025, 16051–16081.
.. [2] Benjamini, Y. & Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under
       dependency. Annals of Statistics 29(4), 1165–1188.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.results import Interval
from unisono.statistics.mean_shares import mean_share_limits
from unisono.statistics.noninferiority import score_p
from unisono.statistics.quantiles import LEVEL, student_cdf

FEW_INSTANCES = 30
"""With fewer, the t-test cannot be trusted, and there is no verdict."""
_SAME = 1e-12
"""Agreements that differ by less are the same; the rest is rounding."""
_TO_PASS = 0.5


@dataclass(frozen=True)
class Advantage:
    """The model against one human.

    Attributes
    ----------
    annotator : str
        The human.
    n : int
        Number of instances.
    model, human : float or None
        ρ_j of the model, and of the human; None without instances.
    p : float or None
        How likely such an advantage is if the human is better by ε or more; None with fewer than 30 instances.
    wins : bool or None
        Whether the model may replace the human; None if there is no verdict.
    p_score : float or None
        The same as `p` by the score test.
    wins_by_score : bool or None
        The same as `wins` by the score test.
    """

    annotator: str
    n: int
    model: float | None
    human: float | None
    p: float | None
    wins: bool | None
    p_score: float | None = None
    wins_by_score: bool | None = None


@dataclass(frozen=True)
class AlternativeTest:
    """The outcome of the test.

    Attributes
    ----------
    humans : tuple of Advantage
        The model against each human.
    epsilon : float
        ε, by how much a human may be better, because a model costs less.
    instances : str
        What was compared one by one: items or documents.
    interval : Interval or None
        Of ρ, for these humans and other instances of the kind; None with fewer than two instances.
    """

    humans: tuple[Advantage, ...]
    epsilon: float
    instances: str
    interval: Interval | None = None

    @property
    def winning_rate(self) -> float | None:
        """ω, the share of humans whom the model may replace, of those with a verdict; None if there are none."""
        return _share([one.wins for one in self.humans])

    @property
    def winning_rate_by_score(self) -> float | None:
        """ω by the score test."""
        return _share([one.wins_by_score for one in self.humans])

    @property
    def advantage(self) -> float | None:
        """ρ, the mean share of instances on which the model agrees with the others at least as well as a human."""
        known = [one.model for one in self.humans if one.model is not None]
        return float(np.mean(known)) if known else None

    @property
    def passes(self) -> bool | None:
        """Whether the model wins against half of the humans or more; None without any verdict."""
        return None if self.winning_rate is None else self.winning_rate >= _TO_PASS

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "winning_rate": self.winning_rate,
            "winning_rate_by_score": self.winning_rate_by_score,
            "advantage_probability": self.advantage,
            "interval": None if self.interval is None else self.interval.to_dict(),
            "epsilon": self.epsilon,
            "passes": self.passes,
            "instances": self.instances,
            "humans": [{**vars(one)} for one in self.humans],
        }


def alternative_test(
    names: Sequence[str],
    human: FloatArray,
    model: FloatArray,
    *,
    epsilon: float,
    instances: str = "instances",
    clusters: IntArray | None = None,
    level: float = 0.05,
) -> AlternativeTest:
    """Test whether a model may replace human annotators.

    `human` and `model`, shape (n_humans, n_instances), are how well each human, and the model in their place, agrees
    with all other humans; NaN if that is unknown. With several runs, `model` has the shape (n_runs, n_humans,
    n_instances). The paper takes an ε of 0.2 for experts, 0.15 for skilled annotators and 0.1 for crowds. `level` is
    the false discovery rate; `instances` is what they are: items or documents; `clusters`, shape (n_instances,), is
    what they belong to if they are not independent.
    """
    runs = model if model.ndim == 3 else model[None]
    decided = [_Decided.of(h, runs[:, j]) for j, h in enumerate(human)]
    found = [_against(name, one, epsilon) for name, one in zip(names, decided, strict=True)]
    for p, wins in (("p", "wins"), ("p_score", "wins_by_score")):
        known = np.array([getattr(one, p) for one in found if getattr(one, p) is not None])
        rejected = iter(by_yekutieli(known, level).tolist())
        found = [one if getattr(one, p) is None else replace(one, **{wins: next(rejected)}) for one in found]
    limits = mean_share_limits(np.array([one.model_wins for one in decided]), clusters)
    what = instances if clusters is None else "documents"
    interval = None if limits is None else Interval(*limits, LEVEL, f"Wilson limits, variance over {what}")
    return AlternativeTest(tuple(found), epsilon, instances, interval)


def by_yekutieli(p: FloatArray, level: float) -> BoolArray:
    """Return which hypotheses are rejected: the k smallest p, for the greatest k with p_(k) ≤ k/m · level / Σ 1/i."""
    m = len(p)
    order = np.argsort(p, kind="stable")
    ranks = np.arange(1, m + 1)
    below = np.flatnonzero(p[order] <= ranks / m * level / (1 / ranks).sum())
    rejected = np.zeros(m, dtype=np.bool_)
    rejected[order[: below[-1] + 1 if len(below) else 0]] = True
    return rejected


@dataclass(frozen=True)
class _Decided:
    """On which share of runs the model, and the human, is at least as good; NaN where that is unknown."""

    model_wins: FloatArray
    human_wins: FloatArray

    @classmethod
    def of(cls, human: FloatArray, runs: FloatArray) -> _Decided:
        known = np.isfinite(runs) & np.isfinite(human)
        n_runs = np.where(known.any(axis=0), known.sum(axis=0), np.nan)
        with np.errstate(invalid="ignore"):
            model_wins, human_wins = runs >= human - _SAME, human >= runs - _SAME
        return cls((model_wins & known).sum(axis=0) / n_runs, (human_wins & known).sum(axis=0) / n_runs)


def _against(name: str, decided: _Decided, epsilon: float) -> Advantage:
    known = np.isfinite(decided.model_wins)
    model_wins, human_wins = decided.model_wins[known], decided.human_wins[known]
    n = len(model_wins)
    if not n:
        return Advantage(name, 0, None, None, None, None)
    shares = float(model_wins.mean()), float(human_wins.mean())
    if n < FEW_INSTANCES:
        return Advantage(name, n, *shares, None, None)
    by_score = score_p(float((1 - model_wins).sum()), float((1 - human_wins).sum()), n, epsilon)
    return Advantage(name, n, *shares, _p(human_wins - model_wins, epsilon), None, by_score)


def _share(verdicts: Sequence[bool | None]) -> float | None:
    known = [one for one in verdicts if one is not None]
    return float(np.mean(known)) if known else None


def _p(behind: FloatArray, epsilon: float) -> float:
    """Return how likely a mean so far below ε is if the true mean is not below ε."""
    n, spread = len(behind), float(behind.std(ddof=1))
    if spread < _SAME:
        if behind[0] > 0:
            return 1.0
        # the human was never better: at least as unlikely as if it happened once, and as n times without an event of
        # probability ε
        return min((1 - epsilon) ** n, _p(np.append(behind[1:], 1.0), epsilon))
    return student_cdf((float(behind.mean()) - epsilon) / (spread / sqrt(n)), n - 1)
