"""`unisono convert`: there and back."""

from __future__ import annotations

import commands
import pytest

import unisono
from unisono.demo import demo_path


def run(*arguments):
    return commands.run("convert", *arguments)


def rows(corpus):
    return [(document.name, u.annotator, u.start, u.end, u.category) for document in corpus for u in document.units]


@pytest.mark.parametrize("target", ["out.jsonl", "out.csv", "out.tsv"])
def test_files(tmp_path, target):
    done = run(demo_path(), "-o", tmp_path / target)
    assert done.returncode == 0, done.stderr
    corpus, back = unisono.read(demo_path()), unisono.read(tmp_path / target)
    assert rows(back) == rows(corpus)
    assert (back.worked == corpus.worked).all()
    if target == "out.jsonl":
        assert back.texts == corpus.texts
    else:
        assert "text" in done.stderr.lower()  # what a table cannot hold is said


def test_brat_and_back(tmp_path):
    done = run(demo_path(), "--to", "brat", "-o", tmp_path / "project")
    assert done.returncode == 0, done.stderr
    corpus, back = unisono.read(demo_path()), unisono.read(tmp_path / "project")
    assert sorted(rows(back)) == sorted(rows(corpus))
    assert {back.documents[d]: text for (d, _), text in back.texts.items()} == {
        corpus.documents[d]: text for (d, _), text in corpus.texts.items()
    }
    again = run(demo_path(), "--to", "brat", "-o", tmp_path / "project")
    assert again.returncode == 1
    assert "--force" in again.stderr
    forced = run(demo_path(), "--to", "brat", "-o", tmp_path / "project", "--annotators", "anna", "--force")
    assert forced.returncode == 0, forced.stderr
    assert "stays as it is: bert, chris" in forced.stderr
    assert sorted(rows(unisono.read(tmp_path / "project"))) == sorted(rows(corpus))
    (tmp_path / "project" / "notes.md").write_text("mine")
    foreign = run(demo_path(), "--to", "brat", "-o", tmp_path / "project", "--force")
    assert foreign.returncode == 1
    assert "other things" in foreign.stderr
    assert (tmp_path / "project" / "notes.md").read_text() == "mine"


def test_what_is_chosen_is_what_is_written(tmp_path):
    done = run(demo_path(), "--where", 'category == "PERSON"', "--annotators", "anna", "-o", tmp_path / "out.csv")
    assert done.returncode == 0, done.stderr
    back = unisono.read(tmp_path / "out.csv")
    assert {row[4] for row in rows(back)} == {"PERSON"}
    assert back.annotators == ("anna",)
    assert "left out or changed" in done.stderr


def test_refusals(tmp_path):
    table = tmp_path / "out.csv"
    assert run(demo_path(), "-o", table).returncode == 0
    exists = run(demo_path(), "-o", table)
    assert exists.returncode == 1
    assert "exists already" in exists.stderr
    assert run(demo_path(), "-o", table, "--force").returncode == 0
    unknown = run(demo_path(), "-o", tmp_path / "out.docx")
    assert unknown.returncode == 1
    assert "does not show which format" in unknown.stderr
    assert "--to brat" not in unknown.stderr
    folder = run(demo_path(), "-o", tmp_path / "project")
    assert folder.returncode == 1
    assert "--to brat" in folder.stderr
    silent = run(demo_path(), "--to", "elan", "-o", tmp_path / "x.eaf")
    assert silent.returncode == 1
    known = "ratings, csv, tsv, jsonl, iob, brat, webanno, labelstudio, xmi, docbin, parquet"
    assert f"--to: unknown format 'elan'; available: {known}\n" in silent.stderr
    only_read = run(demo_path(), "--to", "eaf", "-o", tmp_path / "x.eaf")
    assert "can be read but not written" in only_read.stderr
