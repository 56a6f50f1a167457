"""Ctrl-C and SIGTERM become one exception, so that unfinished files are cleaned up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SOON = 0.02
"""After so many seconds, a signal that came at a bad moment is raised again."""


class Interrupted(BaseException):
    """A signal asks the program to end.

    It is not a `KeyboardInterrupt`, which typer would handle silently.
    """

    def __init__(self, number: int, words: str = "interrupted") -> None:
        super().__init__(words)
        self.number = number

    @property
    def status(self) -> int:
        """The exit status, as shells report it."""
        return 128 + self.number


@contextmanager
def interrupts_raised(afterwards: signal.Handlers | None = None) -> Iterator[None]:
    """Let SIGINT and SIGTERM raise `Interrupted`, unless the program was started to ignore them.

    Python handles signals only in the main thread; in others, nothing changes. What handles them afterwards is as
    before, or as given: a program that has done its work and is about to end need not be interrupted.
    """
    first = threading.current_thread() is threading.main_thread()
    asked = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _raise) for number in asked} if first else {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if afterwards is None else afterwards)


def _raise(number: int, frame: FrameType | None) -> None:
    if _would_be_lost(frame):
        again = threading.Timer(_SOON, signal.raise_signal, [number])
        again.daemon = True
        again.start()
    else:
        raise Interrupted(number)


def _would_be_lost(frame: FrameType | None) -> bool:
    """Whether Python would ignore an exception here: in a callback from C while kernels compile, or in `__del__`."""
    while frame is not None:
        if frame.f_code.co_name == "__del__" or frame.f_globals.get("__name__", "").startswith("llvmlite."):
            return True
        frame = frame.f_back
    return False
