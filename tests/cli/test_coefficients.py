"""Coefficients on the command line: tables, JSON, advice, and what is refused in one sentence."""

from __future__ import annotations

import json
import shlex

import pytest
from commands import run

RATINGS = """item,anna,bert,chris
1,yes,yes,yes
2,no,no,yes
3,yes,yes,yes
4,no,no,no
5,yes,no,yes
6,no,no,
"""
OVERLAP = """annotator,start,end,category
anna,0,10,A
anna,5,12,B
bert,0,10,A
"""


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(RATINGS)
    return path


@pytest.fixture
def overlap(tmp_path):
    path = tmp_path / "overlap.csv"
    path.write_text(OVERLAP)
    return path


def test_ratings_are_measured_by_alpha_if_nothing_is_said(ratings):
    done = run("measure", ratings)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "α (nominal) of 3 annotators" in done.stdout
    assert "observed disagreement" in done.stdout
    assert "krippendorff-alpha|distance:nominal" in done.stdout
    assert "α without" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines() if "See where" not in line) <= 110


def test_json_keeps_the_contract_for_every_measure(ratings):
    names = ["krippendorff-alpha", "fleiss-kappa", "percent-agreement", "gwet-ac1"]
    done = run("measure", ratings, "--json", *(part for name in names for part in ("-m", name)))
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)["results"]
    assert [result["measure"] for result in results] == names
    for result in results:
        assert {"value", "observed", "expected", "undefined", "interval", "documents", "signature"} <= set(result)
        assert result["n_annotators"] == 3
        assert result["n_units"] == 17
        assert result["documents"][0]["value"] == result["value"]


def test_a_coefficient_for_two_refuses_three_and_gives_pairs(ratings):
    done = run("measure", ratings, "-m", "cohen-kappa")
    assert done.returncode == 1
    assert "cohen-kappa is for two annotators, but there are 3" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    paired = run("measure", ratings, "-m", "cohen-kappa", "--pairwise")
    assert paired.returncode == 0, paired.stderr
    assert "anna – bert" in paired.stdout
    assert run("measure", ratings, "-m", "cohen-kappa", "--annotators", "anna,bert").returncode == 0


def test_labels_that_are_no_numbers_are_named(ratings):
    done = run("measure", ratings, "-m", "krippendorff-alpha(distance=interval)")
    assert done.returncode == 1
    assert "'no' is not a number" in done.stderr


def test_gamma_refuses_ratings_and_names_alpha(ratings):
    done = run("measure", ratings, "-m", "gamma")
    assert done.returncode == 1
    assert "krippendorff-alpha" in done.stderr


def test_overlap_is_named_where_it_may_not_be(overlap):
    for name in ("u-alpha", "cu-alpha", "discretized-kappa"):
        done = run("measure", overlap, "-m", name)
        assert done.returncode == 1
        assert "anna" in done.stderr
        assert "overlap" in done.stderr
        assert "gamma" in done.stderr
    assert run("measure", overlap, "-m", "span-f1").returncode == 0


def test_one_measure_that_fails_leaves_the_others_in_json(overlap):
    done = run("measure", overlap, "-m", "u-alpha", "-m", "span-f1", "--json")
    assert done.returncode == 1
    first, second = json.loads(done.stdout)["results"]
    assert first["value"] is None
    assert "overlap" in first["undefined"]
    assert second["value"] == pytest.approx(2 / 3)


def test_advise_names_what_measure_takes_first(ratings, overlap):
    for path, first in ((ratings, "krippendorff-alpha"), (overlap, "gamma")):
        advice = json.loads(run("advise", path, "--json").stdout)
        assert advice["fitting"][0]["measure"] == first
        assert json.loads(run("measure", path, "--json").stdout)["results"][0]["measure"] == first
    words = run("advise", overlap)
    assert words.returncode == 0
    assert "Units of one annotator overlap" in words.stdout
    assert "These do not fit:" in words.stdout


def test_the_command_that_is_advised_can_be_typed(tmp_path):
    path = tmp_path / "my ratings.csv"
    path.write_text("item;anna;bert;x\n1;low;low;a\n2;mid;mid;b\n3;high;mid;c\n")
    options = ["--delimiter", ";", "--annotators", "anna,bert"]
    *_, plain, _, _, scale = run("advise", path, *options).stdout.splitlines()
    assert shlex.split(plain) == ["unisono", "measure", str(path), "-m", "krippendorff-alpha", *options]
    done = run(*shlex.split(scale)[1:])
    assert done.returncode == 0, done.stderr
    assert "distance:ordinal(low,mid,high)" in done.stdout


def test_advice_goes_on_below_where_it_is_long(overlap):
    words = run("advise", overlap).stdout.split("Use:")[0]
    assert "…" not in words.replace("ordinal(…)", "")
    assert max(map(len, words.splitlines())) <= 100


def test_measures_are_listed_with_what_they_need(ratings):
    listed = run("measures").stdout
    for word in ("krippendorff-alpha", "window-diff", "u-alpha", "needs", "ignores", "reference"):
        assert word in listed
    one = run("measures", "weighted-kappa").stdout
    assert "weights=" in one
    wrong = run("measures", "krippendorf-alpha")
    assert wrong.returncode == 1
    assert "did you mean krippendorff-alpha?" in wrong.stderr


def test_one_file_an_annotator_without_a_document(tmp_path):
    for who in ("anna", "bert"):
        (tmp_path / f"{who}.csv").write_text(f"item,annotator,label\ns1,{who},x\ns2,{who},y\n")
    done = run("measure", tmp_path / "anna.csv", tmp_path / "bert.csv")
    assert done.returncode == 1
    assert "each file is a separate document" in done.stderr
    assert "--pattern" in done.stderr


def test_labels_that_one_measure_refuses_leave_the_others_in_json(ratings):
    done = run("measure", ratings, "-m", "krippendorff-alpha(distance=interval)", "-m", "fleiss-kappa", "--json")
    assert done.returncode == 1
    first, second = json.loads(done.stdout)["results"]
    assert "is not a number" in first["undefined"]
    assert second["value"] is not None


def test_the_next_command_is_one_line_with_all_that_was_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-ratings.csv").write_text("item,anna,bert\n1,low,low\n2,mid,mid\n3,high,mid\n")
    measure = "krippendorff-alpha(distance=ordinal(low,mid,high))"
    done = run("measure", "-m", measure, "--seed", 7, "--", "-ratings.csv")
    assert done.returncode == 0, done.stderr
    (hint,) = [line for line in done.stdout.splitlines() if "See where: " in line]
    words = shlex.split(hint.partition("See where: ")[2])
    options = ["-m", measure, "--seed", "7", "-o", "report.html"]
    assert words == ["unisono", "report", "./-ratings.csv", *options]
    assert run(*words[1:]).returncode == 0
    assert "--seed" not in run("measure", "./-ratings.csv").stdout
