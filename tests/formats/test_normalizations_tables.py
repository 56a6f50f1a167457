"""Tables of normalizations: what is recognised, read, written, merged and refused."""

from __future__ import annotations

import pytest
from format_helpers import refusal

import unisono
from unisono.data import Corpus, Normalizations, Ratings
from unisono.errors import DataError, OptionError
from unisono.formats import from_frame, read, write

WIDE = "document,original,anna,bert\nd1,vnd,und,und\nd1,das,das,dass\nd2,er,er,\n"
LONG = """document,token,original,annotator,norm,mod,type
d1,2,das,anna,das,,
d1,1,vnd,anna,und,,
d1,1,vnd,bert,und,,
d1,2,das,bert,dass,weil,SEM
"""


@pytest.fixture
def file(tmp_path):
    def make(content, name="words.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return make


def rows(data):
    return [
        (
            data.documents[document],
            data.forms[original],
            {name: data.forms[code] for name, code in zip(data.annotators, codes, strict=True) if code >= 0},
        )
        for document, original, codes in zip(data.document, data.original, data.norm.tolist(), strict=True)
    ]


def test_wide(file):
    data = read(file(WIDE))
    assert isinstance(data, Normalizations)
    assert rows(data) == [
        ("d1", "vnd", {"anna": "und", "bert": "und"}),
        ("d1", "das", {"anna": "das", "bert": "dass"}),
        ("d2", "er", {"anna": "er"}),
    ]
    assert data.source == "CSV normalizations · words.csv"


def test_long(file):
    data = read(file(LONG))
    assert rows(data) == [
        ("d1", "vnd", {"anna": "und", "bert": "und"}),
        ("d1", "das", {"anna": "das", "bert": "dass"}),
    ]
    assert data.forms[data.mod[1, 1]] == "weil"
    assert data.types == ("SEM",)
    assert data.type.tolist() == [[-1, -1], [-1, 0]]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("original\tanna\tbert\nvnd\tund\tund\n", {}),
        ("Original;anna;bert\nvnd;und;und\n", {}),
        ("tok,anna,bert\nvnd,und,und\n", {"columns": {"original": "tok"}}),
        ("token,anna,bert\nvnd,und,und\n", {"columns": {"original": "token"}}),
        ("doc\ttoken\tanna\tbert\nwords\tvnd\tund\tund\n", {"columns": {"original": "token", "document": "doc"}}),
        ("token,original,anna,bert\n1,vnd,und,und\n", {}),
        ("sentence,original,anna,bert\n1,vnd,und,und\n", {}),
        ("nr,token,original,annotator,norm\nx,1,vnd,anna,und\ny,1,vnd,bert,und\n", {}),
    ],
)
def test_ways_to_write_the_same(file, content, options):
    assert rows(read(file(content), **options)) == [("words", "vnd", {"anna": "und", "bert": "und"})]


def test_quotation_marks_of_a_table_with_tabs_may_be_text(file):
    content = "original\tanna\tbert\n'Я\t\"Я\t“Я\nтам\tтам\tтам\nвідпочити'\tвідпочити\"\tвідпочити”\n"
    data = read(file(content, "words.tsv"))
    assert [row[2]["anna"] for row in rows(data)] == ['"Я', "там", 'відпочити"']


def test_quoted_fields_of_a_table_with_tabs_are_quoted(file):
    content = 'original\tanna\tbert\n"a"\t"b ""c"""\t"d\te"\n'
    assert rows(read(file(content, "words.tsv"))) == [("words", "a", {"anna": 'b "c"', "bert": "d\te"})]


def test_sentences(file):
    content = "document,sentence,original,anna,bert\nd1,1,a,a,a\nd1,2,b,b,b\nd2,1,c,c,c\n"
    assert read(file(content)).sentence.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("original,anna,bert\nvnd,und\n", 2, ["the number of fields is 2 where the first line has 3"]),
        ("original,anna,bert\nvnd,und,und\n,x,y\n", 3, ["the original is missing; fill it in"]),
        ("original,anna,bert\nvnd,und,und\n  ,x,y\n", 3, ["the original is missing; fill it in"]),
        (LONG + "d1,2,das,bert,das,,\n", 6, ["the annotator 'bert' normalizes the token 2 a second time"]),
        (LONG + "d1,2,daz,carl,das,,\n", 6, ["the token 2 has the original 'daz' here and 'das' elsewhere"]),
        (LONG + "d1,,das,carl,das,,\n", 6, ["the token is missing; fill it in"]),
        (LONG + "d1,3,das,,das,,\n", 6, ["the annotator is missing; fill it in"]),
        ("document,original,annotator,norm\nd,a,A,b\n", 1, ["there is no column 'token'"]),
        ("original,norm,mod\na,b,c\n", 1, ["there is a column 'norm' but no column 'annotator'"]),
        ("original\na\n", 1, ["there is no annotator"]),
        ("doc,original,anna,bert\nd,a,b,c\n", 1, ["columns={'document': 'doc'}"]),
        ("nr,original,anna,bert\n1,a,b,c\n", 1, ["columns={'token': 'nr'}", "if it is an annotator"]),
        ("sent_id,original,anna,bert\n1,a,b,c\n", 1, ["columns={'sentence': 'sent_id'}"]),
        ("token,original,anna,bert\n1,a,b,c\n1,d,e,f\n", 3, ["the token '1' has a row already"]),
        ("original,anna,anna\na,b,c\n", 1, ["there are two columns named 'anna'"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("annotator,start,end,original\na,0,3,vnd\n", Corpus),
        ("item,annotator,label,original\n1,a,x,vnd\n1,b,x,vnd\n", Ratings),
        ("item,anna,bert\n1,x,y\n", Ratings),
    ],
)
def test_a_column_original_does_not_change_what_other_tables_are(file, content, kind):
    assert isinstance(read(file(content)), kind)


def test_ratings_if_the_user_says_so(file):
    data = read(file("original,anna,bert\nvnd,und,und\n"), format="ratings", columns={"item": "original"})
    assert isinstance(data, Ratings)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(library):
    module = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    wide = from_frame(make({"original": ["vnd", "das"], "anna": ["und", None], "bert": ["und", "das"]}))
    assert rows(wide) == [("document", "vnd", {"anna": "und", "bert": "und"}), ("document", "das", {"bert": "das"})]
    long = from_frame(
        make(
            {"token": [2, 1], "original": ["b", "a"], "annotator": ["A", "A"], "norm": ["x", "y"], "type": [None, "S"]}
        )
    )
    assert [row[1] for row in rows(long)] == ["a", "b"]
    assert unisono.normalization(make({"original": ["ab", "c"], "A": ["ab", "c"], "B": ["a", "c"]})).n_units == 4
    with pytest.raises(DataError, match="row 1: the original is missing"):
        from_frame(make({"original": ["vnd", None], "anna": ["und", "x"], "bert": ["und", "y"]}))


def test_parquet(tmp_path):
    import pyarrow
    from pyarrow.parquet import write_table

    path = tmp_path / "words.parquet"
    write_table(pyarrow.table({"original": ["vnd"], "anna": ["und"], "bert": ["unt"]}), path)
    assert rows(read(path)) == [("words", "vnd", {"anna": "und", "bert": "unt"})]


def test_several_files_are_several_documents(file):
    one = file("original,anna,bert\nvnd,und,und\n", "one.csv")
    two = file("original,bert,carl\ner,er,es\n", "two.csv")
    data = read([one, two])
    assert rows(data) == [("one", "vnd", {"anna": "und", "bert": "und"}), ("two", "er", {"bert": "er", "carl": "es"})]
    assert data.annotators == ("anna", "bert", "carl")


def test_a_file_for_each_annotator(file):
    anna = file("document,original,anna\nd,vnd,und\nd,er,er\n", "anna.csv")
    bert = file("document,original,bert\nd,vnd,und\nd,er,es\n", "bert.csv")
    assert rows(read([anna, bert])) == [
        ("d", "vnd", {"anna": "und", "bert": "und"}),
        ("d", "er", {"anna": "er", "bert": "es"}),
    ]
    other = file("document,original,bert\nd,vnd,und\nd,es,es\n", "other.csv")
    with pytest.raises(DataError, match=r"other.csv: token 2 of document 'd' is 'es' here but 'er' in another file"):
        read([anna, other])
    again = file("document,original,anna\nd,vnd,und\nd,er,es\n", "again.csv")
    with pytest.raises(DataError, match=r"again.csv: the annotator 'anna' normalizes document 'd' in another file too"):
        read([anna, again])


def test_modernizations_of_several_files(file):
    data = read([file(LONG, "one.csv"), file(LONG.replace("d1", "d3").replace("SEM", "EXT"), "two.csv")])
    assert data.types == ("SEM", "EXT")
    assert (data.mod >= 0).sum() == 2


def test_files_of_different_kinds_are_refused(file):
    words, ratings = file(WIDE), file("item,anna,bert\n1,x,y\n", "ratings.csv")
    with pytest.raises(DataError, match=r"ratings.csv: the file holds ratings, but .* holds normalizations"):
        read([words, ratings])


def test_options_of_units_are_refused(file):
    with pytest.raises(OptionError, match=r"continuum: only units on a continuum use it, and .* holds normalizations"):
        read(file(WIDE), continuum=(0, 5))


@pytest.mark.parametrize("content", [WIDE, LONG, "sentence,original,anna,bert\n1,a,x,\n2,b,,y\n"])
@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.parquet"])
def test_what_is_written_reads_back(file, tmp_path, content, name):
    data = read(file(content))
    assert write(data, tmp_path / name) == []
    again = read(tmp_path / name)
    assert rows(again) == rows(data)
    assert again.types == data.types
    for cells in ("mod", "type", "sentence"):
        one, other = getattr(again, cells), getattr(data, cells)
        assert (one is None) == (other is None)
        assert one is None or one.tolist() == other.tolist()


def test_what_cannot_be_written(tmp_path):
    data = Normalizations.of({"original": ["a"], "token": ["b"], "B": ["c"]})
    with pytest.raises(DataError, match="an annotator named 'token' cannot be a column"):
        write(data, tmp_path / "out.csv")
    with pytest.raises(DataError, match="JSON lines hold units, and these are normalizations"):
        write(data, tmp_path / "out.jsonl")
    with pytest.raises(DataError, match="there are no tokens"):
        write(Normalizations.of({"original": [], "A": [], "B": []}), tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())
