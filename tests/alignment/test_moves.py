"""Passages that annotators put in different places: found among unaligned units, and told as moved."""

from __future__ import annotations

import numpy as np
import pytest
from text_oracle import columns_of, parse

from unisono.alignment.moves import moved_rows
from unisono.data import Corpus
from unisono.measurement.text_gamma import align_texts


def found(one, other, pairs=()):
    """The units of two annotators that were moved; `pairs` are aligned, all others are not."""
    n = len(one)
    rows = [[u, n + v] for u, v in pairs]
    rows += [[u, -1] for u in range(n) if u not in {u for u, _ in pairs}]
    rows += [[-1, n + v] for v in range(len(other)) if v not in {v for _, v in pairs}]
    table = np.array(rows, dtype=np.int64).reshape(len(rows), 2)
    following = np.array([-1 if k in (n, n + len(other)) else k for k in range(1, n + len(other) + 1)], dtype=np.int64)
    moved = [np.maximum(table[i], table[j]) for i, j in moved_rows(table, [*one, *other], following)]
    return sorted((int(u), int(v) - n) for u, v in moved)


def aligned(*notations):
    return align_texts(Corpus.from_columns(**columns_of(*(parse(one, "X") for one in notations))))["d"]


def told(made):
    """The text of each annotator's units in each unitary alignment, and what differs."""
    rows = made.solution.table.tolist()
    return [
        (*(made.texts[unit] if unit >= 0 else None for unit in row), one.differs)
        for row, one in zip(rows, made, strict=True)
    ]


def test_nothing_is_moved_where_all_is_aligned():
    assert found(["a", "b"], ["a", "b"], [(0, 0), (1, 1)]) == []
    assert found([], []) == []


def test_a_single_unit_that_stands_elsewhere():
    assert found(["x", "a", "b"], ["a", "b", "x"], [(1, 0), (2, 1)]) == [(0, 2)]


def test_a_single_unit_must_be_the_only_one_of_its_text():
    assert found(["x", "a", "x"], ["a", "b", "x"], [(1, 0)]) == []
    assert found(["x", "a"], ["x", "b", "x"]) == []


def test_a_run_may_be_of_texts_that_are_met_more_often():
    assert found(["x", "y", "a", "y"], ["a", "x", "y"], [(2, 0)]) == [(0, 1), (1, 2)]


def test_runs_are_in_the_same_order():
    assert found(["x", "y", "q", "y", "x", "a"], ["a", "q", "y", "x", "x"], [(5, 0)]) == [(2, 1), (3, 2), (4, 3)]


def test_the_longest_run_comes_first():
    one, other = ["x", "y", "a", "x", "y", "z"], ["b", "x", "y", "z"]
    assert found(one, other) == [(3, 1), (4, 2), (5, 3)]


def test_of_equally_long_runs_the_nearest_comes_first():
    five = list("abcde")
    assert found([*five, "q", *five], five) == [(6 + k, k) for k in range(5)]


def test_a_run_does_not_go_on_over_what_is_aligned():
    # x and y are neighbours in the first, and have an aligned unit between them in the second
    assert found(["x", "y", "x", "c"], ["c", "x", "c", "y", "x"], [(3, 2)]) == [(1, 3), (2, 4)]


def test_texts_that_are_too_common_are_not_followed():
    five = list("abcde")
    assert len(found(five * 50, ["z", *five])) == 5
    assert found(five * 51, ["z", *five]) == []


def test_common_words_that_happen_to_be_left_over_twice_are_not_moved():
    assert found(["x", "y", "q", "x", "y"], ["x", "y", "z"]) == []
    assert found(["x", "y", "q"], ["z", "x", "y"]) == [(0, 1), (1, 2)]


def test_a_run_that_begins_with_a_common_text():
    commas = [word for k in range(51) for word in (",", f"a{k}")]
    others = [word.replace("a", "b") for word in commas]
    moved = found([",", "x", "y", "z", *commas], [*others, ",", "x", "y", "z"])
    assert set(moved) >= {(1, len(others) + 1), (2, len(others) + 2), (3, len(others) + 3)}


def test_what_is_moved_stands_once_on_each_side():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        one, other = ([*rng.choice(list("abcde"), rng.integers(0, 8))] for _ in range(2))
        pairs = found(one, other)
        assert len({u for u, _ in pairs}) == len({v for _, v in pairs}) == len(pairs)
        assert all(one[u] == other[v] for u, v in pairs)
        for u, v in pairs:
            neighbour = (u - 1, v - 1) in pairs or (u + 1, v + 1) in pairs
            assert neighbour or one.count(one[u]) == other.count(other[v]) == 1


def test_groups_of_several_annotators():
    # rows: units 0 and 3 of A and B together, 6 of C alone elsewhere; 1, 4 and 5 aligned
    table = np.array([[0, 2, -1], [1, 3, 4], [-1, -1, 5]])
    content = ["x", "a", "x", "a", "a", "x"]
    assert moved_rows(table, content, np.array([1, -1, 3, -1, 5, -1])) == [(0, 2)]


def test_rows_that_share_an_annotator_are_not_one():
    table = np.array([[0, 3, -1], [1, -1, 5], [2, 4, 6]])
    content = ["x", "x", "a", "x", "a", "x", "a"]
    assert moved_rows(table, content, np.array([1, 2, -1, 4, -1, 6, -1])) == []


def test_rows_whose_texts_differ_are_not_followed():
    table = np.array([[0, 2, -1], [1, 3, 4], [-1, -1, 5]])
    content = ["x", "a", "y", "a", "a", "x"]
    assert moved_rows(table, content, np.array([1, -1, 3, -1, 5, -1])) == []


def test_a_moved_passage_of_a_text():
    made = aligned("{the} {cat} {sat} {here} {at} {last}", "{at} {last} {the} {cat} {sat} {here}")
    assert sorted(told(made)) == sorted(
        [*((word, word, ()) for word in ("the", "cat", "sat", "here")), *((w, w, ("moved",)) for w in ("at", "last"))]
    )


def test_moved_units_cost_what_two_lone_ones_do():
    made = aligned("{the} {cat} {sat} {here} {at} {last}", "{at} {last} {the} {cat} {sat} {here}")
    moved = [row for row in made if row.differs == ("moved",)]
    assert [row.disorder for row in moved] == [2.0, 2.0]
    assert [row.parts["moved"] for row in moved] == [2.0, 2.0]
    assert all(row.parts["segmentation"] == 0 for row in made)
    assert made.disorder == pytest.approx(4 / 6)
    assert made.disorder == pytest.approx(sum(layer.total for layer in made.layers) / 6)


def test_the_same_when_swapped():
    texts = "{the} {cat} {sat} {here} {at} {last} {x}", "{at} {last} {the} {cat} {x} {x} {sat} {here}"
    one, other = told(aligned(*texts)), told(aligned(*texts[::-1]))
    assert sorted(map(str, one)) == sorted(str((second, first, differs)) for first, second, differs in other)


def test_units_of_another_type_are_not_the_same():
    columns = columns_of(parse("{ab} {cd} {ef}"), parse("{cd} {ef} {ab}"))
    columns["features"] = {"type": ["w", "w", "w", "w", "w", "name"]}
    made = align_texts(Corpus.from_columns(**columns))["d"]
    assert not any(row.parts["moved"] for row in made)
    columns["features"] = {"type": ["name", "w", "w", "w", "w", "name"]}
    made = align_texts(Corpus.from_columns(**columns))["d"]
    assert [row.differs for row in made].count(("moved",)) == 1


def test_parts_add_up_to_the_disorder():
    rng = np.random.default_rng(5)
    for _ in range(60):
        notations = [
            " ".join(f"{{{word}|{rng.choice(['X', 'Y'])}}}" for word in rng.choice(["a", "b", "cd", "ef"], 6))
            for _ in range(int(rng.integers(2, 4)))
        ]
        made = aligned(*notations)
        for row in made:
            assert sum(row.parts.values()) == pytest.approx(row.disorder, abs=1e-9)
        assert sum(row.disorder for row in made) == pytest.approx(sum(layer.total for layer in made.layers), abs=1e-9)
