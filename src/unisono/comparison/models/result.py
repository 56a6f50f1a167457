"""What is found out about models and people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unisono.comparison.comparisons import difference_table
from unisono.comparison.models.one_model import ModelComparison, mean_table, pair_table
from unisono.comparison.models.places import PEOPLE
from unisono.comparison.models.run_to_run import AVERAGED, RunsOfModel
from unisono.comparison.models.shared import SharedErrors
from unisono.errors import listed
from unisono.results import Captioned, Interval, Table, Tabled
from unisono.results.shown import fixed, written_alike

_MOST_PLACES = 12
"""So many categories or documents are displayed."""
_MOST_PAIRS = 28
"""Tables of more pairs are for programs."""


@dataclass(frozen=True)
class MeanAgreement:
    """The mean agreement of some pairs of annotators.

    Attributes
    ----------
    name : str
        Who they are.
    value : float or None
        The mean; None if no pair has a value.
    interval : Interval or None
        Its interval.
    n_pairs : int
        How many pairs count.
    """

    name: str
    value: float | None
    interval: Interval | None
    n_pairs: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {**vars(self), "interval": None if self.interval is None else self.interval.to_dict()}


@dataclass(frozen=True)
class ModelsComparison(Tabled):
    """Models among people.

    Attributes
    ----------
    measure, symbol : str
        The measure with its parameters, and its letter.
    humans : tuple of str
        The people.
    models : tuple of ModelComparison
        Each model and people; p-values of differences are corrected for the number of models.
    agreements : tuple of MeanAgreement
        Among people, of each model with people, among models; with families, within and between them.
    each : tuple of MeanAgreement
        Each person with the other people, and each model with people.
    pairs : list of dict
        The agreement of every two annotators.
    categories, documents : list of dict
        Agreement on each: people among each other (`people`) and each model with people (`models`), and how far it is
        behind; the worst place first.
    shared : SharedErrors or None
        How far the errors of models are the same; None for a single model.
    families : list of dict
        Agreement among everybody, and among models, without each family of models.
    runs : tuple of RunsOfModel
        Models that were run several times.
    notes : tuple of str
        What a reader should know.

    See Also
    --------
    compare_models, ModelComparison

    Examples
    --------
    >>> import unisono
    >>> labels = {
    ...     "anna": ["a", "b", "a", "b", "a", "b", "b", "a"],
    ...     "bert": ["a", "b", "b", "b", "a", "b", "b", "a"],
    ...     "cleo": ["a", "b", "a", "b", "a", "a", "b", "a"],
    ...     "gpt": ["a", "a", "a", "b", "a", "b", "b", "b"],
    ... }
    >>> found = unisono.compare_models(labels, ["cleo", "gpt"], measure="cohen-kappa")
    >>> [one.model for one in found.models]
    ['cleo', 'gpt']
    >>> [one.name for one in found.agreements]
    ['human–human', 'human–cleo', 'human–gpt', 'model–model']
    """

    measure: str
    symbol: str
    humans: tuple[str, ...]
    models: tuple[ModelComparison, ...]
    agreements: tuple[MeanAgreement, ...]
    each: tuple[MeanAgreement, ...]
    pairs: list[dict[str, Any]]
    categories: list[dict[str, Any]]
    documents: list[dict[str, Any]]
    shared: SharedErrors | None
    families: list[dict[str, Any]]
    runs: tuple[RunsOfModel, ...]
    notes: tuple[str, ...] = ()

    @property
    def undefined(self) -> str | None:
        """Why no model could be compared at all; None if one could."""
        reasons = [one.comparison.undefined for one in self.models]
        some = any(one.comparison.values[1] is not None for one in self.models)
        return None if some else "; ".join(dict.fromkeys(reason for reason in reasons if reason is not None))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "measure": self.measure,
            "humans": [*self.humans],
            "models": [one.to_dict() for one in self.models],
            "agreements": [one.to_dict() for one in self.agreements],
            "each": [one.to_dict() for one in self.each],
            "pairs": self.pairs,
            "categories": self.categories,
            "documents": self.documents,
            "shared_errors": None if self.shared is None else self.shared.to_dict(),
            "families": self.families,
            "runs": [one.to_dict() for one in self.runs],
            "notes": [*self.notes],
        }

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return tables, from agreement to errors in common, and sentences on them."""
        means = [(one.name, one.value, one.interval) for one in self.agreements]
        tables = [pair_table(self.symbol, self.pairs)] if len(self.pairs) <= _MOST_PAIRS else []
        tables.append(mean_table(self.symbol, means))
        compared = [one.comparison for one in self.models if one.comparison.difference.value is not None]
        if compared:
            tables.append(difference_table(compared))
        tables += self._tests()
        tables += self._places("category", self.categories) + self._places("document", self.documents)
        tables += [*self._shared_tables(), *self._family_tables(), *self._run_tables()]
        return tables, [*self._conclusions(), *(f"Note: {note}." for note in self._all_notes())]

    def _tests(self) -> Iterator[Captioned]:
        several = len(self.models) > 1
        for one in self.models:
            if len(self.humans) > 1:
                caption, table, _ = one.test_table()
                yield Captioned(f"{one.model}: {caption[0].lower()}{caption[1:]}" if several else caption, table)

    def _places(self, what: str, rows: Sequence[dict[str, Any]]) -> list[Captioned]:
        if len(rows) < 2:
            return []
        names = [one.model for one in self.models]
        cells = [
            (str(row[what]), row[PEOPLE], *((row["models"].get(name) or {}).get("value") for name in names))
            for row in rows[:_MOST_PLACES]
        ]
        first = f", the first {_MOST_PLACES} of {len(rows)}" if len(rows) > _MOST_PLACES else ""
        caption = f"{self.symbol} by {what}: people with each other, and models with people{first}"
        holds: Any = "labels" if what == "category" else "names"
        return [Captioned(caption, Table((what, PEOPLE, *names), cells, 3, holds))]

    def _shared_tables(self) -> Iterator[Captioned]:
        if self.shared is not None and self.shared.pairs:
            rows = [
                (
                    f"{row['model_1']} – {row['model_2']}",
                    *(row[name] for name in ("correlation", "low", "high")),
                    round(row["n_errors"]),
                )
                for row in self.shared.pairs
            ]
            columns = ("models", "error correlation", "from", "to", "errors")
            yield Captioned("Errors that models share, beyond what people explain", Table(columns, rows, 2))

    def _family_tables(self) -> Iterator[Captioned]:
        if self.families:
            rows = [
                (
                    f"without {row['without']} ({listed(row['models'])})" if row["without"] else "all",
                    *(row[f"{what}{end}"] for what in ("everybody", "among_models") for end in ("", "_low", "_high")),
                )
                for row in self.families
            ]
            columns = ("families of models", "everybody", "from", "to", "models", "from", "to")
            yield Captioned(f"Mean {self.symbol} without each family of models", Table(columns, rows, 3))

    def _run_tables(self) -> Iterator[Captioned]:
        if self.runs:
            rows = []
            for one in self.runs:
                limits = [*_limits(one.interval), one.noise, *_limits(one.noise_interval)]
                rows.append((one.model, len(one.runs), one.stability, *limits))
            stability = ("model", "runs", f"{self.symbol} of runs", "from", "to", "noise", "from", "to")
            yield Captioned("Runs of a model", Table(stability, rows, 2))
            columns = ("model", *(f"{n} run{'' if n == 1 else 's'}" for n in AVERAGED), "very many")
            predicted = [(one.model, *one.averaged.values(), one.without_noise) for one in self.runs if one.averaged]
            if predicted:
                caption = f"Expected {self.symbol} with a person, if runs are averaged"
                yield Captioned(caption, Table(columns, predicted, 3))

    def _conclusions(self) -> Iterator[str]:
        for one in self.models:
            yield from one.conclusions(len(self.models))
        if self.shared is not None:
            yield from _on_shared(self.shared, len(self.models))
        for run in self.runs:
            yield from _on_runs(run, self.symbol)

    def _all_notes(self) -> list[str]:
        several = len(self.models) > 1
        own = [(one.model, remark) for one in self.models for remark in one.remarks]
        common = [remark for remark, n in _counted(own).items() if n == len(self.models)]
        single = [f"{model}: {remark}" if several else remark for model, remark in own if remark not in common]
        return [*self.notes, *common, *(remark for remark in single if remark not in common)]


def _counted(own: Sequence[tuple[str, str]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for _, remark in own:
        found[remark] = found.get(remark, 0) + 1
    return found


def _limits(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _on_shared(shared: SharedErrors, n_models: int) -> Iterator[str]:
    if shared.undefined is not None:
        yield f"Nothing can be said about errors that models share: {shared.undefined}."
    elif shared.n_independent is None or shared.mean is None:
        yield "Nothing can be said about errors that models share: a model hardly errs beyond what people do."
    else:
        it = shared.interval
        limits = () if it is None else (it.low, it.high)
        worth, *span = written_alike(shared.n_independent, *limits, digits=1)
        sure = "" if it is None else f" ({it.level:.0%} interval {' to '.join(span)})"
        yield (
            f"The {n_models} models are worth {worth} independent ones{sure}: the mean correlation of their errors is "
            f"{fixed(shared.mean)}."
        )


def _on_runs(run: RunsOfModel, symbol: str) -> Iterator[str]:
    if run.noise is None:
        return
    if run.needed is None:
        average = "nearly all of it is noise, so average as many runs as you can"
    elif run.needed == 1:
        average = "one run is enough"
    else:
        average = f"average {run.needed} runs to reduce this to at most a tenth of what is left"
    yield (
        f"{run.model}: {run.noise:.0%} of the disagreement between a run and people, in {symbol}, is only due to "
        f"differences between runs; {average}."
    )
