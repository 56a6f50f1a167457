"""Jobs in place, in threads, in processes and on executors: the same answers in the same order, and clear errors."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from jobs import NeedsTwoError, busy, dies_once, patient, raises_at_50

import unisono
from unisono import execution, processes
from unisono.errors import DataError, OptionError
from unisono.execution import pool
from unisono.processes import Processes, Task, UnsendableError, WorkersGoneError, preparing, run_batch

WRONG = [1.5, 2.0, "2", 0, -1, True, False, [2], float("nan"), np.float64(2.0)]


@pytest.mark.parametrize("workers", WRONG, ids=repr)
@pytest.mark.parametrize("parallel", [False, True])
def test_wrong_workers(workers, parallel):
    with pytest.raises(OptionError, match=r"^workers: ") as raised, pool(workers, parallel=parallel):
        pass
    assert raised.value.parameter == "workers"


@pytest.mark.parametrize("progress", [True, "bar", 3])
def test_wrong_progress(progress):
    with pytest.raises(OptionError, match=r"^progress: ") as raised, pool(1, progress=progress):
        pass
    assert raised.value.parameter == "progress"


@pytest.mark.parametrize("workers", [1.5, "2", 0, True])
def test_measures_name_the_parameter(workers):
    corpus = unisono.Corpus.from_columns(
        annotator=["A", "A", "B", "B"], start=[0, 5, 1, 5], end=[3, 9, 3, 8], features={"category": list("XYXX")}
    )
    with pytest.raises(OptionError, match=r"^workers: "):
        unisono.gamma(corpus, workers=workers)
    with pytest.raises(OptionError, match=r"^workers: "):
        unisono.align(corpus, workers=workers)


@pytest.mark.parametrize("workers", [None, 1, 2, np.int64(2), "executor"])
@pytest.mark.parametrize("parallel", [False, True])
def test_answers_in_order_and_progress_after_each(workers, parallel):
    told = []
    with ThreadPoolExecutor(3) as executor:
        chosen = executor if workers == "executor" else workers
        with pool(chosen, parallel=parallel, progress=lambda done, total: told.append((done, total))) as given:
            assert given.map(lambda job: job**2, range(20)) == [job**2 for job in range(20)]
            assert given.map(str, [1, 2]) == ["1", "2"]
    assert told == [*((done, 20) for done in range(1, 21)), (21, 22), (22, 22)]


@pytest.fixture
def eager(monkeypatch):
    """Processes for any work."""
    monkeypatch.setattr(execution, "_WORTH_PROCESSES", 0.0)


@pytest.mark.parametrize("workers", [1, 2])
def test_something_is_done_meanwhile(workers):
    where = []
    with pool(workers) as crew:
        asked = crew.meanwhile(lambda: where.append(threading.current_thread()) or 7)
        assert crew.map(abs, range(5)) == [0, 1, 2, 3, 4]
        assert asked() == 7
    assert (where == [threading.current_thread()]) == (workers == 1)


def test_an_error_meanwhile_is_raised_where_the_answer_is_asked_for():
    with pool(2) as crew:
        asked = crew.meanwhile(lambda: 1 // 0)
        assert crew.map(abs, range(5)) == [0, 1, 2, 3, 4]
        with pytest.raises(ZeroDivisionError):
            asked()


def test_small_work_is_done_by_one(monkeypatch):
    # small for a busy computer, too, where a job of no time at all may take a while
    monkeypatch.setattr(execution, "_SOON", 60.0)
    monkeypatch.setattr(execution, "_WORTH_PROCESSES", 60.0)
    with pool(2) as given:
        assert len({*given.map(lambda _: threading.get_ident(), range(8))}) == 1
    with pool(2, python=True) as given:
        assert {pid for _, pid in given.map(partial(busy, 0.001), range(50))} == {os.getpid()}


def test_threads_where_the_lock_is_released():
    seen = set()

    def idle(job):
        """Wait, as a kernel that has released the lock does, later ones for a second thread."""
        time.sleep(0.02)
        seen.add(threading.get_ident())
        give_up = time.monotonic() + 60
        while job >= 10 and len(seen) < 2 and time.monotonic() < give_up:
            time.sleep(0.01)

    with pool(2) as given:
        given.map(idle, range(20))
    assert len(seen) == 2


def test_processes_where_python_dominates(tmp_path):
    with pool(2, python=True) as given:
        found = given.map(partial(patient, tmp_path, 2, 0.06), range(60))
    assert [job for job, _ in found] == list(range(60))
    assert len({pid for _, pid in found}) == 2


def test_threads_that_wait_for_each_other_become_processes(eager, monkeypatch, tmp_path):
    # while other programs are busy, time for which a thread waits for the lock looks like computing: up to 1.4
    monkeypatch.setattr(execution, "_GAIN", 1.7)
    with pool(2) as given:
        found = given.map(partial(patient, tmp_path, 2, 0.05), range(60))
    assert [job for job, _ in found] == list(range(60))
    assert len({pid for _, pid in found}) == 2


def test_what_is_done_once_does_not_count():
    """While one thread loads machine code, others wait for it; that does not say that threads hinder each other."""

    def loaded(job):
        with preparing():
            time.sleep(0.2)
            with preparing():
                time.sleep(0.2)
        return busy(0.01, job)

    done = run_batch(loaded, [0, 1])
    assert 0.02 <= done.seconds < 0.7
    assert done.computing >= 0.02


def test_processes_are_kept_for_the_next_time(eager, tmp_path):
    seen = []
    for turn in ("first", "second"):
        with pool(3, python=True) as given:
            found = given.map(partial(patient, tmp_path / turn, 3, 0.01), range(60))
            seen.append({pid for _, pid in found} - {os.getpid()})
    assert len(seen[0]) == 2
    assert seen[0] == seen[1]


@pytest.fixture
def early(tmp_path):
    """A worker process that is started early, and says when it is there."""
    processes.end_kept()
    processes.start_early(2, 1, Task.named("jobs:leave_trace", str(tmp_path / "started")))
    yield tmp_path / "started"
    processes.end_kept()


def test_processes_that_were_started_early_work_from_the_beginning(early, tmp_path):
    assert processes.early_kept(2)
    assert not processes.early_kept(1)
    with pool(3) as given:  # not known to spend its time in Python, and too little work to start processes for
        found = given.map(partial(patient, tmp_path / "who", 2, 0.01), range(60))
    assert [job for job, _ in found] == list(range(60))
    assert int(early.read_text()) in {pid for _, pid in found}


def test_nothing_waits_for_a_process_that_is_still_loading():
    processes.end_kept()
    processes.start_early(1, 1, Task.named("time:sleep", 600))
    with pool(2) as given:
        found = given.map(partial(busy, 0.02), range(40))
    assert found == [(job, os.getpid()) for job in range(40)]
    processes.end_kept()


def test_batches_go_to_the_process_that_has_loaded(tmp_path):
    processes.end_kept()
    processes.start_early(2, 2, Task.named("jobs:loads_slowly_once", str(tmp_path / "slow")))
    with pool(3) as given:
        found = given.map(partial(patient, tmp_path / "who", 2, 0.01), range(60))
    assert [job for job, _ in found] == list(range(60))
    assert int((tmp_path / "slow").read_text()) not in {pid for _, pid in found}
    processes.end_kept()


def test_processes_that_are_not_needed_end_at_once(tmp_path):
    """Even while they load something, which Python would wait for."""
    script = """
import sys
sys.path.insert(0, sys.argv[1])
from unisono import processes
processes.start_early(1, 1, processes.Task.named("time:sleep", 60))
processes.end_kept()
"""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", script, os.path.dirname(__file__)], check=True)
    assert time.monotonic() - began < 30


def test_a_wrong_task_of_an_early_process_does_not_matter():
    processes.end_kept()
    processes.start_early(1, 1, Task.named("unisono.nowhere:nothing"))
    with pool(2, python=True) as given:
        assert given.map(abs, range(-50, 0)) == [*range(50, 0, -1)]
    processes.end_kept()


def test_a_job_inside_a_job_in_place_has_the_processes_that_are_there(early):
    def outer(_):
        with pool(3) as inner:
            return {pid for _, pid in inner.map(partial(busy, 0.02), range(60))}

    with pool(3, python=True) as given:
        (seen,) = given.map(outer, [0], nested=True)
    assert len(seen) > 1


def test_what_cannot_be_sent_stays_here(eager):
    factor = 3
    with pool(2, python=True) as given:
        assert given.map(lambda job: busy(0.002, job)[0] * factor, range(100)) == [3 * job for job in range(100)]
        jobs = [threading.Lock() for _ in range(100)]
        assert given.map(_locked, jobs) == [False] * 100
        assert len(given.map(_made_lock, range(100))) == 100


def _locked(lock):
    busy(0.002, 0)
    return lock.locked()


def _made_lock(_):
    busy(0.002, 0)
    return threading.Lock()


def test_errors_of_processes(eager):
    told = []

    def tell():
        with pool(2, python=True, progress=lambda done, total: told.append(done)) as given:
            told.extend(-answer for answer in given.each(_fails_at_50, range(100)))

    with pytest.raises(DataError, match="line 3: wrong"):
        tell()
    assert told == [number for job in range(50) for number in (job + 1, -job)]


def _fails_at_50(job):
    busy(0.002, job)
    if job >= 50:
        raise DataError("wrong", line=3)
    return job


def test_a_job_that_maps_over_jobs_does_so_in_place(eager):
    for python in (False, True):
        with pool(2, python=python) as given:
            found = given.map(_mapping, range(40))
        assert all(len(workers) == 1 for workers in found)


def _mapping(_):
    with pool(2, python=True) as given:
        return {(os.getpid(), threading.get_ident()) for _ in given.map(partial(busy, 0.005), range(4))}


def test_few_nested_jobs_are_done_one_after_the_other():
    here = threading.get_ident()
    with pool(2) as given:
        assert {*given.map(lambda _: threading.get_ident(), range(3), nested=True)} == {here}
        assert here not in given.map(lambda _: threading.get_ident(), range(4), nested=True)


def test_long_nested_jobs_are_done_before_the_others_that_are_shared_out():
    here, seen = threading.get_ident(), []
    with pool(2, progress=lambda done, total: seen.append((done, total))) as given:
        found = given.map(lambda _: threading.get_ident(), range(12), nested=True, sizes=[30, 30, 20] + [2] * 9)
        assert [one == here for one in found] == [True] * 3 + [False] * 9
        assert here not in given.map(lambda _: threading.get_ident(), range(12), sizes=[30, 30, 20] + [2] * 9)
        assert here not in given.map(lambda _: threading.get_ident(), range(12), nested=True, sizes=[1] * 12)
        assert {*given.map(lambda _: threading.get_ident(), range(5), nested=True, sizes=[1] * 5)} == {here}
    assert seen[:4] == [(3, 12), (7, 12), (9, 12), (10, 12)]


def test_a_worker_process_that_is_killed_costs_no_answers(eager, tmp_path):
    with pool(2, python=True) as given:
        found = []
        for job, pid in given.each(partial(patient, tmp_path, 2, 0.01), range(100)):
            if pid != os.getpid() and job > 20 and not any(killed for _, killed in found):
                os.kill(pid, signal.SIGKILL)
                found.append((job, True))
            else:
                found.append((job, False))
    assert [job for job, _ in found] == list(range(100))
    assert any(killed for _, killed in found)


def test_a_worker_that_dies_gives_back_all_its_batches(tmp_path):
    """Also the one that it had at hand and not begun; nothing is done twice or lost."""
    made = Processes(1)
    try:
        task = Task.of(partial(dies_once, str(tmp_path / "died")))
        futures = [made.submit(task, [job]) for job in range(6)]
        assert [future.result(60).answers for future in futures] == [[job] for job in range(6)]
        assert (tmp_path / "died").exists()
    finally:
        made.stop()


def test_batches_after_a_function_that_cannot_be_loaded():
    """The batch at hand, sent without the function since the one before it brought it, is not done by another one."""
    made = Processes(1)
    try:
        good = Task.of(partial(busy, 0.2))
        bad = Task(-1, good.content.replace(b"busy", b"bsuy"))
        futures = [made.submit(task, [1]) for task in (good, bad, bad, good)]
        assert futures[0].result(60).answers[0][0] == 1
        for future in futures[1:3]:
            with pytest.raises(UnsendableError):
                future.result(60)
        assert futures[3].result(60).answers[0][0] == 1
    finally:
        made.stop()


def test_a_batch_that_kills_its_workers_is_an_error(eager):
    with pytest.raises(WorkersGoneError, match="fewer workers"), pool(2, python=True) as given:
        given.map(partial(_ends_elsewhere, os.getpid()), range(100))


def _ends_elsewhere(pid, job):
    busy(0.01, job)
    if os.getpid() != pid:
        os._exit(1)
    return job


SCRIPT = """
import os, sys, time
from functools import partial
sys.path.insert(0, {tests!r})
from jobs import busy
from unisono import execution
from unisono.execution import pool
execution._WORTH_PROCESSES, execution._GAIN = 0, 1e9  # processes for any work, however busy the computer is
def own(job):
    return busy(0.002, job)
with pool(2, python=True) as given:
    print(sum(job for job, _ in given.map(own, range(100))), flush=True)  # defined in the script: not sent
    for job, pid in given.each(partial(busy, 0.02), range(100000)):
        if pid != os.getpid():
            print(pid, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_workers_end_with_the_program(number):
    """A script without a guard for multiprocessing, and whatever ends it."""
    script = SCRIPT.format(tests=os.path.dirname(__file__))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        assert program.stdout is not None
        assert int(program.stdout.readline()) == sum(range(100))
        worker = int(program.stdout.readline())
        os.kill(worker, 0)
        program.send_signal(number)
    give_up = time.monotonic() + 60
    while _lives(worker):
        assert time.monotonic() < give_up, "the worker is still there"
        time.sleep(0.02)


def _lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_executors_of_processes():
    with ProcessPoolExecutor(2) as executor, pool(executor) as given:
        found = given.map(partial(busy, 0.01), range(60))
    assert [job for job, _ in found] == list(range(60))
    assert os.getpid() not in {pid for _, pid in found}


def test_an_executor_that_breaks_is_one_sentence():
    with (
        ProcessPoolExecutor(2) as executor,
        pytest.raises(WorkersGoneError, match="lost its workers"),
        pool(executor) as given,
    ):
        given.map(partial(_ends_elsewhere, os.getpid()), range(60))


def test_an_error_ends_the_work():
    done = []

    def job(number):
        if number == 0:
            raise ValueError("wrong")
        done.append(number)

    with pytest.raises(ValueError, match="wrong"), pool(1) as given:
        given.map(job, range(100))
    assert not done
    stop = threading.Event()

    def slow(number):
        if number == 0:
            raise ValueError("wrong")
        stop.wait(0.01)
        done.append(number)

    with pytest.raises(ValueError, match="wrong"), pool(2) as given:
        given.map(slow, range(1000))
    assert len(done) < 900  # the others were cancelled


def test_as_many_threads_as_processors(monkeypatch):
    monkeypatch.setattr(execution, "n_cores", lambda: 1)
    with pool(None) as given:
        assert given._hands is None


def test_memory_is_kept_while_a_batch_is_done_on_a_cluster(monkeypatch):
    chosen = []

    class Library:
        def mallopt(self, option, value):
            chosen.append((option, value))

    monkeypatch.setattr(execution.ctypes, "CDLL", lambda name: Library())
    monkeypatch.setattr(execution.sys, "platform", "linux")
    monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_", raising=False)
    with execution.keeping_memory():
        pass
    assert not chosen  # the C library finds out by itself what is best
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    with execution.keeping_memory():
        assert chosen == [(-1, 2**28), (-3, 2**25)]
    assert chosen[2:] == [(-1, 65536), (-3, 2**17)]


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="this is about the C library of GNU")
def test_memory_is_kept_in_a_process_that_should_not():
    """The system need not provide the same memory again and again: 200 pages for each of a hundred arrays."""
    script = """
import resource
import numpy as np
from unisono.execution import keeping_memory
with keeping_memory():
    np.ones(100_000).sum()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(100):
        np.ones(100_000).sum()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
    environment = {**os.environ, "MALLOC_TRIM_THRESHOLD_": "65536"}
    done = subprocess.run([sys.executable, "-c", script], check=True, env=environment, capture_output=True, text=True)
    assert int(done.stdout) < 5_000


def test_an_error_that_does_not_unpickle(eager):
    with pytest.raises(NeedsTwoError, match="first"), pool(2, python=True) as given:
        given.map(raises_at_50, range(100))


def test_without_a_working_folder(eager, tmp_path, monkeypatch):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    with pool(2, python=True) as given:
        assert len(given.map(partial(busy, 0.002), range(100))) == 100


def test_where_no_process_can_be_started(eager, monkeypatch):
    processes.end_kept()

    def impossible(code):
        raise OSError("out of memory")

    monkeypatch.setattr(processes, "started", impossible)
    with pool(3, python=True) as given:
        found = given.map(partial(busy, 0.002), range(100))
    assert {pid for _, pid in found} == {os.getpid()}


def test_stopped_workers_answer():
    made = Processes(1)
    futures = [made.submit(Task.of(partial(busy, 5)), [job]) for job in range(5)]
    made.stop()
    for future in futures:
        with pytest.raises((WorkersGoneError, CancelledError)):
            future.result(60)


def test_progress_of_jobs_that_differ_in_size():
    told = []
    with pool(1, progress=lambda done, total: told.append((done, total))) as given:
        given.map(abs, range(5), sizes=[6, 3, 1, 0, 0])
    assert told == [(3, 5), (4, 5), (5, 5), (5, 5), (5, 5)]
