"""Work that takes long, in a process of its own: it can be watched and ended, and the app survives it.

A helper is a fresh interpreter, as in `unisono.processes`: it reads functions with their arguments from its standard
input, writes what it has to say to its standard output, and ends when its input ends. Helpers are kept for the next
job, since a new one takes a second to load the program; one whose job was cancelled is ended.
"""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import IO, Any

from unisono.errors import DataError, UnisonoError
from unisono.processes import end_process, inbox_and_answers, packed, started
from unisono.remaining import Remaining

RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"
_OURS = "unisono: "
"""How notes of this program begin."""
_EVERY = 0.1
"""Progress is told once in so many seconds."""
_MOST_IDLE = 2


class Helpers:
    """Processes that do jobs, and wait for others in between."""

    def __init__(self) -> None:
        self._idle: list[subprocess.Popen[bytes]] = []
        self._lock = threading.Lock()
        self._closed = False

    def take(self) -> subprocess.Popen[bytes]:
        """Return a helper that waits, or a new one."""
        with self._lock:
            while self._idle:
                found = self._idle.pop()
                if found.poll() is None:
                    return found
                end_process(found)
        return started("from unisono.app import jobs; jobs.follow()")

    def give_back(self, helper: subprocess.Popen[bytes]) -> None:
        """Keep a helper for the next job, or end it."""
        with self._lock:
            if not self._closed and len(self._idle) < _MOST_IDLE:
                self._idle.append(helper)
                return
        end_process(helper)

    def close(self) -> None:
        """End those that wait; others end when they have done their job."""
        with self._lock:
            self._closed = True
            waiting, self._idle = self._idle, []
        for helper in waiting:
            end_process(helper)


class BackgroundJob:
    """A call of a function in a process of its own.

    Parameters
    ----------
    helpers : Helpers
        Those who do it.
    function : callable
        A function of a module; it also gets `tell`, which it informs about its progress.
    arguments
        What it is called with.

    Attributes
    ----------
    state : str
        running, done, failed or cancelled.
    result : Any
        What it returned.
    error : UnisonoError or None
        Why it failed.
    done, total : int
        How many parts of the work are done, of how many.
    left : float or None
        How many seconds it will take, as far as can be told.
    about : str
        What is being done.
    """

    def __init__(self, helpers: Helpers, function: Callable[..., Any], *arguments: Any) -> None:
        self.state = RUNNING
        self.result: Any = None
        self.error: UnisonoError | None = None
        self.done = self.total = 0
        self.left: float | None = None
        self.about = ""
        self.began = monotonic()
        self.ended: float | None = None
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._helpers = helpers
        self._process = helpers.take()
        threading.Thread(target=self._watch, args=(function, arguments), daemon=True).start()

    @property
    def elapsed(self) -> float:
        """For how many seconds it has been going on, or did."""
        return (monotonic() if self.ended is None else self.ended) - self.began

    @property
    def is_running(self) -> bool:
        """Whether it is still going on."""
        return self.state == RUNNING

    def cancel(self) -> None:
        """End it, whatever it is doing."""
        self._end(CANCELLED)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended, but not longer than some seconds; return whether it has."""
        return self._over.wait(seconds)

    def _watch(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(packed((function, arguments)))
            stdin.flush()
            while self.is_running:
                self._hear(pickle.load(stdout))
        except (EOFError, OSError, pickle.UnpicklingError, ValueError):
            # a process that was ended has been told so before
            reason = "the computation stopped unexpectedly, probably because memory ran out; try less data"
            self._end(FAILED, error=DataError(reason), lost=True)

    def _hear(self, message: tuple[Any, ...]) -> None:
        kind, *content = message
        if kind == "progress":
            self.done, self.total, self.left, self.about = content
        elif kind == DONE:
            self._end(DONE, result=content[0])
        else:
            self._end(FAILED, error=content[0])

    def _end(self, state: str, *, result: Any = None, error: UnisonoError | None = None, lost: bool = False) -> None:
        with self._lock:
            if not self.is_running:
                return
            self.result, self.error, self.ended = result, error, monotonic()
            self.state = state
        if lost or state == CANCELLED:  # one that is dying may not be dead yet, and must not get the next job
            end_process(self._process)
        else:
            self._helpers.give_back(self._process)
        self._over.set()


class _Telling:
    """Sends progress to the app, now and then."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._remaining = Remaining()
        self._next = 0.0
        self._about = ""
        self._at: tuple[int, int, float | None] = (0, 0, None)

    def say(self, about: str) -> None:
        """Receive what is being done."""
        self._about = about
        self._next = 0.0

    def note(self, about: str) -> None:
        """Tell at once what is being done, since it may take a while."""
        self.say(about)
        self._send()

    def __call__(self, done: int, total: int) -> None:
        self._at = (done, total, self._remaining(done, total))
        if monotonic() >= self._next:
            self._send()

    def _send(self) -> None:
        self._next = monotonic() + _EVERY
        _send(self._stream, ("progress", *self._at, self._about))


class _Notes(io.TextIOBase):
    """Standard error, whose notes on the work are shown in the page: that kernels are compiled, for instance."""

    def __init__(self, tell: _Telling) -> None:
        self._tell = tell

    def write(self, text: str) -> int:
        """Take a piece of a line."""
        if text.startswith(_OURS):
            self._tell.note(text.removeprefix(_OURS).strip())
        elif sys.__stderr__ is not None:
            sys.__stderr__.write(text)
        return len(text)


def follow() -> None:
    """Do the work that standard input asks for, until it ends: what a helper runs."""
    inbox, answers = inbox_and_answers()
    with suppress(OSError):
        while True:
            function, arguments = inbox.get()
            tell = _Telling(answers)
            sys.stderr = _Notes(tell)
            _send(answers, _outcome(function, arguments, tell))
    os._exit(0)


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...], tell: _Telling) -> tuple[str, Any]:
    try:
        return DONE, function(*arguments, tell=tell)
    except UnisonoError as error:
        return FAILED, error
    except MemoryError:
        return FAILED, DataError("this needs more memory than the computer has; try less data")
    except Exception as error:
        traceback.print_exc()  # in the terminal, for a report of the mistake
        return FAILED, DataError(f"unisono failed with {type(error).__name__} ({error}); please report this")


def _send(stream: IO[bytes], message: Any) -> None:
    stream.write(packed(message))
    stream.flush()
