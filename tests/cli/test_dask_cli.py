"""`--dask`: a scheduler does the work, and the numbers stay what they are."""

from __future__ import annotations

import builtins
import json
import socket
import threading
import warnings

import pytest
from commands import run

from unisono.cli import options
from unisono.demo import demo_path


@pytest.fixture
def scheduler():
    pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Dask's own dependencies warn of
        from distributed import LocalCluster

        with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
            yield cluster.scheduler_address


@pytest.mark.filterwarnings("ignore")
def test_the_numbers_are_the_same(scheduler):
    given = ("measure", demo_path(), "-m", "gamma(precision=0.2)", "--json", "--no-leave-one-out")
    here, there = run(*given), run(*given, "--dask", scheduler)
    assert there.returncode == 0, there.stderr
    assert json.loads(here.stdout) == json.loads(there.stdout)


def test_a_scheduler_and_workers_exclude_each_other():
    done = run("measure", demo_path(), "--dask", "tcp://127.0.0.1:1", "--workers", "2")
    assert done.returncode == 1
    assert done.stderr == "unisono: --workers and --dask exclude each other; choose one\n"


@pytest.mark.parametrize("kind", ["nothing", "something else", "a wrong scheme", "no port", "tls"])
def test_a_wrong_address_is_one_sentence(kind, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(options, "_SOON", 0.5)
    monkeypatch.setattr(options, "_PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:  # it accepts connections, and never answers
        port = server.getsockname()[1]
        address = {
            "nothing": "tcp://127.0.0.1:1",
            "something else": f"tcp://127.0.0.1:{port}",
            "a wrong scheme": f"http://127.0.0.1:{port}",
            "no port": "localhost",
            "tls": f"tls://127.0.0.1:{port}",
        }[kind]
        done = run("measure", demo_path(), "--json", "--dask", address)
    assert done.returncode == 1
    assert done.stdout == ""
    *notes, error = done.stderr.splitlines()
    assert error.startswith(f"unisono: there is no Dask scheduler at {address}: ")
    assert error.endswith("; check the address, and start `dask scheduler`")
    assert notes in ([], [f"unisono: waiting for the Dask scheduler at {address}, which has not answered yet"])
    assert notes or kind not in ("nothing", "something else")


def test_a_scheduler_that_answers_soon_is_not_waited_for(capsys):
    assert options._client(lambda address, timeout: address, "tcp://127.0.0.1:1") == "tcp://127.0.0.1:1"
    assert capsys.readouterr().err == ""


def test_a_scheduler_that_starts_late_is_found(monkeypatch, capsys):
    def late(address, timeout):
        started.wait()
        return address

    started = threading.Event()
    monkeypatch.setattr(options, "_SOON", 0.01)
    monkeypatch.setattr(options, "print", lambda *said, **how: (print(*said, **how), started.set()), raising=False)
    assert options._client(late, "tcp://127.0.0.1:1") == "tcp://127.0.0.1:1"
    assert capsys.readouterr().err == (
        "unisono: waiting for the Dask scheduler at tcp://127.0.0.1:1, which has not answered yet\n"
    )


def test_without_the_package_the_extra_is_named(monkeypatch):
    load = builtins.__import__

    def without(name, *rest, **more):
        if name == "distributed":
            raise ImportError(name)
        return load(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    done = run("measure", demo_path(), "--dask", "tcp://127.0.0.1:1")
    assert done.stderr == 'unisono: --dask needs the package distributed: pip install "unisono[dask]"\n'
