"""Two studies, groups of annotators, or a model and humans, compared document by document."""

from unisono.comparison.compare import Comparison, compare, compare_groups
from unisono.comparison.model import ModelComparison, compare_model
from unisono.comparison.plan import Plan, plan

__all__ = ["Comparison", "ModelComparison", "Plan", "compare", "compare_groups", "compare_model", "plan"]
