from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from format_helpers import rated
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.data import Corpus, Ratings
from unisono.errors import DataError
from unisono.formats import read, write
from unisono.formats.columns import resembled
from unisono.measurement.categorization import krippendorff_alpha

RATINGS = Ratings.from_annotators({"anna": ["x", "y", None], "bert": ["x", None, None]})


def test_csv(tmp_path):
    assert write(RATINGS, tmp_path / "out.csv") == []
    assert (tmp_path / "out.csv").read_text() == "item,anna,bert\n1,x,x\n2,y,\n3,,\n"
    assert write(RATINGS, tmp_path / "out.tsv") == []
    assert (tmp_path / "out.tsv").read_text() == "item\tanna\tbert\n1\tx\tx\n2\ty\t\n3\t\t\n"
    assert list(read(tmp_path / "out.csv").items) == [1, 2, 3]


def test_documents(tmp_path):
    columns = {"item": ["i", "i"], "annotator": ["A", "B"], "label": ["x", "y"], "document": ["d", "e"]}
    ratings = Ratings.from_columns(**columns)
    write(ratings, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "document,item,A,B\nd,i,x,\ne,i,,y\n"
    assert rated(read(tmp_path / "out.csv")) == rated(ratings)


def test_an_empty_set_is_not_a_missing_label(tmp_path):
    ratings = Ratings.from_annotators({"anna": [(), ("x",), ("x", "y"), None], "bert": [(), (), ("x",), ("y",)]})
    write(ratings, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "item,anna,bert\n1,|,|\n2,x,|\n3,x|y,x\n4,,y\n"
    again = read(tmp_path / "out.csv")
    for distance in ("set", "masi"):
        found, other = (krippendorff_alpha(some, distance=distance) for some in (ratings, again))
        assert other.value == pytest.approx(found.value)
        assert other.n_units == found.n_units == 7


def test_format_by_name(tmp_path):
    write(RATINGS, tmp_path / "out.data", format="ratings")
    assert (tmp_path / "out.data").read_text().startswith("item,anna")
    with pytest.raises(DataError, match="units, not ratings"):
        write(Corpus.from_columns(annotator=["A"], start=[0], end=[1]), tmp_path / "units", format="ratings")


def test_json_lines_hold_no_ratings(tmp_path):
    with pytest.raises(DataError, match="JSON lines hold units, and these are ratings; write csv or tsv"):
        write(RATINGS, tmp_path / "out.jsonl")
    assert not list(tmp_path.iterdir())


def test_what_a_table_cannot_hold_is_told(tmp_path):
    ratings = Ratings.from_annotators({"A": [1, True, ["b", "a"]], "B": [2.5, "", None]})
    assert write(ratings, tmp_path / "out.csv") == [
        "Numbers, true/false and sets have become text.",
        "Empty labels have become missing values.",
    ]
    assert (tmp_path / "out.csv").read_text() == "item,A,B\n1,1,2.5\n2,true,\n3,a|b,\n"


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        (Ratings.from_annotators({"start": ["x"], "B": ["x"]}), "'start' cannot be a column"),
        (Ratings.from_annotators({"item": ["x"], "B": ["x"]}), "'item' cannot be a column"),
        (Ratings.from_annotators({" A": ["x"], "B": ["x"]}), "' A' cannot be a column"),
        (Ratings.from_annotators({"A": ["x"], "B": ["x"]}, items=[""]), "without a name"),
        (Ratings.from_annotators({"A": ["\0"], "B": ["x"]}), "a character that cannot be in a table"),
        (Ratings.from_annotators({"A": [1], "B": ["1"]}), "1 and '1' would be the same"),
        (Ratings.from_annotators({"A": [], "B": []}), "nothing to write"),
    ],
)
def test_what_cannot_be_written(tmp_path, ratings, message):
    with pytest.raises(DataError, match=message):
        write(ratings, tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_rows_that_stand_for_several_items_are_not_written(tmp_path):
    codes = np.zeros((1, 2), dtype=np.int64)
    document = np.zeros(1, dtype=np.int64)
    ratings = Ratings([1], ("A", "B"), ("document",), document, codes, ("x",), repeats=np.array([5]))
    with pytest.raises(DataError, match="stands for several"):
        write(ratings, tmp_path / "out.csv")


PLAIN = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1, max_size=5)
NAMES = PLAIN.map(str.strip).filter(lambda name: name and not resembled([name], {}))


@st.composite
def made_ratings(draw):
    annotators = draw(st.lists(NAMES, min_size=2, max_size=4, unique=True))
    places = draw(st.lists(st.tuples(PLAIN, PLAIN), min_size=1, max_size=5, unique=True))
    labels = st.none() | st.sampled_from(draw(st.lists(PLAIN, min_size=1, max_size=4)))
    return Ratings.from_annotators(
        {name: [draw(labels) for _ in places] for name in annotators},
        items=[item for _, item in places] if draw(st.booleans()) else None,
        document=[document for document, _ in places],
    )


@given(made_ratings())
@settings(max_examples=60, deadline=None)
def test_reading_gives_what_was_written(ratings):
    for name in ("x.csv", "x.tsv", "x.parquet"):
        with tempfile.TemporaryDirectory() as folder:
            assert write(ratings, Path(folder) / name) == []
            back = rated(read(Path(folder) / name))
        expected = rated(ratings)
        assert {**back, "table": [((d, str(i)), row) for (d, i), row in back["table"]]} == {
            **expected,
            "table": [((d, str(i)), row) for (d, i), row in expected["table"]],
        }


def test_names_with_tabs_come_back(tmp_path):
    """Quotation marks enclose fields where that makes an even table, though tabs alone would make one too."""
    ratings = Ratings.from_annotators({"0": ["1"], "0\t0": ["2"]}, document=["\t"])
    path = tmp_path / "file.tsv"
    write(ratings, path)
    assert read(path).annotators == ("0", "0\t0")
