"""One job for unisono; prints seconds, peak memory and the value as JSON."""

from __future__ import annotations

import sys
import time

from measured import answer
from normalization_data import characters, words

import unisono


def table(made):
    originals, columns = made
    return unisono.Normalizations.from_annotators(originals, {f"a{i}": column for i, column in enumerate(columns)})


def word_alpha():
    data = table(words())
    return timed(lambda: unisono.normalization(data, level="word").value)


def character_alpha():
    data = table(characters())
    return timed(lambda: unisono.normalization(data).value)


def every_table():
    data = table(characters())
    return timed(lambda: len(unisono.normalization(data).to_dict()), times=2)


def timed(work, times=20):
    """Give the best time of several runs, and the value."""
    best = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        value = work()
        best = min(best, time.perf_counter() - began)
    return best, float(value)


seconds, value = {"words": word_alpha, "characters": character_alpha, "tables": every_table}[sys.argv[1]]()
answer(seconds, value=value)
