"""`unisono shuffle`, `unisono benchmark` and `unisono measure --ladder` as users meet them."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time

import pytest
from commands import run

import unisono
from unisono.cli import main
from unisono.shuffling import benchmark, generate, shuffle

SPANS = """document,annotator,start,end,category
one,anna,0,10,A
one,anna,20,30,B
one,bert,0,12,A
two,anna,5,9,B
"""
BENCHMARK = ("--magnitudes", "0,0.5,1", "--repetitions", "2", "--workers", "1")


def command(*arguments):
    return [sys.executable, "-c", "from unisono.cli import main; main()", *map(str, arguments)]


@pytest.fixture
def refused(monkeypatch, capsys):
    """Check that a command fails with one sentence; run here, as that is faster."""

    def check(*arguments, said=()):
        monkeypatch.setattr(sys, "argv", ["unisono", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        assert caught.value.code in (1, 2)
        printed = " ".join(capsys.readouterr().err.split())
        for part in (said,) if isinstance(said, str) else said:
            assert part in printed

    return check


def files(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def spans(tmp_path):
    path = tmp_path / "spans.csv"
    path.write_text(SPANS)
    return path


# shuffle


def test_shuffling_a_generated_reference(tmp_path):
    path = tmp_path / "made.jsonl"
    done = run(
        "shuffle", "generate(n_units=20)", "--error", "position", "--magnitude", 0.3, "-o", path, "--seed", 7,
        "--annotators", 4,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "80 units of 4 annotators" in done.stderr
    made = unisono.read(path)
    wanted = shuffle(generate(n_units=20, rng=7), "position", 0.3, n_annotators=4, rng=7)
    assert made.annotators == wanted.annotators
    assert made.start.tolist() == wanted.start.tolist()
    assert made.end.tolist() == wanted.end.tolist()
    assert made.features["category"].values() == wanted.features["category"].values()
    assert made["document"].bounds == wanted["document"].bounds == generate(n_units=20, rng=7)["document"].bounds
    assert files(tmp_path) == ["made.jsonl"]


def test_tables_say_that_bounds_are_left_out(tmp_path):
    path = tmp_path / "made.csv"
    done = run("shuffle", "generate(n_units=5)", "--error", "category", "--magnitude", 1, "-o", path)
    assert done.returncode == 0, done.stderr
    assert "Where each continuum begins and ends is left out" in done.stderr
    assert unisono.read(path).n_units == 15


def test_shuffling_one_annotator_of_a_file(spans, tmp_path, refused):
    path = tmp_path / "made.jsonl"
    given = ("shuffle", spans, "--error", "splits", "--error", "category", "--magnitude", 0.5, "-o", path)
    refused(*given, said="several annotators, anna, bert; choose one as the reference")
    refused(*given, "--annotator", "chris", said="unknown annotator 'chris'")
    assert not path.exists()
    done = run(*given, "--annotator", "anna", "--uniform")
    assert done.returncode == 0, done.stderr
    made, wanted = unisono.read(path), shuffle(
        unisono.read(spans), "splits+category", 0.5, annotator="anna", uniform=True
    )  # fmt: skip
    assert made.documents == ("one", "two")
    assert made.end.tolist() == wanted.end.tolist()
    assert made.features["category"].values() == wanted.features["category"].values()


def test_annotators_who_missed_everything_are_kept_in_json_lines(tmp_path):
    path = tmp_path / "made.jsonl"
    done = run("shuffle", "generate(n_units=5)", "--error", "false-negatives", "--magnitude", 1, "-o", path)
    assert done.returncode == 0, done.stderr
    made = unisono.read(path)
    assert made.n_units == 0
    assert len(made.annotators) == 3
    assert made.worked.all()


def test_a_distance_between_categories(tmp_path, refused):
    matrix, reference, path = (tmp_path / name for name in ("matrix.csv", "reference.jsonl", "made.jsonl"))
    matrix.write_text(",A,B,C\nA,0,0.1,1\nB,0.1,0,1\nC,1,1,0\n")
    unisono.write(generate(n_units=200, categories=3, rng=1), reference)
    given = ("shuffle", reference, "--error", "category", "--magnitude", 0.3, "-o", path, "--distance")
    done = run(*given, f"matrix({matrix})", "--annotators", 1)
    assert done.returncode == 0, done.stderr
    before, after = (unisono.read(one).features["category"].values() for one in (reference, path))
    confused = [(a, b) for a, b in zip(before, after, strict=True) if a != b and a != "C"]
    assert sum("C" not in pair for pair in confused) > 0.7 * len(confused) > 10
    refused(*given, "matrix(nowhere.csv)", "--force", said="nowhere.csv")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--error", "shift", "--magnitude", 0.1), "unknown error 'shift'; available: position"),
        (("--error", "position", "--magnitude", 1.5), "expected a number from 0 to 1, not 1.5"),
        (("--error", "position", "--magnitude", -1), "expected a number from 0 to 1, not -1"),
        (("--error", "position(factor=x)", "--magnitude", 0.1), "expected a number from 0 up, not factor=x"),
        (("--error", "position", "--error", "text", "--magnitude", 0.1), "cannot be combined"),
        (("--error", "text", "--magnitude", 0.1), "the reference has no text"),
        (("--error", "position", "--magnitude", 0.1, "--annotators", 0), "--annotators"),
        (("--error", "position"), "--magnitude"),
        (("--magnitude", 0.1), "--error"),
    ],
)
def test_what_shuffle_refuses(tmp_path, refused, arguments, said):
    refused("shuffle", "generate(n_units=5)", *arguments, "-o", tmp_path / "made.csv", said=said)
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("generate(units=3)", "generate has no 'units'; it has: n_units"),
        ("generate(length=30-5)", "the least first"),
        ("nowhere.csv", "nowhere.csv"),
        ("generate(length=inf)", "length: expected a number, not 'inf'"),
    ],
)
def test_references_that_make_no_sense(tmp_path, refused, reference, said):
    refused("shuffle", reference, "--error", "position", "--magnitude", 0.1, "-o", tmp_path / "made.csv", said=said)
    assert files(tmp_path) == []


def test_labels_of_items_have_no_positions(tmp_path, refused):
    (tmp_path / "ratings.csv").write_text("item,anna,bert\n1,yes,no\n2,no,no\n")
    made = tmp_path / "made.csv"
    given = ("shuffle", tmp_path / "ratings.csv", "--annotator", "anna", "--magnitude", 0.1, "-o", made)
    refused(*given, "--error", "position", said="'position' is not an error in labels of items")
    assert not made.exists()


def test_existing_files_are_only_overwritten_if_allowed(tmp_path, refused):
    path = tmp_path / "made.csv"
    path.write_text("mine")
    given = ("shuffle", "generate(n_units=5)", "--error", "position", "--magnitude", 0.1, "-o", path)
    refused(*given, said=("the file exists already", "--force"))
    assert path.read_text() == "mine"
    done = run(*given, "--force")
    assert done.returncode == 0, done.stderr
    assert unisono.read(path).n_units == 15
    assert files(tmp_path) == ["made.csv"]


def test_what_the_name_must_tell(tmp_path, refused):
    given = ("shuffle", "generate(n_units=5)", "--error", "position", "--magnitude", 0.1, "-o")
    refused(*given, tmp_path / "made.xyz", said="made.xyz")
    refused(*given, tmp_path / "nowhere" / "made.csv", said="nowhere")
    assert files(tmp_path) == []


# benchmark


def rows(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


WORK = ("benchmark", "generate(n_units=12)", "-m", "cu-alpha", "-m", "u-alpha", "--error", "category")


def wanted():
    return benchmark(
        generate(n_units=12), ["cu-alpha", "u-alpha"], ["category"], magnitudes=[0, 0.5, 1], repetitions=2, workers=1
    ).columns()


def check(path):
    """Check a table against the numbers made in Python."""
    table, columns = rows(path), wanted()
    assert [row["measure"] for row in table] == columns["measure"]
    assert [float(row["magnitude"]) for row in table] == columns["magnitude"]
    assert [float(row["mean"]) for row in table] == pytest.approx(columns["mean"], abs=1e-9)
    assert [float(row["standard_error"]) for row in table] == pytest.approx(columns["standard_error"], abs=1e-9)
    assert [int(row["n"]) for row in table] == columns["n"]


def test_curves_as_table_and_figure(tmp_path):
    done = run(*WORK, *BENCHMARK, "-o", tmp_path / "curves.csv")
    assert done.returncode == 0, done.stderr
    assert files(tmp_path) == ["curves.csv", "curves.svg"]  # what was kept meanwhile is gone
    check(tmp_path / "curves.csv")
    assert "full range" in done.stdout
    assert "cu-alpha" in done.stdout
    assert "from 1.00" in done.stdout
    svg = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert svg.lstrip().startswith("<svg")


def test_processes_give_the_same_table(tmp_path):
    done = run(*WORK, *BENCHMARK[:-1], 2, "-o", tmp_path / "curves.csv")
    assert done.returncode == 0, done.stderr
    check(tmp_path / "curves.csv")


def test_other_tables_and_panels(tmp_path):
    given = ("benchmark", "generate(n_units=12)", "-m", "u-alpha", "--error", "category", "--error", "splits")
    more = ("--by", "measure", "--title", "An X-ray & more", "--magnitudes", "0:1:0.5", "--repetitions", 1)
    done = run(*given, *more, "--workers", 1, "-o", tmp_path / "curves.jsonl")
    assert done.returncode == 0, done.stderr
    table = [json.loads(line) for line in (tmp_path / "curves.jsonl").read_text().splitlines()]
    assert [(row["error"], row["magnitude"]) for row in table] == [
        (error, m) for error in ("category", "splits") for m in (0, 0.5, 1)
    ]
    assert "X-ray &amp; more" in (tmp_path / "curves.svg").read_text(encoding="utf-8")


def test_a_partial_store_is_gone_on_with(tmp_path):
    full = tmp_path / "full.csv"
    slow = subprocess.Popen(
        command(*WORK, "--magnitudes", "0,0.5,1", "--repetitions", 500, "--workers", 1, "-o", full),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    store = tmp_path / "full.csv.runs.jsonl"
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (not store.exists() or store.read_bytes().count(b"\n") < 4):
            time.sleep(0.02)
    finally:
        slow.send_signal(signal.SIGKILL)
        slow.wait()
    assert files(tmp_path) == ["full.csv.runs.jsonl"]  # no half table, no half figure
    lines = store.read_bytes().splitlines(keepends=True)
    store.write_bytes(b"".join(lines[:4]) + lines[4][:9] if len(lines) > 4 else b"".join(lines[:4]))
    done = run(*WORK, *BENCHMARK, "-o", full)
    assert done.returncode == 0, done.stderr
    assert "continuing after 3 runs" in done.stderr
    check(full)
    assert files(tmp_path) == ["full.csv", "full.svg"]


def test_other_settings_do_not_go_on(tmp_path, refused):
    path, store = tmp_path / "curves.csv", tmp_path / "curves.csv.runs.jsonl"
    store.write_text('{"benchmark": {"seed": 3}}\n')
    refused(*WORK, *BENCHMARK, "-o", path, said="a benchmark with other data or settings; remove the file")
    assert files(tmp_path) == ["curves.csv.runs.jsonl"]
    store.write_text("mine\n")
    refused(*WORK, *BENCHMARK, "-o", path, said="does not come from an interrupted benchmark")
    assert store.read_text() == "mine\n"


@pytest.mark.parametrize("name", ["curves.csv", "curves.svg"])
def test_existing_output_is_refused_before_the_work(tmp_path, refused, name):
    (tmp_path / name).write_text("mine")
    refused(*WORK, *BENCHMARK, "-o", tmp_path / "curves.csv", said=(name, "the file exists already", "--force"))
    assert files(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "mine"
    done = run(*WORK, *BENCHMARK, "-o", tmp_path / "curves.csv", "--force")
    assert done.returncode == 0, done.stderr
    check(tmp_path / "curves.csv")
    assert files(tmp_path) == ["curves.csv", "curves.svg"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("-m", "u-alpha", "--error", "shift"), "unknown error 'shift'"),
        pytest.param(("-m", "gama", "--error", "splits"), "unknown measure 'gama'"),
        pytest.param(("-m", "u-alpha", "--error", "text"), "the reference has no text"),
        pytest.param(
            ("-m", "u-alpha", "--error", "splits", "--magnitudes", "0,2"),
            "expected a number from 0 to 1, not 2",
        ),
        pytest.param(("-m", "u-alpha", "--error", "splits", "--magnitudes", "a:b"), "write start, end and step"),
        pytest.param(("-m", "u-alpha", "--error", "splits", "--magnitudes", "0:1:0"), "write start, end and"),
        pytest.param(("-m", "u-alpha", "--error", "splits", "--magnitudes", "0:inf:1"), "magnitudes"),
        pytest.param(("-m", "u-alpha", "--error", "splits", "--magnitudes", "0:1:-0.5"), "magnitude"),
        (("-m", "u-alpha", "--error", "splits", "--by", "color"), "choose error or measure"),
        (("-m", "u-alpha", "--error", "splits", "--repetitions", 0), "--repetitions"),
        (("-m", "u-alpha"), "--error"),
        (("--error", "splits"), "--measure"),
    ],
)
def test_what_benchmark_refuses_leaves_nothing_behind(tmp_path, refused, arguments, said):
    given = ("--magnitudes", "0,1") if "--magnitudes" not in arguments else ()
    path = tmp_path / "curves.csv"
    refused("benchmark", "generate(n_units=5)", *arguments, *given, "--workers", 1, "-o", path, said=said)
    assert files(tmp_path) == []


@pytest.mark.parametrize("name", ["curves.txt", "curves"])
def test_what_the_name_of_a_table_must_tell(tmp_path, refused, name):
    refused(*WORK, *BENCHMARK, "-o", tmp_path / name, said=".csv")
    assert files(tmp_path) == []


def test_the_table_is_named_not_the_figure(tmp_path, refused):
    refused(*WORK, *BENCHMARK, "-o", tmp_path / "curves.svg", said=("name the table, e.g.", "curves.csv"))
    assert files(tmp_path) == []


def test_steps_that_do_not_meet_the_end(tmp_path):
    done = run(
        "benchmark", "generate(n_units=5)", "-m", "cu-alpha", "--error", "category", "--magnitudes", "0:1:0.35",
        "--repetitions", 1, "--workers", 1, "-o", tmp_path / "curves.csv",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [float(row["magnitude"]) for row in rows(tmp_path / "curves.csv")] == [0, 0.35, 0.7]


def test_a_mistyped_measure_can_be_mended(tmp_path, refused):
    path = tmp_path / "curves.csv"
    refused("benchmark", "generate(n_units=12)", "-m", "gama", "--error", "category", "-o", path)
    done = run(*WORK, *BENCHMARK, "-o", path)
    assert done.returncode == 0, done.stderr


# measure --ladder


def test_the_ladder(tmp_path):
    path = tmp_path / "made.jsonl"
    unisono.write(shuffle(generate(n_units=30), "category", 0.5, rng=3), path)
    given = ("measure", path, "-m", "cu-alpha", "--ladder", "--workers", 1)
    done = run(*given)
    assert done.returncode == 0, done.stderr
    assert "corresponds to annotators who each" in " ".join(done.stdout.split())
    assert "confuse categories at magnitude 0." in " ".join(done.stdout.split())
    found = json.loads(run(*given, "--json").stdout)["results"][0]
    assert found["ladder"]["value"] == pytest.approx(found["value"])
    magnitudes = {rung["error"]: rung["magnitude"] for rung in found["ladder"]["rungs"]}
    assert magnitudes["category"] == pytest.approx(0.5, abs=0.15)
    assert magnitudes["splits"] is None
    table = run(*given, "--csv")
    assert table.returncode == 1
    assert "--ladder is shown on the terminal" in table.stderr


def test_no_ladder_unless_asked_for(tmp_path):
    path = tmp_path / "made.jsonl"
    unisono.write(shuffle(generate(n_units=5), "category", 0.5, rng=3), path)
    done = run("measure", path, "-m", "cu-alpha")
    assert "annotators get who" not in done.stdout


def test_without_a_value_there_is_no_ladder(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,anna,bert\n1,yes,yes\n2,yes,yes\n3,yes,yes\n")
    done = run("measure", path, "--ladder")
    assert done.returncode == 0, done.stderr
    assert "No ladder: there is no value to compare with." in " ".join(done.stdout.split())
    (found,) = json.loads(run("measure", path, "--ladder", "--json").stdout)["results"]
    assert "there is no value to compare with" in found["ladder"]["undefined"]
