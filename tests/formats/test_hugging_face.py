"""Datasets of Hugging Face, by the real package."""

from __future__ import annotations

import pytest

import unisono
from unisono.errors import OptionError

datasets = pytest.importorskip("datasets", reason="datasets makes what is read here")

ROWS = {"item": ["a", "a", "b", "b"], "annotator": ["anna", "bert"] * 2, "label": [0, 1, 1, 1]}
MOODS = ["negative", "positive"]


def moods(values=None, feature=None):
    text = datasets.Value("string")
    features = {"item": text, "annotator": text, "label": feature or datasets.ClassLabel(names=MOODS)}
    return datasets.Dataset.from_dict({**ROWS, "label": values or ROWS["label"]}, features=datasets.Features(features))


def test_labels_are_their_names():
    found = unisono.from_frame(moods())
    assert found.labels == ("negative", "positive")
    assert found.codes.tolist() == [[0, 1], [1, 1]]


def test_rows_that_were_selected_are_the_only_ones():
    found = unisono.from_frame(moods().filter(lambda row: row["item"] == "b"))
    assert list(found.items) == ["b"]


def test_a_missing_label_is_none():
    assert unisono.from_frame(moods([0, -1, 1, 1])).codes.tolist() == [[0, -1], [1, 1]]


def test_several_labels_are_a_set():
    several = datasets.Sequence(datasets.ClassLabel(names=MOODS))
    found = unisono.from_frame(moods([[0], [0, 1], [1], []], several))
    assert found.labels == ((), ("negative",), ("negative", "positive"), ("positive",))


def test_functions_take_datasets():
    assert unisono.krippendorff_alpha(moods()).value == pytest.approx(
        unisono.krippendorff_alpha({"anna": ["n", "p"], "bert": ["p", "p"]}).value
    )
    units = datasets.Dataset.from_dict({"annotator": ["anna", "bert"], "start": [0, 1], "end": [3, 4]})
    assert unisono.from_frame(units).n_units == 2


def test_verdicts():
    made = {
        "question_id": ["q"] * 2,
        "model_a": ["x"] * 2,
        "model_b": ["y"] * 2,
        "judge": ["anna", "gpt"],
        "winner": ["x"] * 2,
        "conversation_a": [[{"role": "assistant", "content": "long"}]] * 2,
        "conversation_b": [[{"role": "assistant", "content": "no"}]] * 2,
    }
    found = unisono.judges(datasets.Dataset.from_dict(made), "gpt")
    assert found.judges[0].agreement.agreement.value == 1
    assert found.judges[0].length.longer.value == 1


def test_what_is_no_table():
    with pytest.raises(OptionError, match=r"frame: this dataset has several splits \(train, test\); pass one"):
        unisono.from_frame(datasets.DatasetDict({"train": moods(), "test": moods()}))
    with pytest.raises(OptionError, match="load it without streaming"):
        unisono.from_frame(moods().to_iterable_dataset())
