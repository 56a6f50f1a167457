"""How numbers are written that belong together."""

from __future__ import annotations

from math import inf, nan

import pytest

from unisono.results import Interval
from unisono.results.estimate import spelled_interval
from unisono.results.shown import column_digits, digits_apart, fixed, percentages, written_alike


@pytest.mark.parametrize(
    ("numbers", "written"),
    [
        ((0.82, 0.79, 0.86), ["0.82", "0.79", "0.86"]),
        ((0.8213, 0.8152, 0.8274), ["0.821", "0.815", "0.827"]),
        ((0.82127, 0.82113, 0.82141), ["0.8213", "0.8211", "0.8214"]),
        ((0.996, 0.91, 1.0), ["0.996", "0.910", "1.000"]),  # the value must not look like its limit
        ((1.0, 0.08, 1.0), ["1.00", "0.08", "1.00"]),
        ((0.82, 0.82, 0.82), ["0.82", "0.82", "0.82"]),
        ((0.82, 0.82 - 1e-9, 0.82 + 1e-9), ["0.82", "0.82", "0.82"]),  # four decimals show no difference either
        ((0.9, 0.82, 0.82 + 1e-9), ["0.90", "0.82", "0.82"]),
        ((-0.0001, -0.0004, 0.0002), ["−0.0001", "−0.0004", "0.0002"]),
        ((-1e-9, 0.0, 0.5), ["0.00", "0.00", "0.50"]),
        ((0.375, 0.3749, 0.3751), ["0.3750", "0.3749", "0.3751"]),
        ((123.4, 123.6), ["123.40", "123.60"]),
        ((), []),
        ((0.5,), ["0.50"]),
    ],
)
def test_numbers_that_belong_together(numbers, written):
    assert written_alike(*numbers) == written


def test_further_decimals_never_hide_a_difference():
    assert written_alike(0.0049, 0.0051) == ["0.00", "0.01"]
    assert digits_apart((0.1234, 0.1234), 3) == 3
    assert digits_apart((0.1234, 0.1233), 3) == 4
    assert digits_apart((0.12345678, 0.12345679), 6) == 6
    assert digits_apart((None, nan, inf, 0.5), 2) == 2


def test_percentages():
    assert percentages(0.5, 0.42, 0.58) == ["50%", "42%", "58%"]
    assert percentages(0.821, 0.8204, 0.8213) == ["82.10%", "82.04%", "82.13%"]
    assert percentages(0.82, 0.82) == ["82%", "82%"]


def test_intervals():
    def spelled(low, high, *value):
        return spelled_interval(Interval(low, high, 0.95, "by hand"), *value)

    assert str(Interval(0.8, 0.9, 0.95, "by hand")) == "95% interval 0.80 to 0.90 (by hand)"
    assert str(Interval(0.8204, 0.8212, 0.95, "by hand")) == "95% interval 0.820 to 0.821 (by hand)"
    assert spelled(0.8204, 0.8212, 0.8208) == "95% interval 0.8204 to 0.8212 (by hand)"
    assert spelled(0.8, 0.904, 0.9) == "95% interval 0.800 to 0.904 (by hand)"
    assert spelled(-0.001, 0.4) == "95% interval 0.00 to 0.40 (by hand)"
    assert spelled(0.82, 0.82, 0.82) == "95% interval 0.82 to 0.82 (by hand)"


def test_columns_of_intervals_have_the_same_decimals():
    columns = ("", "value", "from", "to", "units", "noise", "95% from", "to")
    rows = [
        ("a", 0.5, 0.4, 0.6, 3, 0.1234, 0.123, 0.124),
        ("b", 0.8213, 0.8201, 0.8226, 3, None, None, None),
        ("c", None, None, None, 3, 0.2, "–", "–"),
    ]
    assert column_digits(columns, rows, 2) == [2, 3, 3, 3, 2, 4, 4, 4]
    assert column_digits(columns, [], 2) == [2] * 8
    assert column_digits(("from", "to"), [(0.5, 0.5)], 3) == [3, 3]
    assert fixed(0.8201, 4) == "0.8201"
