"""Crowds: very many people, or people of whom no two annotated enough together, are taken for a few.

Each item's people take seats: person 1, person 2 … Who takes which seat is arbitrary, but does not depend on the order
of items or people. Agreement is then that of any two people, and a seat may be tested as one annotator, as Calderon et
al. (2025, FAQ) suggest.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b

import numpy as np

from unisono.comparison.models.roles import Participants
from unisono.data import Data, Ratings
from unisono.data.labels import MISSING
from unisono.statistics.alternative import FEW_INSTANCES

_SEAT = "person"
_MOST_PEOPLE = 25
"""With more, there are more pairs than anyone wants to know."""


def seated(data: Data, roles: Participants) -> tuple[Data, Participants]:
    """Give people seats if they are a crowd; else return everything as it is."""
    if not isinstance(data, Ratings) or len(roles.humans) < 3:
        return data, roles
    people = [data.annotators.index(name) for name in roles.humans]
    given = data.codes[:, people] >= 0
    several = given.sum(axis=1) >= 2
    together = (given * data.times[:, None]).T.astype(np.float64) @ given
    np.fill_diagonal(together, 0)
    many = len(roles.humans) > _MOST_PEOPLE
    if not many and (together.max() >= FEW_INSTANCES or (several * data.times).sum() < FEW_INSTANCES):
        return data, roles
    seats = min(int(given.sum(axis=1).max()), _MOST_PEOPLE)
    codes = np.full((len(data.codes), seats), MISSING, dtype=np.int64)
    for row in np.flatnonzero(given.any(axis=1)).tolist():
        there = np.flatnonzero(given[row]).tolist()
        labels = {roles.humans[who]: int(data.codes[row, people[who]]) for who in there}
        for seat, name in enumerate(_in_any_order(labels)[:seats]):
            codes[row, seat] = labels[name]
    others = [data.annotators.index(run) for runs in roles.runs.values() for run in runs]
    names = _free_names(seats, [data.annotators[place] for place in others])
    made = replace(
        data,
        annotators=(*names, *(data.annotators[place] for place in others)),
        codes=np.hstack([codes, data.codes[:, others]]),
    )
    few = f"no two people annotated {FEW_INSTANCES} items together"
    why = f"there are more than {_MOST_PEOPLE} people" if many else few
    note = f"{why}, so the work of all {len(roles.humans)} people is combined into that of {seats}"
    return made, replace(roles, humans=names, notes=(*roles.notes, note))


def _in_any_order(labels: dict[str, int]) -> list[str]:
    """Return names in an order that depends on them and their labels only."""
    all_of_them = repr(sorted(labels.items()))
    return sorted(labels, key=lambda name: blake2b(f"{name}\n{all_of_them}".encode("utf-8", "surrogatepass")).digest())


def _free_names(n: int, taken: list[str]) -> tuple[str, ...]:
    word = _SEAT
    while any(name.startswith(word) for name in taken):
        word = f"any {word}"
    return tuple(f"{word} {number}" for number in range(1, n + 1))
