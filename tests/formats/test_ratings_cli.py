"""Ratings as a user of the command line meets them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from unisono.cli.reading import Reading
from unisono.data import Ratings


def run(*arguments):
    command = [sys.executable, "-c", "from unisono.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("id,anna,bert,comment\n1,x,x,so\n2,y,x,well\n")
    return path


def test_options(ratings):
    data = Reading(columns="item=id", annotators="anna, bert").data([ratings])
    assert isinstance(data, Ratings)
    assert data.annotators == ("anna", "bert")
    assert data.codes.tolist() == [[0, 0], [1, 0]]


def test_there_is_nothing_to_align(ratings):
    done = run("align", ratings, "--columns", "item=id")
    assert done.returncode == 1
    assert done.stdout == ""
    assert (
        done.stderr.splitlines()[-1]
        == "unisono: units with a start and an end are needed, but these are labels of given items"
    )


def test_formats_tell_of_ratings():
    done = run("formats", "--json")
    assert done.returncode == 0
    assert "item, annotator, label, or one column per annotator" in done.stdout
