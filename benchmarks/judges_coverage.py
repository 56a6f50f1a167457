"""How often intervals of judges' agreement and biases, and of Kendall's τ between rankings, cover the true value.

People and a judge compare outputs of systems, or score them; systems, items and everybody's errors are drawn anew each
time. The true value is the mean of as large a study over many draws: for τ, of as many systems and items. "Families
left out": the interval if it is known which systems are of one family. Prints the tables of docs/simulations.md; takes
some ten minutes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "comparison"))
from judged import verdicts

from unisono.comparison.judging import judges
from unisono.statistics.kendall import kendall_tau, left_out, tau_interval

JUDGES = {"as people": {}, "prefers the first": {"first": 0.5}, "prefers the longer": {"length": 0.3}}
ITEMS = (20, 40, 80, 160)
RANKINGS = ((6, 80), (8, 50), (12, 50), (16, 20), (16, 100), (30, 100))
LIKE = (0.3, 0.7, 0.9, 0.97)
KINDS = {
    "independent systems": (False, 0.0, 0),
    "items need skills": (False, 1.0, 0),
    "families of systems": (False, 0.0, 3),
    "families left out": (True, 0.0, 3),
}


def shares(n_items, how, seed):
    """Give agreement, its difference from that among people, and both biases of one study."""
    (found,) = judges(verdicts(np.random.default_rng(seed), n_items, seen=0.6, **how), "gpt").judges
    one, position, length = found.agreement, found.position, found.length
    agreed = (one.agreement.value, one.agreement.low, one.agreement.high)
    first = (position.first.value, position.first.low, position.first.high)
    return [agreed, one.beyond_people, first, length.difference]


def means(rng, n_systems, n_items, like, skills, family):
    """Draw the mean scores of systems by people and by a judge; families have a common part of their quality."""
    quality, member = rng.normal(size=(2, n_systems)), np.arange(n_systems)
    quality[1] = like * quality[0] + np.sqrt(1 - like**2) * quality[1]
    if family:
        member = rng.integers(0, max(n_systems // family, 2), n_systems)
        common = rng.normal(size=(2, n_systems))
        common[1] = like * common[0] + np.sqrt(1 - like**2) * common[1]
        quality = 0.6 * quality + 0.8 * common[:, member]
    needed = rng.multinomial(n_items, [0.25] * 4) / n_items
    able = rng.normal(size=(n_systems, 4))
    also = 0.7 * able + 0.7 * rng.normal(size=(n_systems, 4))
    shared = rng.normal(size=n_systems) * 0.6
    noise = (shared + 0.8 * rng.normal(size=(2, n_systems))) * 2 / np.sqrt(n_items)
    return quality + skills * np.array([able @ needed, also @ needed]) + noise, member


def tau_coverage(rng, runs, known, *how):
    """Give the true τ, how often intervals cover it, their mean width, and how often there is none."""
    true = np.mean([kendall_tau(*means(rng, *how)[0]) for _ in range(4 * runs)])
    hits, widths = [], []
    for _ in range(runs):
        (one, other), member = means(rng, *how)
        family = np.unique(member, return_inverse=True)[1] if known else np.arange(len(one))
        without = left_out(family, lambda kept, one=one, other=other: kendall_tau(one[kept], other[kept]))
        found = tau_interval(kendall_tau(one, other), without, np.bincount(family).astype(float) if known else None)
        if not isinstance(found, str):
            hits.append(found.low <= true <= found.high)
            widths.append(found.high - found.low)
    return true, hits, widths


def shown(runs, true, hits, widths):
    """Write what `tau_coverage` gives."""
    if len(hits) < runs / 2:
        return f"{true:.2f}: none"
    none = f", none {1 - len(hits) / runs:.0%}" if len(hits) < runs else ""
    return f"{true:.2f}: {100 * np.mean(hits):.0f} ({np.mean(widths):.2f}{none})"


def main():
    """Simulate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--only", choices=("shares", "rankings"))
    given = parser.parse_args()
    if given.only != "rankings":
        show_shares(given.runs)
    if given.only != "shares":
        show_rankings(given.runs)


def show_shares(runs):
    """Print the table of agreement and biases."""
    print("| judge | items | agreement | more than people | first wins | longer wins more |\n|---|---|---|---|---|---|")
    for name, how in JUDGES.items():
        for n in ITEMS:
            found = np.array([shares(n, how, seed) for seed in range(runs)])
            true = np.array([shares(400, how, 10_000_000 + seed) for seed in range(40)])[:, :, 0].mean(axis=0)
            hit = ((found[:, :, 1] <= true) & (true <= found[:, :, 2])).mean(axis=0)
            cells = [f"{value:.2f}; {100 * share:.0f}" for value, share in zip(true, hit, strict=True)]
            print(f"| {name} | {n} | {' | '.join(cells)} |", flush=True)


def show_rankings(runs):
    """Print the table of τ."""
    print("\n| systems | items | " + " | ".join(KINDS) + " |\n|---|---|---|---|---|---|")
    rng = np.random.default_rng(1)
    for n_systems, n_items in RANKINGS:
        cells = []
        for known, skills, family in KINDS.values():
            found = [tau_coverage(rng, runs, known, n_systems, n_items, like, skills, family) for like in LIKE]
            cells.append(", ".join(shown(runs, *one) for one in found))
        print(f"| {n_systems} | {n_items} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
