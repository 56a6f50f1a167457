"""Dissimilarity of units: positions and categories combined (Mathet et al. 2015, equations 3 to 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.checks import check_function, check_number
from unisono.data import AnnotationSet, Feature, Label
from unisono.data.annotation_set import Stack
from unisono.dissimilarity.anchored import AnchorRoles
from unisono.dissimilarity.category import Distance, Nominal, called_on_pairs, with_missing
from unisono.dissimilarity.difference_sums import Compare
from unisono.errors import DataError, OptionError
from unisono.results import listed_name, spelled


@dataclass(frozen=True)
class WeightedFeature:
    """A feature that counts, how much, and by which distance."""

    name: str
    weight: float = 1.0
    distance: Distance = field(default_factory=Nominal)


_MOST_KINDS = 200
"""A table of so many combinations of labels takes a third of a megabyte: what a processor keeps at hand."""
_FARTHEST = 1e6
"""Beyond so many lengths of a unit, looking for near ones only is not worth it, and would lose precision."""


@dataclass(frozen=True)
class Dissimilarity:
    """How unlike two units are.

    d(u, v) = α · d_pos(u, v) + β · d_cat(u, v), where d_cat is f_cat of the weighted mean of the features' distances;
    both are multiples of Δ∅, as in equations (3) and (4).
    """

    # weights of position and categories
    alpha: float = 1.0
    beta: float = 1.0
    delta_empty: float = 1.0  # Δ∅, what an empty unit costs; the unit in which all dissimilarities are expressed
    features: tuple[WeightedFeature, ...] = ()  # which features make up d_cat; none: units differ in position only
    # "linear" (f(x) = x), "steep" (f(x) = x - ln(1 - x³⁰), infinite at 1, so that units with altogether different
    # categories never align) or a vectorized function
    f_cat: str | Callable[[FloatArray], FloatArray] = "linear"
    # a function of two `Units` that returns the whole d(u, v), used instead of the formula
    custom: Callable[[Units, Units], Any] | None = None
    roles: AnchorRoles = field(default_factory=AnchorRoles)  # how the anchors of units with several of them count

    def __post_init__(self) -> None:
        check_number(self.alpha, "alpha", low=0)
        check_number(self.beta, "beta", low=0)
        check_number(self.delta_empty, "delta_empty", above=0)
        if self.alpha == self.beta == 0 and self.custom is None:
            raise OptionError.about("alpha", "alpha and beta cannot both be 0: all units would be the same")
        for feature in self.features:
            if not (np.isfinite(feature.weight) and feature.weight > 0):
                message = f"the weight of feature {feature.name!r} must be above 0, not {feature.weight}"
                raise OptionError.about("features", message)
            feature.distance.check_within_one()
        if not callable(self.f_cat) and not (isinstance(self.f_cat, str) and self.f_cat in _F_CAT):
            raise OptionError(f"expected linear, steep or a function, not {self.f_cat!r}", "f_cat")
        if callable(self.f_cat):
            check_function(self.f_cat, "f_cat", "distances")
        check_function(self.custom, "dissimilarity", "u", "v")

    def bind(self, features: Mapping[str, Feature]) -> BoundDissimilarity:
        """Bind to the labels of a corpus."""
        compare: list[tuple[float, Compare]] = []
        total = sum(feature.weight for feature in self.features)
        for feature in self.features:
            if feature.name not in features:
                known = ", ".join(features) or "none"
                raise DataError(f"there is no feature {feature.name!r}; the data has: {known}")
            bound = feature.distance.bind(features[feature.name].labels)
            compare.append((feature.weight / total, with_missing(bound)))
        return BoundDissimilarity(self, tuple(compare), {f.name: features[f.name].labels for f in self.features})


@dataclass(frozen=True, slots=True)
class Kinds:
    """Combinations of labels by number, and how unlike every two of them are; tables have a row for each kind.

    Attributes
    ----------
    step : int64 array, shape (n_features,)
        A unit's kind is Σ step · (code + 1), so that units without a label have a kind, too.
    categorical : float64 array, shape (n_kinds²,)
        d_cat/Δ∅.
    differing : float64 array, shape (n_kinds²,)
        The share of features in which they differ.
    """

    step: IntArray
    categorical: FloatArray
    differing: FloatArray

    def of(self, codes: IntArray) -> IntArray:
        """Return the kind of each unit."""
        return self.step @ (codes + 1)


@dataclass(frozen=True)
class BoundDissimilarity:
    """A dissimilarity that knows the labels; compares units of an annotation set, in units of Δ∅."""

    definition: Dissimilarity
    compare: tuple[tuple[float, Compare], ...] = field(compare=False)
    labels: Mapping[str, tuple[Label, ...]]

    @property
    def features(self) -> tuple[str, ...]:
        """The features whose codes an annotation set must have, in this order."""
        return tuple(self.labels)

    def __call__(self, units: AnnotationSet | Stack, u: IntArray, v: IntArray) -> FloatArray:
        """Return d(u, v)/Δ∅ for units u and v, element by element."""
        it = self.definition
        if it.custom is not None:
            return self._custom(it.custom, units, u, v)
        total = np.zeros(len(u))
        if it.alpha:
            total += it.alpha * self.positional(units, u, v)
        if it.beta and self.compare:
            total += it.beta * self.categorical(units, u, v)
        return total

    def positional(self, units: AnnotationSet | Stack, u: IntArray, v: IntArray) -> FloatArray:
        """Return d_pos(u, v)/Δ∅, of units with several anchors D_pos(u, v)/Δ∅."""
        if units.anchors is not None:
            return self.definition.roles.positional(units.anchors, u, v)
        return positional(units.start[u], units.end[u], units.start[v], units.end[v])

    def categorical(self, units: AnnotationSet | Stack, u: IntArray, v: IntArray) -> FloatArray:
        """Return d_cat(u, v)/Δ∅, equation (4)."""
        distance = np.zeros(len(u))
        for codes, (weight, compare) in zip(units.codes, self.compare, strict=True):
            distance += weight * compare(codes[u], codes[v])
        f_cat = self.definition.f_cat
        return called_on_pairs(f_cat, (distance,), len(u), "f_cat") if callable(f_cat) else _F_CAT[f_cat](distance)

    @cached_property
    def kinds(self) -> Kinds | None:
        """What units may differ in besides position, as a table for kernels; None if there is too much."""
        sizes = [1 + len(labels) for labels in self.labels.values()]
        n_kinds = int(np.prod(sizes, dtype=np.float64)) if sizes else 1
        if self.definition.custom is not None or callable(self.definition.f_cat) or n_kinds > _MOST_KINDS:
            return None
        # every combination of labels, where 0 is none: numbers with a digit for each feature
        step = np.cumprod([1, *sizes[:-1]]) if sizes else np.zeros(0, np.int64)
        codes = np.array([np.arange(n_kinds) // own % size - 1 for own, size in zip(step, sizes, strict=True)])
        nowhere = np.zeros(n_kinds)
        every = Stack(nowhere, nowhere, codes.reshape(len(sizes), n_kinds), 1, np.array([0, n_kinds]))
        u, v = np.divmod(np.arange(n_kinds**2), n_kinds)
        apart = self.categorical(every, u, v) if self.compare else np.zeros(len(u))
        return Kinds(step, apart, (every.codes[:, u] != every.codes[:, v]).mean(axis=0) if sizes else np.zeros(len(u)))

    def reach(self, limit: float) -> float | None:
        """Return how near units must be for d ≤ limit (see `reach`); None if d does not limit it."""
        farthest = self.farthest(limit)
        return None if farthest is None else reach(farthest)

    def farthest(self, limit: float) -> float | None:
        """Return what d_pos can be at most for d ≤ limit, d_cat being 0 or more; None if d does not limit it."""
        it = self.definition
        return None if it.custom is not None or it.alpha * _FARTHEST**2 <= limit else limit / it.alpha

    def __reduce__(self) -> tuple[Any, ...]:
        # comparisons are closures, which cannot be pickled: they are made again in the other process
        features = {name: Feature(np.zeros(0, np.int64), table) for name, table in self.labels.items()}
        return self.definition.bind, (features,)

    def _custom(
        self, function: Callable[[Units, Units], Any], units: AnnotationSet | Stack, u: IntArray, v: IntArray
    ) -> FloatArray:
        def apart(u: IntArray, v: IntArray) -> FloatArray:
            both = self._columns(units, u), self._columns(units, v)
            return called_on_pairs(function, both, len(u), "dissimilarity")

        some = slice(0, 1000)
        given, turned = apart(u, v), apart(v[some], u[some])
        if not np.allclose(given[some], turned, rtol=1e-9, atol=1e-12):
            raise OptionError.about(
                "dissimilarity", "the dissimilarity of two units depends on their order; it must be symmetric"
            )
        return given / self.definition.delta_empty

    def _columns(self, units: AnnotationSet | Stack, index: IntArray) -> Units:
        labels = {}
        for codes, (name, table) in zip(units.codes, self.labels.items(), strict=True):
            column = np.empty(len(table) + 1, dtype=object)
            column[: len(table)] = table
            labels[name] = column[codes[index]]
        return Units(units.start[index], units.end[index], labels)


def positional(start_u: FloatArray, end_u: FloatArray, start_v: FloatArray, end_v: FloatArray) -> FloatArray:
    r"""Compare positions: equation (3), in units of Δ∅.

    .. math:: d_{pos}(u, v) = \left(\frac{|start(u) - start(v)| + |end(u) - end(v)|}
              {(end(u) - start(u)) + (end(v) - start(v))}\right)^2

    Two zero-length units are 0 apart at the same place and infinitely far apart at different places.
    """
    difference = np.abs(start_u - start_v) + np.abs(end_u - end_v)
    length = (end_u - start_u) + (end_v - start_v)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = difference / length
    ratio[(length == 0) & (difference == 0)] = 0.0
    return np.square(ratio)


def reach(limit: float) -> float:
    """Return r such that d_pos ≤ limit only if midpoints are at most r · (sum of lengths)/2 apart.

    Proof: by the triangle inequality, |start(u) - start(v)| + |end(u) - end(v)| is at least twice the distance of the
    midpoints, so √d_pos ≥ 2 · (distance of midpoints) / (sum of lengths).
    """
    return float(np.sqrt(limit))


@dataclass(frozen=True)
class Units:
    """Units as a user's dissimilarity sees them: positions, and labels by feature, as arrays."""

    start: FloatArray
    end: FloatArray
    features: Mapping[str, Any]


def _steep(distance: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(distance - np.log1p(-(np.minimum(distance, 1.0) ** 30)))


_F_CAT: Mapping[str, Callable[[FloatArray], FloatArray]] = {"linear": lambda distance: distance, "steep": _steep}


def spelled_features(features: Sequence[WeightedFeature]) -> str:
    """Write features for a signature, with weights and distances that are not the default."""
    return "+".join(
        listed_name(feature.name, "+*=")
        + ("" if feature.weight == 1 else f"*{spelled(feature.weight)}")
        + ("" if feature.distance.signature == Nominal.name else f"={feature.distance.signature}")
        for feature in features
    )


def weighted_features(
    names: Sequence[str] | Mapping[str, float], distances: Distance | Mapping[str, Distance]
) -> tuple[WeightedFeature, ...]:
    """Combine features, weights and distances; a single distance is for all features."""
    weights = names if isinstance(names, Mapping) else dict.fromkeys(names, 1.0)
    if isinstance(distances, Distance):
        distances = dict.fromkeys(weights, distances)
    unknown = sorted(set(distances) - set(weights))
    if unknown:
        message = f"there is a distance for {unknown[0]!r}, which is not one of the features compared"
        raise OptionError.about("distance", message)
    checked = {name: check_number(weight, "features", low=0) for name, weight in weights.items()}
    return tuple(WeightedFeature(n, w, distances.get(n, Nominal())) for n, w in checked.items())
