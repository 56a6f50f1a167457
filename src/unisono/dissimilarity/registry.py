"""The registry of distances between labels: what there is, how it is written, and what it is for.

A distance is one class and one `DistanceKind` in this list. Parsing, error messages and the help of parameters read
the list, so a new distance needs nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from unisono.dissimilarity.category import (
    Custom,
    Distance,
    Hierarchy,
    LoadMatrix,
    Masi,
    Matrix,
    Nominal,
    Numeric,
    Ordinal,
    Sets,
)
from unisono.dissimilarity.difference import (
    Bipolar,
    Circular,
    CircularWeights,
    GwetOrdinal,
    IntervalScale,
    Linear,
    NormalizedLevenshtein,
    Quadratic,
    Radical,
    RankPairs,
    RatioScale,
    RatioWeights,
)
from unisono.errors import OptionError

DistanceLike: TypeAlias = str | Distance | Mapping[Any, float] | Callable[[Any, Any], Any]
"""What users may give as a distance: a name, a distance, a table {(a, b): distance} or a function of two arrays."""


class DistanceRole(Enum):
    """What a distance is for: what it compares, and for which measures."""

    GAMMA = "γ"
    TEXT_GAMMA = "text-γ"
    TEXTS = "texts"
    ALPHA = "α"
    WEIGHTS = "weights"


_GAMMA, _TEXT_GAMMA, _TEXTS, _ALPHA, _WEIGHTS = DistanceRole


@dataclass(frozen=True)
class DistanceKind:
    """A distance as it is declared."""

    make: type[Distance]  # its class, which has the name, and a docstring whose first line describes it
    roles: tuple[DistanceRole, ...]  # what it is for
    # how its arguments are written in lists of distances; empty if it has none, or if they are usually left out
    arguments: str = ""
    aliases: tuple[str, ...] = ()  # other names

    @property
    def name(self) -> str:
        """How the distance is called."""
        return self.make.name

    @property
    def about(self) -> str:
        """The distance in one line."""
        return (self.make.__doc__ or "").partition("\n")[0]

    def is_called(self, name: str) -> bool:
        """Whether this is its name or another name for it."""
        return name == self.name or name in self.aliases

    def __str__(self) -> str:
        return f"{self.name}({self.arguments})" if self.arguments else self.name


_KINDS = [
    DistanceKind(Nominal, (_GAMMA, _TEXT_GAMMA, _TEXTS, _ALPHA, _WEIGHTS), aliases=("identity",)),
    DistanceKind(Ordinal, (_GAMMA, _TEXT_GAMMA, _ALPHA), "low,mid,high"),
    DistanceKind(RankPairs, (_WEIGHTS,), "low,mid,high"),
    DistanceKind(Linear, (_ALPHA, _WEIGHTS)),
    DistanceKind(Quadratic, (_ALPHA, _WEIGHTS)),
    DistanceKind(Radical, (_ALPHA, _WEIGHTS)),
    DistanceKind(Bipolar, (_ALPHA, _WEIGHTS)),
    DistanceKind(RatioWeights, (_WEIGHTS,)),
    DistanceKind(CircularWeights, (_WEIGHTS,)),
    DistanceKind(GwetOrdinal, (_ALPHA, _WEIGHTS)),
    DistanceKind(Numeric, (_GAMMA, _TEXT_GAMMA)),
    DistanceKind(IntervalScale, (_ALPHA,)),
    DistanceKind(RatioScale, (_ALPHA,)),
    DistanceKind(Circular, (_ALPHA,), "PERIOD"),
    DistanceKind(Hierarchy, (_GAMMA, _TEXT_GAMMA, _ALPHA)),
    DistanceKind(Sets, (_GAMMA, _TEXT_GAMMA, _ALPHA), aliases=("jaccard",)),
    DistanceKind(Masi, (_ALPHA,)),
    DistanceKind(NormalizedLevenshtein, (_TEXT_GAMMA, _TEXTS, _ALPHA)),
    DistanceKind(Matrix, (_GAMMA, _TEXT_GAMMA, _ALPHA, _WEIGHTS), "FILE"),
]


def register_distance(kind: DistanceKind) -> None:
    """Add a distance, which can then be named wherever its roles are asked for."""
    for role in kind.roles:
        for name in (kind.name, *kind.aliases):
            if _found(name, role) is not None:
                raise OptionError(f"there is already a distance {name!r} for {role.value}; choose another name")
    _KINDS.append(kind)


def distance_kinds(role: DistanceRole) -> list[DistanceKind]:
    """Return the distances for a role."""
    return [kind for kind in _KINDS if role in kind.roles]


def available_distances(role: DistanceRole) -> str:
    """List the distances for a role, for help and messages."""
    return ", ".join(map(str, distance_kinds(role)))


def as_distance(value: Any, role: DistanceRole) -> Distance:
    """Make a distance of a name without arguments, a distance, a table {(a, b): distance} or a function."""
    if isinstance(value, Distance):
        return _for_role(value, role)
    if isinstance(value, str):
        return named_distance(value, (), role, _read_nothing)
    if isinstance(value, Mapping):
        return Matrix.of_pairs(value)
    if callable(value):
        return Custom(value, "weights" if role is DistanceRole.WEIGHTS else "distance")
    raise OptionError(f"{value!r} is not a distance between labels; available for {_offer(role)}")


def named_distance(name: str, arguments: Sequence[str], role: DistanceRole, load: LoadMatrix) -> Distance:
    """Make the distance of a name and its arguments as they are written; `load` reads the file of a matrix."""
    kind = _found(name, role)
    if kind is None:
        others = list(dict.fromkeys(one.value for other in _KINDS if other.is_called(name) for one in other.roles))
        wrong = f"the distance {name} is for {' and '.join(others)}" if others else f"unknown distance {name!r}"
        raise OptionError(f"{wrong}; available for {_offer(role)}")
    try:
        return kind.make.read(arguments, load)
    except (TypeError, ValueError):
        written = f"{name}({','.join(arguments)})" if arguments else name
        raise OptionError(f"cannot read the distance {written}; write {kind}: {kind.about}") from None


def serves_as(distance: Distance, role: DistanceRole) -> bool:
    """Whether a distance is declared for a role."""
    return any(isinstance(distance, kind.make) for kind in distance_kinds(role))


def _found(name: str, role: DistanceRole) -> DistanceKind | None:
    return next((kind for kind in distance_kinds(role) if kind.is_called(name)), None)


def _for_role(distance: Distance, role: DistanceRole) -> Distance:
    """Take the same scale as another role defines it: Ordinal(…) as weights is Gwet's ordinal; else as it is."""
    kind = _found(distance.name, role)
    return distance if kind is None or isinstance(distance, kind.make) else kind.make(**vars(distance))


def _offer(role: DistanceRole) -> str:
    return f"{role.value}: {available_distances(role)}"


def _read_nothing(path: str) -> Any:
    raise ValueError(path)
