"""brat: relations, events, and units in several pieces as one."""

from __future__ import annotations

import pytest
from format_helpers import refusal
from hypothesis import given, settings
from hypothesis import strategies as st
from test_brat import ANN, TEXT

import unisono
from unisono.formats import read

SPANS = "T1\tOrg 0 4\tSony\nT2\tOrg 9 17\tEricsson\nT3\tMerge 26 31\tmerge\nT4\tLoc 60 64\tPerú\n"

NORTH = "T1\tLoc 33 38;49 56\tNorth America\nT2\tLoc 60 64\tPerú\nT3\tOrg 0 4\tSony\n"


@pytest.fixture
def file(tmp_path):
    def make(ann=ANN, text=TEXT):
        path = tmp_path / "text1.ann"
        path.write_text(ann, "utf-8", newline="")
        path.with_suffix(".txt").write_text(text, "utf-8", newline="")
        return path

    return make


def composite(corpus):
    return [
        (unit.category, *[(role, TEXT[start:end]) for role, start, end in unit.anchors])
        for document in corpus
        for unit in document.units
    ]


def test_relations(file):
    corpus = read(file(), units="relations")
    assert composite(corpus) == [("Alias", ("source", "Sony"), ("target", "Ericsson"))]
    assert corpus["text1"].units[0].features["Sure"] is True
    assert corpus.others == {"events": {"Merge": 1}, "spans": {"Org": 2, "Merge": 1, "Loc": 3}}
    assert ("units", "relations") in corpus.preparation


def test_events(file):
    corpus = read(file(), units="events")
    assert composite(corpus) == [("Merge", ("Org", "Sony"), ("Org", "Ericsson"), ("trigger", "merge"))]
    assert {name: label for name, label in corpus["text1"].units[0].features.items() if label is not None} == {
        "category": "Merge",
        "Negation": True,
        "Confidence": "L1",
    }


def test_spans_are_what_they_were(file):
    assert read(file(), units="spans") == read(file())


def test_the_order_of_the_ends_is_that_of_their_names(file):
    ann = SPANS + "R1\tIn Arg2:T1 Arg1:T4\t\nR2\tIn Anaphora:T2 Antecedent:T1\n"
    assert sorted(composite(read(file(ann), units="relations"))) == [
        ("In", ("source", "Ericsson"), ("target", "Sony")),
        ("In", ("source", "Perú"), ("target", "Sony")),
    ]


def test_arguments_that_are_events_are_at_their_triggers_and_relations_from_end_to_end(file):
    ann = (
        SPANS
        + "E1\tMerge:T3 Org1:T1\nE2\tDeny:T4 Theme:E1 About:R1\nR1\tAlias Arg1:T1 Arg2:T2\nR2\tOf Arg1:E2 Arg2:R1\n"
    )
    assert sorted(composite(read(file(ann), units="events"))) == [
        ("Deny", ("About", "Sony and Ericsson"), ("Theme", "merge"), ("trigger", "Perú")),
        ("Merge", ("Org", "Sony"), ("trigger", "merge")),
    ]
    assert sorted(composite(read(file(ann), units="relations"))) == [
        ("Alias", ("source", "Sony"), ("target", "Ericsson")),
        ("Of", ("source", "Perú"), ("target", "Sony and Ericsson")),
    ]


def test_events_that_are_arguments_of_each_other_are_at_their_triggers(file):
    ann = SPANS + "E1\tMerge:T3 Theme:E2\nE2\tDeny:T4 Theme:E1\n"
    assert sorted(composite(read(file(ann), units="events"))) == [
        ("Deny", ("Theme", "merge"), ("trigger", "Perú")),
        ("Merge", ("Theme", "Perú"), ("trigger", "merge")),
    ]


def test_relations_that_point_at_each_other_are_refused_by_name(file):
    ann = SPANS + "R1\tOf Arg1:T1 Arg2:R2\nR2\tOf Arg1:R1 Arg2:T2\nR3\tOf Arg1:T1 Arg2:T2\n"
    message = "R1 and R2 point at each other, so they have no place in the text; correct one of them"
    refusal(file(ann), 5, message, units="relations")
    bad = []
    assert composite(read(file(ann), units="relations", bad=bad.append)) == [
        ("Of", ("source", "Sony"), ("target", "Ericsson"))
    ]
    assert len(bad) == 2


def test_missing_ends_are_counted_and_the_first_is_named(file):
    ann = SPANS + "R1\tOf Arg1:T1 Arg2:T9\nR2\tOf Arg1:T8 Arg2:T2\nR3\tOf Arg1:T1 Arg2:T2\nE1\tMerge:T7 Org1:T1\n"
    corpus = read(file(ann), units="relations")
    assert composite(corpus) == [("Of", ("source", "Sony"), ("target", "Ericsson"))]
    assert corpus.dropped == {
        "relations without one of their ends, for example R1 (text1.ann, line 5): its target T9 is not there": 2
    }
    assert read(file(ann)).dropped == {}
    events = file(ann + "E2\tMerge:T3 Org1:T1\n")
    assert read(events, units="events").dropped == {
        "events without one of their ends, for example E1 (text1.ann, line 8): its trigger T7 is not there": 1
    }


def test_missing_ends_of_several_files_are_one_count(tmp_path):
    for who in ("anna", "bert"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "text1.txt").write_text(TEXT, "utf-8")
        (tmp_path / who / "text1.ann").write_text(SPANS + "R1\tOf Arg1:T1 Arg2:T9\nR2\tOf Arg1:T1 Arg2:T2\n", "utf-8")
    assert read(tmp_path, units="relations").dropped == {
        "relations without one of their ends, for example R1 (anna, text1.ann, line 5): its target T9 is not there": 2
    }


def test_ends_outside_the_text_are_named_and_can_be_skipped(file):
    ann = SPANS + "T5\tOrg 70 80\tx\nR1\tOf Arg1:T1 Arg2:T5\nR2\tOf Arg1:T1 Arg2:T2\n"
    message = "T5 is from 70 to 80, not within the text, which has 65 characters; correct"
    refusal(file(ann), 5, message, units="relations")
    bad = []
    corpus = read(file(ann), units="relations", bad=bad.append)
    assert [error.line for error in bad] == [5]
    assert composite(corpus) == [("Of", ("source", "Sony"), ("target", "Ericsson"))]
    assert "for example R1 (text1.ann, line 6): its target T5 is not there" in " ".join(corpus.dropped)


@pytest.mark.parametrize("line", ["R1\tOf", "R1\tOf Arg1:T1", "R1\tOf T1 T2", "R1\tOf Arg1:T1 Arg2:T2 Arg3:T3"])
def test_relations_that_are_none(file, line):
    message = "the relation R1 should look like R1, a tab, and Type Arg1:T1 Arg2:T2; correct it"
    refusal(file(SPANS + line + "\n"), 5, message, units="relations")
    assert read(file(SPANS + line + "\n")).others == {"relations": {"Of": 1}}


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("together", [("source", "North"), ("source", "America"), ("target", "Perú")]),
        ("whole", [("source", "North and South\nAmerica"), ("target", "Perú")]),
        ("main", [("source", "North"), ("target", "Perú")]),
        ("pieces", [("source", "North"), ("source", "America"), ("target", "Perú")]),
    ],
)
def test_ends_in_pieces(file, how, expected):
    ann = NORTH + "R1\tIn Arg1:T2 Arg2:T1\nR2\tIn Arg1:T1 Arg2:T2\n"
    corpus = read(file(ann), units="relations", discontinuous=how)
    assert ("In", *expected) in composite(corpus)


def test_relations_with_an_end_in_pieces_can_be_left_out(file):
    ann = NORTH + "R1\tIn Arg1:T2 Arg2:T1\nR2\tIn Arg1:T3 Arg2:T2\n"
    corpus = read(file(ann), units="relations", discontinuous="drop")
    assert composite(corpus) == [("In", ("source", "Sony"), ("target", "Perú"))]
    assert corpus.dropped == {"relations with an end in several pieces, left out": 1}


def test_units_in_pieces_together(file):
    corpus = read(file())
    (unit,) = [unit for unit in corpus["text1"].units if unit.anchors]
    assert unit.anchors == (("piece", 33, 38), ("piece", 49, 56))
    assert not any("pieces" in what for what in corpus.dropped)
    whole = read(file(), discontinuous="whole")
    assert (whole.anchors, whole.n_units) == (None, corpus.n_units)
    assert (corpus.preparation, whole.preparation) == ((), (("discontinuous", "whole"),))


@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_damage_to_one_line_leaves_the_others(tmp_path_factory, data):
    """Whatever one line of a relation becomes, all other relations stay as they are."""
    folder = tmp_path_factory.mktemp("brat")
    lines = [f"R{n}\tOf Arg1:T{1 + n % 4} Arg2:T{1 + (n + 1) % 4}" for n in range(6)]
    number = data.draw(st.integers(0, 5))
    whole = lines[number]
    cut = data.draw(st.integers(0, len(whole)))
    lines[number] = whole[:cut] + data.draw(st.text("RT1 :\tArgx", max_size=4)) + whole[cut + 1 :]
    for ann, name in ((lines, "damaged"), (lines[:number] + lines[number + 1 :], "others")):
        (folder / f"{name}.txt").write_text(TEXT, "utf-8")
        (folder / f"{name}.ann").write_text(SPANS + "\n".join(ann) + "\n", "utf-8")
    bad = []
    damaged = composite(read(folder / "damaged.ann", units="relations", bad=bad.append))
    for unit in composite(read(folder / "others.ann", units="relations")):
        assert unit in damaged
    assert len(damaged) <= 6


def test_relations_stay_the_same_in_json_lines(file, tmp_path):
    relations = read(file(), units="relations")
    unisono.write(relations, tmp_path / "relations.jsonl")
    assert read(tmp_path / "relations.jsonl") == relations


@pytest.mark.parametrize("units", ["spans", "relations", "events"])
def test_what_is_written_for_brat_is_read_again(file, tmp_path, units):
    corpus = read(file(ANN.replace("very high", "high").replace("Referent:", "").replace("A:1", "Q1")), units=units)
    said = unisono.write(corpus, tmp_path / "out", format="brat")
    assert not any("pieces" in sentence or "ends" in sentence for sentence in said)
    again = read(tmp_path / "out", units=units)
    assert composite(again) == composite(corpus)
    assert [unit.anchors for unit in again["text1"].units] == [unit.anchors for unit in corpus["text1"].units]
    (configuration,) = (tmp_path / "out").glob("annotation.conf")
    said = configuration.read_text("utf-8")
    assert ("Alias\tArg1:<ENTITY>, Arg2:<ENTITY>" in said) == (units == "relations")
    assert ("Merge\tOrg*:<ENTITY>" in said) == (units == "events")


def test_spans_are_triggers_and_arguments_also_in_pieces(tmp_path):
    anchors = [
        [("piece", 0, 4), ("piece", 9, 17)],
        [("piece", 5, 8)],
        [("trigger", 5, 8), ("Org", 0, 4), ("Org", 9, 17), ("Org", 18, 20)],
    ]
    labels = {"category": ["Pair", "Merge", "Merge"]}
    texts = {("text1", "a"): TEXT}
    corpus = unisono.Corpus.from_columns(
        document=["text1"] * 3, annotator=["a"] * 3, features=labels, anchors=anchors, texts=texts
    )
    unisono.write(corpus, tmp_path / "out", format="brat")
    lines = (tmp_path / "out/a/text1.ann").read_text("utf-8").splitlines()
    assert [line.split("\t")[1] for line in lines] == [
        "Pair 0 4;9 17",
        "Merge 5 8",
        "End 18 20",
        "Merge:T2 Org:T1 Org2:T3",
    ]
    (event,) = read(tmp_path / "out", units="events")["text1"].units
    assert {tuple(one) for one in event.anchors} == set(anchors[2])


def test_what_brat_cannot_hold_is_said(tmp_path):
    corpus = unisono.Corpus.from_columns(
        annotator=["a", "a"],
        features={"category": ["X", "Y"]},
        anchors=[[("source", 0, 4)], [("trigger", 9, 17), ("p1", 0, 4)]],
        texts={("document", "a"): TEXT},
    )
    assert unisono.write(corpus, tmp_path / "out", format="brat") == [
        "relations in brat have a source and a target; not written, because one is missing: 1 relation",
        "roles of arguments that will be read differently: p1",
    ]
    for name, title in (("x.conll", "IOB"), ("x.spacy", "DocBin")):
        with pytest.raises(
            unisono.DataError, match=f"relations and events are not written as .*{title}.*; write jsonl"
        ):
            unisono.write(corpus, tmp_path / name)
        assert not (tmp_path / name).exists()
