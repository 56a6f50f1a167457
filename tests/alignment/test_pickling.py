"""Alignments and what they are made of can be pickled, copied and compared."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest
from text_oracle import columns_of, parse

import unisono
from unisono.alignment.solution import Solution
from unisono.data import AnnotationSet, Corpus
from unisono.data.editions import editions
from unisono.data.labelled_units import labelled_units
from unisono.data.sections import document_sections
from unisono.dissimilarity.category import Matrix

WAYS = {
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def spans(n, **options):
    rng = np.random.default_rng(n)
    start = rng.integers(0, 40, 6 * n)
    corpus = Corpus.from_columns(
        annotator=[f"a{k % n}" for k in range(6 * n)],
        start=start,
        end=start + rng.integers(0, 7, 6 * n),
        features={"category": ["XYZ"[k] for k in rng.integers(0, 3, 6 * n)]},
    )
    return unisono.align(corpus, **options)["document"]


def texts(*notations, **options):
    corpus = Corpus.from_columns(**columns_of(*map(parse, notations)))
    return unisono.text_gamma(corpus, rng=1, precision=0.5, **options).alignment["d"]


def matrix():
    return Matrix(("X", "Y", "Z"), np.array([[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]))


ALIGNMENTS = {
    "two": lambda: spans(2),
    "three": lambda: spans(3),
    "position only": lambda: spans(3, beta=0),
    "ordinal": lambda: spans(3, distance=matrix()),
    "texts": lambda: texts("{hat|X}{s|Y} tail", "{hats|X} {tail|Y}"),
    "texts and gaps": lambda: texts("{hat|X}{s|Y} tail", "{hats|X} {tail|Y}", "{hat|X} t{ail|Z}", gaps=True),
    "moved": lambda: texts("{a|X} {b|X} {cde|Y}", "{cde|Y} {a|X} {b|Z}"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ALIGNMENTS)
def test_alignments(kind, way):
    made = ALIGNMENTS[kind]()
    before = WAYS[way](made)  # with and without what is computed when asked for
    assert before == made
    assert list(before) == list(made)
    after = WAYS[way](made)
    assert after == made
    assert after.columns() == made.columns() == before.columns()
    assert after.disorder == made.disorder
    assert after.optimality_gap == made.optimality_gap
    for row, same in zip(made, after, strict=True):
        assert WAYS[way](row) == row == same
    parts = (made.annotations, made.solution, made.document, *made.units)
    others = (after.annotations, after.solution, after.document, *after.units)
    assert parts == others


def test_another_alignment_is_not_equal():
    made, other = spans(3), spans(3)
    assert made == other
    assert made != spans(2)
    assert made != spans(3, alpha=2.0)
    assert made != 3
    assert made.solution != replace(made.solution, bound=0.0)
    assert made.solution != replace(made.solution, cost=made.solution.cost[:-1])
    assert made.annotations != replace(made.annotations, start=made.annotations.start + 1)
    assert texts("{a|X}", "{b|X}") != made
    assert texts("{a|X}", "{b|X}") != texts("{a|X}", "{b|Y}")


def test_in_another_process():
    made = spans(3)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        answer = processes.submit(_same, made).result()
    assert answer == made


def _same(alignment):
    assert len(alignment)
    return alignment


@pytest.mark.parametrize("way", WAYS)
def test_what_alignments_are_made_of(way):
    corpus = Corpus.from_columns(**columns_of(parse("{ha|X}{t|Y} s"), parse("{hat|X} {s|Y}")))
    made = editions(corpus, ["pos"], gaps=True)
    units = labelled_units(corpus, "pos")
    whole = unisono.from_masses({"anna": [2, 3], "bert": [1, 4]})
    for thing in (made, *made.of_document[0], units, document_sections(units), unisono.to_cuts(whole)):
        other = WAYS[way](thing)
        assert other == thing
        assert other is not thing
    assert made != editions(corpus, ["pos"])
    assert units != labelled_units(corpus.select(annotators=["A"]), "pos")


def test_nothing_aligned():
    empty = np.zeros(0)
    units = AnnotationSet(empty, empty, empty.astype(np.int64), np.zeros((1, 0), np.int64), 2, (0.0, 1.0))
    solution = Solution(np.zeros((0, 2), np.int64), empty, 0.0)
    for thing in (units, solution):
        assert pickle.loads(pickle.dumps(thing)) == thing
