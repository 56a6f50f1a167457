"""Simulated annotations for interval_coverage.py: documents differ in difficulty, size and mix of categories."""

from __future__ import annotations

import numpy as np

from unisono.data import Corpus, Ratings

LEVELS = {"highest": 0.06, "high": 0.25, "middle": 0.6, "low": 1.2, "lowest": 1.8}
"""How likely annotators deviate in a document of mean difficulty (0.3), as a multiple of the difficulty."""


def ratings(rng, n_documents, level, *, n_items=20, n_annotators=3, n_labels=4, drift=0.0, alike=False, worse=1.0):
    """Labels of items.

    `alike`: all documents are of the same difficulty; `drift`: difficulty wanders through them; `worse`: how much more
    likely the second half of the annotators deviates.
    """
    sizes = np.full(n_documents, n_items) if alike else 2 + rng.poisson(n_items - 2, n_documents)
    document = np.repeat(np.arange(n_documents), sizes)
    difficulty = np.full(n_documents, 0.3) if alike else rng.beta(3, 7, n_documents)
    mix = np.tile([0.5, 0.25, 0.15, 0.1], (n_documents, 1))[:, :n_labels]
    if not alike:
        mix = np.array([rng.dirichlet(8 * row / row.sum()) for row in mix])
    edges = np.cumsum(mix, axis=1)[document]
    n = len(document)

    def label():
        return np.minimum((rng.random(n)[:, None] > edges).sum(axis=1), n_labels - 1)

    deviates = LEVELS[level] * difficulty[document] * np.exp(wandering(rng, n, drift))
    truth = label()
    columns = [
        np.where(rng.random(n) < deviates * (worse if 2 * who >= n_annotators else 1.0), label(), truth)
        for who in range(n_annotators)
    ]
    return Ratings(
        items=range(1, n + 1),
        annotators=tuple(f"a{i}" for i in range(n_annotators)),
        documents=tuple(map(str, range(n_documents))),
        document=document,
        codes=np.stack(columns, axis=1),
        labels=tuple(range(1, n_labels + 1)),
    )


def rare(rng, n_documents, share, *, n_items=15, n_annotators=2):
    """Two labels, of which the second is only in a share of the documents, and annotators differ only there."""
    document = np.repeat(np.arange(n_documents), n_items)
    there = (rng.random(n_documents) < share)[document]
    truth = np.where(there & (rng.random(len(document)) < 0.5), 1, 0)
    columns = [np.where(there & (rng.random(len(document)) < 0.3), 1 - truth, truth) for _ in range(n_annotators)]
    return Ratings(
        items=range(1, len(document) + 1),
        annotators=tuple(f"a{i}" for i in range(n_annotators)),
        documents=tuple(map(str, range(n_documents))),
        document=document,
        codes=np.stack(columns, axis=1),
        labels=(1, 2),
    )


def wandering(rng, n, spread, memory=0.8):
    """Give a series in which neighbours are alike, around 0."""
    if not spread:
        return np.zeros(n)
    from scipy.signal import lfilter

    noise = rng.normal(size=n + 50) * np.sqrt(1 - memory**2)
    return spread * lfilter([1.0], [1.0, -memory], noise)[50:] - spread**2 / 2


def units(rng, n_documents, level, *, n_units=15, n_annotators=3, alike=False, worse=1.0, blurred=False):
    """Spans with categories on continua: missed, shifted and called otherwise, the more so in difficult documents.

    `blurred`: all boundaries are shifted, by a normal amount that grows with the difficulty, so that few units of a
    difficult document are the same for two annotators, and most of an easy one.
    """
    columns = {name: [] for name in ("document", "annotator", "start", "end", "category")}
    bounds = {}
    for number in range(n_documents):
        size = n_units if alike else 3 + int(rng.poisson(n_units - 3))
        of_document = LEVELS[level] * (0.3 if alike else rng.beta(3, 7))
        lengths, gaps = 4 + rng.poisson(12, size), 2 + rng.poisson(15, size + 1)
        start = np.cumsum(gaps[:-1]) + np.concatenate([[0], np.cumsum(lengths)[:-1]])
        true = rng.choice(4, size, p=[0.5, 0.25, 0.15, 0.1])
        bounds[str(number)] = (0, int(lengths.sum() + gaps.sum()))
        for who in range(n_annotators):
            strength = of_document * (worse if 2 * who >= n_annotators else 1.0)
            if blurred:
                shift = np.rint(rng.normal(size=(2, size)) * strength * 6).astype(int)
            else:
                shift = np.where(rng.random((2, size)) < strength, rng.integers(-5, 6, (2, size)), 0)
            low = np.maximum(start + shift[0], 0)
            high = np.minimum(np.maximum(start + lengths + shift[1], low + 1), bounds[str(number)][1])
            low[1:] = np.maximum(low[1:], np.maximum.accumulate(high)[:-1])
            called = np.where(rng.random(size) < strength, rng.choice(4, size, p=[0.5, 0.25, 0.15, 0.1]), true)
            keep = (rng.random(size) >= strength / 2) & (high > low)
            n_kept = int(keep.sum())
            columns["document"] += [str(number)] * n_kept
            columns["annotator"] += [f"a{who}"] * n_kept
            columns["start"] += low[keep].tolist()
            columns["end"] += high[keep].tolist()
            columns["category"] += called[keep].tolist()
    return Corpus.from_columns(
        document=columns["document"],
        annotator=columns["annotator"],
        start=columns["start"],
        end=columns["end"],
        features={"category": list(map(str, columns["category"]))},
        documents=list(bounds),
        worked=[(name, f"a{who}") for name in bounds for who in range(n_annotators)],
        bounds=bounds,
    )


def segments(rng, n_documents, level, *, n_segments=15, n_annotators=3, alike=False):
    """Documents that annotators cut completely: boundaries are missed, added and shifted by an atom or two."""
    columns = {name: [] for name in ("document", "annotator", "start", "end")}
    for number in range(n_documents):
        size = n_segments if alike else 4 + int(rng.poisson(n_segments - 4))
        strength = LEVELS[level] * (0.3 if alike else rng.beta(3, 7))
        length = 10 * size
        true = np.sort(rng.choice(np.arange(1, length), size - 1, replace=False))
        for who in range(n_annotators):
            shifted = true + np.where(rng.random(size - 1) < strength, rng.integers(-2, 3, size - 1), 0)
            kept = shifted[rng.random(size - 1) >= strength / 2]
            added = rng.integers(1, length, rng.poisson(size * strength / 4))
            inner = np.unique(np.clip(np.concatenate([kept, added]), 1, length - 1))
            edges = [0, *inner.tolist(), length]
            columns["start"] += edges[:-1]
            columns["end"] += edges[1:]
            columns["document"] += [str(number)] * (len(edges) - 1)
            columns["annotator"] += [f"a{who}"] * (len(edges) - 1)
    return Corpus.from_columns(**columns)
