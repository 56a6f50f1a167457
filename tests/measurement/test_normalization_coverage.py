"""Whether the interval of α covers the true value as often as it says, by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.data import Normalizations
from unisono.measurement.normalization.interval import normalization_interval
from unisono.measurement.normalization.tokens import TokenRows

WORDS = ["".join(letters) for letters in np.random.default_rng(7).choice(list("abcdefgh"), (200, 5))]
TRUTH = [word if index % 2 else f"{word[:2]}x{word[3:]}" for index, word in enumerate(WORDS)]
HARD = np.random.default_rng(8).beta(0.5, 3, 200)
SHARES = 1 / np.arange(1, 201) ** 0.8


def corpus(rng, n_texts, n_annotators=3, *, heavy_tailed=False):
    """Texts of random difficulty and vocabulary, of 80 to 120 tokens or of very different length."""
    originals, documents, columns = [], [], [[] for _ in range(n_annotators)]
    for text in range(n_texts):
        size = max(int(rng.lognormal(4.5, 1)), 20) if heavy_tailed else rng.integers(80, 120)
        difficulty = rng.beta(2, 3)
        mix = SHARES * rng.gamma(2, size=200)
        tokens = rng.choice(200, size, p=mix / mix.sum())
        for column in columns:
            deviates = rng.random(size) < difficulty * HARD[tokens]
            column += [TRUTH[t] + "e" if other else TRUTH[t] for t, other in zip(tokens, deviates, strict=True)]
        originals += [WORDS[token] for token in tokens]
        documents += [str(text)] * int(size)
    names = {str(index): column for index, column in enumerate(columns)}
    return TokenRows(Normalizations.from_annotators(originals, names, document=documents)).all_tokens


@pytest.mark.slow
@pytest.mark.parametrize("n_texts", [3, 5, 20])
@pytest.mark.parametrize("kind", [("character", "nld", "all"), ("word", "nominal", "medium"), ("edits", "masi", "all")])
def test_the_interval_covers_the_true_value(kind, n_texts):
    true = corpus(np.random.default_rng(1), 1500).agreement(*kind).value
    hits = 0
    for seed in range(200):
        tokens = corpus(np.random.default_rng(1000 + seed), n_texts)
        found = normalization_interval(tokens, *kind, tokens.agreement(*kind))
        hits += found.low <= true <= found.high
    assert 0.89 <= hits / 200 <= 0.99
