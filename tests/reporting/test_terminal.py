"""Terminals of 80 columns: nothing that matters is cut, and commands break between words only."""

from __future__ import annotations

import io
import re
import shlex

import pytest
from rich.console import Console

import unisono
from unisono.data import Ratings
from unisono.demo import demo_path
from unisono.reporting.terminal import print_command, show, show_table
from unisono.results import Table
from unisono.results.shown import fixed


def printed(show, width=80, terminal=True):
    stream = io.StringIO()
    show(Console(file=stream, width=width, force_terminal=terminal, color_system=None, highlight=False))
    return stream.getvalue()


def table(n_columns, text=False):
    names = [f"guideline {k}" for k in range(n_columns)]
    rows = [(f"a text with a long name {r}", *((r + k) / 7 for k in range(n_columns))) for r in range(3)]
    return Table(
        ("", *names, *(("note",) if text else ())), [(*row, *(("words " * 20,) if text else ())) for row in rows]
    )


@pytest.mark.parametrize("n_columns", [2, 4, 9, 25])
def test_wide_tables_go_on_below(n_columns):
    given = table(n_columns)
    said = printed(lambda console: show_table(console, "Values", given, 1))
    assert "…" not in said
    assert max(map(len, said.splitlines())) <= 80
    for name in given.columns[1:]:
        assert len(re.findall(rf"{name}\b", said)) == 1
    for row in given.rows:
        for value in row[1:]:
            assert f"{value:.2f}" in said
    blocks = said.count("a text with a long name 1")
    assert (blocks > 1) == (n_columns > 4)
    assert blocks < n_columns


def test_text_is_shortened_rather():
    said = printed(lambda console: show_table(console, "Values", table(2, text=True)))
    assert max(map(len, said.splitlines())) <= 80
    for value in ("guideline 0", "guideline 1", "0.00", "0.14", "0.29", "0.43"):
        assert value in said


COMMAND = (
    "unisono measure 'a folder/with a long name/ratings of everybody.csv' "
    "-m 'alpha(distance=ordinal(low, mid, high))' --seed 7"
)


def test_commands_break_between_words():
    said = printed(lambda console: print_command(console, f"See where: {COMMAND}"))
    assert max(map(len, said.splitlines())) <= 80
    first, *rest = said.splitlines()
    assert first.strip() == "See where:"
    assert shlex.split("\n".join(rest).replace("\\\n", "")) == shlex.split(COMMAND)
    assert all(line.endswith(" \\") for line in rest[:-1])
    assert not any(line.endswith("-m \\") for line in rest)


def test_short_commands_and_files_have_one_line():
    for width, terminal in ((200, True), (80, False)):
        said = printed(lambda console: print_command(console, COMMAND), width, terminal)
        assert said == f"  {COMMAND}\n"
    said = printed(lambda console: print_command(console, "The data: " + "x" * 100))
    assert said == "  The data: " + "x" * 100 + "\n"


def test_what_the_report_begins_with_is_printed():
    result = unisono.gamma(unisono.read(demo_path()), precision=0.2)
    said = " ".join(printed(lambda console: show(console, result)).split())
    assert "With 4 documents, that is uncertain. Most of the disagreement comes from missing units (78%)." in said
    undefined = unisono.krippendorff_alpha(Ratings.from_annotators({"anna": ["x", "x"], "bert": ["x", "x"]}))
    assert undefined.value is None
    assert "uncertain" not in printed(lambda console: show(console, undefined))


@pytest.mark.parametrize(("value", "shown"), [(5e9, "5000000000.00"), (1e13, "10000000000000.00"), (2.5, "2.50")])
def test_large_numbers_are_themselves(value, shown):
    assert fixed(value) == shown


@pytest.mark.parametrize("value", [0.375, 0.37499999999999994, 0.37500000000000006])
def test_the_last_bit_of_a_number_does_not_decide_how_it_is_rounded(value):
    assert (fixed(value), fixed(-value)) == ("0.38", "−0.38")
    stream = io.StringIO()
    show_table(Console(file=stream, width=100), "By document", Table(("document", "κ"), [("even", value)]))
    assert "0.38" in stream.getvalue()
