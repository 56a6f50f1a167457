"""Worker processes: started when there is enough to do, kept for what comes next, gone with the program.

A worker is a fresh interpreter that reads batches from its standard input and writes answers to a pipe. The module
`multiprocessing` would run the user's script again in every worker, which needs a guard in that script that nobody
expects; a worker here only imports what the jobs need. When the program ends, in whatever way, the worker's input ends,
and so does the worker.
"""

from __future__ import annotations

import atexit
import io
import itertools
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FunctionType
from typing import IO, Any

from unisono.errors import UnisonoError, mention

_START = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
_IDLE = 300.0
"""Seconds without work after which a worker ends."""
_MOST_DEATHS = 3
"""How many workers may die of one batch (the system kills those that need too much memory)."""

_state = threading.local()
_numbers = itertools.count()


class WorkersGoneError(UnisonoError):
    """Those who should do the work are gone."""


class UnsendableError(Exception):
    """Something that cannot be sent to another process."""


@dataclass
class Done:
    """Answers to the first jobs of a batch, in their order; if they are not all, the error of the next.

    Attributes
    ----------
    answers : list
        The answers.
    error : Exception or None
        What the job after them raised.
    seconds, computing : float
        How long it took, and how much of it the thread could compute: less if others hold Python's lock. What is done
        once and not for each job (`preparing`) does not count.
    """

    answers: list[Any]
    error: Exception | None
    seconds: float
    computing: float


def run_batch(function: Callable[[Any], Any], jobs: Sequence[Any]) -> Done:
    """Do jobs one after the other, until one fails."""
    answers: list[Any] = []
    error = None
    began, computed = _spent()
    with _inside():
        try:
            for job in jobs:
                answers.append(function(job))
        except Exception as raised:
            error = raised
    ended, computed_then = _spent()
    return Done(answers, error, ended - began, computed_then - computed)


@contextmanager
def preparing() -> Iterator[None]:
    """Let time not count as work: nobody can say from it how long jobs take, or whether threads help.

    While one thread loads machine code, for instance, all others wait, but only once.
    """
    began, computed = _spent()
    used = computing_seconds()
    try:
        yield
    finally:
        ended, computed_then = _spent()
        seconds, computing, using = _prepared()
        using += computing_seconds() - used
        _state.prepared = seconds + ended - began, computing + computed_then - computed, using


def computing_seconds() -> float:
    """Return for how long this thread has had a processor, without what it has prepared."""
    return time.thread_time() - _prepared()[2]


def _prepared() -> tuple[float, float, float]:
    """Return for how long this thread has prepared something, how much of that it computed, and had a processor."""
    found: tuple[float, float, float] = getattr(_state, "prepared", (0.0, 0.0, 0.0))
    return found


def _spent() -> tuple[float, float]:
    """Return what the clock shows, and for how long this thread has computed; without what it has prepared."""
    seconds, computing, _ = _prepared()
    return time.perf_counter() - seconds, _computing() - computing


def _computing() -> float:
    """Return for how many seconds this thread has computed, or would have if other programs had not been in its way."""
    try:
        with open("/proc/thread-self/schedstat", "rb") as stream:
            computed, waited, _ = map(int, stream.read().split())
    except (OSError, ValueError):  # other systems do not tell how long a thread waited for a processor
        return time.thread_time()
    return (computed + waited) / 1e9


@contextmanager
def _inside() -> Iterator[None]:
    before = is_inside()
    _state.inside = True
    try:
        yield
    finally:
        _state.inside = before


def is_inside() -> bool:
    """Whether this is already a job of some worker: then everything in it is done in place."""
    return getattr(_state, "inside", False)


class _Pickler(pickle.Pickler):
    """Pickles what another interpreter can load: a user's script is not loaded there."""

    def reducer_override(self, found: Any) -> Any:
        """Reject what is defined in a script or a notebook."""
        if isinstance(found, FunctionType | type) and found.__module__ == "__main__":
            raise pickle.PicklingError(f"{found.__qualname__} is defined in the script itself")
        return NotImplemented


def packed(thing: Any) -> bytes:
    """Pickle something for another process; UnsendableError if that is impossible (a lambda, for instance)."""
    buffer = io.BytesIO()
    try:
        _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(thing)
    except Exception as error:  # what cannot be pickled raises whatever it likes
        raise UnsendableError(str(error)) from None
    return buffer.getvalue()


@dataclass(frozen=True)
class Task:
    """A function, ready to be sent; with everything large that it needs, since it is sent only once to each worker."""

    number: int
    content: bytes

    @classmethod
    def of(cls, function: Callable[[Any], Any]) -> Task:
        """Make a task; UnsendableError if the function cannot be sent."""
        return cls(next(_numbers), packed(function))


class Processes:
    """A number of worker processes, each driven by a thread that hands it one batch after the other."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.owner = os.getpid()
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="unisono-worker")
        self._own = threading.local()
        self._workers: list[_Worker] = []
        self._stopped = False

    def submit(self, task: Task, jobs: Sequence[Any]) -> Future[Done]:
        """Let some worker do a batch."""
        return self._threads.submit(self._run, task, jobs)

    def stop(self) -> None:
        """End all workers, whatever they are doing."""
        self._stopped = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.end()

    def _run(self, task: Task, jobs: Sequence[Any]) -> Done:
        content = packed(jobs)
        for _ in range(_MOST_DEATHS):
            worker = getattr(self._own, "worker", None)
            if worker is None:
                worker = self._own.worker = _Worker()
                self._workers.append(worker)
            try:
                return worker.run(task, content)
            except (EOFError, OSError, pickle.UnpicklingError):
                worker.end()
                self._own.worker = None
                if self._stopped:
                    break
        raise WorkersGoneError(
            f"worker processes were killed, probably because memory ran out; use fewer {mention('workers')}"
        )


def started(code: str) -> subprocess.Popen[bytes]:
    """Start an interpreter that imports from where this one does, and runs code that calls `inbox_and_answers`."""
    apart: dict[str, Any] = {"start_new_session": True}  # Ctrl-C is for the program, which ends what it started
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    command = [sys.executable, "-c", _START + code]
    made = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **apart)
    assert made.stdin is not None
    pickle.dump([entry or os.getcwd() for entry in sys.path], made.stdin, pickle.HIGHEST_PROTOCOL)
    return made


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started, whatever it is doing."""
    with suppress(OSError):
        process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            assert stream is not None
            stream.close()


class _Worker:
    """One process."""

    def __init__(self) -> None:
        self._process = started("from unisono.processes import serve; serve()")
        self._known: int | None = None

    def run(self, task: Task, jobs: bytes) -> Done:
        """Do a batch."""
        self._send((None if self._known == task.number else task.content, jobs, os.getcwd()))
        self._known = None
        assert self._process.stdout is not None
        done = pickle.load(self._process.stdout)
        if not isinstance(done, Done):
            raise done
        self._known = task.number
        return done

    def end(self) -> None:
        """End the process."""
        end_process(self._process)

    def _send(self, message: Any) -> None:
        assert self._process.stdin is not None
        pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()


_lock = threading.Lock()
_kept: Processes | None = None
"""Workers that nobody uses right now."""


def borrowed_processes(count: int) -> Processes | None:
    """Provide worker processes, those of last time if there are any; None if none can be started here."""
    global _kept
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    with _lock:
        kept, _kept = _kept, None
    if kept is not None and kept.count == count and kept.owner == os.getpid():
        return kept
    _end(kept)
    return Processes(count)


def return_processes(processes: Processes) -> None:
    """Keep worker processes for the next time."""
    global _kept
    with _lock:
        other, _kept = _kept, processes
    _end(other)


def _end(processes: Processes | None) -> None:
    if processes is not None and processes.owner == os.getpid():  # a fork has no workers of its own
        processes.stop()


@atexit.register
def _end_kept() -> None:
    global _kept
    with _lock:
        kept, _kept = _kept, None
    _end(kept)


def inbox_and_answers() -> tuple[queue.SimpleQueue[Any], IO[bytes]]:
    """Let an interpreter that was `started` take messages, and answer; it ends when its input does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    with suppress(OSError):
        os.dup2(2, 1)  # what anything prints must not get between the answers
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, inbox), daemon=True).start()
    return inbox, answers


def serve() -> None:
    """Do batches until there are no more: what a worker process runs."""
    inbox, answers = inbox_and_answers()
    function: Callable[[Any], Any] | None = None
    with suppress(queue.Empty, OSError):
        while True:
            content, jobs, folder = inbox.get(timeout=_IDLE)
            answer: Any
            try:
                os.chdir(folder)
                function = function if content is None else pickle.loads(content)
                loaded = pickle.loads(jobs)
            except Exception as error:
                answer = packed(UnsendableError(str(error)))
            else:
                assert function is not None
                answer = _answer(run_batch(function, loaded))
            answers.write(answer)
            answers.flush()
    os._exit(0)


def _receive(stream: IO[bytes], inbox: queue.SimpleQueue[Any]) -> None:
    """Take messages; end the process as soon as there is nobody who could send more."""
    try:
        while True:
            inbox.put(pickle.load(stream))
    except (EOFError, OSError, pickle.UnpicklingError):
        os._exit(0)


def _answer(done: Done) -> bytes:
    try:
        return packed(done)
    except UnsendableError as error:
        if done.error is not None:  # an exception that cannot be pickled
            with suppress(UnsendableError):
                done.error = RuntimeError(f"{type(done.error).__name__}: {done.error}")
                return packed(done)
        return packed(error)
