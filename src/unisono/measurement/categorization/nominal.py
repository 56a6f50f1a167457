"""Coefficients for categorization: annotators chose labels for items that were given to them.

All but the percentage correct for chance, (A_o - A_e) / (1 - A_e), and differ in their model of chance (Artstein &
Poesio 2008, §2). A_o is the share of pairs of annotators who agree, the mean over items with two labels or more; with
missing labels, and with weights, everything is as in Gwet (2014). Those for labels on a scale are in `weighted`.
Notation: K categories, p_ik the share of category k in the labels of annotator i, π_k its mean share over items.

References
----------
.. [1] Artstein, R. & Poesio, M. (2008). Inter-coder agreement for computational linguistics. Computational Linguistics
       34(4), 555–596.
.. [2] Byrt, T., Bishop, J. & Carlin, J. B. (1993). Bias, prevalence and kappa. Journal of Clinical Epidemiology 46(5),
       423–429.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import fsum
from typing import Unpack

import numpy as np

from unisono.dissimilarity.difference_sums import Differences, Unlike
from unisono.dissimilarity.registry import DistanceLike
from unisono.errors import plural
from unisono.measurement.categorization.counts import Contingency, Counts
from unisono.measurement.categorization.family import FAMILY, corrected_for_chance, index_of_prevalence, one_label
from unisono.measurement.categorization.precision import (
    of_agreement,
    of_conger,
    of_fleiss,
    of_gwet,
    of_two,
    of_uniform,
)
from unisono.measurement.categorization.weights import WEIGHTS, categories_of, chance_agreement, weighing_of
from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import RatingsOptions
from unisono.measurement.readers import read_weights, whole_number
from unisono.results import Estimate, beyond_chance

ITEMS = "labels for given items; any number of annotators; labels may be missing"
TWO = "labels for given items; two annotators; only items that both labelled count"
NOMINAL = "that some labels are more alike than others"
UNWEIGHTED = f"without weights, {NOMINAL}"

CATEGORIES = Parameter(
    "categories", None, whole_number, "the number of categories to choose from; by default the number that occur"
)


@coefficient(
    FAMILY,
    symbol="A_o",
    title="Percent agreement: how often two annotators gave the same label",
    needs=ITEMS,
    ignores=f"agreement by chance; {NOMINAL}",
    reference="Gwet 2014",
    papers=("gwet2014",),
    when="alongside a coefficient that corrects for chance, to show the uncorrected agreement; never alone",
    corrected=False,
)
def percent_agreement(counts: Counts, **how: Unpack[RatingsOptions]) -> Estimate:
    """Share of pairs of annotators who agree, the mean over items: A_o = 1/n Σ_i Σ_k r_ik (r_ik - 1) / (r_i (r_i - 1)).

    r_ik annotators gave item i label k, r_i any label; items with fewer than two labels are left out.

    See Also
    --------
    cohen_kappa, fleiss_kappa, krippendorff_alpha

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> round(unisono.percent_agreement(labels).value, 3)
    0.8
    """
    return Estimate(counts.observed, counts.observed, more=partial(of_agreement, counts))


@coefficient(
    FAMILY,
    symbol="S",
    title="Bennett's S: chance chooses all categories equally often",
    needs=ITEMS,
    ignores=f"how often categories are really chosen; {UNWEIGHTED}",
    reference="Bennett, Alpert & Goldstein 1954; Brennan & Prediger 1981",
    papers=("bennett1954",),
    when="if the number of categories is known and annotators were free to use each as often as they liked",
    parameters=(WEIGHTS, CATEGORIES),
)
def bennett_s(
    counts: Counts, *, weights: DistanceLike = "nominal", categories: int | None = None, **how: Unpack[RatingsOptions]
) -> Estimate:
    """Agreement beyond chance, all categories equally likely: A_e = 1/K, or Σ_ck (1 - w_ck) / K² with weights.

    With weights of disagreement w_ck from 0 to 1, A_o is the mean over items of the mean 1 - w_ck over pairs of
    annotators: the coefficient of Brennan & Prediger as Gwet (2014) weighs it.

    See Also
    --------
    randolph_kappa, gwet_ac1

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> round(unisono.bennett_s(labels, categories=3).value, 3)
    0.7
    """
    return _equally_likely(counts, categories, weights)


@coefficient(
    FAMILY,
    symbol="π",
    title="Scott's π: two annotators, interchangeable",
    needs=TWO,
    ignores=f"that annotators may prefer different categories; {NOMINAL}",
    reference="Scott 1955",
    papers=("scott1955",),
    when="if the two annotators could be replaced by any others",
    for_many="fleiss-kappa",
    takes_missing=False,
)
def scott_pi(counts: Counts, **how: Unpack[RatingsOptions]) -> Estimate:
    """Agreement beyond chance, both annotators with the same preferences: A_e = Σ_k ((p_1k + p_2k) / 2)².

    See Also
    --------
    cohen_kappa, fleiss_kappa

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> round(unisono.scott_pi(labels).value, 3)
    0.6
    """
    table = counts.contingency
    shares = (table.first + table.second) / 2
    found = corrected_for_chance(counts, table.observed, float(shares @ shares), shares, details=_paradox(counts))
    return replace(found, more=partial(of_two, counts, "nominal", found.value, own=False))


@coefficient(
    FAMILY,
    symbol="κ",
    title="Cohen's κ: two annotators, each with their own preferences",
    needs=TWO,
    ignores=NOMINAL,
    reference="Cohen 1960",
    papers=("cohen1960",),
    when="if these two annotators in particular matter and their preferences may differ; check prevalence and bias too",
    for_many="multi-kappa",
    takes_missing=False,
)
def cohen_kappa(counts: Counts, **how: Unpack[RatingsOptions]) -> Estimate:
    """Agreement beyond chance, each annotator with their own preferences: A_e = Σ_k p_1k p_2k.

    Details
    -------
    kappa_max
        The greatest κ that annotators with these preferences could reach: that of A_o = Σ_k min(p_1k, p_2k).
    prevalence_index, bias_index, pabak
        How unevenly categories are used, how different the annotators' preferences are, and κ without either (Byrt,
        Bishop & Carlin 1993): (max_k p_k - 1/K) / (1 - 1/K), ½ Σ_k |p_1k - p_2k| and (K A_o - 1) / (K - 1).
    mcnemar, stuart_maxwell, bhapkar
        Tests of whether both use the categories equally often: statistic, df and p. McNemar's is for two categories.
    standard_error_analytic, interval_analytic, benchmarks
        For independent items (Fleiss, Cohen & Everitt 1969), and how likely κ is at least in each band of a scale.

    See Also
    --------
    multi_kappa, scott_pi, weighted_kappa

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> result = unisono.cohen_kappa(labels)
    >>> round(result.value, 3), result.observed, round(result.expected, 3)
    (0.615, 0.8, 0.48)
    >>> round(result.details["kappa_max"], 3)
    0.615
    """
    table = counts.contingency
    expected = float(table.first @ table.second)
    possible = beyond_chance(float(np.minimum(table.first, table.second).sum()), expected).value
    details = {"kappa_max": possible, **_paradox(counts)}
    found = corrected_for_chance(counts, table.observed, expected, table.first + table.second, details=details)
    return replace(found, more=partial(of_two, counts, "nominal", found.value, own=True))


@coefficient(
    FAMILY,
    symbol="κ",
    title="Fleiss' κ (multi-π): many annotators, interchangeable",
    needs=ITEMS,
    ignores=f"who gave which label; {UNWEIGHTED}",
    reference="Fleiss 1971; Gwet 2014",
    papers=("fleiss1971", "gwet2014"),
    when="if the annotators could be replaced by any others; close to krippendorff-alpha",
    parameters=(WEIGHTS,),
)
def fleiss_kappa(counts: Counts, *, weights: DistanceLike = "nominal", **how: Unpack[RatingsOptions]) -> Estimate:
    """Agreement beyond chance, all annotators with the same preferences: A_e = Σ_k π_k².

    π_k is the mean over labelled items of r_ik / r_i. Two annotators without missing labels: Scott's π. With weights of
    disagreement w_ck from 0 to 1, A_o is the mean over items of the mean 1 - w_ck over pairs of annotators, and A_e =
    Σ_ck π_c π_k (1 - w_ck).

    See Also
    --------
    scott_pi, multi_kappa, krippendorff_alpha

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"], "bert": ["a", "b", "b", "b"], "cleo": ["a", "b", "a", None]}
    >>> round(unisono.fleiss_kappa(labels).value, 3)
    0.657
    """
    w = weighing_of(counts, weights).differences
    observed, expected = counts.agreement(w), chance_agreement(w, counts.shares, counts.shares)
    found = corrected_for_chance(counts, observed, expected, counts.shares, details=_prevalence(counts))
    return replace(found, more=partial(of_fleiss, counts, weights, found))


@coefficient(
    FAMILY,
    symbol="κ",
    title="Multi-κ (Hubert, Davies & Fleiss, Conger): many annotators, each with their own preferences",
    needs=ITEMS,
    ignores=UNWEIGHTED,
    reference="Davies & Fleiss 1982; Hubert 1977; Conger 1980",
    papers=("davies1982", "conger1980", "gwet2014"),
    when="if these annotators in particular matter and their preferences may differ",
    parameters=(WEIGHTS,),
)
def multi_kappa(counts: Counts, *, weights: DistanceLike = "nominal", **how: Unpack[RatingsOptions]) -> Estimate:
    """Agreement beyond chance, each annotator with their own preferences: A_e = Σ_k p_ik p_jk, the mean over pairs.

    p_ik is the share of k in all labels of annotator i. Two annotators without missing labels: Cohen's κ. With weights
    of disagreement w_ck from 0 to 1, A_o is the mean over items of the mean 1 - w_ck over pairs of annotators, and A_e
    the mean over pairs of annotators of Σ_ck p_ic p_jk (1 - w_ck).

    See Also
    --------
    cohen_kappa, light_kappa, fleiss_kappa

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"], "bert": ["a", "b", "b", "b"], "cleo": ["a", "b", "a", None]}
    >>> round(unisono.multi_kappa(labels).value, 3)
    0.684
    """
    w = weighing_of(counts, weights).differences
    expected = counts.between if isinstance(w, Unlike) else 1 - counts.apart(w)
    found = corrected_for_chance(counts, counts.agreement(w), expected, counts.shares, details=_prevalence(counts))
    return replace(found, more=partial(of_conger, counts, weights, found))


@coefficient(
    FAMILY,
    symbol="κ_L",
    title="Light's κ: the mean of Cohen's κ over all pairs of annotators, weighted or not",
    needs=ITEMS,
    ignores=f"that κ of some pairs is more certain than that of others; {UNWEIGHTED}",
    reference="Light 1971; Conger 1980",
    papers=("light1971", "conger1980"),
    when="if results are to be compared with those of irr's kappam.light or psych; otherwise multi-kappa",
    parameters=(WEIGHTS,),
)
def light_kappa(counts: Counts, *, weights: DistanceLike = "nominal", **how: Unpack[RatingsOptions]) -> Estimate:
    """Mean of Cohen's κ, or with weights of weighted κ, over all pairs of annotators who share items.

    Each pair has the items that both labelled: κ = 1 - Σ_ck p_ck w_ck / Σ_ck p_1c p_2k w_ck, with w_ck = 1 for any two
    labels by default. If a pair's κ is undefined, so is the mean.

    Details
    -------
    lowest_pair, highest_pair
        The least and the greatest κ of a pair.

    See Also
    --------
    cohen_kappa, multi_kappa, weighted_kappa

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"], "bert": ["a", "b", "b", "b"], "cleo": ["a", "b", "a", None]}
    >>> result = unisono.light_kappa(labels)
    >>> round(result.value, 3), result.details["highest_pair"]
    (0.633, 1.0)
    """
    w = counts.scale.weighing(weights, read_weights).differences
    found = [_kappa(table, w) for table in counts.contingencies()]
    n_none = found.count(None)
    values = [value for value in found if value is not None]
    if n_none or not values:
        reason = (
            f"κ of {n_none} of {plural(len(found), 'pair')} of annotators is undefined, because their labels do not "
            "differ; use multi-kappa, or krippendorff-alpha"
        )
        return Estimate(None, undefined=reason, details={"lowest_pair": None, "highest_pair": None})
    return Estimate(fsum(values) / len(values), details={"lowest_pair": min(values), "highest_pair": max(values)})


def _kappa(table: Contingency, w: Differences) -> float | None:
    """Return κ of two annotators, with weights; None if no disagreement is expected by chance."""
    expected = w.total(table.first, table.second)
    if expected < _ROUNDING:
        return None
    return 1 - float(table.n @ w.compare(table.rows, table.columns)) / table.total / expected


@coefficient(
    FAMILY,
    symbol="κ",
    title="Randolph's free-marginal κ: many annotators, chance chooses all categories equally often",
    needs=ITEMS,
    ignores=f"how often categories are really chosen; {NOMINAL}",
    reference="Randolph 2005",
    papers=("randolph2005",),
    when="if annotators were free to use each category as often as they liked; suits many rare categories",
    parameters=(CATEGORIES,),
)
def randolph_kappa(counts: Counts, *, categories: int | None = None, **how: Unpack[RatingsOptions]) -> Estimate:
    """Agreement beyond chance, all categories equally likely: A_e = 1/K. The same as Bennett's S of many annotators.

    See Also
    --------
    bennett_s, gwet_ac1, fleiss_kappa

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"], "bert": ["a", "b", "b", "b"], "cleo": ["a", "b", "a", None]}
    >>> round(unisono.randolph_kappa(labels).value, 3)
    0.667
    """
    return _equally_likely(counts, categories)


@coefficient(
    FAMILY,
    symbol="AC1",
    title="Gwet's AC1: chance is guessing on hard items only",
    needs=ITEMS,
    ignores=f"who gave which label; {NOMINAL}",
    reference="Gwet 2008",
    papers=("gwet2008",),
    when="if one category prevails so much that κ and α are low despite high agreement; report both",
    parameters=(CATEGORIES,),
)
def gwet_ac1(counts: Counts, *, categories: int | None = None, **how: Unpack[RatingsOptions]) -> Estimate:
    """Agreement beyond chance, guessing where categories are mixed: A_e = Σ_k π_k (1 - π_k) / (K - 1).

    See Also
    --------
    gwet_ac2, fleiss_kappa, randolph_kappa

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"], "bert": ["a", "b", "b", "b"], "cleo": ["a", "b", "a", None]}
    >>> round(unisono.gwet_ac1(labels).value, 3)
    0.676
    """
    n_categories = counts.scale.n_categories(categories)
    if n_categories < 2:
        return Estimate(None, counts.observed, undefined=one_label(counts, counts.shares))
    expected = float(counts.shares @ (1 - counts.shares)) / (n_categories - 1)
    found = beyond_chance(counts.observed, expected, details=_prevalence(counts, categories))
    return replace(found, more=partial(of_gwet, counts, "nominal", found, 1 / (n_categories - 1)))


_ROUNDING = 1e-12
"""An expected disagreement up to this is rounding: both annotators gave one label, the same."""


def _equally_likely(counts: Counts, categories: int | None, weights: DistanceLike = "nominal") -> Estimate:
    weighing = weighing_of(counts, weights)
    k, apart = categories_of(counts, weighing, categories)
    observed = counts.agreement(weighing.differences)
    if k < 2:
        return Estimate(None, observed, 1.0, one_label(counts, counts.shares))
    details = {"prevalence_index": index_of_prevalence(counts.shares, k)}
    found = beyond_chance(observed, (k * k - apart) / (k * k), details=details)
    return replace(found, more=partial(of_uniform, counts, weights, found))


def _prevalence(counts: Counts, categories: int | None = None) -> dict[str, float | None]:
    return {"prevalence_index": index_of_prevalence(counts.shares, counts.scale.n_categories(categories))}


def _paradox(counts: Counts) -> dict[str, float | None]:
    """Show why κ may be low despite high agreement, or high despite low agreement."""
    table, k = counts.contingency, counts.scale.n_categories()
    return {
        "prevalence_index": index_of_prevalence((table.first + table.second) / 2, k),
        "bias_index": float(np.abs(table.first - table.second).sum() / 2),
        "pabak": None if k < 2 else (k * table.observed - 1) / (k - 1),
    }
