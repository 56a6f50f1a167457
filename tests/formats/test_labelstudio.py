from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from format_helpers import refusal, rows, worked
from hypothesis import given, settings
from hypothesis import strategies as st
from mangled import data_or_refusal, mangled

from unisono.errors import OptionError
from unisono.formats import read

TEXT = "😀 Anna sees Bert in Rome."


def span(start, end, *labels, control="label", kind="labels", text=None, **more):
    covered = {} if text is None else {"text": text}
    value = {"start": start, "end": end, kind: list(labels), **covered}
    return {
        "id": more.pop("id", f"{start}"),
        "from_name": control,
        "to_name": "text",
        "type": kind,
        "value": value,
    } | more


def annotation(who, *results, **more):
    return {"id": 9, "completed_by": who, "result": list(results), "was_cancelled": False, **more}


def task(number, *annotations, data=None, **more):
    return {
        "id": number,
        "annotations": list(annotations),
        "drafts": [],
        "predictions": [],
        "data": {"text": TEXT} if data is None else data,
        **more,
    }


@pytest.fixture
def file(tmp_path):
    def make(content, name="export.json"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return make


def test_tasks_are_documents_and_people_annotators(file):
    corpus = read(
        file(
            [
                task(7, annotation(1, span(2, 6, "PER", text="Anna"), span(20, 24, "LOC", "CITY")), annotation(2)),
                task(8, annotation({"id": 2, "email": "bert@x.org"}, span(2, 6, "PER")), inner_id=1),
            ]
        )
    )
    assert corpus.source == "Label Studio JSON · export.json"
    assert corpus["7"].text == corpus["8"].text == TEXT
    assert rows(corpus) == [
        ("7", "1", 2, 6, "PER"),
        ("7", "1", 20, 24, ("CITY", "LOC")),
        ("8", "bert@x.org", 2, 6, "PER"),
    ]
    assert worked(corpus) == {("7", "1"), ("7", "2"), ("8", "bert@x.org")}
    assert corpus.dropped == {}


def test_what_is_left_out_is_counted(file):
    content = [
        task(
            1,
            annotation(
                1,
                span(2, 6, "PER", text="Anna"),
                {"type": "relation", "from_id": "a", "to_id": "b", "direction": "right"},
                {"type": "textarea", "from_name": "s", "to_name": "text", "value": {"text": ["good"]}},
                {"type": "rectanglelabels", "from_name": "s", "value": {"x": 1, "rectanglelabels": ["a"]}},
            ),
            annotation(2, span(0, 1, "PER"), was_cancelled=True),
            annotation(3, span(2, 6, "ORG"), updated_at="2024-02-01"),
            annotation(3, span(2, 6, "LOC"), updated_at="2024-01-01"),
            drafts=[{"id": 3}],
            predictions=[{"model_version": "m1", "result": [span(12, 16, "PER")]}, 5],
        )
    ]
    corpus = read(file(content))
    assert rows(corpus) == [("1", "1", 2, 6, "PER"), ("1", "3", 2, 6, "ORG")]
    assert corpus.dropped == {
        "annotations that were skipped (cancelled)": 1,
        "earlier annotations of a task by the same person": 1,
        "drafts": 1,
        "predictions": 2,
        "free texts about whole tasks, which are not labels": 1,
        'results that are not labelled spans ("rectanglelabels")': 1,
    }
    assert corpus.others == {"relations": {"": 1}}
    corpus = read(file(content), options={"predictions": "true"})
    assert ("1", "m1", 12, 16, "PER") in rows(corpus)
    assert corpus.dropped["predictions that are not objects"] == 1


def test_several_controls_are_layers_and_more_about_a_span_features(file):
    further = {"id": "2", "from_name": "sure", "type": "choices", "value": {"start": 2, "end": 6, "choices": ["yes"]}}
    comment = {"id": "2", "from_name": "note", "type": "textarea", "value": {"start": 2, "end": 6, "text": ["a", "b"]}}
    stars = {"id": "2", "from_name": "stars", "type": "rating", "value": {"start": 2, "end": 6, "rating": 4}}
    tree = {"id": "2", "from_name": "t", "type": "taxonomy", "value": {"start": 2, "end": 6, "taxonomy": [["a", "b"]]}}
    results = [span(2, 6, "PER"), further, comment, stars, tree, span(2, 6, "subject", control="role", id="x")]
    corpus = read(file([task(1, annotation(1, *results))]))
    labels = [{name: label for name, label in unit.features.items() if label is not None} for unit in corpus["1"].units]
    assert sorted(labels, key=len) == [
        {"type": "role", "category": "subject"},
        {"type": "label", "category": "PER", "sure": "yes", "note": ("a", "b"), "stars": 4, "t": "a/b"},
    ]


def test_older_versions_count_utf_16(file):
    """Where covered texts are there, they decide; else the user can."""
    results = [span(3, 7, "a", text="Anna"), span(12, 16, "b", text="Bert"), span(21, 25, "c", text="Rome")]
    corpus = read(file([task(1, annotation(1, *results))]))
    assert [TEXT[unit.start : unit.end] for unit in corpus["1"].units] == ["Anna", "Bert", "Rome"]
    bare = file([task(1, annotation(1, span(3, 7, "a")))])
    assert rows(read(bare, options={"offsets": "utf-16"})) == [("1", "1", 2, 6, "a")]
    assert rows(read(bare)) == [("1", "1", 3, 7, "a")]
    with pytest.raises(OptionError, match="unknown offsets 'x'"):
        read(bare, options={"offsets": "x"})
    within = file([task(1, annotation(1, span(1, 7, "a")))])
    refusal(within, None, "task 1: a span from 1 to 7 is not within", options={"offsets": "utf-16"})


AROUND = "Anna 😀 sieht Bert"
UNCLEAR = "spans around characters beyond 16 bits, read with positions in characters"


def place_of(corpus, name="1"):
    return [(unit.start, unit.end) for unit in corpus[name].units]


def test_a_span_around_an_emoji_ends_where_its_text_ends(file):
    data = {"text": AROUND}
    old = annotation(1, span(0, 13, "a", text="Anna 😀 sieht"))
    new = annotation(2, span(0, 12, "a", text="Anna 😀 sieht"))
    assert place_of(read(file([task(1, old, data=data)]))) == [(0, 12)]
    assert place_of(read(file([task(1, new, data=data)]))) == [(0, 12)]


def test_the_whole_export_says_what_positions_count(file):
    """Spans that show nothing are read like those that do, in other tasks too."""
    data = {"text": AROUND}
    silent = task(1, annotation(1, span(0, 13, "a")), data=data)
    corpus = read(file([silent]))
    assert place_of(corpus) == [(0, 13)]
    assert corpus.dropped == {UNCLEAR: 1}
    for telling in (
        task(2, annotation(2, span(8, 13, "b", text="sieht")), data=data),
        task(2, annotation(2, span(14, 18, "b")), data=data),  # beyond the last of 17 characters
    ):
        corpus = read(file([silent, telling]))
        assert place_of(corpus) == [(0, 12)]
        assert corpus.dropped == {}
    corpus = read(file([silent, task(2, annotation(2, span(6, 12, "b")), data=data)]))  # 6 is within the emoji
    assert place_of(corpus) == [(0, 13)]
    assert corpus.dropped == {}


def test_texts_decide_before_lengths_and_the_majority_decides(file):
    new = [span(7, 12, "a", text="sieht"), span(13, 17, "b", text="Bert")]
    old = [span(8, 13, "a", text="sieht")]
    content = [
        task(1, annotation(1, *new), annotation(2, *old), annotation(3, span(0, 12, "c")), data={"text": AROUND})
    ]
    corpus = read(file(content))
    assert [(row[1], *row[2:4]) for row in rows(corpus)] == [("1", 7, 12), ("1", 13, 17), ("2", 7, 12), ("3", 0, 12)]
    assert corpus.dropped == {"spans with positions in utf-16, unlike most of the export": 1}
    assert read(file(content), options={"offsets": "characters"}).dropped == {
        "spans that cover other text than they say, read by their positions": 1
    }


@settings(max_examples=100, deadline=None)
@given(st.text("ab 😀𝄞", min_size=1, max_size=12), st.booleans(), st.data())
def test_positions_are_found_by_what_they_cover(text, old, data):
    """Whatever positions count, spans with their texts are where these are."""
    places = data.draw(st.lists(st.tuples(*[st.integers(0, len(text))] * 2).map(sorted), min_size=1, max_size=4))
    utf16 = [(place, len(text[:place].encode("utf-16-le")) // 2) for place in range(len(text) + 1)]
    written = [tuple(utf16[place][old] for place in pair) for pair in places]
    results = [
        span(*there, "a", text=text[start:end], id=str(number))
        for number, (there, (start, end)) in enumerate(zip(written, places, strict=True))
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "export.json")
        path.write_text(json.dumps([task(1, annotation(1, *results), data={"text": text})]))
        corpus = read(path)
    assert sorted(text[start:end] for start, end in place_of(corpus)) == sorted(text[a:b] for a, b in places)


def test_results_about_regions_without_a_label_are_counted(file):
    value = {"start": 2, "end": 6}
    alone = {"id": "x", "from_name": "note", "type": "textarea", "value": {**value, "text": ["a"]}}
    choice = {"from_name": "sure", "type": "choices", "value": {**value, "choices": ["yes"]}}  # belongs to no region
    unnamed = {**span(2, 6, "PER", text="Anna"), "id": None}
    corpus = read(file([task(1, annotation(1, unnamed, alone, choice, 5), 7)]))
    assert rows(corpus) == [("1", "1", 2, 6, "PER")]
    assert corpus.dropped == {
        'results about regions that are not labelled ("textarea")': 1,
        'results about regions that are not labelled ("choices")': 1,
        "results that are not objects": 1,
        "annotations that are not objects": 1,
    }


def test_spans_that_cover_something_else(file):
    results = [span(2, 6, "a", text="Bert"), span(2, 11, "b", text="Anna\\nsees")]
    corpus = read(file([task(1, annotation(1, *results))]))
    assert corpus.dropped == {"spans that cover other text than they say, read by their positions": 1}


def test_which_field_is_the_text(file):
    long = "x" * 40
    cases = {
        "named": ({"text": TEXT, "other": long}, [span(2, 6, "a")]),
        "only": ({"content": TEXT, "n": 3, "audio": "https://x.org/" + long}, [span(2, 6, "a")]),
        "suits": ({"content": TEXT, "meta": long}, [span(2, 6, "a", text="Anna")]),
    }
    for name, (data, results) in cases.items():
        assert read(file([task(1, annotation(1, *results), data=data)]))["1"].text == TEXT, name
    path = file([task(1, annotation(1, span(2, 6, "a")), data={"a": TEXT, "b": long})])
    assert read(path)["1"].text == long
    assert read(path, options={"text": "a"})["1"].text == TEXT
    refusal(path, None, "no text 'c'", options={"text": "c"})


@pytest.mark.parametrize("listed", [True, False])
def test_a_long_text_can_stand_before_the_annotations(file, listed):
    """Files are recognized by what follows it."""
    one = {"data": {"text": TEXT * 4000}, "annotations": [annotation(1, span(2, 6, "a"))], "id": 1}
    assert rows(read(file([one] if listed else one))) == [("1", "1", 2, 6, "a")]


def test_which_name_a_document_has(file):
    one = task(1, annotation(1), data={"text": TEXT, "name": "a.txt"})
    del one["id"]
    path = file([one | {"inner_id": 4}])
    assert read(path).documents == ("4",)
    assert read(path, options={"document": "name"}).documents == ("a.txt",)
    refusal(path, None, "no 'nr'", options={"document": "nr"})
    assert read(file([one])).documents == ("1",)


def test_audio_is_in_seconds(file):
    results = [
        span(0, 2, "A", original_length=10.5),
        {"from_name": "x", "type": "labels", "value": {"start": 3.25, "end": 10.6, "channel": 0, "labels": ["B"]}},
    ]
    corpus = read(file([task(1, annotation(1, *results), data={"audio": "/data/upload/a.wav"})]))
    assert [(unit.start, unit.end) for unit in corpus["1"].units] == [(0.0, 2.0), (3.25, 10.6)]
    assert corpus["1"].bounds == (0, 10.6)
    assert corpus["1"].text is None


def test_html_has_global_offsets(file):
    value = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0, "endOffset": 4}
    result = {"from_name": "n", "type": "hypertextlabels", "value": {**value, "hypertextlabels": ["a"]}}
    path = file([task(1, annotation(1, result), data={"html": "<p>Anna</p>"})])
    refusal(path, None, "task 1", "globalOffsets in HTML")
    result["value"]["globalOffsets"] = {"start": 10, "end": 14}
    corpus = read(file([task(1, annotation(1, result), data={"html": "<p>Anna</p>"})]))
    assert rows(corpus) == [("1", "1", 10, 14, "a")]
    assert corpus["1"].text is None


def test_completions_of_version_0(file):
    content = {"id": 3, "completions": [annotation(None, span(2, 6, "a"))], "data": {"text": TEXT}}
    assert rows(read(file(content))) == [("3", "annotator", 2, 6, "a")]


def test_the_path_can_name_the_annotator(tmp_path, file):
    (tmp_path / "a").mkdir()
    for name in ("anna", "bert"):
        file([task(1, annotation(1, span(2, 6, "a")))], f"a/{name}.json")
    corpus = read(tmp_path / "a", annotator_from="file")
    assert corpus.annotators == ("anna", "bert")


def test_bad_tasks_can_be_passed_over(file):
    path = file([task(1, annotation(1, span(2, 99, "a"))), 3, task(2, annotation(1, span(2, 6, "a")))])
    told = []
    corpus = read(path, bad=told.append)
    assert rows(corpus) == [("2", "1", 2, 6, "a")]
    assert [str(error).partition(": task ")[2][:20] for error in told] == [
        "1: a span from 2 to ",
        "2: it should be an o",
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([{"id": 1, "data": {}, "annotations": 3, "inner_id": 1}], ["task 1", "data and annotations"]),
        ([task(1, annotation(1) | {"result": None})], ["list of results, not null"]),
        ([task(1, annotation(1, span(5, 2, "a")))], ["ends (2) before it begins (5)"]),
        ([task(1, annotation(1, span("x", 2, "a")))], ["start and end"]),
        ([task(1, annotation(1, span(1, 10**30, "a")))], ["start and end"]),
        ([task(1, annotation(1, span(1, 99, "a")))], ["1 to 99 is not within the text", "options={'text': '…'}"]),
        ([task(1, annotation(1, span(1, 2, {"a": 1})))], ["labels should be texts"]),
        ([task(1, annotation(1)), task(1, annotation(1))], ["another one is document '1'"]),
        ([task(1, inner_id=1)], ["no annotated document"]),
        ([task(1, inner_id=1, predictions=[{"result": []}])], ["only predictions", "options={'predictions': 'true'}"]),
        (b'[{"annotations": [], "result": ', ["not JSON"]),
    ],
)
def test_what_is_refused(file, content, words):
    path = file(content)
    line = 1 if isinstance(content, bytes) else None
    refusal(path, line, *words)


def test_json_min_is_another_format(file):
    path = file([{"id": 1, "text": "a", "label": [], "annotator": 1, "annotation_id": 4, "lead_time": 1}])
    refusal(path, None, "JSON-MIN", "format='labelstudio-min'", format="labelstudio")


def test_our_own_json_lines_are_left_alone(file):
    path = file({"document": "a", "annotator": "b", "units": [], "text": '"annotations"'}, "a.jsonl")
    assert read(path).source == "JSON lines · a.jsonl"


EXAMPLE = json.dumps(
    [
        task(
            1,
            annotation(1, span(3, 7, "PER", text="Anna"), span(12, 16, "LOC", control="b"), {"type": "relation"}),
            annotation({"email": "b@x"}, span(2, 6, "a", "b")),
            predictions=[{"model_version": "m", "result": [span(2, 6, "PER")]}],
        ),
        task(2, annotation(1, span(1.5, 2.5, "A", original_length=4)), data={"audio": "/data/x.wav"}),
    ],
    ensure_ascii=False,
    indent=1,
).encode()


@settings(max_examples=60, deadline=None)
@given(mangled(EXAMPLE, b"null", b"[]", b"{}", b'"result"', b'"annotations"', b"true"))
def test_mangled(content):
    data_or_refusal(content, "export.json", format="labelstudio", options={"predictions": "true"})
