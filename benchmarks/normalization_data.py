"""The same rewritten words for either side. Needs nothing but NumPy."""

from __future__ import annotations

import numpy as np

LETTERS = np.array(list("aaabcdeeeeefghiiiklmnnnoprrssttuuvwz"))


def rewritten(n_tokens, n_words, n_annotators=5, seed=3, changed=0.55, deviating=0.08):
    """Originals as frequent as words of a language, and one list of normalizations an annotator."""
    rng = np.random.default_rng(seed)
    drawn = ("".join(rng.choice(LETTERS, max(2, int(rng.normal(6, 2.2))))) for _ in range(2 * n_words))
    words = list(dict.fromkeys(drawn))[:n_words]
    truth = [edited(word, rng) if rng.random() < changed else word for word in words]
    others = [[edited(norm, rng), edited(norm, rng), word] for norm, word in zip(truth, words, strict=True)]
    shares = 1 / np.arange(1, len(words) + 1)
    tokens = rng.choice(len(words), n_tokens, p=shares / shares.sum()).tolist()
    columns = []
    for _ in range(n_annotators):
        deviates = (rng.random(n_tokens) < deviating).tolist()
        which = rng.integers(0, 3, n_tokens).tolist()
        choices = zip(tokens, deviates, which, strict=True)
        columns.append([others[token][k] if other else truth[token] for token, other, k in choices])
    return [words[token] for token in tokens], columns


def edited(word, rng):
    """Change, insert or delete one character, sometimes two."""
    signs = list(word)
    for _ in range(1 + (rng.random() < 0.3)):
        place, kind = int(rng.integers(len(signs))), rng.integers(4)
        if kind < 2:
            signs[place] = str(rng.choice(LETTERS))
        elif kind == 2:
            signs.insert(place + 1, str(rng.choice(LETTERS)))
        elif len(signs) > 1:
            signs.pop(place)
    return "".join(signs)


def words():
    """5 × 5,000 tokens with about 1,300 distinct normalizations."""
    return rewritten(5_000, 1_250, deviating=0.05)


def characters():
    """5 × 100,000 tokens with about 20,000 distinct forms."""
    return rewritten(100_000, 12_000)
