"""Measures of segmentation: annotators cut a continuum completely."""

from unisono.measurement.segmentation.coefficients import (
    boundary_similarity,
    generalized_hamming,
    pk,
    segmentation_similarity,
    window_diff,
)

__all__ = [  # noqa: RUF022 (in the order in which they are recommended)
    "boundary_similarity",
    "segmentation_similarity",
    "window_diff",
    "pk",
    "generalized_hamming",
]

DECLARATIONS = tuple(globals()[name].declaration for name in __all__)
