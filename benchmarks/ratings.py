"""Coefficients of very many ratings against the time that it takes to read them, in one run, as ratios.

    python benchmarks/ratings.py [--items 1000000] [--decimals]

A table of five annotators is written, read with `unisono.read`, and measured, interval and details included. CPU time
counts, so that other work on the machine plays no part.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import process_time

import numpy as np

import unisono

MEASURES = (
    "krippendorff-alpha",
    "krippendorff-alpha(distance=ordinal)",
    "fleiss-kappa(weights=linear)",
    "multi-kappa(weights=quadratic)",
    "gwet-ac2",
    "bennett-s(weights=radical)",
    "light-kappa(weights=linear)",
    "weighted-kappa",
)
OF_DECIMALS = (
    "krippendorff-alpha(distance=interval)",
    "krippendorff-alpha(distance=ordinal)",
    "fleiss-kappa(weights=quadratic)",
    "fleiss-kappa(weights=linear)",
    "multi-kappa(weights=linear)",
    "gwet-ac2",
    "weighted-kappa",
)
WANTED = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--decimals", action="store_true", help="measurements with two decimals instead of five labels")
    given = parser.parse_args()
    n = given.items
    unisono.measure("krippendorff-alpha", drawn(1000)).interval  # noqa: B018 (what is loaded once does not count)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.csv"
        write(path, measured(n) if given.decimals else drawn(n))
        begin = process_time()
        data = unisono.read(path)
        reading = process_time() - begin
    print(f"| measure | CPU time | over reading 5 × {n:,} ratings, {reading:.1f} s |\n|---|---|---|", flush=True)
    missed = []
    for name in OF_DECIMALS if given.decimals else MEASURES:
        some = data.select(annotators=data.annotators[:2]) if name == "weighted-kappa" else data
        begin = process_time()
        result = unisono.measure(name, some)
        _ = result.value, result.interval, result.details
        seconds = process_time() - begin
        print(f"| {name} | {seconds:.2f} s | {seconds / reading:.2f} |", flush=True)
        if seconds > WANTED * reading:
            missed.append(name)
    if missed:
        raise SystemExit(f"slower than {WANTED} times reading: {', '.join(missed)}")


def drawn(n):
    """Draw labels of five annotators, of which two thirds are right, and some are missing."""
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 6, n)[:, None]
    table = np.where(rng.random((n, 5)) < 0.6, truth, rng.integers(1, 6, (n, 5))).astype(float)
    table[rng.random((n, 5)) < 0.02] = np.nan
    return unisono.Ratings.of(table, rows="items")


def measured(n):
    """Draw measurements of five annotators, with about 11,000 different numbers if there are a million items."""
    rng = np.random.default_rng(2)
    table = np.round(rng.normal(50, 15, (n, 1)) + rng.normal(0, 5, (n, 5)), 2)
    return unisono.Ratings.of(table, rows="items")


def write(path, data):
    """Write a table with one row per item."""
    words = np.array([*map(str, data.labels), ""])[data.codes]
    with path.open("w", encoding="utf-8") as stream:
        stream.write("item," + ",".join("abcde") + "\n")
        stream.writelines(f"i{number},{','.join(row)}\n" for number, row in enumerate(words.tolist()))


if __name__ == "__main__":
    main()
