"""The same random annotations for either side. Needs nothing but NumPy."""

from __future__ import annotations

import numpy as np


def ratings(n_annotators=5, n_items=100_000, n_labels=10, missing=0.1, same=0.7):
    """Items × annotators, NaN where a label is missing; most labels are those of a hidden truth."""
    rng = np.random.default_rng(5)
    truth = rng.integers(1, n_labels + 1, n_items)
    random = rng.integers(1, n_labels + 1, (n_items, n_annotators))
    labels = np.where(rng.random((n_items, n_annotators)) < same, truth[:, None], random).astype(float)
    labels[rng.random(labels.shape) < missing] = np.nan
    return labels


def segmentations(n_pairs=1000, n_units=1000, rate=0.1):
    """Pairs of segment masses; half of the boundaries are the same, others move by one or are elsewhere."""
    rng = np.random.default_rng(6)
    pairs = []
    for _ in range(n_pairs):
        truth = rng.random(n_units - 1) < rate
        pair = []
        for _ in range(2):
            moved = np.roll(truth, rng.integers(-1, 2))
            own = np.where(rng.random(n_units - 1) < 0.5, truth, moved)
            edges = np.concatenate([[0], np.flatnonzero(own) + 1, [n_units]])
            pair.append(np.diff(edges).tolist())
        pairs.append(pair)
    return pairs


def units(n_annotators=3, n_units=10_000):
    """Units that do not overlap, (annotator, start, end, category), shifted a little by each annotator."""
    rng = np.random.default_rng(7)
    gaps, lengths = rng.integers(3, 10, n_units), rng.integers(5, 18, n_units)
    start = np.cumsum(gaps) + np.concatenate([[0], np.cumsum(lengths)[:-1]])
    category = rng.integers(0, 4, n_units)
    rows = []
    for annotator in range(n_annotators):
        first, last = start + rng.integers(-1, 2, n_units), start + lengths + rng.integers(-1, 2, n_units)
        label = np.where(rng.random(n_units) < 0.8, category, rng.integers(0, 4, n_units))
        rows.append((f"a{annotator}", first.tolist(), last.tolist(), label.astype(str).tolist()))
    return rows
