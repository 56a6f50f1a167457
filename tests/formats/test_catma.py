from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from format_helpers import refusal, rows
from hypothesis import given, settings
from mangled import mangled

from unisono.errors import DataError, UnisonoError
from unisono.formats import read
from unisono.formats.format import Instructions
from unisono.formats.tools import catma

TEXT = "Grete said:\r\n»Go, 𝄞 away!« And she went."


def structure(own, tag, author="anna", more=""):
    """An annotation in the TEI export."""
    who = f'<f name="catma_markupauthor"><string>{author}</string></f>' if author else ""
    return f"""<fs xml:id="{own}" type="{tag}">
{who}
<f name="catma_displaycolor"><string>-65536</string></f>{more}
</fs>
"""


def pointer(start, end, own=""):
    ptr = f'<ptr target="catma://D_1#char={start},{end}" type="inclusion"/>'
    return f'<seg ana="{own}">{ptr}</seg>\n' if own else ptr + "\n"


def tei(structures, pointers):
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="en">
<teiHeader>
<fileDesc><titleStmt><title>first round</title><author>empty</author></titleStmt></fileDesc>
<encodingDesc>
<fsdDecl xml:id="T_1" n="Speech and thought 1a2b3c">
<fsDecl xml:id="CATMA_A" n="x" type="CATMA_A"><fsDescr>speech</fsDescr>
<fDecl xml:id="CATMA_P" name="loud"><vRange><vColl><string>yes</string></vColl></vRange></fDecl>
</fsDecl>
<fsDecl xml:id="CATMA_B" n="x" type="CATMA_B" baseTypes="CATMA_A"><fsDescr>direct speech</fsDescr></fsDecl>
</fsdDecl>
</encodingDesc>
</teiHeader>
<text>
{structures}<body>
<ab type="catma">
{pointers}</ab>
</body>
</text>
</TEI>
"""


LOUD = '<f name="loud"><vRange><vColl><string>yes</string><string>very</string></vColl></vRange></f>'
FULL = tei(
    structure("CATMA_1", "CATMA_A", more='<f name="loud"><string>yes</string></f><f name="type"><string>t</string></f>')
    + structure("CATMA_2", "CATMA_B", "bert", LOUD + '<f name="why"/>')
    + structure("CATMA_3", "CATMA_B", "bert")
    + structure("CATMA_4", "CATMA_C"),
    pointer(0, 6)
    + pointer(6, 10, "#CATMA_1")
    + pointer(10, 14)
    + pointer(14, 20, "#CATMA_1 #CATMA_2")
    + pointer(20, 26, "#CATMA_2")
    + pointer(26, 41),
)


@pytest.fixture
def file(tmp_path):
    def make(content=FULL, name="round1.xml", text=None):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        if text is not None:
            path.with_suffix(".txt").write_bytes(text.encode())
        return path

    return make


def test_an_exported_collection(file):
    corpus = read(file())
    assert corpus.source == "CATMA · round1.xml"
    assert [*corpus.features] == ["type", "category", "loud", "type (feature)"]
    assert rows(corpus) == [
        ("D_1", "anna", 6, 20, "Speech and thought", "speech", "yes", "t"),
        ("D_1", "bert", 14, 26, "Speech and thought", "direct speech", ("very", "yes"), None),
    ]
    assert corpus.bounds == {0: (0, 41)}
    assert [unit.anchors for unit in corpus["D_1"].units] == [(("piece", 6, 10), ("piece", 14, 20)), ()]
    assert corpus.dropped == {"annotations that are nowhere in the text": 2}


def test_the_text_beside_it(file):
    corpus = read(file(text="\ufeff" + TEXT))
    assert corpus["D_1"].text == TEXT
    assert [TEXT[unit.start : unit.end] for unit in corpus["D_1"].units] == ["said:\r\n»Go, 𝄞 ", "Go, 𝄞 away!«"]
    assert not corpus.bounds


def test_documents_exported_with_their_collections(file, tmp_path):
    for name in ("one", "two"):
        file(FULL, f"export/Verwandlung/annotationcollections/{name}.xml")
        (tmp_path / "export/Verwandlung/Verwandlung.txt").write_bytes(TEXT.encode())
    file(FULL.replace("anna", "carl").replace("bert", "carl"), "export/Verwandlung/annotationcollections/two.xml")
    corpus = read(tmp_path / "export", pattern="annotationcollections/*.xml")
    assert (corpus.documents, corpus.annotators) == (("Verwandlung",), ("anna", "bert", "carl"))
    assert corpus["Verwandlung"].text == TEXT
    assert corpus.n_units == 4


@pytest.mark.parametrize(
    ("where", "expected"),
    [(None, ("anna", "bert")), ("field", ("anna", "bert")), ("tier", ("first round",)), ("file", ("path",))],
)
def test_who_annotates(file, where, expected):
    options = Instructions(annotator="path", annotator_from=where, document="d")
    corpus = catma.read(file(), options)
    assert (corpus.annotators, corpus.documents) == (expected, ("d",))


def test_annotations_without_author_are_of_whom_the_path_names(file):
    nameless = tei(structure("CATMA_1", "CATMA_A", ""), pointer(0, 4, "#CATMA_1"))
    assert catma.read(file(nameless), Instructions(annotator="path")).annotators == ("path",)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (FULL.replace("char=6,10", "char=6"), 34, ["#char=0,36"]),
        (FULL.replace("#char=6,10", ""), 34, ["#char=0,36"]),
        (FULL.replace('ana="#CATMA_1 ', 'ana="#CATMA_9 '), 36, ["'CATMA_9' is not described"]),
        (FULL.replace("char=6,10", "char=10,6"), 34, ["#char=0,36"]),
        (FULL.replace('type="CATMA_A">\n', 'type="catma_tag">\n'), 15, ["very old CATMA", "export it again"]),
        (tei("", ""), None, ["no annotations", "leave it out"]),
        (FULL[:-100], 37, ["XML"]),
    ],
)
def test_exports_that_are_refused(file, content, line, words):
    with pytest.raises(DataError) as caught:
        read(file(content))
    assert caught.value.line == line, str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_positions_outside_the_text(file):
    with pytest.raises(DataError, match=r"line 19: a unit from 14 to 26 is outside the text, which has 20"):
        read(file(text=TEXT[:20]))
    with pytest.raises(DataError, match="but CATMA's export has <TEI>"):
        catma.read(file("<TEI.2/>"), Instructions())


def test_bad_annotations_can_be_passed_over(file):
    bad = []
    corpus = catma.read(file(FULL, text=TEXT[:20]), Instructions(bad=bad.append))
    assert [row[1:4] for row in rows(corpus)] == [("anna", 6, 20)]
    assert len(bad) == 1


# the git repository of a project


def annotation(own="CATMA_1", tag="CATMA_A", author="anna", places=((0, 5),), user=None, source="D_1"):
    return {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "type": "Annotation",
        "id": f"collections/C_1/annotations/{own}",
        "body": {
            "@context": {"tag": "https://www.catma.de/tag", "tagset": "https://www.catma.de/tagset"},
            "tagset": "tagsets/T_1",
            "tag": f"tagsets/T_1/{tag}",
            "properties": {
                "system": {"CATMA_54A5F93F": ["2023-08-03"], "CATMA_AB27F1D4-303A-3622-BB2C-72C310D0C1BF": [author]},
                "user": user or {},
            },
            "type": "Dataset",
        },
        "target": {
            "items": [
                {"source": source, "selector": {"start": start, "end": end, "type": "TextPositionSelector"}}
                for start, end in places
            ],
            "type": "List",
        },
    }


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "CATMA_X_project"

    def store(place, content):
        path = root / place
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8", newline="")
        return path

    def page(records, name="anna_0", collection="C_1"):
        return store(f"collections/{collection}/annotations/{name}.json", records)

    page.store = store
    store("tagsets/T_1/header.json", {"name": "Speech", "responsibleUser": "anna"})
    tag = {
        "name": "speech",
        "userDefinedPropertyDefinitions": {"CATMA_P": {"name": "loud"}, "CATMA_Q": {"name": "who"}},
    }
    store("tagsets/T_1/CATMA_A/propertydefs.json", {**tag, "systemPropertyDefinitions": {"x": {"name": "y"}}})
    store("tagsets/T_1/CATMA_A/CATMA_B/propertydefs.json", {"name": "direct speech"})
    store("collections/C_1/header.json", {"name": "first round", "sourceDocumentId": "D_1"})
    store("documents/D_1/header.json", {"gitContentInfoSet": {"title": "Verwandlung"}})
    store("documents/D_1/D_1.txt", TEXT)
    store("documents/D_1/D_1.json", {"Grete": [{"position": 0}]})
    return page


USED = {"CATMA_P": ["yes"], "CATMA_Q": ["x", "y"], "CATMA_R": []}


def test_a_page_of_annotations(project, tmp_path):
    project([annotation(user=USED), annotation("CATMA_2", "CATMA_B", places=((13, 18), (18, 26), (30, 33)))])
    project([annotation("CATMA_3", author="bert")], "bert_0")
    project([annotation("CATMA_4", author="bert")], "bert_1")
    corpus = read(tmp_path, pattern="annotations/*.json")
    assert corpus["Verwandlung"].text == TEXT
    assert rows(corpus) == [
        ("Verwandlung", "anna", 0, 5, "Speech", "speech", "yes", ("x", "y")),
        ("Verwandlung", "anna", 13, 33, "Speech", "direct speech", None, None),
        ("Verwandlung", "bert", 0, 5, "Speech", "speech", None, None),
        ("Verwandlung", "bert", 0, 5, "Speech", "speech", None, None),
    ]
    assert corpus["Verwandlung"].units[1].anchors == (("piece", 13, 26), ("piece", 30, 33))
    assert corpus.dropped == {}


def test_pages_of_a_collection_are_annotators_if_one_wants(project):
    path = project([annotation()])
    assert catma.read(path, Instructions(annotator_from="tier")).annotators == ("first round",)
    assert catma.read(path, Instructions(annotator_from="folder", annotator="x")).annotators == ("x",)


def test_a_single_annotation_as_in_version_6(project):
    old = json.dumps(annotation()).replace('"tagsets/', '"http://catma.de/gitlab/p/tagsets/')
    old = old.replace('"D_1"', '"http://catma.de/gitlab/p/documents/D_1"')
    old = old.replace("CATMA_AB27F1D4-303A-3622-BB2C-72C310D0C1BF", "catma_markupauthor")
    assert [row[:6] for row in rows(read(project(old, "CATMA_1")))] == [
        ("Verwandlung", "anna", 0, 5, "Speech", "speech")
    ]


def test_pages_with_nothing_in_them(project):
    corpus = read(project("[]\n", "bert_the_third_12"))
    assert (corpus.annotators, corpus.documents, corpus.n_units) == (("bert_the_third",), ("Verwandlung",), 0)
    assert corpus["Verwandlung"].text == TEXT
    with pytest.raises(DataError, match="no annotated document"):
        read(project("[]", "noname"))


def test_documents_with_the_same_title(project):
    project.store("documents/D_2/header.json", {"gitContentInfoSet": {"title": "Verwandlung"}})
    corpus = read(project([annotation(), annotation(source="D_2"), annotation(source="D_3")]))
    assert corpus.documents == ("Verwandlung (D_1)", "Verwandlung (D_2)", "D_3")
    assert len(corpus.texts) == 1


def test_a_page_without_its_project(file):
    path = file(json.dumps([annotation(user=USED)]), "page.json")
    corpus = read(path)
    assert rows(corpus) == [("D_1", "anna", 0, 5, "T_1", "CATMA_A", "yes", ("x", "y"))]
    assert [*corpus.features] == ["type", "category", "CATMA_P", "CATMA_Q"]


def test_ids_do_not_lead_elsewhere(project, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    record = annotation(source="..")
    record["target"]["items"][0]["source"] = "documents/.."
    record["body"]["tagset"] = "tagsets/.."
    corpus = read(project([record]))
    assert (corpus.documents, dict(corpus.texts)) == (("..",), {})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"body": {}}, "'CATMA_1' has no tag"),
        ({"target": {"items": {}}}, "no list of target items"),
        ({"target": {"items": [{"source": "D_1", "selector": {"start": "0", "end": 5}}]}}, "whole numbers"),
        ({"target": {"items": [{"source": "D_1", "selector": {"start": True, "end": 5}}]}}, "whole numbers"),
        ({"target": {"items": [{"selector": {"start": 0, "end": 5}}]}}, "a source"),
        ({"target": {"items": [{"source": "D_1", "selector": {"start": 5, "end": 0}}]}}, "from 5 to 0"),
        ({"target": {"items": [{"source": "D_1", "selector": {"start": 5, "end": 10**400}}]}}, "from 5 to 1000"),
        ({"target": {"items": [{"source": "D_1", "selector": {"start": 5, "end": 99}}]}}, "outside the text"),
    ],
)
def test_pages_that_are_refused(project, change, words):
    path = project([annotation("CATMA_0"), {**annotation(), **change}])
    refusal(path, None, words)
    bad = []
    assert catma.read(path, Instructions(bad=bad.append)).n_units == 1
    assert len(bad) == 1


def test_files_of_the_project_that_are_broken(project):
    path = project([annotation()])
    broken = project.store("tagsets/T_1/CATMA_A/propertydefs.json", "{")
    with pytest.raises(DataError, match="this is not JSON") as caught:
        read(path)
    assert caught.value.path == broken


def test_other_files_are_left_alone():
    assert not catma.FORMAT.sniff(b"[]", Path("a.json"))
    assert not catma.FORMAT.sniff(b'[{"text": "tagset"}]', Path("a.json"))
    assert not catma.FORMAT.sniff(b"<TEI><text/></TEI>", Path("a.xml"))
    assert catma.FORMAT.sniff(tei("", "").encode(), Path("a.xml"))


@settings(max_examples=60)
@given(mangled(FULL.encode(), b"<seg>", b"</fs>", b"#CATMA_2", b"<string>", b"char=3,4"))
def test_data_or_refusal(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.xml")
        path.write_bytes(content)
        path.with_suffix(".txt").write_bytes(TEXT.encode())
        try:
            corpus = catma.read(path, Instructions())
        except UnisonoError:
            return
    assert all(0 <= start <= end <= len(TEXT) for _, _, start, end, *_ in rows(corpus))


@settings(max_examples=60)
@given(
    mangled(json.dumps([annotation(user=USED), annotation("CATMA_2")]).encode(), b"[]", b"{}", b"null", b'"D_1"', b"{")
)
def test_page_or_refusal(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "collections", "C_1", "annotations", "anna_0.json")
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        try:
            corpus = catma.read(path, Instructions())
        except UnisonoError:
            return
    assert all(0 <= start <= end for _, _, start, end, *_ in rows(corpus))
