"""Ctrl-C, and being ended from outside (SIGTERM): one exception, so that what was begun is cleared away."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Interrupted(BaseException):
    """Somebody wants us to end.

    It is no `KeyboardInterrupt`, which typer would take without a word.

    Parameters
    ----------
    number : int
        The signal.
    words : str
        What to say of it.
    """

    def __init__(self, number: int, words: str = "interrupted") -> None:
        super().__init__(words)
        self.number = number

    @property
    def status(self) -> int:
        """The exit status, as shells give it."""
        return 128 + self.number


@contextmanager
def interrupts_raised() -> Iterator[None]:
    """Let signals that ask us to end raise `Interrupted`, but for those that we were started to ignore.

    Only the first thread can do so; in others, nothing is changed.
    """
    first = threading.current_thread() is threading.main_thread()
    asked = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _raise) for number in asked} if first else {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise(number: int, _: Any) -> None:
    raise Interrupted(number)
