"""unisono: how far annotators agree, and where they do not.

This module, `unisono.shuffling` and `unisono.studies` are the public interface; docs/api.md lists every name. All other
modules are internal: what is in them may change in any release.

Names are imported when first used, so that importing the package costs nothing heavy.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from unisono import drawing
from unisono.version import __version__ as __version__

if TYPE_CHECKING:
    from unisono import shuffling as shuffling
    from unisono import studies as studies
    from unisono.adjudication import Gold as Gold
    from unisono.adjudication import ItemGold as ItemGold
    from unisono.adjudication import TextGold as TextGold
    from unisono.adjudication import gold as gold
    from unisono.alignment.alignment import Alignment as Alignment
    from unisono.alignment.text_alignment import TextAlignment as TextAlignment
    from unisono.comparison import Comparisons as Comparisons
    from unisono.comparison import JudgedSystems as JudgedSystems
    from unisono.comparison import ModelComparison as ModelComparison
    from unisono.comparison import ModelsComparison as ModelsComparison
    from unisono.comparison import Plan as Plan
    from unisono.comparison import Prevalences as Prevalences
    from unisono.comparison import compare as compare
    from unisono.comparison import compare_groups as compare_groups
    from unisono.comparison import compare_model as compare_model
    from unisono.comparison import compare_models as compare_models
    from unisono.comparison import judges as judges
    from unisono.comparison import plan as plan
    from unisono.comparison import prevalence as prevalence
    from unisono.data import Corpus as Corpus
    from unisono.data import Document as Document
    from unisono.data import Export as Export
    from unisono.data import Normalizations as Normalizations
    from unisono.data import Question as Question
    from unisono.data import Ratings as Ratings
    from unisono.data import Unit as Unit
    from unisono.data.cuts import from_masses as from_masses
    from unisono.dissimilarity.category import Distance as Distance
    from unisono.dissimilarity.category import Hierarchy as Hierarchy
    from unisono.dissimilarity.category import Matrix as Matrix
    from unisono.dissimilarity.category import Nominal as Nominal
    from unisono.dissimilarity.category import Numeric as Numeric
    from unisono.dissimilarity.category import Ordinal as Ordinal
    from unisono.dissimilarity.category import Sets as Sets
    from unisono.errors import DataError as DataError
    from unisono.errors import OptionError as OptionError
    from unisono.errors import UnisonoError as UnisonoError
    from unisono.formats import from_frame as from_frame
    from unisono.formats import read as read
    from unisono.formats import write as write
    from unisono.formats.entry import DataLike as DataLike
    from unisono.measurement.advice import Advice as Advice
    from unisono.measurement.advice import advise as advise
    from unisono.measurement.categorization import *  # noqa: F403
    from unisono.measurement.coefficient_result import CoefficientResult as CoefficientResult
    from unisono.measurement.declaration import Declaration as Declaration
    from unisono.measurement.gamma import align as align
    from unisono.measurement.gamma import gamma as gamma
    from unisono.measurement.gamma.result import GammaResult as GammaResult
    from unisono.measurement.normalization import normalization as normalization
    from unisono.measurement.normalization import representation as representation
    from unisono.measurement.normalization.result import NormalizationResult as NormalizationResult
    from unisono.measurement.rating_scales import *  # noqa: F403
    from unisono.measurement.registry import Measure as Measure
    from unisono.measurement.registry import measure as measure
    from unisono.measurement.registry import measures as measures
    from unisono.measurement.relations import *  # noqa: F403
    from unisono.measurement.segmentation import *  # noqa: F403
    from unisono.measurement.text_gamma import Prior as Prior
    from unisono.measurement.text_gamma import text_gamma as text_gamma
    from unisono.measurement.text_gamma.result import TextGammaResult as TextGammaResult
    from unisono.measurement.unitizing import *  # noqa: F403
    from unisono.preparation import prepare as prepare
    from unisono.preparation.conversion import to_atoms as to_atoms
    from unisono.preparation.conversion import to_cuts as to_cuts
    from unisono.preparation.conversion import to_normalizations as to_normalizations
    from unisono.preparation.conversion import to_ratings as to_ratings
    from unisono.reporting.full_report.writing import report as report
    from unisono.results import Interval as Interval
    from unisono.results import Result as Result
    from unisono.streaming.measuring import stream as stream

_NAMES = {
    "unisono.adjudication": (
        "Gold",
        "ItemGold",
        "TextGold",
        "gold",
    ),
    "unisono.alignment.alignment": ("Alignment",),
    "unisono.alignment.text_alignment": ("TextAlignment",),
    "unisono.comparison": (
        "Comparisons",
        "JudgedSystems",
        "ModelComparison",
        "ModelsComparison",
        "Plan",
        "Prevalences",
        "compare",
        "compare_groups",
        "compare_model",
        "compare_models",
        "judges",
        "plan",
        "prevalence",
    ),
    "unisono.data": (
        "Corpus",
        "Document",
        "Export",
        "Normalizations",
        "Question",
        "Ratings",
        "Unit",
    ),
    "unisono.data.cuts": ("from_masses",),
    "unisono.dissimilarity.category": (
        "Distance",
        "Hierarchy",
        "Matrix",
        "Nominal",
        "Numeric",
        "Ordinal",
        "Sets",
    ),
    "unisono.errors": (
        "DataError",
        "OptionError",
        "UnisonoError",
    ),
    "unisono.formats": (
        "from_frame",
        "read",
        "write",
    ),
    "unisono.formats.entry": ("DataLike",),
    "unisono.measurement.advice": (
        "Advice",
        "advise",
    ),
    "unisono.measurement.coefficient_result": ("CoefficientResult",),
    "unisono.measurement.declaration": ("Declaration",),
    "unisono.measurement.gamma": (
        "align",
        "gamma",
    ),
    "unisono.measurement.gamma.result": ("GammaResult",),
    "unisono.measurement.normalization": (
        "normalization",
        "representation",
    ),
    "unisono.measurement.normalization.result": ("NormalizationResult",),
    "unisono.measurement.registry": (
        "Measure",
        "measure",
        "measures",
    ),
    "unisono.measurement.text_gamma": (
        "Prior",
        "text_gamma",
    ),
    "unisono.measurement.text_gamma.result": ("TextGammaResult",),
    "unisono.preparation": ("prepare",),
    "unisono.preparation.conversion": (
        "to_atoms",
        "to_cuts",
        "to_normalizations",
        "to_ratings",
    ),
    "unisono.reporting.full_report.writing": ("report",),
    "unisono.results": (
        "Interval",
        "Result",
    ),
    "unisono.streaming.measuring": ("stream",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}
_PACKAGES = ("shuffling", "studies")
_FAMILIES = ("categorization", "rating_scales", "relations", "segmentation", "unitizing")
"""Coefficients are public by the names that their families list."""

drawing.provide(lambda: importlib.import_module("unisono.reporting.drawings"))


def _public() -> dict[str, str]:
    """Give every public name and the module that it is from."""
    families = {family: importlib.import_module(f"unisono.measurement.{family}") for family in _FAMILIES}
    coefficients = {name: module.__name__ for module in families.values() for name in module.__all__}
    return {**_HOMES, **coefficients, **{name: f"unisono.{name}" for name in _PACKAGES}}


def _is_internal(name: str) -> bool:
    """Tell whether a name that is not known is that of a module, which the caller is about to import."""
    return name.startswith("_") or importlib.util.find_spec(f"unisono.{name}") is not None


if not TYPE_CHECKING:  # a type checker knows the names from above, and says so where one is wrong

    def __getattr__(name: str) -> object:
        if name == "__all__":
            return sorted([*_public(), "__version__"])
        if name in _PACKAGES:
            return importlib.import_module(f"unisono.{name}")
        home = _HOMES.get(name) or (None if _is_internal(name) else _public().get(name))
        if home is None:
            raise AttributeError(f"module 'unisono' has no attribute {name!r}")
        value = getattr(importlib.import_module(home), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted([*_public(), "__version__"])
