"""How long measures of numbers and ranks take: the ICC against pingouin's, and all of them on millions of labels.

python benchmarks/rating_scales.py          # pingouin must be installed for the first table
"""

from __future__ import annotations

import time

import numpy as np

import unisono

MEASURES = ("icc", "icc(model=one-way)", "lin-ccc", "kendall-w", "mean-spearman", "mean-pearson")
FORMS = [{"model": "one-way"}, {"definition": "agreement"}, {"definition": "consistency"}]
SIZES = ((10, 3), (100, 3), (1000, 5))


def table(n, k, missing=0.0):
    """Draw whole numbers; so many are missing."""
    rng = np.random.default_rng(1)
    drawn = np.round(2 * (rng.normal(size=(n, 1)) + rng.normal(size=(n, k))))
    return np.where(rng.random(drawn.shape) < missing, np.nan, drawn)


def seconds(work, runs):
    """Give the least time of several runs."""
    found = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        found.append(time.perf_counter() - begin)
    return min(found)


def all_forms(values):
    """Compute the six values of pingouin, with tests and intervals."""
    for form in FORMS:
        for unit in ("single", "average"):
            assert unisono.icc(values, rows="items", unit=unit, **form).interval


def against_pingouin():
    """Compare times for all six forms of the ICC."""
    import pandas as pd
    import pingouin

    print("| items | annotators | unisono, ms | pingouin, ms | times as fast |\n|---|---|---|---|---|")
    for n, k in SIZES:
        values = table(n, k)
        frame = pd.DataFrame({"i": np.repeat(np.arange(n), k), "a": np.tile(np.arange(k), n), "y": values.ravel()})
        ours = seconds(lambda values=values: all_forms(values), 10)
        theirs = seconds(lambda frame=frame: pingouin.intraclass_corr(frame, "i", "a", "y"), 3)
        print(f"| {n} | {k} | {1000 * ours:.1f} | {1000 * theirs:.1f} | {theirs / ours:.0f} |", flush=True)


def millions():
    """Measure 5 x 1,000,000 labels, complete and with a tenth missing."""
    print("\n| measure | complete, s | 10% missing, s |\n|---|---|---|")
    data = [unisono.Ratings.of(table(1_000_000, 5, missing), rows="items") for missing in (0.0, 0.1)]
    for name in MEASURES:
        taken = [seconds(lambda one=one, name=name: unisono.measure(name, one).interval, 1) for one in data]
        print(f"| {name} | {taken[0]:.1f} | {taken[1]:.1f} |", flush=True)


if __name__ == "__main__":
    try:
        against_pingouin()
    except ImportError:
        print("pingouin is not installed")
    millions()
