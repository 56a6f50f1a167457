"""Expected disorder: random annotations, measured until there are enough of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import ceil, sqrt
from time import perf_counter
from typing import Protocol, TypeVar
from zlib import crc32

import numpy as np

from unisono.alignment.solution import relative_gap
from unisono.arrays import FloatArray, IntArray, deviation
from unisono.chance.stopping import FEWEST_SAMPLES, samples_needed, times_more
from unisono.deadlines import NEVER, Deadline
from unisono.errors import OptionError
from unisono.execution import Job, Pool
from unisono.processes import prepared_seconds

MOST_SAMPLES = 1_000_000
"""The most random annotation sets of one document: they take minutes to hours, and 100 MB to keep."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Random annotation sets of one chance model, aligned; disorder in units of Δ∅.

    Attributes
    ----------
    disorder : float64 array, shape (n_samples,)
        The disorder of each.
    gap : float64 array, shape (n_samples,)
        The share by which that may be too high.
    documents : int64 array, shape (n_samples, any)
        The documents that each was made of.
    """

    disorder: FloatArray
    gap: FloatArray
    documents: IntArray

    @classmethod
    def joined(cls, parts: Sequence[Samples]) -> Samples:
        """Put samples of one model together, in this order."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.disorder for part in parts]),
            np.concatenate([part.gap for part in parts]),
            np.concatenate([part.documents for part in parts]),
        )


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

    samples: Samples

    @property
    def n_samples(self) -> int:
        """How many random annotation sets there are."""
        return len(self.values)

    @property
    def values(self) -> FloatArray:
        """The disorder of each sample."""
        return self.samples.disorder

    @cached_property
    def mean(self) -> float:
        """δ_e, the mean disorder."""
        return float(self.values.mean())

    @cached_property
    def error(self) -> float:
        """The Monte-Carlo standard error of δ_e."""
        return deviation(self.values, ddof=1) / sqrt(len(self.values))

    @cached_property
    def gap(self) -> float:
        """The share by which δ_e may be too high because alignments were not proven best."""
        gaps = self.samples.gap
        return relative_gap(self.mean, float((self.values * (1 - gaps)).mean())) if gaps.any() else 0.0

    def means_without(self, group: IntArray, n_groups: int) -> FloatArray:
        """Return δ_e from the samples that no document of a group has a part in; from all samples if there are none.

        Parameters
        ----------
        group : int64 array, shape (n_documents,)
            The group of each document.
        n_groups : int
            Number of groups.
        """
        touched = np.sort(group[self.samples.documents], axis=1)
        each = np.ones(touched.shape, np.bool_)  # a group counts once for each sample
        each[:, 1:] = touched[:, 1:] != touched[:, :-1]
        values = np.broadcast_to(self.values[:, None], touched.shape)
        counts = self.n_samples - np.bincount(touched[each], minlength=n_groups)
        sums = self.values.sum() - np.bincount(touched[each], weights=values[each], minlength=n_groups)
        return np.where(counts > 0, sums / np.maximum(counts, 1), self.mean)


def means_and_errors(chances: Sequence[Expectation]) -> list[tuple[float, float]]:
    """Return mean and error of each; those that have the same number of samples are computed together."""
    of_size: dict[int, list[int]] = {}
    for place, one in enumerate(chances):
        of_size.setdefault(one.n_samples if isinstance(one, Expected) else 0, []).append(place)
    found = [(np.nan, np.nan)] * len(chances)
    for size, places in of_size.items():
        if size < 2 or len(places) == 1:
            numbers = [(chances[place].mean, chances[place].error) for place in places]
        else:
            # sums over rows are the same as those of each row by itself, to the last bit
            values = np.stack([one.values for one in map(chances.__getitem__, places) if isinstance(one, Expected)])
            apart = values - values.sum(axis=1, keepdims=True) / size
            errors = np.sqrt((apart * apart).sum(axis=1) / (size - 1)) / sqrt(size)
            numbers = [*zip(values.mean(axis=1).tolist(), errors.tolist(), strict=True)]
        for place, own in zip(places, numbers, strict=True):
            found[place] = own
    return found


class SampleBatch(Protocol):
    """Samples of one model that were made together."""

    @property
    def model(self) -> str:
        """The name of the model."""

    @property
    def samples(self) -> Samples:
        """The samples."""


Made = TypeVar("Made", bound=SampleBatch)


def sample_enough(
    names: Sequence[str],
    plan: Callable[[Mapping[str, range]], list[Job]],
    make: Callable[[list[Job]], Iterable[Sequence[Made]]],
    pool: Pool,
    *,
    precision: float,
    confidence: float,
    ahead: Callable[[str, int], None],
    weights: Mapping[str, float] | None = None,
    deadline: Deadline = NEVER,
) -> Mapping[str, list[Made]]:
    """Sample chance models until the expected disorder is precise enough (Mathet et al. 2015, §5.3).

    Parameters
    ----------
    names : sequence of str
        The models.
    plan : callable
        Makes jobs for samples of several models, given the numbers of the samples of each; a job may be for samples of
        several models, and those of one model are in order.
    make : callable
        Does jobs, and returns the answers in their order.
    pool : Pool
        The workers, to whom is said what is being done.
    precision, confidence : float
        The stopping rule.
    ahead : callable
        Called with how many more samples of a model there will be.
    weights : mapping, optional
        If given, the weighted mean over all models has to be precise enough; otherwise that of each model.
    deadline : Deadline
        When to be content with fewer samples, though never with too few to estimate the error.
    """
    made: dict[str, list[Made]] = {name: [] for name in names}
    missing = dict.fromkeys(names, range(FEWEST_SAMPLES))
    n_open, widest, n_made = 0, 0.0, 0
    began, prepared = perf_counter(), prepared_seconds()
    while missing:
        about = f"{sum(map(len, missing.values())):,} random samples for a precision of {precision:g}"
        pool.say(f"{about}, {n_open:,} so far not proven best (gap at most {widest:.2%})" if n_open else about)
        for batches in make(plan(missing)):
            for batch in batches:
                made[batch.model].append(batch)
                if batch.samples.gap.any():
                    n_open += int(np.count_nonzero(batch.samples.gap))
                    widest = max(widest, float(batch.samples.gap.max()))
        n_made += sum(map(len, missing.values()))
        if weights is None:  # models that had enough before still have
            values = {name: _values(made[name]) for name in missing}
            wanted = {name: samples_needed(found, precision, confidence) for name, found in values.items()}
        else:
            values = {name: _values(found) for name, found in made.items()}
            more = times_more([(weights[name], values[name]) for name in names], precision, confidence)
            wanted = {name: ceil(more * len(found)) for name, found in values.items()}
        missing = {name: range(len(values[name]), n) for name, n in wanted.items() if n > len(values[name])}
        if deadline.until is not None:
            loading = prepared_seconds() - prepared  # of machine code, which no more samples will wait for
            seconds = max(perf_counter() - began - loading, 1e-6)
            missing = _affordable(missing, deadline.later(loading).left() / seconds * n_made)
        else:
            _refuse_too_many(max(wanted.values(), default=0), precision)
        for name, numbers in missing.items():
            ahead(name, len(numbers))
    return made


def _values(batches: Sequence[SampleBatch]) -> FloatArray:
    if len(batches) == 1:  # as it is with many small models
        return batches[0].samples.disorder
    return np.concatenate([batch.samples.disorder for batch in batches])


def _affordable(missing: Mapping[str, range], n_samples: float) -> dict[str, range]:
    """Keep as many samples as there is time for, of each model in proportion."""
    share = n_samples / max(sum(map(len, missing.values())), 1)
    if share >= 1:
        return dict(missing)
    kept = {name: range(own.start, own.start + int(len(own) * share)) for name, own in missing.items()}
    return {name: own for name, own in kept.items() if own}


def _refuse_too_many(n_samples: int, precision: float) -> None:
    """Reject a precision that would take ages; the number of samples grows with its inverse square."""
    if n_samples > MOST_SAMPLES:
        possible = 1.1 * precision * (n_samples / MOST_SAMPLES) ** 0.5  # more by what rounding may take away
        raise OptionError(
            f"{precision:g} needs about {n_samples:.1g} random samples, more than {MOST_SAMPLES:,}; "
            f"use {possible:.2g} or more",
            "precision",
        )


def sample_generator(seed: int, name: str, index: int) -> np.random.Generator:
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
