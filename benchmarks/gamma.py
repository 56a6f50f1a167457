"""γ side by side with pygamma-agreement, in one run: least disorder, time and memory, as ratios.

    python benchmarks/gamma.py [--data FOLDER] [--only NAME …] [--output results.md]

pygamma-agreement is installed by name into an environment of its own (benchmarks/results/peer). Each job runs in a
process of its own, peer and unisono one after the other; a job of the peer that takes longer than its limit is stopped
and its limit counts as its time, so that the ratio is a lower bound. FOLDER holds pygamma-agreement's test files
(2by1000.csv …); without it, files of the same kind are made.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from environment import RESULTS, peer_python

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data" / "pygamma_tests"


@dataclass(frozen=True)
class Job:
    """What to do with which file, how long the peer may take, and which ratio is asked for."""

    file: str
    task: str
    wanted: float
    limit: int = 600
    memory: int | None = None

    @property
    def name(self) -> str:
        return f"{self.task} {self.file}"


JOBS = (
    Job("3by500", "align", 300),
    Job("2by5000", "align", 500, memory=300),
    Job("5by100", "align", 5000, limit=480),
    Job("3by100", "gamma", 50),
    Job("2by1000", "gamma", 50),
    Job("2by5000", "gamma", 300, memory=500),
    Job("3by500", "gamma-fast", 50),
    Job("AlexPaulSuzan", "command-line", 15),
)
TITLES = {
    "align": "best alignment",
    "gamma": "γ, 30 samples",
    "gamma-fast": "γ, 30 samples, ours exact, theirs “fast”",
    "command-line": "command line, whole process, second run",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", help="parts of names of jobs")
    parser.add_argument("--output", type=Path, default=RESULTS / "gamma.md")
    arguments = parser.parse_args()
    peer = peer_python("peer", ["pygamma-agreement"], wished=("cylp",))  # cylp: its faster solver, CBC
    data = arguments.data if arguments.data.is_dir() else made_data()
    missed: list[str] = []
    lines = [
        "| work | pygamma-agreement | unisono | ratio | asked for | peak memory, theirs → ours |",
        "|" + "---|" * 6,
    ]
    for job in JOBS:
        if arguments.only and not any(part in job.name for part in arguments.only):
            continue
        lines.append(compared(job, data / f"{job.file}.csv", peer, missed))
        print(lines[-1], flush=True)
    if not arguments.only or "disorder" in arguments.only:
        lines += ["", *same_disorder(data, peer, missed)]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    if missed:
        raise SystemExit("missed: " + "; ".join(missed))


def compared(job: Job, path: Path, peer: str, missed: list[str]) -> str:
    theirs = run(peer, HERE / "peer_pygamma.py", job.task, path, job.limit)
    ours = run(sys.executable, HERE / "ours.py", job.task, path, 600)
    ratio = theirs["seconds"] / ours["seconds"]
    if ratio < job.wanted or ours["megabytes"] > (job.memory or float("inf")) or ours.get("gap"):
        missed.append(job.name)
    bound = "> " if theirs["stopped"] else ""
    asked = f"{job.wanted:,.0f}×" + (f", under {job.memory} MB" if job.memory else "")
    return (
        f"| {TITLES[job.task]}, {job.file} | {bound}{theirs['seconds']:.3g} s | {ours['seconds']:.3g} s "
        f"| {bound}{ratio:,.0f}× | {asked} | {theirs['megabytes']:,.0f} → {ours['megabytes']:,.0f} MB |"
    )


def run(python: str, script: Path, task: str, path: Path, limit: int) -> dict[str, float]:
    """Run one job; time and memory as the job says, or its limit if it was stopped."""
    began = time.monotonic()
    with subprocess.Popen([python, str(script), task, str(path)], stdout=subprocess.PIPE, text=True) as process:
        try:
            output, _ = process.communicate(timeout=limit + 60)
        except subprocess.TimeoutExpired:
            peak = peak_megabytes(process.pid)
            process.kill()
            process.communicate()
            return {"seconds": time.monotonic() - began, "megabytes": peak, "stopped": True}
    if process.returncode:
        raise SystemExit(f"{script.name} {task} {path.name} failed")
    return {**json.loads(output.splitlines()[-1]), "stopped": False}


def peak_megabytes(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return float("nan")
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), float("nan"))


def same_disorder(data: Path, peer: str, missed: list[str]) -> list[str]:
    """Compare the least disorders on all files that the peer solves exactly in reasonable time."""
    files = [path for path in sorted(data.glob("*.csv")) if path.stem not in ("5by100",)]
    worst, done = 0.0, []
    for path in files:
        theirs = run(peer, HERE / "peer_pygamma.py", "disorder", path, 240)
        if theirs["stopped"] or theirs.get("disorder") is None:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as kept:
            json.dump(theirs["units"], kept)
        ours = run(sys.executable, HERE / "ours.py", "disorder", Path(kept.name), 240)
        os.unlink(kept.name)
        worst = max(worst, abs(ours["disorder"] - theirs["disorder"]) / max(theirs["disorder"], 1e-9))
        done.append(path.stem)
        print(f"least disorder {path.stem}: {theirs['disorder']:.7f} {ours['disorder']:.7f}", flush=True)
    if worst > 1e-5:
        missed.append("least disorder")
    return [f"Least disorder on {len(done)} files ({', '.join(done)}): greatest relative difference {worst:.1e}."]


def made_data() -> Path:
    """Make files of the same kind and size as pygamma-agreement's test files."""
    folder = RESULTS / "made"
    folder.mkdir(exist_ok=True)
    for n, size in ((2, 1000), (2, 5000), (3, 100), (3, 500), (5, 100)):
        rng = random.Random(n * size)
        rows = []
        reference, position = [], 0
        for _ in range(size):
            position += rng.randint(3, 10)
            length = rng.randint(5, 18)
            reference.append((rng.choice(["Noun", "Verb", "Adj", "Prep"]), position, position + length))
            position += length
        for annotator in range(n):
            for category, start, end in reference:
                label = rng.choice(["Noun", "Verb", "Adj", "Prep"]) if rng.random() < 0.3 else category
                rows.append(f"annotator_{annotator},{label},{start + rng.randint(-3, 3)},{end + rng.randint(-1, 6)}")
        (folder / f"{n}by{size}.csv").write_text("\n".join(rows) + "\n")
    small = "A,x,0,5\nA,y,7,9\nB,x,0,4\nB,y,7,10\nC,x,1,5\nC,z,7,9\n"
    (folder / "AlexPaulSuzan.csv").write_text(small)
    return folder


if __name__ == "__main__":
    main()
