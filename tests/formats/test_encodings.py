"""Encodings other than UTF-8, and decimal commas."""

from __future__ import annotations

import pytest
from format_helpers import refusal, rows

from unisono.errors import OptionError
from unisono.formats import read

TEXT = "item;anna;bert\n1;männlich;männlich\n2;für;weiß\n"


@pytest.fixture
def file(tmp_path):
    def make(content, encoding="utf-8"):
        path = tmp_path / "file.csv"
        path.write_bytes(content.encode(encoding))
        return path

    return make


@pytest.mark.parametrize(("encoding", "name"), [("cp1252", "Windows-1252"), ("mac_roman", "Mac Roman")])
def test_western_encodings_are_detected_and_told(file, encoding, name):
    ratings = read(file(TEXT, encoding))
    assert ratings.labels == ("für", "männlich", "weiß")
    (told,) = ratings.dropped
    assert name in told


def test_others_are_detected_if_there_is_enough_text(file):
    text = "item;anna;bert\n1;положительный;отрицательный\n2;отрицательный;отрицательный\n"
    assert read(file(text, "cp1251")).labels == ("отрицательный", "положительный")
    assert read(file("item;anna;bert\n1;да;нет\n2;да;да\n", "cp1251"), encoding="cp1251").labels == ("да", "нет")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_needs_no_note(file, encoding):
    assert read(file(TEXT, encoding)).dropped == {}


def test_an_encoding_that_is_given(file):
    assert read(file(TEXT, "utf-16-le"), encoding="utf-16-le", format="csv").labels == ("für", "männlich", "weiß")
    with pytest.raises(OptionError, match="unknown encoding 'klingon'"):
        read(file(TEXT), encoding="klingon")
    with pytest.raises(OptionError, match="unknown encoding 'zlib'"):
        read(file(TEXT), encoding="zlib")


def test_a_damaged_line_among_others_in_utf_8_is_an_error(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes("item,anna,bert\n1,ä,ä\n".encode() + "2,süß,ä\n".encode("latin-1"))
    refusal(path, 3, "UTF-8")
    told = []
    assert read(path, bad=told.append).n_items == 1
    assert [error.line for error in told] == [3]


def test_decimal_commas(file):
    ratings = read(file("item;anna;bert\n1;3,5;4\n2;3;3,25\n"))
    assert ratings.labels == ("3", "3.25", "3.5", "4")
    assert ratings.dropped == {"numbers with a decimal comma, read with a point": 2}
    assert read(file("item;anna;bert\n1;3,5;4\n2;3;3,25\n"), decimal=".").labels == ("3", "3,25", "3,5", "4")
    assert read(file("item\tanna\tbert\n1\t3,5\t4\n2\t3\t3,25\n")).labels == ("3", "3,25", "3,5", "4")
    assert read(file("item\tanna\tbert\n1\t3,5\t4\n2\t3\t3,25\n"), decimal=",").labels == ("3", "3.25", "3.5", "4")
    assert read(file("3,5;4,5\n4,5;3,5\n")).labels == ("3.5", "4.5")


def test_labels_that_may_have_decimal_commas_are_told(file):
    ratings = read(file('item,anna,bert\n1,"3,5",4\n2,3,"3,25"\n'))
    assert ratings.labels == ("3", "3,25", "3,5", "4")
    assert ratings.dropped == {
        "labels that look like numbers with a decimal comma, read as names (choose with the option decimal)": 2
    }
    assert read(file('item,anna,bert\n1,"3,5",4\n2,3,"3,25"\n'), decimal=".").dropped == {}
    assert read(file('item,anna,bert\n1,"3,5",x\n2,3,"3,25"\n')).dropped == {}


@pytest.mark.parametrize("label", ["x", "1,2,3", "3.5"])
def test_a_decimal_comma_never_changes_a_text(file, label):
    ratings = read(file(f"item;anna;bert\n1;1,5;{label}\n2;{label};{label}\n"))
    assert set(ratings.labels) == {"1,5", label}
    assert ratings.dropped == {}


def test_positions_with_decimal_commas(file):
    assert rows(read(file("annotator;start;end\nA;1,5;2,5\n"))) == [("file", "A", 1.5, 2.5)]
    told = []
    assert read(file("annotator;start;end\nA;1,5;2,5\nA;x;3\n"), bad=told.append).n_units == 1
    assert [error.line for error in told] == [3]


def test_only_tables_of_text_have_an_encoding(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text('{"annotator": "a", "units": []}\n')
    for name, value in (("encoding", "utf-8"), ("decimal", ",")):
        with pytest.raises(OptionError, match=f"{name}: only tables use it"):
            read(path, **{name: value})
    with pytest.raises(OptionError, match="decimal"):
        read(path, decimal=";")
