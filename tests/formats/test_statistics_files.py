"""Files of SPSS and Stata."""

from __future__ import annotations

import sys

import pandas as pd
import pyreadstat
import pytest
from format_helpers import refusal, table

from unisono.formats import read

FRAME = pd.DataFrame({"item": ["p1", "p2", "p3"], "r1": [1.0, 2.0, float("nan")], "r2": [1.0, 3.0, 3.0]})
MEANINGS = {1: "never", 2: "sometimes", 3: "always"}


@pytest.mark.parametrize(("name", "kind"), [("sav", "ordered"), ("dta", None)])
def test_value_labels_are_labels_with_their_order(tmp_path, name, kind):
    path = tmp_path / f"file.{name}"
    given = {"variable_value_labels": {"r1": MEANINGS, "r2": MEANINGS}}
    if name == "sav":
        pyreadstat.write_sav(FRAME, str(path), variable_measure={"r1": "ordinal", "r2": "ordinal"}, **given)
    else:
        pyreadstat.write_dta(FRAME, str(path), **given)
    ratings = read(path)
    assert table(ratings) == {
        ("file", "p1"): {"r1": "never", "r2": "never"},
        ("file", "p2"): {"r1": "sometimes", "r2": "always"},
        ("file", "p3"): {"r2": "always"},
    }
    assert (ratings.question.kind, ratings.question.order) == (kind, ("never", "sometimes", "always"))
    assert dict(ratings.question.meanings) == {"1": "never", "2": "sometimes", "3": "always"}


def test_nominal_variables_have_no_order_and_ends_of_a_scale_keep_the_numbers(tmp_path):
    path = tmp_path / "file.sav"
    measure = {"r1": "nominal", "r2": "nominal"}
    pyreadstat.write_sav(
        FRAME, str(path), variable_value_labels={"r1": MEANINGS, "r2": MEANINGS}, variable_measure=measure
    )
    assert (read(path).question.kind, read(path).question.order) == ("names", ())
    ends = {1: "never", 3: "always"}
    pyreadstat.write_sav(FRAME, str(path), variable_value_labels={"r1": ends, "r2": ends})
    assert read(path).labels == (1, 2, 3)
    assert dict(read(path).question.meanings) == {"1": "never", "3": "always"}


def test_missing_values_of_the_user_are_missing(tmp_path):
    path = tmp_path / "file.sav"
    frame = FRAME.assign(r2=[1.0, 9.0, 3.0])
    pyreadstat.write_sav(frame, str(path), missing_ranges={"r2": [9]})
    assert table(read(path))["file", "p2"] == {"r1": 2}


def test_a_damaged_file_and_a_missing_package(tmp_path, monkeypatch):
    path = tmp_path / "file.sav"
    path.write_bytes(b"$FL2 nothing")
    refusal(path, None, "damaged", "save it again")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    refusal(path, None, 'pip install "unisono[statistics]"')
