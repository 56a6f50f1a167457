"""`unisono serve` as a program: where it listens, and how it ends."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import sys
import time
from urllib.parse import urlsplit

import pytest
from app_helpers import Browser
from commands import run

from unisono.demo import demo_path


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_it_listens_here_only_and_ends_cleanly(program, number, status):
    served = program(demo_path())
    browser = Browser(urlsplit(served.root).port)
    assert browser.get("/").status == 403
    assert "/data/" in browser.get(served.address.removeprefix(served.root)).text
    with socket.socket() as elsewhere:
        elsewhere.settimeout(1)
        assert elsewhere.connect_ex(("127.0.0.2", browser.port)) != 0
    os.kill(served.process.pid, number)
    assert served.process.wait(30) == status
    assert "Traceback" not in served.process.stderr.read()


def test_answers_do_not_wait_for_each_other_on_a_connection(program):
    """With Nagle's algorithm, the second half of an answer would wait some 40 ms for the first to be acknowledged."""
    port = urlsplit(program(demo_path()).root).port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    took = []
    for _ in range(12):
        began = time.monotonic()
        connection.request("GET", "/")
        connection.getresponse().read()
        took.append(time.monotonic() - began)
    connection.close()
    assert sorted(took)[len(took) // 2] < 0.035


def test_a_port_that_is_taken_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("UNISONO_HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("serve", "--no-browser", "--port", taken.getsockname()[1])
    assert done.returncode == 1
    assert "--port" in done.stderr
    assert "choose another" in done.stderr


def test_data_that_is_not_there_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("UNISONO_HOME", str(tmp_path))
    done = run("serve", tmp_path / "nothing.csv", "--no-browser")
    assert (done.returncode, "no such file or folder" in done.stderr) == (1, True)
    assert "give its PATH" in run("serve", "--decisions", tmp_path / "d.jsonl").stderr
