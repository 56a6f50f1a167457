"""One job for one peer; prints seconds, peak memory and the value as JSON."""

from __future__ import annotations

import sys
import time

from measured import answer
from normalization_data import characters, words
from rapidfuzz.distance import Levenshtein


def nltk():
    from nltk.metrics.agreement import AnnotationTask

    _, columns = words()
    triples = [(str(a), str(i), word) for a, column in enumerate(columns) for i, word in enumerate(column)]
    return timed(lambda: AnnotationTask(data=triples, distance=Levenshtein.normalized_distance).alpha())


def levenshtein():
    originals, columns = characters()
    pairs = sorted({pair for column in columns for pair in zip(originals, column, strict=True)})
    return timed(lambda: sum([Levenshtein.distance(original, word) for original, word in pairs]))


def timed(work, times=20):
    """Give the best time of several runs, and the value."""
    best = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        value = work()
        best = min(best, time.perf_counter() - began)
    return best, float(value)


seconds, value = {"nltk": nltk, "levenshtein": levenshtein}[sys.argv[1]]()
answer(seconds, value=value)
