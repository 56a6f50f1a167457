"""Who annotated what, as paths tell it."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import zipfile
from pathlib import Path

import pytest
from format_helpers import refusal, rows, worked
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from unisono.cli.app import app
from unisono.errors import DataError, OptionError
from unisono.formats import read
from unisono.formats.patterns import parse_pattern

STORY = ["de", "hystorie", "van", "der", "duldicheyt", "der", "vrowen", "gheheten", "Griseldis"]
FABLE = ["een", "vosse", "sach", "enen", "rauen", "up", "enem", "bome", "sitten", "mit", "enem", "kese"]


def cora(*words, pos="NN"):
    """A CorA-XML file of some words."""
    tokens = "".join(f'<token trans="{word}"><mod utf="{word}"><pos tag="{pos}"/></mod></token>' for word in words)
    return f"<text>{tokens}</text>"


def conllu(*words):
    """A CoNLL-U file of one sentence."""
    lines = (f"{number}\t{word}\t_\tNOUN\t_\t_\t_\t_\t_\t_\n" for number, word in enumerate(words, start=1))
    return "".join(lines) + "\n"


@pytest.fixture
def tree(tmp_path):
    def make(files):
        for name, content in files.items():
            path = tmp_path / "corpus" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return tmp_path / "corpus"

    return make


GRID = {
    "anna/story.xml": cora(*STORY),
    "anna/fable.xml": cora(*FABLE),
    "bert/story.xml": cora(*STORY[:-1], "griseldis", pos="NE"),
    "bert/fable.xml": cora(*FABLE),
}
PAIRS = {("story", "anna"), ("story", "bert"), ("fable", "anna"), ("fable", "bert")}


@pytest.mark.parametrize(
    ("pattern", "path", "annotator", "document"),
    [
        ("{annotator}/{document}.xml", "/x/anna/text1.xml", "anna", "text1"),
        ("{document}/{annotator}.xml", "text1/anna.xml", "anna", "text1"),
        ("/{document}.{annotator}.xml", "a.b.anna.xml", "anna", "a.b"),
        ("{document}_{annotator}.*", "text_1_anna.conllu", "anna", "text_1"),
        ("{annotator}_{document}.xml", "anna_text_1.xml", "anna", "text_1"),
        ("{annotator}/*/{document}_*.xml", "anna/batch 1/text1_final.xml", "anna", "text1"),
        ("{annotator}/*.xml", "anna/text1.xml", "anna", None),
        ("{document}.c+v", "anna/text1.c+v", None, "text1"),
        ("ann-{annotator}.xml", "ann-anna.xml", "anna", None),
    ],
)
def test_patterns(pattern, path, annotator, document):
    place = parse_pattern(pattern).names(path)
    assert (place.annotator, place.document) == (annotator, document)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("{annotator}/{document}.xml", "text1.xml"),
        ("{annotator}/{document}.xml", "anna/text1.xml.bak"),
        ("{annotator}/{document}.xml", "anna/.xml"),
        ("{document}.cov", "text1_cov"),
        ("ann-{annotator}.xml", "x-ann-anna.xml"),
    ],
)
def test_paths_that_do_not_match(pattern, path):
    assert parse_pattern(pattern).names(path) is None


@pytest.mark.parametrize(
    ("pattern", "word"),
    [
        ("{who}/{document}.xml", "{who} is unknown"),
        ("", "it is empty"),
        (" / ", "it is empty"),
        ("{document}{document}", "twice"),
    ],
)
def test_patterns_that_make_no_sense(tree, pattern, word):
    with pytest.raises(OptionError, match=word):
        read(tree(GRID), pattern=pattern)


def test_folder_with_a_pattern(tree):
    folder = tree(
        {
            **GRID,
            "README.md": "x",
            "anna/notes.txt": "x",
            ".git/a/b.xml": "<x",
            "top.xml": "<x",
            "bert/.hidden.xml": "<x",
        }
    )
    corpus = read(folder, pattern="{annotator}/{document}.xml")
    assert worked(corpus) == PAIRS
    assert corpus.documents == ("fable", "story")
    assert corpus.source == "CorA-XML · corpus/"
    assert corpus["story"].texts_differ
    assert {row[1:6] for row in rows(corpus) if row[0] == "story" and row[2] == 0} == {
        ("anna", 0, 2, "token", "NN"),
        ("bert", 0, 2, "token", "NE"),
    }
    deeper = read(folder.parent, pattern="{annotator}/{document}.xml".replace("{annotator}", "corpus/{annotator}"))
    assert worked(deeper) == PAIRS


def test_files_with_a_pattern(tree, monkeypatch):
    folder = tree(GRID)
    files = [folder / name for name in GRID]
    assert worked(read(files, pattern="{annotator}/{document}.xml")) == PAIRS
    monkeypatch.chdir(folder / "anna")
    assert worked(read(["story.xml", "../bert/story.xml"], pattern="{annotator}/{document}.xml")) == {
        ("story", "anna"),
        ("story", "bert"),
    }
    refusal(folder / "anna" / "story.xml", None, "does not match", "x_{annotator}.xml", pattern="x_{annotator}.xml")


def test_folder_where_nothing_matches(tree):
    folder = tree(GRID)
    refusal(folder, None, "none of the 4 files", "such as anna/fable.xml", pattern="{annotator}/x/{document}.xml")


def test_pattern_without_annotator_or_document(tree):
    folder = tree({"anna.xml": cora(*STORY), "bert.xml": cora(*FABLE)})
    assert worked(read(folder, pattern="{annotator}.xml")) == {("document", "anna"), ("document", "bert")}
    with pytest.raises(OptionError, match="CorA-XML does not name the annotator"):
        read(folder, pattern="{document}.xml")
    with pytest.raises(
        DataError,
        match=r"the document 'document' of annotator 'anna' is in .*fable.xml too; .*\(pattern, annotator_from\)",
    ):
        read(tree(GRID), pattern="{annotator}/*.xml")


def test_same_names_in_folders_side_by_side(tree):
    folder = tree({**GRID, "chris/story.xml": cora(*STORY)})
    corpus = read(folder)
    assert worked(corpus) == {*PAIRS, ("story", "chris")}
    assert corpus.source == "CorA-XML · corpus/, taken as {annotator}/{document}.xml"
    assert worked(read([folder / "anna" / "story.xml", folder / "bert" / "story.xml"])) == {
        ("story", "anna"),
        ("story", "bert"),
    }


@pytest.mark.parametrize("mark", [".", "_"])
def test_document_and_annotator_in_the_name(tree, mark):
    swapped = ["{1}" + mark + "{0}.{2}"]
    names = {swapped[0].format(*name.replace(".", "/").split("/")): content for name, content in GRID.items()}
    corpus = read(tree(names))
    assert worked(corpus) == PAIRS
    assert corpus.source.endswith("taken as {document}" + mark + "{annotator}.xml")


@pytest.mark.parametrize("document", ["text_1.", "text.1_", "text-1_"])
def test_the_last_part_of_the_name_is_the_annotator(tree, document):
    corpus = read(tree({f"{document}anna.xml": cora(*STORY), f"{document}bert.xml": cora(*STORY)}))
    assert worked(corpus) == {(document[:-1], "anna"), (document[:-1], "bert")}


def test_one_document_by_several(tree):
    folder = tree({"anna.conllu": conllu(*STORY), "bert.conllu": conllu(*STORY[:4], "dvldicheit", *STORY[5:])})
    corpus = read([folder / "anna.conllu", folder / "bert.conllu"])
    assert worked(corpus) == {("document", "anna"), ("document", "bert")}
    assert corpus.source == "CoNLL-U · anna.conllu, bert.conllu, taken as {annotator}.conllu"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"story/anna.xml": cora(*STORY), "story/bert.xml": cora(*STORY), "fable/anna.xml": cora(*FABLE)},
            ["versions of one document", "pattern='{document}/{annotator}.xml'"],
        ),
        (
            {"anna_story.xml": cora(*STORY), "anna_fable.xml": cora(*FABLE)},
            ["versions of one document", "pattern='{annotator}_{document}.xml'"],
        ),
        ({"story.xml": cora(*STORY), "fable.xml": cora(*FABLE)}, ["pattern='{annotator}/{document}.xml'"]),
        (
            {"a/anna/story.xml": cora(*STORY), "b/anna/story.xml": cora(*STORY)},
            ["side by side", "pattern='{annotator}/{document}.xml'"],
        ),
        (
            {f"a.{first}_{second}.xml": cora(*STORY) for first in "bc" for second in "de"},
            ["several ways", "pattern='{annotator}/{document}.xml'"],
        ),
        ({"a.xml": cora(*STORY), "b.conllu": conllu(*STORY)}, ["several kinds", ".conllu, .xml", "pattern="]),
        ({"notes.md": "x"}, ["no annotation files", "pattern="]),
    ],
)
def test_a_folder_is_read_only_if_it_is_clear(tree, files, words):
    folder = tree(files)
    with pytest.raises(DataError) as caught:
        read(folder)
    message = str(caught.value)
    assert message.startswith(str(folder))
    for word in words:
        assert word in message, message


def test_a_document_in_two_files_of_one_annotator(tree):
    content = "# newdoc id = d\n" + conllu(*STORY)
    folder = tree({"anna/a.conllu": content, "anna/b.conllu": content, "bert/a.conllu": content})
    with pytest.raises(DataError, match="the document 'd' of annotator 'anna' is in"):
        read(folder, pattern="{annotator}/{document}.conllu")


def test_files_know_better_than_their_paths(tree):
    """Tables and JSON lines name annotators themselves, and perhaps documents; paths give what is missing."""
    unit = "annotator,start,end\nanna,0,1\n"
    folder = tree({"x/text1.csv": unit, "y/text2.csv": "document," + unit.replace("anna", "text9,anna")})
    assert worked(read(folder)) == {("text1", "anna"), ("text9", "anna")}
    assert worked(read(folder, pattern="{document}/*.csv")) == {("x", "anna"), ("text9", "anna")}
    assert worked(read(folder, pattern="{annotator}/{document}.csv")) == {("text1", "anna"), ("text9", "anna")}
    lines = tree({"z/a.jsonl": '{"annotator": "anna"}\n{"document": "d", "annotator": "bert"}\n'}) / "z" / "a.jsonl"
    assert worked(read(lines, pattern="{document}/*")) == {("z", "anna"), ("d", "bert")}
    masses = tree({"s/m.tsv": "Coder\tMasses\n1\t2\t3\n"}) / "s" / "m.tsv"
    assert read(masses, pattern="{document}/*.tsv").documents == ("s",)


def test_folder_of_tables(tree):
    unit = "annotator,start,end\n{},0,1\n"
    folder = tree({"a/text1.csv": unit.format("anna"), "b/text1.csv": unit.format("bert")})
    assert worked(read(folder)) == {("text1", "anna"), ("text1", "bert")}
    assert read(folder).source == "CSV · corpus/"
    table = "item,anna,bert\n1,x,y\n"
    folder = tree({"r/text1.csv": table, "r/text2.csv": table, "r/README": "x"}) / "r"
    assert read(folder, format="ratings").documents == ("text1", "text2")


def test_a_file_is_not_read_twice(tree):
    folder = tree(GRID)
    with pytest.raises(DataError, match="named twice"):
        read([folder, folder / "anna" / "story.xml"], pattern="{annotator}/{document}.xml")


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="there are no links here")
def test_a_folder_that_contains_itself(tree):
    folder = tree(GRID)
    (folder / "again").symlink_to(folder, target_is_directory=True)
    assert worked(read(folder)) == PAIRS


def test_command_line(tree):
    folder = tree(GRID)
    pattern = ["--pattern", "{annotator}/{document}.xml"]
    measure = ["-m", "gamma(features=pos,precision=0.2)", "--json"]
    done = CliRunner().invoke(app, ["measure", str(folder), *pattern, "--option", "text=utf", *measure])
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)["results"][0]
    assert (result["n_documents"], result["n_annotators"], result["n_units"]) == (2, 2, 42)
    done = CliRunner().invoke(app, ["advise", str(folder), *pattern, "--json"])
    assert done.exit_code == 0, done.output
    with pytest.raises(OptionError, match="--option text: write a name, =, and a value"):
        CliRunner().invoke(app, ["measure", str(folder), "--option", "text"], catch_exceptions=False)


def test_formats_are_listed_with_their_options():
    done = CliRunner().invoke(app, ["formats", "--json"])
    listed = {row["name"]: row for row in json.loads(done.stdout)}
    assert set(listed["cora"]["options"]) == {"text", "merge", "split"}
    assert listed["conllu"]["options"] == {}
    shown = CliRunner().invoke(app, ["formats"]).stdout
    assert "merge=…" in shown


def test_different_texts_are_not_versions_of_one(tmp_path):
    for number, text in ((1, "Alice went down the hole."), (2, "Then Alice met a very large cat.")):
        (tmp_path / f"chapter_{number}.txt").write_text(text)
        place = text.index("Alice")
        (tmp_path / f"chapter_{number}.ann").write_text(f"T1\tPER {place} {place + 5}\tAlice\n")
    with pytest.raises(DataError, match="the text differs"):
        read(tmp_path)


def test_where_annotators_can_be_said_to_be(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("annotator,start,end\nanna,0,3\n")
    with pytest.raises(OptionError, match="annotator_from: CSV names annotators itself, in a column or key"):
        read(path, annotator_from="folder")


def task(who, text="Anna sank."):
    value = {"start": 0, "end": 4, "text": "Anna", "labels": ["PER"]}
    result = [{"from_name": "label", "to_name": "text", "type": "labels", "value": value}]
    return [{"id": 1, "data": {"text": text}, "annotations": [{"id": 1, "completed_by": who, "result": result}]}]


def test_two_people_of_one_number(tmp_path):
    for name in ("anna", "bert"):
        (tmp_path / f"{name}.json").write_text(json.dumps(task(1)))
    with pytest.raises(DataError, match=r"is in .* too"):
        read(tmp_path)
    assert read(tmp_path, annotator_from="file").annotators == ("anna", "bert")


def test_two_texts_of_one_number(tmp_path):
    (tmp_path / "one.json").write_text(json.dumps(task(1)))
    (tmp_path / "two.json").write_text(json.dumps(task(2, "Anna and many others went to the sea.")))
    with pytest.raises(DataError, match="has another text than"):
        read(tmp_path)


def test_the_folder_itself_may_be_the_annotator(tmp_path):
    folder = tmp_path / "anna"
    folder.mkdir()
    for number, text in ((1, "Alice went down the hole."), (2, "Then she met a very large cat.")):
        (folder / f"chapter{number}.txt").write_text(text)
        (folder / f"chapter{number}.ann").write_text("")
    corpus = read(folder, pattern="{annotator}/{document}.ann")
    assert corpus.annotators == ("anna",)
    assert corpus.documents == ("chapter1", "chapter2")


UNMATCHED = "files that the pattern does not match: {}"


def test_files_that_do_not_match_are_counted_and_named(tmp_path):
    """Texts of annotations, settings and hidden files belong to others."""
    for who in ("anna", "bert"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "text1.ann").write_text("T1\tPER 0 4\tAnna\n")
        (tmp_path / who / "text1.txt").write_text("Anna sees Bert.")
    (tmp_path / ".hidden").write_text("x")
    (tmp_path / "annotation.conf").write_text("[entities]\nPER\n")
    corpus = read(tmp_path, pattern="{annotator}/{document}.ann")
    assert corpus.dropped == {}
    for name in ("a.ann", "anna/text2.xmi", "notes.txt", "z.pdf"):
        (tmp_path / name).write_text("x")
    corpus = read(tmp_path, pattern="{annotator}/text1.ann")
    assert corpus.dropped == {UNMATCHED.format("a.ann, notes.txt, z.pdf and 1 more"): 4}
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(tmp_path / "anna" / "text1.ann", "data/anna/text1.ann")
        archive.write(tmp_path / "anna" / "text1.txt", "data/anna/text1.txt")
        archive.write(tmp_path / "notes.txt", "data/notes.txt")
    corpus = read(tmp_path / "all.zip", pattern="{annotator}/text1.ann")
    assert corpus.dropped == {UNMATCHED.format("data/notes.txt"): 1}


def test_files_in_a_folder_that_are_no_annotations_are_counted(tmp_path):
    for who in ("anna", "bert"):
        (tmp_path / f"{who}.ann").write_text("T1\tPER 0 4\tAnna\n")
        (tmp_path / f"{who}.txt").write_text("Anna sees Bert.")
    assert read(tmp_path).dropped == {}
    (tmp_path / "README.md").write_text("x")
    assert read(tmp_path).dropped == {"files in a folder that are not read because of their names: README.md": 1}


@settings(max_examples=40, deadline=None)
@given(
    st.sets(st.sampled_from(["anna/t1", "bert/t1", "anna/t2", "x/y/t3", "t4", "anna/t5"]), min_size=1),
    st.sampled_from(
        ["{annotator}/{document}.jsonl", "anna/*.jsonl", "*1.jsonl", "{annotator}/t2.jsonl", "x/*/*.jsonl"]
    ),
    st.booleans(),
)
def test_every_file_is_read_or_counted(names, pattern, packed):
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = Path(folder, f"{name}.jsonl{'.gz' if packed else ''}")
            path.parent.mkdir(parents=True, exist_ok=True)
            line = json.dumps({"document": name, "annotator": "anna", "units": []}).encode()
            path.write_bytes(gzip.compress(line) if packed else line)
        matching = [name for name in names if parse_pattern(pattern).names(f"{name}.jsonl")]
        if matching:
            corpus = read(folder, pattern=pattern)
            assert set(corpus.documents) == set(matching)
            assert sum(corpus.dropped.values()) == len(names) - len(matching)
