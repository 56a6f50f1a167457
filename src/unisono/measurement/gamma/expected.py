"""Expected disorder: random annotation sets, aligned until there are enough of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Any

import numpy as np

from unisono.alignment.stacks import aligned_together, best_alignments, least_sums
from unisono.arrays import FloatArray
from unisono.chance.draw import ChanceModel
from unisono.chance.sampling import Expected, Samples, sample_enough
from unisono.data.annotation_set import Stack
from unisono.deadlines import NEVER, Allowance, Deadline
from unisono.dissimilarity.combined import BoundDissimilarity
from unisono.execution import Pool
from unisono.kernels import compile_kernels, compiled, expect_work
from unisono.measurement.disorder.effort import SAMPLE_TIME, Effort, sample_tolerance
from unisono.measurement.gamma.categories import CategoryTally, tally_sets
from unisono.measurement.ledger import Ledger

_BATCH = 16000
"""Samples with about so many units are made together: small ones take less time than a call."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to sample.

    Attributes
    ----------
    dissimilarity : BoundDissimilarity
        d(u, v).
    effort : Effort
        The precision. Every sample has its own stream of random numbers, so workers never change a number.
    deadline : Deadline
        When it should be done.
    """

    dissimilarity: BoundDissimilarity
    effort: Effort
    deadline: Deadline = NEVER


@dataclass(frozen=True, slots=True)
class Batch:
    """Random annotation sets of one model, aligned.

    Attributes
    ----------
    model : str
        The name of the model.
    samples : Samples
        Their disorders.
    ratios, seen : float64 array, shape (1 + n_categories,)
        The sum of their categorical disorders, and how many had any; see `CategoryTally`. Empty without categories.
    """

    model: str
    samples: Samples
    ratios: FloatArray
    seen: FloatArray


@dataclass(frozen=True)
class ExpectedCategories(Expected):
    """The disorder expected by chance, including that of categories."""

    ratios: FloatArray
    seen: FloatArray

    @cached_property
    def categories(self) -> FloatArray | None:
        """The mean categorical disorder, of all pairs and by category; NaN where no sample had a pair."""
        if not len(self.ratios):
            return None
        with np.errstate(invalid="ignore"):
            return np.asarray(self.ratios / self.seen)


def expect(
    models: Mapping[str, ChanceModel], sampling: Sampling, pool: Pool, ledger: Ledger[Any] | None = None
) -> dict[str, ExpectedCategories]:
    """Sample each chance model until its expected disorder is precise enough.

    Parameters
    ----------
    models : mapping
        Name to chance model.
    sampling : Sampling
        How to sample.
    pool : Pool
        The workers.
    ledger : Ledger, optional
        Keeps the samples, if each job is for one model, and has those that were drawn before.
    """
    # what is done in a limited time differs from run to run, and takes no longer than that to do again
    kept = None if sampling.deadline.until is not None else ledger

    def make(jobs: list[SampleJob]) -> Iterator[list[Batch]]:
        if kept is None:
            return pool.each(run_samples, jobs)
        return ([batch] for batch in kept.each([*map(_name, jobs)], jobs, run_alone, pool))

    made = sample_enough(
        tuple(models),
        lambda wanted: _plan(wanted, models, sampling, pool.count),
        make,
        pool,
        precision=sampling.effort.precision,
        confidence=sampling.effort.confidence,
        ahead=lambda name, more: expect_work(models[name].n_units * more, models[name].n_annotators),
        deadline=sampling.deadline,
    )
    return {
        name: ExpectedCategories(
            Samples.joined([batch.samples for batch in batches]),
            sum((batch.ratios for batch in batches[1:]), batches[0].ratios),
            sum((batch.seen for batch in batches[1:]), batches[0].seen),
        )
        for name, batches in made.items()
    }


@dataclass(frozen=True, slots=True)
class SampleJob:
    """Samples to make: models with the same number of annotators, by name, and the numbers of the samples of each."""

    models: Mapping[str, ChanceModel]
    numbers: Sequence[range]
    sampling: Sampling
    allowance: Allowance
    compiled: bool  # whether to use compiled kernels on any worker


def _plan(
    wanted: Mapping[str, range], models: Mapping[str, ChanceModel], sampling: Sampling, n_workers: int
) -> list[SampleJob]:
    """Put samples together in jobs of about the same size.

    How the samples of one model are divided depends on that model only: sums over them are then the same, to the last
    bit, whatever other documents there are.
    """
    jobs: list[list[tuple[str, range]]] = []
    sizes: list[int] = []  # of each job, in units
    together: dict[tuple[type, int], tuple[list[tuple[str, range]], int]] = {}
    alone: list[tuple[float, int, str, range]] = []
    for name, numbers in wanted.items():
        model = models[name]
        size = max(model.n_units, 1)
        if not aligned_together(size, model.n_annotators, sampling.dissimilarity):
            for number in numbers:
                alone.append(((number - numbers.start + 0.5) / len(numbers), size, name, range(number, number + 1)))
            continue
        most = max(1, _BATCH // size)
        for first in range(numbers.start, numbers.stop, most):
            kind = type(model), model.n_annotators
            own = range(first, min(first + most, numbers.stop))
            parts, units = together.get(kind, ([], 0))
            if parts and (parts[-1][0] == name or units + size * len(own) > _BATCH):
                jobs.append(parts)
                sizes.append(units)
                parts, units = [], 0
            parts.append((name, own))
            together[kind] = parts, units + size * len(own)
    for parts, units in together.values():
        jobs.append(parts)
        sizes.append(units)
    # those of large documents take turns, so that the first ones tell how long all will take
    for _, size, name, own in sorted(alone, key=itemgetter(0)):
        jobs.append([(name, own)])
        sizes.append(size)
    counts = [sum(len(numbers) for _, numbers in parts) for parts in jobs]
    # half of the time is left for further samples, should they be needed
    allowances = sampling.deadline.portion(0.5).shared([*zip(sizes, counts, strict=True)], n_workers, SAMPLE_TIME)
    return [
        SampleJob(
            {name: models[name] for name, _ in parts},
            [numbers for _, numbers in parts],
            sampling,
            allowance,
            compiled(),
        )
        for parts, allowance in zip(jobs, allowances, strict=True)
    ]


def _name(job: SampleJob) -> str:
    """Name a job for samples of one model."""
    [model], [numbers] = job.models, job.numbers
    return f"{model.replace(' ', '-')}-{numbers.start:06}-{numbers.stop - 1:06}"


def run_alone(job: SampleJob) -> Batch:
    """Do a job for samples of one model."""
    [batch] = run_samples(job)
    return batch


def run_samples(job: SampleJob) -> list[Batch]:
    """Draw random annotation sets and align them."""
    sampling, models = job.sampling, tuple(job.models.values())
    if job.compiled:
        compile_kernels()
    draws = type(models[0]).draw(models, job.numbers, sampling.effort.seed)
    units = draws.units
    total, gap, tally = _aligned(units, sampling.dissimilarity, job.allowance.seconds())
    disorder = total / (units.sizes / units.n_annotators)
    ratios = np.zeros((units.n_sets, 0)) if tally is None else tally.ratio()
    edges = np.cumsum([0, *map(len, job.numbers)])
    seen = np.isfinite(ratios)
    total_ratios = np.add.reduceat(np.where(seen, ratios, 0.0), edges[:-1], axis=0)
    total_seen = np.add.reduceat(seen, edges[:-1], axis=0, dtype=np.float64)
    return [
        Batch(name, Samples(disorder[a:b], gap[a:b], draws.documents[a:b]), *both)
        for name, (a, b), *both in zip(job.models, pairwise(edges.tolist()), total_ratios, total_seen, strict=True)
    ]


def _aligned(
    units: Stack, dissimilarity: BoundDissimilarity, seconds: float
) -> tuple[FloatArray, FloatArray, CategoryTally | None]:
    """Align sets; return what each costs, by how much that may be too high, and its categories."""
    tolerance = sample_tolerance(units.n_annotators, int(units.sizes.max()))
    sums = least_sums(units, dissimilarity, time_limit=seconds, tolerance=tolerance)
    if sums is not None:
        tally = CategoryTally(sums.disorder, sums.weight) if dissimilarity.features else None
        return sums.total, sums.gap, tally
    found = best_alignments(units, dissimilarity, time_limit=seconds, tolerance=tolerance)
    return found.total, found.gap, tally_sets(units, dissimilarity, found.table, found.set_of, units.n_sets)
