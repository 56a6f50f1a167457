"""What jobs do: read, advise, measure and draft; each function is called in a process of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unisono.adjudication.decision_files import read_decisions
from unisono.adjudication.drafting import undecided_gold
from unisono.adjudication.settling import AnyGold
from unisono.app.reading_form import named
from unisono.comparison import ModelsComparison, compare_models
from unisono.data import Corpus, Data, Export
from unisono.data.unit_kinds import COMPOSITE, SPANS
from unisono.errors import DataError, UnisonoError
from unisono.execution import Progress
from unisono.formats import read, read_base
from unisono.formats.guesses import Guesses, guessed
from unisono.measurement.advice import Advice, advised
from unisono.measurement.completing import Measured, missing_alignments, with_subsets
from unisono.measurement.registry import parse_measure
from unisono.preparation import prepare
from unisono.preparation.preparing import Preparation
from unisono.shuffling import ladder

PREPARING = frozenset(Preparation.__annotations__)
"""Parameters of `prepare`; all others are those of `read`."""
_OF_RELATIONS = ("layers", "features", "where", "clean", "join", "merge_adjacent")
"""Parameters that choose among relations, and not among the spans that they join."""


@dataclass(frozen=True)
class Contents:
    """What was read.

    Attributes
    ----------
    whole : data or None
        Everything that the files hold; None if they cannot be read.
    data : data or None
        What is left of it as the user wants it; None if there is something to choose or to correct.
    error : UnisonoError or None
        What has to be chosen or corrected.
    skipped : tuple of DataError
        Errors of what was passed over.
    guesses : Guesses
        What was detected.
    """

    whole: Data | Export | None = None
    data: Data | None = None
    error: UnisonoError | None = None
    skipped: tuple[DataError, ...] = ()
    guesses: Guesses = field(default_factory=Guesses)


def read_contents(
    paths: Sequence[Path], reading: Mapping[str, Any], preparing: Mapping[str, Any], *, tell: Progress
) -> Contents:
    """Read files, and prepare what they hold; what is wrong is part of the answer."""
    skipped: list[DataError] = []
    how = dict(reading)
    passing = how.pop("skip_bad", False)
    try:
        guesses = guessed(paths, **how)
    except UnisonoError:
        guesses = Guesses()  # reading says why
    found = Contents(guesses=guesses)
    try:
        found = replace(found, whole=read(paths, **how, bad=skipped.append if passing else None, progress=tell))
        found = replace(found, data=_prepared(found.whole, preparing))
    except UnisonoError as error:
        found = replace(found, error=error)
    return replace(found, skipped=tuple(skipped))


def _prepared(whole: Data | Export | None, preparing: Mapping[str, Any]) -> Data:
    assert whole is not None
    data: Data = prepare(whole, **preparing)
    if whole.n_units and not data.n_units:
        raise DataError("what was chosen leaves nothing to measure; choose more")
    return data


def advice_on(data: Data, *, tell: Progress) -> Advice:
    """Find out which measures fit."""
    return advised(data, named)


def measure_data(
    data: Data, written: str, seed: int, more: Mapping[str, Any], *, tell: Progress
) -> tuple[Measured, Mapping[str, Any] | None, ModelsComparison | str | None]:
    """Compute a measure and what its page shows besides.

    `more` may ask for subsets and the ladder, and name a base, and models to compare with people.
    """
    one = parse_measure(written)
    base = read_base(more["base"]) if more.get("base") else None
    result = one.compute(data, base=base, rng=seed, progress=tell)
    if result.undefined and (reason := one.unfit(data)) is not None:
        raise DataError(reason)
    found = with_subsets(str(one), result, more.get("subsets"), progress=tell)
    if more.get("ladder"):
        found = replace(found, ladder=_ladder(data, str(one), result.agreement, base, seed, tell))
    models = _models(data, more["models"], str(one), base, seed, tell) if more.get("models") else None
    return found, missing_alignments(data, [found], progress=tell), models


def _models(
    data: Data, models: Sequence[str], written: str, base: Any, seed: int, tell: Progress
) -> ModelsComparison | str:
    """Compare models with people, or say why that is impossible; the value does not depend on it."""
    try:
        found = compare_models(data, models, measure=written, base=base, rng=seed, progress=tell)
    except UnisonoError as error:
        return f"Models were not compared with people: {error}."
    return found if found.undefined is None else f"Models were not compared with people: {found.undefined}."


def _ladder(data: Data, written: str, agreement: float | None, base: Any, seed: int, tell: Progress) -> Any:
    if agreement is None:
        return "No ladder: there is no value to compare with."
    try:
        return ladder(data, written, value=agreement, base=base, rng=seed, progress=tell)
    except DataError as error:
        return f"No ladder: {error}."


def _spans_beside(data: Data, paths: Sequence[Path], reading: Mapping[str, Any]) -> Corpus | None:
    """Read the spans beside relations or events; None if there are none."""
    if not isinstance(data, Corpus) or reading.get("units") not in COMPOSITE or SPANS not in data.others:
        return None
    chosen = {name: value for name, value in reading.items() if name not in (*_OF_RELATIONS, "skip_bad")}
    how = {name: value for name, value in chosen.items() if name not in PREPARING}
    bad = (lambda error: None) if reading.get("skip_bad") else None
    whole = read(paths, **{**how, "units": SPANS}, bad=bad)
    kept = {name: value for name, value in chosen.items() if name in PREPARING}
    spans = prepare(whole, **{**kept, "annotators": data.annotators})
    return spans if isinstance(spans, Corpus) else None


def draft_of(
    data: Data,
    how: Mapping[str, Any],
    paths: Sequence[Path],
    reading: Mapping[str, Any],
    decisions: Sequence[Path],
    *,
    tell: Progress,
) -> AnyGold:
    """Draft a gold standard; of relations, from the spans beside them and what was decided about these."""
    spans = _spans_beside(data, paths, reading)
    decided = [read_decisions(one) for one in decisions if one.exists()] if spans is not None else []
    return undecided_gold(data, decided, spans=spans, **how, progress=tell)
