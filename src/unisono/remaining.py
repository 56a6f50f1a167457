"""How long work will take: estimated from what is done."""

from __future__ import annotations

from time import monotonic

_ENOUGH = 2.0
"""Seconds of work from which its pace can be estimated."""
_MOST_TIMES = 2000


class Remaining:
    """Estimates how long the work will take, from how long its latest half has taken; better and better.

    More work may turn up on the way (more random samples): then what was done since counts, once there is enough of
    it, because it may be work of another kind. Time for compiling does not count: it is needed only once.
    """

    def __init__(self) -> None:
        self.began = _working_time()
        self._times = [self.began]  # when so many jobs were done; of many jobs, every second, fourth …
        self._every = 1
        self._since = self._total = 0
        self._seconds: float | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return _working_time() - self.began

    def __call__(self, done: int, total: int) -> float | None:
        """Receive the number of jobs done and of all jobs; return how many seconds are left, None if unknown."""
        now = _working_time()
        if total != self._total:
            self._total, self._since = total, max(done - 1, 0)
        self._note(done, now)
        first = self._since if now - self._at(self._since) > _ENOUGH else 0
        first = max(first, done // 2)
        if done > first and now - self.began > 1.0:
            self._seconds = (now - self._at(first)) / (done - first) * (total - done)
        return self._seconds

    def _note(self, done: int, now: float) -> None:
        self._times += [now] * (done // self._every + 1 - len(self._times))
        if len(self._times) > _MOST_TIMES:
            self._times, self._every = self._times[::2], 2 * self._every

    def _at(self, done: int) -> float:
        return self._times[min(done // self._every, len(self._times) - 1)]


def _working_time() -> float:
    from unisono.kernels import seconds_compiling  # needs NumPy, which help does without

    return monotonic() - seconds_compiling()


def as_words(seconds: float) -> str:
    """Write how long something takes, roughly."""
    if seconds < 90:
        return f"about {max(10 * round(seconds / 10), 10)} seconds"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} minutes"
    if seconds < 36 * 3600:
        return f"about {round(seconds / 3600)} hours"
    return f"about {round(seconds / 86400)} days"
