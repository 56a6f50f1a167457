"""The analysis of variance of ratings: mean squares, and what they estimate, of complete tables and of others.

References
----------
.. [1] Henderson, C. R. (1953). Estimation of variance and covariance components. Biometrics 9(2), 226–252.
.. [2] Searle, S. R.; Casella, G.; McCulloch, C. E. (1992). Variance Components. Wiley. Chapters 3 and 5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.measurement.rating_scales.scores import Scores
from unisono.measurement.rating_scales.severity import Additive


@dataclass(frozen=True)
class MeanSquares:
    """Mean squares and their degrees of freedom.

    They estimate E(items) = σ²_e + k σ²_items, E(annotators) = σ²_e + n σ²_annotators and E(error) = σ²_e; in the
    one-way model, the error includes differences of annotators.
    """

    items: float
    error: float
    df_items: float
    df_error: float
    k: float  # labels per item, or what takes their place in the first of these equations
    harmonic: float  # the harmonic mean number of labels per item, for the reliability of means
    balanced: bool
    annotators: float = 0.0
    df_annotators: float = 0.0
    n: float = 1.0  # items per annotator, or what takes their place

    @property
    def f(self) -> float | None:
        """F of the hypothesis that items do not differ."""
        return self.items / self.error if self.error > 0 else None


def one_way(scores: Scores) -> MeanSquares | str:
    """Return mean squares between and within items, or why there are none.

    With r_i labels on item i and N = Σ r_i, k = (N - Σ r_i² / N) / (n - 1) makes the components unbiased
    (Henderson's first method [1]_).
    """
    w, sizes, given = scores.repeats, scores.sizes.astype(np.float64), scores.given
    n, total = scores.n_items, float(sizes @ w)
    if n < 2:
        return ONE_ITEM
    means = np.where(given, scores.values, 0.0).sum(axis=0) / sizes
    grand = float((means * sizes) @ w) / total
    within = float(np.square(np.where(given, scores.values - means, 0.0)).sum(axis=0) @ w)
    between = float((sizes * np.square(means - grand)) @ w)
    return MeanSquares(
        items=between / (n - 1),
        error=within / (total - n),
        df_items=n - 1,
        df_error=total - n,
        k=(total - float(np.square(sizes) @ w) / total) / (n - 1),
        harmonic=n / float(w @ (1 / sizes)),
        balanced=bool((sizes == sizes[0]).all()),
    )


def two_way(scores: Scores) -> MeanSquares | str:
    """Return mean squares of items, annotators and error, or why there are none."""
    if scores.n_items < 2:
        return ONE_ITEM
    return _complete(scores) if scores.are_complete else _incomplete(scores)


def _complete(scores: Scores) -> MeanSquares:
    x, w, k, n = scores.values, scores.repeats, scores.n_annotators, scores.n_items
    of_items, of_annotators = x.mean(axis=0), x @ w / n
    grand = float(of_annotators.mean())
    error = float(np.square(x - of_items - (of_annotators - grand)[:, None]).sum(axis=0) @ w)
    return MeanSquares(
        items=k * float(np.square(of_items - grand) @ w) / (n - 1),
        annotators=n * float(np.square(of_annotators - grand).sum()) / (k - 1),
        error=error / ((n - 1) * (k - 1)),
        df_items=n - 1,
        df_annotators=k - 1,
        df_error=(n - 1) * (k - 1),
        k=k,
        n=n,
        harmonic=k,
        balanced=True,
    )


def _incomplete(scores: Scores) -> MeanSquares | str:
    """Fit constants (Henderson's third method [1]_, [2]_).

    With N labels of n items by k annotators in g groups that are connected by shared items, and reductions of the sum
    of squares R by fitting one factor after the other,

        E R(items | annotators) = (n - g) σ²_e + (N - k) σ²_items,
        E R(annotators | items) = (k - g) σ²_e + (N - n) σ²_annotators,
        E (residual) = (N - n - k + g) σ²_e.

    No estimate depends on a distribution, and that of each component on no effect of the other factor. For complete
    data they are those of the usual analysis of variance.
    """
    scores = Scores(scores.values[scores.given.any(axis=1)], scores.repeats)
    model, w, given = Additive(scores), scores.repeats, scores.given
    total, n, k, groups = float(scores.sizes @ w), scores.n_items, scores.n_annotators, model.n_groups
    df_items, df_annotators, df_error = n - groups, k - groups, total - n - k + groups
    if min(df_items, df_annotators, df_error) <= 0:
        return "annotators share too few items to distinguish their severity from error"
    error = float(np.square(model.residuals).sum(axis=0) @ w)
    by_annotator = (np.where(given, scores.values, 0.0) @ w) / (given @ w)
    within_annotators = float(np.square(np.where(given, scores.values - by_annotator[:, None], 0.0)).sum(axis=0) @ w)
    within_items = float(np.square(model.deviations).sum(axis=0) @ w)
    return MeanSquares(
        items=max(within_annotators - error, 0.0) / df_items,
        annotators=max(within_items - error, 0.0) / df_annotators,
        error=error / df_error,
        df_items=df_items,
        df_annotators=df_annotators,
        df_error=df_error,
        k=(total - k) / df_items,
        n=(total - n) / df_annotators,
        harmonic=n / float(w @ (1 / scores.sizes)),
        balanced=False,
    )


ONE_ITEM = "there is only one item with two labels or more, and agreement on numbers needs items that differ"
