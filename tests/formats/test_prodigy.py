from __future__ import annotations

import json

import pytest
from format_helpers import refusal, rows, worked
from hypothesis import given, settings
from mangled import data_or_refusal, mangled

from unisono.formats import read

TEXT = "😀 Anna sees Bert."


def span(start, end, label="PER", **more):
    return {"start": start, "end": end, "label": label, "token_start": 0, "token_end": 1, **more}


def task(number, *spans, who="news-anna", text=TEXT, **more):
    return {
        "text": text,
        "_input_hash": number,
        "_task_hash": 10 * number,
        "spans": list(spans),
        "answer": "accept",
        "_view_id": "ner_manual",
        "_annotator_id": who,
        "_session_id": "news-other",
        **more,
    }


@pytest.fixture
def file(tmp_path):
    def make(*lines, name="news.jsonl"):
        path = tmp_path / name
        content = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
        path.write_bytes(content)
        return path

    return make


def test_tasks_of_several_annotators(file):
    corpus = read(file(task(-5, span(2, 6)), task(-5, who="news-bert"), task(6, span(12, 16, "ORG"), text="x" * 20)))
    assert corpus.source == "Prodigy JSONL · news.jsonl"
    assert rows(corpus) == [("-5", "anna", 2, 6, "PER"), ("6", "anna", 12, 16, "ORG")]
    assert worked(corpus) == {("-5", "anna"), ("-5", "bert"), ("6", "anna")}
    assert corpus["-5"].text == TEXT
    assert corpus.dropped == {}


@pytest.mark.parametrize(
    ("sessions", "annotators"),
    [
        (["a-b-anna", "a-b-bert"], ("anna", "bert")),
        (["news-lu-ann", "news-mary-ann"], ("news-lu-ann", "news-mary-ann")),
        (["anna", 3], ("3", "anna")),
        (["news-2024-01-31_12-00-59", None, "2024-01-31_12-00-59"], ("annotator",)),
    ],
)
def test_names_of_annotators(file, sessions, annotators):
    lines = [task(n, who=None, _session_id=session, text=f"{n}") for n, session in enumerate(sessions)]
    assert read(file(*lines)).annotators == annotators


def test_the_path_can_name_the_annotator(file, tmp_path):
    for name in ("anna", "bert"):
        file(task(1, span(2, 6)), name=f"{name}.jsonl")
    corpus = read(tmp_path, annotator_from="file")
    assert rows(corpus) == [("1", "anna", 2, 6, "PER"), ("1", "bert", 2, 6, "PER")]


def test_tokens(file):
    tokens = [
        {"text": TEXT[start:end], "start": start, "end": end, "id": 0} for start, end in ((0, 1), (2, 6), (7, 11))
    ]
    corpus = read(file(task(1, tokens=tokens)))
    assert corpus.tokens[0].tolist() == [[0, 1], [2, 6], [7, 11]]


def test_what_is_left_out_is_counted(file):
    corpus = read(
        file(
            task(1, span(2, 6), span(2, 6), {"label": "x", "points": [[0, 1]]}, relations=[{"head": 0, "child": 1}]),
            task(1, span(2, 6), span(2, 6, "ORG")),
            task(2, span(2, 6), answer="reject"),
            task(3, answer="ignore"),
        )
    )
    assert rows(corpus) == [("1", "anna", 2, 6, "ORG"), ("1", "anna", 2, 6, "PER")]
    assert worked(corpus) == {("1", "anna")}
    assert corpus.dropped == {
        "spans that one annotator gave twice for one text": 2,
        "spans without positions in the text": 1,
        'tasks that were not accepted ("reject")': 1,
        'tasks that were not accepted ("ignore")': 1,
    }
    assert corpus.others == {"relations": {"": 1}}


def test_without_hashes_the_text_tells(file):
    lines = [
        {"text": text, "spans": [span(0, 1)], "_session_id": f"x-{who}"} for text in "ab" for who in ("anna", "bert")
    ]
    corpus = read(file(*lines))
    assert len(corpus.documents) == 2
    assert all(document.annotators == ("anna", "bert") for document in corpus)


def test_documents_can_be_named(file):
    path = file(task(1, meta={"source": "a.txt"}), task(2, source=7, text="x"))
    assert read(path, options={"document": "source"}).documents == ("a.txt", "7")
    refusal(path, 1, "no 'name' to name the document", options={"document": "name"})


def test_audio(file):
    record = {"audio": "a.mp3", "audio_spans": [{"start": 0.5, "end": 2, "label": "A"}], "_annotator_id": "x-anna"}
    corpus = read(file(record | {"_input_hash": 4}, record | {"audio_spans": [], "audio": "b.mp3"}))
    assert [(unit.start, unit.end, unit.features["category"]) for unit in corpus["4"].units] == [(0.5, 2.0, "A")]
    assert len(corpus.documents) == 2
    assert corpus["4"].text is None


def test_bad_lines_can_be_passed_over(file):
    told = []
    corpus = read(file(task(1), b"{", task(2, span(5, 99)), b"", task(3, text="x")), bad=told.append)
    assert corpus.documents == ("1", "3")
    assert [error.line for error in told] == [2, 3]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (3, ["a task should be an object, not 3"]),
        ({"_input_hash": 3, "image": "x"}, ["neither text nor audio_spans"]),
        (task(1, text="other"), ["two different texts of document '1'"]),
        (task(2, span(2, 99)), ["2 to 99 is not within the text, which has 17 characters"]),
        (task(2, span(-1, 2)), ["-1 to 2 is not within"]),
        (task(2, span(3, 2)), ["start and end, in this order"]),
        (task(2, span(0, 1.5)), ["0 to 1.5 is not within"]),
        (task(2, span("a", 2)), ["start and end, in this order"]),
        (task(2, span(0, 2, 5)), ["an object with start, end and label"]),
        (task(2, 3), ["an object with start, end and label"]),
        (task(2, spans=3), ["spans should be a list"]),
        (task(2, tokens=[3]), ["tokens should be objects"]),
        (task(2, tokens=[{"start": 0}]), ["start and end"]),
        (b"{", ["not JSON"]),
    ],
)
def test_what_is_refused(file, line, words):
    refusal(file(task(1), line), 2, *words)


def test_our_own_json_lines_are_left_alone(file):
    first = {"document": "a", "annotator": "b", "text": '"spans" "_input_hash"', "units": []}
    assert read(file(first)).source == "JSON lines · news.jsonl"


EXAMPLE = b"\n".join(
    json.dumps(record, ensure_ascii=False).encode()
    for record in (
        task(1, span(2, 6), tokens=[{"start": 0, "end": 1}]),
        task(1, span(2, 6), who="news-bert", relations=[{"head": 1}]),
        {"audio": "a.mp3", "audio_spans": [{"start": 0.5, "end": 2, "label": "A"}], "_annotator_id": "x-anna"},
    )
)


@settings(max_examples=60, deadline=None)
@given(mangled(EXAMPLE, b"null", b"[]", b"{}", b'"spans"', b'"_input_hash"', b"true"))
def test_mangled(content):
    data_or_refusal(content, "news.jsonl", format="prodigy")
