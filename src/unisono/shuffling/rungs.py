"""The ladder: the magnitude of each kind of error that gives the agreement of the annotators.

A number such as γ = 0.62 has no scale. Simulated annotators who each make errors of one kind and of known magnitude in
the same data have some agreement, too; the magnitude at which it is the same shows what the number means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.alignment.consensus import consensus
from unisono.arrays import ComparedByContent, FloatArray
from unisono.chance.canonical import canonical_documents, content_keys
from unisono.checks import check_function, check_names, check_number, check_seed, check_text, check_whole
from unisono.data import Corpus, Ratings
from unisono.data.anchors import SOURCE, TARGET
from unisono.data.sets import annotation_sets
from unisono.errors import DataError, OptionError
from unisono.execution import Pool, Progress, Workers, check_workers, pool
from unisono.formats.entry import DataLike, Rows, as_base, as_data
from unisono.measurement.gamma import align
from unisono.measurement.registry import Measure, parse_measure
from unisono.results import Captioned, Table, Tabled
from unisono.shuffling.benchmarking import MOST_REPETITIONS, Run, RunJob, run_job
from unisono.shuffling.curves import agreement_symbol
from unisono.shuffling.items import agreed_labels, is_on_scale
from unisono.shuffling.kinds import error_kind
from unisono.shuffling.reference import reference_kind, reference_of
from unisono.shuffling.shuffler import parse_errors
from unisono.statistics.isotonic import non_increasing

RUNGS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_LESS_EFFORT = {"precision": "0.05", "time_limit": "10"}
"""For the many annotation sets, unless the user chose otherwise, where a measure samples and aligns."""
_ENOUGH_UNITS = 300
"""Documents are drawn at random up to this number of units per annotator, which is enough to know the curve."""


@dataclass(frozen=True, eq=False)
class Rung(ComparedByContent):
    """A kind of error, and the magnitude that gives the same agreement.

    Attributes
    ----------
    errors : str
        The kind of error.
    magnitude : float or None
        The magnitude; None if agreement is higher even at the greatest, or the measure ignores such errors.
    magnitudes, curve : float64 array
        The mean agreement by magnitude, as far as it was computed.

    See Also
    --------
    Ladder, ladder

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "c", "b"] * 10, "bert": ["a", "b", "b", "b"] * 10, "cleo": list("abcb") * 10}
    >>> rung = unisono.shuffling.ladder(
    ...     labels, "krippendorff-alpha", errors="category", repetitions=2, workers=1
    ... ).rungs[0]
    >>> rung.errors, round(rung.magnitude, 1)
    ('category', 0.4)
    """

    errors: str
    magnitude: float | None
    magnitudes: FloatArray
    curve: FloatArray

    def __str__(self) -> str:
        if self.magnitude is not None:
            return f"{_words(self.errors)} at magnitude {self.magnitude:.2f}"
        if not len(self.curve):
            return f"{_words(self.errors)} (there is no value at any magnitude)"
        least = f"{self.curve.min():.2f}".replace("-", "−")
        return f"{_words(self.errors)} (it stays at {least} or above)"


@dataclass(frozen=True)
class Ladder(Tabled):
    """For each kind of error, the magnitude that gives the same agreement.

    Attributes
    ----------
    symbol : str
        The letter of the measure.
    value : float
        The agreement that errors should bring about.
    rungs : tuple of Rung
        One per kind of error.

    See Also
    --------
    ladder, Rung

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "c", "b"] * 10, "bert": ["a", "b", "b", "b"] * 10, "cleo": list("abcb") * 10}
    >>> ladder = unisono.shuffling.ladder(labels, "krippendorff-alpha", errors="category", repetitions=2, workers=1)
    >>> ladder.symbol, round(ladder.value, 3), [rung.errors for rung in ladder.rungs]
    ('α', 0.71, ['category'])
    """

    symbol: str
    value: float
    rungs: tuple[Rung, ...]

    def __str__(self) -> str:
        named = f"{self.symbol} = {self.value:.2f}".replace("-", "−")
        if all(rung.magnitude == 0 for rung in self.rungs):
            return f"{named} corresponds to annotators who make no errors."
        found = [str(rung) for rung in self.rungs if rung.magnitude is not None]
        never = [str(rung) for rung in self.rungs if rung.magnitude is None]
        if not found:
            return f"No single kind of error brings agreement down to {named}."
        said = f"{named} corresponds to annotators who each {', or '.join(found)}."
        return said + (f" No magnitude is enough if they only {', or only '.join(never)}." if never else "")

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return the magnitude of each kind of error as a table, and the same in words."""
        rows = [(_words(rung.errors), rung.magnitude) for rung in self.rungs]
        table = Table(("", "at magnitude"), rows)
        return [Captioned("The agreement corresponds to annotators who each …", table)], [str(self)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
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
    """Describe what annotators do."""
    kinds = parse_errors(errors).kinds
    return " and ".join(
        error_kind(name).does + ("" if factor is None else f" (factor {factor:g})") for name, factor in kinds
    )


def ladder(
    corpus: DataLike,
    measure: str = "gamma",
    *,
    value: float | None = None,
    base: DataLike | None = None,
    errors: str | Sequence[str] | None = None,
    repetitions: int = 4,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Ladder:
    """Find the magnitude of each kind of error that gives the agreement of a corpus.

    Errors grow rung by rung until agreement is below that of the corpus.

    Parameters
    ----------
    corpus : DataLike
        What was annotated (see `unisono.read`); what most annotators marked, or how most labelled each item, is the
        reference, see docs/shuffling.md.
    measure : str
        A measure with its parameters.
    value : float, optional
        The agreement; by default it is measured.
    base : DataLike, optional
        The pre-annotation that annotators started from, for measures that use one; shuffled annotators then start from
        their reference.
    errors : str or sequence of str, optional
        Kinds of errors; by default those that are possible for the data and the measure.
    repetitions : int
        Annotation sets per magnitude, up to 100,000.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.
    rng : int, Generator or None
        Seed.
    workers, progress
        See `benchmark`.

    Returns
    -------
    Ladder

    See Also
    --------
    benchmark, shuffle, Ladder

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "c", "b"] * 10, "bert": ["a", "b", "b", "b"] * 10, "cleo": list("abcb") * 10}
    >>> found = unisono.shuffling.ladder(labels, "krippendorff-alpha", errors="category", repetitions=2, workers=1)
    >>> found.rungs[0].errors
    'category'
    >>> 0 < found.rungs[0].magnitude < 1
    True
    """
    chosen = parse_measure(check_text(measure, "measure"), "measure")
    times = check_whole(repetitions, "repetitions", low=1, high=MOST_REPETITIONS)
    kinds = None if errors is None else [str(parse_errors(text)) for text in check_names(errors, "errors")]
    agreement = None if value is None else check_number(value, "value")
    units = reference_kind(as_data(corpus, rows=rows, parameter="corpus"))
    started, seed = as_base(base), check_seed(rng)
    hands, tell = check_workers(workers), check_function(progress, "progress", "done", "total")
    if agreement is None:
        agreement = chosen.compute(units, base=started, rng=seed, workers=hands).agreement
    if agreement is None:
        raise DataError(f"{measure} has no value here, so there is nothing to compare with")
    references = _references(units, chosen, seed)
    kinds = _kinds(units, chosen, references) if kinds is None else kinds
    if not kinds:
        raise OptionError("no kind of error is possible in this data", "errors")
    quick = str(_with_less_effort(chosen))
    n_annotators = max(2, round(float(np.mean(units.worked.sum(axis=1)))))

    def jobs(kind: str, rung: int) -> list[RunJob]:
        turns = [references[(rung * times + k) % len(references)] for k in range(times)]
        return [
            RunJob(own, Run(kind, RUNGS[rung], k), (quick,), n_annotators, None, False, seed, started is not None)
            for k, own in enumerate(turns)
        ]

    with pool(hands, progress=tell, python=True) as crew:
        curves = _climbed(kinds, agreement, jobs, crew, quick)
    rungs = tuple(_rung(kind, np.array(curves[kind]), agreement) for kind in kinds)
    return Ladder(agreement_symbol(str(chosen)), agreement, rungs)


def _climbed(
    kinds: Sequence[str], value: float, jobs: Callable[[str, int], list[RunJob]], crew: Pool, measure: str
) -> dict[str, list[list[float]]]:
    """Climb the rungs with all kinds of errors at once, each until agreement is below the value on two rungs."""
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


def _with_less_effort(measure: Measure) -> Measure:
    """Return the measure with less effort per value; the mean over several values is as good."""
    return measure.with_defaults(**_LESS_EFFORT)


def _references(data: Corpus | Ratings, measure: Measure, seed: int) -> Sequence[Corpus | Ratings]:
    """Return what the simulated annotators start from."""
    if isinstance(data, Ratings):
        return [agreed_labels(data, seed)]
    return _agreed_units(data, measure, seed)


def _agreed_units(corpus: Corpus, measure: Measure, seed: int) -> Sequence[Corpus | Ratings]:
    """Return what most annotators marked, in as many documents as are enough; or else each annotator's work.

    The work of one annotator already contains errors: units that nobody else marked, boundaries far from all others.
    But it is all there is if texts differ, or if the consensus overlaps and the measure does not accept that.
    """
    keys = content_keys(canonical_documents(annotation_sets(corpus, [*corpus.features])))
    by_content = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
    order = by_content[np.random.default_rng(seed).permutation(len(keys))]
    sizes = np.bincount(corpus.document, minlength=len(order)) / np.maximum(corpus.worked.sum(axis=1), 1)
    before = np.concatenate([[0.0], np.cumsum(sizes[order])[:-1]])
    names = [corpus.documents[index] for index in order[before < _ENOUGH_UNITS].tolist()]
    some = corpus.select(documents=names)
    if not measure.declaration.takes_base and measure.declaration.family != "segmentation":
        aligned = align(some, features=[*some.features] or None)
        agreed = consensus({name: aligned[name] for name in names if name in aligned})
        if agreed.n_units and (measure.declaration.takes_overlap or _apart(agreed)):
            return [reference_of(agreed)]
    found = [reference_of(some, who) for who in some.annotators if some.n_units_of(who)]
    if not found:
        raise DataError("nobody marked anything, so there is nothing to shuffle")
    return found


def _kinds(corpus: Corpus | Ratings, measure: Measure, references: Sequence[Corpus | Ratings]) -> list[str]:
    """Choose the kinds of errors that are possible for the data and the measure."""
    if isinstance(corpus, Ratings):
        return ["noise", "severity"] if is_on_scale(corpus) else ["category"]
    if measure.declaration.takes_base:
        return ["text", "segmentation", *(["label"] if len(corpus.features) > ("type" in corpus.features) else [])]
    if measure.declaration.family == "segmentation":
        return ["cuts-shifted", "cuts-missed", "splits"]
    if corpus.anchors is not None:
        ends = [role for role in (SOURCE, TARGET) if role in corpus.anchors.roles] or ["anchors"]
        return ["position", *ends, *_of_categories(corpus), "false-negatives", "false-positives"]
    apart = all(isinstance(reference, Corpus) and _apart(reference) for reference in references)
    overlapping = measure.declaration.takes_overlap
    kinds = ["position" if overlapping else "position-apart"] if overlapping or apart else []
    added = ["false-positives"] if overlapping else []
    return [*kinds, *_of_categories(corpus), "false-negatives", *added, "splits"]


def _of_categories(corpus: Corpus) -> list[str]:
    names = corpus.label_features
    return ["category"] if len(names) == 1 and len(corpus.features[names[0]].labels) > 1 else []


def _apart(reference: Corpus) -> bool:
    """Whether no two units of a reference overlap."""
    same = np.diff(reference.document) == 0
    return not (same & (reference.start[1:] < reference.end[:-1])).any()


def _rung(kind: str, rows: FloatArray, value: float) -> Rung:
    """Find where the means, after non-increasing (isotonic) regression, have the value."""
    known = ~np.isnan(rows).all(axis=1)
    magnitudes, curve = np.array(RUNGS[: len(rows)])[known], np.nanmean(rows[known], axis=1)
    fall = non_increasing(curve)
    magnitude = None
    if len(fall) and value >= fall[-1]:
        magnitude = float(np.interp(-value, -fall, magnitudes)) if value < fall[0] else 0.0
    return Rung(kind, magnitude, magnitudes, curve)
