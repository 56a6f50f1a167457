"""One way to map over jobs: in place, in threads, or on any executor (processes, a Dask cluster)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias, TypeVar

from unisono.checks import check_function, check_whole

Job = TypeVar("Job")
Answer = TypeVar("Answer")

Workers: TypeAlias = int | Executor | None
"""The number of threads, or an executor that does the work; None: one thread per CPU."""


class Progress(Protocol):
    """A callable that is informed about the progress of the work."""

    def __call__(self, done: int, total: int) -> None:
        """Receive the number of jobs done, and of all jobs known so far."""


class Pool:
    """Workers that map over jobs; answers come in the order of the jobs, so workers never change a number."""

    def __init__(self, executor: Executor | None, progress: Progress | None) -> None:
        self._executor = executor
        self._progress = check_function(progress, "progress", "done", "total")
        self._done = 0
        self._total = 0

    def map(self, function: Callable[[Job], Answer], jobs: Sequence[Job]) -> list[Answer]:
        """Apply a function to every job."""
        return list(self.each(function, jobs))

    def each(self, function: Callable[[Job], Answer], jobs: Sequence[Job]) -> Iterator[Answer]:
        """Apply a function to every job; yield each answer as soon as it and all before it are ready."""
        self._total += len(jobs)
        answers = map(function, jobs) if self._executor is None else self._executor.map(function, jobs)
        for answer in answers:
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)
            yield answer


def check_workers(workers: Any) -> Workers:
    """Return a whole number from 1 up, an Executor or None."""
    return workers if workers is None or isinstance(workers, Executor) else check_whole(workers, "workers", low=1)


@contextmanager
def pool(workers: Workers, *, parallel: bool = True, progress: Progress | None = None) -> Iterator[Pool]:
    """Provide workers.

    Parameters
    ----------
    workers : int, Executor or None
        See `Workers`.
    parallel : bool
        False if threads would only wait for each other (interpreted code).
    progress : callable, optional
        Called after each job.

    Raises
    ------
    OptionError
        If `workers` or `progress` is something else.
    """
    if isinstance(workers, Executor):
        yield Pool(workers, progress)
        return
    count = (os.cpu_count() or 1) if workers is None else check_whole(workers, "workers", low=1)
    if count == 1 or not parallel:
        yield Pool(None, progress)
        return
    threads = ThreadPoolExecutor(count)
    try:
        yield Pool(threads, progress)
    except BaseException:
        threads.shutdown(wait=False, cancel_futures=True)  # what is being computed is no longer needed
        raise
    threads.shutdown()
