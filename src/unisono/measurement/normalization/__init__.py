"""Agreement on normalization: annotators rewrote words that were given to them (Bollmann, Dipper & Petran 2016)."""

from unisono.measurement.normalization.characters import representation
from unisono.measurement.normalization.coefficient import normalization

__all__ = ["DECLARATIONS", "normalization", "representation"]

DECLARATIONS = (normalization.declaration,)
