"""Bad files and records are passed over if one asks for it, and told."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unisono
from unisono.errors import DataError

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


def test_any_number_of_lines_in_one_pass(tmp_path, monkeypatch):
    """The file is opened as often as without bad lines."""
    path = tmp_path / "table.csv"
    opened = []
    real = type(path).open

    def counted(self, *args, **options):
        opened.append(self)
        return real(self, *args, **options)

    def read(n_bad):
        bad = [f"d,anna,x,{n},X\nd,bert,{n},{n - 1},X\nd,bert,{n}\nd,,{n},{n},X\n" for n in range(n_bad)]
        path.write_text(CSV.replace("five", "5").replace("12,9", "12,19") + "".join(bad))
        opened.clear()
        told = []
        corpus = unisono.read(path, bad=told.append)
        assert corpus.n_units == 5
        assert [error.line for error in told] == list(range(7, 7 + 4 * n_bad))
        return len(opened)

    monkeypatch.setattr(type(path), "open", counted)
    assert read(0) == read(1) == read(2_000)


TABLES = {
    "units": "document,annotator,start,end,c\nd,anna,0,3,X\nd,bert,0,4,Y\nd,bert,5,9,\ne,anna,,,\ne,bert,1,2,X\n",
    "tabs": 'document\tannotator\tstart\tend\tc\nd\tanna\t0\t3\t"X\nd\tbert\t0\t4\tY\nd\tbert\t5\t9\tZ\n',
    "labels": "item,annotator,label\n1,anna,X\n1,bert,Y\n2,anna,X\n2,bert,X\n3,anna,Y\n",
    "columns": "item,anna,bert\n1,X,Y\n2,X,X\n3,,Y\n4,Y,Y\n",
    "words": "original,anna,bert\nſo,so,so\nvnd,und,und\njm,ihm,im\n",
    "norms": "token,original,annotator,norm\n1,ſo,anna,so\n1,ſo,bert,so\n2,vnd,anna,und\n2,vnd,bert,und\n3,a,anna,a\n",
    "lines": "".join(
        json.dumps({"document": "d", "annotator": name, "units": [{"start": 0, "end": end, "category": "X"}]}) + "\n"
        for end, name in enumerate(("anna", "bert", "carl", "dora"), start=1)
    ),
}
BAD = ["x", '"', "a,b,c,d,e,f,g", ",,,,", "\udce4", "1", "3,3", "d,anna,9,3,X", "1,,,", "{", '{"annotator": 3}']


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_skipping_lines_is_leaving_them_out(name, data):
    """Whatever stands between good lines: what is told is skipped, and what is left reads as if it were alone."""
    header, *lines = TABLES[name].splitlines()
    if name == "lines":
        lines.insert(0, header)
    for _ in range(data.draw(st.integers(1, 4))):
        added = data.draw(st.sampled_from(BAD) | st.sampled_from(lines))
        lines.insert(data.draw(st.integers(1, len(lines))), added)
    lines = lines if name == "lines" else [header, *lines]
    told = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"x.{'jsonl' if name == 'lines' else 'tsv' if name == 'tabs' else 'csv'}")
        path.write_bytes("\n".join(lines).encode(errors="surrogateescape"))
        skipped = unisono.read(path, bad=told.append)
        bad = {error.line for error in told}
        assert None not in bad
        path.write_bytes(
            "\n".join("" if number in bad else line for number, line in enumerate(lines, start=1)).encode(
                errors="surrogateescape"
            )
        )
        alone = unisono.read(path)
    assert skipped == replace(alone, dropped=skipped.dropped)
    assert [*skipped.dropped.values()] == [len(told)] * bool(told)


def test_a_table_of_bad_rows_only_is_refused(tmp_path):
    path = tmp_path / "table.csv"
    for rows in ("d,anna,x,3\n", "d,,0,3\n", "d,anna,3\nd,anna,9,3\n"):
        path.write_text("document,annotator,start,end\n" + rows)
        told = []
        with pytest.raises(DataError, match="without its bad lines the file cannot be read"):
            unisono.read(path, bad=told.append)
        assert len(told) == rows.count("\n") + 1  # and the file


def test_a_line_that_cannot_be_decoded(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(CSV.replace("five", "5").replace("12,9", "12,19").encode() + b"d,bert,1,2,\xe4\nd,bert,3,4,X\n")
    told = []
    assert unisono.read(path, bad=told.append).n_units == 6
    assert [error.line for error in told] == [7]


@pytest.mark.parametrize("first", [b"annotator,\xe4,end", b'"annotator"x,start,end'])
def test_a_bad_line_where_the_header_is_cannot_be_skipped(tmp_path, first):
    """Otherwise the line below would be the header."""
    path = tmp_path / "table.csv"
    path.write_bytes(first + b"\n" + CSV.encode())
    with pytest.raises(DataError, match="line 1"):
        unisono.read(path, bad=lambda _: None)


def test_units_outside_a_continuum_are_bad_one_by_one(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text(
        '{"annotator": "a", "units": [{"start": 0, "end": 3}, {"start": 5, "end": 19}]}\n'
        '{"annotator": "b", "continuum": [0, 10], "units": [{"start": 0, "end": 3}]}\n'
    )
    told = []
    assert unisono.read(path, bad=told.append).n_units == 2
    assert [(error.path, error.line) for error in told] == [(path, 1)]


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
