"""α of dependency trees: edit distances against a plain recursion, the coefficient by hand and by its definition."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest

import unisono
from unisono.data import Corpus
from unisono.errors import DataError
from unisono.kernels import switch
from unisono.kernels.trees import tree_distances
from unisono.measurement.relations.trees import _tree


def corpus_of(people):
    """Make a corpus from (heads, labels) of each annotator's sentences; a head of -1 is the root, None is no arc."""
    rows = []
    for who, sentences in people.items():
        begin = 0
        for heads, labels in sentences:
            place = [(begin + 4 * k, begin + 4 * k + 3) for k in range(len(heads))]
            begin += 4 * len(heads) + 50
            for own, head, label in zip(place, heads, labels, strict=True):
                if head is not None:
                    anchors = [("source", *own), *([] if head < 0 else [("target", *place[head])])]
                    rows.append((who, anchors, label))
    return Corpus.from_columns(
        annotator=[row[0] for row in rows],
        anchors=[row[1] for row in rows],
        features={"category": [row[2] for row in rows]},
        worked=[("document", who) for who in people],
    )


def nested(heads, labels):
    """Spell a tree as nested tuples: (label, children), with a root above."""

    def below(node):
        return tuple((labels[k], below(k)) for k, head in enumerate(heads) if head == node)

    return ("", below(-1))


@cache
def distance(one, other):
    """The edit distance of two forests, after the definition."""
    if not one or not other:
        return sum(size(tree) for tree in (*one, *other))
    (label, children), (its, others) = one[-1], other[-1]
    return min(
        distance(one[:-1] + children, other) + 1,
        distance(one, other[:-1] + others) + 1,
        distance(one[:-1], other[:-1]) + distance(children, others) + (label != its),
    )


def size(tree):
    return 1 + sum(map(size, tree[1]))


def random_sentence(rng, most=6):
    n = int(rng.integers(1, most + 1))
    order = rng.permutation(n)
    heads = [-1] * n
    for k in range(1, n):  # each word below an earlier one in a random order
        heads[order[k]] = int(order[rng.integers(k)]) if rng.random() < 0.9 else -1
    return heads, [*"XYZ"[:3]][:1] * n if rng.random() < 0.2 else ["XYZ"[rng.integers(3)] for _ in range(n)]


def as_arrays(sentences):
    trees = [
        _tree({k: (h, "XYZ".index(w) + 1) for k, (h, w) in enumerate(zip(*one, strict=True))})[0] for one in sentences
    ]
    edges = lambda sizes: np.cumsum([0, *sizes])  # noqa: E731
    joined = lambda parts: np.array([n for part in parts for n in part], np.int64)  # noqa: E731
    return (
        edges([len(tree.label) for tree in trees]),
        joined([tree.label for tree in trees]),
        joined([tree.leftmost for tree in trees]),
        edges([len(tree.roots) for tree in trees]),
        joined([tree.roots for tree in trees]),
    )


@pytest.mark.parametrize("compiled", [False, True])
def test_edit_distances_equal_a_plain_recursion(compiled, monkeypatch):
    monkeypatch.setattr(switch, "_on", compiled)
    rng = np.random.default_rng(1)
    sentences = [random_sentence(rng) for _ in range(40)]
    u, v = np.array([*combinations(range(len(sentences)), 2)]).T[:, :400]
    found = tree_distances(*as_arrays(sentences), np.ascontiguousarray(u), np.ascontiguousarray(v))
    expected = [distance((nested(*sentences[a]),), (nested(*sentences[b]),)) for a, b in zip(u, v, strict=True)]
    assert found.tolist() == expected


def test_the_tree_of_the_paper():
    """Figure 1 of Skjærholt 2014: "I saw the man" as Pred(Subj, Obj(Det)) below a root."""
    tree, circular = _tree({0: (1, 11), 1: (-1, 12), 2: (3, 13), 3: (1, 14)})
    assert not circular
    assert tree.label == (11, 13, 14, 12, 0)  # Subj, Det, Obj, Pred, root
    assert tree.leftmost == (0, 1, 1, 0, 0)
    assert tree.roots == [2, 4]


def by_definition(people, name):
    """α after the paper's formulas, with all pairs of trees."""
    sentences = [[nested(*one) for one in same] for same in zip(*people.values(), strict=True)]
    every = [tree for same in sentences for tree in same]

    def squared(x, y):
        apart, n = distance((x,), (y,)), size(x) + size(y)
        if name == "diff":
            apart -= abs(size(x) - size(y))
        return (apart / n if name == "norm" else apart) ** 2

    observed = sum(sum(squared(x, y) for x in same for y in same) / (len(same) - 1) for same in sentences)
    expected = sum(squared(x, y) for x in every for y in every)
    n = len(every)
    return 1 - (observed / n) / (expected / (n * (n - 1)))


def disturbed(rng, sentence):
    heads, labels = list(sentence[0]), list(sentence[1])
    place = int(rng.integers(len(labels)))
    if heads[place] == -1 or rng.random() < 0.5 or heads.count(-1) > 1:
        labels[place] = "XYZ"[rng.integers(3)]
    else:
        heads[place] = heads.index(-1) if heads[place] != -1 else -1  # to the root word
    return heads, labels


@pytest.mark.parametrize("name", ["plain", "diff", "norm"])
@pytest.mark.parametrize("n", [2, 3])
def test_alpha_equals_its_definition(n, name):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        reference = []
        while len(reference) < 9:
            one = random_sentence(rng)
            if one[0].count(-1) == 1:  # else it is several sentences
                reference.append(one)
        people = {f"a{k}": [disturbed(rng, one) for one in reference] for k in range(n)}
        result = unisono.tree_alpha(corpus_of(people), distance=name)
        assert result.value == pytest.approx(by_definition(people, name), abs=1e-12), seed
        assert result.details["trees"] == 9


ANNA = [([1, -1, 1], "XYZ"), ([-1, 0], "XY"), ([1, -1], "ZX")]
BERT = [([1, -1, 1], "XYX"), ([-1, 0], "XY"), ([-1, 0], "ZX")]


def test_by_hand():
    # distances within sentences: 1 (a label), 0, 2 (the other word is the root): 2 · (1 + 0 + 4)/6 = D_o
    result = unisono.tree_alpha(corpus_of({"anna": ANNA, "bert": BERT}))
    assert result.observed == pytest.approx(10 / 6)
    assert result.value == pytest.approx(by_definition({"anna": ANNA, "bert": BERT}, "plain"))
    assert result.details["identical"] == pytest.approx(1 / 3)
    assert unisono.tree_alpha(corpus_of({"anna": ANNA, "bert": ANNA})).value == 1.0


def test_a_whole_document_is_one_tree_if_wanted():
    corpus = corpus_of({"anna": ANNA, "bert": BERT})
    result = unisono.tree_alpha(corpus, trees="documents")
    assert result.details["trees"] == 1
    assert result.value == pytest.approx(0.0)  # D_o and D_e are the same pair


def test_words_that_only_one_attaches():
    people = {"anna": [([1, -1, 1], "XYZ")], "bert": [([1, -1, None], "XYZ")]}
    result = unisono.tree_alpha(corpus_of({who: own + ANNA for who, own in people.items()}))
    assert result.observed == pytest.approx(2 * 1 / 8)  # one node is missing


def test_circles_are_left_out_and_counted():
    people = {"anna": [([1, 0, -1, 2], "XYZX"), *ANNA], "bert": [([1, 2, -1, 2], "XYZX"), *ANNA]}
    result = unisono.tree_alpha(corpus_of(people))
    assert "words that depend on each other in a circle are left out of 1 tree" in result.notes
    assert result.observed == pytest.approx(2 * 2**2 / 8)


def test_several_heads_are_no_tree():
    anna = [("source", 0, 3), ("target", 4, 7)], [("source", 0, 3), ("target", 8, 11)]
    corpus = Corpus.from_columns(annotator=["anna", "anna", "bert"], anchors=[*anna, anna[0]])
    with pytest.raises(DataError, match=r"document document: a word of anna's at 0–11 .* has several heads"):
        unisono.tree_alpha(corpus, dependent="source")


def test_of_many_trees_some_stand_for_all(monkeypatch):
    rng = np.random.default_rng(3)
    reference = [random_sentence(rng, 8) for _ in range(150)]
    people = {who: [disturbed(rng, one) for one in reference] for who in ("anna", "bert")}
    whole = unisono.tree_alpha(corpus_of(people))
    monkeypatch.setattr(import_module("unisono.measurement.relations.tree_alpha"), "_MOST_TREES", 60)
    part = unisono.tree_alpha(corpus_of(people))
    assert part.observed == whole.observed
    assert part.value == pytest.approx(whole.value, abs=0.03)
    assert part.notes[-1].startswith("chance is computed from 60 of ")


def test_random_trees_do_not_agree():
    rng = np.random.default_rng(4)
    people = {who: [random_sentence(rng) for _ in range(300)] for who in ("anna", "bert", "carl")}
    assert abs(unisono.tree_alpha(corpus_of(people)).value) < 0.06
