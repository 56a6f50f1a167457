"""`unisono compare` and `unisono plan`."""

from __future__ import annotations

import json

import numpy as np
import pytest
from commands import run

from unisono.cli.values import groups_in, names_in, names_out


@pytest.fixture
def ratings(tmp_path):
    """Two files of the same items: in the second, annotators deviate more often."""
    rng = np.random.default_rng(1)
    paths = []
    for name, often in (("after.csv", 0.1), ("before.csv", 0.5)):
        lines = ["item,anna,bert,cleo,gpt"]
        for item in range(90):
            truth = rng.integers(1, 4)
            labels = [truth if rng.random() > often else rng.integers(1, 4) for _ in range(4)]
            lines.append(f"s{item}," + ",".join(f"l{label}" for label in labels))
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        paths.append(path)
    return paths


def test_two_studies(ratings):
    done = run("compare", *ratings, "-m", "krippendorff-alpha", "-m", "percent-agreement")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "after.csv − before.csv" in done.stdout
    assert "p (Holm)" in done.stdout
    assert "α is higher in after.csv than in before.csv (p < 0.001" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 110


def test_json_csv_and_latex(ratings):
    plain = json.loads(run("compare", *ratings, "--json").stdout)
    (found,) = plain["comparisons"]
    assert found["difference"]["low"] > 0
    assert [one["name"] for one in found["values"]] == ["after.csv", "before.csv"]
    assert run("compare", *ratings, "--csv").stdout.splitlines()[1] == ",value,from,to"
    assert r"\toprule" in run("compare", *ratings, "--latex").stdout


def test_groups(ratings):
    done = run("compare", ratings[1], "--group", "experts=anna,bert", "--group", "students=cleo,gpt")
    assert done.returncode == 0, done.stderr
    assert "experts − students" in done.stdout


def test_a_model(ratings):
    done = run("compare", ratings[0], "--model", "gpt", "--epsilon", "0.2")
    assert done.returncode == 0, done.stderr
    assert "human–human − human–gpt" in done.stdout
    assert "Alternative annotator test, ε = 0.2" in done.stdout
    assert "winning rate ω = 1.00" in done.stdout.replace("\n", " ")
    plain = json.loads(run("compare", ratings[0], "--model", "gpt", "--json").stdout)
    assert plain["models"][0]["alternative_annotator_test"]["epsilon"] == 0.15
    assert len(plain["pairs"]) == 6


def test_several_models_and_their_families(ratings):
    models = ("--model", "gpt", "--model", "cleo")
    done = run("compare", ratings[1], *models, "--humans", "anna,bert", "--group", "families")
    assert done.returncode == 0, done.stderr
    assert "gpt: alternative annotator test, ε = 0.15" in done.stdout
    assert "without cleo (cleo)" in done.stdout
    plain = json.loads(run("compare", ratings[1], *models, "--group", "x=gpt,cleo", "--json").stdout)
    assert plain["humans"] == ["anna", "bert"]
    assert [one["model"] for one in plain["models"]] == ["gpt", "cleo"]
    assert [one["without"] for one in plain["families"]] == ["", "x"]
    assert plain["shared_errors"]["pairs"][0]["model_1"] == "gpt"


def test_a_model_may_be_worse_by_a_margin(ratings):
    margin = ("--non-inferior", "0.3", "--model", "gpt")
    assert run("compare", ratings[0], *margin).returncode == 0
    done = run("compare", ratings[1], *margin, "--model", "cleo", "--non-inferior", "0")
    assert done.returncode == 3
    assert "human–gpt against human–human" in done.stderr


def test_a_study_is_not_compared_with_itself(ratings):
    for path, what in ((ratings[0], "file"), (ratings[0].parent, "folder")):
        done = run("compare", path, path.parent / "." / ".." / path.parent.name / path.name)
        assert done.returncode == 1
        assert f"the {what} is listed twice; it would count twice" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "two paths"),
        (["--group", "x=anna,bert"], "two or more groups are needed"),
        (["--group", "x=anna"], "two or more groups are needed"),
        (["--group", "x=anna,bert", "--group", "x=cleo,gpt"], "already"),
        (["--model", "claude"], "unknown annotator 'claude'"),
        (["--model", "gpt", "--group", "x=anna,bert"], "--group: 'anna' in x is not a model; models: gpt"),
        (
            ["--model", "gpt", "--model", "anna", "--humans", "anna,bert"],
            "--humans: anna is named both as a model and as a person",
        ),
        (["--model", "gpt", "--humans", "dora"], "--humans: unknown annotator 'dora'"),
        (["--epsilon", "0.1"], "--epsilon needs --model"),
        (["--humans", "anna"], "--humans needs --model"),
        (["--model", "gpt", "-m", "fleiss-kappa", "-m", "percent-agreement"], "one measure"),
        (["--model", "gpt", "--json", "--csv"], "exclude"),
    ],
)
def test_wrong_calls_are_one_sentence(ratings, arguments, said):
    done = run("compare", ratings[0], *arguments)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_plan(ratings):
    done = run("plan", ratings[1], "--width", "0.1")
    assert done.returncode == 0, done.stderr
    assert "the pilot has 90 items" in done.stdout
    assert "like these give an interval at most 0.1 wide with 80% probability" in done.stdout.replace("\n", " ")
    plain = json.loads(run("plan", ratings[1], "--width", "0.1", "--json").stdout)
    assert plain["needed"] > 90
    assert run("plan", ratings[1], "--width", "0").returncode == 1


def test_names_with_a_comma_stand_in_quotation_marks():
    names = ["Smith, Anna", 'bert "b"', "gpt-4o", "łucja/ż"]
    assert names_in(names_out(names)) == names
    assert names_in('anna, "Smith, Bert" ,cleo,') == ["anna", "Smith, Bert", "cleo"]
    assert groups_in(['a="Smith, Anna",bert']) == {"a": ["Smith, Anna", "bert"]}
