from __future__ import annotations

import pytest
from format_helpers import refusal, rows, worked
from hypothesis import example, given, settings
from mangled import data_or_refusal, mangled

from unisono.errors import OptionError
from unisono.formats import read
from unisono.formats.format import Instructions
from unisono.formats.tools import rttm

TURNS = """;; who speaks when
SPKR-INFO talk 1 <NA> <NA> <NA> adult_female ann <NA> <NA>
SPEAKER talk 1 0.10 0.20 <NA> <NA> ann <NA> <NA>

SPEAKER talk 1 0.30 1.5 <NA> <NA> ben 0.93
SPEAKER walk 1 2e0 1 <NA> <NA> <NA> <NA> <NA>
"""
OTHERS = """LEXEME talk 1 0.10 0.20 yes lex ann 0.5 <NA>
NON-LEX talk 1 0.5 0.2 <NA> laugh ann <NA> <NA>
NON-SPEECH talk 1 3 1 <NA> music <NA> <NA> <NA>
IP talk 1 0.4 <NA> <NA> edit ann <NA> <NA>
SU talk 1 0.1 0.9 <NA> question ann <NA> <NA>
NOSCORE talk 1 9 1 <NA> <NA> <NA> <NA> <NA>
"""


@pytest.fixture
def file(tmp_path):
    def make(content, name="out.rttm"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def test_turns_are_units(file):
    corpus = read(file(TURNS))
    assert corpus.source == "RTTM · out.rttm"
    assert list(corpus.features) == ["type", "category"]
    assert rows(corpus) == [
        ("talk", "annotator", 0.1, 0.3, "SPEAKER", "ann"),  # not 0.30000000000000004
        ("talk", "annotator", 0.3, 1.8, "SPEAKER", "ben"),
        ("walk", "annotator", 2.0, 3.0, "SPEAKER", None),
    ]
    assert dict(corpus.dropped) == {"lines that describe a speaker (SPKR-INFO), which have no time": 1}


def test_other_objects(file):
    path = file(TURNS + OTHERS)
    assert sum(read(path).dropped.values()) == 7
    assert "objects of type LEXEME, which was not asked for" in read(path).dropped
    corpus = read(path, options={"types": "LEXEME;IP;NON-LEX;NON-SPEECH;NOSCORE"})
    assert list(corpus.features) == ["type", "category", "speaker", "orthography"]
    assert [row[2:] for row in rows(corpus)] == [
        (0.1, 0.3, "LEXEME", "lex", "ann", "yes"),
        (0.4, 0.4, "IP", "edit", "ann", None),
        (0.5, 0.7, "NON-LEX", "laugh", "ann", None),
        (3.0, 4.0, "NON-SPEECH", "music", None, None),
        (9.0, 10.0, "NOSCORE", None, None, None),
    ]
    assert worked(corpus) == {("talk", "annotator"), ("walk", "annotator")}
    assert read(path, options={"types": "all"}).n_units == 9
    with pytest.raises(OptionError, match="unknown type 'WORD'; available: SEGMENT"):
        read(path, options={"types": "WORD"})


def test_channels_are_documents_if_there_are_several(file):
    corpus = read(file(TURNS.replace("walk 1", "talk 2")))
    assert corpus.documents == ("talk 1", "talk 2")


def test_annotators_in_paths(file, tmp_path):
    file(TURNS, "anna/part1.rttm")
    file(TURNS.replace("ben", "ann"), "bert/part1.rttm")
    corpus = read(tmp_path, pattern="{annotator}/{document}.rttm")
    assert worked(corpus) == {(document, who) for document in ("talk", "walk") for who in ("anna", "bert")}


@pytest.mark.parametrize("content", [TURNS, TURNS.replace("\n", "\r\n"), "\ufeff" + TURNS, TURNS.encode("utf-16")])
def test_without_the_suffix(file, content):
    assert read(file(content, "out.txt")).source == "RTTM · out.txt"


def test_bad_lines_can_be_passed_over(file):
    content = "SPEAKR\n" + TURNS.replace("1.5", "x")
    errors = []
    corpus = rttm.read(file(content), Instructions(bad=errors.append))
    assert corpus.n_units == 2
    assert [error.line for error in errors] == [1, 6]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (TURNS.replace("SPEAKER", "SPEAKR", 1), 3, ["'SPEAKR' is not a type of RTTM"]),
        (TURNS.replace("ben 0.93", "ben x y 0.93 1"), 5, ["12 fields", "9 or 10", "no spaces"]),
        (TURNS.replace(" 0.93", ""), 5, ["8 fields"]),
        (TURNS.replace("0.10", "soon"), 3, ["the start 'soon' should be a number of seconds"]),
        (TURNS.replace("0.20", "<NA>"), 3, ["the duration '<NA>'"]),
        (TURNS.replace("0.20", "-0.2"), 3, ["the duration is -0.2, less than 0"]),
        (TURNS.replace("0.20", "1e999"), 3, ["the duration '1e999'"]),
        (TURNS.replace("0.20", "1e300"), 3, ["beyond"]),
        (";; nothing\n", None, ["no annotated document"]),
        (TURNS.replace("talk", "tälk").encode("latin-1"), 2, ["not UTF-8"]),
        (b"", None, ["empty"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)


@settings(max_examples=60, deadline=None)
@given(mangled((TURNS + OTHERS).encode(), b"<NA>", b"SPEAKER", b";;", b" "))
@example((TURNS + OTHERS).encode())
def test_mangled_files_are_data_or_refused(content):
    data_or_refusal(content, "out.rttm", options={"types": "all"})
