"""Tables of labels whose columns are recognized by their names and by what is in them."""

from __future__ import annotations

import pandas as pd
import pytest
from format_helpers import refusal, table

from unisono.data import Export, Ratings
from unisono.errors import DataError
from unisono.formats import from_frame, read


@pytest.fixture
def file(tmp_path):
    def make(content, name="file.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def test_a_first_column_of_different_names_is_the_item_and_that_is_told(file):
    ratings = read(file("Proband;Rater A;Rater B\nP1;gut;gut\nP2;gut;schlecht\nP3;schlecht;schlecht\n"))
    assert ratings.annotators == ("Rater A", "Rater B")
    assert list(ratings.items) == ["P1", "P2", "P3"]
    assert ratings.dropped == {"column read as the items' names, because all its values are different: Proband": 1}


def test_a_first_column_of_numbers_is_the_item(file):
    rows = "".join(f"{number};{number % 3};{number % 2}\n" for number in range(1, 9))
    assert read(file("Proband;Rater A;Rater B\n" + rows)).annotators == ("Rater A", "Rater B")
    assert read(file("id;anna;bert\n" + rows)).dropped == {}


@pytest.mark.parametrize(
    "content",
    [
        "anna,bert,chris\n1,2,3\n2,1,2\n3,3,1\n4,4,4\n5,5,5\n",  # ranks
        "anna,bert,chris\n1.5,1.25,1.75\n2.5,2.25,2.75\n3.5,3.0,3.25\n",  # measurements
        "anna,bert,chris\nx,x,y\ny,x,y\nz,x,y\n",  # labels that others give too
        "anna,bert\na,x\nb,x\nc,y\nd,x\na,a\n",  # no third column
    ],
)
def test_a_first_column_that_may_be_an_annotator_stays_one(file, content):
    ratings = read(file(content))
    assert ratings.annotators == tuple(content.split("\n")[0].split(","))
    assert ratings.dropped == {}


def test_columns_about_items_are_no_annotators(file):
    ratings = read(file("item,anna,bert,comment,date,minutes\n1,x,y,so,2024-01-02,3\n2,x,x,well,2024-01-03,4\n"))
    assert ratings.annotators == ("anna", "bert")
    assert ratings.dropped == {"columns that are not annotators, so not read: comment, date, minutes": 3}
    assert read(file("item,anna,bert,date\n1,x,y,x\n2,x,x,y\n"), columns={"date": "date"}).annotators == (
        "date",
        "anna",
        "bert",
    )


def test_texts_are_shown(file):
    ratings = read(file("text,anna,bert\nall work and no play,x,y\nplay and no work at all,x,x\n"))
    assert list(ratings.items) == ["all work and no play", "play and no work at all"]
    assert ratings.texts == ("all work and no play", "play and no work at all")


@pytest.mark.parametrize(
    "content",
    [
        "MyKey,Q7,Seconds\nk1,a,3\nk2,b,4\nk3,a,5\n",
        "session,browser,started,answer\ns1,ff,2024-01-01 10:00,x\ns2,ch,2024-01-01 10:01,y\n",
        "key,lang,city,seen\nk1,de,Bonn,x\nk1,en,Rom,y\nk2,de,Bonn,y\nk2,en,Rom,x\nk3,de,Oslo,z\n",
    ],
)
def test_a_table_of_metadata_is_refused_with_how_to_name_columns(file, content):
    refusal(file(content), 1, "columns={", "'label': ")


def test_without_a_header_annotators_are_numbered(file):
    ratings = read(file("yes,no,no\nno,no,yes\nyes,yes,no\n"))
    assert ratings.annotators == ("1", "2", "3")
    assert table(ratings)["file", 1] == {"1": "yes", "2": "no", "3": "no"}
    assert ratings.dropped == {"row read as labels, not as names of annotators, who are numbered instead": 1}
    assert list(read(file("s1,yes,no\ns2,no,yes\ns3,yes,yes\n")).items) == ["s1", "s2", "s3"]


def test_a_row_per_label_by_usual_names(file):
    content = "id,text,user,rating,created_at\n1,a b,u1,3,2024-01-01\n2,a b,u2,4,2024-01-01\n"
    content += "3,c,u1,5,2024-01-02\n4,c,u2,5,2024-01-02\n"
    ratings = read(file(content))
    assert table(ratings) == {("file", "a b"): {"u1": "3", "u2": "4"}, ("file", "c"): {"u1": "5", "u2": "5"}}
    assert ratings.dropped == {"columns that are not read: id, created_at": 2}
    assert table(read(file("Item ID,Coder,Tag\ni1,A,x\ni1,B,y\n"))) == {("file", "i1"): {"A": "x", "B": "y"}}


def test_several_label_columns_are_questions(file):
    content = "task,worker,sentiment_label,topic_label\n1,u1,pos,a\n1,u2,neg,a\n2,u1,pos,b\n2,u2,pos,a\n"
    export = read(file(content))
    assert isinstance(export, Export)
    assert list(export.questions) == ["sentiment_label", "topic_label"]
    assert table(export.layer(["topic_label"]))["file", 2] == {"u1": "b", "u2": "a"}
    one = read(file(content), columns={"label": "sentiment_label"})
    assert isinstance(one, Ratings)
    assert one.labels == ("neg", "pos")


def test_bad_rows_are_skipped_and_all_others_stay(file):
    told = []
    content = "task,worker,a_label,b_label\n1,u1,x,y\n,u2,x,y\n1,u1,z,z\n1,u3\n2,u1,x,x\n"
    export = read(file(content), bad=told.append)
    assert sorted(error.line for error in told) == [3, 4, 5]
    assert [ratings.n_units for ratings in export.questions.values()] == [2, 2]


def test_frames_follow_the_same_rules():
    frame = pd.DataFrame({"Proband": ["P1", "P2", "P3"], "A": ["x", "y", "y"], "B": ["x", "x", "y"]})
    frame["when"] = pd.Timestamp("2024-01-01")
    ratings = from_frame(frame)
    assert ratings.annotators == ("A", "B")
    assert list(ratings.items) == ["P1", "P2", "P3"]
    export = from_frame(pd.DataFrame({"task": [1, 1], "user": ["a", "b"], "x_score": [1, 2], "y_score": [2, 2]}))
    assert list(export.questions) == ["x_score", "y_score"]
    with pytest.raises(DataError, match="layers='x_score'"):
        from_frame(
            pd.DataFrame({"task": [1, 1], "user": ["a", "b"], "x_score": [1, 2], "y_score": [2, 2]}), continuum=(0, 1)
        )


def test_ordered_categories_are_a_scale():
    scale = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    wide = pd.DataFrame({"item": ["a", "b"], "A": ["low", "high"], "B": ["mid", "low"]}).astype(
        {"A": scale, "B": scale}
    )
    long = wide.melt("item", var_name="annotator", value_name="label").astype({"label": scale})
    for frame in (wide, long):
        question = from_frame(frame).question
        assert (question.kind, question.order) == ("ordered", ("low", "mid", "high"))
    plain = wide.astype({"A": "category", "B": "category"})
    plain[["A", "B"]] = plain[["A", "B"]].apply(lambda column: column.cat.as_unordered())
    assert from_frame(plain).question.order == ()


def test_a_column_without_a_name_that_counts_rows_is_no_item_if_there_is_another(file):
    names = ("essay", "anna", "bert")
    table = zip(range(101, 109), [1, 2, 3, 4, 5, 1, 2, 3], [1, 2, 3, 4, 4, 1, 2, 3], strict=True)
    frame = pd.DataFrame(table, columns=list(names))
    for name, counted in [
        ("essay", "column read as the items' names, because all its values are different: essay"),
        ("item", None),
    ]:
        ratings = read(file(frame.rename(columns={"essay": name}).to_csv()))
        assert ratings.annotators == ("anna", "bert")
        assert list(ratings.items) == [str(number) for number in range(101, 109)]
        index = {"columns that only count the rows, so not read": 1}
        assert ratings.dropped == index | ({counted: 1} if counted else {})
    alone = read(file(frame.drop(columns="essay").to_csv()))
    assert alone.annotators == ("anna", "bert")
    assert list(alone.items) == [str(number) for number in range(8)]
