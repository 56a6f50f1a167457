"""Expected disorder of text-γ: random editions, aligned until there are enough; or a formula where one exists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from unisono.alignment.sequences import GapCosts
from unisono.alignment.solution import relative_gap
from unisono.alignment.texts import least_costs
from unisono.arrays import FloatArray, IntArray
from unisono.bundles import Bundled
from unisono.chance.edits import RandomEditions, draw
from unisono.chance.sampling import Expected, Samples, sample_enough
from unisono.chance.stopping import FEWEST_SAMPLES
from unisono.deadlines import NEVER, Deadline
from unisono.dissimilarity.text import BoundText
from unisono.execution import Pool
from unisono.kernels import compile_kernels, compiled, expect_work
from unisono.measurement.disorder.effort import SAMPLE_TIME, SAMPLE_TOLERANCE, Effort

_BATCH = 100_000
"""Samples with about so many symbols to align are made together: small ones take less time than a call."""
_FEWEST_JOBS = 8
"""Into so many jobs at least samples are divided, so that there is something to do for several workers."""


@dataclass(frozen=True)
class TextExpected(Expected):
    """The disorder expected by chance, from random editions, overall and for each type of units."""

    disorders: FloatArray  # shape (n_samples, n_types); NaN where a sample has no such units

    @cached_property
    def by_type(self) -> FloatArray:
        """The mean disorder of each type; NaN where no sample had such units."""
        return _means(self.disorders, axis=0)


@dataclass(frozen=True)
class ExactExpected:
    """The disorder expected if only labels are random: Σ_f (1 - Σ p²)/(n + 1), or its analogue for other distances."""

    mean: float
    by_type: FloatArray
    error: float = 0.0
    gap: float = 0.0
    n_samples: int = 0


@dataclass(frozen=True, slots=True)
class TextSampling:
    """How to sample."""

    dissimilarity: BoundText  # d(u, v)
    costs: GapCosts
    effort: Effort  # the precision. Every sample has its own stream of random numbers, so workers never change a number
    deadline: Deadline = NEVER  # when it should be done


def means_by_type(chances: Sequence[TextExpected | ExactExpected]) -> FloatArray:
    """Return `by_type` of some, at least one; those that have the same number of samples are computed together."""
    found: list[FloatArray | None] = [one.by_type if isinstance(one, ExactExpected) else None for one in chances]
    of_size: dict[int, dict[int, FloatArray]] = {}
    for place, one in enumerate(chances):
        if isinstance(one, TextExpected):
            of_size.setdefault(one.n_samples, {})[place] = one.disorders
    for own in of_size.values():
        # sums over samples are the same as those of each by itself, to the last bit
        for place, means in zip(own, _means(np.stack([*own.values()]), axis=1), strict=True):
            found[place] = means
    return np.stack([one for one in found if one is not None])


def _means(disorders: FloatArray, axis: int) -> FloatArray:
    """Return means over samples; NaN where no sample had such units."""
    seen = np.isfinite(disorders)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(seen, disorders, 0.0).sum(axis=axis) / seen.sum(axis=axis))


def expect(
    models: RandomEditions, sampling: TextSampling, pool: Pool
) -> Mapping[str, TextExpected] | Mapping[str, ExactExpected]:
    """Return the expected disorder of each document; exactly, if text and segmentation do not change.

    Otherwise samples are drawn until the mean over all models, weighted by their units, is precise enough: documents
    can be as short as a tweet, and the expected disorder of a single one would need thousands of samples.
    """
    exact = _exact(models, sampling)
    if exact is not None:
        return exact
    sizes = dict(zip(models.documents, models.sizes.tolist(), strict=True))
    made = sample_enough(
        models.documents,
        lambda wanted: _plan(wanted, models, sizes),
        partial(pool.each, partial(run_text_samples, sampling)),
        pool,
        precision=sampling.effort.precision,
        confidence=sampling.effort.confidence,
        ahead=lambda name, more: expect_work(sizes[name] * more // 2, 2),
        deadline=sampling.deadline,
        weights=dict(zip(models.documents, (models.n_units / models.n_annotators).tolist(), strict=True)),
    )
    return {
        name: TextExpected(
            Samples.joined([batch.samples for batch in batches]), np.concatenate([batch.by_type for batch in batches])
        )
        for name, batches in made.items()
    }


@dataclass(frozen=True, slots=True)
class SampleJob:
    """Samples to make: of some documents, and the numbers of the samples of each."""

    models: RandomEditions  # of all documents: taking those that are needed is left to whoever does the job
    index: IntArray  # the documents
    numbers: Sequence[range]
    compiled: bool  # whether to use compiled kernels on any worker

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the models that are needed."""
        return SampleJob, (self.models.take(self.index), np.arange(len(self.index)), self.numbers, self.compiled)


def _plan(wanted: Mapping[str, range], models: RandomEditions, sizes: Mapping[str, int]) -> list[SampleJob]:
    """Put samples together in jobs of about the same size."""
    batch = min(_BATCH, sum(sizes[name] * len(numbers) for name, numbers in wanted.items()) // _FEWEST_JOBS)
    place = {name: index for index, name in enumerate(models.documents)}
    jobs: list[SampleJob] = []
    together: dict[str, range] = {}
    size = 0

    def close() -> None:
        index = np.array([place[name] for name in together], np.int64)
        jobs.append(SampleJob(models, index, tuple(together.values()), compiled()))

    for name, numbers in wanted.items():
        each = sizes[name]
        most = max(1, batch // each)
        for first in range(numbers.start, numbers.stop, most):
            own = range(first, min(first + most, numbers.stop))
            if together and (name in together or size + each * len(own) > batch):
                close()
                together, size = {}, 0
            together[name] = own
            size += each * len(own)
    if together:
        close()
    return jobs


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Samples of one model, and the disorder of each type of units in them, shape (n_samples, n_types)."""

    model: str
    samples: Samples
    by_type: FloatArray


def run_text_samples(sampling: TextSampling, job: SampleJob) -> Bundled[TextBatch]:
    """Draw random editions and align them."""
    if job.compiled:
        compile_kernels()
    models = job.models.take(job.index)
    editions = draw(models, job.numbers, sampling.effort.seed)
    n_samples = [len(numbers) for numbers in job.numbers]
    n_editions = np.repeat(models.n_annotators, n_samples)
    samples = np.concatenate([[0], np.cumsum(n_editions)])
    (allowance,) = sampling.deadline.shared([(1.0, FEWEST_SAMPLES)], 1, SAMPLE_TIME)
    found = [
        least_costs(
            editions,
            samples,
            layer,
            sampling.dissimilarity,
            sampling.costs,
            time_limit=allowance.seconds(),
            tolerance=SAMPLE_TOLERANCE,
        )
        for layer in range(editions.n_layers)
    ]
    cost, bound = (np.stack(part, axis=1) for part in zip(*found, strict=True))
    units = np.add.reduceat(editions.n_units, samples[:-1], axis=0) / n_editions[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        disorder, by_type = cost.sum(axis=1) / units.sum(axis=1), cost / units
    gap, both = np.zeros(len(cost)), np.stack([cost.sum(axis=1), bound.sum(axis=1)], axis=1)
    for sample in np.flatnonzero(both[:, 0] > both[:, 1]).tolist():
        gap[sample] = relative_gap(*both[sample].tolist())
    nothing = np.zeros((len(gap), 0), np.int64)
    edges = np.cumsum([0, *n_samples])
    return Bundled(
        TextBatch(name, Samples(disorder[own], gap[own], nothing[own]), by_type[own])
        for name, own in zip(models.documents, map(slice, edges[:-1], edges[1:]), strict=True)
    )


def _exact(models: RandomEditions, sampling: TextSampling) -> dict[str, ExactExpected] | None:
    """Compute the expected disorder if only labels are random and few enough to compare them all; else None."""
    edits, dissimilarity = models.edits, sampling.dissimilarity
    if not edits.none:
        return None
    by_type = []
    for kind, frequencies in zip(dissimilarity.kinds, (*edits.labels, ()), strict=False):
        weight, total = dissimilarity.definition.text_weight, 0.0
        for name, frequency in zip(kind.features, frequencies, strict=True):
            expected = dissimilarity.expected(name, frequency)
            if expected is None:
                return None
            total += dissimilarity.weight_of(name) * expected
            weight += dissimilarity.weight_of(name)
        by_type.append(total / weight if weight else 0.0)
    of_bases = np.array([np.average(by_type, weights=own) for own in models.bases.n_units])
    means = np.split(of_bases, np.cumsum(models.n_bases)[:-1])
    return {
        name: ExactExpected(float(np.mean(own)), np.array(by_type))
        for name, own in zip(models.documents, means, strict=False)  # of no documents, there is still one part
    }
