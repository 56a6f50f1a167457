from __future__ import annotations

import pytest
from format_helpers import contents, refusal
from hypothesis import given, settings
from hypothesis import strategies as st
from mangled import data_or_refusal, mangled

from unisono.formats import read
from unisono.formats.tools.webanno_escapes import in_label, in_text, split_unescaped, without_number

NER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
POS = "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS"
COREF = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"


def tsv(layers, *rows, version="3.3"):
    """Rows with columns between spaces; ~ is a space within a column, rows that begin with # and empty ones stay."""
    lines = [row if row.startswith("#") or not row else "\t".join(row.split()).replace("~", " ") + "\t" for row in rows]
    return "\n".join([f"#FORMAT=WebAnno TSV {version}", *layers, "", "", *lines, ""])


PEOPLE = tsv(
    [f"#T_SP={POS}|PosValue", f"#T_SP={NER}|identifier|value"],
    "#Text=Ms. Haag 😊 likes Bob .",
    "1-1 0-3 Ms. NNP *[1]|Q1[2] PER[1]|PERpart[2]",
    "1-2 4-8 Haag NNP *[1] PER[1]",
    "1-3 9-11 😊 _ _ _",
    "1-4 12-17 likes VBZ _ _",
    "1-4.1 12-16 like _ * *",
    "1-5 18-21 Bob NNP * PER",
    "1-6 22-23 . . _ _",
)


@pytest.fixture
def file(tmp_path):
    def make(content, name="text1.tsv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def units(corpus, document="text1"):
    document = corpus[document]
    return [
        (document.text[unit.start : unit.end], *(label for label in unit.features.values() if label is not None))
        for unit in document.units
    ]


def test_layers_numbers_and_parts_of_tokens(file):
    corpus = read(file(PEOPLE))
    assert (corpus.documents, corpus.annotators) == (("text1",), ("annotator",))
    assert corpus.source == "WebAnno TSV 3 · text1.tsv"
    assert corpus["text1"].text == "Ms. Haag 😊 likes Bob ."
    assert sorted(units(corpus)) == sorted(
        [
            ("Ms.", "POS", "NNP"),
            ("Ms.", "NamedEntity", "PERpart", "Q1"),
            ("Ms. Haag", "NamedEntity", "PER"),
            ("Haag", "POS", "NNP"),
            ("likes", "POS", "VBZ"),
            ("like", "NamedEntity"),
            ("Bob", "POS", "NNP"),
            ("Bob", "NamedEntity", "PER"),
            (".", "POS", "."),
        ]
    )
    tokens = [corpus["text1"].text[start:end] for start, end in corpus.tokens[0]]
    assert tokens == ["Ms.", "Haag", "😊", "likes", "Bob", "."]
    assert list(corpus.features) == ["type", "PosValue", "value", "identifier"]
    assert corpus.dropped == {}


@pytest.mark.parametrize("change", [("\n", "\r\n"), ("#FORMAT", "\ufeff#FORMAT"), ("TSV 3.3", "TSV 3.1")])
def test_ends_of_lines_marks_and_versions(file, change):
    assert contents(read(file(PEOPLE.replace(*change)))) == contents(read(file(PEOPLE)))


def test_how_sentences_follow_each_other(file):
    """A line break if there is room for one character, nothing if there is none, else spaces after it."""
    corpus = read(
        file(
            tsv(
                [f"#T_SP={NER}|"],
                "#Sentence.id=s1",
                "#Text=😊a",
                "1-1 1-4 😊a *[1]",
                "",
                "#Text=b",
                "2-1 4-5 b *[1]",
                "",
                "#Text=c",
                "#Text=d",
                "3-1 6-7 c _",
                "3-2 8-9 d *",
                "",
                "#Text=e",
                "4-1 12-13 e *",
            )
        )
    )
    assert corpus["text1"].text == " 😊ab\nc\nd\n  e"
    assert units(corpus) == [("😊ab", "NamedEntity"), ("d", "NamedEntity"), ("e", "NamedEntity")]


def test_sentences_without_tokens(file):
    rows = "#Text=a", "1-1 0-1 a *", "", "#Text=", "", "#Text=b", "2-1 3-4 b *"
    corpus = read(file(tsv([f"#T_SP={NER}|"], *rows)))
    assert corpus["text1"].text == "a\n\nb"
    assert units(corpus) == [("a", "NamedEntity"), ("b", "NamedEntity")]


def test_chains_relations_and_slots(file):
    host = "webanno.custom.Frame"
    corpus = read(
        file(
            tsv(
                [
                    f"#T_SP={host}|FE|ROLE_{host}:Roles_{host}RolesLink|webanno.custom.Lu",
                    "#T_SP=webanno.custom.Lu|",
                    f"#T_CH={COREF}|referenceType|referenceRelation",
                    f"#T_RL=webanno.custom.Relation|value|BT_{host}",
                ],
                "#Text=He shot himself in his room",
                "1-1 0-2 He x[3] a;b[3] 1-2;1-3[4] * pr[1] coref->1-1 _ _",
                "1-2 3-7 shot x[3] a;b[3] 1-2;1-3[4] *[4] _ _ * 1-1[3_0]",
                "1-3 8-15 himself _ _ _ *[4] pr[1] *->1-2 r|s 1-1|1-2",
                "1-4 16-18 in _ _ * _ *[2] *->2-1 _ _",
                "1-5 19-22 his _ _ _ _ *[2]|pr[1] *->2-1|*->1-3 _ _",
                "1-6 23-27 room *[5]|*[6] _[5]|c[6] *|1-1 _ *[2]|* *->2-1|*->3-1 _ _",
            )
        )
    )
    assert sorted(units(corpus)) == sorted(
        [
            ("He shot", "Frame", "x"),
            ("in", "Frame"),
            ("room", "Frame"),
            ("room", "Frame"),
            ("He", "Lu"),
            ("shot himself", "Lu"),
            ("He", "CoreferenceLink", "pr"),
            ("himself", "CoreferenceLink", "pr"),
            ("his", "CoreferenceLink", "pr"),
            ("in his room", "CoreferenceLink"),
            ("room", "CoreferenceLink"),
        ]
    )
    assert corpus.dropped == {}
    assert corpus.others == {"relations": {"Relation": 3, "CoreferenceLink": 2}, "events": {"Frame": 4}}


def test_zero_width(file):
    rows = "#Text=This is", "1-1 0-4 This _", "1-1.1 0-0 ~ PER", "1-2 5-7 is _", "1-2.1 7-7 ~ *"
    content = tsv([f"#T_SP={NER}|value"], *rows).replace("\t \t", "\t\t")
    corpus = read(file(content))
    assert [(unit.start, unit.end, unit.features["value"]) for unit in corpus["text1"].units] == [
        (0, 0, "PER"),
        (7, 7, None),
    ]


def test_escapes(file):
    label = r"\\\[\]\|\_\->\;\t\n\*x"
    corpus = read(
        file(
            tsv(
                [f"#T_SP={NER}|value"],
                r"#Text=a\tb\\ \r\f\b",
                f"1-1 0-1 a {label}[1]|\\\\[2]",
                f"1-2 2-4 b\\ {label}[1]",
            )
        )
    )
    assert corpus["text1"].text == "a\tb\\ \r\f\b"
    assert set(units(corpus)) == {("a\tb\\", "NamedEntity", "\\[]|_->;\t\n*x"), ("a", "NamedEntity", "\\")}
    java = tsv(
        [f"#T_SP={NER}|value"], r"#Text=\u00e4\uD83D\uDE0A\"\/\t\101 x", "1-1 0-3 ä😊 PER", "1-2 8-9 x _", version="3.1"
    )
    corpus = read(file(java))
    assert corpus["text1"].text == 'ä😊"/\tA x'
    assert units(corpus) == [("ä😊", "NamedEntity", "PER")]


@given(st.text("ab\\[]|_->;\t\n*1", min_size=1, max_size=8), st.integers(0, 9))
def test_labels_escaped_as_inception_does_come_back(label, number):
    escaped = label.replace("\\", "\\\\")
    for mark in ("[", "]", "|", "_", "->", ";", "*"):
        escaped = escaped.replace(mark, f"\\{mark}")
    escaped = escaped.replace("\t", "\\t").replace("\n", "\\n")
    assert in_label(escaped) == label
    assert split_unescaped(f"{escaped}|{escaped}", "|") == [escaped, escaped]
    assert without_number(f"{escaped}[{number}]") == (escaped, str(number))
    assert without_number(escaped) == (escaped, None)


@given(st.text("ab\\\t\r\f\b\x01\x1f", max_size=8))
def test_text_escaped_as_inception_does_comes_back(text):
    names = {"\\": "\\\\", "\t": "\\t", "\r": "\\r", "\f": "\\f", "\b": "\\b", "\x01": "\\\x01", "\x1f": "\\\x1f"}
    assert in_text("".join(names.get(character, character) for character in text), (3, 3)) == text


def test_layers_of_one_short_name_keep_their_long_ones(file):
    corpus = read(file(tsv([f"#T_SP={NER}|value", "#T_SP=custom.NamedEntity|"], "#Text=a", "1-1 0-1 a PER *")))
    assert {unit.features["type"] for unit in corpus["text1"].units} == {NER, "custom.NamedEntity"}


def test_no_layers(file):
    corpus = read(file(tsv([], "#Text=a b", "1-1 0-1 a", "1-2 2-3 b")))
    assert (corpus["text1"].text, corpus.n_units, len(corpus.tokens[0])) == ("a b", 0, 2)


def test_a_folder_for_each_annotator(file, tmp_path):
    file(PEOPLE, "anna/text1.tsv")
    file(PEOPLE, "bert/text1.tsv")
    for corpus in (read(tmp_path, pattern="{annotator}/{document}.tsv"), read(tmp_path)):
        assert (corpus.documents, corpus.annotators, corpus.n_units) == (("text1",), ("anna", "bert"), 18)


def test_other_tables_are_left_alone(file):
    assert read(file("annotator\tstart\tend\nanna\t0\t3\n")).source == "TSV · text1.tsv"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("TSV 3.3", "TSV 2.0", 1, ["WebAnno TSV 3.3", "export"]),
        ("#Text=Ms. Haag 😊 likes Bob .\n", "", 6, ["no #Text="]),
        ("1-2\t4-8", "1-2\tx", 8, ["should begin like 1-1"]),
        ("1-2\t4-8", "a\t4-8", 8, ["should begin like 1-1"]),
        ("1-2\t4-8\tHaag\tNNP\t*[1]\tPER[1]\t", "1-2\t4-8\tHaag\tNNP", 8, ["4 columns", "not the 6"]),
        ("4-8\tHaag", "8-4\tHaag", 8, ["ends (4) before it begins (8)"]),
        ("4-8\tHaag", "4-9\tHaag", 8, ["'Haag' is not at 4-9", "UTF-16"]),
        ("9-11\t😊", "9-10\t😊", 9, ["9-10 is not a place"]),
        ("22-23\t.", "22-99\t.", 13, ["22-99 is not a place", "ends at 23"]),
        ("*[1]\tPER[1]\t", "*[1]\tORG[1]\t", 8, ["begins on line 7", "another label"]),
        ("*[1]|Q1[2]\tPER[1]", "*[1]\tPER[1]", 7, ["1 and 2 values"]),
        ("*[1]\tPER[1]", "*[1]\tPER[2]", 8, ["two numbers, ['1', '2']"]),
        ("\n1-5", "\n\n#Text=Bob .\n1-5", 14, ["begins at 18, before the end", "24"]),
        ("\n1-6", "\n\n#Text=.\n1-6", 15, ["begins at 22, before the end"]),
        ("\n1-6\t22-23", "\n\n#Text=.\n1-6\t999999999-999999999", 15, ["far behind"]),
        ("\n1-6", "\n#T_SP=custom.X|y\n1-6", 13, ["declared after the first sentence"]),
        ("#T_SP=de.tu", "#T_SP=|\n#T_SP=de.tu", 2, ["no name"]),
    ],
)
def test_what_is_refused(file, old, new, line, words):
    assert old in PEOPLE
    refusal(file(PEOPLE.replace(old, new, 1)), line, *words)


def test_chains_without_place(file):
    content = tsv([f"#T_CH={COREF}|referenceType|referenceRelation"], "#Text=He", "1-1 0-2 He pr[1] _")
    refusal(file(content), 6, "no place like ->1-2")


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"", None, ["empty"]),
        (PEOPLE.encode().replace(b"Haag", b"H\xe4g", 1), 6, ["not UTF-8"]),
        (PEOPLE.encode() + b"\0", 14, ["NUL byte", "remove"]),
    ],
)
def test_broken_files(file, content, line, words):
    refusal(file(content), line, *words, format="webanno")


def test_a_header_alone(file):
    assert read(file("#FORMAT=WebAnno TSV 3.3\n")).n_units == 0


@settings(max_examples=60, deadline=None)
@given(mangled(PEOPLE.encode(), b"#Text=", b"1-1\t0-3", b"|", b"[1]", b"\\", b"->1-2", b"#T_CH=a.b|referenceType|x"))
def test_mangled(content):
    data_or_refusal(content, "text1.tsv", format="webanno")
