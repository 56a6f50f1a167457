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
from unisono.formats.tools import glozz

TEXT = " 𝄞 Anna sings.  Bert listens. "


def unit(number, kind, start, end, features="<featureSet/>", author="anna"):
    return f"""<unit id="{author}_{number}">
<metadata>
<author>{author}</author>
<creation-date>{number}</creation-date>
<lastModifier>n/a</lastModifier>
<lastModificationDate>0</lastModificationDate>
</metadata>
<characterisation>
<type>{kind}</type>
{features}
</characterisation>
<positioning>
<start>
<singlePosition index="{start}"/>
</start>
<end>
<singlePosition index="{end}"/>
</end>
</positioning>
</unit>
"""


FEATURES = """<featureSet>
<feature name="role">agent</feature>
<feature name="category">x</feature>
<feature name="remark"/>
</featureSet>"""


def annotations(*units):
    head = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<annotations>\n'
    return head + '<metadata corpusHashcode="31-12345"/>\n' + "".join(units) + "</annotations>\n"


FULL = annotations(
    unit(-1, "paragraph", 1, 16, author="TXT_IMPORTER"),
    unit(1, "Person", 4, 8, FEATURES),
    unit(2, "Person", 17, 21, author="bert"),
    '<relation id="r_1"><metadata/><characterisation><type>r</type><featureSet/></characterisation>'
    '<positioning><term id="anna_1"/><term id="bert_2"/></positioning></relation>\n',
    '<schema id="s_1"><positioning><embedded-unit id="anna_1"/></positioning></schema>\n',
)


@pytest.fixture
def file(tmp_path):
    def make(content=FULL, text=TEXT, name="text1"):
        path = tmp_path / f"{name}.aa"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        if text is not None:
            path.with_suffix(".ac").write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


def test_units_with_features(file):
    corpus = read(file())
    assert corpus.source == "Glozz · text1.aa"
    document = corpus["text1"]
    assert document.text == TEXT
    assert [(TEXT[unit.start : unit.end], *unit.features.values()) for unit in document.units] == [
        ("Anna", "Person", "agent", "x"),
        ("Bert", "Person", None, None),
    ]
    assert [*corpus.features] == ["category", "role", "category (feature)"]
    assert corpus.annotators == ("annotator",)
    assert corpus.dropped == {
        "paragraphs, which Glozz itself marks": 1,
    }
    assert corpus.others == {"relations": {"r": 1}, "events": {"": 1}}


def test_authors_are_annotators(file):
    corpus = glozz.read(file(), Instructions(annotator_from="field"))
    assert [row[1:5] for row in rows(corpus)] == [("anna", 3, 7, "Person"), ("bert", 16, 20, "Person")]
    assert corpus["text1"].text == TEXT


def test_several_files_whose_authors_are_annotators(file, tmp_path):
    for name in ("text1", "text2"):
        file(name=name)
    corpus = read(tmp_path, annotator_from="field")
    assert (corpus.documents, corpus.annotators, corpus.n_units) == (("text1", "text2"), ("anna", "bert"), 4)


def test_annotators_from_folders(file, tmp_path):
    for name in ("anna", "bert"):
        file(name=f"{name}/text1")
    corpus = read(tmp_path, pattern="{annotator}/{document}.aa")
    assert (corpus.documents, corpus.annotators, corpus.n_units) == (("text1",), ("anna", "bert"), 4)


def test_nothing_annotated(file):
    path = file(annotations(unit(-1, "paragraph", 1, 16)))
    assert (read(path).n_units, read(path).annotators) == (0, ("annotator",))
    with pytest.raises(DataError, match="no annotated document"):
        glozz.read(path, Instructions(annotator_from="field"))


def test_bad_units_can_be_passed_over(file):
    bad = []
    path = file(annotations(unit(1, "X", 4, 99), unit(2, "X", 4, 8), unit(3, "X", 8, 4)))
    assert [row[2:] for row in rows(glozz.read(path, Instructions(bad=bad.append)))] == [(3, 7, "X")]
    assert [error.line for error in bad] == [20, 44]


def test_windows_and_byte_order_marks(file):
    assert read(file("\ufeff" + FULL.replace("\n", "\r\n"))).n_units == 2
    corpus = read(file(annotations(unit(1, "X", 4, 8)), "\ufeffa\r\nAnna"))
    assert corpus["text1"].text == "\ufeffa\r\nAnna"


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (annotations(unit(1, "X", 4, 99)), 20, ["the end of the unit, 99", "not in the text", ".ac"]),
        (annotations(unit(1, "X", 2, 8)), 17, ["the start of the unit, 2"]),  # within a character
        (annotations(unit(1, "X", 8, 4)), 4, ["ends (3) before it begins (7)"]),
        (annotations(unit(1, "X", "x", 8)), 17, ["'x', should be a whole number"]),
        (annotations(unit(1, "X", -1, 8)), 17, ["'-1', should be a whole number"]),
        (annotations(unit(1, "X", "9" * 400, 8)), 17, ["whole number"]),
        (FULL.replace("start>", "begin>"), 24, ["the unit has no start"]),
        (FULL[:-20], 69, ["breaks off"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)


def test_texts_authors_and_roots_that_are_refused(file):
    refusal(file(text=None), None, "text1.ac, is not there")
    with pytest.raises(DataError, match=r"text1\.ac, line 1: .*not UTF-8"):
        read(file(text=b"\xe4"))
    without = FULL.replace("paragraph", "X").replace("TXT_IMPORTER", "")
    with pytest.raises(DataError, match=r"line 4: the unit names no author.* annotator_from='field'"):
        glozz.read(file(without), Instructions(annotator_from="field"))
    with pytest.raises(DataError, match="line 2: the root element is <other>"):
        glozz.read(file(FULL.replace("annotations>", "other>")), Instructions())


def test_other_xml_is_left_alone():
    assert glozz.FORMAT.sniff(FULL.encode(), Path("a.aa"))
    assert not glozz.FORMAT.sniff(FULL.encode(), Path("a.xml"))
    assert not glozz.FORMAT.sniff(b"<text/>", Path("a.aa"))


@settings(max_examples=60)
@given(mangled(FULL.encode(), b"<unit>", b"</unit>", b'index="3"', b"<type>"))
def test_data_or_refusal(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.aa")
        path.write_bytes(content)
        path.with_suffix(".ac").write_bytes(TEXT.encode())
        for place in (None, "field"):
            try:
                corpus = glozz.read(path, Instructions(annotator_from=place))
            except UnisonoError:
                continue
            assert all(0 <= start <= end <= len(TEXT) for _, _, start, end, *_ in rows(corpus))
