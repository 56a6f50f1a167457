from __future__ import annotations

import pytest
from format_helpers import refusal
from hypothesis import example, given, settings
from mangled import data_or_refusal, mangled

import unisono
from unisono.errors import OptionError
from unisono.formats import read

NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"


def equivalent(text, index=None):
    given = "" if index is None else f' index="{index}"'
    return f"<TextEquiv{given}><PlainText>no</PlainText><Unicode>{text}</Unicode></TextEquiv>"


def words(*forms):
    return "".join(f'<Word id="w{i}"><Coords points="0,0"/>{equivalent(form)}</Word>' for i, form in enumerate(forms))


def line(inside, attributes=""):
    return f'<TextLine id="l" {attributes}><Coords points="0,0 1,1"/><Baseline points="0,0"/>{inside}</TextLine>\n'


def region(name, *lines, kind="TextRegion"):
    return f'<{kind} id="{name}"><Coords points="0,0 1,1"/>\n{"".join(lines)}</{kind}>\n'


def page(*regions, order="", prefix=""):
    content = (
        f'<PcGts xmlns="{NAMESPACE}">\n<Metadata><Creator>x</Creator></Metadata>\n'
        f'<Page imageFilename="p1.jpg" imageWidth="9" imageHeight="9">\n{order}{"".join(regions)}</Page></PcGts>\n'
    )
    if prefix:
        content = content.replace("xmlns=", "xmlns:pc=").replace("<", "<pc:").replace("<pc:/", "</pc:")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{content}'


def text_of(corpus):
    return next(iter(corpus)).text


def words_of(corpus):
    document = next(iter(corpus))
    assert {unit.features["type"] for unit in document.units} <= {"token"}
    return [document.text[unit.start : unit.end] for unit in document.units]


@pytest.fixture
def file(tmp_path):
    def make(content, name="p1.xml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def test_lines_make_the_text(file):
    corpus = read(
        file(page(region("r1", line(equivalent("Es war  einmal,")), line(equivalent(" ein ſ&amp;\n")), line(""))))
    )
    assert corpus.source == "PAGE XML · p1.xml"
    assert text_of(corpus) == "Es war  einmal,\nein ſ&"
    assert words_of(corpus) == ["Es", "war", "einmal,", "ein", "ſ&"]
    assert list(corpus.features) == ["type"]
    assert dict(corpus.dropped) == {"lines of a page without text": 1}


def test_words_that_lines_mark(file):
    content = page(
        region(
            "r1",
            line(words("Es", "war", ",") + equivalent("Es war,")),
            line(words("New York", "", "!")),
            line(words("alt") + equivalent("neu und gut")),
        )
    )
    corpus = read(file(content))
    assert text_of(corpus) == "Es war,\nNew York !\nalt"
    assert words_of(corpus) == ["Es", "war", ",", "New York", "!", "alt"]
    assert [*corpus.dropped.values()] == [1, 1]  # a line that differs, and a word without text
    assert "differ from those of their words" in next(iter(corpus.dropped))
    corpus = read(file(content), options={"level": "line"})
    assert text_of(corpus) == "Es war,\nneu und gut"
    assert words_of(corpus) == ["Es", "war,", "neu", "und", "gut"]


def test_the_lowest_index_counts(file):
    several = equivalent("two", 2) + equivalent("zero", 0) + equivalent("one", 1)
    assert text_of(read(file(page(region("r1", line(several)))))) == "zero"
    assert text_of(read(file(page(region("r1", line(equivalent("a") + equivalent("b"))))))) == "a"


def test_regions_without_lines(file):
    content = page(region("r1", equivalent("one\ntwo three")), region("r2", line(equivalent("four")), equivalent("no")))
    assert text_of(read(file(content))) == "one\ntwo three\nfour"


@pytest.mark.parametrize("prefix", ["", "pc"])
def test_reading_order(file, prefix):
    order = """<ReadingOrder><OrderedGroup id="g1" caption="x">
    <RegionRefIndexed index="2" regionRef="r1"/>
    <UnorderedGroupIndexed id="g2" index="1">
    <RegionRef regionRef="r4"/><RegionRef regionRef="r3"/>
    </UnorderedGroupIndexed>
    <OrderedGroupIndexed id="g3" index="0" regionRef="r5">
    <RegionRefIndexed index="0" regionRef="r7"/>
    </OrderedGroupIndexed>
    <RegionRefIndexed index="3" regionRef="t"/><RegionRefIndexed index="4" regionRef="gone"/>
    </OrderedGroup></ReadingOrder>"""
    single = [region(f"r{i}", line(equivalent(str(i)))) for i in range(8)]
    table = region("t", region("c1", line(equivalent("cell"))), kind="TableRegion")
    nested = region("r5", single[6], single[7], line(equivalent("5")))
    corpus = read(file(page(*single[:5], nested, table, order=order, prefix=prefix)))
    assert text_of(corpus).split("\n") == ["5", "6", "7", "4", "3", "1", "cell", "0", "2"]


def test_order_of_lines(file):
    by_index = region("r1", *(line(equivalent(str(i)), f'index="{i}"') for i in (2, 0, 1)))
    custom = (line(equivalent(str(i)), f'custom="readingOrder {{index:{i};}} structure {{}}"') for i in (4, 3))
    partly = region("r3", line(equivalent("6"), 'index="1"'), line(equivalent("5")))
    corpus = read(file(page(by_index, region("r2", *custom), partly)))
    assert text_of(corpus) == "0\n1\n2\n3\n4\n6\n5"


def test_two_transcriptions_for_text_gamma(file, tmp_path):
    for who, text in {"anna": "Es war einmal ein König", "bert": "Es war ein mal eyn König"}.items():
        file(page(region("r1", line(equivalent(text)), line(equivalent("der hatte eine Tochter .")))), f"{who}/p1.xml")
    corpus = read(tmp_path, pattern="{annotator}/{document}.xml")
    assert corpus["p1"].texts_differ
    assert 0 < unisono.text_gamma(corpus, p_text=0.25, p_segmentation=0.04, precision=0.2).value < 1
    same = read([file(page(region("r1", line(equivalent("a b c")))), f"p1.{who}.xml") for who in "ab"])
    assert same.annotators == ("a", "b")


def test_pages_without_text(file):
    corpus = read(file(page()))
    assert (text_of(corpus), corpus.n_units) == ("", 0)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (f'<PcGts xmlns="{NAMESPACE}"/>', 1, ["there is no <Page>"]),
        (page()[:-20], 4, ["breaks off"]),
        ('<!DOCTYPE PcGts [<!ENTITY a "b">]>\n<PcGts><Page/></PcGts>', 1, ["DOCTYPE"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)


def test_other_files_and_options(file):
    refusal(file("<text><token/></text>"), 1, "<text>, but PAGE XML has <PcGts>", format="page")
    with pytest.raises(OptionError, match="options: unknown level 'glyph'; available: word, line"):
        read(file(page()), options={"level": "glyph"})


FUZZED = page(
    region("r1", line(words("Es", "war") + equivalent("Es war", 0))),
    region("r2", line(equivalent("ein", 1))),
    order='<ReadingOrder><OrderedGroup><RegionRefIndexed index="0" regionRef="r2"/></OrderedGroup></ReadingOrder>',
).encode()


def test_words_without_text_are_counted(file):
    """Whether the line has the text or not; where only lines count, words are not looked at."""
    empty = '<Word id="w9"/>' + words(" ", "")
    path = file(page(region("r1", line(words("Es") + empty + equivalent("Es")), line(empty + equivalent("war ")))))
    corpus = read(path)
    assert words_of(corpus) == ["Es", "war"]
    assert corpus.dropped == {"words of a page without text": 6}
    assert read(path, options={"level": "line"}).dropped == {}


@settings(max_examples=60, deadline=None)
@given(mangled(FUZZED, b'"r1"', b"</TextLine>", b"<TextEquiv/>", b' index="x"'))
@example(FUZZED)
def test_mangled_files_are_data_or_refused(content):
    data_or_refusal(content, "p1.xml", format="page")
