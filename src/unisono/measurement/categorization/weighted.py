"""Coefficients for categorization that weigh disagreements: Krippendorff's α, weighted κ and AC2."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Unpack

import numpy as np

from unisono.arrays import FloatArray
from unisono.dissimilarity.difference_sums import Differences
from unisono.dissimilarity.registry import DistanceLike, DistanceRole, available_distances
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.family import FAMILY, index_of_prevalence, one_label
from unisono.measurement.categorization.precision import of_alpha, of_gwet, of_two
from unisono.measurement.categorization.weights import KINDS, categories_of, weighing_of
from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import RatingsOptions
from unisono.measurement.readers import read_alpha_distance, read_weights, whole_number
from unisono.results import Estimate, beyond_chance, from_disagreement


@coefficient(
    FAMILY,
    symbol="α",
    title="Krippendorff's α: any number of annotators, missing labels, any distance between labels",
    needs="labels for given items; any number of annotators; labels may be missing",
    ignores="who gave which label; items with a single label",
    reference="Krippendorff 2004, chapter 11",
    papers=("krippendorff2004",),
    when="the usual choice; with a distance if some labels are closer to each other than others",
    parameters=(
        Parameter(
            "distance",
            "nominal",
            read_alpha_distance,
            f"{available_distances(DistanceRole.ALPHA)}; numbers need no order: ordinal",
        ),
    ),
)
def krippendorff_alpha(
    counts: Counts, *, distance: DistanceLike = "nominal", **how: Unpack[RatingsOptions]
) -> Estimate:
    """One minus observed over expected disagreement: α = 1 - D_o / D_e.

    D_o = 1/n Σ_ck o_ck δ_ck and D_e = 1/(n (n - 1)) Σ_ck n_c n_k δ_ck, with coincidences o_ck = Σ_u (ordered pairs c, k
    in item u) / (m_u - 1), n_c = Σ_k o_ck, n = Σ_c n_c; m_u is the number of labels of u; items with one do not count.

    δ is by default 1 where c ≠ k. Ordinal: (n_c/2 + … + n_k/2)², labels being numbers or in a given order; interval:
    (c - k)²; ratio: ((c - k)/(c + k))²; circular with period U: sin²(π (c - k)/U); set: 1 - |A ∩ B| / |A ∪ B|; nld: the
    Levenshtein distance of words over the length of the longer; or a table {(c, k): δ}, or a function of two arrays of
    labels.

    See Also
    --------
    fleiss_kappa, discretized_alpha, u_alpha

    Examples
    --------
    >>> import unisono
    >>> grades = {"anna": [1, 2, 3, 4, 5], "bert": [1, 3, 3, 4, 4]}
    >>> round(unisono.krippendorff_alpha(grades).value, 3)
    0.526
    >>> round(unisono.krippendorff_alpha(grades, distance="interval").value, 3)
    0.887
    """
    weighing = counts.scale.weighing(distance, read_alpha_distance)
    shares = counts.marginals / counts.n_pairable
    details = {"prevalence_index": index_of_prevalence(shares, counts.scale.n_categories())}
    delta = weighing.differences.given(counts.marginals)
    found = alpha_of(counts, delta, by=f" by the distance {weighing.distance}")
    return replace(found, details=details, more=partial(of_alpha, counts, distance, found.value))


@coefficient(
    FAMILY,
    symbol="κ_w",
    title="Weighted κ: two annotators, each with their own preferences; near misses cost less",
    needs="labels that are numbers, or have an order or a matrix; two annotators; only items that both labelled count",
    ignores="items that only one labelled",
    reference="Cohen 1968",
    papers=("cohen1968",),
    when="if there are two particular annotators and a scale; quadratic weights come close to their correlation",
    parameters=(Parameter("weights", "linear", read_weights, f"weights of disagreement: {KINDS}"),),
    for_many="multi-kappa(weights=linear)",
    takes_missing=False,
)
def weighted_kappa(counts: Counts, *, weights: DistanceLike = "linear", **how: Unpack[RatingsOptions]) -> Estimate:
    """One minus observed over expected disagreement: κ_w = 1 - Σ_ck p_ck w_ck / Σ_ck p_1c p_2k w_ck.

    Weights of disagreement w: linear, |c - k| / range; quadratic, its square; radical, its root; ordinal, ratio,
    circular, bipolar, as Gwet (2014, chapter 3) has them; or distances.

    See Also
    --------
    cohen_kappa, multi_kappa, gwet_ac2

    Examples
    --------
    >>> import unisono
    >>> grades = {"anna": [1, 2, 3, 4, 5], "bert": [1, 3, 3, 4, 4]}
    >>> round(unisono.weighted_kappa(grades, weights="quadratic").value, 3)
    0.875
    """
    table = counts.contingency
    weighing = counts.scale.weighing(weights, read_weights)
    w = weighing.differences
    observed = float(table.n @ w.compare(table.rows, table.columns)) / table.total
    expected = w.total(table.first, table.second)
    both = (table.first + table.second) / 2
    details = {
        "prevalence_index": index_of_prevalence(both, counts.scale.n_categories()),
        "bias_index": float(np.abs(table.first - table.second).sum() / 2),
    }
    reason = _no_difference(counts, both, f" by the distance {weighing.distance}")
    found = from_disagreement(observed, expected, reason, details=details)
    return replace(found, more=partial(of_two, counts, weights, found.value, own=True))


@coefficient(
    FAMILY,
    symbol="AC2",
    title="Gwet's AC2: AC1 where near misses cost less",
    needs="labels that are numbers, or have an order or a matrix; any number of annotators; labels may be missing",
    ignores="who gave which label",
    reference="Gwet 2014",
    papers=("gwet2014",),
    when="if one end of a scale prevails so much that κ_w and α are low despite high agreement; report both",
    parameters=(
        Parameter("weights", "quadratic", read_weights, f"weights of disagreement: {KINDS}; from 0 to 1"),
        Parameter(
            "categories",
            None,
            whole_number,
            "the number of categories to choose from; by default those that occur, or those that the weights name",
        ),
    ),
)
def gwet_ac2(
    counts: Counts, *, weights: DistanceLike = "quadratic", categories: int | None = None, **how: Unpack[RatingsOptions]
) -> Estimate:
    """Agreement beyond chance, guessing where categories are mixed: A_e = T / (K (K - 1)) Σ_k π_k (1 - π_k).

    With weights of disagreement w_ck from 0 to 1, T = Σ_ck (1 - w_ck), and A_o is the mean over items of the mean
    1 - w_ck over pairs of annotators.

    See Also
    --------
    gwet_ac1, weighted_kappa, krippendorff_alpha

    Examples
    --------
    >>> import unisono
    >>> grades = {"anna": [1, 2, 3, 4, 5], "bert": [1, 3, 3, 4, 4]}
    >>> round(unisono.gwet_ac2(grades).value, 3)
    0.913
    """
    weighing = weighing_of(counts, weights)
    k, apart = categories_of(counts, weighing, categories)
    observed = counts.agreement(weighing.differences)
    if k < 2:
        return Estimate(None, observed, undefined=one_label(counts, counts.shares))
    total = (k * k - apart) / (k * (k - 1))
    expected = total * float(counts.shares @ (1 - counts.shares))
    found = beyond_chance(observed, expected, details={"prevalence_index": index_of_prevalence(counts.shares, k)})
    return replace(found, more=partial(of_gwet, counts, weights, found, total))


def alpha_of(counts: Counts, delta: Differences, *, total: float | None = None, by: str = "") -> Estimate:
    """Return α of labels whose differences δ are known.

    `total` is Σ_ck n_c n_k δ_ck, if it is already known; `by` is what labels differ by, for the reason why there is no
    value.
    """
    n, marginals = counts.n_pairable, counts.marginals
    observed = counts.disagreement(delta, counts.repeats / np.maximum(counts.given - 1, 1)) / n
    expected = (delta.total(marginals, marginals) if total is None else total) / (n * (n - 1))
    return from_disagreement(observed, expected, _no_difference(counts, marginals, by))


def _no_difference(counts: Counts, shares: FloatArray, by: str) -> str:
    if np.count_nonzero(shares) < 2:
        return one_label(counts, shares)
    return f"no two of the labels differ{by}, so agreement cannot be distinguished from chance"
