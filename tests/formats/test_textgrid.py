from __future__ import annotations

import codecs

import pytest
from format_helpers import contents, refusal, rows
from hypothesis import example, given, settings
from mangled import data_or_refusal, mangled

from unisono.errors import DataError
from unisono.formats import read
from unisono.formats.format import Instructions
from unisono.formats.tools import textgrid

LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0 
xmax = 4.5 
tiers? <exists> 
size = 3 
item []: 
    item [1]:
        class = "IntervalTier" 
        name = "Anna" 
        xmin = 0 
        xmax = 4.5 
        intervals: size = 3 
        intervals [1]:
            xmin = 0 
            xmax = 1.25 
            text = "say ""ja"" 2 <x>" 
        intervals [2]:
            xmin = 1.25 
            xmax = 3 
            text = "" 
        intervals [3]:
            xmin = 3 
            xmax = 4.5 
            text = "ä" 
    item [2]:
        class = "TextTier" 
        name = "Bert" 
        xmin = 0 
        xmax = 4.5 
        points: size = 2 
        points [1]:
            number = 1.5 
            mark = "H*" 
        points [2]:
            time = 2.5e0 
            mark = "" 
    item [3]:
        class = "IntervalTier" 
        name = "Carl" 
        xmin = 0 
        xmax = 4.5 
        intervals: size = 1 
        intervals [1]:
            xmin = 0 
            xmax = 4.5 
            text = "" 
"""  # noqa: W291 (Praat writes it so)
SHORT = """File type = "ooTextFile short"
"TextGrid"

0
4.5
<exists>
3
"IntervalTier"
"Anna"
0
4.5
3
0
1.25
"say ""ja"" 2 <x>"
1.25
3
""
3
4.5
"ä"
"TextTier"
"Bert"
0
4.5
2
1.5
"H*"
2.5
""
"IntervalTier"
"Carl"
0
4.5
1
0
4.5
""
"""
SHORTEST = (
    '"ooTextFile" "TextGrid" 0 4.5 <exists> 3 ! 7 tiers "in" all\n"IntervalTier" named "Anna" from 0 to 4.5 seconds 3 '
    '0 1.25 "say ""ja"" 2 <x>" 1.25 3 "" 3 4.5 "ä"\n"TextTier" "Bert" 0 4.5 2 1.5 "H*" 2.5 ""\n'
    '"IntervalTier" "Carl" 0 4.5 1 0 4.5 "" and that is all\n'
)
EXPECTED = [
    ("talk", "Anna", 0.0, 1.25, 'say "ja" 2 <x>'),
    ("talk", "Anna", 3.0, 4.5, "ä"),
    ("talk", "Bert", 1.5, 1.5, "H*"),
    ("talk", "Bert", 2.5, 2.5, None),
]


@pytest.fixture
def file(tmp_path):
    def make(content, name="talk.TextGrid"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


@pytest.mark.parametrize("content", [LONG, SHORT, SHORTEST])
@pytest.mark.parametrize("name", ["talk.TextGrid", "talk.txt"])
def test_all_forms_are_the_same(file, content, name):
    corpus = read(file(content, name))
    assert corpus.source == f"Praat TextGrid · {name}"
    assert rows(corpus) == EXPECTED
    assert corpus.bounds == {0: (0.0, 4.5)}
    assert [*corpus.dropped.values()] == [1, 2]  # Carl's tier is left out, the others are annotators
    assert ["without annotations" in what or "taken as an annotator" in what for what in corpus.dropped] == [True, True]


@pytest.mark.parametrize(
    "encoded",
    [
        codecs.BOM_UTF16_BE + LONG.encode("utf-16-be"),
        codecs.BOM_UTF16_LE + LONG.encode("utf-16-le"),
        LONG.encode("utf-8-sig"),
        LONG.encode("latin-1"),
        LONG.replace("\n", "\r\n").encode(),
        LONG.replace("\n", "\r").encode(),
    ],
)
def test_encodings_and_ends_of_line(file, encoded):
    assert rows(read(file(encoded))) == EXPECTED


def test_tiers_can_be_chosen(file):
    corpus = read(file(SHORT), options={"tiers": "Carl;Anna"})
    assert corpus.annotators == ("Anna", "Carl")
    assert corpus.n_units_of("Carl") == 0  # who marked nothing
    assert dict(corpus.dropped) == {
        "tiers that were not asked for": 1,
        "tiers, each taken as an annotator": 2,
    }


def test_annotators_in_paths(file, tmp_path):
    for who in ("anna", "bert"):
        file(SHORT.replace('"Anna"', f'"words-{who}"').replace('"Bert"', '""'), f"{who}/talk.TextGrid")
    corpus = read(tmp_path, pattern="{annotator}/{document}.TextGrid")
    assert corpus["talk"].annotators == ("anna", "bert")
    assert [row[1:] for row in rows(corpus)][:4] == [
        ("anna", 0.0, 1.25, "words", 'say "ja" 2 <x>'),
        ("anna", 1.5, 1.5, "tier 2", "H*"),
        ("anna", 2.5, 2.5, "tier 2", None),
        ("anna", 3.0, 4.5, "words", "ä"),
    ]
    assert corpus.dropped == {}
    with pytest.raises(DataError, match="annotators may be the names of tiers, or what the paths say"):
        read([tmp_path / "anna" / "talk.TextGrid", tmp_path / "bert" / "talk.TextGrid"])


def test_tiers_at_annotators(file):
    content = SHORT.replace('"Anna"', '"words@anna"').replace('"Bert"', '"tones@bert"')
    assert rows(read(file(content)))[::2] == [
        ("talk", "anna", 0.0, 1.25, "words", 'say "ja" 2 <x>'),
        ("talk", "bert", 1.5, 1.5, "tones", "H*"),
    ]


def test_units_may_lie_a_little_outside(file):
    corpus = read(file(SHORT.replace("3\n4.5\n", "3\n4.5000001\n")))
    assert corpus.bounds == {0: (0.0, 4.5000001)}


def test_bad_intervals_can_be_passed_over(file):
    errors = []
    corpus = textgrid.read(file(SHORT.replace("0\n1.25\n", "2\n1.25\n")), Instructions(bad=errors.append))
    assert contents(corpus)["start"] == ("float64", [3.0, 1.5, 2.5])
    assert len(errors) == 1


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (SHORT.replace("0\n1.25\n", "2\n1.25\n"), 14, ["ends (1.25) before it begins (2.0)"]),
        (LONG.replace("= 1.25", "= soon", 1), 18, ["'say ", "the end of an interval, a number"]),
        (LONG.replace('text = "ä"', "text = 7"), 26, ["there is '7' where a label, a text in quotes"]),
        (LONG.replace("size = 2", "size = 2.5"), 32, ["the number of intervals or points is 2.5"]),
        (LONG.replace("size = 2", "size = -2"), 32, ["is -2 where a whole number"]),
        (SHORT.replace("\n3\n", "\n4\n", 1), 38, ["breaks off where the class of a tier"]),
        (SHORT.replace("\n3\n", "\n999999999999\n", 1), 38, ["breaks off"]),
        (SHORT[:-3], 37, ["breaks off where a label"]),
        (SHORT[:-2], 38, ["a text in quotes has no end"]),
        (SHORT.replace("4.5", "1e999", 1), 5, ["the end of the recording is too large"]),
        (SHORT.replace("<exists>", '"exists"'), 6, ["'exists' where <exists> is expected"]),
        (SHORT.replace("<exists>", "<absent>"), None, ["there is no tier in it"]),
        (SHORT.replace('"TextTier"', '"PitchTier"'), 22, ["'PitchTier'", "IntervalTier or TextTier"]),
        (SHORT.replace('"TextGrid"', '"Collection"'), 2, ["the object is a 'Collection'", "save the TextGrid alone"]),
        ('"Praat chronological TextGrid text file"\n0 1\n', 1, ["a chronological TextGrid", "Save as text file"]),
        ('"something"\n', 1, ["a file of type 'something'"]),
        (SHORT.replace("Bert", "Anna"), 8, ["several tiers are named 'Anna'"]),
        ('"ooTextFile" "TextGrid" 0 1 <exists> 1 "IntervalTier" "x" 0 1 0', None, ["no tier has annotations"]),
        (b"ooBinaryFile\x08TextGrid\0\0\0", None, ["binary TextGrid", "Save as text file"]),
        (codecs.BOM_UTF16_LE + b"\0\xd8\0", None, ["damaged or not UTF-16"]),
        (b"", None, ["empty"]),
        (b"\0\1", None, ["binary"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)


def test_binary_files_of_other_names(file):
    refusal(file(b"ooBinaryFile\x08TextGrid\0\0\0", "talk.bin"), None, "binary TextGrid")


@pytest.mark.parametrize("form", ["long_textgrid", "short_textgrid"])
def test_what_praatio_writes(tmp_path, form):
    praatio = pytest.importorskip("praatio.textgrid", reason="praatio writes the files")
    grid = praatio.Textgrid(0, 5)
    grid.addTier(praatio.IntervalTier("Anna", [(0.5, 1.25, 'a "b"'), (2, 3.5, "żółw\U0001d11e")], 0, 5))
    grid.addTier(praatio.PointTier("Bert", [(1.5, "H*")], 0, 5))
    path = tmp_path / "talk.TextGrid"
    grid.save(str(path), format=form, includeBlankSpaces=True)
    corpus = read(path)
    assert rows(corpus) == [
        ("talk", "Anna", 0.5, 1.25, 'a "b"'),
        ("talk", "Anna", 2.0, 3.5, "żółw\U0001d11e"),
        ("talk", "Bert", 1.5, 1.5, "H*"),
    ]
    assert corpus.bounds == {0: (0.0, 5.0)}


@settings(max_examples=60, deadline=None)
@given(mangled(LONG.encode(), b'""', b"<exists>", b'"TextTier"', b"!") | mangled(SHORT.encode("utf-16"), b"\xd8"))
@example(LONG.encode())
def test_mangled_files_are_data_or_refused(content):
    data_or_refusal(content, "talk.TextGrid")
