"""One job for pygamma-agreement; prints seconds and peak memory as JSON. Runs in an environment of its own."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from measured import answer, answer_second_run

task, path = sys.argv[1:]


if task == "command-line":
    command = [str(Path(sys.executable).parent / "pygamma-agreement"), path]
    answer_second_run(command)
    sys.exit()

from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum  # noqa: E402

SMALL = [("A", "x", 0, 5), ("A", "y", 7, 9), ("B", "x", 0, 4), ("B", "y", 7, 10)]


def continuum_of(rows):
    from pyannote.core import Segment

    continuum = Continuum()
    for annotator, category, start, end in rows:
        continuum.add(annotator, Segment(start, end), category)
    return continuum


dissimilarity = CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1.0)
warm = continuum_of(SMALL)
warm.compute_gamma(dissimilarity, n_samples=2)
dissimilarity = CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1.0)
continuum = Continuum.from_csv(path)

began = time.perf_counter()
if task in ("align", "disorder"):
    alignment = continuum.get_best_alignment(dissimilarity)
    seconds = time.perf_counter() - began
    units = [(annotator, unit.annotation, unit.segment.start, unit.segment.end) for annotator, unit in continuum]
    answer(seconds, disorder=float(alignment.disorder), units=units if task == "disorder" else [])
else:
    result = continuum.compute_gamma(dissimilarity, n_samples=30, precision_level=None, fast=task == "gamma-fast")
    value = float(result.gamma)
    answer(time.perf_counter() - began, value=value)
