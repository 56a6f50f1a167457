from __future__ import annotations

import json

import pytest
from format_helpers import contents, rows

import unisono
from unisono.data import Corpus, Ratings
from unisono.errors import DataError, OptionError
from unisono.formats import read, write

CORPUS = Corpus.from_columns(
    document=["d1", "d1"],
    annotator=["A", "B"],
    start=[0, 1],
    end=[3, 4],
    features={"pos": ["NN", None], "category": [["b", "a"], ["c"]], "sure": [True, None]},
    worked=[("d1", "C"), ("d2", "A")],
    bounds={"d1": (0, 9)},
    texts={("d1", "A"): "some text"},
)


def test_csv_and_what_it_cannot_hold(tmp_path):
    path = tmp_path / "out.csv"
    lost = write(CORPUS, path)
    assert path.read_text() == (
        "document,annotator,start,end,category,pos,sure\nd1,A,0,3,a|b,NN,true\nd1,B,1,4,c,,\nd1,C,,,,,\nd2,A,,,,,\n"
    )
    otherwise = "write .jsonl to keep it, or state the continuum when reading"
    assert lost == [
        f"The texts are left out, and with them how long documents are: {otherwise}.",
        f"Where each continuum begins and ends is left out: {otherwise}.",
        "Numbers, true/false and sets have become text in: category, sure.",
    ]


def test_csv_says_what_else_is_lost(tmp_path):
    corpus = Corpus.from_columns(
        document=["d"],
        annotator=["A"],
        start=[0],
        end=[1],
        features={"x": [""]},
        worked=[("e", "B")],
        bounds={"f": (0, 1)},
    )
    lost = " ".join(write(corpus.select(documents=["d", "f"]), tmp_path / "out.csv"))
    assert "Empty labels have become missing values in: x." in lost
    assert "nobody worked on are left out: f." in lost
    assert "worked on no document are left out: B." in lost


def test_nothing_is_lost(tmp_path):
    corpus = Corpus.from_columns(annotator=["A"], start=[0], end=[1], features={"category": ["X"]})
    assert write(corpus, tmp_path / "out.csv") == []
    assert write(CORPUS, tmp_path / "out.jsonl") == []


def test_tsv(tmp_path):
    write(CORPUS, tmp_path / "out.tsv")
    assert (
        (tmp_path / "out.tsv").read_text().startswith("document\tannotator\tstart\tend\tcategory\tpos\tsure\nd1\tA\t0")
    )
    assert read(tmp_path / "out.tsv").source == "TSV · out.tsv"


def test_json_lines_look_like_the_contract(tmp_path):
    corpus = Corpus.from_columns(
        annotator=["A", "A"],
        start=[0, 5],
        end=[3, 9],
        features={"type": ["token", "token"], "pos": ["NN", None]},
    )
    write(corpus, tmp_path / "out.jsonl")
    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()] == [
        {
            "document": "document",
            "annotator": "A",
            "units": [
                {"start": 0, "end": 3, "type": "token", "features": {"pos": "NN"}},
                {"start": 5, "end": 9, "type": "token"},
            ],
        }
    ]


def test_format_can_be_named(tmp_path):
    write(CORPUS, tmp_path / "out.data", format="jsonl")
    assert contents(read(tmp_path / "out.data")) == contents(CORPUS)
    with pytest.raises(OptionError, match=r"format: unknown format 'nix'; available: ratings, csv, tsv, jsonl, .*brat"):
        write(CORPUS, tmp_path / "x", format="nix")
    with pytest.raises(DataError, match="can be read but not written"):
        write(CORPUS, tmp_path / "x", format="eaf")
    with pytest.raises(DataError, match=r"end the name in one of \.csv, .*jsonl"):
        write(CORPUS, tmp_path / "out.docx")


def test_a_file_is_not_overwritten_unasked(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("mine")
    with pytest.raises(DataError, match="exists already"):
        write(CORPUS, path)
    assert path.read_text() == "mine"
    write(CORPUS, path, overwrite=True)
    assert len(rows(read(path))) == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]


def test_a_failure_leaves_the_old_file_and_no_draft(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("mine")
    bad = Corpus.from_columns(annotator=["A"], start=[0], end=[1], features={"start": ["X"]})
    with pytest.raises(DataError, match="'start' cannot be a column"):
        write(bad, path, overwrite=True)
    assert path.read_text() == "mine"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]


def test_where_one_cannot_write(tmp_path):
    with pytest.raises(DataError, match="cannot be written"):
        write(CORPUS, tmp_path / "nowhere" / "out.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="folder"):
        write(CORPUS, tmp_path / "folder.csv", overwrite=True)


@pytest.mark.parametrize("name", ["start", "Document", "Category", " x", ""])
def test_feature_that_cannot_be_a_column(tmp_path, name):
    corpus = Corpus.from_columns(annotator=["A"], start=[0], end=[1], features={name: ["X"]})
    with pytest.raises(DataError, match="write JSON lines"):
        write(corpus, tmp_path / "out.csv")
    write(corpus, tmp_path / "out.jsonl")
    assert contents(read(tmp_path / "out.jsonl")) == contents(corpus)


@pytest.mark.parametrize("label", ["\0", "\ud800"])
def test_characters_that_cannot_be_in_a_table(tmp_path, label):
    corpus = Corpus.from_columns(annotator=["A"], start=[0], end=[1], features={"category": [label]})
    with pytest.raises(DataError, match="write JSON lines"):
        write(corpus, tmp_path / "out.csv")
    write(corpus, tmp_path / "out.jsonl")
    assert contents(read(tmp_path / "out.jsonl")) == contents(corpus)


def test_names_that_cannot_be_in_a_table(tmp_path):
    with pytest.raises(DataError, match="without a name"):
        write(Corpus.from_columns(annotator=[""], start=[0], end=[1]), tmp_path / "out.csv")


def test_no_label_is_infinite():
    with pytest.raises(DataError, match="inf cannot be a label"):
        Corpus.from_columns(annotator=["A"], start=[0], end=[1], features={"x": [float("inf")]})


def test_nothing_to_write(tmp_path):
    with pytest.raises(DataError, match="nothing to write"):
        write(Corpus.from_columns(annotator=[], start=[], end=[]), tmp_path / "out.jsonl")


def test_features_without_units_are_named_as_lost(tmp_path):
    corpus = Corpus.from_columns(annotator=[], start=[], end=[], features={"x": []}, worked=[("d", "A")])
    assert write(corpus, tmp_path / "out.jsonl") == ["Features without any unit are left out: x."]


def test_ratings_of_one_annotator_are_read_again(tmp_path):
    """So that annotators can have files of their own; a table without items may be anything."""
    for name in ("anna", "bert"):
        write(Ratings.from_annotators({name: ["x", "y"]}, document=["d", "d"]), tmp_path / f"{name}.csv")
    assert read(tmp_path / "anna.csv").annotators == ("anna",)
    both = read(tmp_path)
    assert (both.annotators, both.codes.tolist()) == (("anna", "bert"), [[0, 0], [1, 1]])
    assert unisono.krippendorff_alpha(tmp_path / "anna.csv").value is None
    (tmp_path / "other.csv").write_text("document,anna\nd,x\n")
    with pytest.raises(DataError, match="only one annotator"):
        read(tmp_path / "other.csv")


@pytest.mark.parametrize(
    "data",
    [
        Corpus.from_columns(annotator=[], start=[], end=[], documents=["d"], annotators=["anna"]),
        Corpus.from_columns(annotator=[], start=[], end=[]),
        Ratings.from_columns(item=[], annotator=[], label=[]),
    ],
)
def test_a_table_of_nothing_is_not_written(tmp_path, data):
    with pytest.raises(DataError, match="there is nothing to write"):
        write(data, tmp_path / "x.csv")
    assert not (tmp_path / "x.csv").exists()


def test_labels_that_are_one_number_are_not_written(tmp_path):
    with pytest.raises(DataError, match="would be the same number"):
        write(Ratings.from_annotators({"anna": ["1", "1.0"], "bert": ["1", "2"]}), tmp_path / "x.csv")
