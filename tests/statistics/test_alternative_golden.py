"""The alternative annotator test on the numbers of its authors.

On how many instances a human, and a model in their place, is better follows from the public data of Calderon, Reichart
& Dror (2025), github.com/nitaytech/AltTest; winning rates and advantage probabilities are those that their notebook
prints. benchmarks/alternative_test.py compares all 52 models of nine data sets from the data itself.
"""

from __future__ import annotations

import numpy as np
import pytest

from unisono.statistics.alternative import alternative_test

EPSILON = 0.2
MTBENCH = {
    # (instances, the model is better, the human is better) for each human; published ω and ρ
    "gemini_flash": ([(74, 13, 22), (84, 6, 22), (88, 11, 25)], 0.00, 0.72),
    "gemini_pro": ([(74, 11, 17), (84, 4, 20), (88, 13, 21)], 0.00, 0.76),
    "gpt-4o": ([(74, 14, 17), (84, 9, 16), (88, 8, 23)], 0.00, 0.77),
    "llama-31": ([(74, 8, 23), (84, 9, 26), (88, 10, 28)], 0.00, 0.69),
    "gpt-4o-mini": ([(74, 12, 20), (84, 5, 22), (88, 9, 23)], 0.00, 0.74),
    "mistral-v03": ([(74, 7, 23), (84, 14, 27), (88, 9, 28)], 0.00, 0.68),
}
LGBTEEN = {
    "gemini_flash": ([(840, 72, 220), (880, 91, 232), (720, 74, 173), (120, 12, 45)], 0.25, 0.71),
    "gemini_pro": ([(840, 60, 262), (880, 88, 283), (720, 68, 207), (120, 14, 50)], 0.00, 0.67),
    "gpt-4o": ([(840, 92, 173), (880, 88, 181), (720, 66, 137), (120, 14, 37)], 0.75, 0.77),
    "llama-31": ([(840, 64, 225), (880, 96, 241), (720, 75, 184), (120, 17, 39)], 0.00, 0.72),
    "gpt-4o-mini": ([(840, 78, 203), (880, 81, 209), (720, 65, 155), (120, 18, 34)], 0.75, 0.76),
    "mistral-v03": ([(840, 106, 208), (880, 58, 222), (720, 61, 172), (120, 15, 33)], 0.25, 0.75),
}


@pytest.mark.parametrize("model", MTBENCH)
def test_mt_bench(model):
    assert_published(*MTBENCH[model])


@pytest.mark.parametrize("model", LGBTEEN)
def test_lgbteen(model):
    assert_published(*LGBTEEN[model])


def assert_published(counts, winning_rate, advantage):
    human = np.full((len(counts), max(n for n, _, _ in counts)), np.nan)
    model = human.copy()
    for j, (n, ahead, behind) in enumerate(counts):
        human[j, :n] = model[j, :n] = 0.5
        model[j, :ahead] = 1.0
        human[j, ahead : ahead + behind] = 1.0
    found = alternative_test([f"h{j}" for j in range(len(counts))], human, model, epsilon=EPSILON)
    assert round(found.winning_rate, 2) == winning_rate
    assert round(found.advantage, 2) == advantage
    assert found.passes == (winning_rate >= 0.5)
