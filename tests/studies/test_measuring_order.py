"""Parts of a study are measured in another order than they are shown, and unknown names do not matter for that."""

from __future__ import annotations

import pytest

from unisono.data import Corpus
from unisono.errors import UnisonoError
from unisono.studies import Guideline, study


def corpus(people):
    rows = [(who, text, start) for who in people for text in ("t1", "t2", "t3") for start in (0, 5, 9)]
    return Corpus.from_columns(
        annotator=[who for who, _, _ in rows],
        document=[text for _, text, _ in rows],
        start=[start for _, _, start in rows],
        end=[start + 3 for _, _, start in rows],
        features={"category": ["x"] * len(rows)},
    )


def test_parts_are_in_the_order_of_the_study():
    groups = {"own": ("anna", "bert"), "foreign": ("cleo", "dora")}
    sets = [Guideline(name, corpus(["anna", "bert", "cleo", "dora"]), groups) for name in ("first", "second")]
    found = study("Order", sets, "span-f1", workers=1)
    names = [(part.guideline, part.annotators) for part in found.parts]
    expected = ["all", "within own", "within foreign", "between own and foreign"]
    assert [guideline for guideline, _ in names] == ["first"] * 4 + ["second"] * 4
    assert [name for _, name in names[:4]] == [name for _, name in names[4:]]
    assert [name for _, name in names[:4]] == expected


def test_a_group_with_a_name_that_nobody_has():
    sets = [Guideline("first", corpus(["anna", "bertha"]), {"own": ("anna", "bert")})]
    with pytest.raises(UnisonoError, match="bert"):
        study("Names", sets, "span-f1", workers=1)
