"""Relations, events and units in pieces in tables and JSON lines, in and out."""

from __future__ import annotations

import io

import pandas
import polars
import pytest
from commands import run
from format_helpers import contents, refusal
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import unisono
from unisono.data import Corpus
from unisono.errors import DataError
from unisono.formats import csv_writing, read
from unisono.formats.columns import anchor_columns
from unisono.formats.pieces import READ_AS

RELATIONS = """document,annotator,start,end,target_start,target_end,category
d,anna,0,4,9,14,and
d,anna,9,14,,,root
d,bert,0,4,9|20,14|25,and
d,chris,,,,,
"""


@pytest.fixture
def file(tmp_path):
    def make(text=RELATIONS, name="units.csv"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return make


def anchors(corpus):
    return [(unit.annotator, unit.category, unit.anchors) for document in corpus for unit in document.units]


RELATED = [
    ("anna", "and", (("source", 0, 4), ("target", 9, 14))),
    ("anna", "root", (("source", 9, 14),)),
    ("bert", "and", (("source", 0, 4), ("target", 9, 14), ("target", 20, 25))),
]


def test_relations_in_a_table(file):
    corpus = read(file())
    assert anchors(corpus) == RELATED
    assert corpus["d"].annotators == ("anna", "bert", "chris")
    assert corpus.start.dtype.kind == "i"
    assert [*corpus.features] == ["category"]


@pytest.mark.parametrize(
    ("text", "name", "how"),
    [
        (RELATIONS.replace(",", "\t"), "units.tsv", {}),
        (RELATIONS.replace(",", ";"), "units.csv", {}),
        (RELATIONS.replace("target_", "Target_"), "units.csv", {}),
        (RELATIONS.replace("target_start", "to"), "units.csv", {"columns": {"target_start": "to"}}),
    ],
)
def test_other_tables_of_the_same(file, text, name, how):
    assert anchors(read(file(text, name), **how)) == RELATED


def test_decimal_commas_in_pieces(file):
    corpus = read(file("annotator;start;end\na;0,5|3;1,5|4,25\n"))
    assert corpus["units"].units[0].anchors == (("piece", 0.5, 1.5), ("piece", 3.0, 4.25))


def test_events_have_a_trigger(file):
    corpus = read(file("annotator,trigger_start,trigger_end,Theme_start,Theme_end,category\na,5,8,0|20,2|22,Merge\n"))
    assert anchors(corpus) == [("a", "Merge", (("Theme", 0, 2), ("Theme", 20, 22), ("trigger", 5, 8)))]


def test_pairs_of_columns_without_a_role_that_is_known_stay_features(file):
    corpus = read(file("annotator,start,end,sentence_start,sentence_end\na,5,8,0,20\n"))
    assert corpus.anchors is None
    assert [*corpus.features] == ["sentence_start", "sentence_end"]
    assert anchor_columns(["start", "end", "target_start", "x_end", "_start", "_end"]) == {}


def test_labels_of_items_with_times_are_no_events(file):
    ratings = read(file("item,annotator,label,time_start,time_end\n1,a,x,3,4\n1,b,x,5,6\n"))
    assert ratings.n_units == 2
    assert type(ratings).__name__ == "Ratings"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("d,anna,0,4,9,,x", "the target_end is missing; fill it in"),
        ("d,anna,0,4,,9,x", "the target_start is missing; fill it in"),
        ("d,anna,0,,5,9,x", "the end is missing; fill it in"),
        ("d,anna,,,,,x", "there is a label (category) but neither start nor end; fill them in"),
        ("d,anna,0,4,9|11,14,x", "the target_start has 2 positions and the target_end 1; write as many of both"),
        ("d,anna,0,4,9,3,x", "end 3 is before start 9"),
        ("d,anna,0,4,9|30,10|20,x", "end 20 is before start 30"),
        ("d,anna,0,4,9|,10|20,x", "the target_start '9|' has nothing before or after '|'; correct it"),
        ("d,anna,0,4,9|x,10|20,x", "the target_start 'x' is not a number; correct it"),
        ("d,anna,0,4,9e99,10,x", "is beyond ±2^53, where positions lose precision; use smaller numbers"),
    ],
)
def test_wrong_rows_are_named_and_can_be_skipped(file, row, message):
    path = file(RELATIONS + row + "\nd,dora,1,2,3,4,and\n")
    refusal(path, 6, message)
    bad = []
    corpus = read(path, bad=bad.append)
    assert [(error.line, message in error.message) for error in bad] == [(6, True)]
    assert anchors(corpus) == [*RELATED, ("dora", "and", (("source", 1, 2), ("target", 3, 4)))]


def test_frames(file):
    text = RELATIONS.replace("9|20,14|25", "9,14")
    expected = read(file(text))
    frame = pandas.read_csv(io.StringIO(text))
    assert unisono.from_frame(frame) == expected
    assert unisono.from_frame(polars.from_pandas(frame)) == expected
    lists = {
        "annotator": ["a", "b"],
        "start": [[0, 9], [4]],
        "end": [[2, 12], [5]],
    }
    together = Corpus.from_columns(
        annotator=["a", "b"], anchors=[[("piece", 0, 2), ("piece", 9, 12)], [("piece", 4, 5)]]
    )
    assert unisono.from_frame(polars.DataFrame(lists)) == together
    assert unisono.from_frame(pandas.DataFrame(lists)) == together
    texts = {**lists, "start": ["0|9", 4], "end": ["2|12", 5]}
    assert unisono.from_frame(pandas.DataFrame(texts)) == together
    with pytest.raises(DataError, match="the start is 'x', not a number"):
        unisono.from_frame(pandas.DataFrame({**lists, "start": [["x", 9], [4]]}))
    with pytest.raises(DataError, match=r"the start is \[\], not a number"):
        unisono.from_frame(pandas.DataFrame({**lists, "start": [[], [4]]}))


def test_parquet(file, tmp_path):
    frame = pandas.read_csv(io.StringIO(RELATIONS.replace("9|20,14|25", "9,14")))
    frame.to_parquet(tmp_path / "units.parquet")
    assert anchors(read(tmp_path / "units.parquet")) == [*RELATED[:2], ("bert", *RELATED[0][1:])]


def test_one_kind_can_be_chosen(file):
    path = file(
        "annotator,start,end,target_start,target_end,piece_start,piece_end,trigger_start,trigger_end,category\n"
        "a,0,4,9,14,,,,,R\na,,,,,1,2,,,S\na,,,,,,,6,8,E\na,,,,,,,7,8,E\n"
    )
    assert read(path).n_units == 4
    spans = read(path, units="spans")
    assert [(unit.start, unit.end, unit.category, unit.anchors) for unit in spans["units"].units] == [(1, 2, "S", ())]
    assert spans["units"].bounds == (0, 14)
    assert spans.others == {"relations": {"R": 1}, "events": {"E": 2}}
    assert [unit.category for unit in read(path, units="relations")["units"].units] == ["R"]
    assert [unit.category for unit in read(path, units="events")["units"].units] == ["E", "E"]
    with pytest.raises(DataError, match=r"there are no events, but 3 relations; leave out units"):
        read(file(), units="events")
    with pytest.raises(DataError, match=r"there are no spans, but 3 relations; read units='relations'"):
        read(file(), units="spans")


def test_roles_that_are_nearly_the_same_are_reported(file):
    path = file(
        '{"annotator": "a", "units": [{"anchors": [{"role": "Source", "start": 0, "end": 4}]}]}\n'
        '{"annotator": "b", "units": [{"anchors": [{"role": "source", "start": 0, "end": 4}]}]}\n',
        "units.jsonl",
    )
    done = run("measure", path, "-m", "gamma(precision=0.2)")
    assert "'Source' and 'source' differ only in case or spaces; are they the same role?" in done.stderr


names = st.sampled_from(["source", "target", "trigger", "Theme", "piece"])
place = st.one_of(st.integers(-5, 40), st.integers(0, 8).map(lambda n: n / 4))
anchor = st.tuples(names, place, st.integers(0, 5)).map(lambda one: (one[0], one[1], one[1] + one[2]))
unit = st.tuples(
    st.sampled_from("de"),
    st.sampled_from(["anna", "bert"]),
    st.sampled_from(["X", "Y", None]),
    st.lists(anchor, min_size=1, max_size=4),
)


@given(st.lists(unit, min_size=1, max_size=6), st.sampled_from(["csv", "tsv", "jsonl", "parquet"]))
@settings(max_examples=50, deadline=None)
def test_what_is_written_is_read_again(tmp_path_factory, drawn, suffix):
    corpus = Corpus.from_columns(
        document=[one[0] for one in drawn],
        annotator=[one[1] for one in drawn],
        features={"category": [one[2] for one in drawn]},
        anchors=[one[3] for one in drawn],
    )
    path = tmp_path_factory.mktemp("written") / f"units.{suffix}"
    try:
        unisono.write(corpus, path)
    except DataError as error:
        assume("would be read as something else" not in str(error))
        raise
    again = read(path)
    assert again == corpus
    assert contents(again)["feature order"] == contents(corpus)["feature order"]


def test_roles_that_no_table_can_have(tmp_path):
    for role in ("Theme", " target", "Start"):
        corpus = Corpus.from_columns(annotator=["a"], anchors=[[(role, 0, 1), (role, 4, 5)]])
        with pytest.raises(DataError, match=r"write JSON lines"):
            unisono.write(corpus, tmp_path / "x.csv")
        unisono.write(corpus, tmp_path / f"{role.strip()}.jsonl")
        assert read(tmp_path / f"{role.strip()}.jsonl") == corpus
    features = Corpus.from_columns(
        annotator=["a"], start=[0], end=[1], features={"target_start": ["1"], "target_end": ["2"]}
    )
    with pytest.raises(DataError, match="the column 'target_"):
        csv_writing.write(features, io.BytesIO())


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        (
            '{"start": 0, "anchors": [{"start": 0, "end": 3}]}',
            "a unit has anchors and a start, which follows from them",
        ),
        ('{"anchors": []}', "the anchors of a unit should be a list like"),
        ('{"anchors": [3]}', "the anchors of a unit should be a list like"),
        ('{"anchors": [{"start": 0}]}', "an anchor has no end; add it"),
        ('{"anchors": [{"start": 4, "end": 3}]}', "the piece of a unit ends (3) before it begins (4)"),
        ('{"anchors": [{"start": "a", "end": 3}]}', "the start of an anchor should be a finite number"),
        ('{"anchors": [{"role": 3, "start": 0, "end": 3}]}', "the role of an anchor should be a name, not 3"),
        ('{"anchors": [{"x": 3, "start": 0, "end": 3}]}', "unknown key 'x' in an anchor; available: role, start, end"),
        (
            '{"anchors": [{"role": "target", "start": 2, "end": 9}]}',
            "the target of a unit from 2 to 9 is outside the text, which has 5 characters",
        ),
    ],
)
def test_wrong_anchors_in_json_lines(tmp_path, unit, message):
    path = tmp_path / "units.jsonl"
    good = '{"document": "d", "annotator": "bert", "text": "Hello", "units": [{"start": 0, "end": 3}]}'
    path.write_text(f'{good}\n{{"document": "d", "annotator": "anna", "text": "Hello", "units": [{unit}]}}\n', "utf-8")
    refusal(path, 2, message)
    bad = []
    assert read(path, bad=bad.append).annotators == ("bert",)
    assert len(bad) == 1


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("together", [(("piece", 0, 2), ("piece", 9, 12)), (("source", 0, 1), ("target", 4, 5), ("target", 7, 8))]),
        ("whole", [(), (("source", 0, 1), ("target", 4, 8))]),
        ("main", [(), (("source", 0, 1), ("target", 4, 5))]),
        ("pieces", [(), (), (("source", 0, 1), ("target", 4, 5), ("target", 7, 8))]),
        ("drop", []),
    ],
)
def test_pieces_can_be_read_in_other_ways(tmp_path, how, expected):
    event = [("Theme", 0, 1), ("Theme", 2, 3), ("trigger", 5, 6)]
    corpus = Corpus.from_columns(
        annotator=["a"] * 4,
        features={"category": ["X", "Y", "Z", "P"]},
        anchors=[
            [("piece", 0, 2), ("piece", 9, 12)],
            [("source", 0, 1), ("target", 4, 5), ("target", 7, 8)],
            event,
            [("piece", 3, 4)],
        ],
    )
    for name in ("units.jsonl", "units.csv"):
        unisono.write(corpus, tmp_path / name)
        again = read(tmp_path / name, discontinuous=how)
        units = sorted(next(iter(again)).units, key=lambda unit: (unit.category, unit.start))
        assert [unit.anchors for unit in units if unit.category in ("X", "Y")] == expected
        assert [unit.anchors for unit in units if unit.category in ("P", "Z")] == [(), tuple(event)]
        n = again.dropped.get(f"units in several pieces, {READ_AS[how]}", 0)
        assert n == {"together": 0, "pieces": 1}.get(how, 2)
    assert [(u.start, u.end) for u in units if u.category == "X"] == {
        "together": [(0, 12)],
        "whole": [(0, 12)],
        "main": [(0, 2)],
        "pieces": [(0, 2), (9, 12)],
        "drop": [],
    }[how]
