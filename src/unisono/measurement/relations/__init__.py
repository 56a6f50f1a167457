"""Measures for relations and dependency trees that other studies report; γ is for relations, too."""

from __future__ import annotations

from unisono.measurement.relations.attachment import attachment
from unisono.measurement.relations.f1 import relation_f1
from unisono.measurement.relations.tree_alpha import tree_alpha

__all__ = ["attachment", "relation_f1", "tree_alpha"]

DECLARATIONS = tuple(globals()[name].declaration for name in __all__)
