"""γ of many annotators: time, gaps and memory, as ratios against another checkout.

    python benchmarks/scale_annotators.py [--data FOLDER] [--against CHECKOUT] [--only NAME …] [--limit SECONDS]

FOLDER has d2t_iaa_units.csv and d2t_iaa_annotators.csv (12 texts of 28 or 29 annotators, llm_span); without it, texts
of the same kind are made. Each job runs in a process of its own, first here, then in the other checkout; a job of the
other that takes longer than the limit is stopped, and the ratio is a lower bound. Machine code is loaded first. Seconds
are of processor time, so that a busy machine matters little.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data" / "llm_span"
ALIGN = ("6 x 100 random", "6 x 300 random", "8 x 100 random", "10 x 100 random", "15 x 60 random", "15 x 60 copies")
WHOLE = ("100 x 1", "300 x 1")
QUICK = ("gamma 30 samples of texts",)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--against", type=Path, help="another checkout to compare with")
    parser.add_argument("--only", nargs="*", help="parts of names of jobs")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for a job of the other checkout")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.job:
        print(json.dumps(done(arguments.job, arguments.data)))
        return
    jobs = (
        [f"align {name}" for name in ALIGN]
        + [f"gamma {name}" for name in WHOLE]
        + ["observed texts", *QUICK, "gamma texts"]
    )
    print("| job | seconds | other | ratio | greatest gap, other's | memory |")
    print("|" + "---|" * 6)
    for job in jobs:
        if not arguments.only or any(part in job for part in arguments.only):
            print(row(job, arguments.data, arguments.against, arguments.limit), flush=True)


def row(job: str, data: Path, against: Path | None, limit: float) -> str:
    ours = run(job, data, HERE.parent, None)
    theirs = run(job, data, against, limit) if against else None
    cells = [job, f"{ours['seconds']:.3g}"]
    if theirs is None:
        cells += ["", "", f"{100 * ours['gap']:.2g}%"]
    else:
        bound = "> " if theirs["stopped"] else ""
        gap = "" if theirs["stopped"] else f", {100 * theirs['gap']:.2g}%"
        ratio = theirs["seconds"] / ours["seconds"]
        cells += [f"{bound}{theirs['seconds']:.3g}", f"{bound}{ratio:.1f}", f"{100 * ours['gap']:.2g}%{gap}"]
    return "| " + " | ".join([*cells, f"{ours['megabytes']:.0f} MB"]) + " |"


def run(job: str, data: Path, checkout: Path, limit: float | None) -> dict[str, float]:
    """Run one job with the package of a checkout."""
    command = [sys.executable, str(Path(__file__).resolve()), "--job", job, "--data", str(data)]
    began = time.monotonic()
    try:
        found = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
            capture_output=True,
            text=True,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return {"seconds": time.monotonic() - began, "stopped": True}
    if found.returncode:
        raise SystemExit(f"{job} failed:\n{found.stderr}")
    return {**json.loads(found.stdout.splitlines()[-1]), "stopped": False}


def done(job: str, data: Path) -> dict[str, float]:
    """Do one job here; give its processor time, the greatest gap, and the peak of memory."""
    import resource

    import unisono
    from unisono.kernels import compile_kernels

    compile_kernels()
    task, _, name = job.partition(" ")
    corpus = texts(data) if name.endswith("texts") else made(name)
    warm = made("8 x 4 random")
    unisono.gamma(warm, chance="shift", precision=0.5)
    unisono.align(made("12 x 8 random"))
    began = time.process_time()
    if task == "gamma":
        precision = 0.2 if job in QUICK else 0.02
        limit = None if name.endswith("texts") else 30.0
        result = unisono.gamma(corpus, chance="shift", precision=precision, workers=1, time_limit=limit)
        gap = max(result.optimality_gap or 0.0, result.expected_gap or 0.0)
    else:
        gap = max(one.solution.gap for one in unisono.align(corpus, workers=1, time_limit=60.0).values())
    seconds = time.process_time() - began
    return {"seconds": seconds, "gap": gap, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def texts(folder: Path):
    """Read the texts, or make twelve of the same kind."""
    import unisono

    units = folder / "d2t_iaa_units.csv"
    if units.exists():
        return unisono.read(units, columns={"document": "doc"}, worked=folder / "d2t_iaa_annotators.csv")
    rows = [row for text, size in enumerate((1, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 11)) for row in units_of(28, size, text)]
    return corpus_of(rows)


def made(name: str):
    """Make one text: annotators x units, random, copies of a model, or one unit each."""
    n, _, size, *kind = name.split()
    return corpus_of(units_of(int(n), int(size), 1, "".join(kind) or "copies"))


def units_of(n: int, size: int, seed: int, kind: str = "copies") -> list[tuple[str, str, int, int, str]]:
    import random

    rng = random.Random(seed)
    rows = []
    for annotator in range(n):
        for unit in range(size):
            start = rng.randrange(25 * size) if kind == "random" else 25 * unit + round(rng.gauss(0, 6))
            label = rng.choice("ABC") if kind == "random" or rng.random() < 0.2 else "ABC"[unit % 3]
            if kind == "random" or size == 1 or rng.random() > 0.15:
                rows.append((f"text {seed}", f"{annotator:03}", start, start + rng.randrange(8, 25), label))
    return rows


def corpus_of(rows: list[tuple[str, str, int, int, str]]):
    from unisono.data import Corpus

    document, annotator, start, end, category = zip(*rows, strict=True)
    return Corpus.from_columns(
        document=document, annotator=annotator, start=start, end=end, features={"category": category}
    )


if __name__ == "__main__":
    main()
