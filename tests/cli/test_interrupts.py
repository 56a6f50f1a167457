"""Ctrl-C ends the program, wherever it comes."""

from __future__ import annotations

import signal
import time

import pytest

from unisono.cli.interrupts import Interrupted, interrupts_raised


class Dying:
    """Raises a signal while it is deleted, where Python ignores exceptions."""

    def __del__(self):
        signal.raise_signal(signal.SIGINT)
        self.survived = [0] * 10


def compiling():
    """Raise a signal as if in a callback of llvmlite."""
    scope = {"__name__": "llvmlite.binding.executionengine", "signal": signal}
    exec("def notify():\n    signal.raise_signal(signal.SIGINT)\n    return 'went on'", scope)
    return scope["notify"]()


def wait():
    end = time.monotonic() + 60
    while time.monotonic() < end:
        time.sleep(0.001)


def test_a_signal_is_raised_at_once():
    with pytest.raises(Interrupted) as caught, interrupts_raised():
        signal.raise_signal(signal.SIGINT)
    assert caught.value.status == 130


def test_a_signal_in_a_callback_of_the_compiler_is_raised_after_it():
    def compile_and_go_on():
        assert compiling() == "went on"
        wait()

    with pytest.raises(Interrupted) as caught, interrupts_raised():
        compile_and_go_on()
    assert caught.value.status == 130


def test_a_signal_while_something_is_deleted_is_raised_after_it():
    def delete_and_go_on():
        one = Dying()
        del one
        wait()

    with pytest.raises(Interrupted), interrupts_raised():
        delete_and_go_on()
