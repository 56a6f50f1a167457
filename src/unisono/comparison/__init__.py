"""Two studies, groups of annotators, or a model and humans, compared document by document."""

from unisono.comparison.comparisons import Comparison, Comparisons
from unisono.comparison.model import ModelComparison, compare_model
from unisono.comparison.planning import Plan, plan
from unisono.comparison.two_studies import compare, compare_groups

__all__ = [
    "Comparison",
    "Comparisons",
    "ModelComparison",
    "Plan",
    "compare",
    "compare_groups",
    "compare_model",
    "plan",
]
