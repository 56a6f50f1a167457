"""One time limit for a whole measurement, shared fairly by all alignments in it.

What is proven in time does not depend on the limit; only what is not proven by then has a gap that does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf
from time import time
from typing import Any

from unisono.checks import check_number
from unisono.errors import OptionError

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
_WRITTEN = re.compile(r"([0-9]*\.?[0-9]+)\s*([smh]?)")
_FEW_HARD = 4
"""Most alignments are proven at once, and leave their share to others: each may take this many times its share."""
_LEAST = 0.01
"""Seconds that an alignment gets even if the time is up: there has to be one."""


@dataclass(frozen=True)
class Deadline:
    """When work should be done, in seconds since 1970, which all workers know; None: there is no limit."""

    until: float | None = None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Return the time in so many seconds."""
        return cls(None if seconds is None else time() + seconds)

    def left(self) -> float:
        """Return how many seconds are left; infinitely many without a limit."""
        return inf if self.until is None else max(self.until - time(), 0.0)

    def portion(self, share: float) -> Deadline:
        """Return when a share of the time that is left will be over."""
        return self if self.until is None else Deadline.after(self.left() * share)

    def each(self, n: int, n_workers: int, most: float) -> Allowance:
        """Return how long each of n alignments may take; without a limit for all of them, `most` seconds."""
        return Allowance(self, min(1.0, _FEW_HARD * n_workers / max(n, 1)), most)


@dataclass(frozen=True)
class Allowance:
    """How long one alignment may take: a share of the time that is left when it begins."""

    deadline: Deadline
    share: float
    most: float

    def seconds(self) -> float:
        """Return how many seconds that is now."""
        return self.most if self.deadline.until is None else max(self.deadline.left() * self.share, _LEAST)


NEVER = Deadline()
"""No limit."""


def check_time_limit(given: Any) -> float | None:
    """Return how many seconds a measurement may take: a number, or text such as 90s, 5m or 2h; None is no limit."""
    if given is None:
        return None
    if isinstance(given, str):
        found = _WRITTEN.fullmatch(given.strip().lower())
        if found is None:
            raise OptionError(f"expected seconds, or a time such as 90s, 5m or 2h, not {given!r}", "time_limit")
        given = float(found[1]) * _UNITS[found[2]]
    return check_number(given, "time_limit", above=0)
