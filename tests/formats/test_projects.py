"""Projects as tools export them, packed and unpacked."""

from __future__ import annotations

import io
import zipfile

import pytest

import unisono

cassis = pytest.importorskip("cassis", reason="reads what dkpro-cassis writes")

TEXT = "Anna met Bert 🙂 in Rome."
_NER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
_TOKEN = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"


def type_system():
    types = cassis.TypeSystem()
    entity = types.create_type(_NER, "uima.tcas.Annotation")
    types.create_feature(entity, "value", "uima.cas.String")
    types.create_type(_TOKEN, "uima.tcas.Annotation")
    return types


def packed(units, types, name):
    cas = cassis.Cas(types)
    cas.sofa_string, cas.sofa_mime = TEXT, "text/plain"
    for word in TEXT.split():
        begin = TEXT.index(word)
        cas.add(types.get_type(_TOKEN)(begin=begin, end=begin + len(word)))
    for begin, end, label in units:
        cas.add(types.get_type(_NER)(begin=begin, end=end, value=label))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(f"{name}.xmi", cas.to_xmi())
        archive.writestr("TypeSystem.xml", types.to_xml())
    return stream.getvalue()


@pytest.fixture(scope="module", params=["exportedproject.json", "exportedproject1542.json"])
def export(request, tmp_path_factory):
    """A project of INCEpTION (or of WebAnno, which numbers the file)."""
    path = tmp_path_factory.mktemp("project") / "export.zip"
    types = type_system()
    rome = TEXT.index("Rome")
    anna = packed([(0, 4, "PER"), (rome, rome + 4, "LOC")], types, "anna")
    bert = packed([(0, 4, "PER"), (rome, rome + 4, "ORG")], types, "bert")
    with zipfile.ZipFile(path, "w") as project:
        project.writestr(request.param, "{}")
        project.writestr("source/text one.txt", TEXT)
        for document in ("text one.txt", "text2.txt"):
            project.writestr(f"annotation/{document}/anna.zip", anna)
            project.writestr(f"annotation/{document}/bert.zip", bert)
            project.writestr(f"annotation/{document}/INITIAL_CAS.zip", packed([], types, "INITIAL_CAS"))
            project.writestr(f"curation/{document}/CURATION_USER.zip", anna)
        project.writestr("log/project.log", "…")
    return path


def test_a_project_as_it_comes(export):
    corpus = unisono.read(export)
    assert corpus.annotators == ("anna", "bert")
    assert corpus.documents == ("text one.txt", "text2.txt")
    assert corpus.n_units == 8
    assert corpus.dropped == {"versions of documents before anybody worked on them": 2}
    document = next(iter(corpus))
    assert document.text == TEXT
    assert [TEXT[u.start : u.end] for u in document.units] == ["Anna", "Rome"] * 2  # in spite of the emoji
    assert unisono.gamma(corpus, workers=1).value is not None  # the value of its one layer is the category


def test_the_same_unpacked_by_hand(export, tmp_path):
    with zipfile.ZipFile(export) as project:
        project.extractall(tmp_path)
    for inner in sorted(tmp_path.rglob("*.zip")):
        with zipfile.ZipFile(inner) as own:
            own.extractall(inner.with_suffix(""))
        inner.unlink()
    assert unisono.read(tmp_path).documents == ("text one.txt", "text2.txt")


def test_positions_in_the_tokens_of_the_project(export):
    found = unisono.prepare(unisono.read(export), positions="tokens(own)")
    units = next(iter(found)).units
    assert [(u.start, u.end) for u in units[:2]] == [(0, 1), (5, 6)]


def test_a_damaged_document_names_its_place_in_the_archive(export, tmp_path):
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(export) as project, zipfile.ZipFile(broken, "w") as copy:
        for entry in project.infolist():
            content = project.read(entry)
            if entry.filename == "annotation/text2.txt/bert.zip":
                stream = io.BytesIO()
                with zipfile.ZipFile(stream, "w") as own:
                    own.writestr("bert.xmi", "<xmi")
                    own.writestr("TypeSystem.xml", type_system().to_xml())
                content = stream.getvalue()
            copy.writestr(entry, content)
    with pytest.raises(unisono.DataError) as caught:
        unisono.read(broken)
    assert str(broken / "annotation/text2.txt/bert/bert.xmi") in str(caught.value)
    told = []
    corpus = unisono.read(broken, bad=told.append)
    assert corpus.n_units == 6
    assert len(told) == 1
