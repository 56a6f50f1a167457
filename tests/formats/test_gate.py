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
from unisono.formats.tools import gate


def feature(name, value, kind="java.lang.String", more=""):
    return (
        f'<Feature><Name className="java.lang.String">{name}</Name>'
        f'<Value className="{kind}"{more}>{value}</Value></Feature>\n'
    )


def annotation(number, kind, start, end, *features):
    begin = f'<Annotation Id="{number}" Type="{kind}" StartNode="{start}" EndNode="{end}">'
    return f"{begin}\n{''.join(features)}</Annotation>\n"


def document(*sets, text='<Node id="0"/>Anna<Node id="4"/> 𝄞 &amp; <Node id="11"/>Bert\n<Node id="16"/>'):
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<GateDocument version="3">\n<!-- The document\'s features-->\n'
        f"<GateDocumentFeatures>{feature('MimeType', 'text/plain')}</GateDocumentFeatures>\n"
        f"<TextWithNodes>{text}</TextWithNodes>\n{''.join(sets)}</GateDocument>\n"
    )


PERSONS = annotation(1, "Person", 0, 4, feature("gender", "f"), feature("sure", "true", "java.lang.Boolean"))
TOKEN = annotation(9, "Token", 0, 4, feature("category", "NNP"), feature("type", "x"))
FULL = document(
    f"<AnnotationSet>{TOKEN}</AnnotationSet>\n",
    f'<AnnotationSet Name="anna">{PERSONS}{annotation(2, "Person", 11, 16)}</AnnotationSet>\n',
    f'<AnnotationSet Name="bert">{PERSONS.replace("f<", "m<")}</AnnotationSet>\n',
    '<AnnotationSet Name="carl"/>\n',
    f'<AnnotationSet Name="Original markups">{annotation(7, "p", 0, 16)}</AnnotationSet>\n',
    '<RelationSet Name="anna"><Relation Id="8" Type="r" Members="1;2"><UserData/></Relation></RelationSet>\n',
)


@pytest.fixture
def file(tmp_path):
    def make(content=FULL, name="text1.xml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def test_sets_are_layers(file):
    corpus = read(file())
    assert corpus.source == "GATE XML · text1.xml"
    assert corpus["text1"].text == "Anna 𝄞 & Bert\n"
    assert [*corpus.features] == ["category", "category (feature)", "type (feature)", "type", "gender", "sure"]
    assert rows(corpus) == [
        ("text1", "annotator", 0, 4, "Person", None, None, "anna", "f", True),
        ("text1", "annotator", 0, 4, "Person", None, None, "bert", "m", True),
        ("text1", "annotator", 0, 4, "Token", "NNP", "x", None, None, None),
        ("text1", "annotator", 9, 14, "Person", None, None, "anna", None, None),
    ]
    assert corpus.dropped == {
        'annotations of the set "Original markups", which are not annotators\'': 1,
    }
    assert corpus.others == {"relations": {"anna": 1}}


def test_sets_are_annotators(file):
    corpus = gate.read(file(), Instructions(annotator_from="field"))
    assert corpus.annotators == ("anna", "bert", "carl")
    assert rows(corpus) == [
        ("text1", "anna", 0, 4, "Person", "f", True),
        ("text1", "anna", 9, 14, "Person", None, None),
        ("text1", "bert", 0, 4, "Person", "m", True),
    ]
    assert corpus.dropped["annotations of the set without a name, which names no annotator"] == 1
    assert corpus["text1"].annotators == ("anna", "bert", "carl")
    assert corpus["text1"].text == "Anna 𝄞 & Bert\n"


def test_several_files_whose_sets_are_annotators(file, tmp_path):
    for name in ("text1", "text2"):
        file(FULL, f"{name}.xml")
    corpus = read(tmp_path, format="gate", annotator_from="field")
    assert (corpus.documents, corpus.annotators) == (("text1", "text2"), ("anna", "bert", "carl"))
    assert corpus.n_units == 6


def test_no_named_set(file):
    path = file(document(f"<AnnotationSet>{PERSONS}</AnnotationSet>"))
    assert rows(read(path)) == [("text1", "annotator", 0, 4, "Person", "f", True)]
    with pytest.raises(DataError, match=r"no annotation set has a name.* leave out annotator_from='field'"):
        gate.read(path, Instructions(annotator_from="field"))


def test_nothing_annotated(file):
    corpus = read(file(document()))
    assert (corpus.n_units, corpus.annotators, corpus["text1"].text) == (0, ("annotator",), "Anna 𝄞 & Bert\n")


@pytest.mark.parametrize(
    ("kind", "value", "label"),
    [
        ("java.lang.String", "12", "12"),
        ("java.lang.Integer", "12", 12),
        ("java.lang.Long", "-12", -12),
        ("java.lang.Integer", "x", "x"),
        ("java.lang.Integer", "9" * 400, "9" * 400),
        ("java.lang.Double", "0.5", 0.5),
        ("java.lang.Double", "NaN", "NaN"),
        ("java.lang.Float", "x", "x"),
        ("java.lang.Boolean", "false", False),
        ("java.lang.Boolean", "no", "no"),
        ("java.util.ArrayList", "b;a;a;", ("a", "b")),
        ("java.util.HashSet", "b", ("b",)),
        ("org.example.Thing", "b;a", "b;a"),
        ("gate.corpora.ObjectWrapper", "&lt;object/&gt;", None),
        ("", "", ""),
    ],
)
def test_values(file, kind, value, label):
    own = annotation(1, "X", 0, 4, feature("f", value, kind, ' itemClassName="java.lang.String"'))
    corpus = read(file(document(f"<AnnotationSet>{own}</AnnotationSet>")))
    assert [type(unit.features.get("f")) for unit in corpus["text1"].units] == [type(label)]
    assert [unit.features.get("f") for unit in corpus["text1"].units] == [label]
    assert bool(corpus.dropped) == (label is None)


def test_what_nodes_are_called_does_not_matter(file):
    text = '<Node id="7"/>Anna<Node id="1"/>'
    own = '<AnnotationSet><Annotation Type="X" StartNode="7" EndNode="1"/></AnnotationSet>'  # as before version 2
    assert rows(read(file(document(own, text=text)))) == [("text1", "annotator", 0, 4, "X")]


def test_encodings(file):
    latin = document(f"<AnnotationSet>{PERSONS}</AnnotationSet>").replace("𝄞", "ä").replace("UTF-8", "windows-1252")
    assert read(file(latin.encode("cp1252")))["text1"].text == "Anna ä & Bert\n"
    assert read(file(FULL.replace("UTF-8", "UTF-16").encode("utf-16"))).n_units == 4
    assert read(file("\ufeff" + FULL.replace("\n", "\r\n")))["text1"].text == "Anna 𝄞 & Bert\n"


def test_annotators_from_folders(file, tmp_path):
    for name in ("anna", "bert"):
        file(document(f"<AnnotationSet>{PERSONS}</AnnotationSet>"), f"{name}/text1.xml")
    corpus = read(tmp_path, pattern="{annotator}/{document}.xml")
    assert (corpus.documents, corpus.annotators, corpus.n_units) == (("text1",), ("anna", "bert"), 2)


def test_bad_annotations_can_be_passed_over(file):
    bad = []
    own = annotation(1, "X", 4, 0) + annotation(2, "X", 0, 99) + annotation(3, "X", 0, 4)
    path = file(document(f"<AnnotationSet>\n{own}</AnnotationSet>"))
    corpus = gate.read(path, Instructions(bad=bad.append))
    assert rows(corpus) == [("text1", "annotator", 0, 4, "X")]
    assert len(bad) == 2


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (FULL.replace('StartNode="11"', 'StartNode="12"'), 17, ["StartNode '12'", "not in the text"]),
        (FULL.replace(' EndNode="16"', "", 1), 17, ["no EndNode"]),
        (
            FULL.replace('StartNode="11"', 'StartNode="16"').replace('EndNode="16"', 'EndNode="0"'),
            17,
            ["before it begins"],
        ),
        (FULL.replace("TextWithNodes", "Text"), 2, ["TextWithNodes", "GATE saved the document"]),
        (FULL.replace('<Node id="4"/>', '<Node id="0"/>'), 6, ["Node '0' is in two places"]),
        (FULL.replace('<Node id="4"/>', "<b/>"), 6, ["not this b"]),
        (FULL.replace('<Node id="4"/>', "<Node/>"), 6, ["not this Node"]),
        (FULL.replace("<Name", "<Nam").replace("</Name", "</Nam"), 9, ["no Name"]),
        (FULL[:-20], 29, ["breaks off"]),
        (FULL.replace("<GateDocument ", '<!DOCTYPE a [<!ENTITY b "c">]><GateDocument '), 2, ["DOCTYPE"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    with pytest.raises(DataError) as caught:
        gate.read(file(content), Instructions())
    assert caught.value.line == line, str(caught.value)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_other_xml_is_left_alone(file):
    refusal(file(FULL.replace("GateDocument", "Other")), 2, "Other")
    assert gate.FORMAT.sniff(FULL.encode(), Path("a.xml"))
    assert not gate.FORMAT.sniff(b"<?xml version='1.0'?><text><GateDocument/></text>", Path("a.xml"))


@settings(max_examples=60)
@given(mangled(FULL.encode(), b'StartNode="0"', b"<AnnotationSet>", b"</Feature>", b"&amp;", b"&b;"))
def test_data_or_refusal(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.xml")
        path.write_bytes(content)
        for place in (None, "field"):
            try:
                corpus = gate.read(path, Instructions(annotator_from=place))
            except UnisonoError:
                continue
            assert all(
                start <= end <= len(text) for text in corpus.texts.values() for _, _, start, end, *_ in rows(corpus)
            )
