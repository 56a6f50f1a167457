"""Expected disorder: random annotation sets, aligned until there are enough of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.alignment.solve import best_alignment
from unisono.arrays import FloatArray
from unisono.chance.draw import ChanceModel
from unisono.chance.sampling import Expected, Sample, sample_enough, stream
from unisono.data.annotation_set import stacked
from unisono.dissimilarity.combined import BoundDissimilarity
from unisono.execution import Pool
from unisono.kernels import compile_kernels, compiled, expect_work
from unisono.measurement.disorder.effort import Effort, sample_tolerance
from unisono.measurement.gamma.categories import tally_blocks

_BATCH = 1000
_FEW_ANNOTATORS = 6
"""Samples are aligned together up to this many units and this many annotators."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to sample.

    Attributes
    ----------
    dissimilarity : BoundDissimilarity
        d(u, v).
    effort : Effort
        The precision. Every sample has its own stream of random numbers, so workers never change a number.
    """

    dissimilarity: BoundDissimilarity
    effort: Effort


@dataclass(frozen=True, slots=True)
class Batch:
    """Random annotation sets that were aligned together.

    Attributes
    ----------
    samples : list of Sample
        One by one.
    ratios, seen : float64 array, shape (1 + n_categories,)
        The sum of their categorical disorders, and how many had any; see `CategoryTally`. Empty without categories.
    """

    samples: list[Sample]
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


def expect(models: Mapping[str, ChanceModel], sampling: Sampling, pool: Pool) -> dict[str, ExpectedCategories]:
    """Sample each chance model until its expected disorder is precise enough.

    Parameters
    ----------
    models : mapping
        Name to chance model.
    sampling : Sampling
        How to sample.
    pool : Pool
        The workers.
    """

    def jobs(name: str, wanted: range) -> list[SampleJob]:
        batches = _batches(wanted, models[name], sampling.dissimilarity)
        return [SampleJob(models[name], sampling, batch, compiled()) for batch in batches]

    made = sample_enough(
        tuple(models),
        jobs,
        run_samples,
        pool,
        precision=sampling.effort.precision,
        confidence=sampling.effort.confidence,
        ahead=lambda name, more: expect_work(models[name].n_units * more, models[name].n_annotators),
    )
    return {
        name: ExpectedCategories(
            tuple(sample for batch in batches for sample in batch.samples),
            sum((batch.ratios for batch in batches[1:]), batches[0].ratios),
            sum((batch.seen for batch in batches[1:]), batches[0].seen),
        )
        for name, batches in made.items()
    }


def _batches(wanted: range, model: ChanceModel, dissimilarity: BoundDissimilarity) -> list[range]:
    """Split samples into batches that are aligned together: small ones take longer to call than to solve."""
    together = dissimilarity.reach(1.0) is not None and model.n_annotators <= _FEW_ANNOTATORS
    size = max(1, _BATCH // max(model.n_units, 1)) if together else 1
    return [range(first, min(first + size, wanted.stop)) for first in range(wanted.start, wanted.stop, size)]


@dataclass(frozen=True, slots=True)
class SampleJob:
    """Samples to make, by their numbers in a model, and whether to use compiled kernels on any worker."""

    model: ChanceModel
    sampling: Sampling
    batch: range
    compiled: bool


def run_samples(job: SampleJob) -> Batch:
    """Draw random annotation sets and align them."""
    sampling, n_samples = job.sampling, len(job.batch)
    if job.compiled:
        compile_kernels()
    draws = [job.model.draw(stream(sampling.effort.seed, job.model.stream, index)) for index in job.batch]
    units = stacked([draw.units for draw in draws]) if n_samples > 1 else draws[0].units
    each = sampling.effort.sample_time
    limit = None if each is None else each * n_samples
    tolerance = sample_tolerance(units.n_annotators, units.n_units) if n_samples == 1 else 0.0
    solution = best_alignment(units, sampling.dissimilarity, time_limit=limit, tolerance=tolerance)
    block = np.zeros(units.n_units, np.int64) if units.block is None else units.block
    costs = np.bincount(block[solution.table.max(axis=1)], weights=solution.cost, minlength=n_samples)
    samples = [
        Sample(float(cost) / draw.units.mean_units, solution.gap, draw.documents)
        for cost, draw in zip(costs, draws, strict=True)
    ]
    tallies = tally_blocks(units, sampling.dissimilarity, solution.table, n_samples)
    if tallies is None:
        return Batch(samples, np.zeros(0), np.zeros(0))
    ratios = np.array([tally.ratio() for tally in tallies])
    seen = np.isfinite(ratios)
    return Batch(samples, np.where(seen, ratios, 0.0).sum(axis=0), seen.sum(axis=0, dtype=np.float64))
