"""The ladder: which magnitude of which error gives the agreement that annotators have.

A number such as γ = 0.62 has no scale of its own. On the same data, annotators who each make errors of one kind at a
known magnitude have some agreement too; the magnitude at which theirs is the same says what the number means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.data import Corpus, Data
from unisono.errors import DataError, OptionError
from unisono.execution import Progress, Workers, pool
from unisono.measures.registry import Measure, parse_measure
from unisono.shuffling.benchmark import Run, RunJob, run_job
from unisono.shuffling.reference import reference_of
from unisono.shuffling.shuffle import parse_errors

RUNGS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
REPETITIONS = 4
_ENOUGH_UNITS = 1500
"""Documents are taken, at random, up to so many units an annotator: enough to know the curve."""

WORDS = {
    "position": "shift boundaries",
    "position-apart": "shift boundaries",
    "category": "confuse categories",
    "false-negatives": "miss units",
    "false-positives": "add units",
    "splits": "split units",
    "merges": "merge units",
    "cuts-shifted": "shift cuts",
    "cuts-missed": "miss cuts",
    "text": "change texts",
    "segmentation": "split and merge units",
    "label": "draw labels at random",
}


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
        Agreement by magnitude, made to fall.
    """

    errors: str
    magnitude: float | None
    magnitudes: FloatArray
    curve: FloatArray

    def __str__(self) -> str:
        if self.magnitude is not None:
            return f"{_words(self.errors)} at magnitude {self.magnitude:.2f}"
        if not len(self.curve):
            return f"{_words(self.errors)}: no magnitude has a value"
        left = f"{self.curve[-1]:.2f}".replace("-", "−")
        return f"{_words(self.errors)}: even magnitude {self.magnitudes[-1]:g} leaves {left}"


@dataclass(frozen=True)
class Ladder:
    """For each kind of error, the magnitude that gives an agreement."""

    symbol: str
    value: float
    rungs: tuple[Rung, ...]

    def __str__(self) -> str:
        value = f"{self.value:.2f}".replace("-", "−")
        found = [str(rung) for rung in self.rungs if rung.magnitude is not None]
        never = [rung for rung in self.rungs if rung.magnitude is None]
        said = f"{self.symbol} of {value} is what annotators get who each {', or '.join(found)}."
        if not found:
            said = f"No single kind of error brings {self.symbol} down to {value}."
        if found and never:
            said += f" Never enough is to {'; to '.join(map(str, never))}."
        return said

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
        WORDS[name] + (f" ({', '.join(f'{key} {value:g}' for key, value in factors)})" if factors else "")
        for name, factors in kinds
    ]
    return " and ".join(said)


def ladder(
    corpus: Data,
    measure: str = "gamma",
    *,
    value: float | None = None,
    errors: Sequence[str] | None = None,
    repetitions: int = REPETITIONS,
    rng: int = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Ladder:
    """Find the magnitude of each kind of error that gives the agreement of a corpus.

    Parameters
    ----------
    corpus : Corpus
        What was annotated; each annotator's units are the reference in turn.
    measure : str
        A measure with its parameters.
    value : float, optional
        The agreement; measured if not given.
    errors : sequence of str, optional
        Kinds of errors; by default those that the data and the measure allow.
    repetitions : int
        Annotation sets a magnitude.
    rng : int
        Seed.
    workers, progress
        See `benchmark`.
    """
    chosen = parse_measure(measure)
    if repetitions < 1:
        raise OptionError(f"at least one repetition is needed, not {repetitions}")
    if not isinstance(corpus, Corpus):
        raise DataError("the ladder shuffles units, and these are labels of given items; it has no use here")
    if value is None:
        value = chosen.compute(corpus, rng=rng, workers=workers).agreement
    if value is None:
        raise DataError(f"{measure} has no value here, so there is nothing to compare with")
    references = _references(corpus, rng)
    kinds = list(errors) if errors is not None else _kinds(corpus, chosen, references)
    if not kinds:
        raise OptionError("no kind of error can be made in this data")
    n_annotators = max(2, round(float(np.mean(corpus.worked.sum(axis=1)))))
    jobs = [
        RunJob(references[k % len(references)], Run(kind, m, k), (str(chosen),), n_annotators, None, False, rng)
        for kind in kinds
        for m in RUNGS
        for k in range(repetitions)
    ]
    with pool(workers, progress=progress) as crew:
        found = [answer[str(chosen)] for answer in crew.each(run_job, jobs)]
    table = np.array([np.nan if v is None else v for v in found]).reshape(len(kinds), len(RUNGS), repetitions)
    declared = chosen.declaration
    return Ladder(
        declared.symbol if declared.scale == "agreement" else f"1 − {declared.symbol}",
        value,
        tuple(_rung(kind, rows, value) for kind, rows in zip(kinds, table, strict=True)),
    )


def _references(corpus: Corpus, rng: int) -> list[Corpus]:
    """Give each annotator's work, of as many documents as are enough."""
    random = np.random.default_rng(rng)
    order = random.permutation(len(corpus.documents))
    sizes = np.bincount(corpus.document, minlength=len(order)) / np.maximum(corpus.worked.sum(axis=1), 1)
    before = np.concatenate([[0.0], np.cumsum(sizes[order])[:-1]])
    names = [corpus.documents[index] for index in sorted(order[before < _ENOUGH_UNITS].tolist())]
    some = corpus.select(documents=names)
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
    overlapping = measure.declaration.name in ("gamma", "slot-error-rate", "span-f1")
    kinds = ["position" if overlapping else "position-apart"] if overlapping or apart else []
    category = next((f for name, f in corpus.features.items() if name == "category" or len(corpus.features) == 1), None)
    if category is not None and len(category.labels) > 1:
        kinds.append("category")
    return [*kinds, "false-negatives", *(["false-positives"] if overlapping else []), "splits"]


def _apart(reference: Corpus) -> bool:
    """Tell whether no two units of a reference overlap."""
    same = np.diff(reference.document) == 0
    return not (same & (reference.start[1:] < reference.end[:-1])).any()


def _rung(kind: str, rows: FloatArray, value: float) -> Rung:
    """Find where a curve, made to fall, has the value."""
    magnitudes = np.array(RUNGS)
    with np.errstate(invalid="ignore"):
        known = ~np.isnan(rows).all(axis=1)
    mean = np.full(len(rows), np.nan)
    mean[known] = np.nanmean(rows[known], axis=1)
    x, curve = magnitudes[known], _falling(mean[known])
    magnitude = None
    if len(x) and value >= curve[-1]:
        magnitude = float(np.interp(-value, -curve, x)) if value < curve[0] else 0.0
    return Rung(kind, magnitude, x, curve)


def _falling(values: FloatArray) -> FloatArray:
    """Give the nearest values that never rise (pool adjacent violators)."""
    blocks: list[tuple[float, int]] = []
    for value in values.tolist():
        mean, size = value, 1
        while blocks and blocks[-1][0] < mean:
            other, count = blocks.pop()
            mean, size = (mean * size + other * count) / (size + count), size + count
        blocks.append((mean, size))
    return np.array([mean for mean, size in blocks for _ in range(size)])
