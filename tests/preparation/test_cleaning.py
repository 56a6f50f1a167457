"""Labels that mean the same become the same."""

from __future__ import annotations

import pytest

from unisono.cli.values import steps_in
from unisono.data import Corpus
from unisono.errors import OptionError
from unisono.preparation import cleaning, prepare


def cleaned(labels, *steps):
    corpus = Corpus.from_columns(
        annotator=["a"] * len(labels),
        start=list(range(len(labels))),
        end=list(range(1, len(labels) + 1)),
        features={"category": labels},
    )
    return prepare(corpus, clean=steps).features["category"].values()


@pytest.mark.parametrize(
    ("label", "clean"),
    [
        ('number="1"', "number=1"),
        ("number='1'", "number=1"),
        ("number=„1“", "number=1"),
        ('"Mouse"', "Mouse"),
        ("»Mouse«", "Mouse"),
        ("'“Mouse”'", "Mouse"),
        ('""', None),
        ("l’homme", "l'homme"),  # an apostrophe is written in one way
        ("'l'homme'", "l'homme"),
        ('5"', '5"'),  # one that stands alone stays
        ('say "a" and "b"', "say a and b"),
    ],
)
def test_quotation_marks(label, clean):
    assert cleaned([label], "quotes") == [clean]


def test_labels_that_differ_in_quotation_marks_become_equal():
    assert set(cleaned(['number="1"', "number=1", "number=”1”", "number='1'"], "quotes")) == {"number=1"}


def test_replacements():
    assert cleaned(["a  =b", "a=b", "a= b"], "s/ *= */=/") == ["a=b"] * 3
    assert cleaned(["x1", "x2"], r"s/x(\d)/\1y/", "s|y|z|") == ["1z", "2z"]
    assert cleaned(["a, b"], "s/,.*//") == ["a"]
    assert cleaned(["abc"], "s/.*//") == [None]


def test_what_follows_a_mark_is_cut():
    assert cleaned(["A | because", "A|", "A", "| only"], "cut=|") == ["A", "A", "A", None]
    assert cleaned(["A -- x"], "cut=--") == ["A"]


def test_steps_are_applied_as_written():
    assert cleaned(["A|B"], "s/B/c/", "case") == ["a|c"]
    assert cleaned(["A|B"], "case", "s/B/c/") == ["a|b"]
    assert cleaned(["A|B"], "cut=|", "case") == ["a"]


def test_true_is_not_1():
    assert cleaned([True, 1, "X"], "case") == [True, 1, "x"]


def test_the_steps_are_recorded():
    corpus = Corpus.from_columns(annotator=["a"], start=[0], end=[1], features={"category": ["x"]})
    made = prepare(corpus, clean=["case", "spaces", "s/a,b/c/", "cut=|"])
    assert made.preparation == (("clean", 'case,spaces,"s/a,b/c/","cut=|"'),)
    assert (
        prepare(corpus, clean=["spaces", "case"]).preparation == prepare(corpus, clean=["case", "spaces"]).preparation
    )


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("upper", "unknown cleaning step 'upper'; available: case, quotes, spaces, s/pattern/replacement/, cut=|"),
        ("s/a/b", "needs three '/'"),
        ("s/a/b/c/", "needs three '/'"),
        ("s/(/b/", "the pattern is invalid"),
        ("s/a/\\7/", "is invalid"),
        ("cut=", "unknown cleaning step"),
        ("s", "unknown cleaning step"),
    ],
)
def test_steps_that_cannot_be_used(step, reason):
    with pytest.raises(OptionError, match=r"^clean: ") as caught:
        cleaned(["a"], step)
    assert reason in str(caught.value)


def test_a_pattern_that_takes_too_long(monkeypatch):
    monkeypatch.setattr(cleaning, "_SECONDS", 0.3)
    with pytest.raises(OptionError, match="takes too long"):
        cleaned(["a" * 60 + "b"], "s/(a|aa)+$/x/")


@pytest.mark.parametrize(
    ("written", "steps"),
    [
        ("case,spaces", ["case", "spaces"]),
        ("s/a,b/c/", ["s/a,b/c/"]),
        ("cut=|", ["cut=|"]),
        ("spaces", ["spaces"]),
        ("case, cut=|", ["case", "cut=|"]),
    ],
)
def test_on_the_command_line(written, steps):
    assert steps_in(written) == steps
