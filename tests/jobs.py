"""Jobs that tests give to others; a module of its own, because each process that does them imports it."""

from __future__ import annotations

import os
import time


def busy(seconds, job):
    """Compute in Python for a while; return who did it."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return job, os.getpid()


def patient(folder, n_processes, seconds, job):
    """Compute for a while; from the twentieth job on, also wait until so many processes have done a job.

    How long processes take to start is then of no importance.
    """
    answer = busy(seconds, job)
    folder.mkdir(exist_ok=True)
    (folder / str(os.getpid())).touch()
    give_up = time.monotonic() + 60
    while job >= 20 and len(os.listdir(folder)) < n_processes and time.monotonic() < give_up:
        time.sleep(0.01)
    return answer


def leave_trace(path):
    """Note which process this is."""
    with open(path, "w") as stream:
        stream.write(str(os.getpid()))


def loads_slowly_once(path):
    """Sleep for ever in the first process that comes here, which notes who it is."""
    try:
        with open(path, "x") as stream:
            stream.write(str(os.getpid()))
    except FileExistsError:
        return
    time.sleep(3600)


def dies_once(path, job):
    """End the process at the second job, the first time."""
    time.sleep(0.05)
    if job == 1 and not os.path.exists(path):
        open(path, "w").close()
        os._exit(1)
    return job


class NeedsTwoError(Exception):
    """An error that can be pickled, and cannot be made again from that."""

    def __init__(self, first, second):
        super().__init__(first)


def raises_at_50(job):
    """Compute for a while, and fail."""
    busy(0.002, job)
    if job == 50:
        raise NeedsTwoError("first", "second")
    return job
