"""The ladder: which magnitude of which error gives the agreement that annotators have.

A number such as γ = 0.62 has no scale of its own. On the same data, annotators who each make errors of one kind at a
known magnitude have some agreement too; the magnitude at which theirs is the same says what the number means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.alignment.consensus import consensus
from unisono.arrays import FloatArray
from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError
from unisono.execution import Pool, Progress, Workers, pool
from unisono.measurement.disorder.effort import seed_of
from unisono.measurement.gamma import align
from unisono.measurement.registry import Measure, parse_measure
from unisono.results import Captioned, Table, Tabled
from unisono.shuffling.benchmark import Run, RunJob, run_job
from unisono.shuffling.curves import shown
from unisono.shuffling.errors import DOES
from unisono.shuffling.reference import reference_of
from unisono.shuffling.shuffle import parse_errors
from unisono.statistics.isotonic import non_increasing

RUNGS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
REPETITIONS = 4
_HASTE = {"precision": "0.05", "time_limit": "1"}
"""What is set for the many annotation sets, unless it was given, where a measure samples and aligns."""
_ENOUGH_UNITS = 300
"""Documents are taken, at random, up to so many units an annotator: enough to know the curve."""


@dataclass(frozen=True)
class Rung:
    """A kind of error, and the magnitude that gives the agreement.

    Attributes
    ----------
    errors : str
        The kind of error.
    magnitude : float or None
        The magnitude; None if even the greatest gives more agreement, or errors do not matter to the measure.
    magnitudes, curve : float64 array
        The mean agreement by magnitude, as far as it was needed.
    """

    errors: str
    magnitude: float | None
    magnitudes: FloatArray
    curve: FloatArray

    def __str__(self) -> str:
        if self.magnitude is not None:
            return f"{_words(self.errors)} at magnitude {self.magnitude:.2f}"
        if not len(self.curve):
            return f"{_words(self.errors)} (no magnitude has a value)"
        left = f"{self.curve.min():.2f}".replace("-", "−")
        return f"{_words(self.errors)} (at least {left} is left)"


@dataclass(frozen=True)
class Ladder(Tabled):
    """For each kind of error, the magnitude that gives an agreement."""

    symbol: str
    value: float
    rungs: tuple[Rung, ...]

    def __str__(self) -> str:
        value = f"{self.value:.2f}".replace("-", "−")
        if all(rung.magnitude == 0 for rung in self.rungs):
            return f"{self.symbol} of {value} is what annotators get who make no errors."
        found = [str(rung) for rung in self.rungs if rung.magnitude is not None]
        never = [rung for rung in self.rungs if rung.magnitude is None]
        said = f"{self.symbol} of {value} is what annotators get who each {', or '.join(found)}."
        if not found:
            said = f"No single kind of error brings {self.symbol} down to {value}."
        if found and never:
            said += f" It is never enough to {', or to '.join(map(str, never))}."
        return said

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Give the magnitude of each kind of error, and the same in words."""
        rows = [(_words(rung.errors), rung.magnitude) for rung in self.rungs]
        return [Captioned("Annotators get the same who each …", Table(("", "at magnitude"), rows))], [str(self)]

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        return {
            "value": self.value,
            "rungs": [
                {
                    "error": rung.errors,
                    "magnitude": rung.magnitude,
                    "curve": [
                        {"magnitude": float(m), "agreement": None if np.isnan(v) else float(v)}
                        for m, v in zip(rung.magnitudes, rung.curve, strict=True)
                    ],
                }
                for rung in self.rungs
            ],
        }


def _words(errors: str) -> str:
    """Say in words what annotators do."""
    kinds = parse_errors(errors).kinds
    said = [
        DOES[name] + (f" ({', '.join(f'{key} {value:g}' for key, value in factors)})" if factors else "")
        for name, factors in kinds
    ]
    return " and ".join(said)


def ladder(
    corpus: Data,
    measure: str = "gamma",
    *,
    value: float | None = None,
    base: Corpus | None = None,
    errors: Sequence[str] | None = None,
    repetitions: int = REPETITIONS,
    rng: int | np.random.Generator = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Ladder:
    """Find the magnitude of each kind of error that gives the agreement of a corpus.

    Errors grow rung by rung until agreement is below that of the corpus.

    Parameters
    ----------
    corpus : Corpus
        What was annotated; what most annotators marked is the reference, see docs/shuffling.md.
    measure : str
        A measure with its parameters.
    value : float, optional
        The agreement; measured if not given.
    base : Corpus, optional
        The pre-annotation that annotators started from, for measures that take one; then shuffled annotators start from
        their reference.
    errors : sequence of str, optional
        Kinds of errors; by default those that the data and the measure allow.
    repetitions : int
        Annotation sets a magnitude.
    rng : int or Generator
        Seed.
    workers, progress
        See `benchmark`.
    """
    chosen = parse_measure(measure)
    if repetitions < 1:
        raise OptionError(f"at least one repetition is needed, not {repetitions}")
    if not isinstance(corpus, Corpus):
        raise DataError("the ladder shuffles units, and these are labels of given items; it has no use here")
    seed = seed_of(rng)
    if value is None:
        value = chosen.compute(corpus, base=base, rng=seed, workers=workers).agreement
    if value is None:
        raise DataError(f"{measure} has no value here, so there is nothing to compare with")
    references = _references(corpus, chosen, seed)
    kinds = [str(parse_errors(text)) for text in errors] if errors is not None else _kinds(corpus, chosen, references)
    if not kinds:
        raise OptionError("no kind of error can be made in this data")
    quick = str(_in_haste(chosen))
    n_annotators = max(2, round(float(np.mean(corpus.worked.sum(axis=1)))))

    def jobs(kind: str, rung: int) -> list[RunJob]:
        turns = [references[(rung * repetitions + k) % len(references)] for k in range(repetitions)]
        return [
            RunJob(own, Run(kind, RUNGS[rung], k), (quick,), n_annotators, None, False, seed, base is not None)
            for k, own in enumerate(turns)
        ]

    with pool(workers, progress=progress) as crew:
        curves = _climbed(kinds, value, jobs, crew, quick)
    return Ladder(
        shown(str(chosen)),
        value,
        tuple(_rung(kind, np.array(curves[kind]), value) for kind in kinds),
    )


def _climbed(
    kinds: Sequence[str], value: float, jobs: Callable[[str, int], list[RunJob]], crew: Pool, measure: str
) -> dict[str, list[list[float]]]:
    """Go up the rungs with all kinds of errors at once, each until agreement is below the value on two of them."""
    curves: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    climbing = list(kinds)
    for rung in range(len(RUNGS)):
        work = [job for kind in climbing for job in jobs(kind, rung)]
        for job, answer in zip(work, crew.each(run_job, work), strict=True):
            if job.run.repetition == 0:
                curves[job.run.errors].append([])
            agreement = answer[measure]
            curves[job.run.errors][-1].append(np.nan if agreement is None else agreement)
        climbing = [kind for kind in climbing if not all(np.mean(row) < value for row in curves[kind][-2:])]
    return curves


def _in_haste(measure: Measure) -> Measure:
    """Give the measure with less effort a value; a mean over some of them is as good."""
    known = [parameter.name for parameter in measure.declaration.parameters]
    less = {name: value for name, value in _HASTE.items() if name in known}
    return replace(measure, given={**less, **measure.given})


def _references(corpus: Corpus, measure: Measure, seed: int) -> list[Corpus]:
    """Give what most annotators marked, of as many documents as are enough; else each annotator's work.

    An annotator's own work already holds errors: units of theirs alone, boundaries far from everybody else's. Where
    a measure takes no overlap, or texts differ, it is all there is.
    """
    random = np.random.default_rng(seed)
    order = random.permutation(len(corpus.documents))
    sizes = np.bincount(corpus.document, minlength=len(order)) / np.maximum(corpus.worked.sum(axis=1), 1)
    before = np.concatenate([[0.0], np.cumsum(sizes[order])[:-1]])
    names = [corpus.documents[index] for index in sorted(order[before < _ENOUGH_UNITS].tolist())]
    some = corpus.select(documents=names)
    if not measure.declaration.takes_base and measure.declaration.family != "segmentation":
        agreed = consensus(align(some, features=[*some.features] or None))
        if agreed.n_units and (measure.declaration.takes_overlap or _apart(agreed)):
            return [reference_of(agreed)]
    found = [reference_of(some, who) for who in some.annotators if some.n_units_of(who)]
    if not found:
        raise DataError("nobody marked anything, so there is nothing to shuffle")
    return found


def _kinds(corpus: Corpus, measure: Measure, references: Sequence[Corpus]) -> list[str]:
    """Choose the kinds of errors that the data and the measure allow."""
    if measure.declaration.takes_base:
        return ["text", "segmentation", *(["label"] if len(corpus.features) > ("type" in corpus.features) else [])]
    if measure.declaration.family == "segmentation":
        return ["cuts-shifted", "cuts-missed", "splits"]
    apart = all(_apart(reference) for reference in references)
    overlapping = measure.declaration.takes_overlap
    kinds = ["position" if overlapping else "position-apart"] if overlapping or apart else []
    names = corpus.label_features
    if len(names) == 1 and len(corpus.features[names[0]].labels) > 1:
        kinds.append("category")
    return [*kinds, "false-negatives", *(["false-positives"] if overlapping else []), "splits"]


def _apart(reference: Corpus) -> bool:
    """Tell whether no two units of a reference overlap."""
    same = np.diff(reference.document) == 0
    return not (same & (reference.start[1:] < reference.end[:-1])).any()


def _rung(kind: str, rows: FloatArray, value: float) -> Rung:
    """Find where the means, made to fall, have the value."""
    known = ~np.isnan(rows).all(axis=1)
    magnitudes, curve = np.array(RUNGS[: len(rows)])[known], np.nanmean(rows[known], axis=1)
    fall = non_increasing(curve)
    magnitude = None
    if len(fall) and value >= fall[-1]:
        magnitude = float(np.interp(-value, -fall, magnitudes)) if value < fall[0] else 0.0
    return Rung(kind, magnitude, magnitudes, curve)
