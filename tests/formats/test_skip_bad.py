"""Bad files and records are passed over if one asks for it, and told."""

from __future__ import annotations

import subprocess
import sys

import pytest

import unisono
from unisono.errors import DataError
from unisono.formats import skipping

CSV = """document,annotator,start,end,category
d,anna,0,3,X
d,anna,five,9,X
d,bert,0,3,X
d,bert,12,9,X
d,bert,20,29,Y
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(CSV)
    return path


def test_bad_lines_are_told_with_file_and_line(table):
    told = []
    corpus = unisono.read(table, bad=told.append)
    assert corpus.n_units == 3
    assert [(error.path, error.line) for error in told] == [(table, 3), (table, 5)]
    assert [*corpus.dropped.values()] == [2]


def test_without_it_the_first_bad_line_is_an_error(table):
    with pytest.raises(DataError, match="line 3"):
        unisono.read(table)


def test_the_document_is_named_like_the_file(tmp_path):
    path = tmp_path / "text1.csv"
    path.write_text("annotator,start,end\nanna,0,3\nanna,x,3\n")
    assert unisono.read(path, bad=lambda _: None).documents == ("text1",)


def test_lines_of_json(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text('{"annotator": "a", "units": []}\n{"annotator":\n{"annotator": "b", "units": []}\n')
    told = []
    assert unisono.read(path, bad=told.append).annotators == ("a", "b")
    assert [error.line for error in told] == [2]


def test_the_first_line_of_json_too(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text('{"annotator":\n{"annotator": "b", "units": []}\n')
    told = []
    corpus = unisono.read(path, bad=told.append)
    assert corpus.annotators == ("b",)
    assert [error.line for error in told] == [1]
    assert corpus.origin(0, 0) == {"path": path, "line": 2}


def test_other_encodings(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(CSV.replace("X", "Ä"), encoding="utf-16")
    told = []
    corpus = unisono.read(path, bad=told.append)
    assert corpus.n_units == 3
    assert [error.line for error in told] == [3, 5]


def test_a_bad_header_cannot_be_passed_over(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("annotator,begin\nanna,0\n")
    with pytest.raises(DataError):
        unisono.read(path, bad=lambda _: None)


def test_too_many_bad_lines(table, monkeypatch):
    monkeypatch.setattr(skipping, "_MOST", 1)
    with pytest.raises(DataError, match="more than 1 lines are bad"):
        unisono.read(table, bad=lambda _: None)


def test_bad_files_among_good_ones(table, tmp_path):
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text("document,annotator,start,end\ne,anna,0,3\n")
    bad.write_bytes(b"\0\1\2")
    told = []
    corpus = unisono.read([good, bad], bad=told.append)
    assert corpus.documents == ("e",)
    assert [error.path for error in told] == [bad]
    with pytest.raises(DataError, match="binary"):
        unisono.read([bad], bad=told.append)


def test_on_the_command_line(table):
    command = [sys.executable, "-c", "from unisono.cli import main; main()", "measure", str(table), "--skip-bad"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert f"skipped: {table}, line 3" in done.stderr
    assert "left out or changed: 2 files or records" in done.stderr
