"""A gold standard, drafted from γ's alignment (Mathet et al. 2015, §7): what most marked, and what is to decide."""

from unisono.adjudication.drafting import gold
from unisono.adjudication.result import Gold

__all__ = ["Gold", "gold"]
