from __future__ import annotations

import json

import pytest
from format_helpers import refusal, rows, worked
from hypothesis import given, settings
from mangled import data_or_refusal, mangled
from test_labelstudio_items import table

from unisono.data import Export
from unisono.errors import OptionError
from unisono.formats import read

TEXT = "Anna sees Bert."
WIDE = "😀 Anna"


@pytest.fixture
def file(tmp_path):
    def make(*lines, name="anna.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        content = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
        path.write_bytes(content)
        return path

    return make


@pytest.mark.parametrize(
    "spans",
    [
        {"label": [[0, 4, "PER"], [10, 14, "PER"]], "Comments": []},
        {"labels": [[0, 4, "PER"], [10, 14, "PER"]]},
        {"entities": [[0, 4, "PER"], [10, 14, "PER"]]},
        {
            "entities": [
                {"id": 1, "label": "PER", "start_offset": 0, "end_offset": 4},
                {"id": 2, "label": "PER", "start_offset": 10, "end_offset": 14},
            ]
        },
    ],
)
@pytest.mark.parametrize("key", ["text", "data"])
def test_ways_to_write_spans(file, spans, key):
    corpus = read(file({"id": 7, key: TEXT, **spans}, {"id": 8, key: "x", "label": []}))
    assert corpus.source == "doccano JSONL · anna.jsonl"
    assert rows(corpus) == [("7", "annotator", 0, 4, "PER"), ("7", "annotator", 10, 14, "PER")]
    assert worked(corpus) == {("7", "annotator"), ("8", "annotator")}
    assert corpus["7"].text == TEXT
    assert corpus.dropped == {}


def test_an_export_has_a_file_for_each_annotator(file, tmp_path):
    for name, label in (("anna", "PER"), ("bert", "ORG")):
        file(
            {"id": 7, "text": TEXT, "label": [[0, 4, label]]}, {"id": 8, "text": "x", "label": []}, name=f"{name}.jsonl"
        )
    for corpus in (read(tmp_path), read(tmp_path, pattern="{annotator}.jsonl")):
        assert rows(corpus) == [("7", "anna", 0, 4, "PER"), ("7", "bert", 0, 4, "ORG")]
        assert worked(corpus) == {("7", "anna"), ("7", "bert"), ("8", "anna"), ("8", "bert")}


def test_users_of_early_versions(file):
    spans = [{"label": 3, "start_offset": 0, "end_offset": 4, "user": user} for user in (1, 2)]
    corpus = read(file({"id": 7, "text": TEXT, "annotations": spans, "meta": {}}))
    assert rows(corpus) == [("7", "1", 0, 4, "3"), ("7", "2", 0, 4, "3")]


def test_a_text_without_spans_does_not_make_an_annotator(file):
    """If spans name their users, nobody knows who worked on a text without any."""
    span = {"label": 3, "start_offset": 0, "end_offset": 4, "user": 1}
    corpus = read(file({"id": 7, "text": TEXT, "annotations": [span]}, {"id": 8, "text": "x", "annotations": []}))
    assert (corpus.annotators, corpus.documents) == (("1",), ("7", "8"))
    assert worked(corpus) == {("7", "1")}
    assert corpus.dropped == {"texts without spans; the file does not say who worked on them": 1}


def test_what_is_not_a_span_is_counted(file):
    """Whatever stands in place of spans is read or counted, once."""
    others = [[0, 4], [0, 4, "PER", 1], {"start": 0, "end": 4, "label": "PER"}, None, 0.5, {}, []]
    corpus = read(file({"id": 7, "text": TEXT, "label": [[0, 4, "PER"], *others]}))
    assert corpus.n_units == 1
    assert corpus.dropped == {"labels of another form than spans, in 'label'": 7}
    record = {"text": TEXT, "label": [], "entities": {"a": 1}, "cats": {"good": 1}, "relations": {"x": 1}}
    assert read(file(record)).dropped == {
        "labels of another form than spans, in 'entities'": 1,
        "labels of another form than spans, in 'cats'": 1,
    }


def test_the_whole_file_says_what_positions_count(file):
    """A text that allows both is read like those that allow only one."""
    both, wide = {"id": 1, "text": "😀 Anna sees", "label": [[2, 6, "PER"]]}, {"id": 2, "text": WIDE}
    said = "texts with characters beyond 16 bits, read with positions in {}"
    corpus = read(file(both, {**wide, "label": [[0, 1, "X"]]}))
    assert rows(corpus)[0] == ("1", "annotator", 2, 6, "PER")
    assert corpus.dropped == {said.format("characters"): 2}
    corpus = read(file(both, {**wide, "label": [[3, 7, "X"]]}))
    assert rows(corpus)[0] == ("1", "annotator", 1, 5, "PER")
    corpus = read(file({**wide, "label": [[0, 1, "X"]]}, *({**wide, "id": n, "label": [[3, 7, "X"]]} for n in (3, 4))))
    assert corpus.dropped == {said.format("characters"): 1, said.format("utf-16"): 2}


def test_what_is_left_out_is_counted(file):
    record = {
        "text": TEXT,
        "entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 4}],
        "relations": [{"id": 1, "from_id": 1, "to_id": 1, "type": "self"}],
        "Comments": [{"id": 1, "comment": "?"}],
    }
    corpus = read(file(record, {"text": "good", "annotations": [{"text": "bien", "user": 1}]}))
    assert corpus.n_units == 1
    assert all(name.startswith("text ") for name in corpus.documents)
    assert corpus.dropped == {
        "free texts, which are not labels": 1,
        "comments": 1,
    }
    assert corpus.others == {"relations": {"self": 1}}


@pytest.mark.parametrize("key", ["label", "labels", "cats"])
def test_labels_of_whole_texts(file, tmp_path, key):
    file({"id": 7, "text": TEXT, key: ["good"]}, {"id": 8, "text": "x", key: []}, name="anna.jsonl")
    file({"id": 7, "text": TEXT, key: ["bad"]}, {"id": 8, "text": "x", key: ["bad"]}, name="bert.jsonl")
    ratings = read(tmp_path)
    assert table(ratings) == {"7": {"anna": "good", "bert": "bad"}, "8": {"anna": None, "bert": "bad"}}
    assert (ratings.question.name, ratings.question.kind, ratings.texts) == ("label", "names", (TEXT, "x"))
    file({"id": 7, "text": TEXT, key: ["bad", "short"]}, {"id": 8, "text": "x", key: ["bad"]}, name="bert.jsonl")
    ratings = read(tmp_path)
    assert ratings.question.kind == "sets"
    assert table(ratings) == {"7": {"anna": ("good",), "bert": ("bad", "short")}, "8": {"anna": (), "bert": ("bad",)}}


def test_labels_of_early_versions_name_their_users(file):
    def text(number, *labels):
        return {"id": number, "text": TEXT, "annotations": [{"label": one, "user": who} for one, who in labels]}

    ratings = read(file(text(1, (15, 1), ("x", 2)), text(2, (15, 1)), text(3), name="all.jsonl"))
    assert table(ratings) == {"1": {"1": "15", "2": "x"}, "2": {"1": "15", "2": None}}
    assert ratings.dropped == {"texts without labels; the file does not say who worked on them": 1}
    ratings = read(file(text(1, (15, 1), (16, 1), ("x", 2))))
    assert table(ratings) == {"1": {"1": ("15", "16"), "2": ("x",)}}


def test_all_in_one_file_are_one_annotator(file):
    path = file({"id": 1, "text": TEXT, "label": ["a", "b"]}, {"id": 2, "text": "", "label": []}, name="all.jsonl")
    ratings = read(path)
    assert table(ratings) == {"1": {"annotator": ("a", "b")}, "2": {"annotator": ()}}


def test_intents_and_slots(file):
    export = read(file({"text": TEXT, "entities": [[0, 4, "PER"]], "cats": ["see"]}))
    assert isinstance(export, Export)
    assert [*table(export.questions["label"]).values()] == [{"annotator": "see"}]
    assert [row[2:] for row in rows(export.of_kind("spans"))] == [(0, 4, "PER")]


def test_images_are_named_by_their_files(file):
    ratings = read(file({"id": 3, "filename": "a.png", "label": ["cat"]}))
    assert table(ratings) == {"3": {"annotator": "cat"}}
    assert ratings.texts == ("a.png",)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            'id,text,label\n1,"Good, good.",pos\n2,Bad.,neg#short\n3,Hm.,\n',
            {"1": {"annotator": ("pos",)}, "2": {"annotator": ("neg", "short")}, "3": {"annotator": ()}},
        ),
        (
            "id,text,label,annotator\n1,Good.,pos,1\n1,Good.,neg,2\n2,Bad.,neg,1\n",
            {"1": {"1": "pos", "2": "neg"}, "2": {"1": "neg", "2": None}},
        ),
        (
            "id,text,label,user\n1,Good.,pos,1\n1,Good.,short,1\n1,Good.,pos,2\n",
            {"1": {"1": ("pos", "short"), "2": ("pos",)}},
        ),
    ],
)
def test_tables(tmp_path, content, expected):
    path = tmp_path / "anna.csv"
    path.write_text(content)
    ratings = read(path)
    assert ratings.source == "doccano JSONL ratings · anna.csv"
    assert table(ratings) == expected


def test_a_table_without_ids_has_the_texts(tmp_path):
    path = tmp_path / "anna.csv"
    path.write_text('text,label\n"Good.",pos\n"Bad.",neg\n')
    assert read(path).texts == ("Good.", "Bad.")


def test_other_tables_are_left_alone(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label\n1,a,x\n1,b,x\n")
    assert read(path).source == "CSV ratings · labels.csv"


def test_a_value_may_have_several_lines(file, tmp_path):
    path = tmp_path / "anna.jsonl"
    path.write_text(json.dumps({"id": 7, "text": TEXT, "label": [[0, 4, "PER"]]}, indent=2))
    assert rows(read(path)) == [("7", "annotator", 0, 4, "PER")]


def test_positions_count_utf_16_if_that_is_possible(file):
    """doccano counts as browsers do; imported files as Python does."""
    said = "texts with characters beyond 16 bits, read with positions in {}"
    path = file({"id": 1, "text": WIDE, "label": [[3, 7, "PER"]]})
    corpus = read(path)
    assert WIDE[corpus.start[0] : corpus.end[0]] == "Anna"
    assert corpus.dropped == {said.format("utf-16"): 1}
    corpus = read(file({"id": 1, "text": WIDE, "label": [[0, 1, "X"], [2, 6, "PER"]]}, name="bert.jsonl"))
    assert WIDE[corpus.start[1] : corpus.end[1]] == "Anna"
    assert corpus.dropped == {said.format("characters"): 1}
    corpus = read(path, options={"offsets": "utf-16"})
    assert (WIDE[corpus.start[0] : corpus.end[0]], corpus.dropped) == ("Anna", {})
    refusal(path, 1, "3 to 7 is not within", options={"offsets": "characters"})
    with pytest.raises(OptionError, match="unknown offsets 'x'"):
        read(path, options={"offsets": "x"})


def test_positions_in_graphemes(file):
    text = "👨‍👩‍👧 Änna"
    path = file({"id": 1, "text": text, "label": [[2, 6, "PER"]]})
    corpus = read(path, options={"offsets": "graphemes"})
    assert text[corpus.start[0] : corpus.end[0]] == "Änna"


def test_a_list_in_one_file(file):
    path = file([{"id": 1, "text": TEXT, "label": [[0, 4, "PER"]]}], name="anna.json")
    assert rows(read(path)) == [("1", "annotator", 0, 4, "PER")]


def test_bad_lines_can_be_passed_over(file):
    told = []
    path = file(
        {"id": 1, "text": TEXT, "label": [[0, 4, "PER"]]},
        b"{",
        {"id": 2, "text": TEXT, "label": [[0, 99, "PER"]]},
        b"",
        {"id": 3, "text": TEXT, "label": []},
    )
    corpus = read(path, bad=told.append)
    assert corpus.documents == ("1", "3")
    assert [error.line for error in told] == [2, 3]


GOOD = {"id": 1, "text": TEXT, "label": []}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (3, ["should be an object, not 3"]),
        ({"id": 2, "label": []}, ["no text"]),
        ({"id": 1, "text": "x", "label": []}, ["another text with the id 1"]),
        ({"id": 2, "text": "x", "label": [[0, 2, "a"]]}, ["0 to 2 is not within the text, which has 1 char"]),
        ({"id": 2, "text": "x", "label": [[1, 0, "a"]]}, ["should be like [0, 5"]),
        ({"id": 2, "text": "x", "label": [[0.5, 1, "a"]]}, ["should be like"]),
        ({"id": 2, "text": "x", "label": [[-1, 1, "a"]]}, ["should be like"]),
        ({"id": 2, "text": "x", "label": [[0, True, "a"]]}, ["should be like"]),
        ({"id": 2, "text": "x", "label": [[0, 10**40, "a"]]}, ["should be like"]),
        (b'{"id": 2,', ["not JSON"]),
        (b"[" * 100_000, ["nested too deeply"]),
        (b'{"a": ' + b"9" * 10_000 + b"}", ["not JSON"]),
    ],
)
def test_what_is_refused(file, line, words):
    refusal(file(GOOD, line), 2, *words)


@pytest.mark.parametrize(
    "first",
    [
        {"document": "a", "annotator": "b", "text": "x", "units": []},
        {"annotator": "b", "text": "x"},
        {"document": "a", "annotator": "b", "text": '{"label": []}'},
    ],
)
def test_our_own_json_lines_are_left_alone(file, first):
    assert read(file(first)).source == "JSON lines · anna.jsonl"


def test_a_first_line_that_is_very_long(file):
    assert read(file({"id": 1, "text": "x" * 100_000, "label": [[0, 4, "a"]]})).n_units == 1
    first = {"document": "a", "text": "x" * 100_000, "annotator": "b"}
    assert read(file(first, name="b.jsonl")).source.startswith("JSON lines")


EXAMPLE = b"\n".join(
    json.dumps(record, ensure_ascii=False).encode()
    for record in (
        {"id": 1, "text": WIDE, "label": [[3, 7, "PER"], [0, 2, "X"]], "Comments": ["a"]},
        {
            "id": 2,
            "text": TEXT,
            "entities": [{"id": 1, "label": "a", "start_offset": 0, "end_offset": 4}],
            "relations": [],
        },
    )
)


@settings(max_examples=60, deadline=None)
@given(mangled(EXAMPLE, b"null", b"[]", b"{}", b'"label"', b"[0, 1]", b"true"))
def test_mangled(content):
    data_or_refusal(content, "anna.jsonl", format="doccano")


@pytest.mark.parametrize(
    "name",
    ["bsner-bw_admin", "transformer_labeling", "transformer_classification", "transformer_labeling_text_label"]
    + [f"export_example_{task}" for task in ("intent_detection", "relation_extraction", "sequence_labeling")]
    + ["export_example_text_classification", "export_example_sequence_to_sequence"],
)
def test_files_of_the_tool(shared, name):
    assert read(shared / "items" / "doccano" / f"{name}.jsonl").n_units > 0


LABELS = "".join(
    json.dumps(line) + "\n"
    for line in [
        {"id": 1, "text": TEXT, "label": ["a", "b"]},
        {"id": 2, "text": "x", "cats": ["a"], "entities": [[0, 1, "X"]]},
        {"id": 3, "text": "y", "annotations": [{"label": 15}, {"label": 16}]},
        {"id": 4, "filename": "a.png", "label": "b"},
    ]
)
TABLE = 'id,text,label\n1,"Good, good.",pos\n1,"Good, good.",neg#short\n2,Bad.,neg\n3,Hm.,\n'


@pytest.mark.parametrize(
    "header", ["id,data,label", "id,text,source,date,label,Comments", "id,data,label,source", "id,text,answer,label"]
)
def test_tables_of_all_versions(file, header):
    """The content was called data, and what else is known about a text are columns, too."""
    names = header.split(",")
    cells = {"id": "7", "data": "Good.", "text": "Good.", "label": "pos"}
    content = f"{header}\n{','.join(cells.get(name, 'x') for name in names)}\n"
    path = file(name="anna.csv")
    path.write_text(content)
    ratings = read(path)
    assert table(ratings) == {"7": {"annotator": "pos"}}
    assert ratings.texts == ("Good.",)


def test_a_table_that_names_annotators_is_not_of_doccano(file):
    path = file(name="labels.csv")
    path.write_text("id,text,worker,label\n1,Good.,anna,pos\n1,Good.,bert,neg\n")
    assert table(read(path)) == {1: {"anna": "pos", "bert": "neg"}}


def test_metadata_may_have_any_name(file):
    line = {"id": 1, "text": TEXT, "answer": "42", "annotator": "x", "units": 3, "label": ["a"], "Comments": []}
    assert table(read(file(line))) == {"1": {"annotator": "a"}}
