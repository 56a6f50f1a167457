"""Gates on the command line: exit status 3, and unisono check."""

from __future__ import annotations

import json

import numpy as np
import pytest
from commands import run
from lxml import etree

REQUIRED = {
    "testsuite": {"name", "package", "id", "hostname", "timestamp", "tests", "failures", "errors", "time"},
    "testcase": {"name", "classname", "time"},
    "failure": {"type"},
    "error": {"type"},
}
"""What the schema of Ant's JUnit task demands; that of Jenkins' xUnit plugin demands less."""
CHECKS = """
path = "ratings.csv"
[[check]]
measure = "krippendorff-alpha"
under = 0.2
[[check]]
name = "sure | <&> enough"
under = 0.99
on = "low"
[[check]]
measure = "krippendorff-alpha"
category = "y"
under = 0.2
[[check]]
against = "ratings.csv"
non_inferior = 0
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    rows = []
    for item in range(90):
        truth = rng.integers(0, 3)
        rows.append([f"s{item}", *("xyz"[truth if rng.random() > 0.2 else rng.integers(0, 3)] for _ in range(4))])
    text = "\n".join(",".join(row) for row in [["item", "anna", "bert", "cleo", "gpt"], *rows])
    (tmp_path / "ratings.csv").write_text(text + "\n", encoding="utf-8")
    (tmp_path / "unisono.toml").write_text(CHECKS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_value_that_is_too_low_has_status_3(folder):
    done = run("measure", "ratings.csv", "-m", "krippendorff-alpha", "--fail-under", "0.95", "--json")
    value = json.loads(done.stdout)["results"][0]["value"]
    assert done.returncode == 3
    assert done.stderr == f"unisono: α = {value:.3f} is {0.95 - value:.3f} below 0.95\n"
    assert run("measure", "ratings.csv", "--fail-under", "0.2", "--fail-on", "low").returncode == 0
    assert run("measure", "ratings.csv", "--fail-under", "0.65", "--fail-on", "low").returncode == 3


def test_wrong_options_are_found_before_measuring(folder):
    for words, said in [
        (["--fail-over", "0.7"], "--fail-over: krippendorff-alpha is an agreement, where more is better; use"),
        (["--fail-on", "low"], "--fail-on: it needs --fail-under or --fail-over"),
        (["--fail-under", "0.7", "--fail-over", "1"], "--fail-under and --fail-over exclude each other"),
        (["--fail-under", "0.7", "--fail-on", "high"], "--fail-on: expected value or low, not 'high'"),
    ]:
        done = run("measure", "ratings.csv", "-m", "krippendorff-alpha", *words)
        assert (done.returncode, done.stdout) == (1, "")
        assert said in done.stderr
    done = run("compare", "ratings.csv", "--model", "gpt", "--fail-on", "low")
    assert (done.returncode, done.stderr) == (1, "unisono: --fail-on needs --non-inferior; add it, or leave it out\n")


def test_a_model_that_may_be_worse_has_status_3(folder):
    assert run("compare", "ratings.csv", "--model", "gpt", "--non-inferior", "0.5").returncode == 0
    done = run("compare", "ratings.csv", "--model", "gpt", "--non-inferior", "0")
    assert done.returncode == 3
    assert "worse, " in done.stderr
    assert "more than the margin of 0\n" in done.stderr


def test_a_file_names_models_and_people(folder):
    """A model is compared with people, and not with another model."""
    check = '[[check]]\npath = "ratings.csv"\nmodel = ["gpt", "cleo"]\nnon_inferior = 0.5\n'
    (folder / "unisono.toml").write_text(check, encoding="utf-8")
    (found,) = json.loads(run("check", "--json").stdout)["checks"]
    named = ["α: human–gpt against human–human", "α: human–cleo against human–human"]
    assert [one["name"] for one in found["outcomes"]] == named
    compared = ("compare", "ratings.csv", "--model", "gpt", "--model", "cleo", "--json")
    for people in ("", ",".join(["anna", "bert"])):
        (folder / "unisono.toml").write_text(check + (f"humans = {people.split(',')}\n" if people else ""), "utf-8")
        (found,) = json.loads(run("check", "--json").stdout)["checks"]
        direct = json.loads(run(*compared, *(("--humans", people) if people else ())).stdout)["models"]
        differences = [one["comparison"]["difference"]["value"] for one in direct]
        assert [one["value"] for one in found["outcomes"]] == pytest.approx([-value for value in differences])
    (folder / "unisono.toml").write_text(check.replace("0.5", "0"), encoding="utf-8")
    done = run("check")  # the sentence names both models, and each only once
    assert done.stderr.startswith("unisono: α: human–gpt against human–human may be ")
    assert [done.stderr.count(name) for name in named] == [1, 1]
    (folder / "unisono.toml").write_text(check.replace("cleo", "claude"), encoding="utf-8")
    done = run("check")
    assert done.returncode == 1
    assert "model: unknown annotator 'claude'; available: anna, bert, cleo, gpt" in done.stderr


def test_check(folder):
    done = run("check")
    assert done.returncode == 3
    assert done.stdout.startswith("Checks\n")
    assert "sure | <&> enough: the lower limit of α" in done.stderr
    assert "4 checks: 1 failed." in done.stdout
    found = json.loads(run("check", "--json").stdout)["checks"]
    assert [one["status"] for one in found] == ["passed", "failed", "passed", "passed"]
    assert [one["name"] for one in found] == ["α", "sure | <&> enough", "α of y", "α: now against before"]


def test_who_counts_as_a_person_is_noted(folder):
    text = '[[check]]\npath = "ratings.csv"\nname = "both"\nmodel = ["anna", "bert"]\nnon_inferior = 2\n'
    (folder / "unisono.toml").write_text(text, encoding="utf-8")
    done = run("check")
    assert done.returncode == 0
    assert "Note: both: gpt looks like a model but counts as a person" in " ".join(done.stdout.split())
    assert all(f"both: α: human–{name}" in done.stdout for name in ("anna", "bert"))
    assert "- Note: both: gpt looks like a model" in run("check", "--markdown").stdout
    (one,) = json.loads(run("check", "--json").stdout)["checks"]
    assert one["notes"][0].startswith("gpt looks like a model")


def test_markdown_is_escaped(folder):
    done = run("check", str(folder), "--markdown")
    assert done.stdout.startswith("## Agreement\n\n4 checks: 1 failed.\n\n| check |")
    assert r"| sure \| \<&amp;\> enough | ❌ failed | low ≥ 0.99 |" in done.stdout


def test_no_two_checks_have_the_same_name(folder):
    (folder / "other.csv").write_bytes((folder / "ratings.csv").read_bytes())
    condition = 'measure = "krippendorff-alpha"\nunder = '
    checks = ("0.1", "0.2", "0.2", '0.1\npath = "other.csv"', '0.1\nname = "mine"', '0.1\nname = "mine"')
    text = 'path = "ratings.csv"\n' + "".join(f"[[check]]\n{condition}{one}\n" for one in checks)
    (folder / "unisono.toml").write_text(text, encoding="utf-8")
    assert [one["name"] for one in json.loads(run("check", "--json").stdout)["checks"]] == [
        "α (ratings.csv) (value ≥ 0.1)",
        "α (ratings.csv) (value ≥ 0.2) (2)",
        "α (ratings.csv) (value ≥ 0.2) (3)",
        "α (other.csv)",
        "mine (5)",
        "mine (6)",
    ]


def test_junit_has_what_schemas_demand(folder):
    text = CHECKS + '[[check]]\nmeasure = "nothing"\nunder = 1\n'
    (folder / "unisono.toml").write_text(text, encoding="utf-8")
    done = run("check", "--junit", "found.xml")
    assert done.returncode == 1
    assert "unknown measure 'nothing'" in done.stderr
    (suite,) = etree.parse("found.xml").getroot()
    assert [child.tag for child in suite] == ["properties", *["testcase"] * 5, "system-out", "system-err"]
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "5",
        "failures": "1",
        "errors": "1",
    }
    assert len(suite.get("timestamp")) == 19
    for tag, names in REQUIRED.items():
        assert all(names <= set(one.keys()) for one in suite.iter(tag)), tag
    assert [len(case) for case in suite.iter("testcase")] == [0, 1, 0, 0, 1]
    assert run("check", "--junit", "found.xml").returncode == 1
    assert "exists already" in run("check", "--junit", "found.xml").stderr
    assert "exists already" not in run("check", "--junit", "found.xml", "--force").stderr


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", "there is no [[check]] in the file"),
        ("[[check]]\nunder = 1\n", "[[check]] 1: there is no path"),
        ('[[check]]\npath = "x"\n', "[[check]] 1: there is no condition"),
        ('[[check]]\npath = "x"\nunder = nan\n', "[[check]] 1: under: expected a number, not nan"),
        ('[[check]]\npath = "x"\nunder = 1\non = "lo"\n', "[[check]] 1: on: expected value or low, not 'lo'"),
        ('[[check]]\npath = "x"\nunder = "a"\n', "under in [[check]] 1 should be a number"),
        ('[[check]]\npath = "x"\nunder = 1\nlimit = 2\n', "'limit' is unknown in [[check]] 1"),
        ('[[check]]\npath = "x"\nmodel = "gpt"\n', "non_inferior goes with model or against"),
        ('[[check]]\npath = "x"\nmodel = "gpt"\nunder = 1\nnon_inferior = 1\n', "so under does not apply"),
        ('[[check]]\npath = "x"\nhumans = ["anna"]\nunder = 1\n', "humans goes with model"),
        ('[[check]]\npath = "x"\nmodel = "gpt"\nagainst = "y"\nnon_inferior = 1\n', "exclude each other"),
        ('[[check]]\npath = "x"\nagainst = "y"\nnon_inferior = -1\n', "non_inferior should be 0 or more"),
        ('[[check]]\npath = "nowhere.csv"\nunder = 1\n', "no such file"),
    ],
)
def test_what_is_wrong_in_the_file_is_one_sentence(folder, written, said):
    (folder / "unisono.toml").write_text(written, encoding="utf-8")
    done = run("check")
    assert done.returncode == 1
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("check")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "unisono.toml: there is no such file; write one" in done.stderr
