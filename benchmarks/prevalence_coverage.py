"""How far estimates of prevalence are off on average, and how often their 95% intervals cover it, by simulation.

People label some items without error, a model labels all with the errors of a matrix. Prints the tables of
docs/simulations.md; takes some five minutes.
"""

from __future__ import annotations

import argparse

import numpy as np

from unisono.statistics.misclassification import corrected_shares
from unisono.statistics.prediction_powered import powered_shares
from unisono.statistics.shares import DoubleSample, plain_shares

METHODS = ("model alone", "people alone", "PPI", "corrected")
MODELS = {
    "two, good": ([0.3, 0.7], [[0.95, 0.05], [0.05, 0.95]]),
    "two, off by 10 points": ([0.3, 0.7], [[0.85, 0.22], [0.15, 0.78]]),
    "two, rare": ([0.05, 0.95], [[0.8, 0.12], [0.2, 0.88]]),
    "two, weak": ([0.3, 0.7], [[0.7, 0.4], [0.3, 0.6]]),
    "three": ([0.2, 0.3, 0.5], [[0.8, 0.1, 0.25], [0.15, 0.7, 0.05], [0.05, 0.2, 0.7]]),
    "five, one is rare": (
        [0.05, 0.1, 0.15, 0.2, 0.5],
        (0.7 * np.eye(5) + 0.3 * np.full((5, 5), 0.2) + np.outer([0.1, 0, 0, 0, -0.1], [0, 0, 0, 0, 1])).tolist(),
    ),
}
"""How often people give each category, and how often the model says i where people say j."""
SIZES = ((50, 500), (100, 1000), (100, 10_000), (300, 3000), (1000, 10_000))
"""Items with labels by people, and with labels by the model alone."""
DOCUMENTS = ((20, 10, 200), (50, 4, 500))
"""Documents that people labelled, items in each, and documents in all."""


def drawn(rng, share, confusion, n, documents=None):
    """Draw items of which people label the first n, or those in the first documents."""
    if documents is None:
        part = np.arange(sum(n))
        people = rng.choice(len(share), p=share, size=len(part))
        labelled = part < n[0]
    else:
        n_labelled, size, n_documents = documents
        part = np.repeat(np.arange(n_documents), size)
        own = rng.dirichlet(np.array(share) * 5, size=n_documents)[part]
        people = (own.cumsum(axis=1) < rng.random((len(part), 1))).sum(axis=1)
        labelled = part < n_labelled
    says = (np.array(confusion).T[people].cumsum(axis=1) < rng.random((len(part), 1))).sum(axis=1)
    unit = np.eye(len(share))
    given = unit[people]
    given[~labelled] = np.nan
    return DoubleSample(given, unit[np.minimum(says, len(share) - 1)], part)


def estimates(sample):
    """Return what each method says; None if it says nothing."""
    by_people = sample.by_people
    corrected = corrected_shares(sample)
    return [
        plain_shares(sample.model, sample.part),
        plain_shares(sample.people[by_people], np.unique(sample.part[by_people], return_inverse=True)[1]),
        powered_shares(sample).shares,
        None if isinstance(corrected, str) or None in corrected else corrected,
    ]


def simulated(share, confusion, runs, n=None, documents=None, seed=1):
    """Give, for each method, its bias and coverage by category, mean width, and how often there is no estimate."""
    rng = np.random.default_rng(seed)
    found = [[] for _ in METHODS]
    for _ in range(runs):
        for kept, said in zip(found, estimates(drawn(rng, share, confusion, n, documents)), strict=True):
            if said is not None:
                kept.append([(one.value - true, one.low <= true <= one.high, one.high - one.low)
                             for one, true in zip(said, share, strict=True)])  # fmt: skip
    return [
        (*np.moveaxis(np.mean(kept, axis=0), 1, 0)[:2], float(np.mean([row[2] for own in kept for row in own])),
         1 - len(kept) / runs)
        for kept in found
    ]  # fmt: skip


def show(name, size, rows):
    """Print a row of the table: what each method does, its bias in points, its coverage in % and the mean width."""
    cells = []
    for bias, coverage, width, none in rows:
        worst = float(bias[np.abs(bias).argmax()])
        low, high = (f"{100 * limit:.0f}" for limit in (coverage.min(), coverage.max()))
        lost = f", none {none:.0%}" if none > 0.005 else ""
        cells.append(f"{100 * worst:+.1f}; {low if low == high else f'{low} to {high}'}; {width:.2f}{lost}")
    print(f"| {name} | {size} | {' | '.join(cells)} |", flush=True)


def main():
    """Simulate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--only", help="the name of one model")
    args = parser.parse_args()
    print(f"| model | items by people + model | {' | '.join(METHODS)} |\n|{'---|' * (2 + len(METHODS))}")
    for name, (share, confusion) in MODELS.items():
        if args.only in (None, name):
            for n in SIZES:
                show(name, f"{n[0]:,} + {n[1]:,}", simulated(share, confusion, args.runs, n))
            for one in DOCUMENTS:
                size = f"{one[0]} of {one[2]} documents × {one[1]}"
                show(name, size, simulated(share, confusion, args.runs, documents=one))


if __name__ == "__main__":
    main()
