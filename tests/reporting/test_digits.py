"""Intervals so narrow that two decimals do not show them: the same decimals wherever a value stands beside one."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from commands import run

import unisono
from unisono.gates.checking import CheckDone, Checked
from unisono.gates.gate import Gate, outcome_of
from unisono.gates.markdown import as_markdown
from unisono.measurement.completing import Measured
from unisono.reporting.answer import answer_of
from unisono.reporting.cards import card_of
from unisono.reporting.full_report.citing import methods
from unisono.reporting.full_report.hidden_text import Names
from unisono.reporting.interval_plot import IntervalRow, interval_figure
from unisono.reporting.shown_tables import shown_table
from unisono.results import Interval, Table

VALUE, LOW, HIGH = "0.8284", "0.8282", "0.8286"


@pytest.fixture(scope="module")
def result():
    """A result whose interval is as narrow as that of hundreds of thousands of documents."""
    found = unisono.cohen_kappa({"anna": ["a", "b"] * 50, "bert": ["a", "b"] * 45 + ["a", "a"] * 5})
    narrow = Interval(0.82819, 0.82861, 0.95, "by hand")
    vars(found).update(estimate=replace(found.estimate, value=0.8284), _interval=narrow)
    return found


def test_the_value_has_the_decimals_of_its_interval(result):
    first, second, *_ = result.headline()
    assert (first.remark, first.digits) == (f"95% interval {LOW} to {HIGH} (by hand)", 4)
    assert second.digits == 3
    card = card_of(result)
    assert (card.value, card.certainty) == (VALUE, f"95% interval {LOW} to {HIGH} (by hand)")
    assert str(answer_of(Measured("cohen-kappa", result), quick=True)).startswith(
        f"κ is {VALUE} (95%: {LOW} to {HIGH})."
    )
    assert f"κ = {VALUE} (95% interval {LOW} to {HIGH} (by hand))" in methods(
        [Measured("cohen-kappa", result)], Names(hide=False)
    )


def test_figures_and_tables(result):
    drawn = interval_figure([IntervalRow("anna", 0.8284, 0.82819, 0.82861)], title="")
    assert f"{VALUE} ({LOW} to {HIGH})" in drawn
    table = Table(("", "κ", "from", "to", "units"), [("all", 0.8284, 0.82819, 0.82861, 3), ("x", 0.5, 0.25, 1.0, 3)])
    rows = [[cell.text for cell in row] for row in shown_table(table).rows]
    assert rows == [["all", VALUE, LOW, HIGH, "3"], ["x", "0.5000", "0.2500", "1.0000", "3"]]
    wide = Table(table.columns, table.rows[1:])
    assert [cell.text for cell in shown_table(wide).rows[0]] == ["x", "0.50", "0.25", "1.00", "3"]


def test_checks(result):
    done = CheckDone("κ", (outcome_of(Gate(0.5), result),), None, 0.1)
    assert f"| {VALUE} | {LOW} | {HIGH} |" in as_markdown(Checked([done]))


def test_on_the_terminal_and_not_in_json(tmp_path):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 40_000)
    columns = [np.where(rng.random(40_000) < 0.95, truth, rng.integers(0, 3, 40_000)) for _ in range(2)]
    rows = [f"{k},{'xyz'[one]},{'xyz'[other]}" for k, (one, other) in enumerate(zip(*columns, strict=True))]
    path = tmp_path / "labels.csv"
    path.write_text("item,anna,bert\n" + "\n".join(rows) + "\n")
    shown = run("measure", path, "-m", "cohen-kappa").stdout
    found = re.search(r"κ +(\S+) +95% interval (\S+) to (\S+)", shown)
    assert found is not None, shown
    value, low, high = found.groups()
    assert len(value) == len(low) == len(high) == 5
    assert float(low) < float(value) < float(high)
    (row,) = json.loads(run("measure", path, "-m", "cohen-kappa", "--json").stdout)["results"]
    assert [f"{number:.3f}" for number in (row["value"], row["interval"]["low"], row["interval"]["high"])] == [
        value,
        low,
        high,
    ]
    assert len(str(row["interval"]["low"])) > 10
