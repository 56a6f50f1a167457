"""Judges of the outputs of systems: whether their verdicts are those of people, and what else decides."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from unisono.arrays import BoolArray, IntArray
from unisono.checks import check_names, check_optional_text
from unisono.comparison.judging.agreement import agreement_with, people_among
from unisono.comparison.judging.bias import length_bias, position_bias, ties_of
from unisono.comparison.judging.ranking import (
    SystemSums,
    both_rankings,
    output_keys,
    preferred_systems,
    rank_correlation,
    sums_of,
    sums_of_scores,
)
from unisono.comparison.judging.result import ALL_PEOPLE, JudgedSystems, OneJudge
from unisono.comparison.judging.votes import Votes, votes_of
from unisono.comparison.models.roles import Families, check_families, counted_as_people, looks_like_a_model
from unisono.data.verdicts import Verdicts
from unisono.errors import DataError, OptionError, listed, mention, plural
from unisono.formats.entry import Frame
from unisono.formats.verdict_reading import as_verdicts
from unisono.statistics.kendall import FEWEST_SYSTEMS

_FEW_ITEMS = 30
_MOST_JUDGES = 30

VerdictsLike: TypeAlias = Verdicts | str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Frame
"""What a user can have: a path or several, a data frame."""


def judges(
    data: VerdictsLike,
    models: str | Sequence[str] | None = None,
    *,
    humans: str | Sequence[str] | None = None,
    families: Families = None,
    layer: str | None = None,
    columns: Mapping[str, str] | None = None,
    **reading: Any,
) -> JudgedSystems:
    """Compare judges of systems' outputs with people: agreement, position, length, ties, the ranking of systems.

    Parameters
    ----------
    data : path, several paths, or data frame
        Verdicts: the columns item, system_a, system_b, judge and winner, or item, system, judge and score, or those of
        MT-Bench, Chatbot Arena, AlpacaEval, Arena-Hard or SummEval; `response_a` and `response_b`, or `length_a` and
        `length_b`, if lengths are known, and `turn`.
    models : str or sequence of str, optional
        The judges that are models. If neither models nor humans are named, each judge is compared with all others.
    humans : str or sequence of str, optional
        The judges that are people; by default all who are not models.
    families : mapping or "names", optional
        Family to its systems, which are alike, such as sizes of one model, for the interval of τ; with "names",
        systems whose names begin with the same word are of one family.
    layer : str, optional
        The criterion, if outputs have several scores.
    columns : mapping, optional
        Our names of columns to those of the table, for example ``{"judge": "who"}``.
    **reading
        How tables are read: `format`, `delimiter`, `encoding`, `decimal`, `sheet`; see `unisono.read`.

    Returns
    -------
    JudgedSystems

    See Also
    --------
    compare_models, JudgedSystems

    Examples
    --------
    >>> import pandas
    >>> import unisono
    >>> rows = [
    ...     (item, "x", "y", judge, winner)
    ...     for judge, winners in {"anna": "xxyxyx", "bert": "xxyxxx", "gpt": "xyyxyx"}.items()
    ...     for item, winner in enumerate(winners)
    ... ]
    >>> frame = pandas.DataFrame(rows, columns=["item", "system_a", "system_b", "judge", "winner"])
    >>> found = unisono.judges(frame, "gpt")
    >>> found.people, found.n_items, found.n_systems
    (('anna', 'bert'), 6, 2)
    """
    verdicts = as_verdicts(data, check_optional_text(layer, "layer"), columns=columns, **reading)
    of_models, of_people, named = _roles(verdicts, models, humans)
    family = _family_numbers(families, verdicts.systems)
    votes = votes_of(verdicts)
    people = _codes(verdicts, of_people)
    if named:
        _check_common(votes, _codes(verdicts, of_models), people)
    better = preferred_systems(votes, people)
    among = people_among(votes, people)
    return JudgedSystems(
        tuple(of_people),
        tuple(_one(votes, name, people, better, family) for name in of_models),
        None if among is None else among.share(),
        _together(votes, people),
        "pairs" if verdicts.paired else "outputs",
        len(verdicts.items),
        len(verdicts.systems),
        (*_notes(verdicts, of_people, named, among is None), *_on_families(verdicts.systems, families)),
    )


def _roles(verdicts: Verdicts, models: Any, humans: Any) -> tuple[list[str], list[str], bool]:
    """Return the judges that are models and people, and whether anybody said who is what."""
    given = [
        None if names is None else list(dict.fromkeys(check_names(names, parameter)))
        for names, parameter in ((models, "models"), (humans, "humans"))
    ]
    for names, parameter in zip(given, ("models", "humans"), strict=True):
        for name in names or ():
            if name not in verdicts.judges:
                raise OptionError(f"unknown judge {name!r}; available: {listed(verdicts.judges)}", parameter)
        if names == []:
            raise OptionError("name at least one judge", parameter)
    of_models, of_people = given
    if of_models is None and of_people is None:
        if len(verdicts.judges) > _MOST_JUDGES:
            raise DataError(
                f"there are {len(verdicts.judges)} judges; name the models among them with "
                f"{mention('models', ['NAME'])}"
            )
        return list(verdicts.judges), list(verdicts.judges), False
    if of_models is None:
        of_models = [name for name in verdicts.judges if name not in (of_people or ())]
    elif of_people is None:
        of_people = [name for name in verdicts.judges if name not in of_models]
    people = of_people or []
    both = [name for name in of_models if name in people]
    if both:
        raise OptionError(f"{both[0]} is named both as a model and as a person; choose one", "humans")
    if not of_models or not people:
        missing = "models" if not of_models else "people"
        raise DataError(
            f"there are no judges besides {listed(of_models or people, 5)}; {missing} are needed to compare"
        )
    return of_models, people, True


def _family_numbers(families: Families, systems: Sequence[str]) -> IntArray | None:
    """Return the number of each system's family; None if there are no families."""
    known = check_families(families, systems, what="system")
    if known is None:
        return None
    number = {system: place for place, members in enumerate(known.values()) for system in members}
    return np.array([number[system] for system in systems], dtype=np.int64)


def _on_families(systems: Sequence[str], families: Families) -> Iterator[str]:
    """Propose families if names look like some; they are never assumed."""
    likely = check_families("names", systems, what="system") or {}
    several = [name for name, members in likely.items() if len(members) > 1]
    if families is None and several and len(likely) > 1 and len(systems) >= FEWEST_SYSTEMS:
        yield (
            f"judging by their names, some systems are of one family ({listed(several, 5)}); if they are alike, the "
            "interval of τ is too narrow; name the families to take that into account"
        )


def _codes(verdicts: Verdicts, names: Sequence[str]) -> IntArray:
    return np.array([verdicts.judges.index(name) for name in names], dtype=np.int64)


def _check_common(votes: Votes, models: IntArray, people: IntArray) -> None:
    """Reject models and people who never judged the same."""
    by_people = votes.counts(people).sum(axis=1) > 0
    if not (by_people & (votes.counts(models).sum(axis=1) > 0)).any():
        what = "pair of outputs" if votes.verdicts.paired else "item with two outputs"
        raise DataError(
            f"the models and the people never judged the same {what}; check that items and systems have the same names"
        )


def _one(votes: Votes, name: str, people: IntArray, better: BoolArray, family: IntArray | None) -> OneJudge:
    judge = votes.verdicts.judges.index(name)
    alone = np.array([judge])
    theirs, own = both_rankings(votes, judge, people)
    return OneJudge(
        name,
        int((votes.verdicts.judge == judge).sum()),
        ties_of(votes, alone),
        agreement_with(votes, judge, people, better),
        position_bias(votes, alone),
        length_bias(votes, judge, people),
        rank_correlation(theirs, own, family),
        _scores(votes, _all_sums(votes, alone)),
    )


def _together(votes: Votes, people: IntArray) -> OneJudge:
    n = int(np.isin(votes.verdicts.judge, people).sum())
    systems = _scores(votes, _all_sums(votes, people))
    return OneJudge(ALL_PEOPLE, n, ties_of(votes, people), None, position_bias(votes, people), None, None, systems)


def _all_sums(votes: Votes, judges_: IntArray) -> SystemSums:
    if votes.verdicts.paired:
        return sums_of(votes, judges_, np.ones(len(votes.places.one), dtype=np.bool_))
    return sums_of_scores(votes, judges_, np.unique(output_keys(votes)))


def _scores(votes: Votes, sums: SystemSums) -> dict[str, float]:
    found = zip(votes.verdicts.systems, sums.scores().tolist(), strict=True)
    return {name: score for name, score in found if score == score}


def _notes(verdicts: Verdicts, people: Sequence[str], named: bool, alone: bool) -> Iterator[str]:
    alike = [name for name in people if looks_like_a_model(name)]
    if not named:
        look = "looks like one" if len(alike) == 1 else "look like models"
        like = f" ({listed(alike, 5)} {look})" if alike else ""
        yield (f"no judge is named as a model{like}, so each is compared with all others; name models to change that")
    elif alike:
        yield f"{counted_as_people(alike)}; name all models"
    if named and alone:
        yield "no two people judged the same, so it is unknown how often people agree with each other"
    few = len(verdicts.questions)
    if few < _FEW_ITEMS:
        yield f"there {'is' if few == 1 else 'are'} only {plural(few, 'item')}; intervals are rough"
