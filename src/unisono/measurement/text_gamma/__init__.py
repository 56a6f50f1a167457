"""Text-γ: agreement where annotators correct the text and its segmentation too."""

from unisono.measurement.text_gamma.declaration import DECLARATIONS
from unisono.measurement.text_gamma.measure import align_texts, text_gamma
from unisono.measurement.text_gamma.rates import Prior

__all__ = ["DECLARATIONS", "Prior", "align_texts", "text_gamma"]
