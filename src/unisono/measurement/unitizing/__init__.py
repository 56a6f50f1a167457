"""Measures for units on a continuum: whether annotators mark the same places, with the same categories."""

from __future__ import annotations

from unisono.measurement.unitizing.discretized import discretized_alpha, discretized_kappa
from unisono.measurement.unitizing.f1 import span_f1
from unisono.measurement.unitizing.krippendorff_1995 import alpha_u
from unisono.measurement.unitizing.krippendorff_2016 import cu_alpha, u_alpha
from unisono.measurement.unitizing.slot_errors import slot_error_rate

__all__ = [  # noqa: RUF022 (in the order in which they are recommended)
    "u_alpha",
    "cu_alpha",
    "alpha_u",
    "discretized_alpha",
    "discretized_kappa",
    "span_f1",
    "slot_error_rate",
]

DECLARATIONS = tuple(globals()[name].declaration for name in __all__)
