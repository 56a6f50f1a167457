"""unisono: how far annotators agree, and where they do not.

Names are imported when first used, so that importing the package costs nothing heavy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from unisono.version import __version__

if TYPE_CHECKING:
    from unisono.data import Corpus, Document, Unit
    from unisono.dissimilarity.category import Hierarchy, Matrix, Nominal, Numeric, Ordinal, Sets
    from unisono.errors import DataError, OptionError, UnisonoError
    from unisono.formats import from_frame, read, write
    from unisono.measures.gamma import align, gamma
    from unisono.measures.registry import measure, measures

__all__ = [
    "Corpus",
    "DataError",
    "Document",
    "Hierarchy",
    "Matrix",
    "Nominal",
    "Numeric",
    "OptionError",
    "Ordinal",
    "Sets",
    "UnisonoError",
    "Unit",
    "__version__",
    "align",
    "from_frame",
    "gamma",
    "measure",
    "measures",
    "read",
    "write",
]

_HOMES = {
    "Corpus": "unisono.data",
    "DataError": "unisono.errors",
    "Document": "unisono.data",
    "Hierarchy": "unisono.dissimilarity.category",
    "Matrix": "unisono.dissimilarity.category",
    "Nominal": "unisono.dissimilarity.category",
    "Numeric": "unisono.dissimilarity.category",
    "OptionError": "unisono.errors",
    "Ordinal": "unisono.dissimilarity.category",
    "Sets": "unisono.dissimilarity.category",
    "UnisonoError": "unisono.errors",
    "Unit": "unisono.data",
    "align": "unisono.measures.gamma",
    "from_frame": "unisono.formats",
    "gamma": "unisono.measures.gamma",
    "measure": "unisono.measures.registry",
    "measures": "unisono.measures.registry",
    "read": "unisono.formats",
    "write": "unisono.formats",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'unisono' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
