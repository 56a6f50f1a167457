from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from format_helpers import refusal, rows
from hypothesis import given, settings
from hypothesis import strategies as st
from mangled import mangled

import unisono
from unisono.errors import UnisonoError
from unisono.formats import read
from unisono.formats.format import Instructions
from unisono.formats.tools import brat

TEXT = "Sony and Ericsson did not merge.\nNorth and South\nAmerica: 𝄞 Perú\n"
ANN = (
    "T1\tOrg 0 4\tSony\n"
    "T2\tOrg 9 17\tEricsson\n"
    "T3\tMerge 26 31\tmerge\n"
    "T4\tLoc 33 38;49 56\tNorth America\n"
    "T5\tLoc 43 48;49 56\tSouth America\n"
    "T6\tLoc 60 64\tPerú\n"
    "E1\tMerge:T3 Org1:T1 Org2:T2\n"
    "R1\tAlias Arg1:T1 Arg2:T2\n"
    "*\tEquiv T1 T2\n"
    "*\tEquiv T4 T5\n"
    "A1\tNegation E1\n"
    "M2\tSpeculation T1\n"
    "A3\tConfidence E1 L1\n"
    "A4\tConfidence T1 very high\n"
    "A5\tSure R1\n"
    "N1\tReference T1 Wikipedia:534366\tSony\n"
    "N2\tReference T2 A:1\tx\n"
    "N3\tReference T2 B:2\n"
    "#1\tAnnotatorNotes T1\tthis annotation is suspect\n"
)


@pytest.fixture
def file(tmp_path):
    def make(ann=ANN, text=TEXT, name="text1"):
        path = tmp_path / f"{name}.ann"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(ann if isinstance(ann, bytes) else ann.encode())
        if text is not None:
            path.with_suffix(".txt").write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


def units(corpus):
    document = corpus["text1"]
    return [
        (document.text[unit.start : unit.end], *(label for label in unit.features.values() if label is not None))
        for unit in document.units
    ]


def test_every_kind_of_line(file):
    corpus = read(file())
    assert corpus.source == "brat standoff · text1.ann"
    assert corpus["text1"].text == TEXT
    assert corpus.annotators == ("annotator",)
    assert units(corpus) == [
        ("Sony", "Org", True, "very high", "Wikipedia:534366"),
        ("Ericsson", "Org", ("A:1", "B:2")),
        ("merge", "Merge", "L1", True),
        ("North and South\nAmerica", "Loc"),
        ("South\nAmerica", "Loc"),
        ("Perú", "Loc"),
    ]
    assert [*corpus.features] == ["category", "Speculation", "Confidence", "Reference", "Negation"]
    assert corpus.dropped == {
        "equivalences, which are not compared": 2,
        "notes, which are not compared": 1,
        "attributes and normalizations of what is not compared": 1,
    }
    assert [unit.anchors for unit in corpus["text1"].units if unit.anchors] == [(("piece", 33, 38), ("piece", 49, 56))]
    assert corpus.others == {"relations": {"Alias": 1}, "events": {"Merge": 1}}


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("together", [(33, 56), (43, 56)]),
        ("whole", [(33, 56), (43, 56)]),
        ("pieces", [(33, 38), (43, 56), (49, 56)]),
        ("main", [(33, 38), (43, 56)]),
        ("drop", [(43, 56)]),
    ],
)
def test_pieces(file, how, expected):
    """What brat cut at an end of line is not in pieces."""
    corpus = brat.read(file(), Instructions(discontinuous=how))
    places = [(unit.start, unit.end) for document in corpus for unit in document.units if 33 <= unit.start < 60]
    assert places == expected


def test_pieces_are_put_in_order(file):
    assert rows(read(file("T1\tX 5 8;0 4\tand Sony\n"))) == [("text1", "annotator", 0, 8, "X")]


def test_attributes_given_twice_are_a_set_and_do_not_hide_the_type(file):
    ann = "T1\tX 0 4\tSony\nA1\tcategory T1 a\nA2\tf T1 b\nA3\tf T1 a\nA4\tf T1 b\nA5\tg T1\nA6\tg T1 x\nA7\tg T1\n"
    assert units(read(file(ann))) == [("Sony", "X", "a", ("a", "b"), ("True", "x"))]


def test_normalizations_as_in_bionlp_2013(file):
    ann = "T1\tX 0 4\tSony\nN1\tReference Annotation:T1 Referent:A:1\nN2\tReference Referent:B:2 Annotation:T1\n"
    assert units(read(file(ann))) == [("Sony", "X", ("A:1", "B:2"))]


@pytest.mark.parametrize(
    "line",
    [
        "T1\tLoc 43 48;49 56\tSouth America",
        "T1\tLoc 43 56\tSouth America",
        "T1\tLoc 43 48;49 56\tSouthAmerica",  # before version 1.3
        "T1\tLoc 43 56",
        "T1\tLoc 43 56\t",
        "T1\tLoc 43 56\tSouth America and a comment",
        "T1\tLoc 43 56 \tSouth  America",
    ],
)
def test_ways_to_write_the_text(file, line):
    assert units(read(file(line + "\n"))) == [("South\nAmerica", "Loc")]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("counted", ["as stored", "without mark", "ends as one", "without mark and ends as one"])
def test_ends_of_line_and_byte_order_marks_count_as_the_annotations_count_them(file, mark, ends, counted):
    stored = mark + TEXT.replace("\n", ends)
    seen = stored.removeprefix("\ufeff") if "without mark" in counted else stored
    seen = seen.replace("\r\n", "\n") if "ends as one" in counted else seen
    words = ["Sony", "North", "Perú"]
    ann = "".join(
        f"T{n}\tX {seen.index(word)} {seen.index(word) + len(word)}\t{word}\r\n" for n, word in enumerate(words)
    )
    corpus = read(file("\ufeff" + ann, stored))
    assert units(corpus) == [(word, "X") for word in words]
    assert corpus["text1"].text == seen
    told = []
    corpus = read(file("\ufeff" + ann + "T9\tX 0 1\tno\n", stored), bad=told.append)
    assert units(corpus) == [(word, "X") for word in words]
    assert corpus["text1"].text == seen
    assert [error.line for error in told] == [4]


def test_nothing_annotated(file):
    """An empty .ann is what brat makes before anybody annotates."""
    for ann in ("", "\n"):
        corpus = brat.read(file(ann), Instructions(annotator="anna"))
        assert (corpus.n_units, corpus.annotators, corpus["text1"].text) == (0, ("anna",), TEXT)
    assert brat.read(file("", ""), Instructions())["text1"].text == ""


def test_units_without_length(file):
    assert rows(read(file("T1\tX 4 4\t\n"))) == [("text1", "annotator", 4, 4, "X")]


def test_annotators_from_folders(file, tmp_path):
    for name in ("anna", "bert"):
        file(name=f"{name}/a.1")
        file(name=f"{name}/b")
    corpus = read(tmp_path, pattern="{annotator}/{document}.ann")
    assert (corpus.documents, corpus.annotators) == (("a.1", "b"), ("anna", "bert"))
    assert corpus.n_units == 24
    assert corpus.dropped["notes, which are not compared"] == 4


def test_bad_lines_can_be_passed_over(file):
    ann = ANN + "T7\tX 0 5\tErics\nX1\tx\nA9\tf T9\nA8\tNegation T7\nT8\tX 4 900\tx\n"
    bad = []
    corpus = brat.read(file(ann), Instructions(bad=bad.append))
    assert units(corpus) == units(read(file()))
    assert [error.line for error in bad] == [21, 20, 24, 22]
    assert corpus.dropped["attributes and normalizations of what is not compared"] == 2


@pytest.mark.parametrize(
    ("ann", "line", "words"),
    [
        (ANN.replace("0 4\tSony", "1 4\tSony"), 1, ["T1 is 'Sony'", "there is 'ony'", "correct the positions"]),
        (ANN.replace("\tmerge", "\tmerges"), 3, ["T3 is 'merges'"]),
        ("T1\tX 4 5\tSony", 1, ["there is ' '"]),
        (ANN.replace("60 64", "60 99"), 6, ["T6 is from 60 to 99", "not within the text", "65 characters"]),
        (ANN.replace("60 64", "64 60"), 6, ["from 64 to 60"]),
        (ANN.replace("60 64", "-1 64"), 6, ["'Loc -1 64' is not understood", "Person 0 5;16 23"]),
        (ANN.replace("60 64", "6x 64"), 6, ["not understood"]),
        (ANN.replace("60 64", f"60 {'9' * 400}"), 6, ["not understood"]),
        (ANN.replace("Loc 60 64", "60 64"), 6, ["not understood"]),
        ("T1 X 0 4 Sony\n", 1, ["no tab", "'T1 X 0 4 Sony'"]),
        (ANN.replace("T2\tOrg", "T1\tOrg"), 2, ["T1 occurs twice"]),
        (ANN.replace("A5\tSure", "A1\tSure"), 15, ["A1 occurs twice"]),
        (ANN.replace("Merge:T3", "Merge"), 7, ["event E1", "Type:T1"]),
        (ANN.replace("A1\tNegation E1", "A1\tNegation"), 11, ["attribute 'Negation'", "Confidence T1 high"]),
        (ANN.replace("A1\tNegation E1", "A1\tNegation T9"), 11, ["Negation belongs to T9, which is not there"]),
        (ANN.replace("N3\tReference T2 B:2", "N3\tReference T2"), 18, ["normalization 'Reference T2'"]),
        ("Q1\tX 0 4\tSony\n", 1, ["the ID 'Q1' should begin with T"]),
        (ANN.encode("latin-1", "replace"), 6, ["not UTF-8"]),
    ],
)
def test_what_is_refused(file, ann, line, words):
    refusal(file(ann), line, *words)


def test_texts_that_are_refused(file):
    refusal(file(text=None), None, "text1.txt, is not there", "beside")
    path = file(text=TEXT.replace("𝄞", "ä").encode("latin-1"))
    with pytest.raises(UnisonoError, match=r"text1\.txt, line 3: .* not UTF-8"):
        read(path)
    with pytest.raises(UnisonoError, match="binary"):
        read(file(text=b"a\0b"))


def test_other_files_are_left_alone(file):
    for content in (b"<xml>", b'\xef\xbb\xbf{"a": 1}'):
        assert not brat.FORMAT.sniff(content, Path("a.ann"))
    assert not brat.FORMAT.sniff(ANN.encode(), Path("a.csv"))
    assert brat.FORMAT.sniff(b"", Path("a.ann"))


@settings(max_examples=60)
@given(mangled(ANN.encode(), b"T1", b"E1", b"*", b"0 4;", b"\xf0\x9d\x84\x9e"), st.booleans())
def test_data_or_refusal(content, skip):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.ann")
        path.write_bytes(content)
        path.with_suffix(".txt").write_bytes(TEXT.encode())
        try:
            corpus = brat.read(path, Instructions(bad=(lambda error: None) if skip else None))
        except UnisonoError:
            return
    assert all(0 <= start <= end <= len(TEXT) for _, _, start, end, *_ in rows(corpus))


@settings(max_examples=50)
@given(mangled(TEXT.encode(), b"\r\n", b"\xef\xbb\xbf"))
def test_texts_that_do_not_fit(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.ann")
        path.write_text(ANN, encoding="utf-8")
        path.with_suffix(".txt").write_bytes(content)
        try:
            corpus = brat.read(path, Instructions())
        except UnisonoError:
            return
    [text] = corpus.texts.values()
    assert {text[start:end] for _, _, start, end, *_ in rows(corpus)} >= {"Sony", "Perú"}


def test_long_units_in_a_long_text_take_no_quadratic_time(file):
    text = "a b " * 50_000
    ann = "".join(f"T{n}\tX 0 {len(text)}\ta\n" for n in range(20_000))
    gaps = "".join(f"T{n}\tX 0 1;{len(text) - 2} {len(text) - 1}\ta b\n" for n in range(20_000))
    bad = []
    brat.read(file(ann, text), Instructions(bad=bad.append))
    assert len(bad) == 20_000
    assert brat.read(file(gaps, text), Instructions()).n_units == 20_000


@pytest.mark.skipif(os.name == "nt", reason="names with different cases")
def test_suffixes_in_capitals(tmp_path):
    (tmp_path / "a.ANN").write_text("T1\tX 0 4\tSony\n")
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    assert read(tmp_path / "a.ANN").n_units == 1


def test_an_empty_file_says_that_nothing_was_marked(tmp_path):
    for who, content in (("anna", ""), ("bert", "T1\tPER 0 4\tAnna\n")):
        (tmp_path / who).mkdir()
        (tmp_path / who / "text.txt").write_text("Anna sank.")
        (tmp_path / who / "text.ann").write_text(content)
    corpus = unisono.read(tmp_path)
    assert corpus.annotators == ("anna", "bert")
    assert corpus.n_units == 1
    assert corpus.worked.all()
