"""Ratings for tests of categorization."""

from __future__ import annotations

import numpy as np

from unisono.data import Ratings


def from_cells(cells):
    """Items of two or more annotators out of {labels: how often}."""
    return Ratings.of([list(labels) for labels, n in cells.items() for _ in range(n)], rows="items")


def from_text(text):
    """Items out of words, one digit per annotator, a point where there is no label."""
    return Ratings.of([[None if sign == "." else int(sign) for sign in word] for word in text.split()], rows="items")


def random_table(seed, n_items=30, n_annotators=4, n_labels=4, missing=0.2, agreement=0.5):
    """Random ratings from 1 up that agree more than by chance; NaN where there is no label."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, n_labels + 1, n_items)[:, None]
    guess = rng.integers(1, n_labels + 1, (n_items, n_annotators))
    table = np.where(rng.random(guess.shape) < agreement, truth, guess).astype(float)
    table[rng.random(guess.shape) < missing] = np.nan
    return table


def flat(details, name=""):
    """Details with the parts of tests, intervals and scales as names of their own."""
    if isinstance(details, dict):
        parts = details.items()
    elif isinstance(details, list):
        parts = enumerate(details)
    else:
        return {name: details}
    return {key: value for part, one in parts for key, value in flat(one, f"{name}.{part}").items()}
