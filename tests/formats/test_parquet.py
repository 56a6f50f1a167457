from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from format_helpers import contents, refusal, rows, worked

from unisono.data import Corpus, Ratings
from unisono.errors import DataError, OptionError
from unisono.formats import from_frame, read, write
from unisono.formats.piecewise import Piecewise

COLUMNS = {
    "document": ["d1", "d1", "d2"],
    "annotator": ["A", "B", "A"],
    "start": [0, 1, None],
    "end": [3, 4, None],
    "category": [["b", "a"], ["a"], None],
    "score": [1.5, None, None],
    "sure": [True, False, None],
}


@pytest.fixture
def file(tmp_path):
    def make(columns, name="anno.parquet"):
        pq.write_table(pa.table(columns), tmp_path / name)
        return tmp_path / name

    return make


@pytest.mark.parametrize("name", ["anno.parquet", "anno.pq", "anno", "anno.csv"])
def test_labels_keep_their_kind(file, name):
    corpus = read(file(COLUMNS, name))
    assert rows(corpus) == [("d1", "A", 0, 3, ("a", "b"), 1.5, True), ("d1", "B", 1, 4, ("a",), None, False)]
    assert worked(corpus) == {("d1", "A"), ("d1", "B"), ("d2", "A")}
    assert contents(corpus) == contents(from_frame(pa.table(COLUMNS)))
    assert corpus.source == f"Parquet · {name}"


def test_document_is_the_stem_and_columns_can_be_named(file):
    path = file({"coder": ["A"], "start": [0], "end": [3]})
    assert rows(read(path, columns={"annotator": "coder"})) == [("anno", "A", 0, 3)]
    refusal(path, None, "no column 'annotator'", "columns={'annotator': 'coder'}")


def test_the_path_may_name_the_annotator_of_units(file):
    path = file({"start": [0, 5], "end": [3, 9]}, "text_anna.parquet")
    found = read(path, pattern="{document}_{annotator}.parquet")
    assert rows(found) == [("text", "anna", 0, 3), ("text", "anna", 5, 9)]
    assert [rows(piece) for piece in Piecewise([path], pattern="{document}_{annotator}.parquet")] == [rows(found)]


def test_who_worked_on_what(file):
    table = file({"document": ["d1", "d9"], "annotator": ["Z", "A"]}, "who.parquet")
    assert ("d9", "A") in worked(read(file(COLUMNS), worked=table))


def test_index_of_pandas_is_no_feature(tmp_path):
    frame = pd.DataFrame({"annotator": ["A", "B"], "start": [0, 1], "end": [3, 4]}).iloc[[1]]
    frame.to_parquet(tmp_path / "a.parquet", index=True)
    assert read(tmp_path / "a.parquet").features == {}


def test_folder_names_are_no_columns(tmp_path):
    (tmp_path / "annotator=Z").mkdir()
    path = tmp_path / "annotator=Z" / "a.parquet"
    pq.write_table(pa.table({"annotator": ["A"], "start": [0], "end": [3]}), path)
    assert read(path).annotators == ("A",)


def test_bad_row(file):
    refusal(
        file({"annotator": ["A", "A"], "start": [0, 9], "end": [3, 4]}),
        None,
        "row 1: end 4 is before start 9",
    )


def test_no_rows(file):
    refusal(file({"annotator": pa.array([], pa.string()), "start": [], "end": []}), None, "no rows")


@pytest.mark.parametrize("content", [b"PAR1", b"PAR1" + b"\1" * 100 + b"PAR1", b"nix", b"PAR1" * 1000])
def test_damaged(tmp_path, content):
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    refusal(path, None, "damaged")


def test_cut_off(file):
    path = file(COLUMNS)
    path.write_bytes(path.read_bytes()[:-20])
    refusal(path, None, "damaged")


def test_without_pyarrow(tmp_path, file):
    """Parquet is an extra; nothing else needs pyarrow."""
    table = tmp_path / "units.csv"
    table.write_text("annotator,start,end\nA,0,3\n")
    program = f"""
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] == "pyarrow":
            raise ImportError(name)

sys.meta_path.insert(0, Missing())
import unisono
for path in sys.argv[1:]:
    try:
        print(unisono.read(path))
    except unisono.DataError as error:
        print(error)
for name in ("out.jsonl", "out.parquet"):
    try:
        unisono.write(unisono.read({str(table)!r}), {str(tmp_path)!r} + "/" + name)
    except unisono.DataError as error:
        print(error)
import pandas
print(unisono.from_frame(pandas.DataFrame({{"annotator": ["A"], "start": [0], "end": [3]}})))
"""
    parquet = file({"annotator": ["A"], "start": [0], "end": [3]})
    done = subprocess.run([sys.executable, "-c", program, parquet, table], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0].startswith(f"{parquet}: ")
    assert 'pip install "unisono[parquet]"' in said[0]
    assert said[1] == said[3] == "Corpus(1 documents, 1 annotators, 1 units, features: none)"
    advice = 'writing Parquet needs pyarrow, which is not installed; install it with pip install "unisono[parquet]"'
    assert said[2] == f"{tmp_path / 'out.parquet'}: {advice}"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["anno.parquet", "out.jsonl", "units.csv"]


def test_what_is_written_and_what_parquet_cannot_hold(tmp_path):
    labels = {"pos": ["NN", ""], "mixed": [1, "a"], "truth": [True, 1], "huge": [2**70, 1], "sure": [True, None]}
    texts = {("d", "A"): "some text"}
    corpus = Corpus.from_columns(
        document=["d"] * 2, annotator=["A", "B"], start=[0, 1], end=[3, 4], features=labels, texts=texts
    )
    assert write(corpus, tmp_path / "out.pq") == [
        "The texts are left out, and with them how long documents are: write .jsonl to keep it, or state the continuum "
        "when reading.",
        "Numbers, true/false and sets have become text in: mixed, truth, huge.",
        "Empty labels have become missing values in: pos.",
    ]
    written = pq.read_table(tmp_path / "out.pq")
    assert {name: str(kind) for name, kind in zip(written.schema.names, written.schema.types, strict=True)} == {
        **dict.fromkeys(["document", "annotator", "pos", "mixed", "truth", "huge"], "string"),
        **dict.fromkeys(["start", "end"], "int64"),
        "sure": "bool",
    }
    assert written.column("truth").to_pylist() == ["true", "1"]
    with pytest.raises(OptionError, match="only tables"):
        write(corpus, tmp_path / "safe.parquet", safe=True)


def test_positions_are_lists_only_where_units_have_several_anchors(tmp_path):
    anchors = [[("source", 0, 4), ("target", 9, 14)], [("source", 5, 8)], [("source", 0, 4), ("target", 9, 14)]]
    worked = [("document", "idle")]
    for last, kind in (([], "int64"), ([("target", 20, 25)], "list<element: int64>")):
        corpus = Corpus.from_columns(annotator=["a"] * 3, anchors=[*anchors[:2], anchors[2] + last], worked=worked)
        path = tmp_path / f"{len(last)}.parquet"
        assert write(corpus, path) == []
        written = pq.read_table(path)
        assert str(written.schema.field("start").type) == "int64"
        assert str(written.schema.field("target_start").type) == kind
        assert read(path) == corpus


def test_ratings_keep_the_kind_of_their_labels(tmp_path):
    for labels, said in (
        ({"anna": [1, 2.5, None], "bert": [1, 3, 2.5]}, []),
        ({"anna": [("a", "b"), ()], "bert": [None, ("c",)]}, []),
        ({"anna": [True, False], "bert": [True, None]}, []),
        ({"anna": ["a", 1], "bert": ["b", 1]}, ["Numbers, true/false and sets have become text."]),
    ):
        ratings = Ratings.from_annotators(labels)
        assert write(ratings, tmp_path / "r.parquet", overwrite=True) == said
        again = read(tmp_path / "r.parquet")
        assert again.codes.tolist() == ratings.codes.tolist()
        assert again.labels == (ratings.labels if not said else ("1", "a", "b"))
    clash = Ratings.from_annotators({"anna": ["1", 1, "b"], "bert": ["1", 1, "b"]})
    with pytest.raises(DataError, match="the labels 1 and '1' would be the same in a table"):
        write(clash, tmp_path / "r.parquet", overwrite=True)


@pytest.mark.parametrize("column", ["annotator", "category"])
def test_text_that_is_not_utf_8(column, tmp_path):
    offsets = pa.py_buffer(np.array([0, 2, 3], dtype=np.int32).tobytes())
    broken = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"a\xffb")])
    table = {"annotator": ["a", "b"], "start": [0, 1], "end": [2, 3], "category": ["x", "y"], column: broken}
    pq.write_table(pa.table(table), tmp_path / "units.parquet")
    with pytest.raises(DataError, match=r"the Parquet file is damaged \(.*UTF8.*\); write it again"):
        read(tmp_path / "units.parquet")


def test_the_named_index_of_a_frame_names_the_items(tmp_path):
    frame = pd.DataFrame({"anna": [1, 2, 3], "bert": [1, 2, 2]}, index=pd.Index([31, 12, 25], name="essay"))
    frame.to_parquet(tmp_path / "ratings.parquet")
    ratings = read(tmp_path / "ratings.parquet")
    assert ratings.annotators == ("anna", "bert")
    assert sorted(ratings.items) == ["12", "25", "31"]
