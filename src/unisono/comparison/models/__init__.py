"""Models as annotators: whether they are as good as people, whether their errors are the same, how stable they are."""

from unisono.comparison.models.comparing import compare_model, compare_models
from unisono.comparison.models.one_model import ModelComparison
from unisono.comparison.models.result import ModelsComparison

__all__ = ["ModelComparison", "ModelsComparison", "compare_model", "compare_models"]
