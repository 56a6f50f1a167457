"""How often 95% intervals of measures for numeric and ranked labels cover the true value, by simulation.

Labels are μ + item + annotator + error. For the ICC, items and annotators are drawn anew each time, and the true value
is the ratio of their variances; for correlations, annotators stay the same, each with a mean and a unit of their own,
and the true value is that of a large sample. Prints the table of docs/coverage.md; takes some twenty minutes.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np

from unisono.data import Ratings
from unisono.measurement.registry import parse_measure

ICC = (
    "icc(model=one-way)",
    "icc(definition=agreement)",
    "icc(definition=consistency)",
    "icc(definition=agreement,unit=average)",
)
CORRELATIONS = ("lin-ccc", "mean-pearson", "mean-spearman", "kendall-w")
ITEMS = {"high": 0.8, "middle": 0.5, "low": 0.2}
"""The share of the variance that is due to items."""
MISSING = {"none": 0.0, "10%": 0.1, "30%": 0.3}
SHAPES = ("normal", "5 steps", "skewed")


def ratings(values, rng, missing):
    """Make ratings of numbers, of which so many are missing."""
    values = np.where(rng.random(values.shape) < missing, np.nan, values)
    return Ratings.of(values, rows="items")


def icc_sample(rng, n, k, share, missing, annotators, shape):
    """Draw items and annotators; annotators have so large a share of the variance that is not due to items."""
    people = rng.normal(size=(1, k)) * np.sqrt((1 - share) * annotators)
    items = drawn(rng, (n, 1), shape) * np.sqrt(share)
    error = drawn(rng, (n, k), shape) * np.sqrt((1 - share) * (1 - annotators))
    return ratings(items + people + error, rng, missing)


def drawn(rng, size, shape):
    """Draw numbers with variance 1: normal, or skewed as waiting times are."""
    return rng.exponential(size=size) if shape == "skewed" else rng.normal(size=size)


def icc_truth(name, k, share, missing, annotators):
    """Give the true value; of means, for the harmonic mean number of labels of items that have two or more."""
    error = (1 - share) * (1 if "agreement" in name or "one-way" in name else 1 - annotators)
    if "average" not in name:
        return share / (share + error)
    drawn = np.random.default_rng(1).binomial(k, 1 - missing, 1_000_000)
    drawn = drawn[drawn >= 2]
    return share / (share + error / (len(drawn) / (1 / drawn).sum()))


def correlation_sample(rng, n, k, share, missing, shape):
    """Draw items; annotators have means and units of their own."""
    items = rng.normal(size=(n, 1)) * np.sqrt(share)
    values = items + rng.normal(size=(n, k)) * np.sqrt(1 - share)
    values = values * np.linspace(0.8, 1.2, k) + np.linspace(-0.2, 0.2, k)
    if shape == "5 steps":
        values = np.clip(np.round(values * 1.2), -2, 2)
    if shape == "skewed":
        values = np.exp(0.7 * values)
    return ratings(values, rng, missing)


def coverage(name, sample, true, runs):
    """Give how often intervals miss below and above, how often there is none, and their median width."""
    measure, rng = parse_measure(name), np.random.default_rng(2)
    below = above = none = 0
    widths = []
    for _ in range(runs):
        interval = measure.compute(sample(rng)).interval
        if interval is None:
            none += 1
            continue
        below, above = below + (true < interval.low), above + (true > interval.high)
        widths.append(interval.high - interval.low)
    n = max(runs - none, 1)
    return below / n, above / n, none / runs, float(np.median(widths)) if widths else float("nan")


def cell(below, above, none, width):
    """Write how often intervals cover."""
    return f"{100 * (1 - below - above):.1f}" + (f" ({100 * none:.0f}% none)" if none > 0.005 else "")


def icc_table(runs, sizes, missing, shape):
    """Print the coverage of the ICC."""
    print(f"\n**ICC, {shape} labels, {missing} missing**\n")
    print(f"| measure | annotators | true value | {' | '.join(map(str, sizes))} |")
    print(f"|---|---|---|{'---|' * len(sizes)}")
    for name in ICC:
        for k in (2, 4):
            for level, share in ITEMS.items():
                people = 0.0 if "one-way" in name else 0.25
                true = icc_truth(name, k, share, MISSING[missing], people)
                how = {"k": k, "share": share, "missing": MISSING[missing], "annotators": people, "shape": shape}
                found = [coverage(name, partial(icc_sample, n=n, **how), true, runs) for n in sizes]
                print(
                    f"| {name} | {k} | {true:.2f} ({level}) | {' | '.join(cell(*one) for one in found)} |", flush=True
                )


def correlation_table(runs, sizes, missing, shape):
    """Print the coverage of correlations."""
    print(f"\n**Correlations, {shape} labels, {missing} missing**\n")
    print(f"| measure | annotators | true value | {' | '.join(map(str, sizes))} |\n|---|---|---|{'---|' * len(sizes)}")
    for name in CORRELATIONS:
        if name == "kendall-w" and missing != "none":
            continue
        for k in (2, 4):
            for level, share in ITEMS.items():
                large = correlation_sample(np.random.default_rng(3), 400_000, k, share, 0.0, shape)
                true = parse_measure(name).compute(large).value
                how = {"k": k, "share": share, "missing": MISSING[missing], "shape": shape}
                found = [coverage(name, partial(correlation_sample, n=n, **how), true, runs) for n in sizes]
                print(
                    f"| {name} | {k} | {true:.2f} ({level}) | {' | '.join(cell(*one) for one in found)} |", flush=True
                )


def main() -> None:
    """Print all tables, or some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10, 30, 100])
    parser.add_argument("--only", choices=("icc", "correlations"))
    parser.add_argument("--missing", nargs="*", choices=list(MISSING), default=list(MISSING))
    parser.add_argument("--shapes", nargs="*", choices=SHAPES, default=list(SHAPES))
    options = parser.parse_args()
    for missing in options.missing:
        for shape in options.shapes:
            if missing != "none" and shape != "normal":
                continue
            if options.only != "correlations" and shape != "5 steps":
                icc_table(options.runs, options.sizes, missing, shape)
            if options.only != "icc":
                correlation_table(options.runs, options.sizes, missing, shape)


if __name__ == "__main__":
    main()
