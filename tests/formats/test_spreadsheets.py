"""Cells that spreadsheets would take for formulas are protected on request; reading gives back what was written."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

import pytest
from format_helpers import contents, rated
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import unisono
from unisono.cli.app import app
from unisono.data import Corpus, Normalizations, Ratings
from unisono.errors import DataError, OptionError
from unisono.formats import read, write
from unisono.formats.numbers import looks_numeric
from unisono.formats.spreadsheets import is_protected, protected, unprotected

FORMULAS = "=+-@\t\r"
WORDS = st.one_of(
    st.text("'=+-@\t\r3a.,", min_size=1, max_size=4),
    st.sampled_from(["-3", "+1.5", "'-3", "=1+1", "@x", "''=x", "-", "'", "x", "1e5", "\t=1"]),
)
LABEL = WORDS.filter(lambda text: text.strip() != "")
NAME = WORDS.map(str.strip).filter(bool)
MARKED = "cells with an apostrophe that protects them from spreadsheets, read without it"


@st.composite
def units(draw):
    n = draw(st.integers(1, 4))
    return Corpus.from_columns(
        document=[draw(LABEL) for _ in range(n)],
        annotator=[draw(LABEL) for _ in range(n)],
        start=[draw(st.integers(-5, 0)) for _ in range(n)],
        end=[draw(st.integers(0, 5)) for _ in range(n)],
        features={name: [draw(st.none() | LABEL) for _ in range(n)] for name in ("category", draw(NAME))},
    )


@st.composite
def ratings(draw):
    people = draw(st.lists(NAME.map("a".__add__) | NAME, min_size=1, max_size=3, unique=True))
    n = draw(st.integers(1, 4))
    return Ratings.from_annotators({name: [draw(st.none() | LABEL) for _ in range(n)] for name in people})


@st.composite
def normalizations(draw):
    people = draw(st.lists(NAME.map("a".__add__) | NAME, min_size=1, max_size=3, unique=True))
    n = draw(st.integers(1, 4))
    words = {name: [draw(st.none() | NAME) for _ in range(n)] for name in people}
    return Normalizations.from_annotators([draw(NAME) for _ in range(n)], words)


def plain(data):
    if isinstance(data, Corpus):
        return contents(data)
    if isinstance(data, Ratings):
        return rated(data)
    return unisono.formats.normalizations.columns_of(data)


@settings(max_examples=100, deadline=None)
@given(units() | ratings() | normalizations(), st.booleans(), st.sampled_from(["document.csv", "document.tsv"]))
def test_what_is_written_is_read_or_it_is_not_written(data, safe, name):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        try:
            write(data, path, safe=safe)
        except DataError:  # a name that would mean something else, or labels that are the same number
            assume(False)
        found = read(path)
        text = path.read_bytes().decode()
    assert plain(found) == plain(data)
    if safe:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter="\t" if name.endswith("tsv") else ","):
            assert all(not cell or cell[0] not in FORMULAS or looks_numeric(cell) for cell in row)


@given(st.lists(WORDS))
def test_protecting_is_undone(texts):
    written = [protected(text) for text in texts]
    assert [unprotected(text) for text in written] == texts
    assert len(set(written)) == len(set(texts))
    assert is_protected(written) == (written != texts)


@pytest.mark.parametrize("text", ["-3", "+3.5", "-3,5", "1e-5", "x", "", "a=b", "'", "'x", "–"])
def test_what_stays_as_it_is(text):
    assert protected(text) == unprotected(text) == text


TABLE = "annotator,start,end,category\nanna,0,3,'=x\nbert,-3,3,{}\n"


def test_an_apostrophe_is_removed_only_where_all_have_one(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE.format("-3"))
    corpus = read(path)
    assert corpus.features["category"].labels == ("-3", "=x")
    assert corpus.dropped == {MARKED: 1}
    kept = read(path, options={"safe": "false"})
    assert kept.features["category"].labels == ("'=x", "-3")
    assert kept.dropped == {}
    path.write_text(TABLE.format("=y"))
    assert read(path).features["category"].labels == ("'=x", "=y")
    assert read(path, options={"safe": "true"}).features["category"].labels == ("=x", "=y")
    with pytest.raises(OptionError, match="unknown safe 'no'"):
        read(path, options={"safe": "no"})


def test_only_tables_can_be_safe(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE.format("=y"))
    corpus = read(tmp_path / "table.csv")
    with pytest.raises(OptionError, match="safe: only tables"):
        write(corpus, tmp_path / "x.jsonl", safe=True)


def run(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done


def cells(text):
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    rows = [
        f"d,{who},{start},{start + 3},{label}\n" for who in ("anna", "@bert") for start, label in ((0, "=x"), (9, "-y"))
    ]
    path.write_text("document,annotator,start,end,category\n" + "".join(rows))
    return path


def test_the_commands(table, tmp_path):
    run("convert", table, "-o", tmp_path / "converted.csv", "--safe-csv")
    run("gold", table, "-o", tmp_path / "gold.csv", "--queue", tmp_path / "queue.csv", "--safe-csv", "--majority", 0.9)
    run("align", table, "-o", tmp_path / "aligned.csv", "--safe-csv")
    printed = run("measure", table, "-m", "gamma(chance=shift,precision=0.2)", "--csv", "--safe-csv").stdout
    texts = {path.name: path.read_text() for path in tmp_path.glob("*d.csv")}
    for text in [printed, *texts.values()]:
        found = cells(text)
        assert all(not cell or cell[0] not in FORMULAS or looks_numeric(cell) for cell in found), text
    assert "'=x" in cells(texts["converted.csv"])
    assert "'=x" in cells(texts["gold.csv"])
    assert contents(read(tmp_path / "converted.csv")) == contents(read(table))
    assert "=x" in cells(run("align", table).stdout)
    assert "=x" in cells(run("measure", table, "-m", "gamma(chance=shift,precision=0.2)", "--csv").stdout)


@pytest.mark.parametrize(
    "words", [("convert", "-o", "x.jsonl", "--safe-csv"), ("measure", "-m", "span-f1", "--safe-csv")]
)
def test_where_there_is_no_csv(table, tmp_path, words):
    command, *more = words
    more = [str(tmp_path / word) if word == "x.jsonl" else word for word in more]
    done = CliRunner().invoke(app, [command, str(table), *more])
    assert done.exit_code != 0
