"""A gold standard, drafted from γ's alignment (Mathet et al. 2015, §7) or labels of items; what is left to decide."""

from unisono.adjudication.drafting import gold
from unisono.adjudication.item_result import ItemGold
from unisono.adjudication.result import Gold
from unisono.adjudication.text_result import TextGold

__all__ = ["Gold", "ItemGold", "TextGold", "gold"]
