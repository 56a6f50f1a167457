"""Two studies, groups of annotators, or a model and humans, compared document by document."""

from unisono.comparison.comparisons import Comparison, Comparisons
from unisono.comparison.judging import JudgedSystems, judges
from unisono.comparison.model import ModelComparison, compare_model
from unisono.comparison.planning import plan
from unisono.comparison.plans import Plan
from unisono.comparison.prevalences import Prevalences, prevalence
from unisono.comparison.two_studies import compare, compare_groups

__all__ = [
    "Comparison",
    "Comparisons",
    "JudgedSystems",
    "ModelComparison",
    "Plan",
    "Prevalences",
    "compare",
    "compare_groups",
    "compare_model",
    "judges",
    "plan",
    "prevalence",
]
