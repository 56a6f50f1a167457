"""Words with a well-known order, in four languages."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from unisono.measurement import known_orders
from unisono.measurement.known_orders import known_order

ENGLISH, GERMAN, FRENCH, SPANISH = (
    getattr(known_orders, f"_{name}") for name in ("ENGLISH", "GERMAN", "FRENCH", "SPANISH")
)


@pytest.mark.parametrize(
    "order",
    [
        # English
        ["low", "mid", "high"],
        ["Strongly Disagree", "disagree", "Neither agree nor disagree", "agree", "STRONGLY AGREE"],
        ["never", "rarely", "sometimes", "often", "always"],
        ["not at all", "a little", "somewhat", "very much", "completely"],
        ["very_unlikely", "unlikely", "possible", "likely", "very_likely"],
        ["F", "D", "C", "B", "A"],
        ["b-", "B", "B+", "A-"],
        ["A1", "B1", "B2"],
        # German
        ["niedrig", "Mittel", "hoch"],
        ["nie", "selten", "manchmal", "häufig", "immer"],
        ["NIE", "SELTEN", "HAEUFIG"],
        ["klein", "mittel", "GROSS"],
        ["stimme gar nicht zu", "stimme eher nicht zu", "teils/teils", "stimme eher zu", "stimme voll und ganz zu"],
        ["trifft nicht zu", "trifft eher nicht zu", "teils-teils", "trifft eher zu", "trifft zu"],
        ["ungenügend", "mangelhaft", "ausreichend", "befriedigend", "gut", "sehr gut"],
        ["nein", "eher nein", "eher ja", "ja"],
        # French
        ["faible", "moyen", "élevé"],
        ["Jamais", "rarement", "parfois", "souvent", "toujours"],
        ["pas du tout d’accord", "pas d'accord", "neutre", "d'accord", "tout à fait d'accord"],
        ["insuffisant", "passable", "assez bien", "bien", "très bien"],
        ["non", "peut-être", "oui"],
        ["TRES FAIBLE", "faible", "Très forte"],
        # Spanish
        ["bajo", "medio", "alto"],
        ["nunca", "a veces", "siempre"],
        ["Totalmente en desacuerdo", "en desacuerdo", "ni de acuerdo ni en desacuerdo", "de acuerdo"],
        ["no", "quizás", "Sí"],
        ["suspenso", "aprobado", "notable", "sobresaliente"],
        ["nada importante", "poco importante", "importante", "muy importante"],
        # with the number of the step
        ["1 - strongly disagree", "2 - disagree", "3 - neutral", "4 - agree", "5 - strongly agree"],
        ["1 (very bad)", "2", "3", "4", "5 (very good)"],
        ["never (1)", "once a year (2)", "each week (3)"],
        ["1: nie", "2: selten", "10: immer"],
        ["-1 = worse", "0 = same", "1 = better"],
    ],
)
def test_the_order_is_known_whatever_the_order_of_the_labels(order):
    generator = random.Random(7)
    for _ in range(5):
        shuffled = generator.sample(order, len(order))
        assert known_order(shuffled) == tuple(order)


@pytest.mark.parametrize(
    "labels",
    [
        ["low", "high"],  # the order of two does not matter
        ["A", "B", "C"],  # names more often than grades
        ["mid", "middle", "low"],  # two words for one step
        ["noun", "verb", "low"],
        ["nie", "rarely", "toujours"],  # words of several languages
        ["1 - never", "1 - often", "2 - always"],  # two labels for one step
        ["1", "2", "3"],  # numbers, which have an order of their own
        ["", "", ""],
        [],
    ],
)
def test_labels_without_a_known_order(labels):
    assert known_order(labels) == ()


@pytest.mark.parametrize("scale", [*ENGLISH, *GERMAN, *FRENCH, *SPANISH])
def test_each_word_stands_for_one_step(scale):
    steps = [step.split("/") for step in scale.split(", ")]
    words = [word for step in steps for word in step]
    assert len(steps) >= known_orders.FEWEST_LABELS
    assert all(word == word.strip() and word for word in words)
    ranks = known_orders._ranks(scale)
    for rank, step in enumerate(steps):
        assert {ranks[known_orders._folded(word)] for word in step} == {rank}


def test_words_that_are_on_several_scales_are_in_the_same_order_on_all():
    """Otherwise the order would depend on which scale is looked up first."""
    for ranks in known_orders._RANKS:
        for other in known_orders._RANKS:
            shared = sorted({*ranks} & {*other}, key=ranks.__getitem__)
            assert all(other[low] <= other[high] for low, high in pairwise(shared) if ranks[low] < ranks[high])
