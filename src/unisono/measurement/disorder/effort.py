"""How much work a measure of disorder may be, and its seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.errors import OptionError

SAMPLE_TOLERANCE = 1e-3
"""A large random alignment need not be proven better than this: it is far inside the error of sampling."""
_SAMPLE_TIME = 0.1
"""A random annotation set gets this part of the time limit: there are many, and none has to be proven."""


@dataclass(frozen=True)
class Effort:
    """How precise the expected disorder has to be, and what an alignment may take.

    Attributes
    ----------
    precision, confidence : float
        The stopping rule of Mathet et al. 2015, §5.3.
    time_limit : float or None
        Seconds for one alignment.
    seed : int
        The seed of the random annotations.
    """

    precision: float
    confidence: float
    time_limit: float | None
    seed: int

    def __post_init__(self) -> None:
        if not 0 < self.precision < 1:
            raise OptionError(f"precision must be between 0 and 1, e.g. 0.02, not {self.precision}")
        if not 0 < self.confidence < 1:
            raise OptionError(f"confidence must be between 0 and 1, e.g. 0.95, not {self.confidence}")
        if self.time_limit is not None and not self.time_limit > 0:
            raise OptionError(f"time_limit must be above 0 seconds, not {self.time_limit}")

    @property
    def sample_time(self) -> float | None:
        """Seconds for the alignment of a random annotation set."""
        return None if self.time_limit is None else self.time_limit * _SAMPLE_TIME

    def spelled(self) -> dict[str, float]:
        """Give what belongs into a signature."""
        more = {} if self.confidence == 0.95 else {"confidence": self.confidence}
        return {"precision": self.precision, **more}


def seed_of(rng: int | np.random.Generator | None) -> int:
    """Make a seed of what was given; None takes a fresh one."""
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if rng < 0:
        raise OptionError(f"the seed must be a whole number from 0 up, not {rng}")
    return int(rng)
