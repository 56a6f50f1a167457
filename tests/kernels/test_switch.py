"""Machine code is kept on disk, and made anew when anything that it was made from has changed."""

from __future__ import annotations

import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import unisono
from unisono import kernels
from unisono.kernels import switch
from unisono.kernels.subsequence import sweep

SOURCE = Path(unisono.__file__).parent
CALLER = """
from unisono.kernels.callee import twice
from unisono.kernels.constants import ADDED
from unisono.kernels.switch import kernel


@kernel
def both(x: int) -> int:
    return twice(x) + ADDED
"""
CALLEE = """
from unisono.kernels.switch import kernel


@kernel
def twice(x: int) -> int:
    return 2 * x
"""
RUN = """
from unisono.kernels import compile_kernels, switch
from unisono.kernels.caller import both
print(switch.kept_on_disk())
compile_kernels()
print(both(5))
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package's kernels, with one that calls another and uses a constant of a third module."""
    copy = tmp_path / "unisono"
    (copy / "kernels").mkdir(parents=True)
    modules = ("__init__", "arrays", "drawing", "errors", "processes", "version", "kernels/__init__", "kernels/switch")
    for name in (f"{module}.py" for module in modules):
        shutil.copy(SOURCE / name, copy / name)
    own = copy / "kernels"
    (own / "caller.py").write_text(CALLER)
    (own / "callee.py").write_text(CALLEE)
    (own / "constants.py").write_text("ADDED = 1\n")
    return own


def run(package, **environment):
    """Run it in a process of its own: whether machine code was there, what it gives, and whether it was compiled."""
    cleared = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    # byte code is not kept: its time stamps have whole seconds, and tests change files faster than that
    own = {"PYTHONPATH": str(package.parents[1]), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run([sys.executable, "-c", RUN], env={**cleared, **own}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    kept, value = done.stdout.split()
    return kept == "True", int(value), "compiling" in done.stderr


def kept_files(folder):
    return sorted(path.name for path in folder.rglob("*.nbi"))


def test_a_change_of_a_called_kernel_or_of_a_constant_is_noticed(package):
    assert run(package) == (False, 11, True)
    (package / "constants.py").write_text("# the number that is added\nADDED = 1\nOTHER = 3\n")
    assert run(package) == (True, 11, False)  # comments and other constants do not matter
    before = kept_files(package)
    (package / "callee.py").write_text(CALLEE.replace("2 * x", "3 * x"))
    assert run(package) == (False, 16, True)
    (package / "constants.py").write_text("ADDED = 2\n")
    assert run(package)[1:] == (17, True)
    after = kept_files(package)
    assert len(before) == len(after)  # what was kept of the earlier text is gone
    assert not {*before} & {*after}


def test_another_folder(package, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    assert run(package, NUMBA_CACHE_DIR=str(elsewhere)) == (False, 11, True)
    assert run(package, NUMBA_CACHE_DIR=str(elsewhere)) == (True, 11, False)
    assert kept_files(elsewhere)
    assert not kept_files(package)


@pytest.mark.skipif(sys.platform != "linux", reason="where the user's cache is depends on the system")
def test_an_installation_that_cannot_be_written_to(package, tmp_path):
    (package / "__pycache__").touch()  # not a folder
    assert run(package, XDG_CACHE_HOME=str(tmp_path / "cache")) == (False, 11, True)
    assert run(package, XDG_CACHE_HOME=str(tmp_path / "cache")) == (True, 11, False)
    assert kept_files(tmp_path / "cache")


def test_nothing_can_be_written(package):
    (package / "__pycache__").touch()
    assert run(package, XDG_CACHE_HOME=os.devnull, HOME=os.devnull, LOCALAPPDATA=os.devnull) == (False, 11, True)


def test_the_digest_covers_called_kernels_and_constants(monkeypatch):
    def fresh():
        return switch.Kernel(sweep.plain).digest

    known = fresh()
    assert known == sweep.digest == fresh()
    monkeypatch.setitem(sweep.plain.__globals__, "WORD", 61)
    assert fresh() != known
    monkeypatch.undo()
    called = switch.Kernel(lambda row, column, common, n_rows, n_columns: 0)
    monkeypatch.setitem(sweep.plain.__globals__, "_bound", called)
    assert fresh() != known
    monkeypatch.setitem(sweep.plain.__globals__, "_bound", lambda: 0)
    with pytest.raises(TypeError, match="sweep uses _bound"):
        fresh()


def test_every_kernel_has_a_digest():
    for module in pkgutil.iter_modules(kernels.__path__):
        importlib.import_module(f"unisono.kernels.{module.name}")
    named = {one.__qualname__: one.digest for one in switch._kernels if one.__module__.startswith("unisono.")}
    assert len(named) > 50
    assert len({*named.values()}) == len(named)


def test_work_that_is_worth_it_turns_the_switch(monkeypatch):
    monkeypatch.setattr(switch, "_on", False)
    monkeypatch.setattr(switch, "_expected", 0)
    monkeypatch.setattr(switch, "kept_on_disk", lambda: False)
    switch.expect_work(switch._WORTH_COMPILING, 2)
    assert not switch.compiled()
    switch.expect_work(1, 2)
    assert switch.compiled()
    monkeypatch.setattr(switch, "_on", False)
    monkeypatch.setattr(switch, "_expected", 0)
    monkeypatch.setattr(switch, "kept_on_disk", lambda: True)
    switch.expect_work(switch._WORTH_LOADING // switch._MANY, 3)
    assert not switch.compiled()
    switch.expect_work(1, 3)
    assert switch.compiled()


def test_an_interrupt_while_machine_code_is_called_is_that_interrupt(monkeypatch):
    class Interrupt(BaseException):
        pass

    def called(*args):
        try:
            try:
                raise Interrupt
            except Interrupt as error:
                raise SystemError("a result with an exception set") from error
        except SystemError as error:
            raise SystemError("again") from error

    @switch.kernel
    def twice(x: int) -> int:
        return 2 * x

    monkeypatch.setattr(switch, "_on", True)
    monkeypatch.setattr(twice, "_loaded", True)
    monkeypatch.setattr(twice, "_machine", called)
    with pytest.raises(Interrupt):
        twice(1)
    switch._kernels.remove(twice)
