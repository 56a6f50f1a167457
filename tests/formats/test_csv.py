from __future__ import annotations

import codecs
import gzip
from pathlib import Path

import numpy as np
import pytest
from format_helpers import refusal, rows, worked

from unisono.errors import DataError, OptionError
from unisono.formats import read
from unisono.formats.piecewise import Piecewise

HEADER = "document,annotator,start,end,category\n"


@pytest.fixture
def file(tmp_path):
    def make(content: str | bytes, name: str = "anno.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return make


def test_with_header_and_further_columns(file):
    corpus = read(file("document,annotator,start,end,category,pos\nd1,A,0,3,X,NN\nd1,B,1,4,,VB\nd2,A,5,5,Y,\n"))
    assert rows(corpus) == [
        ("d1", "A", 0, 3, "X", "NN"),
        ("d1", "B", 1, 4, None, "VB"),
        ("d2", "A", 5, 5, "Y", None),
    ]
    assert corpus.start.dtype == np.int64
    assert corpus.source == "CSV · anno.csv"


def test_columns_in_any_order_and_document_is_the_stem(file):
    corpus = read(file("end,category,start,annotator\n3,X,0,A\n", "some.text.csv"))
    assert rows(corpus) == [("some.text", "A", 0, 3, "X")]


def test_without_category(file):
    assert rows(read(file("annotator,start,end\nA,0,3\n"))) == [("anno", "A", 0, 3)]


def test_without_header_four_columns(file):
    assert rows(read(file("A,X,0,3\nB,start,1,4\n"))) == [
        ("anno", "A", 0, 3, "X"),
        ("anno", "B", 1, 4, "start"),
    ]


def test_without_header_five_columns(file):
    assert rows(read(file("d,A,X,0,3\n"))) == [("d", "A", 0, 3, "X")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt", "a", "a.data"])
def test_delimiter_is_found(file, delimiter, name):
    lines = [["annotator", "start", "end", "category"], ['"A"', "0", "3", '"x,y;z|\tw"']]
    made = "\n".join(map(delimiter.join, lines)) + "\n"
    assert rows(read(file(made, name))) == [("a", "A", 0, 3, "x,y;z|\tw")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_found_without_header(file, delimiter):
    assert rows(read(file(delimiter.join(["A", "X", "0.5", "3"])))) == [("anno", "A", 0.5, 3.0, "X")]


@pytest.mark.parametrize("delimiter", ["tab", "\\t", "\t"])
def test_delimiter_can_be_given(file, delimiter):
    path = file("annotator\tstart\tend\nA\t0\t3\n")
    assert rows(read(path, delimiter=delimiter)) == [("anno", "A", 0, 3)]
    assert rows(read(file("annotator:start:end\nA:0:3\n"), delimiter=":")) == [("anno", "A", 0, 3)]


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n"])
def test_delimiter_that_makes_no_sense(file, delimiter):
    with pytest.raises(OptionError, match="delimiter"):
        read(file("A,X,0,3\n"), delimiter=delimiter)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_encodings_and_ends_of_line(file, encoding, newline):
    text = (HEADER + "d,Jörg,0,3,Ж\nd,Åsa,1,4,語\n\n\n").replace("\n", newline)
    assert rows(read(file(text.encode(encoding)))) == [("d", "Jörg", 0, 3, "Ж"), ("d", "Åsa", 1, 4, "語")]


def test_utf16_big_endian(file):
    assert rows(read(file(codecs.BOM_UTF16_BE + "A,X,0,3".encode("utf-16-be")))) == [("anno", "A", 0, 3, "X")]


def test_header_in_other_case_and_with_spaces(file):
    corpus = read(file(" Document , ANNOTATOR,Start, End ,Category, Pos \nd,A,0,3,X,NN\n"))
    assert rows(corpus) == [("d", "A", 0, 3, "X", "NN")]
    assert list(corpus.features) == ["category", "Pos"]


def test_labels_are_kept_as_written(file):
    labels = ["1", "NA", " x ", "nan", "None", "true", "1.0", 'say "hi"', "two\nlines"]
    body = "".join(f'A,{row},{row},"{label.replace(chr(34), chr(34) * 2)}"\n' for row, label in enumerate(labels))
    assert [row[-1] for row in rows(read(file("annotator,start,end,category\n" + body)))] == labels


def test_whole_numbers_stay_exact(file):
    corpus = read(file(f"A,X,{10**12},{10**12 + 1}\nA,X,{-(2**53)},{2**53}\n"))
    assert corpus.start.dtype == np.int64
    assert corpus.start.tolist() == [-(2**53), 10**12]
    assert corpus.end.tolist() == [2**53, 10**12 + 1]


def test_decimals_are_floats(file):
    corpus = read(file("A,X, 1.5 ,2e1\nA,X,.5,3.\nA,X,+1,2\n"))
    assert corpus.start.dtype == corpus.end.dtype == np.float64
    assert corpus.start.tolist() == [0.5, 1.0, 1.5]


def test_many_rows_in_chunks(file):
    body = "".join(f"A,X,{row},{row + 1}\n" for row in range(10_000))
    assert read(file(body + "A,X,20000.5,20001\n")).start.tolist() == [*map(float, range(10_000)), 20000.5]
    refusal(file(body + "A,X,nix,9\n"), 10_001, "start 'nix'")
    refusal(file(body + "A,X,9\n"), 10_001, "number of fields")
    refusal(file(body + "A,X,9,8\n"), 10_001, "end 8 is before start 9")


def test_row_without_positions_says_who_marked_nothing(file):
    corpus = read(file(HEADER + "d0,B,,,\nd1,A,0,3,X\nd1,B, ,,\n"))
    assert corpus.documents == ("d0", "d1")
    assert rows(corpus) == [("d1", "A", 0, 3, "X")]
    assert worked(corpus) == {("d0", "B"), ("d1", "A"), ("d1", "B")}
    assert corpus.start.dtype == np.int64


def test_only_rows_without_positions(file):
    corpus = read(file(HEADER + "d,A,,,\nd,B,,,\n"))
    assert corpus.n_units == 0
    assert worked(corpus) == {("d", "A"), ("d", "B")}


def test_empty_rows_are_passed_over(file):
    assert len(rows(read(file("\n" + HEADER + "\nd,A,0,3,X\n,,,,\n   \n\n")))) == 1


def test_columns_can_be_named(file):
    path = file("doc,coder,begin,to,label,category\nd,A,0,3,X,old\n")
    names = {"document": "doc", "annotator": "Coder", "start": "begin", "end": "to", "category": "label"}
    assert "category" in refusal(path, 1, "two columns", columns=names)
    corpus = read(path, columns={**names, "old": "category"})
    assert rows(corpus) == [("d", "A", 0, 3, "X", "old")]
    assert list(corpus.features) == ["category", "old"]


def test_a_column_that_is_surely_the_document_is_not_taken_for_a_feature(file):
    path = file("doc,annotator,start,end\nd,A,0,3\n")
    refusal(path, 1, "'document'", "columns={'document': 'doc'}")
    assert rows(read(path, columns={"doc": "doc"})) == [("anno", "A", 0, 3, "d")]


BAD = {
    "missing columns": (
        "doc,coder,begin,to\nd,A,0,3\n",
        1,
        ["'start'", "found: doc, coder, begin, to", "'start': 'begin', 'end': 'to'"],
    ),
    "one missing column": ("annotator,from,end\nA,0,3\n", 1, ["no column 'start'", "columns={'start': 'from'}"]),
    "a likely part of a name": ("annotator,src_start,end\nA,0,3\n", 1, ["columns={'start': 'src_start'}"]),
    "no header, too many": ("A,X,Y,Z,0,3\n", 1, ["no columns", "found: A, X"]),
    "prose": ("Once upon a time\nthere was\n", 1, ["this is not a table"]),
    "two columns of a name": ("annotator,start,end,x,x\nA,0,3,1,2\n", 1, ["two columns named 'x'"]),
    "no name": ("annotator,start,end,\nA,0,3,\n", 1, ["column 4 has no name"]),
    "short row": (HEADER + "d,A,0,3,X\nd,A,0,3\n", 3, ["number of fields is 4", "has 5"]),
    "long row": (HEADER + "d,A,0,3,X\nd,A,0,3,X,Y\n", 3, ["number of fields is 6"]),
    "end before start": (HEADER + "d,A,0,3,X\nd,A,7,5,X\n", 3, ["end 5 is before start 7"]),
    "after a marked-nothing row": (HEADER + "d,B,,,\nd,A,7,5,X\n", 3, ["end 5 is before start 7"]),
    "text for a number": (HEADER + "d,A,zero,3,X\n", 2, ["start 'zero' is not a number"]),
    "an underscore": (HEADER + "d,A,0,1_000,X\n", 2, ["end '1_000' is not a number"]),
    "digits of another script": (HEADER + "d,A,0,١٢,X\n", 2, ["not a number"]),
    "not a number": (HEADER + "d,A,nan,3,X\n", 2, ["'nan' is not a finite number"]),
    "infinite": (HEADER + "d,A,0,inf,X\n", 2, ["'inf' is not a finite number"]),
    "too large": (HEADER + f"d,A,0,{2**53 + 1},X\n", 2, ["2^53"]),
    "too large among decimals": (HEADER + f"d,A,0.5,3,X\nd,A,0.5,{2**53 + 1},X\n", 3, ["2^53"]),
    "far too large": (HEADER + "d,A,0," + "9" * 5000 + ",X\n", 2, ["not a number"]),
    "exponent too large": (HEADER + "d,A,0,1e999,X\n", 2, ["2^53"]),
    "decimal comma": ("annotator\tstart\tend\nA\t1,5\t2,5\n", 2, ["'1,5'", "point"]),
    "decimal comma, no header": ("A\tX\t1,5\t2,5\n", 1, ["'1,5'", "point"]),
    "no annotator": (HEADER + "d,,0,3,X\n", 2, ["annotator is missing"]),
    "no document": (HEADER + ",A,0,3,X\n", 2, ["document is missing"]),
    "no start": (HEADER + "d,A,,3,X\n", 2, ["start is missing"]),
    "no end": (HEADER + "d,A,0,,X\n", 2, ["end is missing"]),
    "a label and no place": (HEADER + "d,A,,,X\n", 2, ["category", "neither start nor end"]),
    "quoted newlines before": (HEADER + 'd,A,0,3,"a\nb\nc"\nd,A,9,3,X\n', 5, ["end 3 is before start 9"]),
    "quoted newlines in the row": (HEADER + 'd,A,0,3,X\nd,A,9,3,"a\nb"\nd,A,0,3,X\n', 3, ["end 3 is before"]),
    "blank lines before": (HEADER + "\n\nd,A,9,3,X\n", 4, ["end 3 is before start 9"]),
    "open quote": (HEADER + 'd,A,0,3,X\nd,A,0,3,"X\nd,A,0,3,X\n', 3, ["never closed"]),
    "open quote far from the end": (HEADER + 'd,A,0,3,"X\n' + "d,A,0,3,X\n" * 20_000, 2, ["quotation mark"]),
    "text after a quote": (HEADER + 'd,A,0,3,"X"Y\n', 2, ["quotation marks"]),
    "Latin-1": ((HEADER + "d,Zoë,0,3,X\n").encode() + "d,Jörg,0,3,X\n".encode("latin-1"), 3, ["UTF-8", "Latin-1"]),
    "Latin-1 late": (
        (HEADER + "d,Zoë,0,3,X\n" * 20_000).encode() + "d,Jörg,0,3,X\n".encode("latin-1"),
        20_002,
        ["UTF-8"],
    ),
    "NUL late": (HEADER + "d,A,0,3,X\n" * 20_000 + "d,\0,0,3,X\n", 20_002, ["NUL"]),
    "long line": (HEADER + "d,A,0,3," + "X," * 2**20 + "\n", 2, ["longer than"]),
    "long line at the end": (HEADER + "d,A,0,3," + "X," * 2**20, 2, ["longer than"]),
    "empty": ("", None, ["is empty"]),
    "only blank lines": ("\n\n  \n", None, ["only empty lines"]),
    "header and no row": (HEADER, None, ["no row"]),
    "binary": (b"\x7fELF\0\0\0\1\2\3", None, ["binary"]),
    "Excel": (b"PK\x03\x04\x14\0\6\0", None, ["Excel", "CSV"]),
    "gzip": (b"\x1f\x8b\x08abc", None, ["gzip"]),
    "UTF-16 without a mark": (HEADER.encode("utf-16-le"), None, ["binary"]),
    "UTF-16 broken": (codecs.BOM_UTF16_LE + HEADER.encode("utf-16-le") + b"\x00\xd8\x00", None, ["UTF-8"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_file_is_refused_with_file_and_line(file, case):
    content, line, words = BAD[case]
    refusal(file(content), line, *words)


def test_explicit_column_that_is_not_there(file):
    refusal(
        file("annotator,start,end,tag\nA,0,3,X\n"),
        1,
        "unknown column 'label' for category; available: annotator, start, end, tag; perhaps you mean",
        "columns={'category': 'tag'}",
        columns={"category": "label"},
    )


def test_columns_without_header(file):
    refusal(file("A,X,0,3\n"), 1, "unknown column 'who' for annotator", columns={"annotator": "who"})


def test_a_name_that_no_column_has_lists_what_columns_can_be(file):
    roles = "columns can be: annotator, start, end, document, category, or a feature of any other name"
    refusal(file("annotator,start,end,tag\nA,0,3,X\n"), 1, "available: annotator", roles, columns={"foo": "bar"})


def test_a_delimiter_that_does_not_fit(file):
    said = "there is no ';' in the first line, 'annotator,start,end'; leave out delimiter to have it detected"
    refusal(file("annotator,start,end\nA,0,3\n"), 1, said, delimiter=";")


@pytest.mark.parametrize("content", ["hello world\n", "\nhello world\nand more\n"])
def test_text_that_is_no_table(file, content):
    said = "this is not a table: there is no comma, semicolon, tab or bar in the first line, 'hello world'"
    refusal(file(content), content.count("\n", 0, content.index("h")) + 1, said)


def test_one_column_under_two_names(file):
    refusal(file("annotator,start,end,x\nA,0,3,X\n"), 1, "two names", columns={"category": "x", "pos": "x"})


def test_shared_files_without_header(shared):
    corpus = read(shared / "pygamma_tests" / "AlexPaulSuzan.csv")
    assert corpus.n_units == 16
    assert corpus.annotators == ("Alex", "Paul", "Suzan")
    assert corpus.documents == ("AlexPaulSuzan",)
    for path in (shared / "pygamma_tests").glob("*.csv"):
        assert read(path).n_units > 0


def test_shared_file_with_renamed_columns(shared):
    names = {"document": "doc", "start": "src_start", "end": "src_end", "category": "error_type"}
    corpus = read(shared / "ua_gec" / "edits.csv", columns=names)
    assert len(corpus) == 166
    assert list(corpus.features) == ["category", "replacement", "tgt_start", "tgt_end"]


@pytest.mark.parametrize("bad", [None, []])
def test_a_first_line_for_excel_is_no_row(tmp_path, bad):
    path = tmp_path / "file.csv"
    path.write_text("sep=;\nitem;anna;bert\n1;x,y;y\n2;x;y\n")
    ratings = read(path, bad=None if bad is None else bad.append)
    assert ratings.labels == ("x", "x,y", "y")
    path.write_text("\ufeffsep=;\nannotator;start;end\nA;1;2\n", encoding="utf-8")
    assert rows(read(path)) == [("file", "A", 1, 2)]
    assert not bad


def test_delimiters_at_the_end_of_all_lines_are_no_column(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("item,anna,bert,,\n1,x,y,,\n2,x,x,,\n")
    assert read(path).annotators == ("anna", "bert")
    path.write_text("item,anna,bert,\n1,x,y,z\n2,x,x,\n")
    with pytest.raises(DataError, match="column 4 has no name"):
        read(path)


@pytest.mark.parametrize("packed", [False, True])
def test_the_path_may_name_the_annotator_of_units(tmp_path, packed):
    for who in ("anna", "bert"):
        content = b"\xef\xbb\xbfEnd,Start,sure\n3,0,yes\n\n9,5,no\n"
        path = tmp_path / who / ("text.csv.gz" if packed else "text.csv")
        path.parent.mkdir()
        path.write_bytes(gzip.compress(content) if packed else content)
    found = read(tmp_path, pattern="{annotator}/{document}.csv")
    assert [unit for piece in Piecewise([tmp_path], pattern="{annotator}/{document}.csv") for unit in rows(piece)] == (
        rows(found)
    )
    assert found.documents == ("text",)
    assert [(one.annotator, one.start, one.end, one.features["sure"]) for one in found["text"].units] == [
        (who, start, end, sure) for who in ("anna", "bert") for start, end, sure in ((0, 3, "yes"), (5, 9, "no"))
    ]


def test_rows_of_an_annotator_that_the_path_names_are_counted_as_they_are(tmp_path):
    path = tmp_path / "anna.csv"
    path.write_text("start,end,category\n0,3,X\n0,3\n5,nine,Y\n", encoding="utf-8")
    with pytest.raises(DataError, match="the number of fields is 2 where the first line has 3") as caught:
        read(path, pattern="{annotator}.csv")
    assert caught.value.line == 3
    errors = []
    found = read(path, pattern="{annotator}.csv", bad=errors.append)
    assert [error.line for error in errors] == [3, 4]
    assert found.annotators == ("anna",)
    assert found.n_units == 1


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet"])
@pytest.mark.parametrize(("pattern", "documents"), [("{annotator}", ("document",)), ("{annotator}-{document}", ("x",))])
def test_annotators_whom_only_paths_name_share_the_document(tmp_path, suffix, pattern, documents):
    for who in ("anna", "bert"):
        path = tmp_path / f"{pattern.format(annotator=who, document='x')}.{suffix}"
        if suffix == "parquet":
            pyarrow = pytest.importorskip("pyarrow")
            pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table({"start": [0], "end": [3]}), path)
        else:
            mark = "," if suffix == "csv" else "\t"
            path.write_text(f"start{mark}end\n0{mark}3\n", encoding="utf-8")
    found = read(tmp_path, pattern=f"{pattern}.{suffix}")
    assert (found.documents, found.annotators) == (documents, ("anna", "bert"))
    pieces = [*Piecewise([tmp_path], pattern=f"{pattern}.{suffix}")]
    assert {name for piece in pieces for name in piece.documents} == {*documents}


@pytest.mark.parametrize("pattern", ["{annotator}/*.csv", "{annotator}/*/{document}.csv"])
def test_two_files_of_an_annotator_are_not_put_on_top_of_each_other(tmp_path, pattern):
    for place in ("1/t.csv", "2/t.csv") if "document" in pattern else ("one.csv", "two.csv"):
        for who in ("anna", "bert"):
            (tmp_path / who / place).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / who / place).write_text("start,end\n0,3\n", encoding="utf-8")
    with pytest.raises(DataError, match="another file has units of the same annotators in a document of the same name"):
        read(tmp_path, pattern=pattern)


def test_a_path_that_names_nobody_leaves_the_column_needed(tmp_path):
    path = tmp_path / "anna.csv"
    path.write_text("start,end,category\n0,3,X\n", encoding="utf-8")
    with pytest.raises(DataError, match="no column 'annotator'"):
        read(path)


def test_a_header_without_rows_below_it_is_an_error_without_annotators_too(tmp_path):
    path = tmp_path / "anna.csv"
    path.write_text("start,end\n", encoding="utf-8")
    with pytest.raises(DataError, match="there is a header but no row below it"):
        read(path, pattern="{annotator}.csv")
