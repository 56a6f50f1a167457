"""A gold standard, drafted from γ's alignment (Mathet et al. 2015, §7), and what is left for a person to decide."""

from unisono.adjudication.drafting import gold
from unisono.adjudication.result import Gold

__all__ = ["Gold", "gold"]
