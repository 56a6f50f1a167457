"""One time limit for a whole measurement, shared fairly by all alignments in it.

What is proven in time does not depend on the limit; only what is not proven by then has a gap that does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from time import monotonic, time
from typing import Any

from unisono.checks import check_number
from unisono.errors import OptionError
from unisono.processes import computing_seconds

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
_WRITTEN = re.compile(r"([0-9]*\.?[0-9]+)\s*([smh]?)")
_FEW_HARD = 4
"""Of many small alignments in a job, most are proven at once: each may take this many times its share of the job."""
_LEAST = 0.05
"""Seconds that an alignment gets even if the time is up: there has to be one."""


class ComputingSeconds(float):
    """Seconds of computing: neither what other programs take from it nor loading machine code counts."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Until:
    """A time at which to stop.

    Attributes
    ----------
    at : float
        When that is; infinite if never.
    now : callable
        The time: that of a clock, or how long this thread has been computing.
    """

    at: float = inf
    now: Callable[[], float] = monotonic

    @classmethod
    def after(cls, seconds: float | None) -> Until:
        """Return the time in so many seconds, of computing if they are `ComputingSeconds`; never if None."""
        if seconds is None:
            return cls()
        now = computing_seconds if isinstance(seconds, ComputingSeconds) else monotonic
        return cls(now() + seconds, now)

    @property
    def left(self) -> float:
        """How many seconds are left; negative if it is over."""
        return self.at - self.now()

    @property
    def over(self) -> bool:
        """Whether it is time to stop."""
        return self.now() > self.at

    def later(self, seconds: float) -> Until:
        """Return a time so many seconds later."""
        return Until(self.at + seconds, self.now)

    def half(self) -> Until:
        """Return when half of the time that is left will be over."""
        return self if self.at == inf else self.later(-self.left / 2)


NO_LIMIT = Until()
"""Never."""


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

    def later(self, seconds: float) -> Deadline:
        """Return a time so many seconds later."""
        return self if self.until is None else Deadline(self.until + seconds)

    def portion(self, share: float) -> Deadline:
        """Return when a share of the time that is left will be over."""
        return self if self.until is None else Deadline.after(self.left() * share)

    def shared(self, jobs: Sequence[tuple[float, int]], n_workers: int, most: float) -> list[Allowance]:
        """Share the time among jobs that are done in this order.

        A job gets as much of the time that is left when it begins as its size is of what is then left to do. So none
        has nothing, and time that a job does not need is left for those after it.

        Parameters
        ----------
        jobs : sequence of (float, int)
            The size of each job, and the number of alignments in it.
        n_workers : int
            How many jobs are done at a time.
        most : float
            How many seconds an alignment may take if there is no limit for all of them.
        """
        after, found = 0.0, []
        for size, n in reversed(jobs):
            after += size
            share = min(1.0, n_workers * size / after) if after else 1.0
            found.append(Allowance(self, share * min(1.0, _FEW_HARD / n), most))
        return found[::-1]


@dataclass(frozen=True)
class Allowance:
    """How long one alignment may take: a share of the time that is left when it begins."""

    deadline: Deadline
    share: float
    most: float

    def seconds(self) -> float:
        """Return how many seconds that is now; without a limit, so many of computing, however busy the computer is."""
        return (
            ComputingSeconds(self.most)
            if self.deadline.until is None
            else max(self.deadline.left() * self.share, _LEAST)
        )


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
