"""What users write, which a type checker must accept; see test_typing.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import unisono
from unisono import Corpus, Interval, Ordinal, Ratings, Result


def measured(path: Path) -> float:
    corpus = unisono.read(path)
    result = unisono.gamma(corpus, alpha=3, beta=1, rng=42)
    everything: list[Result] = [
        result,
        unisono.gamma("annotations.csv"),
        unisono.gamma([path, path]),
        unisono.text_gamma(path, base=corpus, p_text=0.25),
        unisono.normalization(path, level="word", subset="all", lower=True),
        unisono.measure("gamma(alpha=3,beta=1)", corpus, rng=np.random.default_rng(1)),
    ]
    interval: Interval | None = result.interval
    low = 0.0 if interval is None else interval.low
    return low + sum(one.value or 0.0 for one in everything)


def rated() -> list[str]:
    ratings = Ratings.of([["x", "x"], ["x", "y"]], rows="items")
    alpha = unisono.krippendorff_alpha(ratings, distance=Ordinal(("x", "y")))
    more: list[Result] = [
        unisono.krippendorff_alpha({"anna": [1, 2], "bert": [1, 1]}, distance="interval"),
        unisono.krippendorff_alpha(np.array([[1, 2], [1, 1]]), rows="annotators"),
        unisono.weighted_kappa([[1, 2], [1, 1]], weights="quadratic", rows="items"),
        unisono.gwet_ac1(ratings, categories=3),
        unisono.boundary_similarity(unisono.from_masses([[2, 3], [3, 2]]), n=3, chance="pi"),
        unisono.span_f1("annotations.csv", match="partial", labels=False, feature="category"),
        unisono.discretized_kappa("annotations.csv", atom="token"),
    ]
    return [alpha.signature, *(one.signature for one in more)]


def aligned(corpus: Corpus) -> dict[str, float | None]:
    return {name: alignment.disorder for name, alignment in unisono.align(corpus, delta_empty=2).items()}
