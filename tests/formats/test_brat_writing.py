from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.data import Corpus
from unisono.errors import DataError
from unisono.formats import read, write
from unisono.formats.format import Instructions
from unisono.formats.tools import brat, brat_names

TEXT = "Sony and Ericsson\ndid not\r\n\r\nmerge."


def corpus(units, text=TEXT, features=("category",), worked=(("d", "anna"),), **more):
    """Units as (start, end, label, label …) of anna's in d."""
    return Corpus.from_columns(
        annotator=["anna"] * len(units),
        document=["d"] * len(units),
        start=[unit[0] for unit in units],
        end=[unit[1] for unit in units],
        features={name: [unit[2 + place] for unit in units] for place, name in enumerate(features)},
        texts={} if text is None else dict.fromkeys(worked, text),
        worked=worked,
        **more,
    )


def write_folder(data, folder, *, overwrite=False):
    return write(data, folder, format="brat", overwrite=overwrite)


def lines(folder, name="anna/d.ann"):
    return (folder / name).read_text(encoding="utf-8").splitlines()


def test_what_is_written(tmp_path):
    units = [
        (0, 4, "Org", True, None),
        (0, 4, "Org", None, "high"),
        (9, 17, "Org", None, None),
        (9, 25, "Both", None, ("high", "low")),
        (3, 3, "Org", None, None),
    ]
    data = corpus(units, features=("category", "Negation", "Sure"), worked=[("d", "anna"), ("d", "bert")])
    said = write_folder(data, tmp_path / "out")
    assert said == ["sets are written as several attributes of one name; sets of one label are read as that label"]
    assert lines(tmp_path / "out") == [
        "T1\tOrg 0 4\tSony",
        "A1\tSure T1 high",
        "T2\tOrg 0 4\tSony",
        "A2\tNegation T2",
        "T3\tOrg 3 3\t",
        "T4\tOrg 9 17\tEricsson",
        "T5\tBoth 9 17;18 25\tEricsson did not",
        "A3\tSure T5 high",
        "A4\tSure T5 low",
    ]
    assert (tmp_path / "out/anna/d.txt").read_bytes() == TEXT.encode()
    assert (tmp_path / "out/bert/d.ann").read_bytes() == b""
    assert (tmp_path / "out/bert/d.txt").read_bytes() == TEXT.encode()
    assert (tmp_path / "out/annotation.conf").read_text().split("\n") == [
        "# unisono reads this folder as {annotator}/{document}.ann",
        "[entities]",
        "Both",
        "Org",
        "",
        "[relations]",
        "",
        "[events]",
        "",
        "[attributes]",
        "Negation\tArg:<ENTITY>",
        "Sure\tArg:<ENTITY>, Value:high|low",
        "",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_names_that_brat_does_not_accept(tmp_path):
    units = [(0, 4, "a b", "x,y|z"), (0, 4, "a_b", ""), (0, 4, "é", "x y z"), (0, 4, "", "ü"), (0, 4, "--", "x_y_z")]
    said = write_folder(corpus(units, features=("category", "my feature")), tmp_path / "out")
    assert said == [
        "brat does not accept these labels, so they are written differently: "
        "'' as _, '--' as _--, 'a b' as a_b-2, 'é' as e",
        "brat does not accept these features, so they are written differently: 'my feature' as my_feature",
        "brat does not accept these labels of 'my feature', so they are written differently: "
        "'x,y|z' as x_y_z-2, '' as _, 'x y z' as x_y_z-3",
    ]
    assert lines(tmp_path / "out")[4:8] == [
        "T3\ta_b-2 0 4\tSony",
        "A3\tmy_feature T3 x_y_z-2",
        *lines(tmp_path / "out")[6:8],
    ]


@pytest.mark.parametrize(
    ("features", "units", "first", "words"),
    [
        ((), [(0, 4)], "T1\tunlabelled 0 4\tSony", ["1 unit without a category written as unlabelled"]),
        (("pos",), [(0, 4, "NE")], "T1\tNE 0 4\tSony", ["'pos' is written as the type, and will be read as category"]),
        (("pos", "type"), [(0, 4, "NE", "token")], "T1\ttoken 0 4\tSony", ["'type' is written as the type"]),
        (("pos", "f"), [(0, 4, "NE", "x")], "T1\tunlabelled 0 4\tSony", ["1 unit without a category"]),
        (("category",), [(0, 4, None), (5, 8, "unlabelled")], "T1\tunlabelled 0 4\tSony", ["written as unlabelled"]),
        (("category",), [(0, 4, 1.0)], "T1\t1 0 4\tSony", ["not text"]),
        (("category",), [(0, 4, True)], "T1\ttrue 0 4\tSony", ["not text"]),
        (("category",), [(0, 4, ("a", "b"))], "T1\ta_b 0 4\tSony", ["'a+b' as a_b", "not text"]),
        (("category", "f"), [(0, 4, "X", 1)], "T1\tX 0 4\tSony", ["not text"]),
        (("category", "f"), [(0, 4, "X", False)], "T1\tX 0 4\tSony", ["not text"]),
        (("category", "f"), [(0, 4, "X", None)], "T1\tX 0 4\tSony", ["features without labels are not written: f"]),
        (("category",), [(17, 27, "X")], "T1\tX 18 25\tdid not", ["1 unit written without it"]),
        (("category",), [(17, 18, "X")], "T1\tX 17 17\t", ["1 unit written without it"]),
    ],
)
def test_what_brat_cannot_hold(tmp_path, features, units, first, words):
    said = " ".join(write_folder(corpus(units, features=features), tmp_path / "out"))
    assert lines(tmp_path / "out")[0] == first
    for word in words:
        assert word in said


def test_a_label_that_is_called_like_a_missing_one(tmp_path):
    said = write_folder(corpus([(0, 4, None), (5, 8, "unlabelled")]), tmp_path / "out")
    names = {line.split()[1] for line in lines(tmp_path / "out")}
    assert names == {"unlabelled", "unlabelled-2"}
    assert len(said) in (1, 2)


def test_a_category_without_labels_stays_the_type(tmp_path):
    units = [(0, 4, None, "high")]
    write_folder(corpus(units, features=("category", "sure")), tmp_path / "out")
    assert lines(tmp_path / "out") == ["T1\tunlabelled 0 4\tSony", "A1\tsure T1 high"]


def test_what_is_not_written(tmp_path):
    data = corpus(
        [(0, 4, "X")], documents=["d", "e"], annotators=["zoe"], bounds={"d": (0, 20)}, tokens={"d": [(0, 4)]}
    )
    assert write_folder(data, tmp_path / "out") == [
        "annotators who worked on no document are not written: zoe",
        "documents that nobody worked on are not written: e",
        "the continuum is the whole text in brat, not the part that was given: d",
        "tokens are not written",
    ]


def test_one_text_for_all(tmp_path):
    data = Corpus.from_columns(
        annotator=["anna", "bert"], start=[0, 0], end=[4, 4], texts={("document", "anna"): TEXT}, features={}
    )
    write_folder(data, tmp_path / "out")
    assert (tmp_path / "out/bert/document.txt").read_bytes() == TEXT.encode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (corpus([(0, 4, "X")], text=None), "no text of document 'd' by 'anna'.* csv or jsonl"),
        (corpus([(0.5, 4, "X")]), "from 0.5 to 4.* whole numbers"),
        (corpus([(0, 99, "X")]), "from 0 to 99.* 35 characters"),
        (corpus([(-1, 4, "X")]), "from -1 to 4"),
        (corpus([(0, 1, "X")], text="a\0"), "NUL"),
        (corpus([(0, 1, "X")], text="a\ud800"), "surrogate"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(tmp_path, data, words):
    with pytest.raises(DataError, match=words):
        write_folder(data, tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_folders_that_are_there(tmp_path):
    (tmp_path / "empty").mkdir()
    write_folder(corpus([(0, 4, "X")]), tmp_path / "empty")
    assert (tmp_path / "empty/anna/d.ann").exists()
    with pytest.raises(DataError, match="not empty"):
        write_folder(corpus([(0, 4, "X")]), tmp_path / "empty")
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="choose another name"):
        write_folder(corpus([(0, 4, "X")]), tmp_path / "file")
    with pytest.raises(DataError, match="cannot be written"):
        write_folder(corpus([(0, 4, "X")]), tmp_path / "file" / "out")
    write_folder(corpus([(0, 4, "X")]), tmp_path / "new" / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "new"]


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_was_written_can_be_replaced(tmp_path):
    out = tmp_path / "out"
    write_folder(corpus([(0, 4, "X")]), out)
    assert write_folder(corpus([(9, 17, "Y")]), out, overwrite=True) == []
    assert sorted(tree(out)) == ["anna/d.ann", "anna/d.txt", "annotation.conf"]
    assert lines(out) == ["T1\tY 9 17\tEricsson"]
    assert "Y" in lines(out, "annotation.conf")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_who_is_not_written_stays(tmp_path):
    out = tmp_path / "out"
    write_folder(corpus([(0, 4, "X")], worked=[("d", "bert"), ("e", "bert"), ("d", "anna")]), out)
    before = tree(out)
    said = write_folder(corpus([(9, 17, "Y")]), out, overwrite=True)
    assert said == ["what else is in the folder stays as it is: bert"]
    assert lines(out) == ["T1\tY 9 17\tEricsson"]
    assert "Y" in lines(out, "anna/annotation.conf")
    kept = {name: content for name, content in before.items() if not name.startswith("anna/")}
    assert {name: tree(out)[name] for name in kept} == kept
    assert read(out).annotators == ("anna", "bert")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("other", ["notes.md", "anna/d.csv", "anna/alone.txt", "alone.ann", "deep/er/x", ".git/config"])
def test_what_is_not_from_brat_is_not_replaced(tmp_path, other):
    out = tmp_path / "out"
    write_folder(corpus([(0, 4, "X")]), out)
    (out / other).parent.mkdir(parents=True, exist_ok=True)
    (out / other).write_text("mine")
    before = tree(out)
    with pytest.raises(DataError, match="holds other things than pairs"):
        write_folder(corpus([(9, 17, "Y")]), out, overwrite=True)
    assert tree(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("link", ["out", "out/anna", "out/anna/d.ann"])
def test_links_are_not_replaced(tmp_path, link):
    """What they lead to may be needed elsewhere."""
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    write_folder(corpus([(0, 4, "X")]), out)
    (tmp_path / link).rename(elsewhere)
    (tmp_path / link).symlink_to(elsewhere)
    with pytest.raises(DataError, match="choose another name"):
        write_folder(corpus([(9, 17, "Y")]), out, overwrite=True)
    assert lines(out) == ["T1\tX 0 4\tSony"]


def test_a_file_is_not_replaced_by_a_folder(tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(DataError, match="a file or a link"):
        write_folder(corpus([(0, 4, "X")]), tmp_path / "out", overwrite=True)
    assert (tmp_path / "out").read_text() == "mine"


def test_what_fails_replaces_nothing(tmp_path, monkeypatch):
    out = tmp_path / "out"
    write_folder(corpus([(0, 4, "X")]), out)
    before = tree(out)
    with pytest.raises(DataError, match="from 0 to 99"):
        write_folder(corpus([(0, 99, "Y")]), out, overwrite=True)
    assert tree(out) == before
    move = os.replace

    def failing(source, target):
        if os.path.basename(source) == "annotation.conf" and ".tmp" in str(source):  # anna is there already
            raise OSError("the disk is gone")
        move(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(DataError, match="the disk is gone"):
        write_folder(corpus([(9, 17, "Y")]), out, overwrite=True)
    assert tree(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


EVIL = [
    "../../x",
    "/etc/passwd",
    "..",
    ".",
    "",
    ".hidden",
    "a/b",
    "a\\b",
    "a:b",
    "A",
    "a",
    "annotation.conf",
    "CON",
    "x" * 999,
]


def test_names_do_not_lead_elsewhere(tmp_path):
    pairs = [(document, annotator) for document in EVIL for annotator in EVIL]
    data = Corpus.from_columns(
        annotator=[], start=[], end=[], worked=pairs, texts=dict.fromkeys(pairs, TEXT), features={}
    )
    said = write_folder(data, tmp_path / "a" / "out")
    assert len(said) == 2
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 2 * len(pairs) + 1
    assert all(path.parent.parent == tmp_path / "a" / "out" for path in files if path.suffix != ".conf")
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".") or len(path.name) > 200]
    assert len({str(path).casefold() for path in files}) == len(files)


def test_a_million_like_names_take_no_quadratic_time():
    names = brat_names.distinct({number: "a" + " /"[number % 2] for number in range(100_000)}, brat_names.name)
    assert len(set(names.values())) == 100_000


name = st.text(min_size=1, max_size=5).filter(lambda text: "\0" not in text)
label = st.one_of(
    st.none(),
    st.sampled_from(["", "a,b", "é", "\ud800", "\ufeff", "x=1"]),
    st.sampled_from(["a", "b c"]),
    st.booleans(),
    st.integers(0, 2),
    st.sets(st.sampled_from(["a", "a b", "a_b"])),
)


@st.composite
def corpora(draw):
    """Texts with ends of line of all kinds, nested, equal and empty units, and labels of all kinds."""
    texts, rows = {}, []
    features = draw(st.lists(st.sampled_from(["category", "type", "f", "g h"]), unique=True))
    for place in draw(st.lists(st.tuples(name, name), min_size=1, max_size=3, unique=True)):
        text = texts[place] = draw(st.text("ab \n\r\u2028\ufeffä𝄞\t", max_size=12))
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(text)))
            end = draw(st.integers(start, len(text)))
            rows.append((*place, start, end, *(draw(label) for _ in features)))
    return Corpus.from_columns(
        document=[row[0] for row in rows],
        annotator=[row[1] for row in rows],
        start=[row[2] for row in rows],
        end=[row[3] for row in rows],
        features={feature: [row[4 + at] for row in rows] for at, feature in enumerate(features)},
        texts=texts,
    )


def spelled(value):
    """A label as it is read back."""
    if value is None or value is True or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return None if not value else value[0] if len(value) == 1 else value
    return str(value).lower()


def trimmed(text, start, end):
    """Positions without ends of line at the edges."""
    edge = brat_names.BREAKS.pattern
    inside = re.search(rf"(?!{edge}).(?:.*(?!{edge}).)?", text[start:end], re.DOTALL)
    return (start, start) if inside is None else (start + inside.start(), start + inside.end())


def renamings(said, what):
    """What the sentences say about how things are written."""
    for sentence in said:
        if sentence.startswith(f"brat does not accept these {what},"):
            pairs = sentence.partition("written differently: ")[2]
            return dict(re.findall(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*") as (\S+?)(?=, ['"]|$)""", pairs))
    return {}


@settings(max_examples=60)
@given(corpora())
def test_round_trip(data):
    """Reading gives what was written, but for what the sentences say."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent, "out")
        said = write_folder(data, folder)
        found = {}
        for path in folder.glob("*/*.ann"):
            again = brat.read(path, Instructions(annotator=path.parent.name, document=path.name[: -len(".ann")]))
            [document] = again
            found[document.name, path.parent.name] = document
        assert sorted(os.listdir(parent)) == ["out"]
    annotators, documents = renamings(said, "names of annotators"), renamings(said, "names of documents")
    called = renamings(said, "features")
    entity = next((name for name in data.features if name == "category"), None)
    assert len(found) == int(data.worked.sum())
    for document in data:
        for annotator in document.annotators:
            there = found[documents.get(repr(document.name), document.name), annotators.get(repr(annotator), annotator)]
            text = data.texts[document.index, data.annotators.index(annotator)]
            assert there.text == text
            own = [unit for unit in document.units if unit.annotator == annotator]
            assert sorted((unit.start, unit.end) for unit in there.units) == sorted(
                trimmed(text, unit.start, unit.end) for unit in own
            )
            for name in data.features:
                if (
                    name == entity
                    or (entity is None and len(data.features) == 1)
                    or (entity is None and name == "type")
                ):
                    continue
                values = renamings(said, f"labels of {name!r}")
                expected = [_written(spelled(unit.features[name]), values) for unit in own]
                read_back = [unit.features.get(called.get(repr(name), name)) for unit in there.units]
                assert sorted(map(repr, read_back)) == sorted(map(repr, expected))


def _written(value, values):
    if isinstance(value, tuple):
        return tuple(sorted(values.get(repr(member), member) for member in value))
    return values.get(repr(value), value) if isinstance(value, str) else value


def test_round_trip_of_what_brat_holds(tmp_path):
    units = [(0, 4, "Org", "high"), (0, 17, "Org", None), (9, 25, "Merge", ("high", "low")), (5, 5, "X", True)]
    data = corpus(units, features=("category", "Sure"), worked=[("d", "anna"), ("e.1", "anna"), ("d", "bert")])
    write_folder(data.select(annotators=["anna"]), tmp_path / "out")
    (tmp_path / "out/anna/e.1.ann").write_text("T1\tX 0 4\tSony\n")
    again = read(tmp_path / "out", pattern="{annotator}/{document}.ann")
    assert again.documents == ("d", "e.1")
    assert again["d"].units == data.select(annotators=["anna"])["d"].units
