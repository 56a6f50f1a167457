"""The draft goes into files and comes back."""

from __future__ import annotations

import pytest
from gold_helpers import made, units_of

import unisono
from unisono.adjudication import gold
from unisono.demo import demo_path

PATTERN = "{annotator}/{document}.ann"


@pytest.fixture(scope="module")
def draft():
    return gold(unisono.read(demo_path()))


def test_json_lines_hold_everything(draft, tmp_path):
    assert unisono.write(draft.corpus, tmp_path / "gold.jsonl") == []
    back = unisono.read(tmp_path / "gold.jsonl")
    assert units_of(back) == units_of(draft.corpus)
    assert list(back.features) == list(draft.corpus.features)
    assert [document.text for document in back] == [document.text for document in draft.annotated]


def test_csv_holds_units_and_shares(draft, tmp_path):
    lost = unisono.write(draft.corpus, tmp_path / "gold.csv")
    assert any(one.startswith("The texts are left out") for one in lost)
    back = unisono.read(tmp_path / "gold.csv")
    assert [unit[:4] for unit in units_of(back)] == [unit[:4] for unit in units_of(draft.plain)]
    assert [float(unit[4]) for unit in units_of(back)] == [unit[4] for unit in units_of(draft.corpus)]


def test_brat_gets_what_it_had(draft, tmp_path):
    unisono.write(draft.plain, tmp_path / "brat", format="brat")
    back = unisono.read(tmp_path / "brat", pattern=PATTERN)
    assert back.annotators == ("gold",)
    assert sorted(units_of(back)) == sorted(units_of(draft.plain))
    unisono.write(draft.corpus, tmp_path / "shares", format="brat")
    assert "support_of_category" in unisono.read(tmp_path / "shares", pattern=PATTERN).features


def test_the_draft_can_be_measured_with_the_annotators(draft, tmp_path):
    unisono.write(draft.plain, tmp_path / "gold.jsonl")
    both = unisono.read([demo_path(), tmp_path / "gold.jsonl"])
    assert both.annotators == ("anna", "bert", "chris", "gold")
    assert {unit.annotator for unit in both["ferry"].units} == set(both.annotators)


def test_no_units_can_be_written(tmp_path):
    nothing = gold(made([("a", 0, 5, "X"), ("b", 50, 55, "X")])).plain
    assert nothing.n_units == 0
    for name in ("gold.jsonl", "gold.csv"):
        unisono.write(nothing, tmp_path / name)
        assert unisono.read(tmp_path / name).n_units == 0
