"""What people decide: files that survive crashes, merging, and what becomes of the draft."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from contextlib import closing

import pytest
from commands import run
from gold_helpers import made, units_of
from hypothesis import given, settings
from hypothesis import strategies as st

import unisono
from unisono.adjudication import decision_files
from unisono.adjudication.decision_files import DecisionLog, History, merged_decisions, read_decisions
from unisono.adjudication.decisions import (
    DECISION_KINDS,
    DecidedUnit,
    PlaceDecision,
    parsed_decision,
    places_of_items,
    places_of_units,
)
from unisono.errors import DataError, OptionError

ROWS = [
    ("anna", 0, 10, "X"),
    ("bert", 1, 12, "Y"),
    ("chris", 4, 13, "X"),
    ("anna", 30, 40, "X"),
    ("bert", 30, 40, "Y"),
    ("chris", 60, 70, "Z"),
]
RATINGS = {"anna": ["x", "x", "y"], "bert": ["x", "y", "y"], "chris": ["x", "z", "y"]}


def places(corpus):
    """Give the place of each unit that is proposed, by where it begins."""
    proposals = unisono.gold(corpus).proposals
    return {one.row.start: place for one, place in zip(proposals, places_of_units(proposals), strict=True)}


def unit(start, end, label):
    return DecidedUnit(start, end, {"category": label})


def written(path, *decisions):
    path.write_text("".join(one.line() + "\n" for one in decisions), "utf-8")
    return path


def append(path, decision):
    with closing(DecisionLog(path)) as log:
        log.append(decision)


def test_units_are_decided(tmp_path):
    at = places(made(ROWS))
    file = written(
        tmp_path / "lena.decisions.jsonl",
        PlaceDecision(at[0], "units", (unit(2, 9, "Z"),), took="edited", by="lena"),
        PlaceDecision(at[30], "units", ()),
        PlaceDecision(at[60], "units", (unit(60, 64, "Z"), unit(64, 70, None))),
    )
    draft = unisono.gold(made(ROWS), decisions=file)
    assert units_of(draft.plain) == [
        ("document", 2, 9, "Z"),
        ("document", 60, 64, "Z"),
        ("document", 64, 70, None),
    ]
    assert not draft.to_decide
    assert draft.notes == ("3 decisions in the gold standard",)
    assert draft.n_unasked == 0, "that there is no unit at 30 was decided"
    shares = units_of(draft.corpus)[0][3:]
    assert shares == ("Z", 1.0, 0.0, 0.0), "three marked something, nobody exactly this"


def test_labels_of_items_are_decided(tmp_path):
    data = unisono.Ratings.from_annotators(RATINGS)
    place = places_of_items(data)[1]
    file = written(tmp_path / "d.jsonl", PlaceDecision(place, "label", label="z"))
    draft = unisono.gold(data, decisions=[file])
    assert draft.ratings.from_annotators  # still ratings
    assert draft.joint.label == ["x", "z", "y"]
    assert draft.joint.share.tolist()[1] == pytest.approx(1 / 3)
    assert not draft.to_decide
    none = written(tmp_path / "n.jsonl", PlaceDecision(place, "label", label=None))
    assert unisono.gold(data, decisions=none).joint.label == ["x", None, "y"]


def test_a_place_is_known_by_what_is_there_whatever_else_changes(tmp_path):
    corpus = made(ROWS)
    decision = PlaceDecision(places(corpus)[30], "units", (unit(30, 40, "Y"),))
    file = written(tmp_path / "d.jsonl", decision)
    reordered = made([("dora", 100, 110, "X"), ("anna", 100, 110, "Q"), *ROWS[::-1]])
    for how in ({}, {"measure": "gamma(alpha=3)"}, {"support": 0.9}, {"competence": "mace"}):
        found = units_of(unisono.gold(reordered, decisions=file, **how).plain)
        assert ("document", 30, 40, "Y") in found
    changed = made([*ROWS[:3], ("anna", 30, 41, "X"), *ROWS[4:]])
    draft = unisono.gold(changed, decisions=file)
    assert any("1 decision not used, because the data has no such place" in note for note in draft.notes)


def test_places_that_look_alike_are_separate():
    twice = made([("anna", 0, 5, "X"), ("anna", 0, 5, "X"), ("bert", 50, 60, "X")])
    found = places_of_units(unisono.gold(twice).proposals)
    assert [one.get("number") for one in found] == [None, 2, None]
    assert len({PlaceDecision(one, "skip").key for one in found}) == 3


def test_two_people_who_differ_leave_the_place_in_the_queue(tmp_path):
    at = places(made(ROWS))
    lena = written(
        tmp_path / "lena.jsonl",
        PlaceDecision(at[0], "units", (unit(1, 12, "X"),), by="lena"),
        one := PlaceDecision(at[30], "units", (unit(30, 40, "X"),), by="lena"),
        PlaceDecision(at[60], "skip", by="lena"),
    )
    max_ = written(
        tmp_path / "max.jsonl",
        PlaceDecision(at[0], "units", (unit(1.0, 12, "X"),), by="max"),
        two := PlaceDecision(at[30], "units", (), by="max"),
        PlaceDecision(at[60], "units", (), by="max"),
    )
    draft = unisono.gold(made(ROWS), decisions=[lena, max_])
    assert units_of(draft.plain)[0] == ("document", 1, 12, "X")
    (row,) = draft.to_decide
    assert row.row.start == 30
    assert row.reasons[-1].words == "lena: 30..40 X; max: no unit"
    assert "1 place on which people decided differently, left to decide:" in draft.notes
    settling = PlaceDecision(at[30], "units", (unit(30, 40, "Y"),), by="ruth", replaces=(one.id, two.id))
    ruth = written(tmp_path / "ruth.jsonl", settling)
    draft = unisono.gold(made(ROWS), decisions=[lena, max_, ruth])
    assert not draft.to_decide
    assert ("document", 30, 40, "Y") in units_of(draft.plain)
    written(tmp_path / "ruth.jsonl", settling, PlaceDecision(at[30], "undo"))
    assert len(unisono.gold(made(ROWS), decisions=[lena, max_, ruth]).to_decide) == 1


def test_a_copy_that_somebody_went_on_with_replaces_what_was_copied(tmp_path):
    at = places(made(ROWS))
    first = PlaceDecision(at[30], "units", (unit(30, 40, "X"),))
    a = written(tmp_path / "a.jsonl", first)
    b = written(tmp_path / "b.jsonl", first, PlaceDecision(at[30], "units", (), by="max"))
    for files in ([a, b], [b, a]):
        assert units_of(unisono.gold(made(ROWS), decisions=files).plain) == [("document", 1, 12, "X")]


ACTIONS = st.lists(st.tuples(st.sampled_from("pqr"), st.sampled_from(["X", "Y", "none", "skip", "undo"])), max_size=25)


@settings(max_examples=300, deadline=None)
@given(ACTIONS)
def test_the_last_that_was_not_taken_back_counts(actions):
    history, stacks = History("x"), {}
    for name, what in actions:
        place = {"document": name, "units": []}
        stack = stacks.setdefault(name, [])
        if what in ("skip", "undo"):
            history.add(PlaceDecision(place, what))
            stack.append(what) if what == "skip" else stack and stack.pop()
        else:
            history.add(PlaceDecision(place, "units", () if what == "none" else (unit(0, 1, what),)))
            stack.append("no unit" if what == "none" else f"0..1 {what}")
    expected = {name: stack[-1] for name, stack in stacks.items() if stack and stack[-1] != "skip"}
    found = merged_decisions([history]).values()
    assert {one.settled.place["document"]: one.settled.words for one in found} == expected


LABELS = st.one_of(
    st.none(), st.text(), st.booleans(), st.integers(), st.lists(st.text()).map(lambda v: tuple(sorted({*v})))
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(DECISION_KINDS), LABELS, st.text(), st.integers(0, 50), st.integers(0, 50))
def test_a_line_reads_as_what_was_written(kind, label, words, start, length):
    units = (DecidedUnit(start, start + length, {words: label}),) if kind == "units" else ()
    place = {"document": words, "item": 3, "labels": [["anna", words]]}
    given = label if kind == "label" else None
    text = words if kind == "text" else ""
    one = PlaceDecision(place, kind, units, given, words, words, words, replaces=("a",), text=text)
    assert "\n" not in one.line()
    assert parsed_decision(json.loads(one.line())) == one


def test_a_decision_is_in_the_file_when_it_is_made(tmp_path):
    path, place = tmp_path / "x.decisions.jsonl", {"document": "d", "units": []}
    with closing(DecisionLog(path)) as log:
        assert not path.exists()
        for number in range(3):
            log.append(PlaceDecision(place, "units", note=str(number)))
            assert len(path.read_text("utf-8").splitlines()) == number + 1
        with pytest.raises(DataError, match="another program is adding decisions"):
            DecisionLog(path).append(PlaceDecision(place, "skip"))
    append(path, PlaceDecision(place, "undo"))
    assert read_decisions(path).latest(PlaceDecision(place, "skip").key).note == "1"


def test_a_line_that_was_cut_short_is_skipped_and_noted(tmp_path):
    at = places(made(ROWS))
    path = written(tmp_path / "d.jsonl", PlaceDecision(at[30], "units", ()), PlaceDecision(at[60], "units", ()))
    whole = path.read_bytes()
    for cut in (5, 100, 1):
        path.write_bytes(whole[:-cut])
        notes = unisono.gold(made(ROWS), decisions=path).notes
        if cut > 1:
            assert notes[0] == f"{path}, line 2: skipped, because the line is not complete"
        append(path, PlaceDecision(at[0], "skip"))
        assert read_decisions(path).broken == ([2] if cut > 1 else [])
        assert PlaceDecision(at[0], "skip").key in read_decisions(path).standing


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
def test_a_full_disk_is_told_and_the_file_is_as_before(tmp_path, monkeypatch, error):
    path, place = tmp_path / "x.decisions.jsonl", {"document": "d", "units": []}

    def fail(*_):
        raise OSError(error, os.strerror(error))

    with closing(DecisionLog(path)) as log:
        log.append(PlaceDecision(place, "units"))
        before = path.read_bytes()
        monkeypatch.setattr(decision_files.os, "fsync", fail)
        with pytest.raises(DataError, match=r"could not be saved .*decide again"):
            log.append(PlaceDecision(place, "skip"))
        monkeypatch.undo()
        assert path.read_bytes() == before
        assert log.history.latest(PlaceDecision(place, "skip").key).kind == "units"
        log.append(PlaceDecision(place, "skip"))
    (ids,) = read_decisions(path).ids.values()
    assert len(ids) == 2


def test_a_disk_that_is_really_full(tmp_path):
    """The file may grow to 300 bytes, as the system says: what does not fit leaves nothing behind."""
    program = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from unisono.adjudication.decision_files import DecisionLog, PlaceDecision\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))\n"
        "log = DecisionLog(Path(sys.argv[1]))\n"
        "for note in ('short', 'long' * 99):\n"
        "    try:\n"
        "        log.append(PlaceDecision({'document': 'd', 'units': []}, 'units', note=note))\n"
        "    except Exception as error:\n"
        "        print(error)\n"
    )
    pytest.importorskip("resource", reason="limits of files are those of Unix")
    path = tmp_path / "x.jsonl"
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert "could not be saved (File too large)" in done.stdout
    assert [json.loads(line)["note"] for line in path.read_text("utf-8").splitlines()] == ["short"]


UNITS = '{"id": "a", "place": {"document": "d", "units": []}, "decision": "units", "units": '


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("3", "should be an object"),
        ('{"id": "a", "decision": "skip"}', '"place" should be an object'),
        ('{"id": "a", "place": {"document": "d", "units": []}, "decision": "perhaps"}', "should be one of units"),
        ('{"place": {"document": "d", "units": []}, "decision": "skip"}', '"id" should be text'),
        ('{"id": "a", "place": {"document": "d", "units": []}, "decision": "units"}', '"units" should be a list'),
        (f'{UNITS}[{{"start": 3, "end": 2}}]}}', "ends"),
        (f'{UNITS}[{{"start": NaN, "end": 2}}]}}', "two numbers"),
        ('{"id": "a", "place": {"document": "d", "item": 1}, "decision": "label", "label": {}}', "a label should be"),
    ],
)
def test_what_is_no_decision_is_one_sentence(tmp_path, line, why):
    path = tmp_path / "d.jsonl"
    path.write_text(f"\n{line}\n", "utf-8")
    with pytest.raises(DataError, match=why) as error:
        read_decisions(path)
    assert str(error.value).startswith(f"{path}, line 2: this is no decision: ")


def test_decided_positions_must_be_possible(tmp_path):
    corpus = made(ROWS, texts={("document", who): "x" * 70 for who in ("anna", "bert", "chris")})
    place = places(corpus)[30]
    for start, end, why in ((30, 71, "outside document 'document'"), (30.5, 40, "not at whole positions")):
        file = written(tmp_path / "d.jsonl", PlaceDecision(place, "units", (unit(start, end, "X"),)))
        with pytest.raises(DataError, match=why):
            unisono.gold(corpus, decisions=file)


def test_the_parameter_and_a_missing_file(tmp_path):
    with pytest.raises(OptionError, match="decisions"):
        unisono.gold(made(ROWS), decisions=3)
    with pytest.raises(DataError, match="the decisions cannot be read"):
        unisono.gold(made(ROWS), decisions=tmp_path / "nothing.jsonl")


def test_the_command(tmp_path):
    data = tmp_path / "data.csv"
    unisono.write(made(ROWS), data)
    at = places(unisono.read(data))
    lena = written(tmp_path / "lena.jsonl", PlaceDecision(at[30], "units", (unit(30, 40, "X"),), by="lena"))
    max_ = written(tmp_path / "max.jsonl", PlaceDecision(at[60], "units", (unit(60, 70, "Z"),), by="max"))
    output = tmp_path / "gold.csv"
    done = run("gold", data, "--decisions", lena, "--decisions", max_, "-o", output, "--plain")
    assert done.returncode == 0
    assert "2 decisions in the gold standard" in done.stderr
    assert "nothing is left to decide" in done.stderr
    assert [row[1:] for row in units_of(unisono.read(output))] == [(1, 12, "X"), (30, 40, "X"), (60, 70, "Z")]
    refused = run("gold", data, "--decisions", lena, "-o", lena, "--to", "csv", "--force")
    assert refused.returncode == 1


def test_decisions_beside_annotations_are_not_read_with_them(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    unisono.write(made(ROWS), folder / "data.jsonl")
    written(decision_files.beside(folder / "data.jsonl"), PlaceDecision({"document": "d", "units": []}, "skip"))
    assert (folder / "data.decisions.jsonl").exists()
    assert unisono.read(folder).n_units == len(ROWS)
    assert decision_files.beside(folder) == tmp_path / "corpus.decisions.jsonl"
