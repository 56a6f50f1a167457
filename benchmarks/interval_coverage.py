"""How often 95 % intervals cover the true value, and how often `compare` sees a difference, by simulation.

Populations are those of interval_populations.py; the true value is that of a sample so large that its error does not
matter.
Prints the tables of docs/intervals.md. All of it takes about an hour on one core; `--only` and `--runs` make it less.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from interval_populations import ratings, segments, units

from unisono.comparison import compare
from unisono.comparison.two_studies import of_annotators
from unisono.measures.registry import parse_measure
from unisono.statistics.jackknife import over_documents
from unisono.statistics.leaving_out import LeftOut
from unisono.statistics.paired import difference_of_errors

LABELS = ("krippendorff-alpha", "fleiss-kappa", "percent-agreement", "gwet-ac1")
TWO = ("cohen-kappa", "scott-pi")
SPANS = ("u-alpha", "cu-alpha", "discretized-kappa", "span-f1", "slot-error-rate")
CUTS = ("window-diff", "boundary-similarity")
LEVELS = ("high", "middle", "low")
A, B = ["a0", "a1", "a2"], ["a3", "a4", "a5"]


def covered(measures, sample, population, runs):
    """Give each measure's true value, how often intervals cover it, how often there is none, and their median width."""
    chosen = [parse_measure(name) for name in measures]
    large = population(np.random.default_rng(1_000_000))
    true = [one.compute(large).value for one in chosen]
    rng = np.random.default_rng(1)
    hits, none, widths = np.zeros(len(chosen)), np.zeros(len(chosen)), [[] for _ in chosen]
    for _ in range(runs):
        data = sample(rng)
        for place, one in enumerate(chosen):
            interval = one.compute(data).interval
            if interval is None:
                none[place] += 1
                continue
            hits[place] += interval.low <= true[place] <= interval.high
            widths[place].append(interval.high - interval.low)
    return [
        (name, true[i], hits[i] / max(runs - none[i], 1), none[i] / runs, float(np.median(widths[i] or [np.nan])))
        for i, name in enumerate(measures)
    ]


def show(title, sizes, make, large, measures, runs, levels=LEVELS):
    """Print a table: measures by level of agreement, coverage by size."""
    print(f"\n**{title}**\n\n| measure | true value | {' | '.join(map(str, sizes))} |\n|---|---|{'---|' * len(sizes)}")
    for level in levels:
        cells = [
            covered(measures, lambda r, n=n, at=level: make(r, n, at), lambda r, at=level: large(r, at), runs)
            for n in sizes
        ]
        for rows in zip(*cells, strict=True):
            shown = [
                f"{100 * hit:.1f}" + (f" ({100 * none:.0f} % none)" if none > 0.005 else "")
                for _, _, hit, none, _ in rows
            ]
            print(f"| {rows[0][0]} | {rows[0][1]:.2f} | {' | '.join(shown)} |", flush=True)


def gamma_over_documents(runs, n_pool=600):
    """Draw documents from a population of so many that were aligned once; chance is each document's own."""
    print("\n**γ, over documents**\n\n| measure | true value | 5 | 10 | 20 | 50 |\n|---|---|---|---|---|---|")
    for level in LEVELS:
        observed, expected = disorders(units(np.random.default_rng(2), n_pool, level))
        true, rng, shown = 1 - observed.sum() / expected.sum(), np.random.default_rng(3), []
        for size in (5, 10, 20, 50):
            drawn = rng.integers(0, len(observed), (10 * runs, size))
            found = [over_documents(observed[rows], expected[rows], serious=True) for rows in drawn]
            hits = [one.low <= true <= one.high for one in found if one is not None]
            shown.append(f"{100 * np.mean(hits):.1f}")
        print(f"| gamma | {true:.2f} | {' | '.join(shown)} |", flush=True)
        usual = [f"{100 * bootstrap(observed, expected, true, size, runs):.1f}" for size in (5, 10, 20, 50)]
        print(f"| gamma, percentile bootstrap | {true:.2f} | {' | '.join(usual)} |", flush=True)


def bootstrap(observed, expected, true, size, runs, n_draws=1000):
    """Say how often the usual interval, the middle 95 % of draws from the documents, covers the true value of γ."""
    rng, hits = np.random.default_rng(6), 0
    for rows in rng.integers(0, len(observed), (2 * runs, size)):
        again = rows[rng.integers(0, size, (n_draws, size))]
        low, high = np.quantile(1 - observed[again].sum(axis=1) / expected[again].sum(axis=1), (0.025, 0.975))
        hits += low <= true <= high
    return hits / (2 * runs)


def gamma_told_apart(runs, n_pool=600):
    """Say how often p < 0.05 for γ of two groups, documents drawn as above."""
    for worse in (1.0, 1.4):
        data = units(np.random.default_rng(4), n_pool, "middle", n_annotators=6, worse=worse)
        (one, by_chance), (other, likewise) = (disorders(of_annotators(data, people)) for people in (A, B))
        # of groups that deviate as often, γ differs a little in the population: make it the same
        likewise = likewise * ((other.sum() / likewise.sum()) / (one.sum() / by_chance.sum()) if worse == 1 else 1.0)
        rng, shown = np.random.default_rng(5), []
        for size in (5, 10, 20):
            sure = 0
            for rows in rng.integers(0, n_pool, (10 * runs, size)):
                first, second = (left(o[rows], e[rows]) for o, e in ((one, by_chance), (other, likewise)))
                p = difference_of_errors("", first, second).p
                sure += p is not None and p < 0.05
            shown.append(f"{10 * sure / runs:.1f}")
        print(f"| gamma | {said(worse)} | {' | '.join(shown)} |", flush=True)


def disorders(data):
    """Give each document's observed disorder, and what is expected of it."""
    found = parse_measure("gamma(chance=shift,precision=0.05)").compute(data)
    weights = np.array([document.alignment.annotations.mean_units for document in found.documents])
    observed = np.array([document.alignment.solution.total for document in found.documents])
    return observed, weights * np.array([document.chance.mean for document in found.documents])


def left(observed, expected):
    """Leave documents out one by one."""
    without = (observed.sum() - observed) / (expected.sum() - expected)
    return LeftOut(observed.sum() / expected.sum(), without, expected)


def said(worse):
    """Say how much more often the second group deviates."""
    return "as often" if worse == 1 else f"{worse:g} times as often"


def told_apart(runs):
    """Say how often p < 0.05 for two groups of three annotators that deviate as often, or one of them more often."""
    print(
        "\n**compare: share of p < 0.05**\n\n| measure | second group deviates | 5 | 10 | 20 |\n|---|---|---|---|---|"
    )
    for name, make in (
        ("krippendorff-alpha", ratings),
        ("percent-agreement", ratings),
        ("u-alpha", units),
        ("span-f1", units),
    ):
        for worse in (1.0, 1.4):
            shown = []
            for size in (5, 10, 20):
                rng, sure = np.random.default_rng(size), 0
                for _ in range(runs):
                    data = make(rng, size, "middle", n_annotators=6, worse=worse)
                    found = compare(of_annotators(data, A), of_annotators(data, B), [name])[0].difference
                    sure += found.p is not None and found.p < 0.05
                shown.append(f"{100 * sure / runs:.1f}")
            print(
                f"| {name} | {said(worse)} | {' | '.join(shown)} |",
                flush=True,
            )


def main() -> None:
    """Print all tables, or one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument(
        "--only", nargs="*", choices=("labels", "items", "spans", "blurred", "cuts", "one", "gamma", "compare")
    )
    options = parser.parse_args()
    runs, sizes = options.runs, (5, 10, 20)

    def wanted(name):
        return options.only is None or name in options.only

    if wanted("labels"):
        show(
            "Labels in documents of about 20 items, three annotators",
            (*sizes, 50),
            ratings,
            lambda r, at: ratings(r, 20_000, at),
            LABELS,
            runs,
        )
        two = {"n_annotators": 2}
        show(
            "The same, two annotators",
            (*sizes, 50),
            lambda r, n, at: ratings(r, n, at, **two),
            lambda r, at: ratings(r, 20_000, at, **two),
            TWO,
            runs,
        )
    if wanted("items"):
        for drift, said in ((0.0, "independent items"), (0.5, "neighbouring items alike")):
            one = {"alike": True, "drift": drift}
            show(
                f"Labels of items in one document, {said}",
                (30, 100, 400),
                lambda r, n, at, one=one: ratings(r, 1, at, n_items=n, **one),
                lambda r, at, one=one: ratings(r, 1, at, n_items=400_000, **one),
                LABELS,
                runs,
            )
    if wanted("spans"):
        show(
            "Spans in documents of about 15 units, three annotators",
            sizes,
            units,
            lambda r, at: units(r, 4000, at),
            SPANS,
            runs,
        )
    if wanted("blurred"):
        show(
            "Spans all of whose boundaries are shifted, the more the more difficult the document",
            sizes,
            lambda r, n, at: units(r, n, at, blurred=True),
            lambda r, at: units(r, 4000, at, blurred=True),
            ("u-alpha", "span-f1", "slot-error-rate"),
            runs,
            levels=("high", "middle"),
        )
    if wanted("cuts"):
        show(
            "Texts cut into about 15 segments, three annotators",
            sizes,
            segments,
            lambda r, at: segments(r, 4000, at),
            CUTS,
            runs,
        )
    if wanted("one"):
        show(
            "Spans in one document of so many units",
            (25, 50, 150),
            lambda r, n, at: units(r, 1, at, n_units=n, alike=True),
            lambda r, at: units(r, 1, at, n_units=40_000, alike=True),
            SPANS,
            runs,
        )
        show(
            "One text cut into so many segments",
            (25, 50, 150),
            lambda r, n, at: segments(r, 1, at, n_segments=n, alike=True),
            lambda r, at: segments(r, 1, at, n_segments=40_000, alike=True),
            CUTS,
            runs,
        )
    if wanted("gamma"):
        gamma_over_documents(runs)
        show(
            "γ in one document of so many units",
            (25, 50),
            lambda r, n, at: units(r, 1, at, n_units=n, alike=True),
            lambda r, at: units(r, 100, at, n_units=50, alike=True),
            ("gamma(chance=shift)",),
            runs // 2,
        )
    if wanted("compare"):
        told_apart(runs)
        gamma_told_apart(runs)


if __name__ == "__main__":
    main()
