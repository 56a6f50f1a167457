"""The desk: decisions are kept before the answer, survive restarts and changes, and come back in the gold standard."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from gold_helpers import made, units_of

import unisono
from unisono.adjudication import decision_files
from unisono.adjudication.adjudicators import decided_data
from unisono.app.desk import DECIDED, DISPUTED, OPEN, SKIPPED, ConflictError, Desk
from unisono.app.giving import Giving
from unisono.app.item_views import ItemViews
from unisono.app.unit_views import UnitViews
from unisono.app.views import views_of
from unisono.app.work import draft_of
from unisono.data import Corpus, Ratings
from unisono.errors import DataError

ROWS = [
    ("anna", 0, 10, "X"),
    ("bert", 1, 12, "Y"),
    ("chris", 4, 13, "Z"),
    ("anna", 30, 40, "X"),
    ("bert", 30, 40, "Y"),
    ("chris", 60, 70, "Z"),
]


@pytest.fixture
def at_desk():
    """Give desks for a draft, and close their files in the end."""
    desks = []

    def opened(path, rows=ROWS, data=None):
        desks.append(Desk(unisono.gold(made(rows) if data is None else data), path))
        return desks[-1]

    yield opened
    for one in desks:
        one.close()


@pytest.fixture
def desk(at_desk, tmp_path):
    return at_desk(tmp_path / "lena.decisions.jsonl")


def units(*found):
    return {
        "decision": "units",
        "took": "edited",
        "by": "lena",
        "units": [{"start": start, "end": end, "features": {"category": label}} for start, end, label in found],
    }


def place_at(desk, start):
    return next(number for number, one in enumerate(desk.draft.proposals) if one.row.start == start)


def test_a_decision_is_on_the_disk_when_it_is_answered(desk):
    number = place_at(desk, 30)
    made = desk.decide(number, units((30, 40, "X")), seen="")
    last = json.loads(desk.path.read_text("utf-8").splitlines()[-1])
    assert last["id"] == made.id
    assert last["place"]["units"] == [["anna", 30, 40, {"category": "X"}], ["bert", 30, 40, {"category": "Y"}]]
    assert last["units"] == [{"start": 30, "end": 40, "features": {"category": "X"}}]
    assert (last["by"], last["took"]) == ("lena", "edited")
    assert desk.status(number) == DECIDED


def test_the_desk_goes_on_where_it_was(desk, at_desk):
    first, second, third = desk.queue
    desk.decide(first, units((0, 9, "X")), seen="")
    desk.decide(second, {"decision": "skip"}, seen="")
    desk.close()
    again = at_desk(desk.path)
    assert [again.status(number) for number in again.queue] == [DECIDED, SKIPPED, OPEN]
    assert again.progress() == {"decided": 1, "skipped": 1, "left": 1, "more": 0, "seconds": None}
    assert again.undo("lena") == second
    assert again.undo("lena") == first
    assert again.undo("lena") is None
    assert again.progress()["left"] == 3
    again.decide(third, units(), seen="")
    again.close()
    assert at_desk(desk.path).latest(third).units == ()


def test_what_was_decided_is_the_gold_standard(desk):
    desk.decide(place_at(desk, 0), units((2, 11, "Z")), seen="")
    desk.decide(place_at(desk, 30), units((30, 34, "X"), (34, 40, "Y")), seen="")
    desk.decide(place_at(desk, 60), units(), seen="")
    found = desk.settled()
    expected = [("document", 2, 11, "Z"), ("document", 30, 34, "X"), ("document", 34, 40, "Y")]
    assert units_of(found.plain) == expected
    assert units_of(unisono.gold(made(ROWS), decisions=desk.path).plain) == expected


def test_a_place_that_was_decided_in_another_window_is_not_decided_again(desk):
    number = desk.queue[0]
    kept = desk.decide(number, units((0, 9, "X")), seen="")
    with pytest.raises(ConflictError, match="another window"):
        desk.decide(number, units((0, 8, "Y")), seen="")
    assert len(desk.path.read_text("utf-8").splitlines()) == 1
    desk.decide(number, units((0, 8, "Y")), seen=kept.id)
    assert desk.latest(number).units[0].end == 8


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (units((0.5, 9, "X")), "whole positions"),
        (units((9, 3, "X")), "before it begins"),
        (units((0, 9, {"x": 1})), "label should be"),
        ({"decision": "units", "units": [{"start": 0, "end": 5, "features": {"other": "X"}}]}, "no feature 'other'"),
        ({"decision": "units", "units": "none"}, "should be a list"),
        ({"decision": "label", "label": "X"}, "expected one of units, skip"),
        ({"decision": "undo"}, "expected one of units, skip"),
        ({"decision": "units", "units": [], "note": 7}, '"note" should be text'),
        ({}, "should be one of"),
    ],
)
def test_a_decision_that_makes_no_sense_is_not_kept(desk, entry, why):
    with pytest.raises(DataError, match=why):
        desk.decide(desk.queue[0], entry, seen="")
    assert not desk.path.exists()
    assert desk.status(desk.queue[0]) == OPEN


def test_a_full_disk_is_told_and_the_decision_does_not_count(desk, monkeypatch):
    first, second = desk.queue[:2]
    desk.decide(first, units((0, 9, "X")), seen="")
    before = desk.path.read_bytes()

    def full(number):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(decision_files.os, "fsync", full)
        with pytest.raises(DataError, match=r"could not be saved .* free some space, and decide again"):
            desk.decide(second, units(), seen="")
    assert desk.path.read_bytes() == before
    assert desk.status(second) == OPEN
    assert desk.progress()["decided"] == 1
    desk.decide(second, units(), seen="")
    assert desk.progress()["decided"] == 2


def test_a_file_that_was_taken_away_is_noticed(desk):
    first, second = desk.queue[:2]
    desk.decide(first, units((0, 9, "X")), seen="")
    desk.path.rename(desk.path.with_name("elsewhere.jsonl"))
    with pytest.raises(DataError, match="moved or deleted"):
        desk.decide(second, units(), seen="")
    assert desk.status(second) == OPEN


def test_two_programs_do_not_write_at_once(desk, at_desk):
    other = at_desk(desk.path)
    desk.decide(desk.queue[0], units((0, 9, "X")), seen="")
    with pytest.raises(DataError, match="another program"):
        other.decide(other.queue[1], units(), seen="")


def test_places_that_have_changed_are_offered_again_with_what_was_decided(desk, at_desk):
    for number in desk.queue:
        desk.decide(number, units((2, 9, "X")) if number == place_at(desk, 0) else units(), seen="")
    desk.close()
    changed = at_desk(desk.path, [("anna", 0, 11, "X"), *ROWS[1:]])
    number = place_at(changed, 0)
    assert changed.status(number) == OPEN
    assert changed.progress()["decided"] == 2
    assert any("1 earlier decision" in note for note in changed.notes)
    (earlier,) = UnitViews(changed, changed.draft).place(number)["earlier"]
    assert earlier["words"] == "2..9 X"
    assert UnitViews(changed, changed.draft).place(place_at(changed, 60))["earlier"] == []
    assert not [one for one in changed.settled().plain.start.tolist() if one == 2]


def test_lines_of_a_file_that_somebody_changed_do_no_harm(desk, at_desk):
    strange = {"document": "document", "units": [["anna", "x"], 3, None]}
    line = {"id": "1", "time": "yesterday", "place": strange, "decision": "units", "units": []}
    desk.path.write_text(json.dumps(line) + "\n" + '{"half', "utf-8")
    again = at_desk(desk.path)
    assert UnitViews(again, again.draft).place(0)["earlier"] == []
    assert any("not complete" in note for note in again.notes)
    again.decide(again.queue[0], units((0, 9, "X")), seen="")
    again.close()
    assert at_desk(desk.path).progress()["decided"] == 1


def test_the_pace_tells_how_long_the_rest_takes(at_desk, tmp_path):
    rows = [(who, 20 * k, 20 * k + 9, label) for k in range(7) for who, label in (("anna", "X"), ("bert", "Y"))]
    path = tmp_path / "d.jsonl"
    places = at_desk(path, rows).places
    seconds = (0, 4, 8, 14, 50)
    lines = [
        {"id": str(k), "time": f"2026-11-16T10:00:{second:02}.000+00:00", "place": place, "decision": "skip"}
        for k, (second, place) in enumerate(zip(seconds, places, strict=False))
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    again = at_desk(path, rows)
    assert again.progress()["seconds"] == 2 * 5, "two are left, and the median of 4, 4, 6 and 36 seconds is 5"
    again.undo("")
    again.undo("")
    assert again.progress()["seconds"] is None, "two pauses are too few"


def test_views_have_everything_that_the_page_needs(desk):
    views = UnitViews(desk, desk.draft)
    seen = views.overview()
    assert seen["annotators"] == ["anna", "bert", "chris"]
    assert [one["name"] for one in seen["features"]] == ["category"]
    assert [[value, n] for value, _, n, _ in seen["features"][0]["labels"]] == [["X", 2], ["Y", 2], ["Z", 2]]
    assert [row[6] for row in seen["rows"]] == [
        "anna: X; bert: Y; chris: Z",
        "anna: X; bert: Y; chris: no unit",
        "chris: Z; others: no unit",
    ]
    place = views.place(place_at(desk, 30))
    assert place["units"]["0"] == {"start": 30, "end": 40, "features": {"category": "X"}}
    assert place["units"]["2"] is None
    assert place["draft"]["ties"] == {"category": ["X", "Y"]}
    assert place["pieces"] is None
    assert json.loads(json.dumps(place, allow_nan=False)) == place


def test_where_people_differ_somebody_decides_again(desk, at_desk, tmp_path):
    tom, lena = at_desk(tmp_path / "tom.decisions.jsonl"), desk
    first, second, third = (place_at(lena, start) for start in (0, 30, 60))
    for who, at in ((lena, "lena"), (tom, "tom")):
        who.decide(first, {**units((0, 10, "X")), "by": at}, seen="")
        who.decide(second, {**units((30, 40, "X" if at == "lena" else "Y")), "by": at}, seen="")
    tom.decide(third, {**units(), "by": "tom"}, seen="")
    files = tmp_path / "agreed.decisions.jsonl", [tmp_path / f"{who}.decisions.jsonl" for who in ("lena", "tom")]
    agreed = Desk(lena.draft, *files[:1], others=files[1])
    assert [agreed.status(number) for number in (first, second, third)] == [DECIDED, DISPUTED, DECIDED]
    assert agreed.queue[0] == second
    assert (agreed.progress()["left"], agreed.progress()["disputed"]) == (1, 1)
    assert "2 places decided by several people (lena, tom), who agree on 1 (50%)" in agreed.notes
    place = UnitViews(agreed, agreed.draft).place(second)
    assert [one["by"] for one in place["differing"]] == ["lena", "tom"]
    assert place["why"][0] == "decided differently by lena and tom"
    agreed.decide(second, {"decision": "skip"}, seen="")
    assert agreed.status(second) == SKIPPED
    made = agreed.decide(second, units((30, 39, "Y")), seen=agreed.latest(second).id)
    assert len(made.replaces) == 2
    assert (agreed.status(second), agreed.progress()["disputed"]) == (DECIDED, 0)
    ends = [(one.start, one.end, one.labels["category"]) for one in agreed.settled().drafted]
    assert ends == [(0, 10, "X"), (30, 39, "Y")]
    agreed.undo("")
    agreed.close()
    assert Desk(lena.draft, *files[:1], others=files[1]).status(second) == SKIPPED


def test_people_who_decided_are_measured_like_annotators(desk, at_desk, tmp_path):
    tom = at_desk(tmp_path / "tom.decisions.jsonl")
    for who, at, end in ((desk, "lena", 10), (tom, "tom", 12)):
        who.decide(place_at(desk, 0), {**units((0, end, "X")), "by": at}, seen="")
    desk.decide(place_at(desk, 30), units((30, 40, "X")), seen="")  # tom did not get there
    data = decided_data(desk.draft, [desk.history, tom.history])
    assert [(one.annotator, one.start, one.end) for document in data for one in document.units] == [
        ("lena", 0, 10),
        ("tom", 0, 12),
    ]
    assert unisono.gamma(data).value is not None
    with pytest.raises(DataError, match="no place on which all"):
        decided_data(desk.draft, [desk.history, decision_files.History(tmp_path / "nobody.jsonl")])


def test_labels_that_all_units_have_are_kept_but_tell_nothing_apart(at_desk):
    columns = {"annotator": ["anna", "bert"], "start": [0.25, 0.5], "end": [1.5, 2.125]}
    corpus = Corpus.from_columns(**columns, features={"type": ["Entity", "Entity"], "value": ["X", "Y"]})
    desk = at_desk(Path("nowhere.jsonl"), data=corpus)
    seen = UnitViews(desk, desk.draft).overview()
    assert [(one["name"], one["same"]) for one in seen["features"]] == [("value", False), ("type", True)]
    assert not seen["whole"]
    assert [row[6] for row in seen["rows"]] == ["anna: X; bert: Y"]
    assert UnitViews(desk, desk.draft).place(0)["units"]["0"]["features"] == {"value": "X", "type": "Entity"}


def test_long_places_are_shown_near_their_boundaries(at_desk):
    text = "word " * 4000
    rows = [(who, 100, end, "X") for who, end in (("anna", 15_000), ("bert", 19_000))]
    corpus = made(rows, texts={("document", who): text for who in ("anna", "bert")})
    desk = at_desk(Path("nowhere.jsonl"), data=corpus)
    place = UnitViews(desk, desk.draft).place(0)
    assert [begin for begin, _ in place["pieces"]] == [0, 14_700, 18_700]
    assert all(text[begin : begin + len(piece)] == piece for begin, piece in place["pieces"])


def test_positions_may_count_tokens(at_desk):
    texts = {("document", who): "the old ferry left" for who in ("anna", "bert")}
    corpus = unisono.prepare(made([("anna", 4, 7, "X"), ("bert", 4, 13, "X")], texts=texts), positions="tokens")
    desk = at_desk(Path("nowhere.jsonl"), data=corpus)
    place = UnitViews(desk, desk.draft).place(0)
    assert (place["start"], place["end"]) == (1, 3)
    assert place["tokens"] == [0, [[0, 3], [4, 7], [8, 13], [14, 18]]]
    assert place["pieces"] == [[0, "the old ferry left"]]


def test_labels_of_items_are_decided(at_desk, tmp_path):
    data = Ratings.from_annotators({"anna": ["x", "x", "y"], "bert": ["x", "y", "y"], "chris": ["x", "z", "y"]})
    desk = at_desk(tmp_path / "d.jsonl", data=data)
    assert desk.queue == [1]
    views = ItemViews(desk, desk.draft)
    assert views.overview()["rows"][1][6] == "anna: x; bert: y; chris: z"
    assert views.place(1)["labels"] == {"0": "x", "1": "y", "2": "z"}
    desk.decide(1, {"decision": "label", "label": "z", "took": "annotator:chris"}, seen="")
    assert desk.settled().joint.label == ["x", "z", "y"]
    assert desk.progress()["decided"] == 1
    with pytest.raises(DataError, match="expected one of label, skip"):
        desk.decide(1, {"decision": "units", "units": []}, seen=desk.latest(1).id)


TEXT = "Anna met Bert in Rome with Cleo."


@pytest.fixture
def related():
    """Make a corpus of two annotators whose relations end differently."""
    ends = [
        ("anna", (0, 4), (9, 13)),
        ("bert", (0, 4), (27, 31)),
        ("anna", (17, 21), (9, 13)),
        ("bert", (17, 21), (9, 13)),
    ]
    return Corpus.from_columns(
        annotator=[who for who, *_ in ends],
        anchors=[[("source", *source), ("target", *target)] for _, source, target in ends],
        features={"category": ["met", "met", "in", "in"]},
        texts={("document", who): TEXT for who in ("anna", "bert")},
    )


def test_relations_are_decided_end_by_end(at_desk, related, tmp_path):
    desk = at_desk(tmp_path / "d.jsonl", data=related)
    (number,) = desk.queue
    views = UnitViews(desk, desk.draft)
    assert views.overview()["roles"] == ["source", "target"]
    assert views.overview()["rows"][number][6:8] == ["all: met; target Bert or Cleo", "Anna → Bert"]
    place = views.place(number)
    assert place["why"] == ["target: Bert or Cleo"]
    assert place["units"]["1"]["ends"] == [["source", 0, 4], ["target", 27, 31]]
    assert place["stretches"] == [[0, 4], [9, 13], [17, 21], [27, 31]]
    assert {tuple(one) for one in place["beside"]} == {(0, "in", "Rome → Bert"), (1, "in", "Rome → Bert")}
    assert json.loads(json.dumps(place, allow_nan=False)) == place
    anchors = [{"role": "source", "start": 0, "end": 4}, {"role": "target", "start": 17, "end": 21}]
    unit = {"anchors": anchors, "features": {"category": "met"}}
    wrong = {"anchors": [anchors[0], {"role": "target", "start": 17, "end": 99}], "features": {}}
    with pytest.raises(DataError, match="outside document"):
        desk.decide(number, {"decision": "units", "units": [wrong]}, seen="")
    desk.decide(number, {"decision": "units", "units": [unit], "took": "edited"}, seen="")
    assert views.place(number)["decision"]["units"][0]["ends"] == [["source", 0, 4], ["target", 17, 21]]
    assert [[tuple(one) for one in unit.anchors] for unit in desk.settled().plain["document"].units] == [
        [("source", 0, 4), ("target", 17, 21)],
        [("source", 17, 21), ("target", 9, 13)],
    ]
    desk.close()
    assert at_desk(desk.path, data=related).progress()["decided"] == 1


VERSIONS = {
    "anna": ("im Bund, er", [(0, 2, "P"), (3, 7, "N"), (7, 8, "Z"), (9, 11, "R")]),
    "bert": ("in Band, er", [(0, 2, "P"), (3, 7, "N"), (7, 8, "Z"), (9, 11, "V")]),
}


@pytest.fixture
def editions():
    """Make a corpus of two annotators who corrected a text."""
    rows = [(who, *unit) for who, (_, units) in VERSIONS.items() for unit in units]
    return Corpus.from_columns(
        document=["d"] * len(rows),
        annotator=[who for who, *_ in rows],
        start=[start for _, start, _, _ in rows],
        end=[end for _, _, end, _ in rows],
        features={"pos": [label for *_, label in rows]},
        texts={("d", who): text for who, (text, _) in VERSIONS.items()},
    )


def test_texts_that_differ_are_decided_with_their_tokens(at_desk, editions, tmp_path):
    desk = at_desk(tmp_path / "d.jsonl", data=editions)
    views = views_of(desk)
    seen = views.overview()
    assert (seen["sort"], seen["kinds"]) == ("texts", ["texts", "tie of labels"])
    assert [seen["rows"][number][6] for number in desk.queue] == [
        "anna: im; bert: in",
        "anna: Bund; bert: Band",
        "er – anna: R; bert: V",
    ]
    _, second, third = desk.queue
    place = views.place(second)
    assert "".join(text for text, _ in place["after"]) == ", er"
    assert [text for text, is_open in place["before"] if is_open] == ["im"]
    assert place["versions"]["1"] == {"text": "Band", "tokens": [{"start": 0, "end": 4, "features": {"pos": "N"}}]}
    assert place["draft"]["is_tied"] is True
    assert views.place(third)["draft"]["tokens"][0]["ties"] == {"pos": ["R", "V"]}
    assert json.loads(json.dumps(place, allow_nan=False)) == place
    entry = {"decision": "text", "text": "Bd.", "tokens": [{"start": 0, "end": 3, "features": {"pos": "N"}}]}
    for wrong, why in (
        ({"tokens": [{"start": 0, "end": 9}]}, "outside the text"),
        ({"tokens": [{"start": 0, "end": 3, "features": {"lemma": "Band"}}]}, "no feature 'lemma'"),
        ({"decision": "units", "units": []}, "expected one of text, skip"),
    ):
        with pytest.raises(DataError, match=why):
            desk.decide(second, {**entry, **wrong}, seen="")
    desk.decide(second, {**entry, "took": "edited"}, seen="")
    assert desk.settled().texts["d"] == "im Bd., er"
    assert "".join(text for text, _ in views.place(third)["before"]) == "im Bd., "
    desk.close()
    again = at_desk(desk.path, data=editions)
    assert again.progress()["decided"] == 1
    again.undo("lena")
    assert again.progress()["left"] == 3


def test_relations_are_drafted_and_given_back_with_the_spans_that_they_join(tmp_path):
    text = "Anna met Bert in Rome."
    for who, target in (("anna", "T2"), ("bert", "T3")):
        folder = tmp_path / "data" / who
        folder.mkdir(parents=True)
        (folder / "d.txt").write_text(text, encoding="utf-8")
        spans = ["T1\tPER 0 4\tAnna", "T2\tPER 9 13\tBert", "T3\tLOC 17 21\tRome", f"R1\tmet Arg1:T1 Arg2:{target}"]
        (folder / "d.ann").write_text("\n".join(spans) + "\n", encoding="utf-8")
    paths, reading = [tmp_path / "data"], {"units": "relations"}
    corpus, decisions = unisono.read(paths[0], units="relations"), tmp_path / "d.jsonl"
    draft = draft_of(corpus, {}, paths, reading, [decisions], tell=lambda done, total: None)
    assert draft.spans.n_units == 3
    place = UnitViews(Desk(draft, decisions), draft).place(0)
    assert place["why"] == ["target: Bert or Rome"]
    assert place["stretches"] == [[0, 4], [9, 13], [17, 21]]
    assert Giving(draft).write(tmp_path / "gold", "brat") == []
    (written,) = (tmp_path / "gold").rglob("*.ann")
    assert written.read_text("utf-8").count("PER") == 2

    spans = Desk(unisono.gold(unisono.read(paths[0], units="spans")), decisions)
    last = next(number for number, one in enumerate(spans.draft.proposals) if one.start == 17)
    spans.decide(last, units((17, 22, "LOC")), seen="")
    spans.close()
    draft = draft_of(corpus, {}, paths, reading, [decisions], tell=lambda done, total: None)
    assert draft.spans.end.tolist() == [4, 13, 22], (
        "what was decided about spans counts for the relations that join them"
    )
    relations = Desk(draft, decisions)
    assert relations.notes == ["ends of relations are among the 3 spans that were drafted first"]
    done = unisono.gold(corpus, spans=unisono.read(paths[0], units="spans"), decisions=decisions)
    assert done.spans.end.tolist() == [4, 13, 22]
    assert not any("not used" in note for note in done.notes)


def test_an_end_that_is_no_unit_of_the_gold_standard_is_quoted(related, tmp_path):
    only = Corpus.from_columns(annotator=["gold"], start=[0], end=[4])
    desk = Desk(unisono.gold(related, spans=only), tmp_path / "d.jsonl")
    whys = [UnitViews(desk, desk.draft).place(number)["why"] for number in desk.queue]
    desk.close()
    assert ["source Rome is not a unit of the gold standard", "target Bert is not a unit of the gold standard"] in whys


def test_events_are_named_by_their_trigger_and_arguments(at_desk, tmp_path):
    text, sold, who = "The company sold its plant.", ("trigger", 12, 16), ("seller", 4, 11)
    anchors = [[sold, who], [sold, who, ("thing", 21, 26)]]
    corpus = Corpus.from_columns(
        annotator=["anna", "bert"],
        anchors=anchors,
        features={"category": ["SELL", "SELL"]},
        texts={("document", one): text for one in ("anna", "bert")},
    )
    desk = at_desk(tmp_path / "d.jsonl", data=corpus)
    (row,) = UnitViews(desk, desk.draft).overview()["rows"]
    assert row[6:8] == ["all: SELL; thing plant or none", "sold (seller company)"]
