"""REFI-QDA projects: codings of texts, recordings and whole sources."""

from __future__ import annotations

import io
import zipfile

import pytest
from format_helpers import refusal, rows
from hypothesis import given, settings
from mangled import data_or_refusal, mangled

import unisono
from unisono.data import Export, Question
from unisono.errors import DataError
from unisono.formats import read
from unisono.formats.tools.refi_positions import CODE_POINTS, NamedSelection, counting_of

ANNA, BERT = "A0000000-0000-0000-0000-000000000001", "B0000000-0000-0000-0000-000000000002"
JOY, FEAR, EMOTION = (f"C0000000-0000-0000-0000-00000000000{n}" for n in range(3))
TEXT = "I was happy, then I was afraid."


def coding(code, user=None):
    who = f' creatingUser="{user}"' if user else ""
    return f'<Coding guid="x"{who}><CodeRef targetGUID="{code}"/></Coding>\n'


def selected(start, end, *codings, name="", user=None):
    who = f' creatingUser="{user}"' if user else ""
    place = f'startPosition="{start}" endPosition="{end}" name="{name}"{who}'
    return f'<PlainTextSelection guid="s" {place}>\n{"".join(codings)}</PlainTextSelection>\n'


def source(*parts, kind="TextSource", guid="d1", name="talk 1", path="internal://D1.txt"):
    where = f' plainTextPath="{path}"' if path else ""
    return f'<{kind} guid="{guid}" name="{name}"{where}>\n{"".join(parts)}</{kind}>\n'


def project(*sources, more=""):
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<Project name="p" xmlns="urn:QDA-XML:project:1.0">\n'
        f'<Users><User guid="{ANNA}" name="anna"/><User guid="{{{BERT.lower()}}}" name="bert"/></Users>\n'
        f'<CodeBook><Codes><Code guid="{EMOTION}" name="emotion" isCodable="true">'
        f'<Code guid="{JOY}" name="joy" isCodable="true"/><Code guid="{FEAR}" name="fear" isCodable="true"/>'
        f"</Code></Codes></CodeBook>\n{more}<Sources>\n{''.join(sources)}</Sources>\n</Project>\n"
    )


TALK = source(selected(6, 11, coding(JOY, ANNA), coding(JOY, BERT)), selected(18, 30, coding(FEAR, BERT)))


def packed(content, texts=None, folder="sources"):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("project.qde", content)
        for name, text in ({"d1.txt": TEXT} if texts is None else texts).items():
            archive.writestr(f"{folder}/{name}", text)
    return stream.getvalue()


XML = project(
    source(
        f"<PlainTextContent>{TEXT}</PlainTextContent>",
        selected(6, 11, coding(JOY, ANNA), name="happy"),
        coding(FEAR, BERT),
        path="",
    )
)
"""Without texts beside it."""
FULL = packed(project(TALK, more="<Cases/>"))


@pytest.fixture
def file(tmp_path):
    def make(content, name="p.qdpx", **options):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else packed(content, **options))
        return path

    return make


def labels(ratings):
    found = {}
    for item, codes in zip(ratings.items, ratings.codes.tolist(), strict=True):
        given_ = (ratings.labels[code] if code >= 0 else None for code in codes)
        found[item] = dict(zip(ratings.annotators, given_, strict=True))
    return found


UNITS = [
    ("talk 1", "anna", 6, 11, "text", "joy"),
    ("talk 1", "bert", 6, 11, "text", "joy"),
    ("talk 1", "bert", 18, 30, "text", "fear"),
]


@pytest.mark.parametrize("folder", ["sources", "Sources", "x/sources"])
def test_users_are_annotators_and_sources_documents(file, folder):
    corpus = read(file(project(TALK), folder=folder))
    assert corpus.source == "REFI-QDA · p.qdpx"
    assert rows(corpus) == UNITS
    assert corpus["talk 1"].text == TEXT
    assert corpus.dropped == {}


def test_an_unpacked_project(file, tmp_path):
    file(project(TALK).encode(), "project.qde")
    file(TEXT.encode(), "sources/D1.txt")
    assert rows(read(tmp_path / "project.qde")) == UNITS
    with zipfile.ZipFile(file(FULL, "p.zip")) as archive:
        assert "project.qde" in archive.namelist()
    assert rows(read(tmp_path / "p.zip")) == UNITS


def test_codes_with_those_above(file):
    path = file(project(TALK))
    assert {row[5] for row in rows(read(path, options={"codes": "paths"}))} == {"emotion/joy", "emotion/fear"}
    doubled = project(TALK).replace('name="emotion"', 'name="joy"')
    assert {row[5] for row in rows(read(file(doubled)))} == {"joy/joy", "fear"}


def test_who_coded(file):
    parts = [selected(0, 1, coding(JOY), user=BERT), selected(1, 2, coding(JOY)), selected(2, 3, coding(JOY, "Z9"))]
    assert [row[1] for row in rows(read(file(project(source(*parts)))))] == ["annotator", "bert", "z9"]
    same = project(TALK).replace('name="bert"', 'name="anna"')
    assert {row[1] for row in rows(read(file(same)))} == {f"anna {ANNA.lower()}", f"anna {BERT.lower()}"}


def test_only_who_coded_something_in_a_source_worked_on_it(file):
    other = source(selected(0, 1, coding(FEAR, ANNA)), guid="d2", name="talk 2")
    empty = source(guid="d3", name="talk 3")
    corpus = read(file(project(TALK, other, empty)))
    assert (corpus.documents, corpus.annotators) == (("talk 1", "talk 2"), ("anna", "bert"))
    assert corpus.worked.tolist() == [[True, True], [True, False]]
    assert corpus.dropped == {"sources in which nothing is coded, so that nobody is known to have worked on them": 1}


def test_one_project_per_annotator(file, tmp_path):
    other = source(guid="d3", name="talk 3", path="internal://d3.txt")
    for who in ("anna", "bert"):
        file(project(TALK, other), f"{who}.qdpx", texts={"d1.txt": TEXT, "d3.txt": ""})
    corpus = read(tmp_path, annotator_from="file")
    assert (corpus.documents, corpus.annotators, corpus.n_units) == (("talk 1", "talk 3"), ("anna", "bert"), 6)
    assert corpus.worked.all()
    with pytest.raises(DataError, match=r"anna\.qdpx too"):
        read(tmp_path)


def test_sources_of_one_name(file):
    other = source(selected(0, 1, coding(FEAR, ANNA)), guid="D2")
    assert read(file(project(TALK, other))).documents == ("talk 1 d1", "talk 1 d2")
    nameless = source(selected(0, 1, coding(FEAR, ANNA)), guid="D2", name="")
    assert read(file(project(TALK, nameless))).documents == ("talk 1", "d2")


@pytest.mark.parametrize("path", ["", "internal://no.txt", "relative:///D1.txt", "absolute:///etc/passwd", "d1.txt"])
def test_texts_that_are_not_in_the_project(file, path):
    corpus = read(file(project(source(selected(6, 11, coding(JOY, ANNA)), path=path))))
    assert rows(corpus) == [("talk 1", "anna", 6, 11, "text", "joy")]
    assert corpus["talk 1"].text is None
    assert list(corpus.dropped.values()) == [1]


def test_texts_within_the_xml_and_of_pdfs(file):
    content = source(f"<PlainTextContent>{TEXT}</PlainTextContent>", selected(6, 11, coding(JOY, ANNA)), path="")
    text = source(selected(18, 30, coding(FEAR, BERT)), kind="Representation", guid="r", name="x")
    area = f'<PDFSelection guid="a" page="1" firstX="0" firstY="0" secondX="1" secondY="1">{coding(JOY)}</PDFSelection>'
    pdf = source(area, text, kind="PDFSource", guid="d2", name="scan", path="")
    corpus = read(file(project(content, pdf)))
    assert sorted(rows(corpus)) == [("scan", "bert", 18, 30, "text", "fear"), ("talk 1", "anna", 6, 11, "text", "joy")]
    assert [corpus[name].text for name in ("scan", "talk 1")] == [TEXT, TEXT]
    assert corpus.dropped == {"coded areas of pages and pictures": 1}


def test_recordings_are_in_seconds(file):
    audio = source(
        f'<Transcript guid="t"><SyncPoint guid="P1" timeStamp="500"/><SyncPoint guid="p2" timeStamp="2500"/>'
        f'<TranscriptSelection guid="u" fromSyncPoint="p1" toSyncPoint="P2">{coding(FEAR, BERT)}</TranscriptSelection>'
        "</Transcript>",
        f'<AudioSelection guid="a" begin="1000" end="1500">{coding(JOY, ANNA)}</AudioSelection>',
        kind="AudioSource",
        path="",
    )
    video = source(
        f'<VideoSelection guid="a" begin="0" end="250">{coding(JOY, ANNA)}</VideoSelection>',
        kind="VideoSource",
        guid="d2",
        name="film",
        path="",
    )
    picture = source(
        f'<PictureSelection guid="q">{coding(JOY, ANNA)}</PictureSelection>', kind="PictureSource", path=""
    )
    corpus = read(file(project(audio, video, picture.replace("talk 1", "photo"))))
    assert sorted(rows(corpus)) == [
        ("film", "anna", 0.0, 0.25, "video", "joy"),
        ("talk 1", "anna", 1.0, 1.5, "audio", "joy"),
        ("talk 1", "bert", 0.5, 2.5, "transcript", "fear"),
    ]
    assert corpus.dropped["coded areas of pages and pictures"] == 1
    bad = project(audio.replace('timeStamp="500"', "").replace('end="1500"', 'end="x"'), video)
    with pytest.raises(DataError, match="no begin and end in milliseconds"):
        read(file(bad))
    told = []
    assert [row[0] for row in rows(read(file(bad), bad=told.append))] == ["film"]
    assert len(told) == 2


def test_coded_sources_are_labels_of_items(file):
    one = source(coding(JOY, ANNA), coding(FEAR, ANNA), coding(JOY, BERT))
    two = source(coding(FEAR, BERT), guid="d2", name="talk 2")
    ratings = read(file(project(one, two)))
    assert ratings.question == Question("codes", "sets")
    assert labels(ratings) == {
        "talk 1": {"anna": ("fear", "joy"), "bert": ("joy",)},
        "talk 2": {"anna": None, "bert": ("fear",)},
    }
    export = read(file(project(one, two, TALK.replace("talk 1", "talk 3").replace("d1", "d3"))))
    assert isinstance(export, Export)
    assert rows(unisono.prepare(export, layers=["text"])) == [("talk 3", *row[1:4], row[5]) for row in UNITS]


VARIABLES = (
    '<Variables><Variable guid="v1" name="mood" typeOfVariable="Text"/><Variable guid="v2" name="age" '
    'typeOfVariable="Integer"/><Variable guid="v3" name="sure" typeOfVariable="Boolean"/></Variables>'
)


def value(variable, kind, text):
    return f'<VariableValue><VariableRef targetGUID="{variable}"/><{kind}>{text}</{kind}></VariableValue>\n'


def test_variables_if_the_path_names_the_annotator(file, tmp_path):
    cases = (
        f'<Cases><Case guid="c1" name="Eve">{value("v2", "IntegerValue", 42)}<CodeRef targetGUID="{JOY}"/></Case>'
        f'<Case guid="c2">{value("v3", "BooleanValue", "true")}<SourceRef targetGUID="D1"/></Case></Cases>'
    )
    for who, mood in {"anna": "calm", "bert": ""}.items():
        content = project(source(value("v1", "TextValue", mood)), more=VARIABLES + cases)
        file(content, f"{who}.qdpx")
    export = read(tmp_path, annotator_from="file")
    assert isinstance(export, Export)
    assert export.units is None
    assert labels(export.questions["mood"]) == {"talk 1": {"anna": "calm"}}
    assert labels(export.questions["age"]) == {"Eve": {"anna": 42, "bert": 42}}
    assert export.questions["age"].question.kind == "numbers"
    assert labels(export.questions["sure"]) == {"talk 1": {"anna": True, "bert": True}}
    assert export.dropped == {"codes of cases": 2}
    counted = read(file(project(TALK, more=VARIABLES + cases))).dropped
    assert counted == {"values of variables, of which the project does not say who gave them": 2, "codes of cases": 1}
    bad = project(source(value("v2", "IntegerValue", "x"), value("v9", "TextValue", "y")), more=VARIABLES)
    told = []
    with pytest.raises(DataError, match="the IntegerValue is 'x'"):
        read(file(bad, "carla.qdpx"), annotator_from="file")
    assert read(tmp_path / "carla.qdpx", annotator_from="file", bad=told.append).n_units == 0
    assert len(told) == 2


def test_cases_among_the_codes(file):
    cases = f'<Cases><Case guid="{FEAR}" name="Eve"/></Cases>'
    corpus = read(file(project(TALK, source(coding(FEAR, ANNA), guid="d2", name="t2"), more=cases)))
    assert rows(corpus) == UNITS[:2]
    assert corpus.dropped == {"codings that assign cases, not codes": 2}


@pytest.mark.parametrize(
    ("text", "shift", "words"),
    [
        ("😀 I was happy and more", (5, 1), "in UTF-16 code units"),
        ("Well\r\nI\r\nwas happy", (-2, -2), "with one character for a line break of two"),
        ("\ufeffI was happy", (1, 1), "from 1, or with the byte order mark"),
        ("I was happy and more", (0, -1), "with the last character included"),
        ("I was happy", (0, 0), ""),
    ],
)
def test_what_positions_count(file, text, shift, words):
    plain = text.removeprefix("\ufeff")
    start = plain.index("was happy")
    shift = (1, 1) if "😀" in text else shift
    chosen = selected(start + shift[0], start + 9 + shift[1], coding(JOY, ANNA), name="was happy")
    corpus = read(file(project(source(chosen)), texts={"d1.txt": text}))
    ((_, _, first, last, _, _),) = rows(corpus)
    assert corpus["talk 1"].text[first:last] == "was happy"
    assert corpus["talk 1"].text == (plain.replace("\r\n", "\n") if "\r\n" in text else plain)
    assert list(corpus.dropped) == ([f"selections counted {words}, read so"] if words else [])


def test_positions_as_the_user_says(file):
    path = file(project(source(selected(3, 4, coding(JOY, ANNA)))), texts={"d1.txt": "😀 ab"})
    assert rows(read(path))[0][2:4] == (3, 4)
    assert rows(read(path, options={"offsets": "utf-16"}))[0][2:4] == (2, 3)
    assert rows(read(path, options={"offsets": "characters"}))[0][2:4] == (3, 4)


def test_names_that_do_not_tell():
    text = "Some words that are long enough"
    assert counting_of({text: [NamedSelection(0, 4, "0,4"), NamedSelection(5, 10, "")]}) is CODE_POINTS
    assert counting_of({text: [NamedSelection(0, 31, "Some words that…")]}) is CODE_POINTS
    assert counting_of({}) is CODE_POINTS


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('startPosition="18"', 'startPosition="x"', 12, "no startPosition and endPosition"),
        ('endPosition="30"', 'endPosition="99"', 12, "outside the text"),
        ('startPosition="18"', 'startPosition="31"', 12, "ends (30) before it begins (31)"),
        (f'<CodeRef targetGUID="{FEAR}"/>', '<CodeRef targetGUID="zz"/>', 12, "not in the codebook (zz)"),
        (f'<CodeRef targetGUID="{FEAR}"/>', "", 12, "not in the codebook (none)"),
    ],
)
def test_a_bad_coding_is_one_bad_record(file, tmp_path, old, new, line, words):
    assert old in project(TALK)
    path = file(project(TALK).replace(old, new))
    with pytest.raises(DataError) as caught:
        read(path)
    assert words in str(caught.value)
    assert caught.value.line == line
    told = []
    assert rows(read(path, bad=told.append)) == UNITS[:2]
    assert [str(error) for error in told] == [str(caught.value)]


def test_a_text_that_cannot_be_read_is_one_bad_record(file):
    other = source(selected(0, 1, coding(FEAR, ANNA)), guid="d2", name="talk 2", path="internal://d2.txt")
    path = file(project(TALK, other), texts={"d1.txt": TEXT, "d2.txt": b"\xff\xfe"})
    with pytest.raises(DataError, match=r"d2\.txt: there are characters that are not UTF-8"):
        read(path)
    told = []
    assert rows(read(path, bad=told.append)) == UNITS
    assert len(told) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04 broken", "archive cannot be unpacked"),
        (packed("<Project/>").replace(b"project.qde", b"project.xml"), "there should be one file project.qde"),
        (packed("<Project xmlns='urn:QDA-XML:project:1.0'>"), "breaks off"),
        (packed("<Other/>"), "root element is <Other>"),
        (packed('<!DOCTYPE a [<!ENTITY b "c">]><Project>&b;</Project>'), "declarations in the DOCTYPE"),
        (packed(project()), "no annotated document"),
    ],
)
def test_broken_projects(file, content, words):
    with pytest.raises(DataError, match=words):
        read(file(content))


def test_a_codebook_has_nothing_that_is_coded(file, tmp_path):
    path = file(b'<CodeBook xmlns="urn:QDA-XML:codebook:1.0"><Codes/></CodeBook>', "p.qdc")
    refusal(path, None, "this is a codebook, which has codes but nothing that is coded", "qdpx")
    file(FULL)
    assert read(tmp_path).dropped == {"files in a folder that are not read because of their names: p.qdc": 1}


def test_an_archive_that_swells_is_refused(file):
    path = file(project(TALK), texts={"d1.txt": b"\0" * (2**26 + 2**21)})
    with pytest.raises(DataError, match="suspicious"):
        read(path)


@settings(max_examples=60, deadline=None)
@given(mangled(project(TALK).encode(), b"startPosition", b"<Coding>", b"targetGUID", b"</TextSource>", ANNA.encode()))
def test_mangled(content):
    data_or_refusal(packed(content), "p.qdpx", format="refi")
