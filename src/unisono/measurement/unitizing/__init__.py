"""Measures for units on a continuum: whether annotators mark the same places, with the same categories."""

from __future__ import annotations

from unisono.measurement.declaration import Declaration
from unisono.measurement.unitizing.discretized import discretized_alpha, discretized_kappa
from unisono.measurement.unitizing.f1 import span_f1
from unisono.measurement.unitizing.krippendorff_1995 import alpha_u
from unisono.measurement.unitizing.krippendorff_2016 import cu_alpha, u_alpha
from unisono.measurement.unitizing.slot_errors import slot_error_rate

__all__ = [
    "alpha_u",
    "cu_alpha",
    "discretized_alpha",
    "discretized_kappa",
    "slot_error_rate",
    "span_f1",
    "u_alpha",
]

DECLARATIONS: tuple[Declaration, ...] = tuple(
    measure.declaration
    for measure in (u_alpha, cu_alpha, alpha_u, discretized_alpha, discretized_kappa, span_f1, slot_error_rate)
)
