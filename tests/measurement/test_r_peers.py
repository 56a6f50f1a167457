"""Random tables by R: irr 0.84.1 and psych 2.2.9.

Its α is compared where labels are missing or annotators are two, since irr divides by 1 instead of m - 1 elsewhere; its
κ, W and ICC need complete items.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import unisono

TABLES = json.loads((Path(__file__).parent / "irr_psych.json").read_text(encoding="utf-8"))
FURTHER = {"icc": ("F", "p", "f_low", "f_high"), "kendall-w": ("p",), "cohen-kappa": ("standard_error_analytic",)}


def ratings(table):
    return unisono.Ratings.of(np.array(table, dtype=np.float64), rows="items")


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_irr_and_psych(number):
    one = TABLES[number]
    everything = np.array([[np.nan if x == "." else float(x) for x in word] for word in one["table"].split()])
    complete = everything[~np.isnan(everything).any(axis=1)]
    for found, data in (("all", everything), ("complete", complete), ("first_two", complete[:, :2])):
        for measure, (value, *further) in one[found].items():
            result = unisono.measure(measure, ratings(data))
            assert result.value == pytest.approx(value, abs=1e-9), measure
            names = FURTHER.get(measure.partition("(")[0], ())
            assert [result.details[name] for name in names] == pytest.approx(further, abs=1e-8, rel=1e-6), measure
