"""Is the model as good as a human? Human–human against human–model agreement, and the alternative annotator test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.comparison.left_out import grouped, leave_out, mean_of
from unisono.comparison.pairing import FEWEST, in_blocks, on_documents, worked_together
from unisono.comparison.two_studies import Comparison, Work, of_annotators, signed
from unisono.data import Corpus, Data, Ratings
from unisono.dissimilarity.difference_sums import Differences
from unisono.errors import DataError, OptionError, listed
from unisono.execution import Progress, Workers
from unisono.formats.entry import as_data
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.family import PreparedRatings
from unisono.measurement.disorder.effort import seed_of
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.readers import difference, weights
from unisono.measurement.registry import Measure, default_measure, parse_measure
from unisono.results import Captioned, Tabled
from unisono.statistics.alternative import FEW_INSTANCES, AlternativeTest, alternative_test
from unisono.statistics.paired import Difference, difference_of_errors

HUMANS, WITH_MODEL = "human–human", "human–model"
EPSILON = 0.15


@dataclass(frozen=True)
class ModelComparison(Tabled):
    """A model among human annotators.

    Attributes
    ----------
    model : str
        The annotator that is a model.
    comparison : Comparison
        Mean agreement of pairs of humans, and of each human with the model.
    pairs : list of dict
        Every two annotators' agreement.
    test : AlternativeTest
        May the model take a human's place?
    """

    model: str
    comparison: Comparison
    pairs: list[dict[str, Any]]
    test: AlternativeTest

    @property
    def remarks(self) -> list[str]:
        """Say what one should know about the comparison and the test."""
        found = []
        n_undefined = sum(row["value"] is None for row in self.pairs)
        if n_undefined:
            found.append(f"{n_undefined:,} of {len(self.pairs):,} pairs have no value and do not count in the means")
        if len(self.test.humans) < 3:
            found.append("the test asks for three humans or more; with two there is no consensus to compare with")
        few = [f"{one.annotator} ({one.n})" for one in self.test.humans if one.wins is None]
        if few:
            found.append(
                f"the test takes {FEW_INSTANCES} {self.test.instances} or more, better 50 to 100; there are fewer, and "
                f"so no verdict, for {listed(few)}"
            )
        return found

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Give pairs of annotators, the two means, the test, and sentences on them."""
        from unisono.comparison.tables import model_tables

        return model_tables(self)

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        return {
            "model": self.model,
            "comparison": self.comparison.to_dict(),
            "pairs": self.pairs,
            "alternative_annotator_test": self.test.to_dict(),
            "remarks": self.remarks,
        }


def compare_model(
    data: Data,
    model: str,
    measure: str | None = None,
    *,
    epsilon: float = EPSILON,
    base: Corpus | None = None,
    rng: int | np.random.Generator = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> ModelComparison:
    """Compare a model with human annotators.

    Parameters
    ----------
    data : Corpus, Ratings or Normalizations
        What humans and the model annotated.
    model : str
        The annotator that is a model; all others are humans.
    measure : str, optional
        A measure with its parameters.
    epsilon : float
        By how much a human may be better in the alternative annotator test, because a model costs less.
    base : Corpus, optional
        The pre-annotation that everybody started from, for text-γ.
    rng : int or Generator
        Seed.
    workers : int, Executor or None
        Who does the work.
    progress : callable, optional
        Called with (done, total) after each pair.
    """
    if not 0 <= epsilon < 1:
        raise OptionError(f"epsilon is {epsilon:g}, and must be from 0 to below 1; 0.2 for experts, 0.1 for crowds")
    data = as_data(data)
    if model not in data.annotators:
        raise OptionError(f"there is no annotator {model!r} to be the model; there are: {listed(data.annotators)}")
    humans = [name for name in data.annotators if name != model]
    if len(humans) < 2:
        raise DataError(f"besides {model} there is {listed(humans) or 'nobody'}, and two humans or more are needed")
    data, parts = _to_compare(data)
    chosen = default_measure(of_annotators(data, humans[:2])) if measure is None else parse_measure(measure)
    pairs = [*combinations(humans, 2), *((human, model) for human in humans)]
    work = Work(base, seed_of(rng), workers)
    results: dict[frozenset[str], Any] = {}
    for number, pair in enumerate(pairs, start=1):
        results[frozenset(pair)] = _of_pair(chosen, data, pair, work)
        if progress is not None:
            progress(number, len(pairs))
    return ModelComparison(
        model,
        _compared(chosen, results, model, parts),
        [_row(pair, results[frozenset(pair)]) for pair in pairs],
        _tested(data, results, humans, model, epsilon),
    )


def _to_compare(data: Data) -> tuple[Data, str]:
    """Make documents of blocks of items where there are few; keep what can be compared."""
    if isinstance(data, Ratings):
        data = replace(data, items=range(len(data.codes)))  # items of different documents may have the same name
        if len(worked_together(data)) < FEWEST:
            return in_blocks(data), "blocks of items"
    shared = worked_together(data)
    if len(shared) < 2:
        raise DataError(
            "two annotators or more worked on fewer than two documents; a model can be compared on two or more"
        )
    return on_documents(data, [name for name in data.documents if name in shared]), "documents"


def _of_pair(measure: Measure, data: Data, pair: tuple[str, str], work: Work) -> Any:
    return measure.compute(of_annotators(data, pair), base=work.base, rng=work.seed, workers=work.workers)


def _compared(measure: Measure, results: dict[frozenset[str], Any], model: str, parts: str) -> Comparison:
    """Compare the mean of pairs of humans with that of humans and the model; pairs without a value do not count."""
    defined = {pair: result for pair, result in results.items() if result.value is not None}
    kinds = [
        [result for pair, result in defined.items() if (model in pair) == with_model] for with_model in (False, True)
    ]
    for kind, name in zip(kinds, (HUMANS, WITH_MODEL), strict=True):
        if not kind:
            why = next(result.undefined for result in results.values() if result.value is None)
            raise DataError(f"no pair has a value ({name}): {why}")
    groups = grouped(list(defined.values()))
    first, second = (mean_of([leave_out(result, groups) for result in kind]) for kind in kinds)
    title = f"{HUMANS} − {WITH_MODEL}"
    enough = len(groups) > 1
    found = (
        difference_of_errors(title, first, second, what=parts)
        if enough
        else Difference(title, None, None, None, None, 0)
    )
    one, other = (float(np.mean([result.value for result in kind])) for kind in kinds)
    return Comparison(
        str(measure),
        measure.declaration.symbol,
        HUMANS,
        WITH_MODEL,
        (one, other),
        (None, None),
        signed(found, measure.declaration.scale),
        parts,
        None if enough else f"fewer than two {parts} count for all pairs of annotators",
    )


def _row(pair: tuple[str, str], result: Any) -> dict[str, Any]:
    first, second = pair
    counted = {"n_units": result.n_units, "unit": result.unit}
    return {"annotator_1": first, "annotator_2": second, "value": result.value, **counted}


def _tested(
    data: Data, results: dict[frozenset[str], Any], humans: Sequence[str], model: str, epsilon: float
) -> AlternativeTest:
    """Take items as instances where there are any, else documents."""
    likeness = {pair: _likeness(result, data) for pair, result in results.items()}
    instances = list(dict.fromkeys(name for found in likeness.values() for name in found))
    place = {name: index for index, name in enumerate(instances)}
    table = {pair: np.full(len(instances), np.nan) for pair in likeness}
    for pair, found in likeness.items():
        for name, value in found.items():
            table[pair][place[name]] = value
    human = np.array([_mean([table[frozenset((j, k))] for k in humans if k != j]) for j in humans])
    alike = np.array([_mean([table[frozenset((model, k))] for k in humans if k != j]) for j in humans])
    what = "items" if all(_has_items(result) for result in results.values()) else "documents"
    return alternative_test(humans, human, alike, epsilon=epsilon, instances=what)


def _likeness(result: Any, data: Data) -> dict[Any, float]:
    """Say how alike two annotators are on each item that both labelled, or on each document.

    Who did the same is as alike to others: what chance expects of a pair, which is drawn at random, plays no part, and
    labels are as far apart for one pair as for the next.
    """
    if isinstance(result, DisorderResult):
        return {one.document: -one.observed for one in result.documents if one.observed is not None}
    if not _has_items(result):
        sign = 1.0 if result.declaration.scale == "agreement" else -1.0
        return {one.document: sign * one.value for one in result.documents if one.value is not None}
    counts, ratings = result.prepared.statistics(), result.prepared.ratings
    both = np.flatnonzero(counts.paired)
    first, second = counts.columns[:, both]
    apart = _differences(result, counts, data).compare(first, second)
    keys = [(ratings.documents[ratings.document[row]], ratings.items[row]) for row in both.tolist()]
    return dict(zip(keys, (-apart).tolist(), strict=True))


def _has_items(result: Any) -> bool:
    """Tell whether the measure sees items with labels, and not units."""
    prepared = getattr(result, "prepared", None)
    return isinstance(prepared, PreparedRatings) and result.declaration.family == "ratings"


def _differences(result: Any, counts: Counts, data: Data) -> Differences:
    """Give the measure's own distance between labels, by how often all gave them; nominal, if it has none."""
    if "distance" in result.parameters:
        weighing = counts.scale.weighing(result.parameters["distance"], difference)
    else:
        weighing = counts.scale.weighing(result.parameters.get("weights", "nominal"), weights)
    if not isinstance(data, Ratings):
        return weighing.differences.given(counts.marginals)
    frequencies = np.bincount(data.codes[data.codes >= 0], minlength=len(data.labels))
    return weighing.differences.given(frequencies.astype(np.float64))


def _mean(rows: Sequence[FloatArray]) -> FloatArray:
    """Give the mean over what is there."""
    table = np.array(rows)
    there = np.isfinite(table)
    n = there.sum(axis=0)
    return np.where(n > 0, np.where(there, table, 0.0).sum(axis=0) / np.maximum(n, 1), np.nan)
