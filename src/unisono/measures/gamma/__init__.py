"""γ: units placed freely on a continuum, measured and aligned at once."""

from unisono.measures.gamma.declaration import DECLARATIONS
from unisono.measures.gamma.measure import align, gamma

__all__ = ["DECLARATIONS", "align", "gamma"]
