"""Normalization side by side with its peers, in one run: the same value, time and memory, as ratios.

    python benchmarks/normalization.py [--output results.md]

nltk and RapidFuzz are installed by name into an environment of their own (benchmarks/results/normalization_peers). Each
job runs in a process of its own, the best of twenty runs counts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from environment import RESULTS, peer_python, run_job

HERE = Path(__file__).resolve().parent
FASTER_THAN_NLTK = 8
TIMES_LEVENSHTEIN = 10
MOST_MEGABYTES = 1000
SAME = 1e-9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=RESULTS / "normalization.md")
    arguments = parser.parse_args()
    python = peer_python("normalization_peers", ["numpy", "nltk", "rapidfuzz"])
    missed = []

    theirs, ours = (
        run_job(python, "peer_normalization.py", "nltk"),
        run_job(sys.executable, "ours_normalization.py", "words"),
    )
    faster = theirs["seconds"] / ours["seconds"]
    if faster < FASTER_THAN_NLTK or abs(theirs["value"] - ours["value"]) > SAME:
        missed.append(f"words: {faster:.1f}×, values {abs(theirs['value'] - ours['value']):.1e} apart")
    lines = [
        "| work | peer | unisono | ratio | asked for |",
        "|" + "---|" * 5,
        f"| α_NLD of words, 5 × 5,000 tokens | nltk with RapidFuzz {theirs['seconds']:.3g} s | {ours['seconds']:.3g} s "
        f"| {faster:.0f}× faster | {FASTER_THAN_NLTK}× |",
    ]

    theirs = run_job(python, "peer_normalization.py", "levenshtein")
    ours = run_job(sys.executable, "ours_normalization.py", "characters")
    longer = ours["seconds"] / theirs["seconds"]
    if longer > TIMES_LEVENSHTEIN:
        missed.append(f"characters: {longer:.1f} times the plain distances")
    lines.append(
        f"| α_NLD of characters, 5 × 100,000 tokens | RapidFuzz, plain distances of the same distinct pairs "
        f"{theirs['seconds']:.3g} s | {ours['seconds']:.3g} s | {longer:.1f} times | {TIMES_LEVENSHTEIN} times |"
    )

    ours = run_job(sys.executable, "ours_normalization.py", "tables")
    if ours["megabytes"] > MOST_MEGABYTES:
        missed.append(f"memory: {ours['megabytes']:.0f} MB")
    lines.append(
        f"| all tables, 5 × 100,000 tokens, 20,000 forms | | {ours['seconds']:.3g} s, {ours['megabytes']:.0f} MB | "
        f"| below {MOST_MEGABYTES:,} MB |"
    )
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    if missed:
        raise SystemExit("missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
