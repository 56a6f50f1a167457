"""How often 95% intervals cover the true value, and how often `compare` sees a difference, by simulation.

Populations are those of interval_populations.py; the true value is that of a sample so large that its error does not
matter.
Prints the tables of docs/coverage.md. All of it takes about an hour on one core; `--only` and `--runs` make it less.
`--only peers` compares widths with those of irrCAC and statsmodels, which must be installed for that.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from interval_populations import rare, ratings, segments, units

from unisono.comparison import compare
from unisono.comparison.pairing import some_of
from unisono.measurement.disorder.interval import DisorderParts
from unisono.measurement.registry import parse_measure
from unisono.results import Interval
from unisono.statistics.jackknife import Jackknife
from unisono.statistics.paired import difference_of_errors

LABELS = ("krippendorff-alpha", "fleiss-kappa", "percent-agreement", "gwet-ac1")
TWO = ("cohen-kappa", "scott-pi")
SPANS = ("u-alpha", "cu-alpha", "discretized-kappa", "span-f1", "slot-error-rate")
CUTS = ("window-diff", "boundary-similarity")
LEVELS = ("high", "middle", "low")
PARTS = ("labels", "few", "items", "misses", "spans", "blurred", "cuts", "one", "gamma", "compare", "peers")
A, B = ["a0", "a1", "a2"], ["a3", "a4", "a5"]


def covered(measures, sample, true, runs):
    """Give each measure's true value, how often intervals cover it, how often there is none, and their median width."""
    chosen = [parse_measure(name) for name in measures]
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
    heading(title, sizes)
    for level in levels:
        population = large(np.random.default_rng(1_000_000), level)
        true = [parse_measure(name).compute(population).value for name in measures]
        cells = [covered(measures, lambda r, n=n, at=level: make(r, n, at), true, runs) for n in sizes]
        for rows in zip(*cells, strict=True):
            shown = [cell(hit, none) for _, _, hit, none, _ in rows]
            print(f"| {rows[0][0]} | {rows[0][1]:.2f} | {' | '.join(shown)} |", flush=True)


def misses(runs, sizes):
    """Say how often intervals of α lie above the true value, and how often below, where agreement is low."""
    heading("α of items at low agreement: intervals above/below the true value", sizes)
    for drift, rows in ((0.0, "independent"), (0.0, "independent, sorted by their labels"), (0.5, "neighbours alike")):
        for level in ("low", "lowest"):
            one = {"alike": True, "drift": drift}
            large = ratings(np.random.default_rng(1_000_000), 1, level, n_items=400_000, **one)
            true, shown = parse_measure(LABELS[0]).compute(large).value, []
            for size in sizes:
                rng = np.random.default_rng(1)
                made = (ratings(rng, 1, level, n_items=size, **one) for _ in range(runs))
                found = [parse_measure(LABELS[0]).compute(sorted_rows(data) if "," in rows else data) for data in made]
                known = [result.interval for result in found if result.interval is not None]
                above, below = (np.mean([side(one) for one in known]) for side in sides(true))
                shown.append(f"{100 * above:.1f} / {100 * below:.1f}")
            print(f"| {rows} | {true:.2f} | {' | '.join(shown)} |", flush=True)


def sides(true):
    """Give tests of whether an interval is above the true value, and below."""
    return lambda one: one.low > true, lambda one: one.high < true


def sorted_rows(data):
    """Sort items by their labels, as in a table of counts that was written out."""
    return replace(data, codes=data.codes[np.lexsort(data.codes.T[::-1])])


def heading(title, sizes, second="true value"):
    """Begin a table."""
    print(f"\n**{title}**\n\n| measure | {second} | {' | '.join(map(str, sizes))} |\n|---|---|{'---|' * len(sizes)}")


def cell(hit, none):
    """Write how often intervals cover, and how often there is none."""
    return f"{100 * hit:.1f}" + (f" ({100 * none:.0f}% none)" if none > 0.005 else "")


def gamma_over_documents(runs, sizes, n_pool=600):
    """Draw documents from a population of so many that were aligned once; chance is each document's own."""
    heading("γ, over documents", sizes)
    for level, n_units in (("highest", 6), *((level, 15) for level in LEVELS)):
        name = "gamma" if n_units == 15 else f"gamma, documents of {n_units} units"
        documents = aligned(units(np.random.default_rng(2), n_pool, level, n_units=n_units))
        observed, expected = disorders(documents)
        true, rng, shown = 1 - observed.sum() / expected.sum(), np.random.default_rng(3), []
        for size in sizes:
            drawn = rng.integers(0, len(observed), (4 * runs, size))
            found = [DisorderParts([documents[row] for row in rows]).interval() for rows in drawn]
            hits = [one.low <= true <= one.high for one in found if isinstance(one, Interval)]
            shown.append(cell(np.mean(hits), 1 - len(hits) / len(found)))
        print(f"| {name} | {true:.2f} | {' | '.join(shown)} |", flush=True)
        usual = [f"{100 * bootstrap(observed, expected, true, size, runs):.1f}" for size in sizes]
        print(f"| {name}, percentile bootstrap | {true:.2f} | {' | '.join(usual)} |", flush=True)


def bootstrap(observed, expected, true, size, runs, n_draws=1000):
    """Say how often the usual interval, the middle 95% of draws from the documents, covers the true value of γ."""
    rng, hits = np.random.default_rng(6), 0
    for rows in rng.integers(0, len(observed), (2 * runs, size)):
        again = rows[rng.integers(0, size, (n_draws, size))]
        low, high = np.quantile(1 - observed[again].sum(axis=1) / expected[again].sum(axis=1), (0.025, 0.975))
        hits += low <= true <= high
    return hits / (2 * runs)


def gamma_told_apart(runs, sizes, n_pool=600):
    """Say how often p < 0.05 for γ of two groups, documents drawn as above."""
    for worse in (1.0, 1.4):
        data = units(np.random.default_rng(4), n_pool, "middle", n_annotators=6, worse=worse)
        (one, by_chance), (other, likewise) = (
            disorders(aligned(some_of(data, annotators=people))) for people in (A, B)
        )
        # of groups that deviate as often, γ differs a little in the population: make it the same
        likewise = likewise * ((other.sum() / likewise.sum()) / (one.sum() / by_chance.sum()) if worse == 1 else 1.0)
        rng, shown = np.random.default_rng(5), []
        for size in sizes:
            sure = 0
            for rows in rng.integers(0, n_pool, (10 * runs, size)):
                first, second = (left(o[rows], e[rows]) for o, e in ((one, by_chance), (other, likewise)))
                p = difference_of_errors("", first, second).p
                sure += p is not None and p < 0.05
            shown.append(f"{10 * sure / runs:.1f}")
        print(f"| gamma | {said(worse)} | {' | '.join(shown)} |", flush=True)


def aligned(data):
    """Align documents, and sample what chance gives."""
    return parse_measure("gamma(chance=shift,precision=0.05)").compute(data).documents


def disorders(documents):
    """Give each document's observed disorder, and what is expected of it."""
    weights = np.array([document.alignment.annotations.mean_units for document in documents])
    observed = np.array([document.alignment.solution.total for document in documents])
    return observed, weights * np.array([document.chance.mean for document in documents])


def left(observed, expected):
    """Leave documents out one by one."""
    without = (observed.sum() - observed) / (expected.sum() - expected)
    return Jackknife(observed.sum() / expected.sum(), without, expected)


def said(worse):
    """Say how much more often the second group deviates."""
    return "as often" if worse == 1 else f"{worse:g} times as often"


def told_apart(runs, sizes):
    """Say how often p < 0.05 for two groups of three annotators that deviate as often, or one of them more often."""
    heading("compare: share of p < 0.05", sizes, "second group deviates")
    for name, make in (
        ("krippendorff-alpha", ratings),
        ("percent-agreement", ratings),
        ("u-alpha", units),
        ("span-f1", units),
    ):
        for worse in (1.0, 1.4):
            shown = []
            for size in sizes:
                rng = np.random.default_rng(size)
                made = (make(rng, size, "middle", n_annotators=6, worse=worse) for _ in range(runs))
                shown.append(share_of_sure(made, name))
            print(f"| {name} | {said(worse)} | {' | '.join(shown)} |", flush=True)
    shown = []
    for size in sizes:
        rng = np.random.default_rng(size)
        shown.append(share_of_sure((rare(rng, size, 0.2, n_annotators=6) for _ in range(runs)), LABELS[0]))
    print(f"| {LABELS[0]}, rare label in a fifth of documents | as often | {' | '.join(shown)} |", flush=True)


def share_of_sure(made, name):
    """Say how often p < 0.05, of the differences that have a p, and how often there is none."""
    found = [compare(some_of(data, annotators=A), some_of(data, annotators=B), [name])[0].difference.p for data in made]
    known = [p for p in found if p is not None]
    return cell(np.mean(np.array(known) < 0.05), 1 - len(known) / len(found))


def peers(n_sets=40):
    """Say how much wider intervals of 500 items are than those of irrCAC and statsmodels, on average."""
    import pandas as pd
    from irrCAC.raw import CAC
    from statsmodels.stats.inter_rater import cohens_kappa

    names = {"krippendorff-alpha": "krippendorff", "fleiss-kappa": "fleiss", "gwet-ac1": "gwet", "cohen-kappa": None}
    print("\n| measure | missing labels | times as wide |\n|---|---|---|")
    for missing in (0.0, 0.15):
        for name, theirs in names.items():
            if missing and theirs is None:
                continue
            rng, ratios = np.random.default_rng(7), []
            for _ in range(n_sets):
                data = ratings(rng, 1, "middle", n_items=500, alike=True, n_annotators=3 if theirs else 2)
                codes = np.where(rng.random(data.codes.shape) < missing, -1, data.codes)
                interval = parse_measure(name).compute(replace(data, codes=codes)).interval
                if theirs:
                    frame = pd.DataFrame(codes).replace(-1, np.nan)
                    low, high = getattr(CAC(frame), theirs)()["est"]["confidence_interval"]
                else:
                    table = np.zeros((4, 4))
                    np.add.at(table, tuple(codes.T), 1)
                    other = cohens_kappa(table)
                    low, high = other.kappa_low, other.kappa_upp
                ratios.append((interval.high - interval.low) / (high - low))
            print(f"| {name} | {missing:.0%} | {np.mean(ratios):.2f} |", flush=True)


def main() -> None:
    """Print all tables, or one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--sizes", type=int, nargs="*", help="only these columns")
    parser.add_argument("--only", nargs="*", choices=PARTS)
    options = parser.parse_args()
    runs = options.runs

    def wanted(name):
        return options.only is None or name in options.only

    def of(*sizes):
        return [size for size in sizes if options.sizes is None or size in options.sizes]

    sizes = of(3, 5, 10, 20)

    if wanted("labels"):
        show(
            "Labels in documents of about 20 items, three annotators",
            of(3, 5, 10, 20, 50),
            ratings,
            lambda r, at: ratings(r, 20_000, at),
            LABELS,
            runs,
        )
        two = {"n_annotators": 2}
        show(
            "The same, two annotators",
            of(3, 5, 10, 20, 50),
            lambda r, n, at: ratings(r, n, at, **two),
            lambda r, at: ratings(r, 20_000, at, **two),
            TWO,
            runs,
        )
    if wanted("few"):
        show(
            "Labels in documents of about 10 items, two annotators who hardly ever differ",
            sizes,
            lambda r, n, at: ratings(r, n, at, n_items=10, n_annotators=2),
            lambda r, at: ratings(r, 20_000, at, n_items=10, n_annotators=2),
            (LABELS[0], *TWO[:1], *LABELS[2:]),
            runs,
            levels=("highest",),
        )
        show(
            "Spans in documents of about 6 units, three annotators who hardly ever differ",
            sizes,
            lambda r, n, at: units(r, n, at, n_units=6),
            lambda r, at: units(r, 4000, at, n_units=6),
            SPANS,
            runs,
            levels=("highest",),
        )
        show(
            "Two labels, one of them in a fifth of the documents only, and disagreement only there",
            sizes,
            lambda r, n, at: rare(r, n, 0.2),
            lambda r, at: rare(r, 20_000, 0.2),
            (LABELS[0], *TWO[:1], *LABELS[2:]),
            runs,
            levels=("a fifth",),
        )
    if wanted("items"):
        for drift, said in ((0.0, "independent items"), (0.5, "neighbouring items alike")):
            one = {"alike": True, "drift": drift}
            show(
                f"Labels of items in one document, {said}",
                of(30, 100, 400),
                lambda r, n, at, one=one: ratings(r, 1, at, n_items=n, **one),
                lambda r, at, one=one: ratings(r, 1, at, n_items=400_000, **one),
                LABELS,
                runs,
                levels=(*LEVELS, "lowest"),
            )
    if wanted("misses"):
        misses(2 * runs, of(30, 100, 400))
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
            of(25, 50, 150),
            lambda r, n, at: units(r, 1, at, n_units=n, alike=True),
            lambda r, at: units(r, 1, at, n_units=40_000, alike=True),
            SPANS,
            runs,
        )
        show(
            "One text cut into so many segments",
            of(25, 50, 150),
            lambda r, n, at: segments(r, 1, at, n_segments=n, alike=True),
            lambda r, at: segments(r, 1, at, n_segments=40_000, alike=True),
            CUTS,
            runs,
        )
    if wanted("gamma"):
        gamma_over_documents(runs, of(3, 5, 10, 20, 50))
        show(
            "γ in one document of so many units",
            of(25, 50),
            lambda r, n, at: units(r, 1, at, n_units=n, alike=True),
            lambda r, at: units(r, 100, at, n_units=50, alike=True),
            ("gamma(chance=shift)",),
            runs // 2,
        )
    if wanted("compare"):
        told_apart(runs, sizes)
        gamma_told_apart(runs, sizes)
    if options.only and "peers" in options.only:
        peers()


if __name__ == "__main__":
    main()
