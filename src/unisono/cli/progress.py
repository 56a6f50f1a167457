"""Progress on stderr: a bar on a terminal; elsewhere, a line now and then if the work takes long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from unisono.remaining import Remaining, as_words

if TYPE_CHECKING:
    from unisono.execution import Progress

_FIRST = 5.0
"""Seconds after which it is possible to say how long the work will take."""
_LONG = 60.0
"""How many seconds are long: who waits longer is told before, also where there is no bar."""


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
