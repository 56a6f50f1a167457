"""Are models as good as people? One model or several, compared with people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np

from unisono.checks import check_number, check_optional_text, check_text
from unisono.comparison.comparisons import corrected_for_number
from unisono.comparison.models.crowds import seated
from unisono.comparison.models.likeness import Likeness
from unisono.comparison.models.one_model import (
    HUMANS,
    ModelComparison,
    compared_model,
    interval_of,
    pair_rows,
    value_of,
)
from unisono.comparison.models.pairs import MeasuredPairs, Pair, measured_pairs
from unisono.comparison.models.places import by_category, by_document
from unisono.comparison.models.result import MeanAgreement, ModelsComparison
from unisono.comparison.models.roles import Families, Participants, check_families, who_is_who
from unisono.comparison.models.run_to_run import runs_of_model
from unisono.comparison.models.scope import Scope, scope_of
from unisono.comparison.models.shared import SharedErrors, model_pairs, shared_errors, without_families
from unisono.comparison.pairing import some_of
from unisono.comparison.work import Work, checked_work, chosen_measures
from unisono.data import Data, Ratings
from unisono.errors import DataError, OptionError
from unisono.execution import Progress, Workers
from unisono.formats.entry import DataLike, Rows, as_data
from unisono.measurement.registry import Measure

EPSILON = 0.15


def compare_models(
    data: DataLike,
    models: str | Sequence[str],
    humans: str | Sequence[str] | None = None,
    measure: str | None = None,
    *,
    epsilon: float = EPSILON,
    families: Families = None,
    base: DataLike | None = None,
    rows: Rows = None,
    rng: int | np.random.Generator | None = 42,
    workers: Workers = None,
    progress: Progress | None = None,
) -> ModelsComparison:
    """Compare models with people, and with each other.

    Parameters
    ----------
    data : DataLike
        What people and models annotated.
    models : str or sequence of str
        The annotators that are models. Annotators called gpt#1, gpt#2 … are runs of the model gpt.
    humans : str or sequence of str, optional
        The people; by default all who are not models.
    measure : str, optional
        A measure with its parameters; by default one that fits the data.
    epsilon : float
        By how much a human may be better in the alternative annotator test, because a model costs less.
    families : mapping or "names", optional
        Family to its models, to show agreement without each family; with "names", models whose names begin with the
        same word are of one family.
    base, rows, rng, workers, progress
        As in `compare`.

    Returns
    -------
    ModelsComparison

    See Also
    --------
    compare_model, ModelsComparison, judges

    Examples
    --------
    >>> import unisono
    >>> labels = {
    ...     "anna": ["a", "b", "a", "b", "a", "b", "b", "a"],
    ...     "bert": ["a", "b", "b", "b", "a", "b", "b", "a"],
    ...     "cleo": ["a", "b", "a", "b", "a", "a", "b", "a"],
    ...     "gpt": ["a", "a", "a", "b", "a", "b", "b", "b"],
    ... }
    >>> found = unisono.compare_models(labels, ["gpt"], measure="cohen-kappa")
    >>> found.humans
    ('anna', 'bert', 'cleo')
    >>> [(one.name, round(one.value, 3)) for one in found.agreements]
    [('human–human', 0.676), ('human–gpt', 0.333)]
    """
    if check_number(epsilon, "epsilon", low=0, high=1) == 1:
        raise OptionError("expected a number from 0 to below 1, e.g. 0.2 for experts or 0.1 for crowds", "epsilon")
    whole = as_data(data, rows=rows)
    roles = who_is_who(whole, models, humans)
    known = check_families(families, roles.models)
    if known is not None and len(roles.models) < 2:
        raise OptionError("families consist of several models; name two models or more, or leave it out", "families")
    return _compared(
        whole,
        roles,
        known,
        measure,
        epsilon,
        checked_work(base, rng, workers, progress),
    )


def compare_model(
    data: DataLike,
    model: str,
    measure: str | None = None,
    *,
    humans: str | Sequence[str] | None = None,
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
        The annotator that is a model.
    measure : str, optional
        A measure with its parameters; by default one that fits the data.
    humans : str or sequence of str, optional
        The humans; by default all others.
    epsilon : float
        By how much a human may be better in the alternative annotator test, because a model costs less.
    base, rows, rng, workers, progress
        As in `compare`.

    Returns
    -------
    ModelComparison

    See Also
    --------
    compare_models, compare_groups, ModelComparison

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
    >>> len(found.pairs)
    6
    >>> round(found.pairs[0]["value"], 3)
    0.75
    """
    if check_number(epsilon, "epsilon", low=0, high=1) == 1:
        raise OptionError("expected a number from 0 to below 1, e.g. 0.2 for experts or 0.1 for crowds", "epsilon")
    whole = as_data(data, rows=rows)
    roles = who_is_who(whole, check_text(model, "model"), humans, parameter="model")
    found = _compared(whole, roles, None, measure, epsilon, checked_work(base, rng, workers, progress))
    return replace(found.models[0], notes=found.notes)


@dataclass(frozen=True)
class _Study:
    """What is compared, and how."""

    data: Data
    roles: Participants
    measure: Measure
    work: Work

    @classmethod
    def of(cls, whole: Data, roles: Participants, measure: str | None, work: Work) -> _Study:
        data = some_of(whole, annotators=roles.everybody)
        two = some_of(data, annotators=roles.everybody[:2])
        (chosen,) = chosen_measures(check_optional_text(measure, "measure"), two, data, parameter="measure")
        return cls(data, roles, chosen, work)

    def together(self) -> MeasuredPairs | str:
        """Measure everybody on what all models did, or explain why there is nothing."""
        try:
            scope = scope_of(self.data, [*self.roles.runs.values()], self.roles.humans)
        except DataError as error:
            return str(error)
        return self._measured(scope, self.roles.everybody)

    def alone(self, model: str, together: MeasuredPairs | str) -> MeasuredPairs:
        """Measure people and one model on what it did; where that is what all models did, this is known already."""
        runs = self.roles.runs[model]
        scope = scope_of(self.data, [runs], self.roles.humans)
        if isinstance(together, MeasuredPairs) and together.scope.size == scope.size:
            return together  # it is a part of what this model did, and as large
        return self._measured(scope, [*self.roles.humans, *runs])

    def _measured(self, scope: Scope, annotators: Sequence[str]) -> MeasuredPairs:
        pairs = [frozenset(pair) for pair in combinations(annotators, 2)]
        found = measured_pairs(scope, pairs, self.measure, self.work)
        if not found.errors:
            raise DataError(f"no two annotators have a value: {found.reason(combinations(annotators, 2))}")
        return found


def _compared(
    whole: Data,
    roles: Participants,
    families: dict[str, list[str]] | None,
    measure: str | None,
    epsilon: float,
    work: Work,
) -> ModelsComparison:
    whole, roles = seated(whole, roles)
    study = _Study.of(whole, roles, measure, work)
    chosen, humans = study.measure, roles.humans
    together = study.together()
    alone = {model: study.alone(model, together) for model in roles.models}
    scopes = {id(measured): measured for measured in alone.values()}
    alike = {key: Likeness.of(_with_people(measured, humans), measured.scope.data) for key, measured in scopes.items()}
    found = [
        compared_model(alone[model], alike[id(alone[model])], model, runs, humans, chosen, epsilon)
        for model, runs in roles.runs.items()
    ]
    several = len(roles.models) > 1
    if several:
        corrected = corrected_for_number([one.comparison for one in found])
        found = [replace(one, comparison=comparison) for one, comparison in zip(found, corrected, strict=True)]
    shared, by_family, pairs = None, [], found[0].pairs
    if isinstance(together, str):
        shared = SharedErrors([], undefined=together) if several else None
        pairs = [*{(row["annotator_1"], row["annotator_2"]): row for one in found for row in one.pairs}.values()]
    else:
        everybody = [*combinations(humans, 2), *product(humans, _runs(roles)), *combinations(_runs(roles), 2)]
        pairs = pair_rows(together, everybody)
        if several:
            shared = shared_errors(together, roles, chosen.declaration)
        if several and families:
            by_family = without_families(together, roles, families)
    return ModelsComparison(
        measure=str(chosen),
        symbol=chosen.declaration.symbol,
        humans=humans,
        models=tuple(found),
        agreements=tuple(_agreements(together, alone, roles, families)),
        each=tuple(_each(together, alone, roles)),
        pairs=pairs,
        categories=by_category(alone, roles.runs, humans),
        documents=by_document(alone, roles.runs, humans),
        shared=shared,
        families=by_family,
        runs=tuple(
            runs_of_model(alone[model], model, runs, humans, chosen, work, study.data)
            for model, runs in roles.runs.items()
            if len(runs) > 1
        ),
        notes=(*roles.notes, *(study.data.notes if isinstance(study.data, Ratings) else ())),
    )


def _with_people(measured: MeasuredPairs, humans: Sequence[str]) -> dict[Pair, Any]:
    """Return the results of pairs with a person."""
    return {
        pair: result
        for pair, result in measured.results.items()
        if not isinstance(result, str) and not pair.isdisjoint(humans)
    }


def _runs(roles: Participants) -> list[str]:
    return [run for runs in roles.runs.values() for run in runs]


def _agreements(
    together: MeasuredPairs | str,
    alone: dict[str, MeasuredPairs],
    roles: Participants,
    families: dict[str, list[str]] | None,
) -> Iterator[MeanAgreement]:
    """Go through means of pairs: people, each model with people, models."""
    people = [*combinations(roles.humans, 2)]
    if people:
        yield _mean(HUMANS, next(iter(alone.values())) if isinstance(together, str) else together, people)
    for model, runs in roles.runs.items():
        yield _mean(f"human–{model}", alone[model], [*product(roles.humans, runs)])
    if isinstance(together, str) or len(roles.models) < 2:
        return
    yield _mean("model–model", together, model_pairs(roles, roles.models))
    if families is not None:
        of = {model: family for family, models in families.items() for model in models}
        same = [pair for pair in combinations(roles.models, 2) if of[pair[0]] == of[pair[1]]]
        others = [pair for pair in combinations(roles.models, 2) if of[pair[0]] != of[pair[1]]]
        for name, chosen in (("models of one family", same), ("models of different families", others)):
            if chosen:
                yield _mean(name, together, [one for pair in chosen for one in model_pairs(roles, pair)])


def _each(
    together: MeasuredPairs | str, alone: dict[str, MeasuredPairs], roles: Participants
) -> Iterator[MeanAgreement]:
    """Go through annotators: each person with the other people, each model with people."""
    among = next(iter(alone.values())) if isinstance(together, str) else together
    for person in roles.humans if len(roles.humans) > 1 else ():
        yield _mean(person, among, [(person, other) for other in roles.humans if other != person])
    for model, runs in roles.runs.items():
        yield _mean(model, alone[model], [*product(roles.humans, runs)])


def _mean(name: str, measured: MeasuredPairs, pairs: Sequence[tuple[str, str]]) -> MeanAgreement:
    found = measured.jackknife(pairs)
    return MeanAgreement(name, value_of(found), interval_of(found), len(measured.known(pairs)))
