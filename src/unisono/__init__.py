"""unisono: how far annotators agree, and where they do not.

Names are imported when first used, so that importing the package costs nothing heavy.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from unisono.version import __version__

if TYPE_CHECKING:
    from unisono import shuffling, studies
    from unisono.comparison import compare, compare_groups, compare_model, plan
    from unisono.data import Corpus, Document, Normalizations, Ratings, Unit
    from unisono.data.atoms import to_atoms
    from unisono.data.coinciding import to_ratings
    from unisono.data.cuts import from_masses, to_cuts
    from unisono.data.rewritten import to_normalizations
    from unisono.dissimilarity.category import Hierarchy, Matrix, Nominal, Numeric, Ordinal, Sets
    from unisono.errors import DataError, OptionError, UnisonoError
    from unisono.formats import from_frame, read, write
    from unisono.gold import gold
    from unisono.measures.advice import advise
    from unisono.measures.categorization import (
        bennett_s,
        cohen_kappa,
        fleiss_kappa,
        gwet_ac1,
        gwet_ac2,
        krippendorff_alpha,
        multi_kappa,
        percent_agreement,
        randolph_kappa,
        scott_pi,
        weighted_kappa,
    )
    from unisono.measures.gamma import align, gamma
    from unisono.measures.normalization import normalization, representation
    from unisono.measures.registry import measure, measures
    from unisono.measures.segmentation import (
        boundary_similarity,
        generalized_hamming,
        pk,
        segmentation_similarity,
        window_diff,
    )
    from unisono.measures.text_gamma import Prior, text_gamma
    from unisono.measures.unitizing import (
        alpha_u,
        cu_alpha,
        discretized_alpha,
        discretized_kappa,
        slot_error_rate,
        span_f1,
        u_alpha,
    )
    from unisono.preparation.prepare import prepare
    from unisono.report.full.writing import report

__all__ = [
    "Corpus",
    "DataError",
    "Document",
    "Hierarchy",
    "Matrix",
    "Nominal",
    "Normalizations",
    "Numeric",
    "OptionError",
    "Ordinal",
    "Prior",
    "Ratings",
    "Sets",
    "UnisonoError",
    "Unit",
    "__version__",
    "advise",
    "align",
    "alpha_u",
    "bennett_s",
    "boundary_similarity",
    "cohen_kappa",
    "compare",
    "compare_groups",
    "compare_model",
    "cu_alpha",
    "discretized_alpha",
    "discretized_kappa",
    "fleiss_kappa",
    "from_frame",
    "from_masses",
    "gamma",
    "generalized_hamming",
    "gold",
    "gwet_ac1",
    "gwet_ac2",
    "krippendorff_alpha",
    "measure",
    "measures",
    "multi_kappa",
    "normalization",
    "percent_agreement",
    "pk",
    "plan",
    "prepare",
    "randolph_kappa",
    "read",
    "report",
    "representation",
    "scott_pi",
    "segmentation_similarity",
    "shuffling",
    "slot_error_rate",
    "span_f1",
    "studies",
    "text_gamma",
    "to_atoms",
    "to_cuts",
    "to_normalizations",
    "to_ratings",
    "u_alpha",
    "weighted_kappa",
    "window_diff",
    "write",
]

_HOMES = {
    "Corpus": "unisono.data",
    "DataError": "unisono.errors",
    "Document": "unisono.data",
    "Hierarchy": "unisono.dissimilarity.category",
    "Matrix": "unisono.dissimilarity.category",
    "Nominal": "unisono.dissimilarity.category",
    "Normalizations": "unisono.data",
    "Numeric": "unisono.dissimilarity.category",
    "OptionError": "unisono.errors",
    "Ordinal": "unisono.dissimilarity.category",
    "Prior": "unisono.measures.text_gamma",
    "Ratings": "unisono.data",
    "Sets": "unisono.dissimilarity.category",
    "UnisonoError": "unisono.errors",
    "Unit": "unisono.data",
    "advise": "unisono.measures.advice",
    "align": "unisono.measures.gamma",
    "alpha_u": "unisono.measures.unitizing",
    "bennett_s": "unisono.measures.categorization",
    "boundary_similarity": "unisono.measures.segmentation",
    "cohen_kappa": "unisono.measures.categorization",
    "compare": "unisono.comparison",
    "compare_groups": "unisono.comparison",
    "compare_model": "unisono.comparison",
    "cu_alpha": "unisono.measures.unitizing",
    "discretized_alpha": "unisono.measures.unitizing",
    "discretized_kappa": "unisono.measures.unitizing",
    "fleiss_kappa": "unisono.measures.categorization",
    "from_frame": "unisono.formats",
    "from_masses": "unisono.data.cuts",
    "gamma": "unisono.measures.gamma",
    "generalized_hamming": "unisono.measures.segmentation",
    "gold": "unisono.gold",
    "gwet_ac1": "unisono.measures.categorization",
    "gwet_ac2": "unisono.measures.categorization",
    "krippendorff_alpha": "unisono.measures.categorization",
    "measure": "unisono.measures.registry",
    "measures": "unisono.measures.registry",
    "multi_kappa": "unisono.measures.categorization",
    "normalization": "unisono.measures.normalization",
    "percent_agreement": "unisono.measures.categorization",
    "pk": "unisono.measures.segmentation",
    "plan": "unisono.comparison",
    "prepare": "unisono.preparation",
    "randolph_kappa": "unisono.measures.categorization",
    "read": "unisono.formats",
    "report": "unisono.report.full.writing",
    "representation": "unisono.measures.normalization",
    "scott_pi": "unisono.measures.categorization",
    "segmentation_similarity": "unisono.measures.segmentation",
    "slot_error_rate": "unisono.measures.unitizing",
    "span_f1": "unisono.measures.unitizing",
    "text_gamma": "unisono.measures.text_gamma",
    "to_atoms": "unisono.data.atoms",
    "to_cuts": "unisono.data.cuts",
    "to_normalizations": "unisono.data.rewritten",
    "to_ratings": "unisono.data.coinciding",
    "u_alpha": "unisono.measures.unitizing",
    "weighted_kappa": "unisono.measures.categorization",
    "window_diff": "unisono.measures.segmentation",
    "write": "unisono.formats",
}


class _Names(ModuleType):
    """Keeps a name that is both a function and a room, such as gold, for the function, whatever is imported first."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _HOMES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Names


def __getattr__(name: str) -> Any:
    if name in ("shuffling", "studies"):
        return importlib.import_module(f"unisono.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'unisono' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
