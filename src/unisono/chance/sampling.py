"""Expected disorder: random annotations, measured until there are enough of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import ceil
from typing import Protocol, TypeVar
from zlib import crc32

import numpy as np

from unisono.alignment.solution import relative_gap
from unisono.arrays import FloatArray, IntArray
from unisono.chance.stopping import FEWEST_SAMPLES, samples_needed, times_more
from unisono.errors import OptionError
from unisono.execution import Job, Pool

MOST_SAMPLES = 1_000_000
"""The most random annotation sets of one document: they take minutes to hours, and 100 MB to keep."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One random annotation set, aligned; disorder in units of Δ∅.

    Attributes
    ----------
    disorder : float
        Its disorder.
    gap : float
        The share by which that may be too high.
    documents : tuple of int
        The documents that it was made of.
    """

    disorder: float
    gap: float
    documents: tuple[int, ...]


class Expectation(Protocol):
    """What chance gives, in units of Δ∅."""

    @property
    def mean(self) -> float:
        """δ_e, the mean disorder."""

    @property
    def error(self) -> float:
        """The Monte-Carlo standard error of δ_e."""

    @property
    def gap(self) -> float:
        """The share by which δ_e may be too high because alignments were not proven best."""

    @property
    def n_samples(self) -> int:
        """How many random annotation sets it is computed from; 0 if it is computed without any."""


@dataclass(frozen=True)
class Expected:
    """What chance gives, in units of Δ∅, from random annotation sets."""

    samples: Sequence[Sample]

    @property
    def n_samples(self) -> int:
        """How many random annotation sets there are."""
        return len(self.samples)

    @cached_property
    def values(self) -> FloatArray:
        """The disorder of each sample."""
        return np.array([sample.disorder for sample in self.samples])

    @cached_property
    def mean(self) -> float:
        """δ_e, the mean disorder."""
        return float(self.values.mean())

    @cached_property
    def error(self) -> float:
        """The Monte-Carlo standard error of δ_e."""
        return float(self.values.std(ddof=1) / np.sqrt(len(self.values)))

    @cached_property
    def gap(self) -> float:
        """The share by which δ_e may be too high because alignments were not proven best."""
        bound = float(np.mean([sample.disorder * (1 - sample.gap) for sample in self.samples]))
        return relative_gap(self.mean, bound)

    def means_without(self, group: IntArray, n_groups: int) -> FloatArray:
        """Return δ_e from the samples that no document of a group has a part in; from all samples if there are none.

        Parameters
        ----------
        group : int64 array, shape (n_documents,)
            The group of each document.
        n_groups : int
            Number of groups.
        """
        counts, sums = np.full(n_groups, self.n_samples), np.full(n_groups, self.values.sum())
        for sample in self.samples:
            touched = np.unique(group[list(sample.documents)])
            counts[touched] -= 1
            sums[touched] -= sample.disorder
        return np.where(counts > 0, sums / np.maximum(counts, 1), self.mean)


class SampleBatch(Protocol):
    """Samples that were made together."""

    @property
    def samples(self) -> Sequence[Sample]:
        """The samples."""


Made = TypeVar("Made", bound=SampleBatch)


def sample_enough(
    names: Sequence[str],
    jobs: Callable[[str, range], list[Job]],
    run: Callable[[Job], Made],
    pool: Pool,
    *,
    precision: float,
    confidence: float,
    ahead: Callable[[str, int], None],
    weights: Mapping[str, float] | None = None,
) -> Mapping[str, list[Made]]:
    """Sample chance models until the expected disorder is precise enough (Mathet et al. 2015, §5.3).

    Parameters
    ----------
    names : sequence of str
        The models.
    jobs : callable
        Makes jobs for the samples of a model, given their numbers.
    run : callable
        Does a job, in any process.
    pool : Pool
        The workers.
    precision, confidence : float
        The stopping rule.
    ahead : callable
        Called with how many more samples of a model there will be.
    weights : mapping, optional
        If given, the weighted mean over all models has to be precise enough; otherwise that of each model.
    """
    made: dict[str, list[Made]] = {name: [] for name in names}
    done = dict.fromkeys(names, 0)
    wanted = dict.fromkeys(names, FEWEST_SAMPLES)
    while any(wanted[name] > done[name] for name in names):
        to_do = [(name, job) for name in names for job in jobs(name, range(done[name], wanted[name]))]
        for (name, _), batch in zip(to_do, pool.each(run, [job for _, job in to_do]), strict=True):
            made[name].append(batch)
        values = {name: [sample.disorder for batch in made[name] for sample in batch.samples] for name in names}
        done = {name: len(found) for name, found in values.items()}
        if weights is None:
            wanted = {name: samples_needed(np.array(values[name]), precision, confidence) for name in names}
        else:
            together = [(weights[name], np.array(values[name])) for name in names]
            more = times_more(together, precision, confidence)
            wanted = {name: ceil(more * done[name]) for name in names}
        _refuse_too_many(max(wanted.values()), precision)
        for name in names:
            ahead(name, max(wanted[name] - done[name], 0))
    return made


def _refuse_too_many(n_samples: int, precision: float) -> None:
    """Reject a precision that would take ages; the number of samples grows with its inverse square."""
    if n_samples > MOST_SAMPLES:
        possible = 1.1 * precision * (n_samples / MOST_SAMPLES) ** 0.5  # more by what rounding may take away
        raise OptionError(
            f"{precision:g} needs about {n_samples:.1g} random samples, more than {MOST_SAMPLES:,}; "
            f"use {possible:.2g} or more",
            "precision",
        )


def stream(seed: int, name: str, index: int) -> np.random.Generator:
    """Return the random numbers of one sample: they depend on this name and its number, not on who makes it."""
    # so results do not depend on workers, on other documents, or on how many samples are made at a time
    key = crc32(name.encode(errors="surrogatepass"))
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(key, index)))


def key_of(seed: int, stream: str) -> tuple[int, int]:
    """Return the key of the random numbers of a chance model, two words of 32 bits; see `kernels.randomness`.

    It depends on the seed and on what the model says that its numbers depend on (`ChanceModel.stream`), nothing else.
    With the number of the sample, it determines all numbers of that sample.
    """
    digest = blake2b(f"{seed} {stream}".encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:], "little")
