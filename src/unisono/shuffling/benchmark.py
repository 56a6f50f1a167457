"""An X-ray of measures: how each answers errors of each kind and magnitude (Mathet et al. 2015, §6.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from unisono.chance.sampling import stream
from unisono.data import Corpus
from unisono.errors import DataError, OptionError
from unisono.execution import Progress, Workers, pool
from unisono.kernels import compile_kernels
from unisono.measurement.disorder.effort import seed_of
from unisono.measurement.registry import parse_measure
from unisono.shuffling.curves import Curve, Curves
from unisono.shuffling.reference import reference_of
from unisono.shuffling.shuffle import Errors, parse_errors, refuse_unused, shuffler_of

MAGNITUDES = tuple(round(0.05 * step, 2) for step in range(21))
REPETITIONS = 40


@dataclass(frozen=True)
class Run:
    """One shuffled annotation set to make and measure.

    Attributes
    ----------
    errors : str
        Kinds of errors.
    magnitude : float
        How strong.
    repetition : int
        Which of several.
    """

    errors: str
    magnitude: float
    repetition: int


class Store(Protocol):
    """Where runs are kept, so that an interrupted benchmark can go on."""

    def known(self) -> Mapping[Run, Mapping[str, float | None]]:
        """Give the runs that are done."""

    def keep(self, run: Run, values: Mapping[str, float | None]) -> None:
        """Keep a run."""


def benchmark(
    reference: Corpus,
    measures: str | Sequence[str] = "gamma",
    errors: str | Sequence[str] = "position",
    *,
    magnitudes: Sequence[float] = MAGNITUDES,
    repetitions: int = REPETITIONS,
    n_annotators: int = 3,
    annotator: str | None = None,
    distance: Any = None,
    uniform: bool = False,
    rng: int | np.random.Generator = 42,
    workers: Workers = None,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Curves:
    """Shuffle a reference with errors of each kind and magnitude, and measure what comes out.

    Parameters
    ----------
    reference : Corpus
        One annotator's units, or name the annotator.
    measures : str or sequence of str
        Measures with their parameters, e.g. "gamma" or "discretized-kappa(atom=character)".
    errors : str or sequence of str
        Kinds of errors, each alone or several together, e.g. "position" and "position+category".
    magnitudes : sequence of float
        From 0 to 1; by default 0, 0.05 … 1.
    repetitions : int
        Annotation sets a magnitude.
    n_annotators, annotator, distance, uniform
        See `shuffle`.
    rng : int or Generator
        Seed; every run has its own stream of random numbers, so workers never change a number.
    workers : int, Executor or None
        Threads, or any `concurrent.futures.Executor`; processes are faster.
    store : Store, optional
        Keeps runs, and knows those of an earlier, interrupted benchmark.
    progress : callable, optional
        Called with (done, total) after each run.

    Returns
    -------
    Curves
    """
    if repetitions < 1:
        raise OptionError(f"at least one repetition is needed, not {repetitions}")
    kinds = [parse_errors(text) for text in ([errors] if isinstance(errors, str) else errors)]
    refuse_unused(kinds, distance=distance, uniform=uniform)
    wanted = [str(kind) for kind in kinds]
    chosen = [str(parse_measure(text)) for text in ([measures] if isinstance(measures, str) else measures)]
    for what, names in (("error", wanted), ("measure", chosen)):
        if not names or len(set(names)) < len(names):
            raise OptionError(f"name at least one {what}, and each only once")
    outside = [magnitude for magnitude in magnitudes if not 0 <= magnitude <= 1]
    if outside or not len(magnitudes):
        raise OptionError(f"magnitudes are from 0 to 1, not {outside[0]:g}" if outside else "name a magnitude at least")
    if n_annotators < 2:
        raise OptionError(f"agreement needs two annotators or more, not {n_annotators}")
    own, seed = reference_of(reference, annotator), seed_of(rng)
    steps = sorted({float(magnitude) for magnitude in magnitudes})
    runs = [Run(text, m, k) for text in wanted for m in steps for k in range(repetitions)]
    known = dict(store.known()) if store is not None else {}
    left = [run for run in runs if run not in known]
    jobs = [RunJob(own, run, tuple(chosen), n_annotators, distance, uniform, seed) for run in left]
    for text in wanted if left else ():  # refuses what cannot be before the work
        _shuffled(jobs[0], parse_errors(text), max(steps), np.random.default_rng(0))
    with pool(workers, progress=progress) as crew:
        for run, values in zip(left, crew.each(run_job, jobs), strict=True):
            known[run] = values
            if store is not None:
                store.keep(run, values)
    curves = _curves(wanted, chosen, runs, known)
    made = [RunJob(own, Run(text, steps[-1], 0), (), n_annotators, distance, uniform, seed) for text in wanted]
    reasons = {job.run.errors: job for job in made}
    return Curves(tuple(replace(curve, reason=_reason(curve, reasons[curve.errors])) for curve in curves))


@dataclass(frozen=True)
class RunJob:
    """A run with all that it needs, to be done anywhere."""

    reference: Corpus
    run: Run
    measures: tuple[str, ...]
    n_annotators: int
    distance: Any
    uniform: bool
    seed: int
    from_reference: bool = True
    """Whether annotators who correct a text started from the reference, for measures that ask."""


def run_job(job: RunJob) -> dict[str, float | None]:
    """Shuffle once, and give the agreement by each measure; None where it has no value."""
    compile_kernels()
    corpus, seed = _made(job)
    return {name: _measured(job, name, corpus, seed)[0] for name in job.measures}


def _made(job: RunJob) -> tuple[Corpus, int]:
    """Shuffle, and draw the seed for measuring."""
    run = job.run
    rng = stream(job.seed, f"{run.errors} {run.magnitude!r}", run.repetition)
    return _shuffled(job, parse_errors(run.errors), run.magnitude, rng), int(rng.integers(2**31))


def _measured(job: RunJob, name: str, corpus: Corpus, seed: int) -> tuple[float | None, str]:
    """Give the agreement by one measure, or None and why."""
    measure = parse_measure(name)
    base = job.reference if job.from_reference and measure.declaration.takes_base else None
    try:
        result = measure.compute(corpus, base=base, rng=seed, workers=1)
    except DataError as error:
        return None, str(error)
    return result.agreement, result.undefined or ""


def _shuffled(job: RunJob, errors: Errors, magnitude: float, rng: np.random.Generator) -> Corpus:
    shuffler = shuffler_of(job.reference, errors, distance=job.distance, uniform=job.uniform)
    return shuffler.shuffled(magnitude, job.n_annotators, rng)


def _curves(
    errors: Sequence[str],
    measures: Sequence[str],
    runs: Sequence[Run],
    known: Mapping[Run, Mapping[str, float | None]],
) -> list[Curve]:
    values: dict[tuple[str, str, float], list[float | None]] = {}
    for run in runs:
        for name in measures:
            values.setdefault((run.errors, name, run.magnitude), []).append(known[run].get(name))
    magnitudes = sorted({run.magnitude for run in runs})
    return [
        Curve(error, name, tuple(magnitudes), tuple(tuple(values[error, name, m]) for m in magnitudes))
        for error in errors
        for name in measures
    ]


def _reason(curve: Curve, job: RunJob) -> str:
    """Say why a curve has no value at its greatest magnitude, if so."""
    if curve.n[-1]:
        return ""
    corpus, seed = _made(job)
    return _measured(job, curve.measure, corpus, seed)[1]
