"""Normalizations as a user of the command line meets them."""

from __future__ import annotations

import json

import pytest
from commands import run

WORDS = """document,original,anna,bert,carl
d1,gewain,geweint,weinte,geweint
d1,vnd,und,und,und
d1,das,das,dass,dass
d2,das,dass,dass,dass
d2,iudas,judas,iudas,judas
d2,er,er,er,
"""


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text(WORDS, encoding="utf-8")
    return path


def test_the_tables_are_printed(words):
    done = run("measure", words, "-m", "normalization(show=gewain)")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for part in ("α_NLD of 3 annotators", "words as units", "MEDIUM", "characters as units", "∅|∅|=|e|=|=te", "das"):
        assert part in done.stdout
    assert max(map(len, done.stdout.splitlines()[:-2])) <= 102


def test_json_csv_and_latex(words):
    done = run("measure", words, "--json")
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)["results"]
    assert result["measure"] == "normalization"
    assert [row["subset"] for row in result["subsets"]] == ["ALL", "MEDIUM", "STRICT"]
    assert len(result["texts"]) == 2
    assert result["disagreements"][0]["original"] == "das"
    printed = run("measure", words, "--csv", "--pairwise").stdout
    assert printed.startswith("normalization,value,remark\n")
    assert f"α_NLD,{result['value']:.12g}," in printed
    assert "anna – bert" in printed
    assert run("measure", words, "--latex").stdout.count(r"\begin{tabular}") >= 5


def test_formats_of_output_exclude_each_other(words):
    done = run("measure", words, "--csv", "--latex")
    assert done.returncode == 1
    assert done.stderr == "unisono: --json, --csv and --latex exclude each other; choose one\n"


def test_csv_of_several_measures(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,anna,bert\n1,x,x\n2,y,x\n3,y,y\n")
    done = run("measure", path, "-m", "cohen-kappa", "-m", "scott-pi", "--csv")
    assert done.returncode == 0, done.stderr
    assert "cohen-kappa,value,remark" in done.stdout
    assert "\n\nscott-pi,value,remark" in done.stdout


def test_errors_name_file_and_line(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text("original,anna,bert\nvnd,und,und\n,x,y\n")
    done = run("measure", path)
    assert done.returncode == 1
    assert done.stderr == f"unisono: {path}, line 3: the original is missing; fill it in, or remove the row\n"


def test_other_commands(words):
    done = run("align", words)
    assert done.returncode == 1
    assert "these are words that annotators rewrote" in done.stderr
    done = run("measure", words, "-m", "gamma")
    assert done.returncode == 1
    assert "use normalization" in done.stderr
    advised = run("advise", words).stdout
    assert "3 annotators rewrote 6 tokens" in advised
    assert advised.split()[-2:] == ["-m", "normalization"]
