"""An X-ray of measures: how each responds to errors of each kind and magnitude (Mathet et al. 2015, §6.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np

from unisono.chance.sampling import sample_generator
from unisono.checks import check_function, check_names, check_number, check_seed, check_whole, list_of
from unisono.data import Corpus, Ratings
from unisono.errors import DataError, OptionError
from unisono.execution import Progress, Workers, check_workers, pool
from unisono.formats.entry import DataLike, Rows, as_data
from unisono.kernels import compile_kernels
from unisono.measurement.registry import parse_measure
from unisono.shuffling.curves import Curve, Curves
from unisono.shuffling.reference import reference_of
from unisono.shuffling.shuffler import MOST_SIMULATED, check_category_options, parse_errors, shuffler_of

MAGNITUDES = tuple(round(0.05 * step, 2) for step in range(21))
REPETITIONS = 40
MOST_REPETITIONS = 100_000


@dataclass(frozen=True)
class Run:
    """One shuffled annotation set to make and measure."""

    errors: str  # kinds of errors
    magnitude: float  # how strong
    repetition: int  # which of several


@runtime_checkable
class Store(Protocol):
    """Where runs are saved, so that an interrupted benchmark can be resumed."""

    def known(self) -> Mapping[Run, Mapping[str, float | None]]:
        """Return the runs that are done."""

    def keep(self, run: Run, values: Mapping[str, float | None]) -> None:
        """Save a run."""


def benchmark(
    reference: DataLike,
    measures: str | Sequence[str] = "gamma",
    errors: str | Sequence[str] = "position",
    *,
    magnitudes: Sequence[float] = MAGNITUDES,
    repetitions: int = REPETITIONS,
    n_annotators: int = 3,
    annotator: str | None = None,
    distance: Any = None,
    uniform: bool = False,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Curves:
    """Shuffle a reference with errors of each kind and magnitude, and measure the results.

    Parameters
    ----------
    reference : DataLike
        One annotator's units or labels of items (see `unisono.read`); of several annotators, name one.
    measures : str or sequence of str
        Measures with their parameters, e.g. "gamma" or "discretized-kappa(atom=character)".
    errors : str or sequence of str
        Kinds of errors, each alone or several together, e.g. "position" and "position+category".
    magnitudes : sequence of float
        From 0 to 1; by default 0, 0.05 … 1.
    repetitions : int
        Annotation sets per magnitude, up to 100,000.
    n_annotators, annotator, distance, uniform, rows
        See `shuffle`.
    rng : int, Generator or None
        Seed; every run has its own stream of random numbers, so the number of workers never changes a value.
    workers : int, Executor or None
        How many CPU cores to use, or any `concurrent.futures.Executor`; by default all cores.
    store : Store, optional
        Saves runs, and knows those of an earlier, interrupted benchmark.
    progress : callable, optional
        Called with (done, total) after each run.

    Returns
    -------
    Curves

    See Also
    --------
    shuffle, ladder, Curves

    Examples
    --------
    >>> import unisono
    >>> reference = unisono.shuffling.generate(n_items=50, categories=3)
    >>> curves = unisono.shuffling.benchmark(
    ...     reference, "krippendorff-alpha", "category", magnitudes=[0, 1], repetitions=2, workers=1
    ... )
    >>> curves.curves[0].values[0]
    (1.0, 1.0)
    """
    kinds = [parse_errors(text) for text in check_names(errors, "errors")]
    check_category_options(kinds, distance=distance, uniform=uniform)
    wanted = _each_once([str(kind) for kind in kinds], "errors")
    chosen = _each_once(
        [str(parse_measure(text, "measures")) for text in check_names(measures, "measures")], "measures"
    )
    steps = _magnitudes(magnitudes)
    times = check_whole(repetitions, "repetitions", low=1, high=MOST_REPETITIONS)
    if not isinstance(store, Store | None):
        raise OptionError("expected something with the methods known and keep", "store")
    job = RunJob(
        reference=reference_of(as_data(reference, rows=rows, parameter="reference"), annotator),
        run=Run("", steps[-1], 0),
        measures=tuple(chosen),
        n_annotators=check_whole(n_annotators, "n_annotators", low=2, high=MOST_SIMULATED),
        distance=distance,
        uniform=uniform,
        seed=check_seed(rng),
    )
    runs = [Run(text, m, k) for text in wanted for m in steps for k in range(times)]
    hands, tell = check_workers(workers), check_function(progress, "progress", "done", "total")
    known = _known(job, runs, store, hands, tell)
    curves = _curves(wanted, chosen, runs, known)
    return Curves(tuple(replace(curve, reason=_reason(curve, job)) for curve in curves))


def _each_once(names: list[str], parameter: str) -> list[str]:
    if not names or len(set(names)) < len(names):
        raise OptionError("name at least one, and each only once", parameter)
    return names


def _magnitudes(given: Any) -> list[float]:
    several = None if isinstance(given, str) else list_of(given)
    if several is None:
        raise OptionError(f"expected a list of numbers from 0 to 1, not {given!r}", "magnitudes")
    found = sorted({check_number(magnitude, "magnitudes", low=0, high=1) for magnitude in several})
    if not found:
        raise OptionError("name at least one magnitude", "magnitudes")
    return found


@dataclass(frozen=True)
class RunJob:
    """A run with all that it needs, so that it can be done anywhere."""

    reference: Corpus | Ratings
    run: Run
    measures: tuple[str, ...]
    n_annotators: int
    distance: Any
    uniform: bool
    seed: int
    from_reference: bool = True
    """Whether annotators who correct a text started from the reference, for measures that use this."""

    def shuffled(self, rng: np.random.Generator) -> Corpus | Ratings:
        """Simulate the annotators."""
        errors = parse_errors(self.run.errors)
        shuffler = shuffler_of(self.reference, errors, distance=self.distance, uniform=self.uniform)
        return shuffler.shuffled(self.run.magnitude, self.n_annotators, rng)


def run_job(job: RunJob) -> dict[str, float | None]:
    """Shuffle once, and return the agreement by each measure; None where it has no value."""
    compile_kernels()
    corpus, seed = _made(job)
    return {name: _measured(job, name, corpus, seed)[0] for name in job.measures}


def _known(
    job: RunJob, runs: Sequence[Run], store: Store | None, workers: Workers, progress: Progress | None
) -> Mapping[Run, Mapping[str, float | None]]:
    """Do the runs that are not in the store, and return the agreement of all."""
    known = dict(store.known()) if store is not None else {}
    left = [run for run in runs if run not in known]
    for errors in dict.fromkeys(run.errors for run in left):  # rejects what is impossible before the long work
        replace(job, run=Run(errors, job.run.magnitude, 0)).shuffled(np.random.default_rng(0))
    with pool(workers, progress=progress, python=True) as crew:
        found = crew.each(partial(_run, job), left)
        for run, values in zip(left, found, strict=True):
            known[run] = values
            if store is not None:
                store.keep(run, values)
    return known


def _run(job: RunJob, run: Run) -> dict[str, float | None]:
    return run_job(replace(job, run=run))


def _made(job: RunJob) -> tuple[Corpus | Ratings, int]:
    """Shuffle, and draw the seed for measuring."""
    run = job.run
    rng = sample_generator(job.seed, f"{run.errors} {run.magnitude!r}", run.repetition)
    return job.shuffled(rng), int(rng.integers(2**31))


def _measured(job: RunJob, name: str, corpus: Corpus | Ratings, seed: int) -> tuple[float | None, str]:
    """Return the agreement by one measure, or None and why."""
    measure = parse_measure(name)
    base = job.reference if job.from_reference and measure.declaration.takes_base else None
    try:
        result = measure.compute(corpus, base=base, rng=seed, workers=1)
    except DataError as error:
        return None, str(error)
    return result.agreement, result.undefined or ""


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
    """Explain why a curve has no value at its greatest magnitude, if so."""
    if curve.n[-1]:
        return ""
    corpus, seed = _made(replace(job, run=replace(job.run, errors=curve.errors)))
    return _measured(job, curve.measure, corpus, seed)[1]
