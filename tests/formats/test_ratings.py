from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from format_helpers import rated, refusal, rows, table

from unisono.data import Corpus, Ratings
from unisono.errors import DataError, OptionError
from unisono.formats import read

LONG = "item,annotator,label\ni1,anna,x\ni1,bert,y\ni2,anna,x\ni2,bert,\n"
WIDE = "item,anna,bert\ni1,x,y\ni2,x,\n"
TABLE = {("file", "i1"): {"anna": "x", "bert": "y"}, ("file", "i2"): {"anna": "x"}}


@pytest.fixture
def file(tmp_path):
    def make(content: str | bytes, name: str = "file.csv") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return make


@pytest.mark.parametrize("content", [LONG, WIDE])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_long_and_wide_are_the_same(file, content, delimiter, encoding):
    ratings = read(file(content.replace(",", delimiter).encode(encoding)))
    assert isinstance(ratings, Ratings)
    assert table(ratings) == TABLE
    assert ratings.annotators == ("anna", "bert")
    assert ratings.source == "CSV ratings · file.csv"


def test_tsv(file):
    ratings = read(file(WIDE.replace(",", "\t"), "file.tsv"))
    assert table(ratings) == TABLE
    assert ratings.source == "TSV ratings · file.tsv"


@pytest.mark.parametrize("content", [LONG, WIDE])
def test_documents(file, content):
    header, *body = content.splitlines()
    lines = [f"document,{header}", *(f"d{number},{line}" for number in (1, 2) for line in body)]
    ratings = read(file("\n".join(lines)))
    assert ratings.documents == ("d1", "d2")
    assert table(ratings) == {(name, item): TABLE["file", item] for name in ("d1", "d2") for item in ("i1", "i2")}


def test_items_without_names_are_numbered_in_each_document(file):
    assert list(read(file("anna,bert\nx,x\ny,y\n")).items) == [1, 2]
    ratings = read(file("document,anna,bert\nd1,x,x\nd2,y,y\nd1,y,x\n"))
    assert list(table(ratings)) == [("d1", 1), ("d2", 1), ("d1", 2)]


def test_items_named_by_their_numbers_are_numbered(file):
    assert list(read(file("item,anna,bert\n1,x,x\n2,x,x\n")).items) == [1, 2]
    assert list(read(file("item,anna,bert\n2,x,x\n1,x,x\n")).items) == ["2", "1"]


def test_columns_in_any_order_and_case_and_further_ones(file):
    long = file("Label,time,ANNOTATOR,comment, Item \nx,3,anna,,i1\ny,4,bert,no,i1\n")
    assert table(read(long)) == {("file", "i1"): {"anna": "x", "bert": "y"}}
    assert table(read(file("anna,Item,bert\nx,i1,y\n"))) == {("file", "i1"): {"anna": "x", "bert": "y"}}


def test_columns_can_be_named(file):
    names = {"label": "tag", "item": "id", "annotator": "coder", "document": "file"}
    assert table(read(file("file,id,coder,tag,label\nd,i1,anna,x,old\n"), columns=names)) == {
        ("d", "i1"): {"anna": "x"}
    }
    wide = file("id,a1,a2,doc\ni1,x,y,d\n")
    assert table(read(wide, columns={"item": "id", "document": "doc", "anna": "a1"})) == {
        ("d", "i1"): {"anna": "x", "a2": "y"}
    }


def test_an_annotator_who_labelled_nothing_and_an_item_without_labels_are_kept(file):
    ratings = read(file("item,anna,bert\ni1,x,\ni2,,\n"))
    assert ratings.annotators == ("anna", "bert")
    assert table(ratings) == {("file", "i1"): {"anna": "x"}, ("file", "i2"): {}}


def test_labels_are_kept_as_written(file):
    labels = ["1", " x ", "true", "1.50", 'say "hi"', "two\nlines", "Ж"]
    body = "".join(f'"{label.replace(chr(34), chr(34) * 2)}","1"\n' for label in labels)
    ratings = read(file("anna,bert\n" + body))
    assert [row["anna"] for row in table(ratings).values()] == labels


def test_units_stay_units(file):
    units = "item,annotator,label,start,end\n1,A,x,0,3\n"
    assert rows(read(file(units))) == [("file", "A", 0, 3, "1", "x")]
    assert isinstance(read(file("A,X,0,3\n")), Corpus)
    assert isinstance(read(file("1,2,7,9\n1,2,8,9\n")), Corpus)


def test_annotators_may_be_numbers(file):
    assert read(file("item,1,2,3\n7,0,0,1\n8,1,1,1\n")).annotators == ("1", "2", "3")
    assert read(file("document,item,1,2,3,4\nd,7,0,0,1,1\n")).annotators == ("1", "2", "3", "4")
    assert read(file("0,1,2,3\nyes,yes,yes,no\nno,no,no,no\n")).annotators == ("0", "1", "2", "3")


DOUBTFUL = {
    "no label": ("item,annotator,verdict\n1,A,x\n", 1, ["no column 'label'", "columns={'label': 'NAME'}"]),
    "no item": ("annotator,label\nA,x\n", 1, ["no column 'item'"]),
    "a rater and a score": ("rater,score\nA,1\nB,2\n", 1, ["no columns", "'annotator': 'rater'"]),
    "units with other names": (
        "who,tag,begin,to\nA,x,0,3\n",
        1,
        ["columns={'annotator': 'who', 'start': 'begin', 'end': 'to'}"],
    ),
    "one column of units": ("anna,bert,src_end\nx,y,z\n", 1, ["'end': 'src_end'", "format='ratings'"]),
    "camel case": ("anna,bert,startTime\nx,y,z\n", 1, ["'start': 'startTime'"]),
    "neither units nor ratings": ("document,annotator,category\nd,A,x\n", 1, ["no columns 'start' and 'end'"]),
    "a type": ("item,type,anna,bert\n1,q,x,x\n", 1, ["'label': 'type'", "or use format='ratings' if every column"]),
    "an id": ("id,anna,bert\n1,x,x\n", 1, ["columns={'item': 'id'}, or columns={'id': 'id'} if it is an annotator"]),
    "a text": ("text,anna,bert\nso,x,x\n", 1, ["columns={'item': 'text'}"]),
    "a file name": ("filename,anna,bert\nso,x,x\n", 1, ["columns={'document': 'filename'}"]),
    "doc beside item": ("doc,item,annotator,label\nd,1,A,x\n", 1, ["columns={'document': 'doc'}"]),
    "an index": (",anna,bert\n0,x,x\n", 1, ["column 1 has no name", "item"]),
    "pandas read an index": ("Unnamed: 0,anna,bert\n0,x,x\n", 1, ["columns={'item': 'Unnamed: 0'}"]),
    "one annotator": ("document,anna\n1,x\n", 1, ["only one annotator, 'anna'"]),
    "no annotator": ("document,item\nd,x\n", 1, ["no annotator"]),
    "no header, labels": ("yes,no,no\nno,no,no\n", 1, ["two columns named 'no'"]),
    "no header, numbers": ("0,1,2,3\n1,1,1,0\n0,1,0,0\n", 1, ["seems to hold labels", "format='ratings'"]),
    "no header, item first": ("s1,yes,no\ns2,yes,yes\n", 1, ["seems to hold labels ('yes'"]),
    "brat": ("T1\tPER 0 5\tAnna\nT2\tLOC 7 9\tRom\n", 1, ["no label in common", "format='ratings'"]),
    "CoNLL": ("Anna\tB-PER\nis\tO\nin\tO\nRom\tB-LOC\n", 1, ["no label in common"]),
    "too many for a unit": ("A,X,Y,Z,0,3\nB,X,Y,Z,1,4\n", 1, ["no columns 'annotator' and 'start' and 'end'"]),
    "header and no row": ("anna,bert\n", None, ["no row"]),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_a_doubtful_table_is_refused_with_what_to_do(file, case):
    content, line, words = DOUBTFUL[case]
    refusal(file(content), line, *words)


BAD = {
    "labelled twice": (
        "item,annotator,label\n1,A,x\n\n1,B,x\n1,A,y\n",
        5,
        ["'A' labels the item '1' a second time", "the first is on line 2"],
    ),
    "item twice": ("item,A,B\n1,x,x\n\n2,x,x\n1,y,y\n", 5, ["item '1' has a row already (on line 2)"]),
    "item twice in a document": ("document,item,A,B\nd,1,x,x\ne,1,x,x\ne,1,x,x\n", 4, ["already (on line 3)"]),
    "no item, wide": ("item,A,B\n1,x,x\n,x,x\n", 3, ["item is missing"]),
    "no item, long": ("item,annotator,label\n1,A,x\n,A,x\n", 3, ["item is missing"]),
    "no annotator": ("item,annotator,label\n1,A,x\n1,,x\n", 3, ["annotator is missing"]),
    "no document": ("document,A,B\nd,x,x\n,x,x\n", 3, ["document is missing"]),
    "short row": ("item,A,B\n1,x,x\n2,x\n", 3, ["number of fields is 2", "has 3"]),
    "long row": ("item,annotator,label\n1,A,x\n2,A,x,y\n", 3, ["number of fields is 4"]),
    "open quote": ('item,A,B\n1,x,x\n2,"x,x\n', 3, ["never closed"]),
    "Latin-1": ("item,A,B\n1,x,x\n2,ä,x\n".encode("latin-1"), 3, ["UTF-8"]),
    "long line": ("item,A,B\n1,x," + "y" * 2**21, 2, ["longer than"]),
    "two annotators of a name": ("item,A,B,A\n1,x,x,x\n", 1, ["two columns named 'A'"]),
    "too many of everything": (
        "item,annotator,label\n" + "".join(f"i{i},a{i},x\n" for i in range(20_000)),
        None,
        ["20,000 items by 20,000 annotators"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_ratings_are_refused_with_file_and_line(file, case):
    content, line, words = BAD[case]
    refusal(file(content), line, *words)


def test_format_by_name_takes_what_is_doubtful(file):
    def asked(content, **options):
        return table(read(file(content), format="ratings", **options))

    assert asked(LONG) == asked(WIDE) == TABLE
    assert asked("0,1\n0,0\n") == {("file", 1): {"0": "0", "1": "0"}}
    assert asked("start,end\n0,3\n") == {("file", 1): {"start": "0", "end": "3"}}
    assert asked("A,X,0,3\nx,x,x,y\n") == {("file", 1): {"A": "x", "X": "x", "0": "x", "3": "y"}}
    assert asked("item,type,anna\n1,x,y\n") == {("file", 1): {"type": "x", "anna": "y"}}
    assert asked("annotator,start,end,item,label\nA,0,3,i1,x\n") == {("file", "i1"): {"A": "x"}}
    assert asked("id,anna,bert\n1,x,y\n", columns={"item": "id"}) == {("file", 1): {"anna": "x", "bert": "y"}}
    assert read(file(WIDE), format="ratings").source == "CSV ratings · file.csv"


@pytest.mark.parametrize("content", ["annotator,verdict\nA,x\n", "item,annotator,x\n1,A,x\n"])
def test_format_by_name_does_not_take_a_row_a_label_for_annotators(file, content):
    refusal(file(content), 1, "columns={", "label", format="ratings")


def test_without_header_as_nltk_has_it(file):
    content = "a\t1\tstat\nb\t1\tstat\na\t2\tireq\nb\t2\t\n"
    expected = {("file", 1): {"a": "stat", "b": "stat"}, ("file", 2): {"a": "ireq"}}
    assert table(read(file(content, "file.txt"))) == expected
    assert table(read(file(content, "file.txt"), format="ratings")) == expected
    refusal(file("a,1,x\na,2,x\n,3,x\n"), 3, "annotator is missing")


@pytest.mark.parametrize(
    "content",
    [
        "a,1,x\nb,1,x\na,1,x\n",  # twice the same
        "a,1,x\nb,1,y\na,2,y\n",  # the first label never again
        "a,1,x\nb,1,x\nc,2,x\n",  # the first annotator never again
        "1,2,3\n1,1,1\n2,2,3\n",  # annotators named like labels
    ],
)
def test_three_columns_that_may_be_something_else(file, content):
    with pytest.raises(DataError, match="format='ratings'"):
        read(file(content))


def test_shared_nltk_example(shared):
    """The example of Artstein and Poesio (2008), with the counts of their Table 1."""
    path = next((shared / "nltk").glob("artstein*"))
    ratings = read(path)
    assert (ratings.n_items, ratings.annotators, ratings.labels) == (100, ("a", "b"), ("chck", "ireq", "stat"))
    pairs = [tuple(row.values()) for row in table(ratings).values()]
    assert (pairs.count(("stat", "stat")), pairs.count(("ireq", "chck")), pairs.count(("chck", "chck"))) == (46, 6, 10)


def test_shared_wide_tables(shared):
    for path in sorted((shared / "raise_your_voice").glob("*.csv")):
        ratings = read(path)
        with path.open() as stream:
            header, *body = csv.reader(stream)
        assert ratings.annotators == tuple(header)
        assert [[ratings.labels[code] for code in row] for row in ratings.codes.tolist()] == body
        assert ratings.notes == ()


def test_several_files_are_documents(file):
    one = file("item,anna,bert\ni1,x,y\n", "one.csv")
    two = file("item\tannotator\tlabel\ni1\tbert\tz\ni1\tchris\tx\n", "two.tsv")
    ratings = read([one, two])
    assert rated(ratings) == {
        "documents": ("one", "two"),
        "annotators": ("anna", "bert", "chris"),
        "table": [(("one", "i1"), {"anna": "x", "bert": "y"}), (("two", "i1"), {"bert": "z", "chris": "x"})],
        "kinds": ["str"] * 3,
    }
    assert ratings.source == "CSV, TSV ratings · one.csv, two.tsv"


def test_several_files_may_share_documents(file):
    one = file("document,item,anna,bert\nd,1,x,y\nd,2,x,\ne,1,z,z\n", "one.csv")
    two = file("document,item,annotator,label\nd,2,bert,y\nd,2,chris,x\nd,3,chris,w\n", "two.csv")
    assert table(read([one, two])) == {
        ("d", "1"): {"anna": "x", "bert": "y"},
        ("d", "2"): {"anna": "x", "bert": "y", "chris": "x"},
        ("e", "1"): {"anna": "z", "bert": "z"},
        ("d", "3"): {"chris": "w"},
    }
    again = file("document,item,annotator,label\nd,1,anna,y\n", "again.csv")
    with pytest.raises(DataError, match=f"^{again}: .*'anna' labels the item '1' of document 'd' in another file"):
        read([one, two, again])


def test_files_of_one_name(file):
    one, two = file("anna,bert\nx,x\n", "a/text.csv"), file("bert,chris\nx,x\n", "b/text.csv")
    with pytest.raises(DataError, match=f"^{two}: another file has labels of the same annotators"):
        read([one, two])
    three = file("chris,dora\nx,y\ny,y\n", "c/text.csv")
    assert table(read([one, three])) == {
        ("text", 1): {"anna": "x", "bert": "x", "chris": "x", "dora": "y"},
        ("text", 2): {"chris": "y", "dora": "y"},
    }


def test_units_and_ratings_do_not_mix(file):
    ratings = file(WIDE, "ratings.csv")
    units = file("annotator,start,end\nA,0,3\n", "units.csv")
    lines = file(json.dumps({"document": "d", "annotator": "A"}) + "\n", "lines.jsonl")
    with pytest.raises(DataError, match=f"^{units}: the file holds units, but {ratings} holds ratings"):
        read([ratings, units])
    with pytest.raises(DataError, match=f"^{ratings}: the file holds ratings, but {lines} holds units"):
        read([lines, ratings])


def test_options_for_units_only(file):
    path, who = file(WIDE), file("document,annotator\nd,A\n", "who.csv")
    with pytest.raises(OptionError, match="worked: only units on a continuum use it"):
        read(path, worked=who)
    with pytest.raises(OptionError, match="continuum: only units on a continuum use it"):
        read(path, continuum=(0, 5))


def test_labels_that_look_missing_are_kept_and_told(file):
    ratings = read(file("item,anna,bert\n1,NA,x\n2,x,x\n3,?,-\n4,None,NaN\n"))
    assert table(ratings)["file", 1] == {"anna": "NA", "bert": "x"}
    (note,) = ratings.notes
    assert note == (
        "'-', '?', 'NA', 'NaN', 'None' are treated as labels; if there is no label, leave the cell empty, or list "
        "this as a missing label"
    )
    (note,) = read(file("item,anna,bert\n1,null,x\n2,x,x\n")).notes
    assert note.startswith("'null' is treated as a label; ")
    assert read(file("item,anna,bert\n1,,x\n2,x,x\n")).notes == ()


@pytest.mark.parametrize(("one", "other"), [("1", "1.0"), ("yes", "Yes"), ("no", " no"), (".50", "0.5")])
def test_labels_that_look_alike_are_told(file, one, other):
    (note,) = read(file(f"item,anna,bert\n1,{one},{other}\n2,x,x\n")).notes
    assert f"{one!r}" in note
    assert f"{other!r}" in note
    assert "different labels" in note


def test_a_column_that_is_hardly_an_annotator_is_told(file):
    ratings = read(file("item,anna,bert,chris\n1,x,y,so\n2,y,y,well\n"))
    (note,) = ratings.notes
    assert "'chris' has no label in common" in note
    assert "annotators" in note
    chosen = ratings.select(annotators=["anna", "bert"])
    assert chosen.notes == ()
    assert chosen.annotators == ("anna", "bert")
    assert chosen.labels == ("x", "y")


def test_measurements_need_no_value_in_common(file):
    ratings = read(file("anna,bert,chris\n1.5,1.25,1.75\n2.5,2.25,2.75\n"))
    assert ratings.n_units == 6
    assert ratings.notes == ()


def test_many_rows_in_chunks(file):
    lines = "".join(f"{item},{'xy'[item % 2]},{'xyz'[item % 3]}\n" for item in range(9_000))
    ratings = read(file("item,anna,bert\n" + lines))
    assert ratings.n_items == 9_000
    assert table(ratings)["file", "8999"] == {"anna": "y", "bert": "z"}
    refusal(file("item,anna,bert\n" + lines + "8999,x\n"), 9_002, "number of fields")
    refusal(file("item,anna,bert\n" + lines + "8999,x,x\n"), 9_002, "already (on line 9001)")


def test_very_many_columns(file):
    names = ",".join(f"a{number}" for number in range(30_000))
    ratings = read(file(f"{names}\n{','.join('xy' * 15_000)}\n"))
    assert ratings.codes.shape == (1, 30_000)


def test_without_header_items_may_come_first(file):
    ratings = read(file("s1,anna,low\ns1,bert,low\ns2,anna,high\ns2,bert,low\ns3,anna,high\ns3,bert,high\n"))
    assert ratings.annotators == ("anna", "bert")
    assert list(ratings.items) == ["s1", "s2", "s3"]


def test_one_number_written_in_two_ways_is_one_label(file):
    """pandas writes a column of whole numbers with a gap as 1.0, 2.0 …"""
    ratings = read(file("item,anna,bert\ns1,1,1.0\ns2,2,2.0\ns3,3,\ns4,10,2.0\n"))
    assert ratings.labels == ("1", "10", "2", "3")
    assert ratings.notes == ()
    assert read(file("item,anna,bert\ns1,1,1.0\ns2,x,2.0\n")).labels == ("1", "1.0", "2.0", "x")


def test_columns_that_are_not_read_are_counted_and_named(tmp_path):
    for name in ("anna", "bert"):
        (tmp_path / f"{name}.csv").write_text(f"item,annotator,label,text,date\n1,{name},X,a,b\n")
    told = "columns that are not read: text, date"
    assert read(tmp_path / "anna.csv").dropped == {told: 2}
    assert read(tmp_path).dropped == {told: 4}
    (tmp_path / "norms.csv").write_text("token,original,annotator,norm,note\n1,vnd,anna,und,x\n")
    assert read(tmp_path / "norms.csv").dropped == {"columns that are not read: note": 1}


def of_texts(folder, who, texts):
    path = folder / f"{who}.jsonl"
    lines = [{"id": number, "text": text, "label": ["A" if number % 2 else "B"]} for number, text in texts.items()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_items_of_one_name_that_are_different_things_are_not_compared(tmp_path):
    """Such as running numbers of two projects."""
    of_texts(tmp_path, "anna", {1: "one", 2: "two", 3: "three"})
    of_texts(tmp_path, "bert", {1: "uno", 2: "dos", 4: "four"})
    with pytest.raises(DataError, match=r"bert\.jsonl: the item '1' is 'uno' here, but 'one' in another file; give"):
        read(tmp_path)


def test_a_few_texts_that_were_changed_are_told(tmp_path):
    of_texts(tmp_path, "anna", {1: "one", 2: "two  words", 3: "three"})
    of_texts(tmp_path, "bert", {1: "one!", 2: "two words\n", 3: "three"})
    ratings = read(tmp_path)
    assert ratings.dropped == {"items of which files have different texts": 1}
    assert ratings.texts == ("one", "two  words", "three")
