"""Is the model as good as a human? Human–human against human–model agreement, and the alternative annotator test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from unisono.checks import check_number, check_optional_text, check_text
from unisono.comparison.comparisons import Comparison, conclusion, difference_table, without_values
from unisono.comparison.likeness import likeness_test
from unisono.comparison.pairing import FEWEST_DOCUMENTS, in_blocks, some_of, worked_together
from unisono.comparison.two_studies import difference_of_values, grouped
from unisono.comparison.work import Work, checked_work, chosen_measures
from unisono.data import Data, Ratings
from unisono.errors import DataError, OptionError, listed
from unisono.execution import Progress, Workers
from unisono.formats.entry import DataLike, Rows, as_data
from unisono.measurement.registry import Measure
from unisono.results import Captioned, Table, Tabled, p_value
from unisono.statistics.alternative import FEW_INSTANCES, AlternativeTest
from unisono.statistics.jackknife import Jackknife

HUMANS, WITH_MODEL = "human–human", "human–model"
EPSILON = 0.15
_VERDICTS = {True: "yes", False: "no", None: ""}


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
        The agreement of every two annotators.
    test : AlternativeTest
        May the model take a human's place?
    """

    model: str
    comparison: Comparison
    pairs: list[dict[str, Any]]
    test: AlternativeTest

    @property
    def remarks(self) -> list[str]:
        """What one should know about the comparison and the test."""
        found = []
        n_undefined = sum(row["value"] is None for row in self.pairs)
        if n_undefined:
            found.append(f"{n_undefined:,} of {len(self.pairs):,} pairs have no value and do not count in the means")
        if len(self.test.humans) < 3:
            found.append("the test needs three humans or more; with two there is no consensus to compare with")
        few = [f"{one.annotator} ({one.n})" for one in self.test.humans if one.wins is None]
        if few:
            found.append(
                f"the test needs {FEW_INSTANCES} {self.test.instances} or more, better 50 to 100; there are fewer, and "
                f"therefore no verdict, for {listed(few)}"
            )
        return found

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return pairs of annotators, the two means and the test as tables, and sentences on them."""
        one, test = self.comparison, self.test
        pairs = [(f"{row['annotator_1']} – {row['annotator_2']}", row["value"], row["n_units"]) for row in self.pairs]
        means = list(zip((one.one, one.other), one.values, strict=True))
        humans = [(h.annotator, h.model, h.human, p_value(h.p), _VERDICTS[h.wins], h.n) for h in test.humans]
        columns = ("human", "model as good (ρ)", "human as good (ρ)", "p", "model may replace", test.instances)
        tables = [
            Captioned(
                f"{one.symbol} of every two annotators",
                Table(("pair", one.symbol, f"{self.pairs[0]['unit']}s"), pairs, 3),
            ),
            Captioned(f"Mean {one.symbol} of pairs", Table(("pairs", one.symbol), means, 3)),
            difference_table([one]),
            Captioned(f"Alternative annotator test, ε = {test.epsilon:g}", Table(columns, humans, 3)),
        ]
        return tables, [conclusion(one), *self._verdict(), *(f"Note: {remark}." for remark in self.remarks)]

    def _verdict(self) -> Iterator[str]:
        test = self.test
        if test.advantage is None:
            return
        name, rho = "the alternative annotator test (Calderon et al. 2025)", f"ρ = {test.advantage:.2f}"
        if test.winning_rate is None:
            few = f"too few {test.instances} for a verdict of {name}"
            yield f"{self.model}: {few}; average advantage probability {rho}."
        else:
            verdict = "passes" if test.passes else "does not pass"
            yield (
                f"{self.model} {verdict} {name}: winning rate ω = {test.winning_rate:.2f} (0.50 is needed), average "
                f"advantage probability {rho}."
            )

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "model": self.model,
            "comparison": self.comparison.to_dict(),
            "pairs": self.pairs,
            "alternative_annotator_test": self.test.to_dict(),
            "remarks": self.remarks,
        }


def compare_model(
    data: DataLike,
    model: str,
    measure: str | None = None,
    *,
    epsilon: float = EPSILON,
    base: DataLike | None = None,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> ModelComparison:
    """Compare a model with human annotators.

    Parameters
    ----------
    data : DataLike
        What humans and the model annotated.
    model : str
        The annotator that is a model; all others are humans.
    measure : str, optional
        A measure with its parameters; by default one that fits the data.
    epsilon : float
        By how much a human may be better in the alternative annotator test, because a model costs less.
    base, rows, rng, workers, progress
        As in `compare`.
    """
    if check_number(epsilon, "epsilon", low=0, high=1) == 1:
        raise OptionError("expected a number from 0 to below 1, e.g. 0.2 for experts or 0.1 for crowds", "epsilon")
    whole = as_data(data, rows=rows)
    humans = _humans(whole, check_text(model, "model"))
    work = checked_work(base, rng, workers, progress)
    kept, parts = _comparable(whole)
    one_measure = check_optional_text(measure, "measure")
    (chosen,) = chosen_measures(one_measure, some_of(kept, annotators=humans[:2]), kept, parameter="measure")
    pairs = [*combinations(humans, 2), *((human, model) for human in humans)]
    found = work.each(partial(_measured_pair, chosen, kept, work), pairs)
    results = {frozenset(pair): result for pair, result in zip(pairs, found, strict=True)}
    rows_of_pairs = [
        {"annotator_1": a, "annotator_2": b, "value": one.value, "n_units": one.n_units, "unit": one.unit}
        for (a, b), one in zip(pairs, found, strict=True)
    ]
    test = likeness_test(kept, results, humans, model, epsilon)
    return ModelComparison(model, _compared(chosen, results, model, parts), rows_of_pairs, test)


def _measured_pair(measure: Measure, data: Data, work: Work, pair: tuple[str, str]) -> Any:
    return work.measured(measure, some_of(data, annotators=pair))


def _humans(data: Data, model: str) -> list[str]:
    """Return all annotators but the model; two or more must be left."""
    if model not in data.annotators:
        raise OptionError(f"unknown annotator {model!r}; available: {listed(data.annotators)}", "model")
    humans = [name for name in data.annotators if name != model]
    if len(humans) < 2:
        raise DataError(f"besides {model} there is {listed(humans) or 'nobody'}, but two humans or more are needed")
    return humans


def _comparable(data: Data) -> tuple[Data, str]:
    """Keep documents that can be compared, and name them; where there are few, make documents of blocks of items."""
    if isinstance(data, Ratings):
        data = replace(data, items=range(len(data.codes)))  # items of different documents may have the same name
        if len(worked_together(data)) < FEWEST_DOCUMENTS:
            return in_blocks(data), "blocks of items"
    shared = worked_together(data)
    if len(shared) < 2:
        raise DataError("to compare a model, two annotators or more must have worked on at least two documents")
    return some_of(data, documents=[name for name in data.documents if name in shared]), "documents"


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
    one, other = (float(np.mean([result.value for result in kind])) for kind in kinds)
    found = replace(without_values(measure, (HUMANS, WITH_MODEL), parts), values=(one, other))
    groups = grouped(list(defined.values()))
    if len(groups) < 2:
        return replace(found, undefined=f"fewer than two {parts} count for all pairs of annotators")
    first, second = (_mean_of([result.parts.leave_out(groups) for result in kind]) for kind in kinds)
    return replace(found, difference=difference_of_values(found.difference.name, first, second, parts, measure))


def _mean_of(parts: Sequence[Jackknife]) -> Jackknife:
    """Return the mean error of several results, without the same parts."""
    error, without, weights = (
        np.mean([getattr(part, name) for part in parts], axis=0) for name in ("error", "without", "weights")
    )
    scale = replace(parts[0].scale, greatest=max(part.scale.greatest for part in parts))
    return replace(parts[0], error=float(error), without=without, weights=weights, scale=scale)
