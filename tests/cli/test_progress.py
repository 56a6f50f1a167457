"""How long the work will take: estimated from what is done, and reported if it is long."""

from __future__ import annotations

import io

import pytest

from unisono import remaining as estimates
from unisono.cli.progress import progress_bar
from unisono.execution import pool
from unisono.remaining import Remaining, as_words


@pytest.fixture
def clock(monkeypatch):
    """Provide a clock that the test moves."""

    class Clock:
        now = 100.0

        def __call__(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(estimates, "monotonic", clock)
    return clock


def test_the_estimate_follows_the_work(clock):
    remaining = Remaining()
    assert remaining(1, 100) is None  # too early
    for done in range(2, 51):
        clock.now += 1
        left = remaining(done, 100)
    assert left == pytest.approx(50, abs=2)
    for done in range(51, 61):  # more work turns up, and it is slower
        clock.now += 10
        left = remaining(done, 200)
    assert left == pytest.approx(1400, rel=0.1)


def test_long_work_says_so_after_its_first_seconds(clock, capsys):
    with progress_bar("gamma") as tell:
        tell.say("30 random samples")
        for done in range(1, 301):
            clock.now += 1
            tell(done, 300)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "gamma: 30 random samples; 5 of 300 parts done, about 5 minutes left"
    assert 2 <= len(lines) <= 5
    assert "about 2 minutes left" in lines[1]


def test_short_work_is_silent(clock, capsys):
    with progress_bar("gamma") as tell:
        for done in range(1, 51):
            clock.now += 1
            tell(done, 50)
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(monkeypatch, clock):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress_bar("gamma(f_cat=[x])") as tell:
        tell.say("2 [documents]")
        for done in range(1, 100):
            clock.now += 5
            tell(done, 200)
    shown = terminal.getvalue()
    assert "gamma(f_cat=[x]): 2 [documents]" in shown
    assert "99/200" in shown
    assert "about 8 minutes" in shown


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "10 seconds"),
        (61, "60 seconds"),
        (100, "2 minutes"),
        (5000, "83 minutes"),
        (7200, "2 hours"),
        (2e5, "2 days"),
    ],
)
def test_words(seconds, words):
    assert as_words(seconds) == f"about {words}"


def test_parts_and_sentences():
    told = []

    class Tell:
        def say(self, about):
            told.append(about)

        def __call__(self, done, total):
            told.append((done, total))

    with pool(1, progress=Tell()) as crew:
        crew.say("begin")
        for number in range(2):
            crew.part(number, 2).map(str, range(2))
    assert told == ["begin", (1, 4), (2, 4), (3, 4), (4, 4)]
    with pool(1, progress=lambda done, total: told.append(total)) as crew:
        crew.say("nobody wants to know")
