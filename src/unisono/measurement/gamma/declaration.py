"""γ as the registry knows it."""

from __future__ import annotations

from typing import Any

from unisono.alignment.alignment import Alignment
from unisono.data import Corpus, Data
from unisono.dissimilarity.registry import DistanceRole, available_distances
from unisono.execution import Progress, Workers
from unisono.measurement.declaration import Declaration, Parameter
from unisono.measurement.disorder.fit import unfit_for_alignment
from unisono.measurement.gamma.measure import CHANCE, align, gamma, gamma_settings, measure_gamma
from unisono.measurement.gamma.result import GammaResult
from unisono.measurement.readers import (
    choice,
    names_with_weights,
    number,
    read_gamma_distances,
    time_or_none,
    weights_by_name,
    yes_or_no,
)


def _unfit(corpus: Data, **_: Any) -> str | None:
    return unfit_for_alignment(corpus)


def _align(corpus: Corpus, **options: Any) -> dict[str, Alignment]:
    """Align; what only the expected disorder depends on does not matter."""
    return align(corpus, **{name: value for name, value in options.items() if name not in _OF_CHANCE})


def _stream(
    corpus: Corpus, ledger: Any, *, rng: int, workers: Workers, progress: Progress | None, **options: Any
) -> GammaResult:
    settings = gamma_settings(corpus, rng=rng, **options)
    return measure_gamma(corpus, settings, workers=workers, progress=progress, ledger=ledger)


_OF_CHANCE = ("chance", "precision", "confidence")

DECLARATIONS = (
    Declaration(
        name="gamma",
        symbol="γ",
        family="units",
        title="γ: units placed freely on a continuum, with categories; measure and alignment in one",
        needs="spans with or without categories, nested or overlapping; two or more annotators",
        ignores="only features that are not named",
        when="if annotators found the spans themselves, and where and what they marked both count",
        reference="Mathet, Widlöcher & Métivier 2015; γ_cat and γ_k: Mathet 2017",
        papers=("mathet2015", "mathet2017"),
        parameters=(
            Parameter("alpha", 1.0, number, "the weight of positions, a number not below 0"),
            Parameter("beta", 1.0, number, "the weight of categories, a number not below 0"),
            Parameter("delta_empty", 1.0, number, "Δ∅, the cost of an empty unit, a number above 0"),
            Parameter(
                "features",
                None,
                names_with_weights,
                "the features that make up the category, e.g. pos or [pos:2,lemma]",
            ),
            Parameter(
                "distance",
                "nominal",
                read_gamma_distances,
                f"{available_distances(DistanceRole.GAMMA)}, or [feature:…,feature:…]",
            ),
            Parameter(
                "roles", None, weights_by_name, "the weights of roles of relations and events, e.g. [source:2,target:1]"
            ),
            Parameter("directed", True, yes_or_no, "true or false: whether the direction from source to target counts"),
            Parameter("f_cat", "linear", choice("linear", "steep"), "linear or steep"),
            Parameter("chance", "auto", choice(*CHANCE), "auto, shift, corpus or statistical (as pygamma-agreement)"),
            Parameter("precision", 0.02, number, "the relative error of the expected disorder, e.g. 0.02"),
            Parameter("confidence", 0.95, number, "the confidence in that precision, e.g. 0.95"),
            Parameter("time_limit", None, time_or_none, "how long it may take in all, e.g. 90s, 5m or 2h, or none"),
        ),
        compute=gamma,
        align=_align,
        stream=_stream,
        takes_overlap=True,
        takes_composite=True,
        unfit=_unfit,
    ),
)
