"""One job for unisono; prints seconds, peak memory and the value as JSON."""

from __future__ import annotations

import sys
import time

from coefficient_data import ratings, segmentations, units
from measured import answer

import unisono


def alpha():
    data = ratings()
    return timed(lambda: unisono.krippendorff_alpha(data, rows="items").value)


def boundaries():
    documents = {str(i): {"a": pair[0], "b": pair[1]} for i, pair in enumerate(segmentations())}
    return timed(lambda: unisono.boundary_similarity(unisono.from_masses(documents)).value)


def unitizing(n_units=10_000):
    rows = units(n_units=n_units)
    corpus = unisono.Corpus.from_columns(
        annotator=[who for who, starts, _, _ in rows for _ in starts],
        start=[start for _, starts, _, _ in rows for start in starts],
        end=[end for _, _, ends, _ in rows for end in ends],
        features={"category": [label for _, _, _, labels in rows for label in labels]},
    )
    measures = (unisono.alpha_u, unisono.u_alpha, unisono.cu_alpha)
    return timed(lambda: sum(measure(corpus).value for measure in measures))


def timed(work):
    """Give the time of the second of two runs, and the value."""
    work()
    began = time.perf_counter()
    value = work()
    return time.perf_counter() - began, float(value)


JOBS = {
    "alpha": alpha,
    "boundaries": boundaries,
    "unitizing": unitizing,
    "unitizing-tenfold": lambda: unitizing(100_000),
}
seconds, value = JOBS[sys.argv[1]]()
answer(seconds, value=value)
