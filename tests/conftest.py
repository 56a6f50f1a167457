"""What tests share."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings

from unisono.kernels import switch
from unisono.output import take_lock

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("unisono", deadline=None)  # a kernel may have to be compiled first
settings.load_profile("unisono")

# A shell that runs tests in the background lets them ignore Ctrl-C, and so would all programs that they start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Hundreds of programs are started; each would compile the package anew if nothing kept its byte code.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Tests make tens of thousands of small files, and wait for the disk; a disk in memory takes a tenth of the time.
MEMORY = "/dev/shm"
if "TMPDIR" not in os.environ and os.path.isdir(MEMORY):
    about = os.statvfs(MEMORY)
    if about.f_bavail * about.f_frsize > 2**31 and not about.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"], tempfile.tempdir = MEMORY, None

SHARED = Path(__file__).parents[1].parent / "shared" / "data"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with tests that take long: in the end, nobody waits for a single one."""
    items.sort(key=lambda item: item.path.name not in ("test_project.py", "test_site.py", "test_notebooks.py"))


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over all that is imported by now; otherwise it takes 7% of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Let a skipped test fail where everything that tests need is provided."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("UNISONO_NO_SKIPS"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but UNISONO_NO_SKIPS is set: {report.longrepr}"
    return report


@pytest.fixture(autouse=True, scope="session")
def compiled_once(tmp_path_factory):
    """Let one process of pytest-xdist compile a kernel, while others that need it wait for what it keeps."""
    load, folder = switch.Kernel._load, tmp_path_factory.getbasetemp().parent

    def load_in_turn(self, args):
        with (folder / f"{self.plain.__name__}-{self.digest}.lock").open("wb") as file:
            while True:
                with suppress(OSError):
                    take_lock(file)
                    break
                time.sleep(0.05)
            load(self, args)

    if "PYTEST_XDIST_WORKER" in os.environ:
        switch.Kernel._load = load_in_turn


@pytest.fixture(autouse=True)
def own_switch():
    """Run kernels as machine code, however much or little others have measured before; compile without saying so."""
    switch._on, switch._announced, switch._expected = True, True, 0


@pytest.fixture(autouse=True)
def own_width():
    """Let programs that tests start choose their width; readline sets these variables behind Python's back."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
        os.unsetenv(name)


@pytest.fixture
def shared():
    """The folder of real data beside the project, where there is one."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real data (../shared/data) is not here")
    return SHARED


@pytest.fixture(params=["plain", "anchored"])
def both_paths(request, monkeypatch):
    """Measure units as they are, and as units with several anchors of which each happens to have one."""
    if request.param == "anchored":
        from anchored import give_anchors

        give_anchors(monkeypatch)
