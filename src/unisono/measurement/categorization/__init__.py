"""Coefficients for categorization: annotators chose labels for items that were given to them."""

from unisono.measurement.categorization.nominal import (
    bennett_s,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    light_kappa,
    multi_kappa,
    percent_agreement,
    randolph_kappa,
    scott_pi,
)
from unisono.measurement.categorization.weighted import gwet_ac2, krippendorff_alpha, weighted_kappa

__all__ = [  # noqa: RUF022 (in the order in which they are recommended)
    "krippendorff_alpha",
    "cohen_kappa",
    "fleiss_kappa",
    "multi_kappa",
    "light_kappa",
    "scott_pi",
    "weighted_kappa",
    "gwet_ac1",
    "gwet_ac2",
    "bennett_s",
    "randolph_kappa",
    "percent_agreement",
]

DECLARATIONS = tuple(globals()[name].declaration for name in __all__)
