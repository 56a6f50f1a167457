"""A draft of labels of items: votes, medians, means, competence, the queue, and what is written."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from statistics import median

import numpy as np
import pytest
from commands import run

import unisono
from unisono.adjudication import ItemGold
from unisono.adjudication.severity import severity_model
from unisono.data import Question, Ratings


def random_table(rng, n_items=30, labels=("x", "y", "z"), n_annotators=4):
    given = rng.choice(list(labels), (n_items, n_annotators)).astype(object)
    given[rng.random(given.shape) < 0.2] = None
    return given


def by_name(table):
    return {f"a{place}": list(column) for place, column in enumerate(table.T)}


def plain_vote(row):
    """The label that most gave, None in a tie or without labels, and its share."""
    counts = Counter(label for label in row if label is not None)
    if not counts:
        return None, None
    most = max(counts.values())
    winners = [label for label, n in counts.items() if n == most]
    return (winners[0] if len(winners) == 1 else None), Fraction(most, sum(counts.values()))


@pytest.mark.parametrize("seed", range(40))
def test_the_majority_decides(seed):
    table = random_table(np.random.default_rng(seed))
    gold = unisono.gold(by_name(table))
    assert isinstance(gold, ItemGold)
    expected = [plain_vote(row) for row in table]
    assert gold.joint.label == [label for label, _ in expected]
    for share, (_, wanted) in zip(gold.joint.share.tolist(), expected, strict=True):
        assert np.isnan(share) if wanted is None else share == pytest.approx(float(wanted))
    asked = {row for row, (label, share) in enumerate(expected) if label is None or share <= Fraction(1, 2)}
    assert set(gold.to_decide) == asked


@pytest.mark.parametrize("seed", range(20))
def test_neither_order_nor_names_matter(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng)
    rows, people = rng.permutation(len(table)), rng.permutation(table.shape[1])
    for how in ({}, {"competence": "dawid-skene"}, {"competence": "mace"}):
        one = unisono.gold(by_name(table), **how)
        other = unisono.gold(by_name(table[rows][:, people]), **how)
        assert other.joint.label == [one.joint.label[row] for row in rows]
        assert np.allclose(other.joint.share, one.joint.share[rows], equal_nan=True)


@pytest.mark.parametrize("seed", range(20))
def test_the_median_decides_on_an_ordinal_scale(seed):
    table = random_table(np.random.default_rng(seed), labels=(1, 2, 3, 4, 5))
    gold = unisono.gold(by_name(table))
    assert gold.scale == "ordinal"
    for row, label in zip(table, gold.joint.label, strict=True):
        given = sorted(value for value in row if value is not None)
        middle = median(given) if given else None
        between = len(given) % 2 == 0 and given and given[len(given) // 2 - 1] != given[len(given) // 2]
        assert label == (None if not given or between else middle)


@pytest.mark.parametrize("seed", range(20))
def test_the_mean_decides_on_an_interval_scale(seed):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(20, 3)).round(3)
    table[rng.random(table.shape) < 0.2] = np.nan
    gold = unisono.gold({f"a{place}": list(column) for place, column in enumerate(table.T)})
    assert gold.scale == "interval"
    for row, label in zip(table, gold.joint.label, strict=True):
        given = row[~np.isnan(row)]
        assert label == (pytest.approx(given.mean(), rel=1e-5, abs=1e-5) if len(given) else None)


def test_words_have_an_order():
    table = {"a": ["low", "high", "mid"], "b": ["mid", "high", "mid"], "c": ["high", "mid", "low"]}
    gold = unisono.gold(table, scale="ordinal")
    assert gold.joint.label == ["mid", "high", "mid"]
    assert unisono.gold(table).scale == "nominal"
    assert unisono.gold(table).joint.label == [None, "high", "mid"]


def test_the_order_that_the_tool_gives_counts():
    ratings = Ratings.from_columns(
        item=["i"] * 3,
        annotator=["a", "b", "c"],
        label=["gut", "mies", "so lala"],
        question=Question("mood", "ordered", ("mies", "so lala", "gut")),
    )
    assert unisono.gold(ratings).joint.label == ["so lala"]


def test_members_of_sets_are_voted_on():
    ratings = Ratings.from_columns(
        item=["i", "i", "i", "j", "j", "j"],
        annotator=["a", "b", "c"] * 2,
        label=[("x", "y"), ("x",), ("x", "y", "z"), (), (), ("x",)],
        question=Question("topics", "sets"),
    )
    assert unisono.gold(ratings).joint.label == [("x", "y"), ()]


def test_items_that_nobody_labelled_are_asked_about():
    gold = unisono.gold({"a": ["x", None], "b": ["x", None]})
    assert gold.joint.label == ["x", None]
    assert gold.queue_columns()["why"] == ["nobody labelled it"]


def test_labels_far_apart_are_asked_about():
    table = {"a": [1.5, 1.5, 9.5], "b": [1.6, 4.5, 9.4], "c": [1.4, 1.5, 9.5]}
    assert unisono.gold(table).to_decide == [1]
    assert unisono.gold(table, boundary=3).to_decide == []
    assert len(unisono.gold(table, boundary=0).to_decide) == 3


@pytest.mark.parametrize("seed", range(3))
def test_severities_are_found_again(seed):
    rng = np.random.default_rng(seed)
    truth, severity, scatter = rng.normal(50, 10, 400), np.array([-5, -2, 0, 2, 5.0]), np.array([1, 2, 4, 8, 3.0])
    values = truth[:, None] + severity + rng.normal(size=(400, 5)) * scatter
    values[rng.random(values.shape) < 0.3] = np.nan
    found = severity_model(values)
    some = ~np.isnan(found.value)
    assert found.settled
    assert np.abs(found.severity - severity).max() < 1.5
    assert (found.severity[[0, 4]] - severity[[0, 4]]) == pytest.approx([0, 0], abs=0.8)
    assert (np.diff(found.deviation[[0, 2, 3]]) > 1).all()
    plain = np.nanmean(values[some], axis=1)
    better = np.sqrt(np.mean((found.value[some] - truth[some]) ** 2))
    assert better < 0.75 * np.sqrt(np.mean((plain - truth[some]) ** 2))


@pytest.mark.parametrize("seed", range(5))
def test_severities_are_where_the_likelihood_is_greatest(seed):
    """EM ends where small changes of any severity make the labels less likely (numeric derivative of the density)."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(60, 1)) * 3 + rng.normal(size=(60, 3)) * [1, 1.5, 2] + [0, 1, -1]
    found = severity_model(values)
    center = found.severity - found.severity.mean() + values.mean()

    def density(severity):
        """All parameters but severities are profiled over a grid-free optimum: the model's own."""
        between = max(np.var(values.mean(axis=1)) - np.mean(found.deviation**2) / 3, 1e-3)
        covariance = between + np.diag(found.deviation**2)
        left = values - severity
        return -0.5 * np.einsum("ij,jk,ik->", left, np.linalg.inv(covariance), left)

    best = density(center)
    for place in range(3):
        for step in (-0.3, 0.3):
            moved = center.copy()
            moved[place] += step
            assert density(moved) < best


def test_shift_and_scale_of_labels_move_the_draft():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(40, 4))
    one, other = severity_model(values), severity_model(values * 7 + 100)
    assert other.value == pytest.approx(one.value * 7 + 100)
    assert other.severity == pytest.approx(one.severity * 7, abs=1e-6)
    assert other.deviation == pytest.approx(one.deviation * 7)
    alike = severity_model(np.full((5, 3), 2.0))
    assert alike.value.tolist() == [2.0] * 5


def test_soft_labels_are_shares(tmp_path):
    gold = unisono.gold({"a": ["x", "y"], "b": ["x", "x"], "c": ["y", None]})
    assert gold.soft_columns() == {"item": [1, 2], "x": [0.6667, 0.5], "y": [0.3333, 0.5]}
    assert gold.soft_rows()["distribution"] == [{"x": 0.6667, "y": 0.3333}, {"x": 0.5, "y": 0.5}]


def test_what_cannot_be():
    table = {"a": ["x", "y"], "b": ["x", "x"]}
    with pytest.raises(unisono.OptionError, match="only units are aligned") as error:
        unisono.gold(table, "gamma")
    assert error.value.parameter == "measure"
    with pytest.raises(unisono.DataError, match="three or more"):
        unisono.gold(table, competence="mace")
    with pytest.raises(unisono.DataError, match="only one annotator"):
        unisono.gold({"a": ["x"]})
    three = {**table, "c": ["x", "y"]}
    with pytest.raises(unisono.OptionError, match="severity needs labels on a scale"):
        unisono.gold(three, competence="severity")
    with pytest.raises(unisono.DataError, match="is not a number"):
        unisono.gold(three, scale="interval")
    with pytest.raises(unisono.DataError, match="order of these labels is unknown"):
        unisono.gold(three, scale="ordinal")
    with pytest.raises(unisono.OptionError, match="only for labels of items"):
        unisono.gold(unisono.shuffling.generate(n_units=3), scale="nominal")


def test_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text("item,anna,bert,carl\n1,x,x,y\n2,x,y,\n3,y,y,y\n")
    done = run("gold", "r.csv", "-o", "g.csv", "--queue", "q.csv")
    assert done.stderr.splitlines() == [
        "g.csv: labels of 2 of 3 items by the majority (nominal; change with --scale)",
        "1 to decide in q.csv: tie of labels 1",
    ]
    assert (tmp_path / "g.csv").read_text() == (
        "item,annotator,label,support,n_labels\n1,gold,x,0.6667,3\n2,gold,,0.5,2\n3,gold,y,1,3\n"
    )
    assert (tmp_path / "q.csv").read_text() == "item,why,draft,anna,bert,carl\n2,tie: x or y,none,x,y,\n"
    again = unisono.read(tmp_path / "g.csv")
    assert again.annotators == ("gold",)
    done = run("gold", "r.csv", "-o", "g.jsonl", "--soft")
    rows = [json.loads(line) for line in (tmp_path / "g.jsonl").read_text().splitlines()]
    assert rows[0] == {"item": 1, "distribution": {"x": 0.6667, "y": 0.3333}}


def test_units_have_no_soft_labels(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "u.csv").write_text("annotator,start,end,category\na,0,3,x\nb,0,3,x\n")
    done = run("gold", "u.csv", "-o", "g.csv", "--soft")
    assert done.returncode == 1
    assert "--soft is for labels of items" in done.stderr
    assert not (tmp_path / "g.csv").exists()


def test_an_empty_set_is_no_missing_label(tmp_path):
    (tmp_path / "sets.csv").write_text("item,annotator,label\ni,a,|\ni,b,|\ni,c,A\nj,a,A|B\nj,b,A|B\nj,c,|\n")
    draft = unisono.gold(Ratings.of({"a": [[], ["A", "B"]], "b": [[], ["A", "B"]], "c": [["A"], []]}))
    assert draft.columns()["label"] == ["|", "A|B"]
    assert set(draft.confusion_rows()) == {("c", "|", "A", 1), ("c", "A|B", "|", 1)}
    assert run("gold", tmp_path / "sets.csv", "-o", tmp_path / "gold.csv").returncode == 0
    assert unisono.read(tmp_path / "gold.csv").n_units == 2


@pytest.mark.parametrize(
    ("model", "rule"),
    [
        (None, "the majority"),
        ("mace", "what is likeliest (mace)"),
        ("dawid-skene", "what is likeliest (dawid-skene)"),
    ],
)
def test_it_says_what_decided(model, rule):
    draft = unisono.gold({"a": ["x", "y", "y"], "b": ["x", "x", "y"], "c": ["x", "y", None]}, competence=model)
    assert draft.rule == rule


def test_severities_are_said_to_be_left_out():
    data = {"a": [1, 2, 3, 4], "b": [2, 3, 4, 5], "c": [1, 2, 3, 5]}
    assert unisono.gold(data, competence="severity").rule == "the median without severities"
    assert unisono.gold(data, competence="severity", scale="interval").rule == "the mean without severities"


def test_the_command_shows_what_annotators_confuse(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text("item,a,b,c\n1,x,x,y\n2,x,x,y\n3,y,y,y\n")
    done = run("gold", "r.csv", "-o", "g.csv")
    assert done.returncode == 0
    assert "Confused most" in done.stdout
    assert done.stdout.split()[-4:] == ["c", "x", "y", "2"]
