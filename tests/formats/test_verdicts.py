"""Tables of verdicts on systems' outputs, as evaluations of language models write them."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import unisono
from unisono.errors import DataError, OptionError
from unisono.formats.verdict_reading import as_verdicts

ROWS = [
    ("q1", "gpt", "llama", "anna", "gpt"),
    ("q1", "llama", "gpt", "bert", "llama"),
    ("q2", "gpt", "llama", "anna", "tie"),
    ("q2", "gpt", "llama", "bert", "llama"),
]
EXPECTED = [
    ("q1", "anna", "gpt", "llama", 1.0),
    ("q1", "bert", "llama", "gpt", 1.0),
    ("q2", "anna", "gpt", "llama", 0.5),
    ("q2", "bert", "gpt", "llama", 0.0),
]


def rows_of(verdicts):
    columns = verdicts.columns()
    second = columns["second"] or [None] * len(verdicts.value)
    return list(zip(columns["item"], columns["judge"], columns["first"], second, verdicts.value.tolist(), strict=True))


def frame(names, winners=None):
    columns = dict(zip(names, zip(*ROWS, strict=True), strict=True))
    if winners is not None:
        columns[names[4]] = winners
    return pd.DataFrame(columns)


@pytest.mark.parametrize(
    ("names", "winners"),
    [
        (("item", "system_a", "system_b", "judge", "winner"), None),
        (("question_id", "model_a", "model_b", "judge", "winner"), ("model_a", "model_a", "tie", "model_b")),
        (("question_id", "model_a", "model_b", "judge", "winner"), ("model_a", "model_a", "tie (bothbad)", "model_b")),
        (("instruction", "generator_1", "generator_2", "annotator", "preference"), (1, 1.2, 1.5, 2.0)),
        (("instruction", "generator_1", "generator_2", "annotator", "preference"), (1, 1, 0, 2)),
        (("id", "Model A", "Model B", "Rater", "Preferred"), ("A", "a", "C", "B")),
        (("prompt", "system1", "system2", "judge_model", "verdict"), ("[[A]]", "A>>B", "A=B", "B>A")),
        (("item", "system_a", "system_b", "judge", "winner"), ("first", "Left", "draw", "second")),
    ],
)
def test_comparisons(names, winners):
    assert rows_of(as_verdicts(frame(names, winners))) == EXPECTED


def test_one_column_per_outcome():
    table = frame(("id", "model_a", "model_b", "judge", "x")).drop(columns="x")
    table["winner_model_a"], table["winner_model_b"], table["winner_tie"] = [1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]
    assert rows_of(as_verdicts(table)) == EXPECTED


def test_both_orders_in_one_row():
    """FastChat writes winners by the models' places in the row; the second game shows the second model first."""
    record = {"question_id": 81, "model_1": "gpt", "model_2": "llama", "g1_winner": "model_1", "g2_winner": "tie"}
    other = {**record, "question_id": 82, "g1_winner": "error", "g2_winner": "model_1"}
    table = pl.DataFrame([{**one, "judge": ["gpt-4", "pair-v2"], "turn": 1} for one in (record, other)])
    found = as_verdicts(table)
    assert rows_of(found) == [
        ("81", "gpt-4 pair-v2", "gpt", "llama", 1.0),
        ("81", "gpt-4 pair-v2", "llama", "gpt", 0.5),
        ("82", "gpt-4 pair-v2", "llama", "gpt", 0.0),
    ]
    assert found.dropped == {"comparisons without a verdict": 1}


def test_arena_hard(tmp_path):
    games = [{"score": "A>>B", "judgment": "…"}, {"score": "B>A"}]
    path = tmp_path / "judgment.jsonl"
    path.write_text(json.dumps({"question_id": "u1", "model": "llama", "judge": "gpt-4", "games": games}) + "\n")
    assert rows_of(as_verdicts(path)) == [
        ("u1", "gpt-4", "baseline", "llama", 1.0),
        ("u1", "gpt-4", "llama", "baseline", 0.0),
    ]


def test_arena_hard_of_the_second_version(tmp_path):
    """It calls questions uid and names the baseline; a game is null if the judge said nothing."""
    record = {"uid": "u1", "category": "coding", "judge": "gpt-4", "model": "llama", "baseline": "o3"}
    path = tmp_path / "llama.jsonl"
    games = [[{"score": "B<<A", "prompt": []}, {"score": "B=A"}], [None, {"score": "A<<B"}]]
    path.write_text("".join(json.dumps({**record, "uid": f"u{i}", "games": own}) + "\n" for i, own in enumerate(games)))
    found = as_verdicts(path)
    assert rows_of(found) == [
        ("u0", "gpt-4", "o3", "llama", 1.0),
        ("u0", "gpt-4", "llama", "o3", 0.5),
        ("u1", "gpt-4", "llama", "o3", 0.0),
    ]
    assert found.dropped == {"comparisons without a verdict": 1}


def test_turns_are_items_of_one_question():
    table = frame(("question_id", "model_a", "model_b", "judge", "winner"))
    found = as_verdicts(pd.concat([table.assign(turn=1), table.assign(turn=2)]))
    assert found.items == ("q1, turn 1", "q1, turn 2", "q2, turn 1", "q2, turn 2")
    assert found.questions == ("q1", "q2")


def test_lengths_of_texts_conversations_and_numbers():
    table = frame(("item", "system_a", "system_b", "judge", "winner"))
    table["response_a"], table["response_b"] = ["long text", "x", "", "four"], ["short", "long", "two", "four"]
    assert as_verdicts(table).length.tolist()[:2] == [4, -3]
    assert np.isnan(as_verdicts(table).length[2])
    said = [[{"role": "user", "content": "many words"}, {"role": "assistant", "content": "yes"}]] * 4
    asked = [[{"role": "user", "content": "many words"}, {"role": "assistant", "content": "no"}]] * 4
    table = frame(("item", "system_a", "system_b", "judge", "winner"))
    table["conversation_a"], table["conversation_b"] = said, asked
    assert as_verdicts(table).length.tolist() == [1] * 4
    table = frame(("item", "system_a", "system_b", "judge", "winner"))
    table["length_a"], table["length_b"] = [10, 20, 30, 40], ["5", "5", "5", "5"]
    assert as_verdicts(table).length.tolist() == [5, 15, 25, 35]


def summeval(path):
    """Write outputs of two systems on two texts, scored by experts and crowds, as SummEval does."""
    lines = []
    for text in range(2):
        for system in ("M0", "M1"):
            people = [{"coherence": 1 + text, "fluency": 5}, {"coherence": 2 + (system == "M1"), "fluency": 4}]
            lines.append(
                {
                    "id": f"cnn-{text}",
                    "model_id": system,
                    "decoded": "a summary",
                    "references": ["one", "two"],
                    "expert_annotations": people,
                    "turker_annotations": people[:1],
                }
            )
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")


def test_summeval(tmp_path):
    path = tmp_path / "model_annotations.aligned.jsonl"
    summeval(path)
    with pytest.raises(DataError, match=r"several criteria \(coherence, fluency\); choose one with layer='coherence'"):
        as_verdicts(path)
    found = as_verdicts(path, "coherence")
    assert found.judges == ("expert 1", "expert 2", "turker 1")
    assert rows_of(found)[:3] == [
        ("cnn-0", "expert 1", "M0", None, 1.0),
        ("cnn-0", "expert 2", "M0", None, 2.0),
        ("cnn-0", "turker 1", "M0", None, 1.0),
    ]
    assert set(found.length.tolist()) == {9.0}
    with pytest.raises(OptionError, match="layer: unknown criterion 'style'; available: coherence, fluency"):
        as_verdicts(path, "style")


@pytest.mark.parametrize("column", ["coherence", "score"])
def test_scores_of_a_model_join_the_criterion_of_people(tmp_path, column):
    """The only column of scores is about the criterion of its name, or about any if it just says that it is scores."""
    path, own = tmp_path / "model_annotations.aligned.jsonl", tmp_path / "gpt.csv"
    summeval(path)
    of_people = as_verdicts(path, "coherence")
    outputs = {(item, system) for item, _, system, _, _ in rows_of(of_people)}
    text = "".join(f"{item},{system},gpt,{number}\n" for number, (item, system) in enumerate(sorted(outputs)))
    own.write_text(f"item,system,judge,{column}\n{text}")
    found = as_verdicts([path, own], "coherence")
    assert set(found.judges) == {*of_people.judges, "gpt"}
    assert len(rows_of(found)) == len(rows_of(of_people)) + len(outputs)
    assert len(rows_of(as_verdicts([path, own], "fluency"))) == len(rows_of(of_people)) + (column == "score") * len(
        outputs
    )
    assert as_verdicts(own).judges == ("gpt",)


def test_scores_of_fastchat():
    table = pd.DataFrame(
        {
            "question_id": [81, 81, 82, 82],
            "model": ["gpt", "llama"] * 2,
            "judge": ["gpt-4 single-v1"] * 4,
            "judgment": ["text"] * 4,
            "score": [9, 3.5, -1, 4],
            "turn": [1, 1, 1, 1],
            "tstamp": [1.5, 2.5, 3.5, 4.5],
        }
    )
    found = as_verdicts(table)
    assert not found.paired
    assert found.value.tolist() == [9, 3.5, 4]
    assert found.dropped == {"outputs without a score": 1}


def test_columns_may_have_other_names():
    table = frame(("was", "links", "rechts", "wer", "besser"))
    named = {"item": "was", "system_a": "links", "system_b": "rechts", "judge": "wer", "winner": "besser"}
    assert rows_of(as_verdicts(table, columns=named)) == EXPECTED
    with pytest.raises(DataError, match="unknown column 'nobody'; available: was, links"):
        as_verdicts(table, columns={**named, "judge": "nobody"})
    with pytest.raises(
        OptionError, match="columns: unknown column 'annotator'; columns of verdicts can be: item, judge"
    ):
        as_verdicts(table, columns={"annotator": "wer"})


def test_files_of_people_and_models_belong_together(tmp_path):
    table = frame(("item", "system_a", "system_b", "judge", "winner"))
    table[:2].to_csv(tmp_path / "one.csv", index=False)
    table[2:].to_json(tmp_path / "two.jsonl", orient="records", lines=True)
    both = as_verdicts([tmp_path / "one.csv", tmp_path / "two.jsonl"])
    assert sorted(rows_of(both)) == sorted(EXPECTED)
    table[2:].to_csv(tmp_path / "two.csv", index=False)
    (tmp_path / "two.jsonl").unlink()
    assert sorted(rows_of(as_verdicts(tmp_path))) == sorted(EXPECTED)
    score = pd.DataFrame({"item": ["q1"] * 2, "system": ["gpt", "llama"], "judge": ["anna"] * 2, "score": [1, 2]})
    score.to_csv(tmp_path / "three.csv", index=False)
    with pytest.raises(DataError, match="some files compare two outputs, others score"):
        as_verdicts(tmp_path)


@pytest.mark.parametrize(
    ("winners", "message"),
    [
        (("gpt", "llama", "both are fine", "gpt"), r"row 2: the winner 'both are fine' is neither of the two systems"),
        ((0, 1, 1, 0), "0 and 1 are ambiguous"),
        ((1, 2, 3, 1), "do not tell who won"),
        ((None, None, None, None), "there is no verdict in the table"),
    ],
)
def test_winners_that_are_not_understood(winners, message):
    with pytest.raises(DataError, match=message):
        as_verdicts(frame(("item", "system_a", "system_b", "judge", "winner"), winners))


def test_rows_that_are_wrong(tmp_path):
    names = ("item", "system_a", "system_b", "judge", "winner")
    with pytest.raises(DataError, match="row 1: the system 'gpt' is compared with itself"):
        as_verdicts(frame(names).assign(system_a="gpt", system_b=["llama", "gpt", "x", "x"]))
    with pytest.raises(DataError, match="row 2: the judge is missing"):
        as_verdicts(frame(names).assign(judge=["anna", "bert", "", "anna"]))
    path = tmp_path / "verdicts.csv"
    frame(names, ("gpt", "llama", "gpt", "who")).to_csv(path, index=False)
    with pytest.raises(DataError, match=r"verdicts\.csv, line 5: the winner 'who'"):
        as_verdicts(path)
    twice = pd.DataFrame({"item": "q", "system": ["s", "s", "t"], "judge": "anna", "score": [1, 2, 3]})
    with pytest.raises(DataError, match="a second time"):
        as_verdicts(twice, columns={"system": "system", "score": "score"})
    with pytest.raises(DataError, match="the score 'good' is not a number"):
        as_verdicts(
            twice.assign(system=["s", "u", "t"], score=["1", "good", "3"]),
            columns={"score": "score", "system": "system"},
        )


@pytest.mark.parametrize("scores", [[True, False, True], ["true", "False", "1"]])
def test_scores_that_are_true_or_false_are_numbers(scores):
    table = pd.DataFrame({"item": ["q", "r", "s"], "system": "gpt", "judge": "anna", "score": scores})
    assert as_verdicts(table).value.tolist() == [1, 0, 1]


def test_as_labels_of_items(tmp_path):
    """Both orders are one item; a judge who decides them differently says that it is a tie."""
    path = tmp_path / "verdicts.csv"
    table = frame(("question_id", "model_a", "model_b", "judge", "winner"))
    turned = pd.DataFrame([("q2", "llama", "gpt", "bert", "gpt"), ("q1", "gpt", "llama", "bert", "llama")])
    pd.concat([table, turned.set_axis(table.columns, axis=1)]).to_csv(path, index=False)
    found = unisono.read(path)
    assert list(found.items) == ["q1: gpt – llama", "q2: gpt – llama"]
    assert found.documents == ("q1", "q2")
    assert found.labels == ("gpt", "llama", "tie")
    given = {
        name: [found.labels[code] for code in found.codes[:, place]] for place, name in enumerate(found.annotators)
    }
    assert given == {"anna": ["gpt", "tie"], "bert": ["llama", "tie"]}
    assert found.question.compares == "pairs"
    assert any("both orders" in what and n == 1 for what, n in found.dropped.items())
    assert unisono.krippendorff_alpha(path).value is not None


def test_scores_as_labels_of_items(tmp_path):
    path = tmp_path / "model_annotations.aligned.jsonl"
    summeval(path)
    export = unisono.read(path)
    found = unisono.prepare(export, layers=["fluency"])
    assert list(found.items) == ["cnn-0: M0", "cnn-0: M1", "cnn-1: M0", "cnn-1: M1"]
    assert found.labels == (4, 5)
    assert found.question.compares == "outputs"


def test_labels_beside_a_column_of_systems_stay_labels():
    """Each item has one system, and a judge gives one label."""
    table = pd.DataFrame(
        {"item": ["a", "a", "b", "b"], "annotator": ["x", "y"] * 2, "label": [1, 2, 2, 2], "model": ["m"] * 4}
    )
    found = unisono.from_frame(table)
    assert list(found.items) == ["a", "b"]
    assert found.question.compares == ""


def test_advice_points_to_judges(tmp_path):
    path = tmp_path / "verdicts.csv"
    frame(("question_id", "model_a", "model_b", "judge", "winner")).to_csv(path, index=False)
    assert any("unisono judges" in one for one in unisono.advise(path).observations)
