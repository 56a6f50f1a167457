"""The alternative annotator test: whether a model may replace a human annotator [1]_.

For every human j, the others are the reference: on each instance, does the model agree with them at least as well as j?
ρ_j is the share of instances on which it does, ρ_j^h that on which j agrees at least as well as the model. The null
hypothesis ρ_j ≤ ρ_j^h - ε is tested with a paired t-test, corrected for several humans [2]_. The winning rate ω is the
share of humans for whom it is rejected; the model passes if ω ≥ 0.5. The mean of ρ_j is the average advantage
probability ρ.

For fewer than 30 instances, the paper takes Wilcoxon's signed-rank test. That is a test of the median, which is 0 as
long as the two are equally good on most instances, so it says nothing about ε: humans with fewer instances get no
verdict here.

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

from unisono.arrays import BoolArray, FloatArray
from unisono.statistics.quantiles import student_cdf

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
    """

    annotator: str
    n: int
    model: float | None
    human: float | None
    p: float | None
    wins: bool | None


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
    """

    humans: tuple[Advantage, ...]
    epsilon: float
    instances: str

    @property
    def winning_rate(self) -> float | None:
        """ω, the share of humans whom the model may replace, of those with a verdict; None if there are none."""
        known = [one.wins for one in self.humans if one.wins is not None]
        return float(np.mean(known)) if known else None

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
            "advantage_probability": self.advantage,
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
    level: float = 0.05,
) -> AlternativeTest:
    """Test whether a model may replace human annotators.

    `human` and `model`, shape (n_humans, n_instances), are how well each human, and the model in their place, agrees
    with all other humans; NaN if that is unknown. The paper takes an ε of 0.2 for experts, 0.15 for skilled annotators
    and 0.1 for crowds. `level` is the false discovery rate; `instances` is what they are: items or documents.
    """
    found = [_against(name, h, f, epsilon) for name, h, f in zip(names, human, model, strict=True)]
    wins = iter(by_yekutieli(np.array([one.p for one in found if one.p is not None]), level).tolist())
    rated = (one if one.p is None else replace(one, wins=next(wins)) for one in found)
    return AlternativeTest(tuple(rated), epsilon, instances)


def by_yekutieli(p: FloatArray, level: float) -> BoolArray:
    """Return which hypotheses are rejected: the k smallest p, for the greatest k with p_(k) ≤ k/m · level / Σ 1/i."""
    m = len(p)
    order = np.argsort(p, kind="stable")
    ranks = np.arange(1, m + 1)
    below = np.flatnonzero(p[order] <= ranks / m * level / (1 / ranks).sum())
    rejected = np.zeros(m, dtype=np.bool_)
    rejected[order[: below[-1] + 1 if len(below) else 0]] = True
    return rejected


def _against(name: str, human: FloatArray, model: FloatArray, epsilon: float) -> Advantage:
    known = np.isfinite(human) & np.isfinite(model)
    human, model = human[known], model[known]
    n = len(human)
    if not n:
        return Advantage(name, 0, None, None, None, None)
    model_wins, human_wins = model >= human - _SAME, human >= model - _SAME
    behind = human_wins.astype(np.float64) - model_wins
    p = _p(behind, epsilon) if n >= FEW_INSTANCES else None
    return Advantage(name, n, float(model_wins.mean()), float(human_wins.mean()), p, None)


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
