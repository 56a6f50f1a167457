from __future__ import annotations

import json

import numpy as np
import pytest
from format_helpers import contents, refusal, rows, worked
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.errors import DataError, OptionError
from unisono.formats import jsonl, read


@pytest.fixture
def file(tmp_path):
    def make(*lines, name="anno.jsonl"):
        path = tmp_path / name
        path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines))
        return path

    return make


def line(units=(), **keys):
    return {"document": "d", "annotator": "A", "units": list(units), **keys}


def unit(**keys):
    return {"start": 0, "end": 3, **keys}


def test_the_contract(file):
    corpus = read(
        file(
            '{"document": "d1", "annotator": "A", "text": "hats", "units": '
            '[{"start": 0, "end": 3, "type": "token", "features": {"pos": "NN"}}]}',
            '{"document": "d1", "annotator": "B", "text": "hat"}',
        )
    )
    assert rows(corpus) == [("d1", "A", 0, 3, "token", "NN")]
    assert list(corpus.features) == ["type", "pos"]
    assert worked(corpus) == {("d1", "A"), ("d1", "B")}
    assert corpus.texts == {(0, 0): "hats", (0, 1): "hat"}
    assert corpus.source == "JSON lines · anno.jsonl"


@pytest.mark.parametrize("nothing", [{"units": []}, {"units": None}, {}])
def test_a_line_without_units_says_who_marked_nothing(file, nothing):
    corpus = read(file({"document": "d0", "annotator": "Z", **nothing}, line([unit()])))
    assert corpus.documents == ("d0", "d")
    assert worked(corpus) == {("d0", "Z"), ("d", "A")}


def test_labels_of_all_kinds(file):
    labels = ["1", 7, 2.5, True, ["b", "a"], [], None, ""]
    corpus = read(file(*(line([unit(category=label)], document=str(n)) for n, label in enumerate(labels))))
    assert [(type(row[-1]), row[-1]) for row in rows(corpus)] == [
        (str, "1"),
        (int, 7),
        (float, 2.5),
        (bool, True),
        (tuple, ("a", "b")),
        (tuple, ()),
        (type(None), None),
        (str, ""),
    ]


def test_document_is_the_stem_if_not_given(file):
    assert read(file({"annotator": "A", "units": [unit()]})).documents == ("anno",)


def test_names_may_be_whole_numbers(file):
    assert worked(read(file({"document": 7, "annotator": 1}))) == {("7", "1")}


def test_continuum(file):
    corpus = read(file(line([unit()], continuum=[0, 9.5]), line([], annotator="B")))
    assert corpus.bounds == {0: (0.0, 9.5)}
    assert read(file(line([unit()], continuum=[0, 9])), continuum=(-1, 20)).bounds == {0: (-1.0, 20.0)}


def test_one_version_on_two_lines(file):
    corpus = read(file(line([unit()], text="abc"), line([unit(start=1)]), line([unit(start=2)], text="abc")))
    assert corpus.start.tolist() == [0, 1, 2]
    assert corpus.texts == {(0, 0): "abc"}


def test_documents_that_nobody_worked_on_and_annotators_who_worked_on_nothing(file):
    corpus = read(
        file(
            {"document": "empty", "annotator": None, "continuum": [0, 5]},
            line([unit()]),
            {"document": None, "annotator": "Z"},
        )
    )
    assert corpus.documents == ("empty", "d")
    assert corpus.annotators == ("A", "Z")
    assert corpus.worked.tolist() == [[False, False], [True, False]]
    assert corpus.bounds == {0: (0.0, 5.0)}


@pytest.mark.parametrize("name", ["a.json", "a.txt", "a", "a.ndjson"])
def test_json_lines_under_other_names(file, name):
    assert rows(read(file(line([unit()]), name=name))) == [("d", "A", 0, 3)]


def test_byte_order_mark_blank_lines_and_utf16(tmp_path):
    path = tmp_path / "a.json"
    text = "\n" + json.dumps(line([unit(category="Ж")]), ensure_ascii=False) + "\r\n\r\n"
    for encoding in ("utf-8-sig", "utf-16"):
        path.write_bytes(text.encode(encoding))
        assert rows(read(path)) == [("d", "A", 0, 3, "Ж")]


def test_whole_and_decimal_positions(file):
    assert read(file(line([unit(start=2**53 - 1, end=2**53)]))).end.tolist() == [2**53]
    assert read(file(line([unit()]), line([unit(end=3.5)]))).end.dtype == np.float64
    assert read(file(line([unit()]))).end.dtype == np.int64


def test_order_of_lines_does_not_matter_but_for_documents(file):
    lines = [line([unit(category="X"), unit(category="Y", start=1)]), line([unit()], annotator="B")]
    assert contents(read(file(*lines))) == contents(read(file(*lines[::-1])))


GOOD = line([unit()])
BAD = {
    "not JSON": (["{"], 1, ["not JSON"]),
    "not JSON later": ([GOOD, "", "nix"], 3, ["not JSON"]),
    "cut off": ([GOOD, '{"document": "d", "annotator": "A", "units": ['], 2, ["not JSON"]),
    "two objects on a line": (["{} {}"], 1, ["not JSON", "Extra data"]),
    "a list": ([[GOOD]], 1, ["a line should be an object"]),
    "NaN": (['{"annotator": "A", "units": [{"start": NaN, "end": 3}]}'], 1, ["NaN"]),
    "key twice": (['{"document": "d", "document": "e", "annotator": "A"}'], 1, ["'document' occurs twice"]),
    "nested deeply": (["[" * 100_000], 1, ["nested too deeply"]),
    "a number of many digits": (['{"annotator": ' + "9" * 5000 + "}"], 1, ["not JSON"]),
    "unknown key on a line": ([line(spans=[])], 1, ["'spans'", "a line", "units"]),
    "unknown key on a unit": ([GOOD, line([unit(label="X")])], 2, ["'label'", "features"]),
    "no annotator": ([{"document": "d", "units": []}], 1, ["annotator is missing"]),
    "annotator is a list": ([line(annotator=["A"])], 1, ["annotator should be text", '["A"]']),
    "annotator is true": ([line(annotator=True)], 1, ["annotator should be text"]),
    "document is an object": ([line(document={})], 1, ["document should be text"]),
    "text is a number": ([line(text=5)], 1, ["text should be text"]),
    "another text": ([line(text="a"), line(text="b")], 2, ["two different texts"]),
    "units are an object": ([line() | {"units": {}}], 1, ["units should be a list"]),
    "unit is a list": ([line([[0, 3]])], 1, ["a unit should be an object", "[0, 3]"]),
    "no start": ([line([{"end": 3}])], 1, ["no start"]),
    "no end": ([line([{"start": 3}])], 1, ["no end"]),
    "start is text": ([line([unit(start="0")])], 1, ['a finite number, not "0"']),
    "start is true": ([line([unit(start=True)])], 1, ["not true"]),
    "start is null": ([line([unit(start=None)])], 1, ["not null"]),
    "infinite": (['{"annotator": "A", "units": [{"start": 0, "end": 1e999}]}'], 1, ["finite"]),
    "too large": ([line([unit(end=2**53 + 1)])], 1, ["2^53"]),
    "far too large": ([line([unit(end=10**400)])], 1, ["2^53"]),
    "end before start": ([GOOD, line([unit(), unit(start=9)])], 2, ["ends (3) before it begins (9)"]),
    "features are a list": ([line([unit(features=["X"])])], 1, ["features should be an object"]),
    "label is an object": ([line([unit(features={"x": {}})])], 1, ["label {} of x"]),
    "label is a list of numbers": ([line([unit(features={"x": [1]})])], 1, ["label [1] of x"]),
    "infinite label": (['{"annotator": "A", "units": [{"start": 0, "end": 1, "type": 1e999}]}'], 1, ["type"]),
    "category twice": ([line([unit(category="X", features={"category": "X"})])], 1, ["category twice"]),
    "type twice": ([line([unit(type="X", features={"type": "X"})])], 1, ["type twice"]),
    "continuum is a number": ([line(continuum=9)], 1, ["continuum should be [begin, end]"]),
    "continuum is backwards": ([line(continuum=[9, 0])], 1, ["continuum should be [begin, end]"]),
    "another continuum": ([line(continuum=[0, 9]), line(continuum=[0, 8])], 2, ["line 1"]),
    "unit outside": ([GOOD, line(continuum=[1, 9])], 1, ["outside", "line 2"]),
    "units of nobody": ([GOOD, line([unit()], annotator=None)], 2, ["no annotator"]),
    "units in no document": ([line([unit()], document=None)], 1, ["no document"]),
    "only blank lines": (["", " "], None, ["no annotated document"]),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_line_is_refused_with_file_and_line(file, case):
    lines, number, words = BAD[case]
    refusal(file(*lines), number, *words)


def test_not_utf8(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(json.dumps(GOOD).encode() + b'\n{"annotator": "J\xf6rg"}\n')
    refusal(path, 2, "UTF-8")


def test_options_for_tables_are_refused(file):
    with pytest.raises(OptionError, match="columns"):
        read(file(GOOD), columns={"document": "doc"})
    with pytest.raises(OptionError, match="delimiter"):
        read(file(GOOD), delimiter=";")


@settings(deadline=None)
@given(st.data())
def test_usual_units_are_read_as_others_are(tmp_path_factory, data):
    places = st.integers(-2, 12) | st.floats(-2, 12)
    labels = st.sampled_from(["A", "B", "", None, True, 1.5, ["A", "B"], {}])
    named = st.dictionaries(st.sampled_from(["pos", "type", "category"]), labels)
    units = st.fixed_dictionaries(
        {}, optional={"start": places, "end": places, "features": named | st.none(), "type": labels}
    )
    texts = st.sampled_from([None, "ten signs."])
    lines = [
        line(data.draw(st.lists(units | named, max_size=5)), annotator=name, text=data.draw(texts)) for name in "ab"
    ]
    path = tmp_path_factory.mktemp("lines") / "made.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))

    def outcome():
        bad = []
        try:
            return read(path, bad=bad.append), [str(error) for error in bad]
        except DataError as error:
            return str(error), [str(error) for error in bad]

    at_once = outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "_usual_columns", lambda units, last: None)
        assert outcome() == at_once


TWICE = [
    '{"document": "d", "annotator": "A", "text": "a:b", "text": "a:b", "units": []}',
    '{"document": "d", "annotator": "A", "text": "ab", "units": [{"start": 0, "start": 0, "end": 1, "features": {}}]}',
    '{"document": "d", "annotator": "A", "units": [{"start": 0, "end": 1, "features": {"pos": "N", "pos": "N:1"}}]}',
    '{"document": "d", "annotator": "A", "text": "a\\u003ab", "text": "ab", "units": []}',
    '{"document": "d", "annotator": "A", "text": "a\\u003Ab\\u003a", "units": [{"start": 0, "end": 1, "end": 1}]}',
    '{"document": "d", "annotator": "A", "units": [[1, 2, 3]], "units": [["a:b"]]}',
    '{"document": "d", "annotator": "A", "units": [{"start": 0, "end": 1, "features": ":", "end": 1}]}',
]


@pytest.mark.parametrize("written", TWICE)
def test_repeated_keys_are_found_where_lines_are_parsed_fast(tmp_path, written):
    path = tmp_path / "twice.jsonl"
    path.write_text(written + "\n")
    with pytest.raises(DataError, match="occurs twice in one object"):
        read(path)


@pytest.mark.parametrize("text", ["a:b", "a::b {}", '"a": "b"', "\\u003a"])
def test_colons_in_texts_and_labels(tmp_path, text):
    unit = {"start": 0, "end": 1, "features": {"a:b": "c:d"}}
    path = tmp_path / "colons.jsonl"
    path.write_text(json.dumps({"document": "d", "annotator": "A", "text": text, "units": [unit]}) + "\n")
    found = read(path)
    assert dict(found.texts) == {(0, 0): text}
    assert found.features["a:b"].values() == ["c:d"]
