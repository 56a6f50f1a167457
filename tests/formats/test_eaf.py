from __future__ import annotations

import pytest
from format_helpers import refusal, rows
from hypothesis import example, given, settings
from mangled import data_or_refusal, mangled

from unisono.errors import DataError
from unisono.formats import read
from unisono.formats.format import Instructions
from unisono.formats.tools import eaf

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2024-05-01T12:00:00+01:00" FORMAT="3.0" VERSION="3.0"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
<LICENSE LICENSE_URL=""/>
<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">
<PROPERTY NAME="lastUsedAnnotationId">9</PROPERTY>
</HEADER>
"""
TAIL = """
<LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>
<LINGUISTIC_TYPE CONSTRAINTS="Time_Subdivision" LINGUISTIC_TYPE_ID="parts" TIME_ALIGNABLE="true"/>
<LINGUISTIC_TYPE CONSTRAINTS="Symbolic_Subdivision" LINGUISTIC_TYPE_ID="words" TIME_ALIGNABLE="false"/>
<LINGUISTIC_TYPE CONSTRAINTS="Symbolic_Association" LINGUISTIC_TYPE_ID="gloss" TIME_ALIGNABLE="false"/>
<CONSTRAINT DESCRIPTION="1-1 association with a parent annotation" STEREOTYPE="Symbolic_Association"/>
</ANNOTATION_DOCUMENT>
"""


def document(slots, *tiers):
    times = {name: "" if time is None else f' TIME_VALUE="{time}"' for name, time in slots.items()}
    order = "".join(f'<TIME_SLOT TIME_SLOT_ID="{name}"{time}/>\n' for name, time in times.items())
    return HEAD + f"<TIME_ORDER>\n{order}</TIME_ORDER>\n" + "\n".join(tiers) + TAIL


def tier(name, *annotations, kind="default-lt", **attributes):
    given = "".join(f' {key}="{value}"' for key, value in attributes.items())
    inside = "".join(f"<ANNOTATION>\n{annotation}\n</ANNOTATION>\n" for annotation in annotations)
    return f'<TIER LINGUISTIC_TYPE_REF="{kind}" TIER_ID="{name}"{given}>\n{inside}</TIER>'


def aligned(name, first, last, value):
    return (
        f'<ALIGNABLE_ANNOTATION ANNOTATION_ID="{name}" TIME_SLOT_REF1="{first}" TIME_SLOT_REF2="{last}">\n'
        f"<ANNOTATION_VALUE>{value}</ANNOTATION_VALUE>\n</ALIGNABLE_ANNOTATION>"
    )


def referring(name, parent, value, previous=None):
    before = f' PREVIOUS_ANNOTATION="{previous}"' if previous else ""
    return (
        f'<REF_ANNOTATION ANNOTATION_ID="{name}" ANNOTATION_REF="{parent}"{before}>\n'
        f"<ANNOTATION_VALUE>{value}</ANNOTATION_VALUE>\n</REF_ANNOTATION>"
    )


SLOTS = {"ts1": 0, "ts2": 1500, "ts3": 2000, "ts4": 4000}
TWO = document(
    SLOTS,
    tier("default"),
    tier("Anna", aligned("a1", "ts1", "ts2", "S &amp; T"), aligned("a2", "ts3", "ts4", " ")),
    tier("Bert", aligned("a3", "ts1", "ts3", "T")),
)


@pytest.fixture
def file(tmp_path):
    def make(content, name="talk.eaf"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def test_tiers_are_annotators(file):
    corpus = read(file(TWO))
    assert corpus.source == "ELAN · talk.eaf"
    assert rows(corpus) == [
        ("talk", "Anna", 0.0, 1.5, "S & T"),
        ("talk", "Anna", 2.0, 4.0, None),  # empty values are units without a category
        ("talk", "Bert", 0.0, 2.0, "T"),
    ]
    assert [*corpus.dropped.values()] == [1, 2]
    assert "tiers without annotations" in next(iter(corpus.dropped))
    assert "each taken as an annotator" in [*corpus.dropped][1]


def test_an_empty_tier_that_is_named_is_somebody_who_marked_nothing(file):
    corpus = read(file(TWO), options={"tiers": "default;A*"})
    assert corpus.annotators == ("Anna", "default")
    assert corpus.n_units_of("default") == 0
    assert dict(corpus.dropped) == {
        "tiers that were not asked for": 1,
        "tiers, each taken as an annotator": 2,
    }


def test_without_the_suffix(file):
    assert read(file(TWO, "talk.xml")).source == "ELAN · talk.xml"


def test_tiers_at_annotators(file):
    content = document(
        SLOTS,
        tier("words@anna", aligned("a1", "ts1", "ts2", "x")),
        tier("move@anna", aligned("a2", "ts1", "ts4", "y")),
        tier("words@bert", aligned("a3", "ts1", "ts2", "z")),
    )
    assert sorted(rows(read(file(content)))) == [
        ("talk", "anna", 0.0, 1.5, "words", "x"),
        ("talk", "anna", 0.0, 4.0, "move", "y"),
        ("talk", "bert", 0.0, 1.5, "words", "z"),
    ]


@pytest.mark.parametrize("mark", ["@", "-", "_"])
def test_annotators_that_tiers_name(file, mark):
    content = document(
        SLOTS,
        tier(f"words{mark}anna", aligned("a1", "ts1", "ts2", "x"), ANNOTATOR="anna", PARTICIPANT="P1"),
        tier("words", aligned("a2", "ts1", "ts4", "y"), ANNOTATOR="bert"),
        tier("carl", ANNOTATOR="carl"),
        tier("notes", aligned("a3", "ts1", "ts2", "z")),
    )
    corpus = read(file(content))
    assert rows(corpus) == [
        ("talk", "anna", 0.0, 1.5, "words", "x", "P1"),
        ("talk", "bert", 0.0, 4.0, "words", "y", None),
    ]
    assert list(corpus.features) == ["type", "category", "participant"]
    assert corpus.annotators == ("anna", "bert", "carl")
    assert dict(corpus.dropped) == {"tiers that name no annotator, where others do": 1}


def test_annotators_in_paths(file, tmp_path):
    for who in ("anna", "bert"):
        tiers = tier(f"words@{who}", aligned("a1", "ts1", "ts2", who)), tier("move", aligned("a2", "ts1", "ts4", "m"))
        file(document(SLOTS, *tiers), f"{who}/talk.eaf")
        file(document(SLOTS, tier("empty")), f"{who}/walk.eaf")
    corpus = read(tmp_path, pattern="{annotator}/{document}.eaf")
    assert sorted(rows(corpus)) == [
        ("talk", "anna", 0.0, 1.5, "words", "anna"),
        ("talk", "anna", 0.0, 4.0, "move", "m"),
        ("talk", "bert", 0.0, 1.5, "words", "bert"),
        ("talk", "bert", 0.0, 4.0, "move", "m"),
    ]
    assert corpus["walk"].annotators == ("anna", "bert")
    files = [file(document(SLOTS, tier("x", aligned("a1", "ts1", "ts2", "x"))), f"{who}.eaf") for who in "ab"]
    assert read(files, pattern="{annotator}.eaf")["document"].annotators == ("a", "b")


def test_annotators_where_the_user_says(file):
    path = file(
        document(
            SLOTS,
            tier("x", aligned("a1", "ts1", "ts2", "x"), ANNOTATOR="anna"),
            tier("y", aligned("a2", "ts1", "ts2", "y"), ANNOTATOR="bert"),
        )
    )

    def annotators(where, name="annotator"):
        return eaf.read(path, Instructions(annotator_from=where, annotator=name)).annotators

    assert annotators("tier") == ("x", "y")
    assert annotators("field") == annotators(None) == annotators(None, "carl") == ("anna", "bert")
    assert annotators("folder", "carl") == annotators("file", "carl") == ("carl",)
    with pytest.raises(DataError, match="no tier names its annotator"):
        eaf.read(file(TWO), Instructions(annotator_from="field"))


def test_slots_without_a_time_divide_what_is_between(file):
    slots = {"ts1": 0, "ts2": None, "ts9": 100, "ts3": None, "ts4": 3000, "ts5": None, "ts6": 5000}
    content = document(
        slots,
        tier("utterance", aligned("a1", "ts1", "ts4", "u"), aligned("a5", "ts4", "ts6", "u")),
        tier(
            "parts",
            aligned("a2", "ts1", "ts2", "p"),
            aligned("a3", "ts2", "ts3", "q"),
            aligned("a4", "ts3", "ts4", "r"),
            kind="parts",
            PARENT_REF="utterance",
        ),
        tier("alone", aligned("a6", "ts5", "ts6", "v")),  # only the order of all slots says when
    )
    assert [row[1:] for row in rows(read(file(content)))] == [
        ("alone", 4.0, 5.0, "v"),
        ("parts", 0.0, 1.0, "p"),
        ("parts", 1.0, 2.0, "q"),
        ("parts", 2.0, 3.0, "r"),
        ("utterance", 0.0, 3.0, "u"),
        ("utterance", 3.0, 5.0, "u"),
    ]


def test_annotations_that_refer_to_others(file):
    """Children may stand before their parents; subdivisions go by PREVIOUS_ANNOTATION, not by the file."""
    content = document(
        SLOTS,
        tier("gloss", referring("g1", "w1", "g"), kind="gloss", PARENT_REF="words"),
        tier(
            "words",
            referring("w2", "a1", "two", "w1"),
            referring("w1", "a1", "one"),
            referring("w4", "a1", "four", "w3"),
            referring("w3", "a1", "three", "w2"),
            kind="words",
            PARENT_REF="utterance",
        ),
        tier("free", referring("f1", "a1", "f"), kind="gloss", PARENT_REF="utterance"),
        tier("circle", referring("c1", "a1", "c", "c2"), referring("c2", "a1", "d", "c1"), kind="unknown"),
        tier("utterance", aligned("a1", "ts3", "ts4", "u")),
    )
    assert [row[1:] for row in rows(read(file(content)))] == [
        ("circle", 2.0, 3.0, "c"),
        ("circle", 3.0, 4.0, "d"),
        ("free", 2.0, 4.0, "f"),
        ("gloss", 2.0, 2.5, "g"),
        ("utterance", 2.0, 4.0, "u"),
        ("words", 2.0, 2.5, "one"),
        ("words", 2.5, 3.0, "two"),
        ("words", 3.0, 3.5, "three"),
        ("words", 3.5, 4.0, "four"),
    ]


def test_long_chains_are_no_problem(file):
    chain = [referring(f"r{i}", f"r{i + 1}" if i < 3000 else "a1", "x") for i in range(1, 3001)]
    words = [referring(f"w{i}", "a1", "w", f"w{i - 1}") for i in range(1, 3001)]
    content = document(
        SLOTS, tier("r", *chain), tier("w", *words, kind="words"), tier("u", aligned("a1", "ts3", "ts4", "u"))
    )
    assert read(file(content)).n_units == 6001


def test_bad_annotations_can_be_passed_over(file):
    content = TWO.replace("ts3", "ts9", 1).replace('REF2="ts4"', 'REF2="ts8"').replace('"a3"', '"a1"')
    errors = []
    corpus = eaf.read(file(content), Instructions(bad=errors.append))
    assert rows(corpus) == [("talk", "Anna", 0.0, 1.5, "S & T")]
    assert len(errors) == 2


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (TWO.replace('TIME_SLOT_REF1="ts3"', 'TIME_SLOT_REF1="ts9"'), 24, ["'ts9'", "not there or has no time"]),
        (TWO.replace('TIME_VALUE="4000"', ""), 24, ["'ts4'", "not there or has no time"]),
        (TWO.replace("4000", "1000"), 24, ["'a2' ends (1000 ms) before it begins (2000 ms)"]),
        (TWO.replace("4000", "4.5"), 13, ["'4.5'", "whole number of milliseconds"]),
        (TWO.replace("4000", "9" * 5000), 13, ["whole number of milliseconds"]),
        (TWO.replace('"a3"', '"a1"'), 31, ["the id 'a1' occurs twice"]),
        (TWO.replace(' TIME_SLOT_REF2="ts2"', ""), 19, ["ALIGNABLE_ANNOTATION has no TIME_SLOT_REF2"]),
        (TWO.replace("ALIGNABLE_", "SVG_"), 19, ["<SVG_ANNOTATION> is not an annotation"]),
        (TWO.replace('"milliseconds"', '"PAL-frames"'), 2, ["PAL-frames", "only milliseconds"]),
        (TWO.replace('"Bert"', '"Anna"'), 17, ["several tiers are named 'Anna'"]),
        (document(SLOTS, tier("x", referring("a1", "a2", "v"))), 17, ["'a1' refers to 'a2'", "not there"]),
        (
            document(SLOTS, tier("x", referring("a1", "a2", "v"), referring("a2", "a1", "v"))),
            17,
            ["'a1' refers to 'a2'"],
        ),
        (document(SLOTS), None, ["there is no tier in it"]),
        (document(SLOTS, tier("x")), None, ["no tier has annotations"]),
        (HEAD, 9, ["breaks off"]),
        ("<text/>", 1, ["<text>", "<ANNOTATION_DOCUMENT>"]),
        (HEAD.replace("<ANN", '<!DOCTYPE a [<!ENTITY b "c">]><ANN'), 2, ["DOCTYPE"]),
        (b"", None, ["empty"]),
        (b"\0\1", None, ["binary"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)


def test_tiers_that_are_not_there(file):
    refusal(
        file(TWO),
        None,
        "no tier is named as in options={'tiers': 'Carl;D*'}",
        "default, Anna, Bert",
        options={"tiers": "Carl;D*"},
    )


def test_what_pympi_writes(tmp_path):
    pympi = pytest.importorskip("pympi", reason="pympi-ling writes the files")
    written = pympi.Elan.Eaf(author="anna")
    written.remove_tier("default")
    written.add_linguistic_type("words", "Symbolic_Subdivision", timealignable=False)
    written.add_linguistic_type("gloss", "Symbolic_Association", timealignable=False)
    written.add_tier("utterance", part="P1", ann="anna")
    written.add_tier("pos", ann="bert")
    written.add_tier("translation", "gloss", "utterance", ann="anna")
    written.add_annotation("utterance", 0, 2000, "so nicht")
    written.add_annotation("utterance", 2500, 4000, "äh „ja“ <&>")
    written.add_annotation("pos", 100, 900, "ADV")
    written.add_ref_annotation("translation", "utterance", 2600, "er yes")
    path = tmp_path / "talk.eaf"
    written.to_file(str(path))
    assert sorted(rows(read(path))) == [
        ("talk", "anna", 0.0, 2.0, "utterance", "so nicht", "P1"),
        ("talk", "anna", 2.5, 4.0, "translation", "er yes", None),
        ("talk", "anna", 2.5, 4.0, "utterance", "äh „ja“ <&>", "P1"),
        ("talk", "bert", 0.1, 0.9, "pos", "ADV", None),
    ]


FUZZED = document(
    {**SLOTS, "ts5": None, "ts6": 9000},
    tier("utterance", aligned("a1", "ts3", "ts4", "u"), aligned("a2", "ts4", "ts5", "v"), ANNOTATOR="anna"),
    tier("words", referring("w1", "a1", "one"), referring("w2", "a1", "two", "w1"), kind="words", ANNOTATOR="bert"),
).encode()


@settings(max_examples=60, deadline=None)
@given(mangled(FUZZED, b'"a1"', b'"ts4"', b"</TIER>", b"<TIER TIER_ID=''/>"))
@example(FUZZED)
def test_mangled_files_are_data_or_refused(content):
    data_or_refusal(content, "talk.eaf")
