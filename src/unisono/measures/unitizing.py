"""Measures for units on a continuum: whether annotators mark the same places, with the same categories."""

from __future__ import annotations

from unisono.measures.alpha_u import alpha_u
from unisono.measures.declaration import Declaration
from unisono.measures.discretized import discretized_alpha, discretized_kappa
from unisono.measures.slot_error_rate import slot_error_rate
from unisono.measures.span_f1 import span_f1
from unisono.measures.u_alpha import cu_alpha, u_alpha

__all__ = [
    "DECLARATIONS",
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
