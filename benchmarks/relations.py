"""γ of relations against γ of spans, in one run, as ratios of CPU time.

    python benchmarks/relations.py [--before FOLDER]

Three annotators mark the same number of spans, or of relations between two such spans, one per 100 characters or, where
texts are dense, per 10 to 30; some are missing, moved, relabelled, or have a wrong end. With --before, γ of plain spans
is also measured by an earlier version of the package (its folder src), in turns with this one, each time in a process
of its own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from time import process_time

import numpy as np

import unisono
from unisono.kernels import compile_kernels

PER_UNIT = 100
DENSE = (30, 25, 20, 18, 15, 12, 10)
WANTED, WANTED_PLAIN = 6.0, 1.03
TURNS = 15


def main() -> None:
    """Print the ratios; end with an error if one is greater than asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="the folder src of an earlier version")
    parser.add_argument("--plain", action="store_true", help="only print the CPU time of spans")
    given = parser.parse_args()
    compile_kernels()
    if given.plain:
        print(least(lambda: unisono.gamma(spans(500), workers=1)))
        return
    failed = given.before is not None and not against(given.before)
    print("| units | characters per unit | spans | relations | ratio | γ of each |\n|---|---|---|---|---|---|")
    times = {n: compared(n, PER_UNIT) for n in (100, 250, 500, 1000, 2000, 4000)}
    dense = {per_unit: compared(500, per_unit) for per_unit in DENSE}
    large = compared(4000, 15)
    ratio = max(other / one for one, other in (times[500], *dense.values()))
    print(
        f"\n3 × 500 relations take at most {ratio:.1f} times as long as 3 × 500 spans (at most {WANTED:g} asked for);"
    )
    print(f"8 times as many relations take {times[4000][1] / times[500][1]:.1f} times as long,")
    print(f"where there is one per 15 characters {large[1] / dense[15][1]:.1f} times")
    if failed or ratio > WANTED:
        raise SystemExit("slower than asked for")


def compared(n: int, per_unit: int) -> tuple[float, float]:
    """Print a row of the table; return the time of spans and that of relations."""
    both = spans(n, per_unit), relations(n, per_unit)
    values = [unisono.gamma(one, workers=1).value for one in both]
    one, other = (least(lambda data=data: unisono.gamma(data, workers=1), 3) for data in both)
    named = f"3 × {n:,} | {per_unit} | {one:.3f} s | {other:.3f} s | {other / one:.1f}"
    print(f"| {named} | {values[0]:.3f}, {values[1]:.3f} |", flush=True)
    return one, other


def against(before: Path) -> bool:
    """Compare plain spans with an earlier version, turn by turn; the least time of each counts."""
    times: dict[str, list[float]] = {"now": [], "before": []}
    here = str(Path(unisono.__file__).parents[1])
    for _ in range(5):
        for name, folder in (("now", here), ("before", str(before))):
            path = {"PYTHONPATH": folder, "NUMBA_CACHE_DIR": str(Path(folder).resolve().parent / ".numba")}
            made = subprocess.run(
                [sys.executable, __file__, "--plain"], capture_output=True, text=True, check=True, env=os.environ | path
            )
            times[name].append(float(made.stdout.split()[-1]))
    ratio = min(times["now"]) / min(times["before"])
    print(
        f"plain spans, 3 × 500: {ratio:.3f} times the time of the earlier version (at most {WANTED_PLAIN} asked for)\n"
    )
    return ratio <= WANTED_PLAIN


def least(run, turns: int = TURNS) -> float:
    """Return the least CPU time of several turns, after one that loads what is needed."""
    run()
    found = []
    for _ in range(turns):
        begin = process_time()
        run()
        found.append(process_time() - begin)
    return min(found)


def marked(n: int, per_unit: int) -> list[tuple[str, list[int], str]]:
    """Give three annotators' relations: who, both ends, a label."""
    rng = np.random.default_rng(n)
    extent = n * per_unit
    reference = []
    for source in np.sort(rng.integers(0, extent - 200, n)).tolist():
        target = min(max(0, source + int(rng.integers(-80, 81))), extent - 50)
        reference.append([source, source + int(rng.integers(4, 13)), target, target + int(rng.integers(4, 13))])
    found = []
    for who in ("anna", "bert", "carl"):
        for number, ends in enumerate(reference):
            if rng.random() < 0.1:
                continue
            moved = [max(0, position + int(rng.integers(-2, 3))) for position in ends]
            moved[1], moved[3] = max(moved[1], moved[0] + 1), max(moved[3], moved[2] + 1)
            if rng.random() < 0.15:
                moved[2:] = moved[0] + 30, moved[0] + 38
            found.append((who, moved, "ABCD"[(number + (rng.random() < 0.15)) % 4]))
    return found


def relations(n: int, per_unit: int = PER_UNIT) -> unisono.Corpus:
    """Make a corpus of relations."""
    rows = marked(n, per_unit)
    return unisono.Corpus.from_columns(
        annotator=[row[0] for row in rows],
        anchors=[[("source", *row[1][:2]), ("target", *row[1][2:])] for row in rows],
        features={"category": [row[2] for row in rows]},
        bounds={"document": (0, n * per_unit)},
    )


def spans(n: int, per_unit: int = PER_UNIT) -> unisono.Corpus:
    """Make a corpus of their sources."""
    rows = marked(n, per_unit)
    return unisono.Corpus.from_columns(
        annotator=[row[0] for row in rows],
        start=[row[1][0] for row in rows],
        end=[row[1][1] for row in rows],
        features={"category": [row[2] for row in rows]},
        bounds={"document": (0, n * per_unit)},
    )


if __name__ == "__main__":
    main()
