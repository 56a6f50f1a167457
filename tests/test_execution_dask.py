"""A real Dask cluster: workers and schedulers that are killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import warnings
from functools import partial

import numpy as np
import pytest
from jobs import busy

from unisono import execution
from unisono.execution import pool
from unisono.processes import WorkersGoneError

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # what Dask's own dependencies warn of


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


PROGRAMS = {
    "scheduler": ["distributed.cli.dask_scheduler", "--no-dashboard", "--port"],
    "worker": ["distributed.cli.dask_worker", "--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard"],
}


PATH = (os.path.dirname(__file__), *filter(None, sys.path))


def _started(program, *arguments, path=PATH):
    return subprocess.Popen(
        [sys.executable, "-m", *PROGRAMS[program], *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _end(processes):
    for process in processes.values():
        process.kill()
        process.wait()
    processes.clear()


@pytest.fixture(scope="module")
def kept():
    """Processes and the address of the scheduler, kept from test to test: starting them takes a second each."""
    processes, address = {}, []
    yield processes, address
    _end(processes)


@pytest.fixture
def cluster(kept):
    """Provide a scheduler and two workers, each a process: {name: process}, and the address; start what was killed."""
    processes, address = kept
    if "without" in processes:
        _end({"without": processes.pop("without")})
    if "scheduler" not in processes or processes["scheduler"].poll() is not None:
        _end(processes)
        port = str(_free_port())
        address[:] = [f"tcp://127.0.0.1:{port}"]
        processes["scheduler"] = _started("scheduler", port)
    for name in ("one", "other"):
        if name not in processes or processes[name].poll() is not None:
            processes[name] = _started("worker", address[0])
    return address[0], processes


@pytest.fixture
def client(cluster):
    from distributed import Client

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Client(cluster[0], timeout=120) as client:
            client.wait_for_workers(2, timeout=120)
            yield client


def test_what_can_be_sent_and_a_worker_that_is_killed(cluster, client):
    """Large things are sent once; so is what is defined in a script; and a lost worker costs no answers."""
    large, processes = np.arange(300_000), cluster[1]
    with pool(client.get_executor()) as given:
        found = given.map(partial(_with_large, large), range(200))
        assert [job for job, _ in found] == [int(large.sum()) + job for job in range(200)]
        assert len({pid for _, pid in found}) == 2
        assert given.map(lambda job: job**2, range(50)) == [job**2 for job in range(50)]
        found = []
        for job, pid in given.each(partial(busy, 0.01), range(300)):
            found.append((job, pid))
            if len(found) == 50:
                os.kill(processes["one"].pid, signal.SIGKILL)
    assert [job for job, _ in found] == list(range(300))
    assert found[-1][1] == processes["other"].pid


def _with_large(large, job):
    return int(large.sum()) + job, busy(0.002, job)[1]


@pytest.mark.parametrize("size", [1, 100_000])
def test_all_workers_have_something_to_do_from_the_beginning(client, size):
    """The scheduler prefers workers that have what a job needs, so all must have it."""
    with pool(client.get_executor(pure=False)) as given:
        for _ in range(3):
            found = given.map(partial(_long_with_large, np.ones(size)), range(2))
            assert len({pid for _, pid in found}) == 2


def _long_with_large(large, job):
    return busy(0.3, job)


def test_workers_without_this_program_are_one_sentence(cluster, client, tmp_path, monkeypatch):
    """Otherwise they would break down on what they are sent, one after the other, and the work would never end."""
    address, processes = cluster
    stub = tmp_path / "unisono" / "__init__.py"
    stub.parent.mkdir()
    stub.write_text("raise ModuleNotFoundError(\"No module named 'unisono'\")")
    processes["without"] = _started("worker", address, path=[str(tmp_path)])
    with monkeypatch.context() as other:
        other.setattr(execution, "__version__", "9.9.9")
        with pytest.raises(WorkersGoneError, match=r"has unisono \d\S+; install version 9.9.9 there"):
            pool(client.get_executor()).__enter__()
    client.wait_for_workers(3, timeout=120)
    with pytest.raises(WorkersGoneError, match=r"cannot load unisono \(No module named 'unisono'\); install version"):
        pool(client.get_executor()).__enter__()


def test_workers_that_are_all_lost_are_not_waited_for_for_ever(cluster, client, monkeypatch):
    processes = cluster[1]
    monkeypatch.setattr(execution, "_RECOUNT", 0.1)
    monkeypatch.setattr(execution, "_NOBODY", 0.5)
    with pool(client.get_executor()) as given:
        for name in ("one", "other"):
            processes[name].kill()
            processes[name].wait()
        with pytest.raises(WorkersGoneError, match="has lost all its workers; start some again"):
            given.map(partial(busy, 0.01), range(4))


def test_a_scheduler_that_is_killed_is_one_sentence(cluster, client):
    began = time.monotonic()
    done = []

    def work():
        with pool(client.get_executor()) as given:
            for job, _ in given.each(partial(busy, 0.02), range(3000)):
                done.append(job)
                if len(done) == 50:
                    os.kill(cluster[1]["scheduler"].pid, signal.SIGKILL)

    with pytest.raises(WorkersGoneError, match="the Dask cluster is no longer reachable"):
        work()
    assert done == list(range(len(done)))
    assert time.monotonic() - began < 60


def test_a_command_whose_scheduler_is_killed(cluster, client, tmp_path):
    rows = ["document,annotator,start,end,category"]
    for document in range(400):
        rows += [
            f"d{document},{who},{10 * k + len(who)},{10 * k + 7},{'XY'[k % 2]}" for who in "abc" for k in range(25)
        ]
    (tmp_path / "a.csv").write_text("\n".join(rows))
    given = [
        sys.executable,
        "-m",
        "unisono",
        "measure",
        tmp_path / "a.csv",
        "-m",
        "gamma(precision=0.001,chance=shift)",
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
        [*given, "--dask", cluster[0], "--stream", tmp_path / "kept"],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as command:
        while not client.processing() or not any(client.processing().values()):
            assert command.poll() is None
            time.sleep(0.1)
        os.kill(cluster[1]["scheduler"].pid, signal.SIGKILL)
        said = command.communicate(timeout=100)[1]
    assert command.returncode == 1
    assert said.splitlines()[-1].startswith("unisono: the Dask cluster is no longer reachable")
    assert said.rstrip().endswith(f"what was done is kept in {tmp_path / 'kept'}, and the same command continues")
    assert "Traceback" not in said
