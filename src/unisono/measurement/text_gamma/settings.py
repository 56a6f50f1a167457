"""What a value of text-γ depends on besides the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unisono.alignment.sequences import GapCosts
from unisono.checks import check_flag, check_names, check_number
from unisono.data import Corpus
from unisono.data.editions import Editions, editions
from unisono.dissimilarity.category import Distance, Nominal
from unisono.dissimilarity.combined import WeightedFeature, spelled_features, weighted_features
from unisono.dissimilarity.registry import DistanceRole, serves_as
from unisono.dissimilarity.text import TextDissimilarity
from unisono.errors import OptionError, listed, naming
from unisono.formats.entry import as_base
from unisono.measurement.disorder.effort import Effort
from unisono.measurement.readers import read_text_gamma_distances
from unisono.measurement.text_gamma.rates import Prior, Rate, Rates, Wanted, checked_rate
from unisono.results import listed_name

TEXT = "text"
"""The name of the text among the features."""


@dataclass(frozen=True)
class Settings:
    """Everything that a value of text-γ depends on besides the data."""

    dissimilarity: TextDissimilarity  # d(u, v)
    costs: GapCosts  # the costs of gaps in the sequence alignment
    types: tuple[str, ...] | None  # the types of units that count; None: all
    # whether text outside units counts; whether combining marks are kept with their base
    gaps: bool
    graphemes: bool
    base: Corpus | None  # the pre-annotation
    # the requested rates of changes
    p_text: Wanted
    p_segmentation: Wanted
    p_further: float  # how likely one more edit of the same unit is
    effort: Effort  # the precision, the time limit and the seed
    rates: Rates | None = None  # the rates themselves, if they are already known

    def __post_init__(self) -> None:
        if self.types is not None and not self.types:
            raise OptionError.about("types", "types must name at least one type; leave it out for all")

    def editions(self, corpus: Corpus) -> Editions:
        """Make editions of a corpus."""
        names = [feature.name for feature in self.dissimilarity.features]
        return editions(corpus, names, types=self.types, gaps=self.gaps, graphemes=self.graphemes)

    def spelled(self, p_text: Rate, p_segmentation: Mapping[str, Rate]) -> dict[str, Any]:
        """Return what goes into the signature: what always matters, and the rest if it is not the default."""
        it = self.dissimilarity
        every = (WeightedFeature(TEXT, it.text_weight, it.text_distance), *it.features)
        segmentation = {listed_name(name, "+=()"): str(rate) for name, rate in p_segmentation.items()}
        if len({*segmentation.values()}) > 1:
            of_types = "+".join(f"{name}={value}" for name, value in segmentation.items())
        else:
            of_types = next(iter(segmentation.values()), "0")
        parameters: dict[str, Any] = {
            "features": spelled_features(every),
            "p_text": f"{p_text}{_origin(self.p_text)}",
            "p_segmentation": f"{of_types}{_origin(self.p_segmentation)}",
        }
        parameters["base"] = "each" if self.base is None else "given"
        for name, value, standard in (
            ("gap_text", self.costs.text, 1.0),
            ("gap_boundary", self.costs.boundary, 1.0),
            ("p_further", self.p_further, 0.0),
            ("gaps", self.gaps, False),
            ("graphemes", self.graphemes, False),
        ):
            if value != standard:
                parameters[name] = value
        if self.types is not None:
            parameters["types"] = "+".join(listed_name(name, "+") for name in self.types)
        return {**parameters, **self.effort.spelled()}


def _origin(wanted: Wanted) -> str:
    return "(estimated)" if wanted is None else f"({wanted})" if isinstance(wanted, Prior) else ""


def settings_of(
    corpus: Corpus,
    *,
    base: Any = None,
    p_text: Any = None,
    p_segmentation: Any = None,
    p_further: float = 0.0,
    features: str | Sequence[str] | Mapping[str, float] | None = None,
    distance: Any = "nominal",
    types: str | Sequence[str] | None = None,
    gap_text: float = 1.0,
    gap_boundary: float = 1.0,
    gaps: bool = False,
    graphemes: bool = False,
    effort: Effort,
) -> Settings:
    """Make settings from the arguments of `text_gamma`."""
    return Settings(
        dissimilarity=_dissimilarity(corpus, features, distance),
        costs=GapCosts(
            check_number(gap_text, "gap_text", above=0), check_number(gap_boundary, "gap_boundary", above=0)
        ),
        types=None if types is None else tuple(check_names(types, "types")),
        gaps=check_flag(gaps, "gaps"),
        graphemes=check_flag(graphemes, "graphemes"),
        base=as_base(base),
        p_text=checked_rate(p_text, "p_text"),
        p_segmentation=checked_rate(p_segmentation, "p_segmentation"),
        p_further=check_number(p_further, "p_further", low=0, high=0.95),
        effort=effort,
    )


def _dissimilarity(
    corpus: Corpus, features: str | Sequence[str] | Mapping[str, float] | None, distance: Any
) -> TextDissimilarity:
    """Combine weights and distances of text and features."""
    names = [name for name in corpus.features if name != "type"] if features is None else features
    weights = dict(names) if isinstance(names, Mapping) else dict.fromkeys(check_names(names, "features"), 1.0)
    if TEXT in weights and TEXT in corpus.features:
        raise OptionError.about(
            "features", 'a feature is named "text", which is reserved for the text itself; rename it'
        )
    unknown = [name for name in weights if name != TEXT and name not in corpus.features]
    if unknown:
        known = listed([name for name in corpus.features if name != "type"]) or "none"
        raise OptionError.about("features", f"unknown feature {unknown[0]!r}; available: {known}")
    text_weight = check_number(weights.pop(TEXT, 1.0), "features", low=0)
    with naming("distance", said=True):
        distances = read_text_gamma_distances(distance)
    text_distance: Distance = Nominal()
    if isinstance(distances, dict):
        text_distance = distances.pop(TEXT, text_distance)
    elif serves_as(distances, DistanceRole.TEXTS):
        text_distance = distances
    return TextDissimilarity(weighted_features(weights, distances), text_weight, text_distance)
