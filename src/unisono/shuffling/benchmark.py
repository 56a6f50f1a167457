"""An X-ray of measures: how each answers errors of each kind and magnitude (Mathet et al. 2015, §6.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from unisono.chance.sampling import stream
from unisono.data import Corpus
from unisono.errors import DataError, OptionError
from unisono.execution import Progress, Workers, pool
from unisono.kernels import compile_kernels
from unisono.measures.registry import parse_measure
from unisono.shuffling.curves import Curve, Curves
from unisono.shuffling.errors import TEXT_ERRORS
from unisono.shuffling.reference import reference_of
from unisono.shuffling.shuffle import Errors, Shuffler, parse_errors
from unisono.shuffling.texts import TextErrors

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
    measures: Sequence[str] = ("gamma",),
    errors: Sequence[str] = ("position",),
    *,
    magnitudes: Sequence[float] = MAGNITUDES,
    repetitions: int = REPETITIONS,
    n_annotators: int = 3,
    annotator: str | None = None,
    distance: Any = None,
    uniform: bool = False,
    rng: int = 42,
    workers: Workers = None,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Curves:
    """Shuffle a reference with errors of each kind and magnitude, and measure what comes out.

    Parameters
    ----------
    reference : Corpus
        One annotator's units, or name the annotator.
    measures : sequence of str
        Measures with their parameters, e.g. "gamma" or "discretized-kappa(atom=character)".
    errors : sequence of str
        Kinds of errors, each alone or several together, e.g. "position" and "position+category".
    magnitudes : sequence of float
        From 0 to 1; by default 0, 0.05 … 1.
    repetitions : int
        Annotation sets a magnitude.
    n_annotators, annotator, distance, uniform
        See `shuffle`.
    rng : int
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
    wanted = [str(parse_errors(text)) for text in errors]
    chosen = [str(parse_measure(text)) for text in measures]
    for what, names in (("error", wanted), ("measure", chosen)):
        if not names or len(set(names)) < len(names):
            raise OptionError(f"name at least one {what}, and each only once")
    if not len(magnitudes) or not all(0 <= magnitude <= 1 for magnitude in magnitudes):
        raise OptionError("name at least one magnitude, from 0 to 1")
    if n_annotators < 2:
        raise OptionError(f"agreement needs two annotators or more, not {n_annotators}")
    own = reference_of(reference, annotator)
    steps = sorted({float(magnitude) for magnitude in magnitudes})
    runs = [Run(text, m, k) for text in wanted for m in steps for k in range(repetitions)]
    known = dict(store.known()) if store is not None else {}
    left = [run for run in runs if run not in known]
    jobs = [RunJob(own, run, tuple(chosen), n_annotators, distance, uniform, rng) for run in left]
    for text in wanted if left else ():  # refuses what cannot be before the work
        _shuffled(jobs[0], parse_errors(text), max(steps), np.random.default_rng(0))
    with pool(workers, progress=progress) as crew:
        for run, values in zip(left, crew.each(run_job, jobs), strict=True):
            known[run] = values
            if store is not None:
                store.keep(run, values)
    return _curves(wanted, chosen, runs, known)


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


def run_job(job: RunJob) -> dict[str, float | None]:
    """Shuffle once, and give the agreement by each measure; None where it has no value."""
    compile_kernels()
    run = job.run
    rng = stream(job.seed, f"{run.errors} {run.magnitude!r}", run.repetition)
    corpus = _shuffled(job, parse_errors(run.errors), run.magnitude, rng)
    seed = int(rng.integers(2**31))
    found: dict[str, float | None] = {}
    for name in job.measures:
        measure = parse_measure(name)
        try:
            result = measure.compute(
                corpus, base=job.reference if measure.declaration.takes_base else None, rng=seed, workers=1
            )
            found[name] = result.agreement
        except DataError:
            found[name] = None
    return found


def _shuffled(job: RunJob, errors: Errors, magnitude: float, rng: np.random.Generator) -> Corpus:
    if set(errors.names) & set(TEXT_ERRORS):
        return TextErrors(job.reference, errors.names).shuffled(magnitude, job.n_annotators, rng)
    shuffler = Shuffler(job.reference, errors, distance=job.distance, uniform=job.uniform)
    return shuffler.shuffled(magnitude, job.n_annotators, rng)


def _curves(
    errors: Sequence[str],
    measures: Sequence[str],
    runs: Sequence[Run],
    known: Mapping[Run, Mapping[str, float | None]],
) -> Curves:
    values: dict[tuple[str, str, float], list[float | None]] = {}
    for run in runs:
        for name in measures:
            values.setdefault((run.errors, name, run.magnitude), []).append(known[run].get(name))
    magnitudes = sorted({run.magnitude for run in runs})
    return Curves(
        tuple(
            Curve(error, name, tuple(magnitudes), tuple(tuple(values[error, name, m]) for m in magnitudes))
            for error in errors
            for name in measures
        )
    )
