from __future__ import annotations

import pytest

from unisono.errors import DataError
from unisono.formats import read_matrix


@pytest.fixture
def file(tmp_path):
    def make(content):
        path = tmp_path / "matrix.csv"
        path.write_text(content)
        return path

    return make


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_matrix(file, delimiter):
    text = ",noun,verb,prep\nnoun,0,.5,1\nverb,0.5,0,1\nprep,1,1,0\n"
    labels, values = read_matrix(file(text.replace(",", delimiter)))
    assert labels == ("noun", "verb", "prep")
    assert values.tolist() == [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]


def test_rows_in_another_order_and_a_word_in_the_corner(file):
    labels, values = read_matrix(file("category,a,b,c\nc,0.3,0.2,0\na,0,0.1,0.3\nb,0.1,0,0.2\n\n"))
    assert labels == ("a", "b", "c")
    assert values.tolist() == [[0, 0.1, 0.3], [0.1, 0, 0.2], [0.3, 0.2, 0]]


BAD = {
    "a value too many": (",a,b\na,0,1\nb,1,0,1\n", 3, "3 values for 2"),
    "a value too few": (",a,b\na,0\nb,1,0\n", 2, "1 values for 2"),
    "a row too few": (",a,b\na,0,1\n", 2, "no row for the category 'b'"),
    "another row": (",a,b\na,0,1\nc,1,0\n", 3, "'c' is not in the first row"),
    "a row twice": (",a,b\na,0,1\na,0,1\n", 3, "'a' has a row already"),
    "a column twice": (",a,a\na,0,1\na,1,0\n", 1, "'a' occurs twice"),
    "text": (",a,b\na,0,x\nb,1,0\n", 2, "'x' is not a number"),
    "decimal comma": (";a;b\na;0;0,5\nb;0,5;0\n", 2, "point"),
    "nothing": (",a,b\na,0,1\nb,,0\n", 3, "missing"),
    "not a number": (",a,b\na,0,nan\nb,nan,0\n", 2, "not a number from 0 up"),
    "negative": (",a,b\na,0,-1\nb,-1,0\n", 2, "-1 is not a number from 0 up"),
    "asymmetric": (",a,b\na,0,1\n\nb,0.5,0\n", 4, "symmetric"),
    "diagonal": (",a,b\na,0,1\nb,1,0.5\n", 3, "'b' from itself is 0.5"),
    "empty": ("", None, "empty"),
    "one line": (",a,b\n", None, "no matrix"),
    "no categories": ("a\nb\n", 1, "no categories"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_matrix_is_refused_with_file_and_line(file, case):
    content, line, message = BAD[case]
    path = file(content)
    with pytest.raises(DataError, match=message) as caught:
        read_matrix(path)
    assert str(caught.value).startswith(f"{path}, line {line}: " if line else f"{path}: ")


def test_no_file(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_matrix(tmp_path / "nowhere.csv")
