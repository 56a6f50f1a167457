"""Measures of segmentation: annotators cut a continuum completely."""

from unisono.measurement.segmentation.coefficients import (
    boundary_similarity,
    generalized_hamming,
    pk,
    segmentation_similarity,
    window_diff,
)

__all__ = [
    "boundary_similarity",
    "generalized_hamming",
    "pk",
    "segmentation_similarity",
    "window_diff",
]

DECLARATIONS = tuple(
    measure.declaration
    for measure in (boundary_similarity, segmentation_similarity, window_diff, pk, generalized_hamming)
)
