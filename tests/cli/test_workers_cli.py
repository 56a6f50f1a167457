"""The bytes that commands print do not depend on who does the work: one, threads, processes."""

from __future__ import annotations

import numpy as np
import pytest
from commands import run

from unisono import execution


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Provide two studies of 6 documents with four annotators."""
    folder = tmp_path_factory.mktemp("project")
    rng = np.random.default_rng(3)
    for name in ("one.csv", "other.csv"):
        rows = ["document,annotator,start,end,category"]
        for document in range(6):
            starts = np.arange(6) * 20 + rng.integers(0, 8, 6)
            for annotator in "abcd":
                for start in starts + rng.integers(0, 3, 6):
                    rows.append(
                        f"d{document},{annotator},{start},{start + rng.integers(3, 9)},{rng.choice(list('XYZ'))}"
                    )
        (folder / name).write_text("\n".join(rows) + "\n")
    tables = "".join(f'[guidelines.{name}]\npath = ["{name}.csv"]\n' for name in ("one", "other"))
    (folder / "study.toml").write_text(f'[groups]\nx = ["a", "b"]\ny = ["c", "d"]\n{tables}')
    return folder


GAMMA = "gamma(precision=0.2,chance=shift)"
COMMANDS = {
    "measure": ["measure", "one.csv", "-m", GAMMA, "-m", "cu-alpha", "--pairwise", "--leave-one-out", "--json"],
    "groups": ["measure", "one.csv", "-m", GAMMA, "--group", "x=a,b", "--group", "y=c,d", "--json"],
    "ladder": ["measure", "one.csv", "-m", "span-f1", "--ladder", "--json"],
    "compare": ["compare", "one.csv", "other.csv", "-m", GAMMA, "-m", "cu-alpha", "--json"],
    "compare-groups": ["compare", "one.csv", "--group", "x=a,b", "--group", "y=c,d", "-m", "span-f1", "--json"],
    "model": ["compare", "one.csv", "--model", "d", "-m", GAMMA, "--json"],
    "study": ["study", "study.toml", "-m", GAMMA, "--json"],
    "plan": ["plan", "one.csv", "-m", GAMMA, "--width", "0.2", "--json"],
}


def force(monkeypatch, how):
    """Let work be done by threads or processes however small it is."""
    for module in ("gamma", "text_gamma"):  # which would do so little in place, uncompiled
        monkeypatch.setattr(
            f"unisono.measurement.{module}.measure.pool",
            lambda workers, *, parallel, **more: execution.pool(workers, **more),
        )
    monkeypatch.setattr(execution, "_SOON", 0.001)
    monkeypatch.setattr(execution, "_WATCH", 0.0)
    monkeypatch.setattr(execution, "_GAIN", 0.0 if how == "threads" else 1e9)
    monkeypatch.setattr(execution, "_WORTH_PROCESSES", float("inf") if how == "threads" else 0.0)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_the_same_bytes(project, monkeypatch, command):
    monkeypatch.chdir(project)
    one = run(*command, "--workers", 1)
    assert one.returncode == 0, one.stderr
    for how in ("threads", "processes"):
        with monkeypatch.context() as patched:
            force(patched, how)
            found = run(*command, "--workers", 2)
        assert found.stdout == one.stdout, how
        assert found.returncode == 0


def test_the_same_report_and_benchmark(project, monkeypatch, tmp_path):
    monkeypatch.chdir(project)
    pages, curves = [], []
    for how in (None, "threads", "processes"):
        with monkeypatch.context() as patched:
            if how is not None:
                force(patched, how)
            page, table = tmp_path / f"{how}.html", tmp_path / f"{how}.csv"
            workers = ["--workers", 1 if how is None else 2]
            assert run("report", "one.csv", "-m", GAMMA, "-o", page, *workers).returncode == 0
            errors = ["--error", "position", "--error", "category", "--magnitudes", "0:1:0.5", "--repetitions", 3]
            given = ["benchmark", "one.csv", "--annotator", "a", "-m", "cu-alpha", "-m", GAMMA, *errors, "-o", table]
            done = run(*given, *workers)
            assert done.returncode == 0, done.stderr
            pages.append(page.read_bytes())
            curves.append(table.read_bytes())
    assert pages[0] == pages[1] == pages[2]
    assert curves[0] == curves[1] == curves[2]
