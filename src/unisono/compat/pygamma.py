"""The main classes of pygamma-agreement on top of unisono: a script runs with this import in place of its own.

    from unisono.compat.pygamma import Continuum, CombinedCategoricalDissimilarity

Names, arguments and attributes are those of pygamma-agreement 0.5; what is computed is unisono's: exact alignments
(with `fast=True`, too, which is only accepted), positions in double precision, duplicate and zero-length units kept,
samples until the precision is reached. docs/coming-from.md lists what differs. `GammaResults.result` has
unisono's own result, with the interval, tables and drawings.
"""

from __future__ import annotations

from unisono.compat.pygamma_alignment import Alignment, SetPartitionError, UnitaryAlignment
from unisono.compat.pygamma_continuum import (
    Continuum,
    GammaResults,
    ShuffleContinuumSampler,
    StatisticalContinuumSampler,
)
from unisono.compat.pygamma_dissimilarity import (
    AbsoluteCategoricalDissimilarity,
    AbstractDissimilarity,
    CategoricalDissimilarity,
    CombinedCategoricalDissimilarity,
    LambdaCategoricalDissimilarity,
    LevenshteinCategoricalDissimilarity,
    NumericalCategoricalDissimilarity,
    OrdinalCategoricalDissimilarity,
    PositionalSporadicDissimilarity,
    PrecomputedCategoricalDissimilarity,
)
from unisono.compat.pygamma_units import Segment, Unit

__all__ = [
    "AbsoluteCategoricalDissimilarity",
    "AbstractDissimilarity",
    "Alignment",
    "CategoricalDissimilarity",
    "CombinedCategoricalDissimilarity",
    "Continuum",
    "GammaResults",
    "LambdaCategoricalDissimilarity",
    "LevenshteinCategoricalDissimilarity",
    "NumericalCategoricalDissimilarity",
    "OrdinalCategoricalDissimilarity",
    "PositionalSporadicDissimilarity",
    "PrecomputedCategoricalDissimilarity",
    "Segment",
    "SetPartitionError",
    "ShuffleContinuumSampler",
    "StatisticalContinuumSampler",
    "Unit",
    "UnitaryAlignment",
]
