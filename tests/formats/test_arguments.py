"""Wrong types of parameters: an OptionError that names the parameter, never another kind of error."""

from __future__ import annotations

import pandas as pd
import pytest

import unisono
from unisono.data import Corpus
from unisono.errors import DataError, OptionError
from unisono.formats import from_frame, read, read_base, write
from unisono.formats.entry import as_corpus, as_data

UNITS = "document,annotator,start,end,category\nd,anna,0,5,X\nd,bert,1,5,X\n"
FRAME = pd.DataFrame({"document": ["d", "d"], "annotator": ["anna", "bert"], "start": [0, 1], "end": [5, 5]})


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(UNITS)
    return path


def refused(parameter, call, *arguments, **options):
    with pytest.raises(OptionError) as caught:
        call(*arguments, **options)
    assert caught.value.parameter == parameter
    assert str(caught.value).startswith(f"{parameter}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("paths", [None, 3, [], {}, {"a": "b"}, b"table.csv", [None], [3], "", [""], True, object()])
def test_paths(paths):
    refused("paths", read, paths)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("format", 3),
        ("format", "nix"),
        ("pattern", 3),
        ("pattern", "{who}"),
        ("annotator_from", 3),
        ("annotator_from", "elsewhere"),
        ("annotator_from", []),
        ("columns", ["a"]),
        ("columns", "document=doc"),
        ("columns", {"document": 3}),
        ("columns", {1: "doc"}),
        ("delimiter", 3),
        ("delimiter", "ab"),
        ("delimiter", ""),
        ("options", "x"),
        ("options", {"text": 3}),
        ("options", ["text"]),
        ("discontinuous", 1),
        ("discontinuous", None),
        ("discontinuous", "half"),
        ("worked", 3),
        ("worked", ["a.csv"]),
        ("continuum", "0:5"),
        ("continuum", "05"),
        ("continuum", 5),
        ("continuum", (0,)),
        ("continuum", (0, 1, 2)),
        ("continuum", (0, None)),
        ("continuum", (5, 0)),
        ("continuum", (0, float("nan"))),
        ("continuum", {0: 1, 5: 2}.items()),
        ("bad", "raise"),
        ("progress", True),
    ],
)
def test_reading(table, parameter, value):
    refused(parameter, read, table, **{parameter: value})


@pytest.mark.parametrize(("parameter", "value"), [("path", None), ("path", 3), ("format", 3), ("options", "x")])
def test_reading_a_pre_annotation(table, parameter, value):
    refused(parameter, read_base, **{"path": table, parameter: value})


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("data", None),
        ("data", 3),
        ("data", []),
        ("data", object()),
        ("path", None),
        ("path", 3),
        ("path", ""),
        ("format", 3),
        ("format", "nix"),
        ("overwrite", "yes"),
        ("overwrite", None),
    ],
)
def test_writing(table, tmp_path, parameter, value):
    given = {"data": read(table), "path": tmp_path / "out.csv", parameter: value}
    refused(parameter, write, given.pop("data"), given.pop("path"), **given)
    assert not (tmp_path / "out.csv").exists()


def test_writing_what_a_user_has(table, tmp_path):
    write(FRAME, tmp_path / "frame.jsonl")
    assert read(tmp_path / "frame.jsonl") == from_frame(FRAME)
    write(table, tmp_path / "path.jsonl")
    assert read(tmp_path / "path.jsonl") == read(table)
    write({"anna": ["x", "y"], "bert": ["x", "x"]}, tmp_path / "labels.csv")
    assert read(tmp_path / "labels.csv").annotators == ("anna", "bert")
    refused("rows", write, [["x", "y"], ["x", "x"]], tmp_path / "bare.csv")


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("frame", None),
        ("frame", 3),
        ("frame", [["d", "anna", 0, 5]]),
        ("columns", ["a"]),
        ("columns", {"document": 3}),
        ("worked", 3),
        ("worked", "worked.csv"),
        ("continuum", "0:5"),
        ("continuum", (5, 0)),
        ("texts", "Once upon a time"),
        ("texts", ["Once upon a time"]),
        ("texts", {"d": 3}),
        ("texts", {"e": "Once upon a time"}),
        ("texts", {("d", "carl"): "Once upon a time"}),
        ("texts", {("d", "anna", "x"): "Once upon a time"}),
        ("texts", {3: "Once upon a time"}),
    ],
)
def test_frames(parameter, value):
    refused(parameter, from_frame, **{"frame": FRAME, parameter: value})


def test_texts_of_documents():
    corpus = from_frame(FRAME, texts={"d": "Once upon a time"})
    assert corpus.texts == {(0, 0): "Once upon a time", (0, 1): "Once upon a time"}
    assert corpus["d"].bounds == (0, 16)
    assert corpus["d"].text == "Once upon a time"


def test_texts_of_annotators():
    worked = pd.DataFrame({"document": ["d", "e"], "annotator": ["carl", "anna"]})
    texts = {("d", "anna"): "Onse upon a time", "d": "Once upon a time", ("e", "carl"): ""}
    corpus = from_frame(FRAME, worked=worked, texts=texts)
    assert isinstance(corpus, Corpus)
    named = {(corpus.documents[d], corpus.annotators[a]): text for (d, a), text in corpus.texts.items()}
    once = "Once upon a time"
    assert named == {("d", "anna"): "Onse upon a time", ("d", "bert"): once, ("d", "carl"): once, ("e", "carl"): ""}
    assert corpus["e"].annotators == ("anna", "carl")
    assert corpus["d"].texts_differ


def test_texts_that_are_too_short():
    with pytest.raises(DataError, match=r"a unit of 'anna' in document 'd' is from 0 to 5, not within its text, .* 4"):
        from_frame(FRAME, texts={"d": "Once"})


def test_texts_are_for_units():
    refused("texts", from_frame, pd.DataFrame({"item": ["i"], "A": ["x"], "B": ["y"]}), texts={"d": "x"})


def test_lazy_frames():
    polars = pytest.importorskip("polars", reason="makes lazy frames")
    refused("frame", from_frame, polars.LazyFrame({"annotator": ["A"], "start": [0], "end": [1]}))
    with pytest.raises(OptionError, match=r"polars.LazyFrame is not a frame .*collected"):
        from_frame(polars.LazyFrame({"annotator": ["A"], "start": [0], "end": [1]}))


def test_no_texts():
    assert from_frame(FRAME, texts={}) == from_frame(FRAME)


@pytest.mark.parametrize("call", [unisono.read, unisono.write, unisono.from_frame])
def test_they_are_public(call):
    assert call.__doc__


def test_paths_may_come_one_by_one(tmp_path):
    for name, who in (("one.csv", "a"), ("other.csv", "b")):
        (tmp_path / name).write_text(f"document,annotator,start,end\nd,{who},0,3\n")
    paths = sorted(tmp_path.iterdir())
    assert as_data(path for path in paths) == as_data(paths)
    assert as_data(iter([["x", "y"], ["x", "x"]]), rows="items") == as_data([["x", "y"], ["x", "x"]], rows="items")


@pytest.mark.parametrize("given", ["", ["x.csv", ""], iter(["x.csv", ""])])
def test_a_wrong_path_names_the_parameter_of_the_function_that_was_called(given):
    with pytest.raises(OptionError, match=r"^corpus: expected a path, not ''$"):
        as_corpus(given)


def test_a_frame_is_not_a_path():
    with pytest.raises(OptionError, match="paths: expected a path, not a data frame; use from_frame for that"):
        unisono.read(pd.DataFrame({"annotator": ["a"], "start": [0], "end": [1]}))
