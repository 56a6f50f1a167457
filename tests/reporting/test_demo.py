"""The built-in data is what it says it is."""

from __future__ import annotations

import json

from report_helpers import demo_result

import unisono
from unisono.demo import demo_path


def test_every_unit_is_a_phrase_of_its_text():
    lines = [json.loads(line) for line in demo_path().read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 12
    for line in lines:
        for unit in line["units"]:
            phrase = line["text"][unit["start"] : unit["end"]]
            assert phrase
            assert phrase == phrase.strip(" ,.")


def test_one_annotator_worked_on_a_text_and_marked_nothing():
    document = unisono.read(demo_path())["library"]
    assert document.annotators == ("anna", "bert", "chris")
    assert {unit.annotator for unit in document.units} == {"anna", "bert"}


def test_agreement_is_that_of_real_annotators():
    assert 0.6 < demo_result().value < 0.8
