from __future__ import annotations

import pytest
from format_helpers import refusal
from hypothesis import example, given, settings
from mangled import data_or_refusal, mangled

import unisono
from unisono.errors import OptionError
from unisono.formats import read

SPACE = '<SP WIDTH="9" HPOS="1" VPOS="1"/>'


def string(content, attributes=""):
    return f'<String CONTENT="{content}" {attributes}><ALTERNATIVE>no</ALTERNATIVE></String>'


def line(*parts, name=""):
    return f'<TextLine ID="{name}" BASELINE="0 0">{"".join(parts)}</TextLine>\n'


def block(name, *lines):
    return f'<TextBlock ID="{name}"><Shape/>\n{"".join(lines)}</TextBlock>\n'


def alto(*blocks, order=""):
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#">\n'
        f"<Description><MeasurementUnit>pixel</MeasurementUnit></Description>{order}\n"
        f'<Layout><Page ID="p1"><TopMargin/><PrintSpace>\n{"".join(blocks)}</PrintSpace></Page></Layout></alto>\n'
    )


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


def test_strings_make_the_text(file):
    corpus = read(
        file(
            alto(
                block("b1", line(string("Es"), SPACE, string("war"), string(","), SPACE), line()),
                "<ComposedBlock>" + block("b2", line(string("ein"), string("mal"))) + "</ComposedBlock>",
                block("b3", line(string(" a whole  line "))),
            )
        )
    )
    assert corpus.source == "ALTO · p1.xml"
    assert text_of(corpus) == "Es war,\nein mal\na whole  line"
    assert words_of(corpus) == ["Es", "war,", "ein", "mal", "a", "whole", "line"]
    assert dict(corpus.dropped) == {"lines of a page without text": 1}


def test_words_without_text_are_counted(file):
    corpus = read(
        file(alto(block("b1", line(string("Es"), string(""), "<String/>", string("war")), line(string(" ")))))
    )
    assert words_of(corpus) == ["Es", "war"]
    assert corpus.dropped == {"lines of a page without text": 1, "words of a page without text": 3}


HYPHENATED = alto(
    block(
        "b1",
        line(
            string("die"),
            SPACE,
            string("Fürsten", 'SUBS_TYPE="HypPart1" SUBS_CONTENT="Fürstentum"'),
            '<HYP CONTENT="-"/>',
        ),
        line(string("tum", 'SUBS_TYPE="HypPart2" SUBS_CONTENT="Fürstentum"'), SPACE, string("u.", 'SUBS_TYPE="Abb"')),
        line(string("al", 'SUBS_TYPE="HypPart1"'), '<HYP CONTENT="\u00ad"/>'),
    )
)


def test_hyphens(file):
    corpus = read(file(HYPHENATED))
    assert words_of(corpus) == ["die", "Fürsten-", "tum", "u.", "al\u00ad"]
    corpus = read(file(HYPHENATED), options={"hyphens": "join"})
    assert text_of(corpus) == "die Fürstentum\nu.\nal"
    with pytest.raises(OptionError, match="options: unknown hyphens 'x'; available: keep, join"):
        read(file(HYPHENATED), options={"hyphens": "x"})


def test_reading_order(file):
    order = """<ReadingOrder><OrderedGroup ID="g1"><ElementRef ID="e1" REF="b3"/>
    <UnorderedGroup ID="g2"><ElementRef ID="e2" REF="l2"/><ElementRef ID="e3" REF="b1"/></UnorderedGroup>
    <ElementRef ID="e4" REF="gone"/><ElementRef ID="e5" REF="b3"/></OrderedGroup></ReadingOrder>"""
    blocks = [block(f"b{i}", line(string(str(i)), name=f"l{i}")) for i in range(4)]
    assert text_of(read(file(alto(*blocks, order=order)))) == "3\n2\n1\n0"


def test_two_transcriptions_for_text_gamma(file, tmp_path):
    for who, text in {"anna": "Es war einmal ein König", "bert": "Es war ein mal eyn König"}.items():
        rows = line(*map(string, text.split())), line(string("der hatte"), string("eine Tochter ."))
        file(alto(block("b1", *rows)), f"{who}/p1.xml")
    corpus = read(tmp_path, pattern="{annotator}/{document}.xml")
    assert 0 < unisono.text_gamma(corpus, p_text=0.25, p_segmentation=0.04, precision=0.2).value < 1


def test_pages_without_text(file):
    assert text_of(read(file(alto()))) == ""


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("<alto/>", 1, ["there is no <Layout>"]),
        (alto()[:-20], 5, ["breaks off"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)


def test_other_files(file):
    refusal(file("<text><token/></text>"), 1, "<text>, but ALTO has <alto>", format="alto")


@settings(max_examples=60, deadline=None)
@given(mangled(HYPHENATED.encode(), b"</TextLine>", b"<SP/>", b"<HYP/>", b"<TextLine><String/>"))
@example(HYPHENATED.encode())
def test_mangled_files_are_data_or_refused(content):
    data_or_refusal(content, "p1.xml", format="alto")
