"""Worker processes start while a command still loads, if they are sure to be needed."""

from __future__ import annotations

import pytest
from commands import run

from unisono import execution, kernels, processes
from unisono.cli import options
from unisono.demo import demo_path
from unisono.measurement import loading
from unisono.measurement.registry import Measure


@pytest.fixture
def started(monkeypatch):
    """What is started: how many there may be, how many now, and what they load."""
    seen = []
    monkeypatch.setattr(processes, "start_early", lambda count, now, task: seen.append((count, now, task.content)))
    monkeypatch.setattr(kernels, "any_on_disk", lambda: True)
    monkeypatch.setattr(execution, "n_cores", lambda: 4)
    return seen


@pytest.fixture
def table(tmp_path):
    """Write a small table; blank lines do not count, but make it larger."""

    def written(n_bytes):
        path = tmp_path / f"spans{n_bytes}.csv"
        rows = [f"d{d},{who},{s},{s + 3},X" for d in range(2) for who in ("anna", "bert") for s in (0, 5)]
        path.write_text("document,annotator,start,end,category\n" + "\n".join(rows) + "\n" * n_bytes)
        return path

    return written


@pytest.mark.parametrize("measure", ["gamma", "gamma(chance=shift,precision=0.2)", "text-gamma", "text_gamma"])
def test_as_many_as_the_data_is_worth(started, table, measure):
    share = 2_000_000 if "text" in measure else 300_000
    run("measure", table(5 * share // 2), "-m", measure)
    (found,) = started
    assert found[:2] == (3, 2)
    assert measure.encode() in found[2]
    run("measure", table(5 * share), "-m", measure)
    assert started[1][:2] == (3, 3)
    run("measure", table(5 * share), "-m", measure, "--workers", "2")
    assert started[2][:2] == (1, 1)


NOTHING = {
    "small": (200_000, ("-m", "gamma")),
    "small for text-γ": (1_000_000, ("-m", "text-gamma")),
    "one worker": (500_000, ("-m", "gamma", "--workers", "1")),
    "no measure": (500_000, ()),
    "no samples": (500_000, ("-m", "span-f1")),
    "an unknown measure": (500_000, ("-m", "gama")),
}


@pytest.mark.parametrize(("n_bytes", "words"), NOTHING.values(), ids=NOTHING)
def test_nothing_is_started_in_vain(started, table, n_bytes, words):
    run("measure", table(n_bytes), *words)
    assert not started


def test_nothing_is_started_for_a_stream(started, table, tmp_path):
    """One process after the other would hold all names of documents."""
    run("measure", table(500_000), "-m", "gamma(chance=shift)", "--stream", tmp_path / "kept")
    assert not started


def test_nothing_is_started_where_one_process_compiles(started, table, monkeypatch):
    monkeypatch.setattr(kernels, "any_on_disk", lambda: False)
    run("measure", table(500_000), "-m", "gamma")
    assert not started


def test_other_commands(started, table, tmp_path):
    path = table(400_000)
    run("compare", path, table(500_000), "-m", "gamma")
    run("plan", path, "-m", "gamma", "--width", "0.1")
    run("report", path, "-m", "gamma", "-o", tmp_path / "report.html")
    simulate = ("benchmark", "generate(n_units=3)", "-m", "gamma", "--error", "position", "--magnitudes", "0,1")
    run(*simulate, "--repetitions", "50", "-o", tmp_path / "curves.csv")
    assert len(started) == 4
    run(*simulate, "--repetitions", "2", "-o", tmp_path / "more.csv")
    assert len(started) == 4
    (tmp_path / "study").mkdir()
    run("study", tmp_path / "study")
    assert len(started) == 4
    (tmp_path / "study" / "notes.txt").write_text("x" * 200_000)
    run("study", tmp_path / "study")
    assert len(started) == 5


def test_a_folder_is_looked_through(started, table, tmp_path):
    folder = tmp_path / "folder" / "inner"
    folder.mkdir(parents=True)
    for number in range(3):
        (folder / f"{number}.csv").write_bytes(table(250_000).read_bytes())
    run("measure", tmp_path / "folder", "-m", "gamma")
    assert started[0][:2] == (3, 2)


@pytest.fixture
def kept_none():
    """Provide that no worker is kept before or after."""
    processes.end_kept()
    yield
    processes.end_kept()


def test_the_numbers_are_the_same(monkeypatch, kept_none):
    """With processes that were started early."""
    one = run("measure", demo_path(), "-m", "gamma(precision=0.2)", "--json", "--workers", "1")
    seen, start_early = [], processes.start_early
    monkeypatch.setattr(processes, "start_early", lambda *given: seen.append(given) or start_early(*given))
    monkeypatch.setattr(options, "_BYTES_PER_WORKER", {"gamma": 100})
    monkeypatch.setattr(kernels, "any_on_disk", lambda: True)
    two = run("measure", demo_path(), "-m", "gamma(precision=0.2)", "--json", "--workers", "2")
    assert seen
    assert one.returncode == two.returncode == 0
    assert one.stdout == two.stdout


@pytest.mark.parametrize("on_disk", [True, False])
def test_loading_says_nothing(monkeypatch, capfd, on_disk):
    """Measures that are wrong are reported by the command itself; nothing is compiled."""
    compiled = []
    monkeypatch.setattr(loading, "kept_on_disk", lambda: on_disk)
    monkeypatch.setattr(loading, "compile_kernels", lambda: compiled.append(True))
    loading.load_measures(["gamma", "text-gamma", "gama", "gamma(alpha=x)"])
    assert bool(compiled) == on_disk
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("measure", ["gamma(precision=0.0001)", "text-gamma(precision=0.0001,confidence=0.999)"])
def test_loading_does_not_take_as_long_as_measuring(monkeypatch, measure):
    seen = []
    monkeypatch.setattr(loading, "kept_on_disk", lambda: True)
    monkeypatch.setattr(loading, "compile_kernels", lambda: None)
    monkeypatch.setattr(Measure, "compute", lambda self, *data, **how: seen.append(str(self)))
    loading.load_measures([measure])
    assert seen == [f"{measure.partition('(')[0]}(precision=0.5)"]


@pytest.mark.parametrize("name", ["x" * 300, "nowhere.csv"])
def test_paths_that_cannot_be_read(name):
    done = run("measure", name, "-m", "gamma")
    assert done.returncode == 1
    assert done.stderr.startswith("unisono: ")
    assert "Traceback" not in done.stderr
