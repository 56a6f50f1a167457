from __future__ import annotations

import tempfile
import tracemalloc
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from format_helpers import contents, refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.errors import OptionError
from unisono.formats import read, write

# after CorA's documentation: a word split in two, a word joined from two, and a mark without a form of its own
MOD = """<?xml version="1.0" encoding="utf-8"?>
<!-- a comment before the root -->
<text id="T1">
  <cora-header name="The name" sigle="T1"/>
  <header>free text with &lt;token&gt;</header>
  <layoutinfo><page id="p1" no="1" range="c1"/><column id="c1" range="l1"/><line id="l1" range="t1_d1"/></layoutinfo>
  <shifttags><rub range="t1..t2"/></shifttags>
  <token id="t1" trans="$ol|tu">
    <dipl id="t1_d1" utf="ſoltu" trans="$ol|tu"/>
    <mod id="t1_m1" ascii="sol" utf="ſol" trans="$ol|" checked="y">
      <lemma tag="sollen"/><pos tag="VVFIN"/>
      <cora-flag name="lemma verified"/><suggestions><pos tag="ART" score="0.9"/></suggestions>
    </mod>
    <mod id="t1_m2" ascii="tu" utf="tu" trans="tu"><pos tag="PPER"/><norm tag="du"/></mod>
  </token>
  <comment type="K">a blot</comment>
  <token id="t2" trans="ge#e$$en">
    <dipl id="t2_d1" utf="ge" trans="ge#"/><dipl id="t2_d2" utf="eſſen" trans="e$$en"/>
    <mod id="t2_m1" ascii="geessen" utf="geeſſen" trans="ge#e$$en">
      <pos tag="VVPP"/><pos tag="VVINF"/><pos tag="VVPP"/><norm tag=""/><comment tag="why?"/><sec_comment tag="so"/>
    </mod>
  </token>
  <token id="t3" trans="(.)"><dipl id="t3_d1" utf="(.)" trans="(.)"/>
    <mod id="t3_m1" ascii="" utf="" trans="(.)"><pos tag="$."/></mod>
  </token>
  <token id="t4" trans="x"><dipl id="t4_d1" utf="x" trans="x"/></token>
  <token id="t5" trans="y"><mod/></token>
  <token id="t6" trans="z"><mod trans="z"/></token>
</text>
"""


@pytest.fixture
def file(tmp_path):
    def make(content=MOD, name="text1.xml"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def test_tokens_without_modernized_ones_are_counted(file):
    assert read(file()).dropped == {"tokens without modernized tokens": 1}


def words(corpus):
    """Each unit's form and labels."""
    document = corpus[corpus.documents[0]]
    return [
        (document.text[unit.start : unit.end], *(unit.features.get(name) for name in ("pos", "norm")))
        for unit in document.units
    ]


def test_modernized_tokens_are_units(file):
    corpus = read(file())
    assert (corpus.documents, corpus.annotators) == (("text1",), ("annotator",))
    assert corpus.source == "CorA-XML · text1.xml"
    assert corpus["text1"].text == "ſoltu geeſſen z"
    assert words(corpus) == [
        ("ſol", "VVFIN", None),
        ("tu", "PPER", "du"),
        ("geeſſen", ("VVINF", "VVPP"), None),  # a layer that is there several times is a set
        ("", None, None),  # a form may be empty: the unit has length zero
        ("", "$.", None),
        ("z", None, None),
    ]
    assert list(corpus.features) == ["type", "lemma", "pos", "norm"]
    assert set(corpus.features["type"].values()) == {"token"}
    assert corpus.start.tolist() == [0, 3, 6, 13, 13, 14]


@pytest.mark.parametrize(("dipl", "mod"), [("tok_dipl", "tok_anno"), ("dipl", "anno")])
def test_dialects(file, dipl, mod):
    other = MOD.replace("<mod", f"<{mod}").replace("</mod", f"</{mod}").replace("<dipl", f"<{dipl}")
    assert contents(read(file(other))) == contents(read(file()))


def test_barteld_2016_the_text_stays_when_tokens_change(file):
    """Split symbols are left out and merge symbols are spaces, so that segmentation alone does not change the text."""
    options = {"merge": "#", "split": "|"}
    whole = MOD.replace("<mod/>", "")
    corpus = read(file(whole), options=options)
    assert corpus["text1"].text == "$oltu ge e$$en (.) z"
    assert [form for form, *_ in words(corpus)] == ["$ol", "tu", "ge e$$en", "(.)", "z"]
    apart = whole.replace(
        '<mod id="t2_m1" ascii="geessen" utf="geeſſen" trans="ge#e$$en">',
        '<mod trans="ge"/></token><token trans="e$$en"><mod trans="e$$en">',
    ).replace("$ol|", "$ol")
    assert read(file(apart), options=options)["text1"].text == corpus["text1"].text


def test_the_form_that_makes_the_text(file):
    def text(**options):
        whole = MOD.replace("<mod/>", '<mod trans="y" utf="y" ascii="y"/>').replace('<mod trans="z"/>', "")
        return read(file(whole), options=options)["text1"].text

    assert text() == text(text="utf") == "ſoltu geeſſen y"
    assert text(text="trans") == "$ol|tu ge#e$$en (.) y"
    assert text(text="ascii") == "soltu geessen y"
    assert text(text="ascii", merge="ss") == "soltu gee en y"


def test_options_that_make_no_sense(file):
    with pytest.raises(OptionError, match=r"unknown text 'dipl'; available: utf, trans, ascii"):
        read(file(), options={"text": "dipl"})
    with pytest.raises(OptionError, match=r"options: unknown option 'form' of CorA-XML; available: text, merge, split"):
        read(file(), options={"form": "utf"})
    with pytest.raises(OptionError, match=r"columns: only tables use it"):
        read(file(), columns={"pos": "tag"})
    refusal(file(), 27, "the mod has no utf", "options={'text': '…'}", options={"text": "utf"})
    csv = file("annotator,start,end\na,0,1\n", "a.csv")
    with pytest.raises(OptionError, match=r"unknown option 'text' of CSV; available: safe"):
        read(csv, options={"text": "utf"})


def test_real_file(shared):
    """The file with which the authors of text-γ test their own reader."""
    corpus = read(shared / "textgamma" / "cora_ren.xml", options={"merge": "#", "split": "§"})
    document = corpus["cora_ren"]
    assert document.text == "¶ De hystorie van der duldicheyt der vrowen gheheten Griseldis"
    assert document.n_units == 10
    pos = corpus.features["pos"].values()
    assert (pos[1], pos[-1]) == ("DDARTA", "NE")
    assert corpus.features["bound_head"].values() == [None] * 9 + ["Überschrift"]
    assert corpus.features["lemma"].values()[0] == "<none>"


def test_it_can_be_written_as_json_lines(file, tmp_path):
    corpus = read(file())
    write(corpus, tmp_path / "out.jsonl")
    assert contents(read(tmp_path / "out.jsonl")) == contents(corpus)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "iso-8859-1", "cp1252"])
def test_encodings(file, encoding):
    content = (
        f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?><text><token><mod utf="ä"/></token></text>'
    )
    assert read(file(content.encode(encoding)))["text1"].text == "ä"


def test_without_the_suffix(file):
    path = file(MOD.partition("\n")[2], "text1")
    assert read(path).source == "CorA-XML · text1"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.text("aä𝄞<&\"' "), min_size=1), min_size=1))
def test_units_cover_their_forms(tokens):
    content = "".join(
        f"<token>{''.join(f'<mod utf={quoteattr(form)}/>' for form in forms)}</token>" for forms in tokens
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text1.xml")
        path.write_text(f"<text>{content}</text>", encoding="utf-8")
        document = read(path)["text1"]
    text = document.text or ""
    assert [text[unit.start : unit.end] for unit in document.units] == [form for forms in tokens for form in forms]
    assert text == " ".join(filter(None, map("".join, tokens)))


BOMB = """<?xml version="1.0"?>
<!DOCTYPE text [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<text><token><mod utf="&b;"/></token></text>"""
EXTERNAL = """<!DOCTYPE text [<!ENTITY a SYSTEM "secret.txt">]>
<text><token><mod utf="x">&a;</mod></token></text>"""
DTD = '<!DOCTYPE text SYSTEM "http://localhost/cora.dtd">\n<text><token><mod utf="x"/>&secret;</token></text>'


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (BOMB, 2, ["DOCTYPE", "remove them"]),
        (EXTERNAL, 1, ["DOCTYPE", "remove them"]),
        (DTD, 2, ["&secret;", "is unknown"]),
        (MOD.replace("</mod>", "</nod>", 1), 13, ["mismatched tag", "correct it"]),
        (MOD.replace("ſoltu", "&soltu;", 1), 9, ["undefined entity"]),
        (MOD[: MOD.index("</token>")], 15, ["breaks off", "complete"]),
        (MOD[: MOD.index('ascii="tu"')], 14, ["breaks off", "complete"]),
        (MOD.encode()[: MOD.encode().index("ſ".encode()) + 1], 9, ["breaks off"]),
        (MOD.encode("utf-16-le"), None, ["binary"]),
        (MOD.replace("ſ", "ß").encode("latin-1"), 9, ["not UTF-8", "Latin-1", "convert"]),
        (MOD.replace("utf-8", "klingon"), None, ["encoding", "klingon", "UTF-8"]),
        (MOD.replace("utf-8", "euc-jp"), None, ["encoding", "UTF-8"]),
        ("<?xml version='1.0'?>\n<doc><text/></doc>", 2, ["the root element <doc>", "<text>", "format='…'"]),
        ("<text><header/></text>", None, ["there is no token"]),
        ("<text><token><dipl/></token></text>", None, ["none of the 1 tokens has a mod", "tok_anno"]),
        ("<text><token><mod><type tag='x'/></mod></token></text>", 1, ["a layer is named type"]),
        ("<text>" * 1000, 1, ["nested more than 100 deep"]),
        ("<text>\n<!-- " + "x" * 2**23, 2, ["has no end"]),
        ("  \n", 2, ["breaks off"]),
        ("no XML at all", 1, ["the XML cannot be read"]),
        (b"", None, ["empty"]),
        (bytes(range(256)) * 10, None, ["binary"]),
        (b"PK\x03\x04\x00", None, ["ZIP"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)


def test_a_large_file_is_read_in_little_memory(file):
    """A file is never in memory as a whole, nor as a tree: a long header costs nothing."""
    path = file("<text><header>" + "free text about the text\n" * 2_000_000 + "</header>" + MOD[MOD.index("<token") :])
    tracemalloc.start()
    try:
        assert read(path).n_units == 6
        assert tracemalloc.get_traced_memory()[1] < 5 * 2**20 < path.stat().st_size / 5
    finally:
        tracemalloc.stop()
