"""Figure 26b as in the paper: how long it takes, and how it scales with workers.

21 magnitudes × 40 annotation sets × 3 annotators, position and category errors, γ with its chance model and four other
measures; each number of workers in a process of its own, nothing kept from the one before.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REFERENCE = "generate(n_units=30,categories=[A:4,B:3,C:2,D:1],length=10-30,gap=0-20)"
MEASURES = ("gamma", "cu-alpha", "u-alpha", "discretized-kappa", "slot-error-rate")


def seconds(workers: int, repetitions: int) -> float:
    """Time the command with so many workers."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from unisono.cli import main; main()", "benchmark", REFERENCE]
        for measure in MEASURES:
            command += ["-m", measure]
        command += ["--error", "position-apart+category", "--repetitions", str(repetitions)]
        command += ["--workers", str(workers), "-o", str(Path(folder) / "figure-26b.csv")]
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=40)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, os.cpu_count() or 1])
    options = parser.parse_args()
    first = None
    print("| workers | seconds | times as fast |\n|---|---|---|")
    for workers in dict.fromkeys(options.workers):
        took = seconds(workers, options.repetitions)
        first = first or took
        print(f"| {workers} | {took:.0f} | {first / took:.1f} |", flush=True)


if __name__ == "__main__":
    main()
