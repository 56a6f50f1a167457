"""One job for unisono; prints seconds and peak memory as JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from measured import answer, answer_second_run

task, path = sys.argv[1:]


if task == "command-line":
    command = [str(Path(sys.executable).parent / "unisono"), "measure", path]
    answer_second_run(command)
    sys.exit()

import unisono  # noqa: E402
from unisono.kernels import compile_kernels  # noqa: E402

if task == "disorder":
    rows = json.loads(Path(path).read_text())
    corpus = unisono.Corpus.from_columns(
        annotator=[row[0] for row in rows],
        start=[float(row[2]) for row in rows],
        end=[float(row[3]) for row in rows],
        features={"category": [row[1] for row in rows]},
    )
else:
    corpus = unisono.read(path)

compile_kernels()
work = unisono.align if task in ("align", "disorder") else lambda data: unisono.gamma(data, precision=0.9)
small = unisono.Corpus.from_columns(
    annotator=["a", "a", "b", "b", "c"],
    start=[0, 7, 0, 7, 1],
    end=[5, 9, 4, 10, 5],
    features={"category": ["x", "y", "x", "y", "x"]},
)
work(small)
work(small.select(annotators=["a", "b"]))

began = time.perf_counter()
result = work(corpus)
seconds = time.perf_counter() - began
if task in ("align", "disorder"):
    alignment = next(iter(result.values()))
    answer(seconds, disorder=alignment.disorder, gap=alignment.optimality_gap)
else:
    answer(seconds, value=result.value, samples=result.n_samples, gap=result.optimality_gap + result.expected_gap)
