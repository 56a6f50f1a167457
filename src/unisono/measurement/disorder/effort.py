"""How much work a measure of disorder may do, its seed, and how to measure again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from unisono.checks import check_number, check_share
from unisono.data import Corpus
from unisono.deadlines import check_time_limit
from unisono.execution import Progress, Workers

SAMPLE_TOLERANCE = 1e-3
MANY_TOLERANCE = 1e-2
"""A large random alignment need not be proven better than this, of a few annotators or of many: it is far inside the
error of sampling. What is found is usually the best or next to it; the gap is what is not proven."""
_MANY_ANNOTATORS = 10
_FEW_UNITS = 40
"""Of many annotators, random alignments of so few units are proven best: that takes some hundredths of a second."""
ALIGNMENT_TIME = 30.0
SAMPLE_TIME = 3.0
"""Seconds after which one alignment, or that of one random annotation set, is given up if there is no time limit."""
_FINEST = 1e-9
"""Nothing is as precise as that: it would take 10¹⁵ samples and more."""


@dataclass(frozen=True)
class Effort:
    """How precise the expected disorder has to be, and how long the measurement may take."""

    # the stopping rule of Mathet et al. 2015, §5.3
    precision: float
    confidence: float
    time_limit: float | None  # seconds for the whole measurement
    seed: int  # the seed of the random annotations

    def __post_init__(self) -> None:
        check_number(check_share(self.precision, "precision", 0.02), "precision", low=_FINEST)
        check_share(self.confidence, "confidence", 0.95)
        check_time_limit(self.time_limit)

    @property
    def quantile(self) -> float:
        """The normal quantile of the confidence."""
        return NormalDist().inv_cdf((1 + self.confidence) / 2)

    def spelled(self) -> dict[str, float]:
        """Return what belongs in a signature."""
        more = {} if self.confidence == 0.95 else {"confidence": self.confidence}
        return {"precision": self.precision, **more}


def sample_tolerance(n_annotators: int, n_units: int) -> float:
    """Return the relative gap that is good enough for the alignment of a random annotation set."""
    if n_annotators < _MANY_ANNOTATORS:
        return SAMPLE_TOLERANCE
    return MANY_TOLERANCE if n_units > _FEW_UNITS else 0.0


@dataclass(frozen=True)
class Again:
    """Measures another corpus in the same way; the workers are not kept when a result is pickled."""

    measure: Callable[..., Any]
    settings: Any
    workers: Workers = None
    progress: Progress | None = None

    def __call__(self, corpus: Corpus) -> Any:
        """Measure a corpus."""
        return self.measure(corpus, self.settings, workers=self.workers, progress=self.progress)

    def __reduce__(self) -> tuple[Any, ...]:
        return Again, (self.measure, self.settings)
