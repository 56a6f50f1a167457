"""Longest common subsequences: least costs, the cells that optimal alignments pass through, the best among them."""

from __future__ import annotations

import functools
import itertools

import numba
import numpy as np
import pytest
from text_oracle import BIG, least_value

from unisono.alignment import sequences
from unisono.alignment.sequences import GapCosts, Sequences
from unisono.data.edition import Edition, Layer
from unisono.data.stacked_editions import stacked_editions
from unisono.kernels import switch
from unisono.kernels.subsequence import (
    DIAGONAL,
    INSIDE,
    LEFT,
    OUTSIDE,
    UP,
    WORD,
    _zeros,
    best_chain,
    hull,
    masks,
    sweep,
)

NO_LIMIT = 1 << 60
STEPS = ((LEFT, 0, 1), (UP, 1, 0), (DIAGONAL, 1, 1))
SAVINGS = 12
"""Savings are given in so many parts."""
program = functools.cache(lambda: numba.njit(least_value))


@pytest.fixture(params=[False, True], ids=["interpreted", "compiled"])
def way(request, monkeypatch):
    """Run kernels one way or the other."""
    monkeypatch.setattr(switch, "_on", request.param)
    return request.param


@pytest.fixture
def fast(monkeypatch):
    """Run kernels as machine code."""
    monkeypatch.setattr(switch, "_on", True)


class Prepared:
    """Two sequences as the kernels want them; the last two symbols are the markers."""

    def __init__(self, a, b, weights, n_frequent=None):
        self.a, self.b = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        weights = np.asarray(weights, dtype=np.int64)
        self.markers = len(weights) - 2, len(weights) - 1
        self.a_ends, self.b_ends = (np.concatenate([[0], np.cumsum(weights[one])]) for one in (self.a, self.b))
        self.rows, columns = np.repeat(self.a, weights[self.a]), np.repeat(self.b, weights[self.b])
        self.n_columns = len(columns)
        starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=len(weights)))])
        places = np.argsort(columns, kind="stable").astype(np.int64)
        n_frequent = len(weights) if n_frequent is None else n_frequent
        rank = np.minimum(np.arange(len(weights)), n_frequent)
        self.marks = masks(len(columns), starts, places, rank, n_frequent), starts, places, rank

    def cost(self, half=NO_LIMIT, budget=NO_LIMIT):
        return sweep(self.rows, self.a_ends, self.n_columns, *self.marks, half, budget, False)[0]

    def hull(self, budget=NO_LIMIT, most=NO_LIMIT):
        cost, bits, kept = sweep(self.rows, self.a_ends, self.n_columns, *self.marks, NO_LIMIT, budget, True)
        ends = self.a_ends, self.b_ends
        return hull(self.a, self.b, *ends, *self.markers, self.rows, *self.marks, bits, kept, cost, most)


def random_sequences(seed, longest=30):
    """Two sequences of few or many symbols, the second at times made of the first, and weights 1 to 3."""
    rng = np.random.default_rng(seed)
    n_symbols = int(rng.choice([1, 2, 3, 8, 80]))
    a, b = (rng.integers(n_symbols, size=rng.integers(0, longest + 1)) for _ in range(2))
    if rng.random() < 0.5:
        b = np.roll(a[rng.random(len(a)) < 0.9], rng.integers(len(a) + 1))
    return a, b, np.concatenate([rng.integers(1, 4, size=n_symbols), [1, 1]])


def costs(a, b, weights):
    """The least cost up to each cell, and from it."""
    n, m = len(a), len(b)
    to = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(n + 1):
        for j in range(m + 1):
            found = [to[i - 1, j] + weights[a[i - 1]]] if i else []
            found += [to[i, j - 1] + weights[b[j - 1]]] if j else []
            found += [to[i - 1, j - 1]] if i and j and a[i - 1] == b[j - 1] else []
            to[i, j] = min(found, default=0)
    return to


def optimal_steps(a, b, weights):
    """The cells on optimal alignments, each with the steps that lead to it along one."""
    to = costs(a, b, weights)
    back = costs(a[::-1], b[::-1], weights)[::-1, ::-1]
    found = {}
    for i, j in np.argwhere(to + back == to[-1, -1]).tolist():
        found[i, j] = 0
        for step, up, left in STEPS:
            above, before = i - up, j - left
            if above < 0 or before < 0 or (up and left and a[above] != b[before]):
                continue
            gap = 0 if up and left else weights[a[above] if up else b[before]]
            if to[above, before] + gap == to[i, j]:
                found[i, j] |= step
    return found


def listed(cells, offsets, last):
    """The cells of a hull by place, without their states."""
    found = {}
    edges = [*offsets[::-1].tolist(), len(cells)]
    for back, i in enumerate(range(len(offsets) - 1, -1, -1)):
        for index in range(edges[back], edges[back + 1]):
            if cells[index]:
                found[i, int(last[i]) - (index - edges[back])] = int(cells[index]) & (LEFT | UP | DIAGONAL)
    return found


def test_zeros_of_a_word():
    rng = np.random.default_rng(1)
    words = [0, 1, (1 << WORD) - 1, 1 << (WORD - 1), *rng.integers(1 << WORD, size=500).tolist()]
    words += [(1 << k) - 1 for k in range(WORD + 1)]
    for kernel in (_zeros.python(), _zeros.machine()):
        assert [kernel(word) for word in words] == [WORD - word.bit_count() for word in words]


@pytest.mark.usefixtures("way")
def test_the_least_cost():
    for seed in range(150):
        a, b, weights = random_sequences(seed)
        expected = costs(a, b, weights)[-1, -1]
        assert Prepared(a, b, weights).cost() == expected, seed


@pytest.mark.usefixtures("way")
def test_a_budget_that_is_enough_changes_nothing():
    for seed in range(60):
        a, b, weights = random_sequences(seed, 400 if seed % 10 == 0 else 120)
        it = Prepared(a, b, weights)
        least = it.cost()
        assert it.cost(budget=least) == it.cost(budget=least + 7) == least, seed
        cells, *_ = it.hull(budget=least)
        every, *_ = it.hull()
        assert (cells != 0).sum() == (every != 0).sum()


@pytest.mark.usefixtures("way")
def test_a_strip_gives_the_cost_of_an_alignment():
    for seed in range(60):
        a, b, weights = random_sequences(seed, 300)
        it = Prepared(a, b, weights)
        found = [it.cost(half=half) for half in (0, 16, 64, 256, 1024)]
        assert all(cost >= it.cost() for cost in found), seed
        assert all((cost - it.cost()) % 2 == 0 for cost in found), seed
        assert found[-1] == it.cost(), seed


@pytest.mark.parametrize("n_frequent", [0, 1, 2, 5, None])
def test_rare_symbols_are_marked_when_met(n_frequent, way):
    for seed in range(40 if way else 10):
        a, b, weights = random_sequences(seed, 140)
        few = None if n_frequent is None else min(n_frequent, len(weights))
        it, plain = Prepared(a, b, weights, few), Prepared(a, b, weights)
        table = np.array(it.marks[0])
        assert it.cost() == plain.cost(), seed
        assert all(np.array_equal(one, other) for one, other in zip(it.hull(), plain.hull(), strict=True)), seed
        assert (np.array(it.marks[0]) == table).all(), "spare lines are left clean"


@pytest.mark.usefixtures("way")
def test_the_cells_of_all_optimal_alignments():
    for seed in range(150):
        a, b, weights = random_sequences(seed)
        cells, offsets, last, pairs, complete = Prepared(a, b, weights).hull()
        assert complete
        assert not len(pairs)
        assert listed(cells, offsets, last) == optimal_steps(a, b, weights), seed


@pytest.mark.parametrize(("size", "columns"), [*itertools.product((511, 512, 513), (61, 62, 63)), (1030, 130)])
def test_cells_across_kept_rows_and_words(monkeypatch, size, columns):
    rng = np.random.default_rng(size * columns)
    monkeypatch.setattr(switch, "_on", True)
    a = rng.integers(3, size=size)
    b = a[np.sort(rng.choice(size, columns, replace=False))]
    weights = np.array([1, 2, 1, 1, 1])
    cells, offsets, last, _, _ = Prepared(a, b, weights).hull()
    assert listed(cells, offsets, last) == optimal_steps(a, b, weights)


def test_cells_across_kept_rows_without_machine_code(monkeypatch):
    monkeypatch.setattr(switch, "_on", False)
    rng = np.random.default_rng(3)
    a = rng.integers(2, size=530)
    b = a[np.sort(rng.choice(530, 70, replace=False))]
    weights = np.array([1, 3, 1, 1])
    cells, offsets, last, _, _ = Prepared(a, b, weights).hull()
    assert listed(cells, offsets, last) == optimal_steps(a, b, weights)


@pytest.mark.usefixtures("way")
def test_a_limit_of_cells():
    it = Prepared([0] * 200, [0] * 100, [1, 1, 1])
    *_, complete = it.hull(most=1000)
    assert not complete
    *_, complete = it.hull(most=30_000)
    assert complete


@pytest.mark.usefixtures("way")
def test_states_of_two_units():
    # {a}{ba} against {a}: the letter can be in the first unit or in the second
    a, b = [2, 0, 3, 2, 1, 0, 3], [2, 0, 3]
    cells, offsets, last, pairs, _ = Prepared(a, b, [1, 1, 1, 1]).hull()
    assert np.divmod(pairs, 4)[0].tolist() == [3, 0]
    assert set(cells.tolist()) & {OUTSIDE, INSIDE}
    saved, chosen, matched = best_chain(np.array(a), np.array(b), 2, 3, cells, offsets, last, np.array([5, 4]), True)
    assert (saved, chosen.tolist(), matched) == (5, [3 * 4], 4)
    saved, chosen, matched = best_chain(np.array(a), np.array(b), 2, 3, cells, offsets, last, np.array([4, 5]), True)
    assert (saved, chosen.tolist(), matched) == (5, [0], 4)


# --- units in longer texts, against the plain program -------------------------------------------------------------


def marked(text, layer, opening, closing):
    number = np.arange(layer.n_units)
    sequence = np.full(len(text) + 2 * len(number), -1)
    sequence[layer.start + 2 * number], sequence[layer.end + 2 * number + 1] = opening, closing
    sequence[sequence < 0] = text
    return sequence


def layered(runs):
    """A text and its units, of runs of symbols that are units or not."""
    sizes = [len(run) for run, _ in runs]
    ends = np.cumsum(sizes, dtype=np.int64)
    inside = np.array([is_unit for _, is_unit in runs], dtype=np.bool_)
    text = np.array([symbol for run, _ in runs for symbol in run], dtype=np.int64)
    start, end = (ends - sizes)[inside], ends[inside]
    return text, Layer(start, end, np.zeros((0, len(start)), dtype=np.int64))


def random_runs(rng, n_symbols, size, longest):
    """Units and what is between them, up to a number of symbols."""
    share = 1 / np.arange(1, n_symbols + 1) ** rng.choice([0.0, 1.0])
    runs, total = [], 0
    while total < size:
        is_unit = bool(rng.random() < 0.8)
        length = int(rng.integers(0 if rng.random() < 0.1 else 1, longest + 1))
        runs.append((rng.choice(n_symbols, length, p=share / share.sum()).tolist(), is_unit))
        total += length + 2 * is_unit
    return runs


def edited_runs(rng, runs, rate, n_symbols):
    """Change letters; split, merge and drop runs."""
    made = []
    for run, is_unit in runs:
        change = rng.integers(6) if rng.random() < rate else -1
        place = int(rng.integers(len(run) + 1))
        if change == 0:
            run = run[:place] + run[place + 1 :]
        elif change == 1:
            run = [*run[:place], int(rng.integers(n_symbols)), *run[place:]]
        elif change == 2:
            made.append((run[:place], is_unit))
            run = run[place:]
        elif change == 3 and made:
            before, is_unit = made.pop()
            run = before + run
        elif change == 4:
            continue
        elif change == 5:
            is_unit = not is_unit
        made.append((run, is_unit))
    return made


KINDS = {
    "edited": lambda rng, runs, k, longest: edited_runs(rng, runs, rng.choice([0.02, 0.2, 0.7]), k),
    "unrelated": lambda rng, runs, k, longest: random_runs(rng, k, rng.choice([50, 400]), longest),
    "rotated": lambda rng, runs, k, longest: edited_runs(rng, runs[len(runs) // 3 :] + runs[: len(runs) // 3], 0.1, k),
    "repeated": lambda rng, runs, k, longest: edited_runs(rng, (runs[:3] * len(runs))[: len(runs)], 0.05, k),
    "cut": lambda rng, runs, k, longest: edited_runs(rng, runs[len(runs) // 2 :], 0.1, k),
}


def check(seed, kind, size, n_symbols=None):
    """The best alignment, and the pairs of units that it has, against the plain program."""
    rng = np.random.default_rng(seed)
    n_symbols, longest = n_symbols or int(rng.choice([1, 2, 3, 26, 3000])), int(rng.choice([1, 3, 9]))
    first = random_runs(rng, n_symbols, size, longest)
    if kind == "repeated":
        first = (first[:3] * len(first))[: len(first)]
    sides = [layered(first), layered(KINDS[kind](rng, first, n_symbols, longest))]
    sides = sides[:: 1 if seed % 2 else -1]
    costs = GapCosts(*rng.integers(1, 4, size=2).tolist())
    weights = np.array([costs.weights[0]] * n_symbols + [costs.weights[1]] * 2)
    units = [layer.n_units for _, layer in sides]
    saving = rng.integers(SAVINGS, 2 * SAVINGS + 1, size=units)
    markers = n_symbols, n_symbols + 1
    plain = [marked(*side, *markers) for side in sides]
    value = int(program()(*plain, weights, *markers, saving))
    both = stacked_editions([Edition(text, (layer,)) for text, layer in sides])
    found = Sequences(both, 0, np.array([0]), np.array([1]), n_symbols, costs)
    u, v = found.pairs.u, found.pairs.v
    saved = saving[u, v] / SAVINGS
    best = found.best(saved, np.array([0]))
    least = found.best(saved, np.array([0]), trace=False)
    assert best.saved[0] == least.saved[0] == pytest.approx((-value % BIG) / SAVINGS, abs=1e-9), seed
    best = best.chosen
    assert saving[u[best], v[best]].sum() == -value % BIG, seed
    only = np.zeros_like(saving)
    only[u[best], v[best]] = 1
    again = int(program()(*plain, weights, *markers, only))
    assert (-again % BIG, -(-again // BIG)) == (len(best), -(-value // BIG)), "no optimal alignment has these pairs"
    return len(plain[0]), len(plain[1])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("fast")
def test_longer_texts(kind, monkeypatch):
    for seed in range(40):
        monkeypatch.setattr(sequences, "_STRIP", (128, 1, 16, 64)[seed % 4])
        check(seed, kind, (60, 124, 250, 700)[seed % 3 if seed % 10 else 3])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("fast")
def test_texts_of_more_than_a_thousand_symbols(kind, monkeypatch):
    for seed in range(1000, 1003):
        monkeypatch.setattr(sequences, "_STRIP", (128, 32, 8)[seed % 3])
        assert max(check(seed, kind, 1500)) > 1000


@pytest.mark.usefixtures("fast")
def test_more_symbols_than_16_bits_hold():
    for seed, kind in enumerate(KINDS):
        check(seed, kind, 400, n_symbols=70_000)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("fast")
def test_many_longer_texts(kind, monkeypatch):
    for seed in range(2000, 3000):
        monkeypatch.setattr(sequences, "_STRIP", (128, 1, 16, 64)[seed % 4])
        check(seed, kind, (100, 250, 600, 1500)[seed % 4])


@pytest.mark.parametrize("kind", KINDS)
def test_longer_texts_without_machine_code(kind, monkeypatch):
    monkeypatch.setattr(switch, "_on", False)
    monkeypatch.setattr(sequences, "_STRIP", 16)
    for seed in range(3):
        check(seed, kind, (60, 150, 600)[seed])
