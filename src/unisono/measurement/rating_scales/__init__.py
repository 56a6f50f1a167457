"""Coefficients for rating scales: annotators gave numbers to items, or put them in an order."""

from unisono.measurement.rating_scales.concordance import lin_ccc
from unisono.measurement.rating_scales.correlations import kendall_w, mean_pearson, mean_spearman
from unisono.measurement.rating_scales.icc import icc

__all__ = ["icc", "lin_ccc", "kendall_w", "mean_spearman", "mean_pearson"]  # noqa: RUF022 (as recommended)

DECLARATIONS = tuple(globals()[name].declaration for name in __all__)
