from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from format_helpers import contents, refusal, rows, worked

from unisono.data import Corpus
from unisono.errors import DataError, OptionError
from unisono.formats import FORMATS, Format, read

UNITS = "document,annotator,start,end,category\nd1,A,0,3,X\nd2,B,1,4,Y\n"


def test_several_files_are_one_corpus(tmp_path):
    (tmp_path / "one.csv").write_text("annotator,start,end,category\nA,0,3,X\n")
    (tmp_path / "two.tsv").write_text("annotator\tstart\tend\tpos\nB\t1.5\t4\tNN\n")
    (tmp_path / "three.jsonl").write_text('{"document": "one", "annotator": "C", "text": "abc", "units": []}\n')
    paths = [tmp_path / name for name in ("one.csv", "two.tsv", "three.jsonl")]
    corpus = read(paths)
    assert rows(corpus) == [("one", "A", 0.0, 3.0, "X", None), ("two", "B", 1.5, 4.0, None, "NN")]
    assert worked(corpus) == {("one", "A"), ("two", "B"), ("one", "C")}
    assert corpus.texts == {(0, 2): "abc"}
    assert corpus.source == "CSV, TSV, JSON lines · one.csv, two.tsv, three.jsonl"
    assert contents(read(map(str, paths))) == contents(corpus)


def test_source_of_many_files(tmp_path):
    for name in "abcde":
        (tmp_path / f"{name}.csv").write_text("A,X,0,3\n")
    assert read(sorted(tmp_path.iterdir())).source == "CSV · a.csv, b.csv, c.csv and 2 more"


def test_files_that_contradict_each_other(tmp_path):
    for name, text, end in (("a", "x", 8), ("b", "y", 8), ("c", "x", 9)):
        line = f'{{"document": "d", "annotator": "A", "text": "{text}", "continuum": [0, {end}]}}\n'
        (tmp_path / f"{name}.jsonl").write_text(line)
    with pytest.raises(DataError, match="different text"):
        read([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    with pytest.raises(DataError, match="different continuum"):
        read([tmp_path / "a.jsonl", tmp_path / "c.jsonl"])


def test_who_worked_on_what(tmp_path):
    (tmp_path / "units.csv").write_text(UNITS.replace("document", "doc"))
    (tmp_path / "worked.csv").write_text("doc;annotator;note\nd1;A;\nd1;B;x\nd3;C;\n")
    corpus = read(tmp_path / "units.csv", columns={"document": "doc"}, worked=tmp_path / "worked.csv")
    assert corpus.documents == ("d1", "d2", "d3")
    assert worked(corpus) == {("d1", "A"), ("d1", "B"), ("d2", "B"), ("d3", "C")}
    assert len(rows(corpus)) == 2


def test_bad_table_of_who_worked_on_what(tmp_path):
    path, table = tmp_path / "units.csv", tmp_path / "worked.csv"
    path.write_text(UNITS)
    for content, line, word in (
        ("doc,annotator\nd1,A\n", 1, "columns={'document': 'doc'}"),
        ("document,annotator\nd1,\n", 2, "annotator is missing"),
        ("document,annotator\nd1\n", 2, "number of fields"),
    ):
        table.write_text(content)
        with pytest.raises(DataError, match=word) as caught:
            read(path, worked=table)
        assert str(caught.value).startswith(f"{table}, line {line}: ")
    table.write_text('{"document": "d", "annotator": "A"}\n')
    with pytest.raises(DataError, match="use a CSV"):
        read(path, worked=table)
    with pytest.raises(DataError, match="no such file"):
        read(path, worked=tmp_path / "nowhere.csv")


def test_shared_file_with_who_worked_on_what(shared):
    folder = shared / "llm_span"
    who = folder / "d2t_iaa_annotators.csv"
    corpus = read(folder / "d2t_iaa_units.csv", columns={"document": "doc"}, worked=who)
    assert (len(corpus), corpus.n_units, len(corpus.annotators)) == (12, 1276, 29)
    assert corpus.worked.sum() > len({(row[0], row[1]) for row in rows(corpus)})


def test_continuum_for_every_document(tmp_path):
    path = tmp_path / "units.csv"
    path.write_text(UNITS)
    assert read(path, continuum=(0, 100)).bounds == {0: (0.0, 100.0), 1: (0.0, 100.0)}
    with pytest.raises(DataError, match="'d2' has units outside"):
        read(path, continuum=(0, 3))
    for wrong in ((3, 0), (0, float("nan")), (0, float("inf")), (1,), "ab", 5):
        with pytest.raises(OptionError, match="continuum"):
            read(path, continuum=wrong)


def test_format_can_be_named(tmp_path):
    path = tmp_path / "anno.json"
    path.write_text(UNITS)
    assert len(rows(read(path, format="CSV"))) == 2
    refusal(path, 1, "not JSON")
    known = "format: unknown format 'word'; available: ratings, csv, tsv, jsonl, .*parquet"
    with pytest.raises(OptionError, match=known):
        read(path, format="word")


@pytest.mark.parametrize("name", [None, "csv", "tsv", "jsonl", "parquet"])
def test_what_is_not_a_file_with_something_in_it(tmp_path, name):
    refusal(tmp_path / "nowhere.csv", None, "no such file", format=name)
    refusal(tmp_path, None, "folder", "name the files", format=name)
    (tmp_path / "empty.csv").touch()
    refusal(tmp_path / "empty.csv", None, "empty", format=name)
    with pytest.raises(DataError, match="cannot be read"):
        read("a\0b.csv", format=name)
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 10)
    with pytest.raises(DataError, match=r"binary|damaged"):
        read(tmp_path / "binary", format=name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    refusal(tmp_path / "pipe", None, "not a regular file")


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    path = tmp_path / "secret.csv"
    path.write_text(UNITS)

    def refuse(*_args, **_keys):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    refusal(path, None, "may not be read")


def test_no_files():
    with pytest.raises(OptionError, match="paths: expected at least one path"):
        read([])


@pytest.mark.parametrize("error", [MemoryError, OSError(5, "Input/output error")])
def test_errors_of_the_system_are_sentences(tmp_path, monkeypatch, error):
    path = tmp_path / "a.csv"
    path.write_text(UNITS)

    def fail(*_args, **_keys):
        raise error

    monkeypatch.setattr("unisono.formats.csv_format.delimited_records", fail)
    refusal(path, None)


def test_a_very_long_line_is_refused_at_once(tmp_path):
    path = tmp_path / "huge.csv"
    with path.open("wb") as stream:
        stream.write(b"A,X,0,3\n" + b"x" * 2**21)
        stream.truncate(2**28)  # a sparse file: the rest takes no room
    refusal(path, 2, "longer than")


def test_every_format_declares_itself():
    for declared in FORMATS:
        assert isinstance(declared, Format)
        assert all((declared.name, declared.title, declared.reads, declared.ignores))
        assert all(suffix.startswith(".") for suffix in declared.suffixes)
    names = [declared.name for declared in FORMATS]
    by_suffix = [declared for declared in FORMATS if declared.write is not None and not declared.written_by_name]
    written = [suffix for declared in by_suffix for suffix in declared.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(written)) == len(written)


def test_importing_and_reading_csv_imports_nothing_heavy(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(UNITS)
    heavy = ("pyarrow", "narwhals", "pandas", "polars", "scipy", "numba")
    code = (
        f"import sys; from unisono.formats import read; read({str(path)!r}); "
        ""
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_reading_gives_a_corpus(tmp_path):
    (tmp_path / "a.csv").write_text(UNITS)
    assert isinstance(read(tmp_path / "a.csv"), Corpus)


def test_parts_of_an_annotation_are_put_together_and_versions_of_it_are_not(tmp_path):
    head = "document,annotator,start,end,category\n"
    first, parts, version = (tmp_path / name for name in ("first.csv", "parts.csv", "version.csv"))
    first.write_text(head + "d,anna,0,5,X\nd,anna,8,9,X\nd,bert,0,5,X\n")
    parts.write_text(head + "d,anna,0,5,Y\nd,bert,6,7,Y\n")
    version.write_text(head + "d,anna,1,5,X\nd,anna,8,9,X\nd,bert,0,4,X\n")
    assert read([first, parts]).n_units == 5
    with pytest.raises(
        DataError, match=r"version.csv: the unit 8–9 of 'anna' in the document 'd' is in .*first.csv too"
    ):
        read([first, version])


@pytest.mark.parametrize("begin", ["<!DOCTYPE html>\n<html>", "\n<HTML lang='en'>", "<!-- x -->\n<!doctype HTML>"])
@pytest.mark.parametrize("name", ["page.html", "data.csv"])
def test_a_page_of_the_web_is_no_annotation(tmp_path, name, begin):
    path = tmp_path / name
    path.write_text(f"{begin}<body>a, b</body></html>\n")
    refusal(path, None, "this is an HTML page, not an annotation")


def test_what_has_an_unknown_name_is_said_to_be_taken_for_csv(tmp_path):
    path, words = tmp_path / "make.py", "the format is not recognized by name or content, so it was taken for CSV: "
    path.write_text('print("a" + "b", 3)\n')
    with pytest.raises(DataError, match=words):
        read(path)
    with pytest.raises(DataError) as caught:
        read(path, format="csv")
    assert words not in str(caught.value)
    path.write_text(UNITS)
    assert read(path).n_units == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("talk.tsv", "Coder\tMasses\n1\t2\tx\n"),
        ("units.jsonl", '{"annotator": "a", "start": 0, "end": 1}\n' + "[" * 100_000 + "\n"),
        ("units.csv", "annotator,start,end\na,0,x\n"),
        ("units.ann", "T1\tX 0 1\ta\nT1\tX 0 1\ta\n"),
        ("units.conllu", "1\ta\n\n"),
        ("units.rttm", "SPEAKER a 1 x y\n"),
    ],
)
def test_a_refused_file_is_closed(tmp_path, monkeypatch, name, content):
    """Even while the error is kept, and with it everything that was being read."""
    opened, path, open_path = [], tmp_path / name, Path.open

    def noted(*given, **more):
        opened.append(open_path(*given, **more))
        return opened[-1]

    path.write_text(content + "\n" * 2**19)
    monkeypatch.setattr(Path, "open", noted)
    with pytest.raises(DataError) as caught:
        read(path)
    assert opened
    assert all(stream.closed for stream in opened), caught.value
