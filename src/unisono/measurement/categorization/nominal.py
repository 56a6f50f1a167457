"""Coefficients for categorization: annotators chose labels for items that were given to them.

All but the percentage correct for chance, (A_o - A_e) / (1 - A_e), and differ in their model of chance (Artstein &
Poesio 2008, §2). A_o is the share of pairs of annotators who agree, the mean over items with two labels or more; with
missing labels everything is as in Gwet (2014). Those that weigh disagreements are in `weighted`.
Notation: K categories, p_ik the share of category k in the labels of annotator i, π_k its mean share over items.

References
----------
.. [1] Artstein, R. & Poesio, M. (2008). Inter-coder agreement for computational linguistics. Computational Linguistics
       34(4), 555–596.
.. [2] Byrt, T., Bishop, J. & Carlin, J. B. (1993). Bias, prevalence and kappa. Journal of Clinical Epidemiology 46(5),
       423–429.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np

from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.family import FAMILY, corrected_for_chance, one_label, prevalence
from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.options import RatingsOptions
from unisono.measurement.readers import whole_number
from unisono.results import Estimate, beyond_chance

ITEMS = "labels for given items; any number of annotators; labels may be missing"
TWO = "labels for given items; two annotators; only items that both labelled count"
NOMINAL = "that some labels are more alike than others"

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
    """
    return Estimate(counts.observed, counts.observed)


@coefficient(
    FAMILY,
    symbol="S",
    title="Bennett's S: chance chooses all categories equally often",
    needs=ITEMS,
    ignores=f"how often categories are really chosen; {NOMINAL}",
    reference="Bennett, Alpert & Goldstein 1954; Brennan & Prediger 1981",
    papers=("bennett1954",),
    when="if the number of categories is known and annotators were free to use each as often as they liked",
    parameters=(CATEGORIES,),
)
def bennett_s(counts: Counts, *, categories: int | None = None, **how: Unpack[RatingsOptions]) -> Estimate:
    """Agreement beyond chance, all categories equally likely: A_e = 1/K."""
    return _equally_likely(counts, categories)


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
    """Agreement beyond chance, both annotators with the same preferences: A_e = Σ_k ((p_1k + p_2k) / 2)²."""
    table = counts.contingency
    shares = (table.first + table.second) / 2
    return corrected_for_chance(counts, table.observed, float(shares @ shares), shares, details=_paradox(counts))


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
    """
    table = counts.contingency
    expected = float(table.first @ table.second)
    possible = beyond_chance(float(np.minimum(table.first, table.second).sum()), expected).value
    details = {"kappa_max": possible, **_paradox(counts)}
    return corrected_for_chance(counts, table.observed, expected, table.first + table.second, details=details)


@coefficient(
    FAMILY,
    symbol="κ",
    title="Fleiss' κ (multi-π): many annotators, interchangeable",
    needs=ITEMS,
    ignores=f"who gave which label; {NOMINAL}",
    reference="Fleiss 1971; Gwet 2014",
    papers=("fleiss1971",),
    when="if the annotators could be replaced by any others and labels have no order; close to krippendorff-alpha",
)
def fleiss_kappa(counts: Counts, **how: Unpack[RatingsOptions]) -> Estimate:
    """Agreement beyond chance, all annotators with the same preferences: A_e = Σ_k π_k².

    π_k is the mean over labelled items of r_ik / r_i. Two annotators without missing labels: Scott's π.
    """
    expected = float(counts.shares @ counts.shares)
    return corrected_for_chance(counts, counts.observed, expected, counts.shares, details=_prevalence(counts))


@coefficient(
    FAMILY,
    symbol="κ",
    title="Multi-κ (Hubert, Davies & Fleiss, Conger): many annotators, each with their own preferences",
    needs=ITEMS,
    ignores=NOMINAL,
    reference="Davies & Fleiss 1982; Hubert 1977; Conger 1980",
    papers=("davies1982",),
    when="if these annotators in particular matter and their preferences may differ",
)
def multi_kappa(counts: Counts, **how: Unpack[RatingsOptions]) -> Estimate:
    """Agreement beyond chance, each annotator with their own preferences: A_e = Σ_k p_ik p_jk, the mean over pairs.

    p_ik is the share of k in all labels of annotator i. Two annotators without missing labels: Cohen's κ.
    """
    return corrected_for_chance(counts, counts.observed, counts.between, counts.shares, details=_prevalence(counts))


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
    """Agreement beyond chance, all categories equally likely: A_e = 1/K. The same as Bennett's S of many annotators."""
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
    """Agreement beyond chance, guessing where categories are mixed: A_e = Σ_k π_k (1 - π_k) / (K - 1)."""
    n_categories = counts.scale.n_categories(categories)
    if n_categories < 2:
        return Estimate(None, counts.observed, undefined=one_label(counts, counts.shares))
    expected = float(counts.shares @ (1 - counts.shares)) / (n_categories - 1)
    return beyond_chance(counts.observed, expected, details=_prevalence(counts, categories))


def _equally_likely(counts: Counts, categories: int | None) -> Estimate:
    n_categories = counts.scale.n_categories(categories)
    if n_categories < 2:
        return Estimate(None, counts.observed, 1.0, one_label(counts, counts.shares))
    return beyond_chance(counts.observed, 1 / n_categories, details=_prevalence(counts, categories))


def _prevalence(counts: Counts, categories: int | None = None) -> dict[str, float | None]:
    return {"prevalence_index": prevalence(counts.shares, counts.scale.n_categories(categories))}


def _paradox(counts: Counts) -> dict[str, float | None]:
    """Show why κ may be low despite high agreement, or high despite low agreement."""
    table, k = counts.contingency, counts.scale.n_categories()
    return {
        "prevalence_index": prevalence((table.first + table.second) / 2, k),
        "bias_index": float(np.abs(table.first - table.second).sum() / 2),
        "pabak": None if k < 2 else (k * table.observed - 1) / (k - 1),
    }
