"""One model among people: agreement among people and with the model, and the alternative annotator test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

from unisono.comparison.comparisons import Comparison, conclusion, difference_table, without_values
from unisono.comparison.models.likeness import Likeness
from unisono.comparison.models.pairs import MeasuredPairs
from unisono.comparison.two_studies import as_values
from unisono.errors import listed
from unisono.measurement.registry import Measure
from unisono.results import Captioned, Interval, Table, Tabled, p_value
from unisono.results.shown import written_alike
from unisono.statistics.alternative import FEW_INSTANCES, AlternativeTest
from unisono.statistics.jackknife import Jackknife
from unisono.statistics.paired import difference_of_errors, difference_of_mean_errors

HUMANS = "human–human"
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
    notes : tuple of str
        Clauses on who is what.

    See Also
    --------
    compare_model, ModelsComparison

    Examples
    --------
    >>> import unisono
    >>> labels = {
    ...     "anna": ["a", "b", "a", "b", "a", "b", "b", "a"],
    ...     "bert": ["a", "b", "b", "b", "a", "b", "b", "a"],
    ...     "cleo": ["a", "b", "a", "b", "a", "a", "b", "a"],
    ...     "gpt": ["a", "a", "a", "b", "a", "b", "b", "b"],
    ... }
    >>> found = unisono.compare_model(labels, "gpt", "cohen-kappa")
    >>> [round(value, 3) for value in found.comparison.values]
    [0.676, 0.333]
    """

    model: str
    comparison: Comparison
    pairs: list[dict[str, Any]]
    test: AlternativeTest
    notes: tuple[str, ...] = ()

    @property
    def remarks(self) -> list[str]:
        """What one should know about the comparison and the test."""
        found = [*self.notes]
        n_undefined = sum(row["value"] is None for row in self.pairs)
        if n_undefined:
            have = "has no value and does" if n_undefined == 1 else "have no value and do"
            found.append(f"{n_undefined:,} of {len(self.pairs):,} pairs {have} not count in the means")
        n_humans = len(self.test.humans)
        if n_humans == 1:
            found.append(f"with one person, {self.test.humans[0].annotator}, nothing shows how well people agree")
        elif n_humans < 3:
            found.append("the test needs three humans or more; with two there is no consensus to compare with")
        few = [f"{one.annotator} ({one.n})" for one in self.test.humans if one.wins is None]
        if few and n_humans > 1:
            found.append(
                f"the test needs {FEW_INSTANCES} {self.test.instances} or more, better 50 to 100; there are fewer, and "
                f"therefore no verdict, for {listed(few)}"
            )
        unsure = [one.annotator for one in self.test.humans if one.wins and not one.wins_by_score]
        if unsure:
            found.append(
                f"that {self.model} may replace {listed(unsure)} rests on the t-test of the paper, which is too "
                "lenient where a model is hardly ever better than a human; a score test does not confirm it"
            )
        return found

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return pairs of annotators, the two means and the test as tables, and sentences on them."""
        one = self.comparison
        means = [row for row in zip((one.one, one.other), one.values, one.intervals, strict=True) if row[1] is not None]
        tables = [pair_table(one.symbol, self.pairs), mean_table(one.symbol, means)]
        if len(self.test.humans) > 1:
            tables += [difference_table([one]), self.test_table()]
        return (
            tables,
            [*self.conclusions(), *(f"Note: {remark}." for remark in self.remarks)],
        )

    def test_table(self) -> Captioned:
        """Return the alternative annotator test as a table."""
        test = self.test
        humans = [
            (h.annotator, h.model, h.human, p_value(h.p), _VERDICTS[h.wins], p_value(h.p_score), h.n)
            for h in test.humans
        ]
        columns = ("human", "model as good (ρ)", "human as good (ρ)", "p", "model may replace", "p (score)")
        return Captioned(
            f"Alternative annotator test, ε = {test.epsilon:g}", Table((*columns, test.instances), humans, 3)
        )

    def conclusions(self, n_models: int = 1) -> Iterator[str]:
        """Say in sentences whether agreement differs, and how the test ended; nothing with one person."""
        if len(self.test.humans) > 1:
            yield conclusion(self.comparison, n_models)
        test = self.test
        if test.advantage is None:
            return
        limits = () if test.interval is None else (test.interval.low, test.interval.high)
        value, *span = written_alike(test.advantage, *limits)
        name, rho = "the alternative annotator test (Calderon et al. 2025)", f"ρ = {value}"
        if test.interval is not None:
            rho += f" ({test.interval.level:.0%} interval {' to '.join(span)})"
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


def pair_table(symbol: str, pairs: Sequence[dict[str, Any]]) -> Captioned:
    """Return the agreement of every two annotators as a table."""
    rows = [(f"{row['annotator_1']} – {row['annotator_2']}", row["value"], row["n_units"]) for row in pairs]
    return Captioned(f"{symbol} of every two annotators", Table(("pair", symbol, f"{pairs[0]['unit']}s"), rows, 3))


def mean_table(symbol: str, means: Any) -> Captioned:
    """Return means of pairs as a table: names, values, intervals."""
    rows = [
        (name, value, *((None, None) if interval is None else (interval.low, interval.high)))
        for name, value, interval in means
    ]
    return Captioned(f"Mean {symbol} of pairs", Table(("pairs", symbol, "from", "to"), rows, 3))


def compared_model(
    measured: MeasuredPairs,
    likeness: Likeness,
    model: str,
    runs: Sequence[str],
    humans: Sequence[str],
    measure: Measure,
    epsilon: float,
) -> ModelComparison:
    """Compare the mean of pairs of humans with that of humans and the model; pairs without a value do not count."""
    among, mixed = [*combinations(humans, 2)], [*product(humans, runs)]
    blank = without_values(measure, (HUMANS, f"human–{model}"), measured.parts)
    one, other = measured.jackknife(among), measured.jackknife(mixed)
    why: str | None
    if len(humans) == 1:
        why = f"there is one person, {humans[0]}, so nothing shows how well people agree"
    else:
        missing = next((pairs for pairs, found in ((among, one), (mixed, other)) if found is None), None)
        why = None if missing is None else measured.reason(missing)
    found = replace(
        blank,
        values=(value_of(one), value_of(other)),
        intervals=(interval_of(one), interval_of(other)),
        undefined=why,
    )
    if one is not None and other is not None:
        of = difference_of_mean_errors if measured.scope.items else difference_of_errors
        difference = as_values(of(found.difference.name, one, other, what=measured.parts), measure)
        found = replace(found, difference=difference)
    test = likeness.test(humans, runs, epsilon, by_document=not measured.scope.items)
    return ModelComparison(model, found, pair_rows(measured, [*among, *mixed]), test)


def pair_rows(measured: MeasuredPairs, pairs: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return the agreement of some pairs, as rows."""
    unit = next((one.unit for one in measured.results.values() if not isinstance(one, str)), "unit")
    rows = []
    for one, other in pairs:
        result = measured.results.get(frozenset((one, other)))
        value, n_units = (None, 0) if result is None or isinstance(result, str) else (result.value, result.n_units)
        rows.append({"annotator_1": one, "annotator_2": other, "value": value, "n_units": n_units, "unit": unit})
    return rows


def value_of(mean: Jackknife | None) -> float | None:
    """Return the value of a mean error."""
    if mean is None:
        return None
    return 1 - mean.error if mean.scale.agreement else mean.error


def interval_of(mean: Jackknife | None) -> Interval | None:
    """Return the interval of a mean error, if it has one."""
    found = None if mean is None else mean.interval()
    return found if isinstance(found, Interval) else None
