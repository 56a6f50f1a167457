"""γ: units placed freely on a continuum, measured and aligned at once."""

from unisono.measurement.gamma.declaration import DECLARATIONS
from unisono.measurement.gamma.measure import align, gamma

__all__ = ["DECLARATIONS", "align", "gamma"]
