"""Coefficients side by side with their peers, in one run: the same value, time and memory, as ratios.

    python benchmarks/coefficients.py [--output results.md]

krippendorff, irrCAC, nltk and segeval are installed by name into an environment of their own
(benchmarks/results/coefficient_peers). Each job runs in a process of its own, the second of two runs counts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from environment import RESULTS, peer_python, run_job

HERE = Path(__file__).resolve().parent
PEERS = ["krippendorff", "irrCAC", "nltk", "segeval"]
JOBS = (
    ("α nominal, 5 × 100,000 items, 10% missing", "alpha", ("krippendorff", "irrCAC", "nltk"), 4),
    ("B, 1,000 pairs of segmentations of 1,000 units", "boundaries", ("segeval",), 50),
)
SAME = 1e-6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=RESULTS / "coefficients.md")
    arguments = parser.parse_args()
    python = peer_python("coefficient_peers", PEERS)
    missed = []
    lines = ["| work | peers | unisono | ratio to the fastest | asked for |", "|" + "---|" * 5]
    for title, job, peers, wanted in JOBS:
        theirs = {peer: run_job(python, "peer_coefficients.py", peer) for peer in peers}
        ours = run_job(sys.executable, "ours_coefficients.py", job)
        ratio = min(one["seconds"] for one in theirs.values()) / ours["seconds"]
        apart = max(abs(one["value"] - ours["value"]) for one in theirs.values())
        if ratio < wanted or apart > SAME:
            missed.append(f"{title}: {ratio:.1f}×, values {apart:.1e} apart")
        said = ", ".join(f"{peer} {one['seconds']:.3g} s" for peer, one in theirs.items())
        lines.append(f"| {title} | {said} | {ours['seconds']:.3g} s | {ratio:.0f}× | {wanted}× |")
        print(lines[-1], flush=True)
    once, tenfold = (run_job(sys.executable, "ours_coefficients.py", job) for job in ("unitizing", "unitizing-tenfold"))
    if once["seconds"] > 1:
        missed.append(f"unitizing: {once['seconds']:.2f} s")
    growth = tenfold["seconds"] / once["seconds"]
    lines.append(f"| α_U, uα and cuα together, 3 × 10,000 units | | {once['seconds']:.3g} s | | under 1 s |")
    lines.append(
        f"| the same, 3 × 100,000 units | | {tenfold['seconds']:.3g} s | {growth:.1f} times the above | linear |"
    )
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    if missed:
        raise SystemExit("missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
