"""Progress on stderr: a bar on a terminal; elsewhere, a line now and then if the work takes long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from unisono.kernels import seconds_compiling

if TYPE_CHECKING:
    from unisono.execution import Progress

_FIRST = 5.0
"""Seconds after which it is possible to say how long the work will take."""
_ENOUGH = 2.0
"""Seconds of work from which its pace can be told."""
_MOST_TIMES = 2000
_LONG = 60.0
"""How many seconds are long: who waits longer is told before, also where there is no bar."""


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
    return monotonic() - seconds_compiling()


class _Lines:
    """Reports in lines, for a log: once it is clear that the work takes long, and each time half of it is over."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._about = ""
        self._remaining = Remaining()
        self._next: float | None = None  # seconds left at which to report again

    def say(self, about: str) -> None:
        """Receive what is being done."""
        self._about = about

    def __call__(self, done: int, total: int) -> None:
        left, elapsed = self._remaining(done, total), self._remaining.elapsed
        if left is None or elapsed < _FIRST or left < _LONG / 2 or elapsed + left < _LONG:
            return
        if self._next is None or left < self._next or left > 4 * self._next:
            self._next = left / 2
            about = f"{self._about}; " if self._about else ""
            print(
                f"{self._what}: {about}{done:,} of {total:,} parts done, {as_words(left)} left",
                file=sys.stderr,
                flush=True,
            )


def as_words(seconds: float) -> str:
    """Write how long something takes, roughly."""
    if seconds < 90:
        return f"about {max(10 * round(seconds / 10), 10)} seconds"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} minutes"
    if seconds < 36 * 3600:
        return f"about {round(seconds / 3600)} hours"
    return f"about {round(seconds / 86400)} days"


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """Provide a function to report progress to."""
    if not sys.stderr.isatty():
        yield _Lines(what)
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[left]}"))
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(what), total=None, left="")
        remaining = Remaining()

        class Shown:
            """Shows progress."""

            def say(self, about: str) -> None:
                bar.update(task, description=escape(f"{what}: {about}"))

            def __call__(self, done: int, total: int) -> None:
                left = remaining(done, total)
                known = left is not None and remaining.elapsed + left > _FIRST
                bar.update(task, completed=done, total=total, left=as_words(left) if left and known else "")

        yield Shown()
