"""Work that takes long, in a process of its own: it can be watched and ended, and the app survives it.

The process is a fresh interpreter, as in `unisono.processes`: it reads a function with its arguments from its standard
input, writes what it has to say to its standard output, and ends when its input ends.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import IO, Any

from unisono.errors import DataError, UnisonoError
from unisono.processes import packed
from unisono.remaining import Remaining

RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"
_START = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from unisono.app.jobs import follow; follow()"
)
_OURS = "unisono: "
"""How notes of this program begin."""
_EVERY = 0.1
"""Progress is told once in so many seconds."""


class BackgroundJob:
    """A call of a function in a process of its own.

    Parameters
    ----------
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

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
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
        self._process = _started()
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
            pickle.dump([entry or os.getcwd() for entry in sys.path], stdin, pickle.HIGHEST_PROTOCOL)
            stdin.write(packed((function, arguments)))
            stdin.flush()
            while self.is_running:
                self._hear(pickle.load(stdout))
        except (EOFError, OSError, pickle.UnpicklingError, ValueError):
            # a process that was ended has been told so before
            self._end(
                FAILED, error=DataError("the work ended suddenly, probably because memory ran out; try less data")
            )

    def _hear(self, message: tuple[Any, ...]) -> None:
        kind, *content = message
        if kind == "progress":
            self.done, self.total, self.left, self.about = content
        elif kind == DONE:
            self._end(DONE, result=content[0])
        else:
            self._end(FAILED, error=content[0])

    def _end(self, state: str, *, result: Any = None, error: UnisonoError | None = None) -> None:
        with self._lock:
            if not self.is_running:
                return
            self.result, self.error, self.ended = result, error, monotonic()
            self.state = state
        with suppress(OSError):
            self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                assert stream is not None
                stream.close()
        self._process.wait()
        self._over.set()


def _started() -> subprocess.Popen[bytes]:
    apart: dict[str, Any] = {"start_new_session": True}  # Ctrl-C is for the app, which ends its jobs
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    command = [sys.executable, "-c", _START]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **apart)


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
    """Standard error, of which notes on the work are also shown in the page: that kernels are compiled, for instance."""

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
    """Do the work that standard input asks for: what the process of a job runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    with suppress(OSError):
        os.dup2(2, 1)  # what anything prints must not get between the answers
    tell = _Telling(answers)
    sys.stderr = _Notes(tell)
    try:
        function, arguments = pickle.load(sys.stdin.buffer)
    except (EOFError, OSError):
        os._exit(0)
    threading.Thread(target=_end_with, args=(sys.stdin.buffer,), daemon=True).start()
    with suppress(OSError):
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


def _end_with(stream: IO[bytes]) -> None:
    """End the process as soon as its input ends, because nobody waits for it any more."""
    with suppress(OSError):
        stream.read()
    os._exit(0)


def _send(stream: IO[bytes], message: Any) -> None:
    stream.write(packed(message))
    stream.flush()
