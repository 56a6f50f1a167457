"""Expected disorder of text-γ: random editions, aligned until there are enough; or a formula where one exists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.alignment.sequences import GapCosts
from unisono.alignment.solution import relative_gap
from unisono.alignment.texts import least_cost
from unisono.arrays import FloatArray
from unisono.chance.edits import RandomEditions
from unisono.chance.sampling import Expected, Samples, sample_enough, stream
from unisono.chance.stopping import FEWEST_SAMPLES
from unisono.dissimilarity.text import BoundText
from unisono.execution import Pool
from unisono.kernels import compile_kernels, compiled, expect_work
from unisono.measurement.disorder.effort import SAMPLE_TOLERANCE, Effort


@dataclass(frozen=True)
class TextExpected(Expected):
    """The disorder expected by chance, from random editions, overall and for each type of units."""

    disorders: Sequence[FloatArray]

    @cached_property
    def by_type(self) -> FloatArray:
        """The mean disorder of each type; NaN where no sample had such units."""
        every = np.array(self.disorders)
        seen = np.isfinite(every)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(seen, every, 0.0).sum(axis=0) / seen.sum(axis=0))


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


def expect(
    models: Mapping[str, RandomEditions], sampling: TextSampling, pool: Pool
) -> dict[str, TextExpected | ExactExpected]:
    """Return the expected disorder of each chance model; exactly, if text and segmentation do not change.

    Otherwise samples are drawn until the mean over all models, weighted by their units, is precise enough: documents
    can be as short as a tweet, and the expected disorder of a single one would need thousands of samples.
    """
    exact = {name: formula for name, model in models.items() if (formula := _exact(model, sampling)) is not None}
    drawn = [name for name in models if name not in exact]

    def work(name: str, more: int) -> None:
        model = models[name]
        length = float(np.mean([len(base.text) + 2 * base.n_units for base in model.bases]))
        expect_work(int(length * more * model.n_annotators * (model.n_annotators - 1) / 4), 2)

    def plan(wanted: Mapping[str, range]) -> list[SampleJob]:
        return [
            SampleJob(name, models[name], sampling, number, compiled())
            for name, numbers in wanted.items()
            for number in numbers
        ]

    for name in drawn:
        work(name, FEWEST_SAMPLES)
    made = sample_enough(
        drawn,
        plan,
        run_sample,
        pool,
        precision=sampling.effort.precision,
        confidence=sampling.effort.confidence,
        ahead=work,
        weights={name: models[name].n_units / models[name].n_annotators for name in drawn},
    )
    sampled = {
        name: TextExpected(Samples.joined([one.samples for one in batch]), [one.by_type for one in batch])
        for name, batch in made.items()
    }
    return {**exact, **sampled}


@dataclass(frozen=True, slots=True)
class SampleJob:
    """A sample to make, by its number in a model."""

    name: str
    model: RandomEditions
    sampling: TextSampling
    number: int
    compiled: bool


@dataclass(frozen=True, slots=True)
class MadeSample:
    """A sample, and the disorder of each type of units in it."""

    model: str
    samples: Samples
    by_type: FloatArray


def run_sample(job: SampleJob) -> list[MadeSample]:
    """Draw random editions and align them."""
    if job.compiled:
        compile_kernels()
    sampling = job.sampling
    editions = job.model.draw(job.number, stream(sampling.effort.seed, job.model.stream, job.number))
    n_layers = len(editions[0].layers)
    found = np.array(
        [
            least_cost(
                editions,
                layer,
                sampling.dissimilarity,
                sampling.costs,
                time_limit=sampling.effort.sample_time,
                tolerance=SAMPLE_TOLERANCE,
            )
            for layer in range(n_layers)
        ]
    )
    cost, bound = found.T
    units = np.array([np.mean([edition.layers[k].n_units for edition in editions]) for k in range(n_layers)])
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = relative_gap(float(cost.sum()), float(bound.sum()))
        samples = Samples(np.array([cost.sum() / units.sum()]), np.array([gap]), np.zeros((1, 0), np.int64))
        return [MadeSample(job.name, samples, cost / units)]


def _exact(model: RandomEditions, sampling: TextSampling) -> ExactExpected | None:
    """Compute the expected disorder if only labels are random and few enough to compare them all."""
    if not model.still:
        return None
    dissimilarity = sampling.dissimilarity
    by_type = []
    for kind, frequencies in zip(dissimilarity.kinds, (*model.labels, ()), strict=False):
        weight, total = dissimilarity.definition.text_weight, 0.0
        for name, frequency in zip(kind.features, frequencies, strict=True):
            expected = dissimilarity.expected(name, frequency)
            if expected is None:
                return None
            total += dissimilarity.weight_of(name) * expected
            weight += dissimilarity.weight_of(name)
        by_type.append(total / weight if weight else 0.0)
    units = [[layer.n_units for layer in base.layers] for base in model.bases]
    return ExactExpected(float(np.mean([np.average(by_type, weights=own) for own in units])), np.array(by_type))
