"""Labels of whole tasks in Label Studio's JSON."""

from __future__ import annotations

import json

import pytest
from format_helpers import refusal
from test_labelstudio import TEXT, annotation, span, task

import unisono
from unisono.data import Corpus, Export, Ratings
from unisono.formats import read


def answer(kind, value, control="mood", to="text", **more):
    key = {"pairwise": "selected", "textarea": "text"}.get(kind, kind)
    return {"id": f"{control}{to}", "type": kind, "from_name": control, "to_name": to, "value": {key: value}} | more


def choice(*names, control="mood", **more):
    return answer("choices", list(names), control, **more)


@pytest.fixture
def file(tmp_path):
    def make(content, name="export.json"):
        path = tmp_path / name
        path.write_text(json.dumps(content))
        return path

    return make


def table(ratings):
    """Give the labels by item and annotator."""
    assert isinstance(ratings, Ratings)
    labels = [*ratings.labels, None]
    return {
        item: {who: labels[code] for who, code in zip(ratings.annotators, row, strict=True)}
        for item, row in zip(ratings.items, ratings.codes.tolist(), strict=True)
    }


def test_single_choices_are_names(file):
    ratings = read(
        file(
            [
                task(1, annotation(1, choice("good")), annotation(2, choice("bad"))),
                task(2, annotation(1, choice("good")), annotation(2)),
                task(3, annotation(1), annotation(2)),
            ]
        )
    )
    assert table(ratings) == {"1": {"1": "good", "2": "bad"}, "2": {"1": "good", "2": None}}
    assert (ratings.question.name, ratings.question.kind) == ("mood", "names")
    assert ratings.texts == (TEXT, TEXT)
    assert ratings.documents == ("document",)
    assert ratings.source == "Label Studio JSON ratings · export.json"


def test_several_choices_anywhere_make_sets_of_all(file):
    ratings = read(
        file(
            [
                task(1, annotation(1, choice("b", "a")), annotation(2, choice("a"))),
                task(2, annotation(1), annotation(2, choice("c"))),
                task(3, annotation(1), annotation(2), annotation(3)),
            ]
        )
    )
    assert table(ratings) == {
        "1": {"1": ("a", "b"), "2": ("a",)},
        "2": {"1": (), "2": ("c",)},
        "3": {"1": (), "2": ()},  # 3 never answered: nobody knows whether they were asked
    }
    assert ratings.question.kind == "sets"


@pytest.mark.parametrize(
    ("kind", "value", "label", "expected"),
    [
        ("rating", 4, 4, "numbers"),
        ("number", 2.5, 2.5, "numbers"),
        ("pairwise", "left", "left", "names"),
        ("datetime", "2024-05-01", "2024-05-01", "names"),
        ("taxonomy", [["a", "b"], ["c"]], ("a/b", "c"), "paths"),
        ("taxonomy", [["a"]], ("a",), "paths"),
        ("choices", [["a", "b"]], ("a/b",), "paths"),
        ("choices", "a", "a", "names"),
    ],
)
def test_what_controls_say(file, kind, value, label, expected):
    ratings = read(file([task(1, annotation(1, answer(kind, value)), annotation(2, answer(kind, value)))]))
    assert table(ratings) == {"1": {"1": label, "2": label}}
    assert ratings.question.kind == expected


@pytest.mark.parametrize("kind", ["rating", "number", "pairwise", "datetime", "taxonomy", "choices", "ranker"])
def test_no_answer_is_no_label(file, kind):
    empty = [] if kind in ("taxonomy", "choices", "ranker") else None
    data = read(file([task(1, annotation(1, answer(kind, empty)), annotation(2, choice("a", control="other")))]))
    assert table(data) == {"1": {"2": "a"}}


@pytest.mark.parametrize("value", [["x", "z", "y"], {"rank": ["x", "z", "y"]}])
def test_rankings_give_each_thing_a_rank(file, value):
    ratings = read(file([task(1, annotation(1, answer("ranker", value)), annotation(2, answer("ranker", ["y", "x"])))]))
    assert table(ratings) == {"1: x": {"1": 1, "2": 2}, "1: z": {"1": 2, "2": None}, "1: y": {"1": 3, "2": 1}}
    assert ratings.question.kind == "ranks"


def test_buckets_are_names(file):
    one = answer("ranker", {"_": ["x"], "best": ["y", "z"], "worst": []})
    other = answer("ranker", {"_": [], "best": ["y"], "worst": ["x", 3]})
    ratings = read(file([task(1, annotation(1, one), annotation(2, other))]))
    assert table(ratings) == {
        "1: x": {"1": "_", "2": "worst"},
        "1: y": {"1": "best", "2": "best"},
        "1: z": {"1": "best", "2": None},
        "1: 3": {"1": None, "2": "worst"},
    }
    old = {
        "id": "r",
        "type": "ranker",
        "from_name": "r",
        "to_name": "r",
        "value": {"items": ["a", "b"], "weights": [1]},
    }
    assert table(read(file([task(1, annotation(1, old))]))) == {"1: a": {"1": 1}, "1: b": {"1": 2}}


def test_a_repeater_asks_one_question_about_several_things(file):
    def repeated(*names):
        return [choice(name, control=f"mood_{n}", to_name=f"turn_{n}") for n, name in enumerate(names)]

    content = [
        task(1, annotation(1, *repeated("a", "b")), annotation(2, *repeated("a"))),
        task(2, annotation(1, *repeated("c"))),
    ]
    ratings = read(file(content))
    assert ratings.question.name == "mood"
    assert table(ratings) == {
        "1: 0": {"1": "a", "2": "a"},
        "1: 1": {"1": "b", "2": None},
        "2: 0": {"1": "c", "2": None},
    }
    assert ratings.texts is None
    two = [choice("a", control="q1", to_name="text1"), choice("b", control="q2", to_name="text2")]
    assert list(read(file([task(1, annotation(1, *two))])).questions) == ["q1", "q2"]  # not numbered from 0
    plain = [*repeated("a"), choice("b", control="mood")]
    assert list(read(file([task(1, annotation(1, *plain))])).questions) == ["mood_0", "mood"]


def test_choices_per_item(file):
    results = [choice("a", item_index=0), choice("b", item_index=1)]
    assert table(read(file([task(1, annotation(1, *results))]))) == {"1: 0": {"1": "a"}, "1: 1": {"1": "b"}}


def test_several_controls_are_questions(file):
    path = file(
        [
            task(1, annotation(1, choice("good"), answer("rating", 3, "stars")), annotation(2, choice("bad"))),
            task(2, annotation(1, choice("good")), annotation(2, choice("good"), answer("rating", 5, "stars"))),
        ]
    )
    export = read(path)
    assert isinstance(export, Export)
    assert list(export.questions) == ["mood", "stars"]
    with pytest.raises(unisono.DataError, match="choose what to measure"):
        unisono.krippendorff_alpha(export)
    stars = unisono.prepare(export, layers=["stars"])
    assert table(stars) == {"1": {"1": 3, "2": None}, "2": {"1": None, "2": 5}}


def test_spans_and_labels_are_both_there(file):
    further = {"id": "2", "from_name": "sure", "type": "choices", "value": {"start": 2, "end": 6, "choices": ["yes"]}}
    bare = {
        "id": "2",
        "from_name": "note",
        "type": "choices",
        "value": {"choices": ["x"]},
    }  # of the region with this id
    export = read(
        file(
            [
                task(1, annotation(1, span(2, 6, "PER"), further, bare, choice("good")), annotation(2, choice("bad"))),
                task(2, annotation(2, span(2, 6, "PER"))),
            ]
        )
    )
    assert isinstance(export, Export)
    assert table(export.questions["mood"]) == {"1": {"1": "good", "2": "bad"}}
    units = export.of_kind("spans")
    assert isinstance(units, Corpus)
    assert [(unit.annotator, unit.features["sure"]) for unit in units["1"].units] == [("1", "yes")]
    assert {(document.name, who) for document in units for who in document.annotators} == {
        ("1", "1"),
        ("1", "2"),  # who marked nothing
        ("2", "2"),
    }
    assert export.dropped['results about regions that are not labelled ("choices")'] == 1


@pytest.mark.parametrize(
    "place",
    [{"x": 1, "y": 2, "width": 3, "height": 4}, {"points": [[1, 2]]}, {"sequence": []}, {"rle": [1]}],
)
def test_labels_of_regions_in_images_are_not_labels_of_the_image(file, place):
    region = {"id": "r", "type": "rectanglelabels", "from_name": "box", "value": {**place, "rectanglelabels": ["Car"]}}
    colour = {"id": "r", "type": "choices", "from_name": "colour", "value": {**place, "choices": ["red"]}}
    whole = choice("street", to_name="image")
    ratings = read(file([task(1, annotation(1, region, colour, whole), data={"image": "/data/upload/a.png"})]))
    assert table(ratings) == {"1": {"1": "street"}}
    assert ratings.dropped == {
        'results that are not labelled spans ("rectanglelabels")': 1,
        'results about regions that are not labelled ("choices")': 1,
    }


@pytest.mark.parametrize(
    "data",
    [
        {"image": "https://x.org/a.png"},
        {"video": "/data/upload/a.mp4"},
        {"audio": "/data/upload/a.wav"},
        {"dialogue": [{"author": "A", "text": "Hello"}]},
        {"html": "<p>a</p>"},
        {},
    ],
)
def test_whole_tasks_of_any_kind_of_data_are_read(file, data):
    assert table(read(file([task(1, annotation(1, choice("a")), data=data)]))) == {"1": {"1": "a"}}


def test_what_is_left_out_is_counted(file):
    content = [
        task(
            1,
            annotation(1, choice("a"), answer("textarea", ["Because."], "why")),
            annotation(2, choice("b"), was_cancelled=True),
            annotation(3, choice("a"), updated_at="2024-02-01"),
            annotation(3, choice("b"), updated_at="2024-01-01"),
            drafts=[{"result": [choice("b")]}],
            predictions=[{"model_version": "m", "result": [choice("c")]}, {"result": [choice("d")]}],
        )
    ]
    ratings = read(file(content))
    assert table(ratings) == {"1": {"1": "a", "3": "a"}}
    assert ratings.dropped == {
        "drafts": 1,
        "annotations that were skipped (cancelled)": 1,
        "earlier annotations of a task by the same person": 1,
        "predictions": 2,
        "free texts about whole tasks, which are not labels": 1,
    }
    ratings = read(file(content), options={"predictions": "true"})
    assert table(ratings) == {"1": {"1": "a", "3": "a", "m": "c", "model": "d"}}


def test_predictions_alone(file):
    content = [{"data": {"text": "a"}, "predictions": [{"model_version": m, "result": [choice(m)]} for m in "ab"]}]
    path = file(content)
    refusal(path, None, "only predictions", "'predictions': 'true'")
    assert table(read(path, options={"predictions": "true"})) == {"1": {"a": "a", "b": "b"}}


def test_a_model_that_predicted_twice_counts_once(file):
    guesses = [{"model_version": "m", "result": [choice(name)]} for name in "ab"]
    ratings = read(file([task(1, annotation(1), predictions=guesses)]), options={"predictions": "true"})
    assert table(ratings) == {"1": {"m": "b"}}
    assert ratings.dropped == {"earlier predictions by the same model": 1}


def test_items_are_named_by_a_field_of_the_data(file):
    path = file([task(1, annotation(1, choice("a")), data={"text": "x", "name": "first"})])
    assert read(path, options={"document": "name"}).items == ("first",)


def test_a_file_for_each_annotator(file, tmp_path):
    (tmp_path / "all").mkdir()
    file([task(1, annotation(None, choice("a"))), task(2, annotation(None))], "all/anna.json")
    file([task(1, annotation(None, choice("a", "b"))), task(2, annotation(None, choice("c")))], "all/bert.json")
    ratings = read(tmp_path / "all", annotator_from="file")
    assert ratings.question.kind == "sets"
    assert table(ratings) == {"1": {"anna": ("a",), "bert": ("a", "b")}, "2": {"anna": (), "bert": ("c",)}}


def test_damaged_tasks_leave_the_others(file):
    good = [task(n, annotation(1, choice("a")), annotation(2, choice("b"))) for n in range(4)]
    bad = [
        task(10, annotation(1, answer("choices", 5))),
        task(11, annotation(1, answer("choices", [5]))),
        task(17, annotation(1, choice("a") | {"value": "a"})),
        task(12, annotation(1, answer("rating", "x", "stars"))),
        task(13, annotation(1, answer("taxonomy", "x", "tree"))),
        task(14, annotation(1, answer("ranker", "x", "order"))),
        task(15, annotation(1, answer("ranker", ["a", "a"], "order"))),
        task(16, annotation(1, answer("number", 1, "n"), answer("number", 2, "n"))),
        task(1, annotation(1, choice("a"))),
    ]
    told = []
    ratings = read(file([*good, *bad]), bad=told.append)
    assert table(ratings) == table(read(file(good)))
    assert len(told) == len(bad)
    for one in bad[:-1]:
        refusal(file([*good, one]), None, f"task {one['id']}: ")


def test_one_control_that_says_the_same_twice(file):
    ratings = read(file([task(1, annotation(1, choice("a"), choice("b")), annotation(2, choice("a"), choice("a")))]))
    assert table(ratings) == {"1": {"1": ("a", "b"), "2": ("a",)}}


def test_values_of_a_real_project(shared):
    """Computed independently (see the README of the data): nominal α of sets of paths, and with MASI distances."""
    export = read(shared / "items" / "labelstudio" / "LEOKA_team_1.json")
    assert isinstance(export, Export)
    ratings = unisono.prepare(export, layers=["Category"])
    assert (ratings.n_items, ratings.n_units, ratings.question.kind) == (128, 383, "paths")
    assert unisono.krippendorff_alpha(ratings).value == pytest.approx(0.217591, abs=5e-7)
    assert unisono.krippendorff_alpha(ratings, distance="masi").value == pytest.approx(0.364209, abs=5e-7)
    assert export.dropped == {"drafts": 5}


@pytest.mark.parametrize("name", ["LEOKA_team_3_first12.json-min.json", "LEOKA_team_3_first12.csv"])
def test_three_exports_of_one_project_hold_the_same(shared, name):
    folder = shared / "items" / "labelstudio" / "leoka-converted"
    assert read(folder / name) == read(folder / "LEOKA_team_3_first12.json")


@pytest.mark.parametrize("change", [{"value": None}, {"value": 3}])
def test_a_value_that_is_no_object_is_one_bad_task(file, change):
    tasks = [task(number, annotation(1, choice("good")), annotation(2, choice("bad"))) for number in (1, 2, 3)]
    tasks[1]["annotations"][0]["result"][0].update(change)
    told = []
    assert list(table(read(file(tasks), bad=told.append))) == ["1", "3"]
    assert "task 2: the value of 'mood' should be an object" in str(told[0])


def test_an_annotator_that_is_a_list_is_one_bad_task(file):
    tasks = [task(number, annotation(1, choice("good")), annotation(2, choice("bad"))) for number in (1, 2, 3)]
    tasks[1]["annotations"][0]["completed_by"] = [1]
    told = []
    assert list(table(read(file(tasks), bad=told.append))) == ["1", "3"]
    assert "completed_by should be" in str(told[0])


EXAMPLE = json.dumps(
    [
        task(
            1,
            annotation(
                1,
                choice("good"),
                answer("rating", 3, "stars"),
                answer("taxonomy", [["a", "b"]], "tree"),
                answer("ranker", {"rank": ["x", "y"]}, "order"),
                choice("a", control="turn_0", to_name="text_0"),
            ),
            annotation(2, choice("good", "bad"), answer("pairwise", "left", "pair"), span(2, 6, "PER")),
        ),
        task(2, annotation(1, choice("good")), annotation(2, answer("number", 2, "n"))),
    ]
)
