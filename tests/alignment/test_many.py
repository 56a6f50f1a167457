"""The best grouping by column generation, against the listing of all groups."""

from __future__ import annotations

import csv
import itertools
import time
from pathlib import Path

import numpy as np
import pytest

from unisono.alignment import many
from unisono.alignment.many import best_grouping
from unisono.alignment.pairs import Pairs, candidate_pairs
from unisono.alignment.partition import Partition, UnitGroups, best_partition
from unisono.alignment.solution import unitary_costs
from unisono.alignment.solve import best_alignment
from unisono.data import AnnotationSet, Corpus
from unisono.data.annotation_set import sorted_set
from unisono.data.labels import feature
from unisono.deadlines import Until
from unisono.dissimilarity.category import Ordinal
from unisono.dissimilarity.combined import BoundDissimilarity, Dissimilarity, WeightedFeature
from unisono.kernels.groups import undominated

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "llm_span"


def problem(units: AnnotationSet, labels: int = 3) -> tuple[AnnotationSet, Pairs]:
    corpus = Corpus.from_columns(
        document=["d"] * labels,
        annotator=[str(k) for k in range(labels)],
        start=[0.0] * labels,
        end=[1.0] * labels,
        features={"category": [str(k) for k in range(labels)]},
    )
    dissimilarity = Dissimilarity(features=(WeightedFeature("category"),)).bind(corpus.features)
    return units, candidate_pairs(units, dissimilarity)


def small(seed: int) -> AnnotationSet:
    """Few units of 3 to 7 annotators: nested, overlapping, some the same, some of no length, some annotators bare."""
    rng = np.random.default_rng(seed)
    n_annotators = int(rng.integers(3, 8))
    n_units = int(rng.integers(1, 19 if n_annotators < 6 else 13))
    annotator = rng.integers(0, n_annotators, n_units)
    start = rng.integers(0, int(rng.choice([6, 15, 40])), n_units).astype(float)
    length = rng.integers(0 if seed % 3 == 0 else 1, int(rng.choice([3, 8, 20])), n_units)
    code = rng.integers(0, 3, (1, n_units))
    return sorted_set(start, start + length, annotator, code, n_annotators, (0.0, 100.0))


def copies(n_annotators: int, n_units: int, seed: int) -> AnnotationSet:
    """Annotators who move, drop and relabel the units of a model."""
    rng = np.random.default_rng(seed)
    starts, ends, who, codes = [], [], [], []
    for annotator in range(n_annotators):
        kept = np.flatnonzero(rng.random(n_units) > 0.15)
        start = np.round(kept * 25 + rng.normal(0, 4, len(kept)))
        starts.append(start)
        ends.append(start + rng.integers(8, 25, len(kept)))
        who.append(np.full(len(kept), annotator))
        codes.append(np.where(rng.random(len(kept)) < 0.2, rng.integers(0, 3, len(kept)), kept % 3))
    columns = [np.concatenate(column) for column in (starts, ends, who, codes)]
    return sorted_set(*columns[:3], columns[3][np.newaxis], n_annotators, (-50.0, 50.0 * n_units))


def grouping(units: AnnotationSet, pairs: Pairs, seconds: float = np.inf, **options: float) -> Partition:
    found = best_grouping(
        pairs,
        units.annotator,
        units.n_annotators,
        deadline=Until.after(seconds),
        position=(units.start + units.end) / 2,
        **options,
    )
    check(found, units, pairs)
    return found


def check(found: Partition, units: AnnotationSet, pairs: Pairs) -> None:
    """Every unit once, at most one of an annotator in a group, costs as they should be, bound below."""
    groups = found.groups
    assert sorted(groups.members) == list(range(units.n_units))
    excess = dict(zip(zip(pairs.unit, pairs.other, strict=True), pairs.dissimilarity - 1.0, strict=True))
    n_pairs = units.n_annotators * (units.n_annotators - 1) / 2
    for index, cost in enumerate(groups.cost):
        members = sorted(groups.members[groups.bounds[index] : groups.bounds[index + 1]])
        assert len(set(units.annotator[members])) == len(members)
        total = sum(excess[u, v] for at, u in enumerate(members) for v in members[at + 1 :])
        assert cost == pytest.approx(1.0 + total / n_pairs, abs=1e-9)
    if found.bound is not None:
        assert found.bound <= groups.cost.sum()


def least_cost(units: AnnotationSet, pairs: Pairs) -> float:
    """The cost of the best choice among all groups."""
    bounds, members, cost, complete = undominated(
        pairs.starts, pairs.other, pairs.dissimilarity, units.annotator, units.n_annotators, 10**6, 10**9
    )
    assert complete
    best = best_partition(UnitGroups(bounds, members, cost), units.n_units)
    assert best.bound is None
    return float(best.groups.cost.sum())


def program_cost(units: AnnotationSet, dissimilarity: BoundDissimilarity) -> float:
    """The least cost by an integer program over all groups, without any of our shortcuts."""
    from scipy.optimize import LinearConstraint, milp

    n = units.n_annotators
    own = [[None, *np.flatnonzero(units.annotator == annotator)] for annotator in range(n)]
    groups = [tuple(unit for unit in choice if unit is not None) for choice in itertools.product(*own)][1:]
    table = np.full((len(groups), n), -1)
    for row, group in enumerate(groups):
        table[row, units.annotator[list(group)]] = group
    matrix = np.zeros((units.n_units, len(groups)))
    for column, group in enumerate(groups):
        matrix[list(group), column] = 1.0
    result = milp(
        unitary_costs(units, dissimilarity, table),
        constraints=LinearConstraint(matrix, 1, 1),
        integrality=np.ones(len(groups)),
        bounds=(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    return float(result.fun)


@pytest.mark.parametrize("way", ["alpha", "beta", "ordinal", "own"])
def test_equals_an_integer_program_over_all_groups(way: str) -> None:
    labels = {"category": feature(["0", "1", "2"])}
    category = (
        WeightedFeature("category", 1.0, Ordinal(("0", "1", "2"))) if way == "ordinal" else WeightedFeature("category")
    )
    definition = {
        "alpha": Dissimilarity(3.0, 1.0, 1.0, (category,)),
        "beta": Dissimilarity(0.5, 2.0, 1.0, (category,)),
        "ordinal": Dissimilarity(1.0, 1.0, 2.0, (category,)),
        "own": Dissimilarity(features=(category,), custom=lambda u, v: np.abs(u.start - v.start) / 4.0),
    }[way]
    dissimilarity = definition.bind(labels)
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 9))
        n_units = int(rng.integers(1, 13 if n < 7 else 10))
        start = rng.integers(0, 20, n_units).astype(float)
        columns = start, start + rng.integers(1, 9, n_units), rng.integers(0, n, n_units)
        units = sorted_set(*columns, rng.integers(0, 3, (1, n_units)), n, (0.0, 40.0))
        found = best_alignment(units, dissimilarity, most_groups=0)
        assert found.gap == 0.0
        assert found.total == pytest.approx(program_cost(units, dissimilarity), abs=1e-7), seed


@pytest.mark.parametrize("block", [*range(4), *(pytest.param(k, marks=pytest.mark.slow) for k in range(4, 10))])
def test_equals_listing(block: int) -> None:
    for seed in range(40 * block, 40 * block + 40):
        units, pairs = problem(small(seed))
        found = grouping(units, pairs)
        assert found.bound is None, seed
        assert found.groups.cost.sum() == pytest.approx(least_cost(units, pairs), abs=1e-9), seed


def test_bound_holds_when_stopped_at_once() -> None:
    for seed in range(100):
        units, pairs = problem(small(seed))
        found = grouping(units, pairs, seconds=-1.0)
        least = least_cost(units, pairs)
        assert found.groups.cost.sum() >= least - 1e-9
        assert (found.groups.cost.sum() if found.bound is None else found.bound) <= least + 1e-9


def test_bound_holds_with_tolerance() -> None:
    for seed in range(100):
        units, pairs = problem(small(seed))
        found = grouping(units, pairs, tolerance=0.1)
        least = least_cost(units, pairs)
        bound = found.groups.cost.sum() if found.bound is None else found.bound
        assert 0.9 * found.groups.cost.sum() - 1e-9 <= bound <= least + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_order_of_units_does_not_matter(seed: int) -> None:
    units, pairs = problem(small(seed))
    least = grouping(units, pairs).groups.cost.sum()
    for position in (None, np.random.default_rng(seed).random(units.n_units), np.zeros(units.n_units)):
        found = best_grouping(pairs, units.annotator, units.n_annotators, deadline=Until(), position=position)
        assert found.bound is None
        assert found.groups.cost.sum() == pytest.approx(least, abs=1e-9)


def test_twelve_annotators() -> None:
    units, pairs = problem(copies(12, 10, seed=1))
    quick = grouping(units, pairs, seconds=-1.0)
    found = grouping(units, pairs)
    assert found.bound is None
    assert quick.bound is not None
    assert quick.bound <= found.groups.cost.sum() <= quick.groups.cost.sum()


def test_returns_soon_after_the_deadline() -> None:
    units, pairs = problem(copies(15, 30, seed=2))
    began = time.process_time()
    found = grouping(units, pairs, seconds=0.2)
    assert time.process_time() - began < 30.0
    assert found.bound is None or found.bound > 0


def test_regions_are_grouped_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    units, pairs = problem(copies(7, 30, seed=3))
    whole = grouping(units, pairs)
    monkeypatch.setattr(many, "_REGION", 40)
    parts = grouping(units, pairs)
    assert whole.bound is None
    assert parts.bound is None
    assert parts.groups.cost.sum() == pytest.approx(whole.groups.cost.sum(), abs=1e-9)


def test_halves_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    units, pairs = problem(copies(7, 40, seed=3))
    whole = grouping(units, pairs)
    monkeypatch.setattr(many, "_MOST_WEIGHTS", 10_000)
    halves = grouping(units, pairs, seconds=600.0)
    least = whole.groups.cost.sum()
    assert whole.bound is None
    assert halves.bound is not None
    assert halves.bound <= least <= halves.groups.cost.sum() < 1.1 * least


@pytest.mark.parametrize("n_annotators", [100, 300])
def test_one_unit_of_each_of_many_annotators(n_annotators: int) -> None:
    rng = np.random.default_rng(n_annotators)
    start = np.round(100 + rng.normal(0, 6, n_annotators))
    end = start + rng.integers(10, 20, n_annotators)
    code = (rng.random((1, n_annotators)) < 0.2).astype(np.int64)
    units, pairs = problem(sorted_set(start, end, np.arange(n_annotators), code, n_annotators, (0.0, 200.0)))
    found = grouping(units, pairs, tolerance=0.01)
    total = float(found.groups.cost.sum())
    assert len(found.groups.cost) == 1
    assert found.bound is None or found.bound >= 0.99 * total


def test_the_same_data_gives_the_same_groups() -> None:
    units, pairs = problem(copies(14, 12, seed=5))
    first, second = (grouping(units, pairs, tolerance=0.05) for _ in range(2))
    assert first.groups.members.tolist() == second.groups.members.tolist()
    assert first.bound == second.bound


def test_without_any_time_there_is_a_grouping() -> None:
    units, pairs = problem(copies(12, 20, 1))
    given = {"deadline": Until.after(-1), "position": units.start}
    found = best_grouping(pairs, units.annotator, units.n_annotators, **given)
    best = best_grouping(pairs, units.annotator, units.n_annotators, deadline=Until(), position=units.start)
    assert found.groups.cost.sum() < 1.5 * best.groups.cost.sum() < 0.5 * units.n_units


def test_a_deadline_leaves_a_true_bound() -> None:
    units, pairs = problem(copies(13, 25, seed=6))
    best = grouping(units, pairs)
    assert best.bound is None
    for seconds in (0.001, 0.02, 0.05, 0.1):
        found = grouping(units, pairs, seconds=seconds)
        bound = found.groups.cost.sum() if found.bound is None else found.bound
        assert bound <= best.groups.cost.sum() + 1e-9 <= found.groups.cost.sum() + 2e-9


def test_no_units_and_no_pairs() -> None:
    nothing = np.zeros(0)
    empty = sorted_set(nothing, nothing, np.zeros(0, np.int64), np.zeros((1, 0), np.int64), 9, (0.0, 1.0))
    assert len(grouping(*problem(empty)).groups.cost) == 0
    start = np.array([0.0, 1e6])
    apart = sorted_set(start, start + 1, np.array([0, 1]), np.zeros((1, 2), np.int64), 9, (0.0, 2e6))
    found = grouping(*problem(apart))
    assert found.bound is None
    assert found.groups.cost.tolist() == [1.0, 1.0]


@pytest.mark.skipif(not DATA.exists(), reason="the llm_span data is not here")
@pytest.mark.parametrize(
    ("text", "cost"), [("d2t-football__gpt4o__0", 6.99714226), ("d2t-football__llama3-3__0", 6.81813869)]
)
def test_texts_of_28_annotators(text: str, cost: float) -> None:
    units, dissimilarity = llm_span(text)
    found = grouping(units, candidate_pairs(units, dissimilarity))
    assert found.bound is None
    assert found.groups.cost.sum() == pytest.approx(cost, abs=1e-6)


def llm_span(text: str) -> tuple[AnnotationSet, BoundDissimilarity]:
    with (DATA / "d2t_iaa_units.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["doc"] == text]
    with (DATA / "d2t_iaa_annotators.csv").open() as file:
        worked = [(row["doc"], row["annotator"]) for row in csv.DictReader(file) if row["doc"] == text]
    corpus = Corpus.from_columns(
        document=[row["doc"] for row in rows],
        annotator=[row["annotator"] for row in rows],
        start=[float(row["start"]) for row in rows],
        end=[float(row["end"]) for row in rows],
        features={"category": [row["category"] for row in rows]},
        worked=worked,
    )
    dissimilarity = Dissimilarity(features=(WeightedFeature("category"),)).bind(corpus.features)
    return corpus[text].annotation_set(["category"]), dissimilarity
