"""Worker processes: started when there is enough to do, or early; kept for what comes next, gone with the program.

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
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import FunctionType
from typing import IO, Any

from unisono.errors import UnisonoError, mention

_START = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
_IDLE = 300.0
"""Seconds without work after which a worker ends."""
AT_HAND = 2
"""How many batches a worker is given at a time: the one that it does, and the next."""
_MOST_DEATHS = 3
"""How many workers may die of one batch (the system kills those that need too much memory)."""

_state = threading.local()
_numbers = itertools.count()
_serving = False


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


def prepared_seconds() -> float:
    """Return for how long this thread has prepared something: it waited for that, but only once."""
    return _prepared()[0]


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

    @classmethod
    def named(cls, entry: str, *given: Any) -> Task:
        """Make a task of a function's name, e.g. "json:dumps": it is only loaded where the task is done."""
        return cls.of(partial(_call, entry, given))


def _call(entry: str, given: tuple[Any, ...], _job: None) -> None:
    module, _, name = entry.partition(":")
    getattr(import_module(module), name)(*given)


class Processes:
    """A number of worker processes; each has its next batch before it has finished one, so that it need not wait."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.owner = os.getpid()
        self.loading: list[Future[Done]] = []  # of workers that were started early; finished when they have loaded
        self._most = count  # how many this computer can start
        self._lock = threading.RLock()
        self._waiting: deque[_Order] = deque()
        self._workers: list[_Worker] = []
        self._stopped = False

    @property
    def n_loading(self) -> int:
        """How many workers are still loading what they need."""
        return sum([not future.done() for future in self.loading])

    @property
    def any_alive(self) -> bool:
        """Whether there is a worker: they end when they have nothing to do for long."""
        return bool(self._workers)

    @property
    def early(self) -> bool:
        """Whether workers were started early."""
        return bool(self.loading)

    def load(self, task: Task, n_workers: int) -> None:
        """Start workers, and have each load what it needs before it is given anything else."""
        self.loading = [self.submit(task, [None], loading=True) for _ in range(n_workers)]

    def submit(self, task: Task, jobs: Sequence[Any], *, loading: bool = False) -> Future[Done]:
        """Let some worker do a batch; UnsendableError if that is impossible, so that it has to be done here."""
        future: Future[Done] = Future()
        try:
            order = _Order(task, packed(jobs), os.getcwd(), future, loading)
        except (UnsendableError, OSError) as error:  # the working folder may have been removed
            future.set_exception(UnsendableError(str(error)))
            return future
        with self._lock:
            self._waiting.append(order)
        self._hand_out()
        return future

    def stop(self) -> None:
        """End all workers, whatever they are doing."""
        with self._lock:
            self._stopped = True
            workers, self._workers = self._workers, []
            waiting, self._waiting = self._waiting, deque()
        for worker in workers:
            worker.end()
        for order in waiting:
            if not order.future.cancel():
                order.future.set_exception(WorkersGoneError("worker processes were stopped"))

    def _hand_out(self) -> None:
        """Give batches that wait to workers that have less than they may; a worker that has nothing comes first."""
        impossible: list[_Order] = []
        why = ""
        with self._lock:
            while self._waiting and not self._stopped:
                if len(self._workers) < self._most and all(worker.orders for worker in self._workers):
                    try:
                        self._workers.append(_Worker(self._gone, self._hand_out))
                    except (OSError, RuntimeError) as error:  # no memory, or no more processes or threads
                        self._most = len(self._workers) or self._most
                        if not self._workers:
                            impossible, self._waiting, why = [*self._waiting], deque(), str(error)
                            break
                loaded = [one for one in self._workers if not one.is_loading]
                worker = min(loaded, key=lambda one: len(one.orders), default=None)
                if worker is None or len(worker.orders) >= AT_HAND:
                    break
                order = self._waiting.popleft()
                if order.future.running() or order.future.set_running_or_notify_cancel():
                    worker.take(order)
        for order in impossible:
            if order.future.running() or order.future.set_running_or_notify_cancel():
                order.future.set_exception(UnsendableError(why))

    def _gone(self, worker: _Worker) -> None:
        """Have others do what a worker that has died was given; the first batch may be what it died of."""
        given_up = []
        with self._lock:
            if worker in self._workers:
                self._workers.remove(worker)
            for place, order in reversed([*enumerate(worker.orders)]):
                order.deaths += 1 if place == 0 else 0
                if self._stopped or order.deaths == _MOST_DEATHS:
                    given_up.append(order)
                else:
                    self._waiting.appendleft(order)
        worker.end()
        self._hand_out()
        for order in given_up:
            order.future.set_exception(
                WorkersGoneError(
                    f"worker processes were killed, probably because memory ran out; use fewer {mention('workers')}"
                )
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


@dataclass(eq=False)
class _Order:
    """A batch to be done."""

    task: Task
    jobs: bytes
    folder: str  # where it is done
    future: Future[Done]
    loading: bool  # whether the worker loads what it needs, so that batches after it would have to wait
    deaths: int = 0  # of workers that had begun it


class _Worker:
    """One process, a thread that sends it batches, and one that waits for its answers."""

    def __init__(self, gone: Callable[[_Worker], None], free: Callable[[], None]) -> None:
        self.orders: deque[_Order] = deque()  # batches that it has been given and has not answered
        self._outbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._known: int | None = None
        self._gone, self._free = gone, free
        self._process = started("from unisono.processes import serve; serve()")
        try:
            for run in (self._send, self._listen):
                threading.Thread(target=run, name="unisono-worker", daemon=True).start()
        except RuntimeError:
            self.end()
            raise

    @property
    def is_loading(self) -> bool:
        """Whether it is still loading what it needs."""
        return any(order.loading for order in self.orders)

    def take(self, order: _Order) -> None:
        """Send a batch; if the process has died meanwhile, the thread that waits for answers finds that out."""
        content = None if self._known == order.task.number else order.task.content
        self._known = order.task.number
        self.orders.append(order)
        self._outbox.put((content, order.jobs, order.folder))

    def end(self) -> None:
        """End the process."""
        self._outbox.put(None)
        end_process(self._process)

    def _send(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            while (message := self._outbox.get()) is not None:
                pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
                self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        while True:
            try:
                content = pickle.load(self._process.stdout)
            except (EOFError, OSError, ValueError, pickle.UnpicklingError):
                break
            try:
                done = pickle.loads(content)
            except Exception as error:  # what can be pickled may still not load; doing it here shows what it is
                done = UnsendableError(str(error))
            if not isinstance(done, Done):
                self._known = None
            order = self.orders.popleft()
            self._free()
            if isinstance(done, Done):
                order.future.set_result(done)
            else:
                order.future.set_exception(done)
        self._gone(self)


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


def early_kept(count: int) -> bool:
    """Whether there are worker processes that were started early and that nobody uses."""
    kept = _kept
    usable = kept is not None and kept.count == count and kept.owner == os.getpid()
    return usable and kept is not None and kept.early and kept.any_alive


def start_early(count: int, n_now: int, task: Task) -> None:
    """Start worker processes that are sure to be needed, so that they load what they need while others still read.

    Of `count` that there may be, `n_now` are started; each does the task.
    """
    made = borrowed_processes(count)
    if made is not None:
        made.load(task, n_now)
        return_processes(made)


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
def end_kept() -> None:
    """End workers that nobody uses, even those that are still loading something."""
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


def is_worker() -> bool:
    """Whether this process is a worker of another one, which speaks to the user."""
    return _serving


def serve() -> None:
    """Do batches until there are no more: what a worker process runs."""
    global _serving
    _serving = True
    inbox, answers = inbox_and_answers()
    function: Callable[[Any], Any] | None = None
    with suppress(queue.Empty, OSError):
        while True:
            content, jobs, folder = inbox.get(timeout=_IDLE)
            answer: bytes
            try:
                if content is not None:
                    function = None  # if the new one cannot be loaded, the batches after this one have none either
                os.chdir(folder)
                if content is not None:
                    function = pickle.loads(content)
                if function is None:
                    raise UnsendableError("its function could not be loaded")
                loaded = pickle.loads(jobs)
            except Exception as error:
                answer = packed(UnsendableError(str(error)))
            else:
                answer = _answer(run_batch(function, loaded))
            pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
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
