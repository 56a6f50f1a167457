"""Two studies, groups of annotators, or models and people, compared document by document."""

from unisono.comparison.comparisons import Comparison, Comparisons
from unisono.comparison.judging import JudgedSystems, judges
from unisono.comparison.models import ModelComparison, ModelsComparison, compare_model, compare_models
from unisono.comparison.planning import plan
from unisono.comparison.plans import Plan
from unisono.comparison.prevalences import Prevalences, prevalence
from unisono.comparison.two_studies import compare, compare_groups

__all__ = [
    "Comparison",
    "Comparisons",
    "JudgedSystems",
    "ModelComparison",
    "ModelsComparison",
    "Plan",
    "Prevalences",
    "compare",
    "compare_groups",
    "compare_model",
    "compare_models",
    "judges",
    "plan",
    "prevalence",
]
