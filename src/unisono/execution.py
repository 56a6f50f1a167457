"""One way to map over jobs: in place, in threads, in processes, or on any executor (a Dask cluster).

Whoever does the work, answers come in the order of the jobs, so workers never change a number. How many workers there
may be is the user's choice; what they are is decided while the work is done, because how long jobs take is only known
then:

- The first jobs are done by one thread. Where little is left after that, it does the rest.
- Compiled kernels release Python's lock, so threads run them side by side. Where threads turn out to wait for each
  other instead, since jobs spend their time in Python, processes take over, if that is worth starting them and what
  they need can be sent to them; otherwise one thread goes on alone.
- Where processes were started early, they work beside one thread as soon as they have loaded what they need:
  processes do not wait for each other.
- Jobs that are known to spend their time in Python (`python=True`) go to processes right away.

Jobs are handed out in batches that take long enough not to notice the handing out. A job that maps over jobs itself
does so in place.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from math import ceil
from time import perf_counter, sleep
from typing import Any, Protocol, TypeAlias, TypeVar

from unisono.checks import check_function, check_whole
from unisono.processes import (
    AT_HAND,
    Done,
    Processes,
    Task,
    UnsendableError,
    WorkersGoneError,
    borrowed_processes,
    early_kept,
    is_inside,
    return_processes,
    run_batch,
)
from unisono.version import __version__

Job = TypeVar("Job")
Answer = TypeVar("Answer")

Workers: TypeAlias = int | Executor | None
"""The number of CPU cores to use, or an executor that does the work; None: all cores."""

_BATCH = 0.1
_SENT_BATCH = 0.5
"""Seconds that a batch should take in a thread, and in another process, to which it has to be sent."""
_SMALL = 2**16
"""Bytes of a function that is sent with every batch."""
_RECOUNT = 5.0
"""Seconds after which the workers of a cluster are counted again."""
_NOBODY = 300.0
"""Seconds after which a cluster that has lost all its workers is given up: a new one may be on its way."""
_SOON = 0.03
"""Seconds after which one thread alone gets company."""
_WORTH_PROCESSES = 1.5
"""Seconds of work that must be left for processes to be started: each takes about half a second to load the program."""
_WORTH_SENDING = 0.1
"""The same for processes that were started early."""
_PARTS = 4
"""Nested jobs are long if they are more than one of so many parts of what each worker has to do."""
_WATCH = 0.4
_GAIN = 1.3
"""Threads are given up if, after so many seconds of work, they compute less than this many times as much as one."""


class Progress(Protocol):
    """A callable that is informed about the progress of the work.

    One with a method `say` also receives sentences on what is being done.
    """

    def __call__(self, done: int, total: int) -> None:
        """Receive the number of jobs done, and of all jobs known so far."""


class Pool:
    """Workers that map over jobs; answers come in the order of the jobs, so workers never change a number.

    Parameters
    ----------
    hands : _Hands or None
        Those who do the work; None: it is done in place.
    progress : callable, optional
        Called after each job.
    """

    def __init__(self, hands: _Hands | None = None, progress: Progress | None = None) -> None:
        self._hands = hands
        self._progress = check_function(progress, "progress", "done", "total")
        self._done = 0
        self._total = 0
        self._parts = (1, 1)  # the part of the work that is being done, counted from 1, and how many there are

    def map(
        self,
        function: Callable[[Job], Answer],
        jobs: Sequence[Job],
        *,
        nested: bool = False,
        sizes: Sequence[float] | None = None,
    ) -> list[Answer]:
        """Apply a function to every job; see `each`."""
        return list(self.each(function, jobs, nested=nested, sizes=sizes))

    def each(
        self,
        function: Callable[[Job], Answer],
        jobs: Sequence[Job],
        *,
        nested: bool = False,
        sizes: Sequence[float] | None = None,
    ) -> Iterator[Answer]:
        """Apply a function to every job; yield each answer as soon as it and all before it are ready.

        What is large and the same for all jobs belongs in the function (`functools.partial`), which is sent to each
        process only once. `nested` jobs map over jobs themselves: where they are few, they are done in place, one after
        the other, so that the smaller jobs in them are shared out; so are the first ones if they are long. With `sizes`
        of jobs that differ much, the longest first, progress is how much of the work is done, as a number of jobs.
        """
        if is_inside():
            yield from map(function, jobs)
            return
        self._total += len(jobs)
        work, before, finished = sum(sizes or ()), self._done, 0.0
        n_here = self._n_in_place(len(jobs), sizes, nested=nested)
        others = () if self._hands is None or n_here == len(jobs) else self._hands.answers(function, jobs[n_here:])
        answers = chain(map(function, jobs[:n_here]), others)
        for number, answer in enumerate(answers, start=1):
            finished += sizes[number - 1] if sizes else 0.0
            self._done = before + (int(len(jobs) * finished / work) if work and number < len(jobs) else number)
            if self._progress is not None:
                part, n_parts = self._parts
                self._progress(self._done, ceil(self._total * n_parts / part))
            yield answer

    def _n_in_place(self, n_jobs: int, sizes: Sequence[float] | None, *, nested: bool) -> int:
        """Return how many jobs, from the first on, are done in place."""
        if self._hands is None or (not self.many(n_jobs) if nested else n_jobs == 1):
            return n_jobs
        if not nested or sizes is None:
            return 0
        # whoever begins one of these last would still be busy when the others have nothing left to do
        longest = sum(sizes) / (_PARTS * self._hands.count)
        return next((place for place, size in enumerate(sizes) if size <= longest), n_jobs)

    def meanwhile(self, function: Callable[[], Answer]) -> Callable[[], Answer]:
        """Have something done besides the jobs that follow; return what gives the answer, and waits for it if need be.

        Without another thread here, it is done when the answer is asked for.
        """
        return function if self._hands is None or is_inside() else self._hands.meanwhile(function)

    @property
    def count(self) -> int:
        """How many workers there are."""
        return 1 if self._hands is None else self._hands.count

    def many(self, n_jobs: int) -> bool:
        """Whether there are several workers, and enough jobs for all of them even if jobs differ in length."""
        return self._hands is not None and n_jobs >= 2 * self._hands.count

    def part(self, number: int, n_parts: int) -> Pool:
        """Begin one of several parts of the work, counted from 0: those to come are taken to have as many jobs."""
        self._parts = (number + 1, n_parts)
        return self

    def say(self, about: str) -> None:
        """Tell what is being done, if whoever is informed about progress wants to know."""
        say = getattr(self._progress, "say", None)
        if say is not None:
            say(about)


def check_workers(workers: Any) -> Workers:
    """Return a whole number from 1 up, an Executor or None."""
    return workers if workers is None or isinstance(workers, Executor) else check_whole(workers, "workers", low=1)


def n_cores() -> int:
    """Return how many CPU cores this program may use: on a shared computer, those that it was given."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def pool(
    workers: Workers, *, parallel: bool = True, progress: Progress | None = None, python: bool = False
) -> Iterator[Pool]:
    """Provide workers.

    Parameters
    ----------
    workers : int, Executor or None
        See `Workers`.
    parallel : bool
        False if there is too little work to share it.
    progress : callable, optional
        Called after each job.
    python : bool
        Whether jobs are known to spend their time in Python and not in compiled kernels.

    Raises
    ------
    OptionError
        If `workers` or `progress` is something else.
    """
    hands: _Hands | None = None
    match check_workers(workers):
        case Executor() as executor:
            hands = None if is_inside() else _OnExecutor(executor)
        case count:
            several = (count or n_cores()) if parallel and not is_inside() else 1
            hands = None if several == 1 else _Here(several, python=python)
    made = Pool(hands, progress)
    try:
        yield made
    except BaseException:
        if hands is not None:
            hands.close(abandon=True)
        raise
    if hands is not None:
        hands.close()


class _Hands(Protocol):
    """Those who do the work."""

    @property
    def count(self) -> int:
        """How many they are."""

    def answers(self, function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[Any]:
        """Do jobs, and yield the answers in order."""

    def meanwhile(self, function: Callable[[], Answer]) -> Callable[[], Answer]:
        """Have something done besides, if there is another thread; see `Pool.meanwhile`."""

    def close(self, *, abandon: bool = False) -> None:
        """Let them go; with `abandon`, what they are doing is no longer needed."""


class _Batches:
    """Jobs that are handed out in batches, and their answers in order."""

    def __init__(self, jobs: Sequence[Any]) -> None:
        self._jobs = jobs
        self._next = 0
        self._first: deque[int] = deque()  # of the batches that were handed out, as long as their answers are not given
        self.running: dict[Future[Done], range] = {}
        self._finished: dict[int, Done] = {}
        self._n_done, self._seconds = 0, 0.0

    @property
    def n_left(self) -> int:
        """How many jobs are not handed out."""
        return len(self._jobs) - self._next

    @property
    def unfinished(self) -> bool:
        """Whether there is still something to wait for."""
        return bool(self.n_left or self.running)

    def seconds_left(self, waited: float) -> float:
        """Estimate how long one worker needs for the jobs that are left, after it has worked for a while."""
        return self.n_left * (self._seconds / self._n_done if self._n_done else waited)

    def hand_out(self, submit: Callable[[Sequence[Any]], Future[Done]], n_workers: int, seconds: float) -> None:
        """Hand out the next batch, of about so many seconds: not so large that others have nothing to do at the end."""
        wanted = int(seconds * self._n_done / self._seconds) if self._seconds else 1
        size = max(1, min(wanted, ceil(self.n_left / (2 * n_workers))))
        batch = range(self._next, self._next + size)
        self._next = batch.stop
        self._first.append(batch.start)
        self._submit(batch, submit)

    def collect(self, timeout: float | None, again: Callable[[Sequence[Any]], Future[Done]]) -> list[Done]:
        """Wait until batches are finished; do those again, otherwise, that could not be sent."""
        found = []
        for future in wait(self.running, timeout, FIRST_COMPLETED).done:
            batch = self.running.pop(future)
            try:
                done = future.result()
            except UnsendableError:
                self._submit(batch, again)
                continue
            self._finished[batch.start] = done
            self._n_done += len(done.answers)
            self._seconds += done.seconds
            found.append(done)
        return found

    def ready(self) -> Iterator[Any]:
        """Yield the answers that are next in order; raise the error of a job that failed."""
        while self._first and self._first[0] in self._finished:
            done = self._finished.pop(self._first.popleft())
            yield from done.answers
            if done.error is not None:
                raise done.error

    def cancel(self) -> None:
        """Forget what nobody has begun."""
        for future in self.running:
            future.cancel()

    def _submit(self, batch: range, submit: Callable[[Sequence[Any]], Future[Done]]) -> None:
        self.running[submit(self._jobs[batch.start : batch.stop])] = batch


@dataclass
class _Experience:
    """What is known about how to do jobs of one kind."""

    threads_help: bool
    n_threads: int = 1  # how many of them work at a time
    tried: bool = False  # whether several threads were


class _Here:
    """Threads and processes of this computer; see the module."""

    def __init__(self, count: int, *, python: bool) -> None:
        self.count = count
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="unisono")
        self._python = python
        self._processes: Processes | None = None
        self._experience: dict[Any, _Experience] = {}  # by the function: other jobs may be of another kind

    def answers(self, function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[Any]:
        """Do jobs, and yield the answers in order."""
        work = _Batches(jobs)
        here: set[Future[Done]] = set()
        recent: list[Done] = []
        task: Task | None = None
        sendable = True
        kind = function.func if isinstance(function, partial) else function
        known = self._experience.setdefault(kind, _Experience(threads_help=not self._python))
        mine = self._processes
        ready = early_kept(self.count - 1) if mine is None else mine.early
        known.threads_help &= not ready
        began = perf_counter()

        def submit(batch: Sequence[Any]) -> Future[Done]:
            future = self._threads.submit(run_batch, function, batch)
            here.add(future)
            return future

        def send(batch: Sequence[Any]) -> Future[Done]:
            assert self._processes is not None
            assert task is not None
            return self._processes.submit(task, batch)

        try:
            while work.unfinished:
                here.intersection_update(work.running)
                while work.n_left and len(here) < known.n_threads:
                    work.hand_out(submit, self.count, _BATCH)
                while work.n_left and task is not None and len(work.running) - len(here) < self._most_sent(work):
                    # what a worker has at hand counts as that of several workers: nobody can take it back at the end
                    work.hand_out(send, AT_HAND * self.count, _SENT_BATCH)
                more_to_come = task is None or self._n_loading
                recent += work.collect(_SOON if more_to_come and work.n_left else None, submit)
                yield from work.ready()
                waited = perf_counter() - began
                if self._reconsidered(known, recent, waited):
                    recent.clear()
                worth = work.seconds_left(waited) > (_WORTH_SENDING if ready else _WORTH_PROCESSES)
                if worth and sendable and task is None and not known.threads_help:
                    task = self._task(function, known)
                    sendable = task is not None
        finally:
            work.cancel()

    def _most_sent(self, work: _Batches) -> int:
        """Return how many batches to send: one more than each process does at once, unless others could do the last."""
        return (AT_HAND if work.n_left > 2 * self.count else 1) * (self.count - 1 - self._n_loading)

    @property
    def _n_loading(self) -> int:
        return 0 if self._processes is None else self._processes.n_loading

    def _reconsidered(self, known: _Experience, recent: Sequence[Done], waited: float) -> bool:
        """Choose the number of threads by how much of their time they computed; return whether it may have changed."""
        seconds = sum(done.seconds for done in recent)
        share = sum(done.computing for done in recent) / seconds if seconds else 1.0
        if not known.threads_help or (known.n_threads == 1 and waited < _SOON):
            return False
        if known.n_threads == 1:
            known.n_threads = self.count
            known.tried = True
            return True
        if seconds < _WATCH * self.count:
            return False
        known.threads_help = self.count * share > _GAIN
        known.n_threads = self.count if known.threads_help else 1
        return True

    def _task(self, function: Callable[[Any], Any], known: _Experience) -> Task | None:
        """Prepare a function for processes, and have these; None if it cannot be sent, which leaves threads."""
        try:
            task = Task.of(function)
        except UnsendableError:
            known.threads_help = not known.tried
            return None
        self._processes = self._processes or borrowed_processes(self.count - 1)
        return task if self._processes is not None else None

    def meanwhile(self, function: Callable[[], Answer]) -> Callable[[], Answer]:
        """Have one of the threads do something."""
        return self._threads.submit(function).result

    def close(self, *, abandon: bool = False) -> None:
        """Let the threads go; processes are kept for the next time, unless what they do is no longer needed."""
        self._threads.shutdown(wait=not abandon, cancel_futures=abandon)
        if self._processes is not None:
            self._processes.stop() if abandon else return_processes(self._processes)


_VERSION = "__import__('unisono.version', fromlist=['__version__']).__version__"
"""What each worker of a cluster is asked; a function of this program's could not be sent to one that has no unisono."""


class _OnExecutor:
    """An executor of the user's, which may be a cluster."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._client = getattr(executor, "_client", None) if _is_dask(executor) else None
        self._checked: set[str] = set()  # workers of a cluster that have this program
        self._last_seen: float | None = None  # when there was a worker
        self.count = self._count()

    def answers(self, function: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[Any]:
        """Do jobs, and yield the answers in order."""
        work = _Batches(jobs)
        counted = perf_counter()
        try:
            while self._client is not None and self._last_seen is None:  # those of a queue may come later
                sleep(_SOON)
                self.count = self._count()
            submit = self._sender(function)
            while work.unfinished:
                if perf_counter() - counted > _RECOUNT:  # a cluster may grow
                    self.count, counted = self._count(), perf_counter()
                while work.n_left and len(work.running) < 2 * self.count:
                    work.hand_out(submit, self.count, _SENT_BATCH)
                work.collect(_RECOUNT, submit)
                yield from work.ready()
        except (BrokenExecutor, CancelledError) as error:
            raise self._gone(error) from None
        except Exception as error:
            if self._client is not None and type(error).__module__.startswith("distributed"):
                raise self._gone(error) from None
            raise
        finally:
            work.cancel()

    def meanwhile(self, function: Callable[[], Answer]) -> Callable[[], Answer]:
        """Leave it for later: data need not be sent for it."""
        return function

    def close(self, *, abandon: bool = False) -> None:
        """Leave it to the user."""

    def _sender(self, function: Callable[[Any], Any]) -> Callable[[Sequence[Any]], Future[Done]]:
        if self._client is None:
            return lambda batch: self._executor.submit(run_batch, function, batch)
        kept: Any = _sealed(function)
        if len(kept) > _SMALL:
            # the function is a result on the cluster, made again if the worker that has it is lost; all have it, since
            # the scheduler gives work to those that have what it needs, though others are idle
            kept = self._client.submit(bytes, kept, pure=False)
            self._client.replicate(kept)
        submit: Any = self._executor.submit
        return lambda batch: submit(run_sealed, kept, _sealed(batch), pure=False)

    def _count(self) -> int:
        if self._client is None:
            return getattr(self._executor, "_max_workers", None) or n_cores()
        try:
            threads: dict[str, int] = self._client.nthreads()
            new = [worker for worker in threads if worker not in self._checked]
            found = self._client.run(eval, _VERSION, workers=new, on_error="return") if new else {}
        except Exception as error:
            raise self._gone(error) from None
        for worker, version in found.items():
            if isinstance(version, ImportError):
                raise WorkersGoneError(f"{worker} cannot load unisono ({version}); install version {__version__} there")
            if isinstance(version, str) and version != __version__:
                raise WorkersGoneError(f"{worker} has unisono {version}; install version {__version__} there")
            self._checked.add(worker)
        if threads:
            self._last_seen = perf_counter()
        elif self._last_seen is not None and perf_counter() - self._last_seen > _NOBODY:
            raise WorkersGoneError("the Dask cluster has lost all its workers; start some again")
        return sum(threads.values()) or 1

    def _gone(self, error: BaseException) -> WorkersGoneError:
        what = f" ({type(error).__name__}: {' '.join(str(error).split())[:200]})" if str(error) else ""
        if self._client is None:
            return WorkersGoneError(f"the executor has lost its workers{what}; start it again")
        return WorkersGoneError(
            f"the Dask cluster is no longer reachable, or has lost too many workers{what}; start it again"
        )


def _is_dask(executor: Executor) -> bool:
    return type(executor).__module__.partition(".")[0] == "distributed"


def _sealed(thing: Any) -> bytes:
    """Pickle something; cloudpickle, which comes with Dask, also takes what is defined in a script."""
    import cloudpickle

    return bytes(cloudpickle.dumps(thing))


def run_sealed(function: bytes, jobs: bytes) -> Done:
    """Do a batch on a cluster."""
    with keeping_memory():
        return run_batch(_unsealed(function), pickle.loads(jobs))


_TRIM = "MALLOC_TRIM_THRESHOLD_"
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # numbers of glibc's malloc.h
_USUAL_MMAP = 2**17  # glibc's own, which it adapts no longer when either number was chosen
_LARGEST_MMAP, _ROOMY = 2**25, 2**28


@contextmanager
def keeping_memory() -> Iterator[None]:
    """Have the C library keep what a batch frees, for the next arrays of this batch, where it was told not to.

    Dask has its workers give memory back to the system at once. That takes a fifth of the time of jobs like ours: the
    system clears all memory that it hands out. If a worker has several threads, the first to finish ends this for all.
    """
    usual = os.environ.get(_TRIM, "")
    choose = getattr(ctypes.CDLL(None), "mallopt", None) if usual.isdecimal() and sys.platform == "linux" else None
    if choose is None:
        yield
        return
    choose(_M_TRIM_THRESHOLD, _ROOMY)
    choose(_M_MMAP_THRESHOLD, _LARGEST_MMAP)
    try:
        yield
    finally:
        choose(_M_TRIM_THRESHOLD, int(usual))
        choose(_M_MMAP_THRESHOLD, _USUAL_MMAP)


@lru_cache(maxsize=2)
def _unsealed(function: bytes) -> Callable[[Any], Any]:
    """Load a function once for all batches."""
    loaded: Callable[[Any], Any] = pickle.loads(function)
    return loaded
