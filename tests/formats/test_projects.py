"""Projects as tools export them, packed and unpacked."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import pytest

import unisono

cassis = pytest.importorskip("cassis", reason="reads what dkpro-cassis writes")

CURATED = "files of the project's curation (read them with the option curation=true)"
TEXT = "Anna met Bert 🙂 in Rome."
_NER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
_TOKEN = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"


def type_system():
    types = cassis.TypeSystem()
    entity = types.create_type(_NER, "uima.tcas.Annotation")
    types.create_feature(entity, "value", "uima.cas.String")
    types.create_type(_TOKEN, "uima.tcas.Annotation")
    return types


def packed(units, types, name, genre=None):
    cas = cassis.Cas(types)
    cas.sofa_string, cas.sofa_mime = TEXT, "text/plain"
    for word in TEXT.split():
        begin = TEXT.index(word)
        cas.add(types.get_type(_TOKEN)(begin=begin, end=begin + len(word)))
    for begin, end, label in units:
        cas.add(types.get_type(_NER)(begin=begin, end=end, value=label))
    if genre is not None:
        cas.add(types.get_type("webanno.custom.Genre")(value=genre))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(f"{name}.xmi", cas.to_xmi())
        archive.writestr("TypeSystem.xml", types.to_xml())
    return stream.getvalue()


@pytest.fixture(scope="module", params=["inception", "webanno"])
def export(request, tmp_path_factory):
    """A project of INCEpTION, or of WebAnno, which numbers its files."""
    numbered = request.param == "webanno"
    path = tmp_path_factory.mktemp("project") / "export.zip"
    types = type_system()
    rome = TEXT.index("Rome")
    anna = packed([(0, 4, "PER"), (rome, rome + 4, "LOC")], types, "anna")
    bert = packed([(0, 4, "PER"), (rome, rome + 4, "ORG")], types, "bert")
    with zipfile.ZipFile(path, "w") as project:
        project.writestr(f"exportedproject{1542 if numbered else ''}.json", "{}")
        project.writestr("source/text one.txt", TEXT)
        for document in ("text one.txt", "text2.txt"):
            versions = {"anna": anna, "bert": bert, "INITIAL_CAS": packed([], types, "INITIAL_CAS")}
            for number, (who, content) in enumerate(versions.items()):
                name = f"webannoexport{number}" if numbered else who
                project.writestr(f"annotation/{document}/{name}.zip", content)
            project.writestr(f"curation/{document}/CURATION_USER.zip", anna)
        project.writestr("log/project.log", "…")
    return path


def test_a_project_as_it_comes(export):
    corpus = unisono.read(export)
    assert corpus.annotators == ("anna", "bert")
    assert corpus.documents == ("text one.txt", "text2.txt")
    assert corpus.n_units == 8
    assert corpus.dropped == {"versions of documents before anybody worked on them": 2, CURATED: 2}
    document = next(iter(corpus))
    assert document.text == TEXT
    assert [TEXT[u.start : u.end] for u in document.units] == ["Anna", "Rome"] * 2  # in spite of the emoji
    assert unisono.gamma(corpus, workers=1).value is not None  # the value of its one layer is the category


def test_a_curator_labels_no_documents(tmp_path):
    """Labels of documents by curators are read only if they are asked for, as spans are."""
    path = tmp_path / "export.zip"
    types = type_system()
    types.create_feature(
        types.create_type("webanno.custom.Genre", "uima.cas.AnnotationBase"), "value", "uima.cas.String"
    )
    with zipfile.ZipFile(path, "w") as project:
        project.writestr("exportedproject.json", "{}")
        for document in ("text1.txt", "text2.txt"):
            for who, genre in {"anna": "letter", "bert": "poem", "INITIAL_CAS": None}.items():
                project.writestr(f"annotation/{document}/{who}.zip", packed([], types, who, genre))
            project.writestr(f"curation/{document}/CURATION_USER.zip", packed([], types, "CURATION_USER", "letter"))
    ratings = unisono.read(path)
    assert (list(ratings.items), ratings.annotators) == (["text1.txt", "text2.txt"], ("anna", "bert"))
    assert ratings.question.name == "Genre.value"
    assert ratings.dropped == {"versions of documents before anybody worked on them": 2, CURATED: 2}
    curated = unisono.read(path, options={"curation": "true"})
    assert set(curated.annotators) == {"anna", "bert", "CURATION_USER"}


def test_the_same_unpacked_by_hand(export, tmp_path):
    with zipfile.ZipFile(export) as project:
        project.extractall(tmp_path)
    for inner in sorted(tmp_path.rglob("*.zip")):
        with zipfile.ZipFile(inner) as own:
            own.extractall(inner.with_suffix(""))
        inner.unlink()
    assert unisono.read(tmp_path).documents == ("text one.txt", "text2.txt")


def test_the_same_unpacked_as_it_comes(export, tmp_path):
    """What an archive in a folder holds is read as if it were a folder, and named so that one finds it."""
    with zipfile.ZipFile(export) as project:
        project.extractall(tmp_path / "mine")
    inner = sorted((tmp_path / "mine").rglob("*.zip"))
    corpus, packed = unisono.read(tmp_path / "mine"), unisono.read(export)
    assert replace(corpus, source="", origins={}) == replace(packed, source="", origins={})
    origins = [str(corpus.origin(document, annotator)["path"]) for document in (0, 1) for annotator in (0, 1)]
    assert all(any(path.startswith(str(archive)) for archive in inner) for path in origins)
    assert sorted((tmp_path / "mine").rglob("*.zip")) == inner
    max((tmp_path / "mine" / "annotation" / "text2.txt").glob("*[a0].zip")).with_suffix("").mkdir()  # as if unpacked
    fewer = unisono.read(tmp_path / "mine")
    assert fewer.n_units < corpus.n_units
    assert any(
        what.startswith("archives that are unpacked beside them: annotation/text2.txt/") for what in fewer.dropped
    )


def test_the_curation_is_an_annotator_if_asked_for(export, tmp_path):
    corpus = unisono.read(export, options={"curation": "true"})
    assert corpus.annotators == ("CURATION_USER", "anna", "bert")
    assert corpus.worked.all()
    assert CURATED not in corpus.dropped
    assert unisono.read(export, options={"curation": "false"}).dropped[CURATED] == 2
    with pytest.raises(unisono.OptionError, match="unknown curation 'yes'"):
        unisono.read(export, options={"curation": "yes"})
    (tmp_path / "anna.tsv").write_text(TSV.format("direct"))
    with pytest.raises(unisono.OptionError, match="'curation' is for exported projects"):
        unisono.read(tmp_path / "anna.tsv", options={"curation": "true"})
    none = tmp_path / "none.zip"
    with zipfile.ZipFile(export) as project, zipfile.ZipFile(none, "w") as copy:
        for entry in project.infolist():
            if not entry.filename.startswith("curation"):
                copy.writestr(entry, project.read(entry))
    with pytest.raises(unisono.OptionError, match="the project has no curation"):
        unisono.read(none, options={"curation": "true"})
    assert CURATED not in unisono.read(none).dropped


def test_a_damaged_archive_in_a_folder(export, tmp_path):
    with zipfile.ZipFile(export) as project:
        project.extractall(tmp_path)
    first = max((tmp_path / "annotation" / "text2.txt").glob("*[a0].zip"))
    first.write_bytes(first.read_bytes()[:-30])
    with pytest.raises(unisono.DataError, match="the archive is damaged") as caught:
        unisono.read(tmp_path)
    assert caught.value.path == first
    told = []
    assert unisono.read(tmp_path, bad=told.append).n_units == 6
    assert [error.path for error in told] == [first]


def test_archives_in_other_folders(tmp_path):
    """They are opened if there is nothing else, and otherwise counted."""
    for who in ("anna", "bert"):
        (tmp_path / f"{who}.zip").write_bytes(packed([(0, 4, "PER")], type_system(), who))
    for options in ({}, {"pattern": "{annotator}/*.xmi"}):
        corpus = unisono.read(tmp_path, **options)
        assert corpus.annotators == ("anna", "bert")
        assert corpus.dropped == {}
    (tmp_path / "table.csv").write_text("annotator,start,end\nanna,0,3\n")
    assert unisono.read(tmp_path).dropped == {
        "archives in a folder with other annotations, not opened (name them to read them): anna.zip, bert.zip": 2
    }


def test_positions_in_the_tokens_of_the_project(export):
    found = unisono.prepare(unisono.read(export), positions="tokens(own)")
    units = next(iter(found)).units
    assert [(u.start, u.end) for u in units[:2]] == [(0, 1), (5, 6)]


def test_a_damaged_document_names_its_place_in_the_archive(export, tmp_path):
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(export) as project, zipfile.ZipFile(broken, "w") as copy:
        for entry in project.infolist():
            content = project.read(entry)
            if entry.filename in ("annotation/text2.txt/bert.zip", "annotation/text2.txt/webannoexport1.zip"):
                stream = io.BytesIO()
                with zipfile.ZipFile(stream, "w") as own:
                    own.writestr("bert.xmi", "<xmi")
                    own.writestr("TypeSystem.xml", type_system().to_xml())
                content = stream.getvalue()
            copy.writestr(entry, content)
    with pytest.raises(unisono.DataError) as caught:
        unisono.read(broken)
    assert str(broken / "annotation/text2.txt") in str(caught.value)
    assert "bert.xmi" in str(caught.value)
    told = []
    corpus = unisono.read(broken, bad=told.append)
    assert corpus.n_units == 6
    assert len(told) == 1


TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Speech|value


#Text=Anna met Bert.
1-1\t0-4\tAnna\t{}\t
1-2\t5-8\tmet\t_\t
1-3\t9-13\tBert\t_\t
1-4\t13-14\t.\t_\t
"""


def test_a_project_in_another_format(tmp_path):
    path = tmp_path / "tsv.zip"
    with zipfile.ZipFile(path, "w") as project:
        project.writestr("exportedproject.json", "{}")
        for who, label in (("anna", "direct"), ("bert", "_"), ("INITIAL_CAS", "_")):
            project.writestr(f"annotation/text1.txt/{who}.tsv", TSV.format(label))
            project.writestr("curation/text1.txt/CURATION_USER.tsv", TSV.format(label)) if who == "anna" else None
    corpus = unisono.read(path)
    assert corpus.annotators == ("anna", "bert")
    assert corpus.documents == ("text1.txt",)
    assert corpus.n_units == 1


def test_a_project_that_only_the_tool_reads(tmp_path):
    path = tmp_path / "backup.zip"
    with zipfile.ZipFile(path, "w") as project:
        project.writestr("exportedproject.json", "{}")
        project.writestr("annotation_ser/text1.txt/anna.ser", "x")
    with pytest.raises(unisono.DataError, match="secondary format"):
        unisono.read(path)


def test_names_with_dots_and_formats_side_by_side(tmp_path):
    path = tmp_path / "mixed.zip"
    with zipfile.ZipFile(path, "w") as project:
        project.writestr("mine/exportedproject.json", "{}")
        project.writestr("mine/annotation/text1.txt/anna.schmidt.tsv", TSV.format("direct"))
        project.writestr("mine/annotation/text1.txt/anna.mueller.tsv", TSV.format("indirect"))
        rome = TEXT.index("Rome")
        xmi = packed([(rome, rome + 4, "LOC")], type_system(), "bert")
        project.writestr("mine/annotation/text2.txt/bert.zip", xmi)
    corpus = unisono.read(path)
    assert corpus.annotators == ("anna.mueller", "anna.schmidt", "bert")
    assert corpus.documents == ("text1.txt", "text2.txt")
