"""Corpora written as UIMA CAS XMI: what was read from INCEpTION goes back with its own types."""

from __future__ import annotations

import json
import warnings
import zipfile

import cassis
import pytest
from commands import run

import unisono
from unisono.errors import DataError

TEXT = "😀 Anna sees 🌍 Bert & <Rome>."
DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
STRING = "uima.cas.String"
ENTITY, POS = f"{DKPRO}ner.type.NamedEntity", f"{DKPRO}lexmorph.type.pos.POS"
TOKEN, SENTENCE = f"{DKPRO}segmentation.type.Token", f"{DKPRO}segmentation.type.Sentence"
METADATA = f"{DKPRO}metadata.type.DocumentMetaData"
EVENT = {
    "kind": STRING,
    "sure": "uima.cas.Boolean",
    "rank": "uima.cas.Integer",
    "weight": "uima.cas.Double",
    "tags": "uima.cas.StringArray",
    "type": STRING,
}


def types_of_a_project():
    types = cassis.TypeSystem()
    for name, supertype, features in (
        (TOKEN, "uima.tcas.Annotation", {}),
        (SENTENCE, "uima.tcas.Annotation", {}),
        (METADATA, "uima.tcas.DocumentAnnotation", {"documentTitle": STRING, "documentId": STRING}),
        (ENTITY, "uima.tcas.Annotation", {"value": STRING, "identifier": STRING}),
        (POS, "uima.tcas.Annotation", {"PosValue": STRING}),
        (f"{POS}_NOUN", POS, {}),
        ("webanno.custom.Event", "uima.tcas.Annotation", EVENT),
    ):
        kind = types.create_type(name, supertypeName=supertype)
        for feature, range_name in features.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "type" is called otherwise in cassis
                types.create_feature(kind, feature, range_name)
    return types


def version(types, label):
    cas = cassis.Cas(types)
    cas.sofa_string, cas.sofa_mime = TEXT, "text/plain"

    def place(word):
        return {"begin": TEXT.index(word), "end": TEXT.index(word) + len(word)}

    for word in ("😀", "Anna", "sees", "🌍", "Bert", "&", "<Rome>", "."):
        cas.add(types.get_type(TOKEN)(**place(word)))
    cas.add(types.get_type(ENTITY)(**place("Anna"), value=label))
    cas.add(types.get_type(ENTITY)(**place("Bert & <Rome>"), value="PER", identifier="x & y"))
    cas.add(types.get_type(f"{POS}_NOUN")(**place("Anna"), PosValue="NE"))
    tags = types.get_type("uima.cas.StringArray")(elements=["b", "a"])
    given = {"kind": "<b>", "sure": True, "rank": 3, "weight": 0.5, "tags": tags, "type_": "odd"}
    cas.add(types.get_type("webanno.custom.Event")(**place("sees"), **given))
    cas.add(types.get_type("webanno.custom.Event")(begin=7, end=7))
    return cas.to_xmi()


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project of INCEpTION: two annotators, two documents."""
    path, types = tmp_path_factory.mktemp("project") / "export.zip", types_of_a_project()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("exportedproject.json", "{}")
        for document in ("text one.txt", "text2.txt"):
            for who, label in {"anna": "PER", "bert": "LOC"}.items():
                own = path.parent / f"{who}.zip"
                with zipfile.ZipFile(own, "w") as packed:
                    packed.writestr(f"{who}.xmi", version(types, label))
                    packed.writestr("TypeSystem.xml", types.to_xml())
                archive.write(own, f"annotation/{document}/{who}.zip")
    return path


def loaded(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cassis.load_typesystem(path)


def units(corpus):
    return [(document.name, unit) for document in corpus for unit in document.units]


def test_what_was_read_goes_back_with_its_own_types(project, tmp_path):
    corpus = unisono.read(project)
    said = unisono.write(corpus, tmp_path / "out", format="xmi")
    assert said == [
        "UIMA CAS XMI does not accept these names of documents, so they are written differently: "
        "'text one.txt' as text_one.txt"
    ]
    written = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*"))
    names = ["text2.txt.xmi", "text_one.txt.xmi"]
    assert written == ["TypeSystem.xml", *(f"{who}/{name}" for who in ("anna", "bert") for name in names)]
    back = unisono.read(tmp_path / "out", pattern="{annotator}/{document}.txt.xmi")
    assert [unit for _, unit in units(back) if _ == "text2"] == [
        unit for name, unit in units(corpus) if name == "text2.txt"
    ]
    assert set(back.features) == set(corpus.features)
    assert [spans.tolist() for spans in back.tokens.values()] == [spans.tolist() for spans in corpus.tokens.values()]
    types = loaded(tmp_path / "out" / "TypeSystem.xml")
    original = types_of_a_project()
    for kind in original.get_types():
        assert {one.name: one.rangeType.name for one in types.get_type(kind.name).all_features} == {
            one.name: one.rangeType.name for one in kind.all_features
        }


def test_cassis_reads_what_was_written(project, tmp_path):
    unisono.write(unisono.read(project), tmp_path / "out", format="xmi")
    types = loaded(tmp_path / "out" / "TypeSystem.xml")
    cas = cassis.load_cas_from_xmi(tmp_path / "out" / "bert" / "text2.txt.xmi", typesystem=types)
    assert cas.sofa_string == TEXT
    found = sorted((one.get_covered_text(), one.value, one.identifier) for one in cas.select(ENTITY))
    assert found == [("Anna", "LOC", None), ("Bert & <Rome>", "PER", "x & y")]
    (event, empty) = sorted(cas.select("webanno.custom.Event"), key=lambda one: one.end - one.begin, reverse=True)
    assert (event.kind, event.sure, event.rank, event.weight, event.type_) == ("<b>", True, 3, 0.5, "odd")
    assert sorted(event.tags.elements) == ["a", "b"]
    assert (empty.begin, empty.end, empty.kind) == (7, 7, None)
    assert [one.documentTitle for one in cas.select(METADATA)] == ["text2.txt"]
    assert [one.get_covered_text() for one in cas.select(TOKEN)][:3] == ["😀", "Anna", "sees"]
    assert len(cas.select(POS)) == 1


def test_a_gold_standard_goes_back_to_the_project(project, tmp_path):
    out = tmp_path / "gold"
    gold = ("gold", project, "--layer", "NamedEntity", "-m", "gamma(features=value)", "--to", "xmi", "-o")
    done = run(*gold, out)
    assert done.returncode == 0, done.stderr
    assert "has no feature 'support': 4 labels not written" in done.stderr
    types = loaded(out / "TypeSystem.xml")
    cas = cassis.load_cas_from_xmi(out / "gold" / "text2.txt.xmi", typesystem=types)
    assert [one.get_covered_text() for one in cas.select(ENTITY)] == ["Anna", "Bert & <Rome>"]
    plain = run(*gold, tmp_path / "plain", "--plain")
    assert plain.returncode == 0
    assert "not written" not in plain.stderr
    again = run(*gold, out)
    assert again.returncode == 1
    assert "--force" in again.stderr
    assert run(*gold, out, "--force").returncode == 0


def test_data_of_other_tools_becomes_custom_layers(tmp_path):
    lines = [
        {
            "document": "d1",
            "annotator": who,
            "text": TEXT,
            "units": [
                {"start": 2, "end": 6, "type": "Name of person", "features": {"class": "a b", "n": 3}},
                {"start": 7, "end": 11, "features": {"class": ["x", "y"], "type_of": True}},
            ],
        }
        for who in ("anna", "bert")
    ]
    data = tmp_path / "data.jsonl"
    data.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    corpus = unisono.read(data)
    assert unisono.write(corpus, tmp_path / "out", format="xmi") == []
    back = unisono.read(tmp_path / "out")
    (document,) = back
    found = [(unit.annotator, unit.start, unit.end) for unit in document.units]
    assert found == [(who, start, end) for who in ("anna", "bert") for start, end in ((2, 6), (7, 11))]
    labels = [{name: one for name, one in unit.features.items() if one is not None} for unit in document.units[:2]]
    assert labels == [
        {"type": "Name_of_person", "class_": "a b", "n": 3},
        {"type": "Unit", "class_": ("x", "y"), "type_of": True},
    ] or labels[0]["class_"] in ("a b", ("a b",))


@pytest.mark.parametrize(
    ("text", "message"),
    [("a\x01b", "has the character '\\x01' at 1, which XML cannot hold"), (None, "there is no text of document 'd'")],
)
def test_what_xml_cannot_hold(text, message, tmp_path):
    texts = {} if text is None else {("d", "anna"): text}
    corpus = unisono.Corpus.from_columns(document=["d"], annotator=["anna"], start=[0], end=[1], texts=texts)
    with pytest.raises(DataError) as caught:
        unisono.write(corpus, tmp_path / "out", format="xmi")
    assert message in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_number_stays_a_number(project, tmp_path):
    corpus = unisono.read(project)
    wrong = unisono.Corpus.from_columns(
        document=["d"],
        annotator=["anna"],
        start=[0],
        end=[1],
        texts={("d", "anna"): "abc"},
        features={"type": ["Event"], "rank": ["three"]},
        schemas=corpus.schemas,
    )
    with pytest.raises(DataError, match=r"the feature 'rank' of webanno\.custom\.Event is a number, not 'three'"):
        unisono.write(wrong, tmp_path / "out", format="xmi")
