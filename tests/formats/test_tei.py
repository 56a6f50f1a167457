from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from format_helpers import refusal, rows
from hypothesis import given, settings
from mangled import mangled

from unisono.errors import DataError, UnisonoError
from unisono.formats import read
from unisono.formats.format import Instructions
from unisono.formats.tools import tei


def document(body, standoff=""):
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader><fileDesc><titleStmt><title>A <name>title</name></title></titleStmt></fileDesc></teiHeader>
<text><body>{body}</body></text>
{standoff}
</TEI>
"""


INLINE = document(
    '<p><persName ref="#p1" resp="#anna">Anna</persName> said, <seg type="speech" ana="#loud" xml:id="s1">»Go, '
    '𝄞 <rs n="7">you</rs>!«</seg> <said>x</said><hi>y</hi> <rs ana="#a #b" category="k"/></p>'
)
WORDS = (
    '<p xml:id="p"><w xml:id="w1">Anna</w> <w xml:id="w2">sees</w> <w xml:id="w3">𝄞</w> '
    '<w xml:id="w4">Bert</w><anchor xml:id="z"/>.</p>'
)
SPANS = document(
    WORDS,
    """<standOff>
<interpGrp><interp xml:id="i1">a  person</interp><interp xml:id="i2"/></interpGrp>
<spanGrp type="entities" resp="#anna">
<span from="#w1" ana="#i1"/>
<span from="#w3" to="#w4" cert="low">thing</span>
<span target="#w1 #w4" resp="#bert" type="own" ana="#i1 #i2"/>
</spanGrp>
<span from="#string-range(p, 5, 4)" to="#z">bare</span>
<listAnnotation><annotation target="#w1"/></listAnnotation>
</standOff>""",
)


@pytest.fixture
def file(tmp_path):
    def make(content, name="text1.xml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def units(corpus):
    document = corpus["text1"]
    return [
        (
            unit.annotator,
            document.text[unit.start : unit.end],
            {k: v for k, v in unit.features.items() if v is not None},
        )
        for unit in document.units
    ]


def test_elements_in_the_text(file):
    corpus = read(file(INLINE))
    assert corpus.source == "TEI XML · text1.xml"
    assert corpus["text1"].text == "Anna said, »Go, 𝄞 you!« xy "
    assert units(corpus) == [
        ("anna", "Anna", {"type": "persName", "category": "persName", "ref": "#p1"}),
        ("annotator", "»Go, 𝄞 you!«", {"type": "seg", "category": "speech", "ana": "loud"}),
        ("annotator", "you", {"type": "rs", "category": "rs"}),
        ("annotator", "", {"type": "rs", "category": ("a", "b"), "category (attribute)": "k"}),
    ]
    assert corpus.dropped == {
        "<said>, which is not taken for an annotation": 1,
        "units without an annotator (resp), taken as those of annotator": 3,
    }


def test_elements_that_the_user_names(file):
    corpus = read(file(INLINE), options={"elements": "said+hi"})
    assert [(text, labels["category"]) for _, text, labels in units(corpus)] == [("x", "said"), ("y", "hi")]
    assert sum(corpus.dropped.values()) == 4


def test_spans(file):
    corpus = read(file(SPANS))
    assert corpus["text1"].text == "Anna sees 𝄞 Bert."
    assert units(corpus) == [
        ("anna", "Anna", {"type": "entities", "category": "a person"}),
        ("anna", "𝄞 Bert", {"type": "entities", "category": "thing", "cert": "low"}),
        ("annotator", "sees 𝄞 Bert", {"type": "span", "category": "bare"}),
        ("bert", "Anna sees 𝄞 Bert", {"type": "own", "category": ("a person", "i2")}),
    ]
    assert corpus.dropped == {
        "<annotation>, which is not read": 1,
        "units without an annotator (resp), taken as those of annotator": 1,
    }
    assert [len(unit.anchors) for unit in corpus["text1"].units] == [0, 0, 0, 2]
    assert {corpus.texts[0, who] for who in range(3)} == {"Anna sees 𝄞 Bert."}


def test_whom_the_path_names(file):
    for where in ("folder", "file"):
        corpus = tei.read(file(SPANS), Instructions(annotator="carl", annotator_from=where))
        assert corpus.annotators == ("carl",)
    assert tei.read(file(SPANS), Instructions(annotator_from="field")).n_units == 4


def test_spans_within_the_text_are_no_text(file):
    inside = document(WORDS + '<spanGrp type="t"><span from="#w1">x</span></spanGrp>')
    assert units(read(file(inside))) == [("annotator", "Anna", {"type": "t", "category": "x"})]
    assert read(file(inside))["text1"].text == "Anna sees 𝄞 Bert."


def test_parts_are_counted(file):
    corpus = read(file(document('<seg part="I" next="#b">a</seg> <seg part="F">b</seg>')))
    assert corpus.n_units == 2
    assert corpus.dropped == {"links between parts of one annotation, which are read as units of their own": 2}


def test_nothing_annotated(file):
    corpus = read(file(document("<p>Anna</p>")))
    assert (corpus.n_units, corpus.annotators, corpus["text1"].text) == (0, ("annotator",), "Anna")


def test_annotators_from_folders(file, tmp_path):
    for name in ("anna", "bert"):
        file(document("<p><name>Anna</name> sings</p>"), f"{name}/text1.xml")
    corpus = read(tmp_path, pattern="{annotator}/{document}.xml")
    assert (corpus.documents, corpus.annotators, corpus.n_units) == (("text1",), ("anna", "bert"), 2)


def test_bad_spans_can_be_passed_over(file):
    bad = []
    corpus = tei.read(file(SPANS.replace('from="#w3"', 'from="#w9"')), Instructions(bad=bad.append))
    assert corpus.n_units == 3
    assert [error.line for error in bad] == [9]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (SPANS.replace('from="#w3"', 'from="#w9"'), 9, ["no element with the ID 'w9'"]),
        (SPANS.replace('xml:id="w2"', 'xml:id="w3"'), 9, ["2 elements with the ID 'w3'"]),
        (SPANS.replace('from="#w3" to="#w4"', 'from="#w4" to="#w1"'), 9, ["ends before it begins, from #w4 to #w1"]),
        (SPANS.replace('from="#w3" to="#w4"', ""), 9, ["neither from nor target"]),
        (SPANS.replace('from="#w3"', 'from="other.xml#w3"'), 9, ["'other.xml#w3' is not understood"]),
        (SPANS.replace('from="#w3"', 'from="#range(w1,w2)"'), 9, ["not understood"]),
        (SPANS.replace("(p, 5, 4)", "(w1, 1, 4)"), 12, ["#string-range(w1, 1, 4) goes beyond the end"]),
        (SPANS.replace("(p, 5, 4)", f"(p, 5, {'9' * 400})"), 12, ["not understood"]),
        (INLINE.replace("text>", "sourceDoc>"), 2, ["there is no <text>"]),
        (INLINE[:-20], 4, ["XML"]),
        (INLINE.replace("<TEI", "<!DOCTYPE TEI [<!ENTITY a 'b'>]><TEI"), 2, ["DOCTYPE"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)


def test_other_xml_is_left_alone():
    assert tei.FORMAT.sniff(INLINE.encode(), Path("a.xml"))
    assert not tei.FORMAT.sniff(b"<teiCorpus><TEI/></teiCorpus>", Path("a.xml"))


@settings(max_examples=60)
@given(mangled(SPANS.encode(), b"<seg>", b"</seg>", b'from="#w2"', b"<span>", b'xml:id="w1"', b"#"))
def test_data_or_refusal(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.xml")
        path.write_bytes(content)
        try:
            corpus = tei.read(path, Instructions())
        except UnisonoError:
            return
    assert all(
        0 <= start <= end <= len(text) for text in corpus.texts.values() for _, _, start, end, *_ in rows(corpus)
    )


def test_deep_nesting_is_refused(file):
    with pytest.raises(DataError, match="nested"):
        read(file(document("<seg>" * 200 + "</seg>" * 200)))
