"""The best alignment of texts against all optimal sequence alignments, and what must not change it."""

from __future__ import annotations

import itertools
import unicodedata
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from text_oracle import (
    BIG,
    CLOSING,
    OPENING,
    Version,
    alignments,
    annotation_alignments,
    by_markers,
    by_span,
    can_come_together,
    columns_of,
    cost_of,
    group_cost,
    least_disorder,
    least_grouping,
    least_value,
    parse,
    sequence,
)

from unisono.alignment import sequences, texts
from unisono.alignment.sequences import GapCosts, Sequences
from unisono.alignment.solution import relative_gap
from unisono.alignment.texts import align_layers, least_costs
from unisono.data import Corpus
from unisono.data.edition import Edition, Layer
from unisono.data.editions import Alphabet, LayerKind, editions
from unisono.data.stacked_editions import stacked_editions
from unisono.dissimilarity.combined import WeightedFeature
from unisono.dissimilarity.text import TextDissimilarity
from unisono.errors import DataError, OptionError
from unisono.kernels import switch
from unisono.measurement.text_gamma import align_texts

LETTERS, LABELS = "abc", ("X", "Y")
N_CASES = 500
MARK = unicodedata.lookup("COMBINING MACRON")


def bound(letters=LETTERS, labels=LABELS):
    features = TextDissimilarity((WeightedFeature("pos"),))
    return features.bind([LayerKind("unit", ("pos",))], {"pos": labels}, Alphabet(tuple(letters)))


BOUND = bound()


@pytest.fixture(params=[False, True], ids=["interpreted", "compiled"])
def way(request, monkeypatch):
    """Run kernels one way or the other."""
    monkeypatch.setattr(switch, "_on", request.param)
    return request.param


@pytest.fixture
def fast(monkeypatch):
    """Run kernels as machine code."""
    monkeypatch.setattr(switch, "_on", True)


def edition_of(version, known=BOUND):
    symbols, labels = known.alphabet.symbols, known.labels["pos"]
    text = np.array([symbols.index(letter) for letter in version.text], dtype=np.int64)
    start, end = (np.array([unit[k] for unit in version.units], dtype=np.int64) for k in (0, 1))
    codes = np.array([-1 if unit[2] is None else labels.index(unit[2]) for unit in version.units], dtype=np.int64)
    return Edition(text, (Layer(start, end, codes.reshape(1, len(codes))),))


def aligned(versions, gap_text=1, gap_boundary=1, known=BOUND):
    own = [edition_of(version, known) for version in versions]
    return align_all([own], GapCosts(gap_text, gap_boundary), known)[0]


def align_all(samples, costs, known=BOUND, **more):
    """Align the only layer of samples of editions together."""
    stack = stacked_editions([edition for own in samples for edition in own])
    return [made for (made,) in align_layers(stack, np.array([*map(len, samples)]), known, costs, **more)]


def disorder(versions, gap_text=1, gap_boundary=1, known=BOUND):
    n_units = sum(len(version.units) for version in versions)
    return aligned(versions, gap_text, gap_boundary, known).total * len(versions) / n_units


def candidates(one, other, gap_text=1, gap_boundary=1, known=BOUND):
    """The pairs of units that the package thinks some optimal alignment aligns."""
    both = stacked_editions([edition_of(one, known), edition_of(other, known)])
    first, second = np.array([0]), np.array([1])
    costs = GapCosts(gap_text, gap_boundary)
    pairs = Sequences(both, 0, first, second, len(known.alphabet.symbols), costs).pairs
    found = list(zip(pairs.u.tolist(), pairs.v.tolist(), strict=True))
    assert found in (sorted(set(found)), sorted(set(found), reverse=True))  # each once
    return set(found)


def pairs_of(made):
    return frozenset(tuple(row) for row in made.table.tolist() if -1 not in row)


def groups_of(made, whose=None):
    """Groups as sets of (annotator, unit)."""
    whose = range(made.table.shape[1]) if whose is None else whose
    rows = made.table.tolist()
    return {frozenset((who, unit) for who, unit in zip(whose, row, strict=True) if unit >= 0) for row in rows}


def random_version(rng, letters, most_units, *, empty=False):
    """A text with units, empty ones among them if wanted, and uncovered letters before, between and after."""
    text, units = "", []
    for _ in range(int(rng.integers(0, most_units + 1))):
        text += "".join(rng.choice(list(letters), rng.choice([0, 0, 0, 1, 2])))
        size = int(rng.choice([0, 1, 2] if empty else [1, 1, 2, 3]))
        units.append((len(text), len(text) + size, ("X", "X", "Y", None)[rng.integers(4)]))
        text += "".join(rng.choice(list(letters), size))
    return Version(text + "".join(rng.choice(list(letters), rng.choice([0, 0, 0, 1, 2]))), tuple(units))


def random_crowd(seed, n, most_units, **more):
    """Some versions, unrelated or of one origin, and gap costs."""
    rng = np.random.default_rng(seed)
    letters = LETTERS[: rng.integers(1, 4)]
    versions = [random_version(rng, letters, most_units, **more) for _ in range(n)]
    if rng.random() < 0.5:
        versions = [edited(rng, versions[0], letters) for _ in range(n)]
    return versions, int(rng.integers(1, 4)), int(rng.integers(1, 4))


def edited(rng, version, letters):
    """Change a letter, the labels, and merge two units or split one."""
    text, units = version.text, [(start, end, LABELS[rng.integers(2)]) for start, end, _ in version.units]
    if text and rng.random() < 0.7:
        place = int(rng.integers(len(text)))
        text = text[:place] + letters[rng.integers(len(letters))] + text[place + 1 :]
    unit = int(rng.integers(max(len(units), 1)))
    change = rng.random()
    if change < 0.4 and unit + 1 < len(units):
        units[unit : unit + 2] = [(units[unit][0], units[unit + 1][1], units[unit][2])]
    elif change > 0.7 and units and units[unit][1] - units[unit][0] > 1:
        start, end, label = units[unit]
        units[unit : unit + 1] = [(start, start + 1, label), (start + 1, end, "X")]
    return Version(text, tuple(units))


def in_blocks(n_default, n_slow):
    return [*range(n_default), *(pytest.param(k, marks=pytest.mark.slow) for k in range(n_default, n_slow))]


# --- the oracle against itself -----------------------------------------------------------------------------------


def test_the_oracle_lists_what_costs_least():
    for seed in range(300):
        (one, other), gap_text, gap_boundary = random_crowd(seed, 2, 1, empty=seed % 2 == 0)
        if len(one.text) + len(other.text) > 7:
            continue
        every = list(alignments(one, other, gap_text, gap_boundary, optimal=False))
        least = min(cost for _, cost in every)
        expected = [columns for columns, cost in every if cost == least]
        found = [columns for columns, _ in alignments(one, other, gap_text, gap_boundary)]
        assert sorted(map(str, found)) == sorted(map(str, expected))


def test_the_oracle_counts_all_ways_to_leave_letters_out():
    # nothing matches, so that only the order of n + m gaps is free
    assert len(list(alignments(parse("aaa"), parse("bb")))) == 10
    assert len(list(alignments(parse("aaa"), parse("bb"), every_order=False))) == 1


@pytest.mark.parametrize("empty", [False, True])
def test_the_oracles_agree(empty):
    for seed in range(300):
        (one, other), gap_text, gap_boundary = random_crowd(seed, 2, 3, empty=empty)
        found = {by_markers(columns, one, other) for columns, _ in alignments(one, other, gap_text, gap_boundary)}
        assert found == annotation_alignments(one, other, gap_text, gap_boundary)
        value = by_program(one, other, gap_text, gap_boundary)
        assert value == min(cost_of(pairs, one, other) for pairs in found)


def by_program(one, other, gap_text, gap_boundary, program=least_value):
    """The least cost of the units, by the dynamic program."""
    opening, closing = len(LETTERS), len(LETTERS) + 1
    sides = [marked(version, opening, closing) for version in (one, other)]
    weights = np.array([gap_text] * len(LETTERS) + [gap_boundary] * 2)
    saving = np.array(
        [[2 * (2 - d_nominal(one, u, other, v)) for v in range(len(other.units))] for u in range(len(one.units))],
        dtype=np.int64,
    ).reshape(len(one.units), len(other.units))
    value = program(*sides, weights, opening, closing, saving)
    return len(one.units) + len(other.units) - Fraction(int(-value % BIG), 2)


def marked(version, opening, closing):
    edition = edition_of(version)
    layer, number = edition.layers[0], np.arange(len(version.units))
    sequence = np.full(len(version.text) + 2 * len(number), -1)
    sequence[layer.start + 2 * number], sequence[layer.end + 2 * number + 1] = opening, closing
    sequence[sequence < 0] = edition.text
    return sequence


def d_nominal(one, u, other, v):
    labels = {one.units[u][2], other.units[v][2]}
    text = one.covered(u) != other.covered(v)
    return Fraction(int(text)) if labels == {None} else Fraction(text + (len(labels) > 1), 2)


# --- two annotators ----------------------------------------------------------------------------------------------


def check_pair(seed, *, most_units, empty=False):
    """One pair, and the same swapped, against every optimal sequence alignment."""
    (one, other), gap_text, gap_boundary = random_crowd(seed, 2, most_units, empty=empty)
    every = {}
    symbols = sequence(one)[0]
    for columns, _ in alignments(one, other, gap_text, gap_boundary):
        pairs = by_markers(columns, one, other)
        assert empty or pairs == by_span(columns, one, other), seed
        matched = [symbols[i] for i, j in columns if i is not None and j is not None]
        every.setdefault(pairs, set()).add(2 * matched.count(OPENING) + 2 * matched.count(CLOSING))
    least = min(cost_of(pairs, one, other) for pairs in every)
    made, swapped = (aligned(versions, gap_text, gap_boundary) for versions in ((one, other), (other, one)))
    assert made.total == pytest.approx(float(least), abs=1e-9), seed
    assert made.bound == made.total
    assert swapped.total == made.total, seed
    chosen = pairs_of(made)
    assert cost_of(chosen, one, other) == least, seed
    assert made.n_matched[0, 1] in every[chosen], seed
    assert pairs_of(swapped) == {(v, u) for u, v in chosen}, seed
    assert swapped.n_matched[0, 1] == made.n_matched[0, 1] == made.n_matched[1, 0], seed
    for who, version in enumerate((one, other)):
        assert sorted(unit for unit in made.table[:, who].tolist() if unit >= 0) == [*range(len(version.units))], seed
    if seed % 5 == 0:
        assert candidates(one, other, gap_text, gap_boundary) == set().union(*every), seed


@pytest.mark.parametrize("block", in_blocks(2, 100))
@pytest.mark.usefixtures("fast")
def test_equal_to_all_optimal_sequence_alignments(block):
    for seed in range(block * N_CASES, (block + 1) * N_CASES):
        check_pair(seed, most_units=3)


@pytest.mark.parametrize("block", in_blocks(1, 20))
@pytest.mark.usefixtures("fast")
def test_equal_with_empty_units(block):
    for seed in range(block * N_CASES, (block + 1) * N_CASES):
        check_pair(seed, most_units=4, empty=True)


@pytest.mark.parametrize("empty", [False, True])
def test_equal_without_machine_code(monkeypatch, empty):
    monkeypatch.setattr(switch, "_on", False)
    for seed in range(100):
        check_pair(seed, most_units=3, empty=empty)


def costs_of(samples, costs, **more):
    """What samples of editions cost, aligned together."""
    stack = stacked_editions([edition for own in samples for edition in own])
    edges = np.cumsum([0, *map(len, samples)])
    return least_costs(stack, edges, 0, BOUND, costs, **more)


@pytest.mark.parametrize("many", [200, pytest.param(5000, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("fast")
def test_samples_cost_the_same_alone_and_together(many):
    samples = []
    for seed in range(many):
        versions, _, _ = random_crowd(seed, (2, 2, 3, 3, 4, 5)[seed % 6], 4 if seed % 6 < 4 else 3)
        samples.append([edition_of(all_labelled(version)) for version in versions])
    for costs in (GapCosts(1, 1), GapCosts(2, 1)):
        cost, bound = costs_of(samples, costs)
        for index, own in enumerate(samples):
            assert [cost[index], bound[index]] == [one[0] for one in costs_of([own], costs)], index
            (made,) = align_all([own], costs)
            if len(own) == 2:
                assert cost[index] == bound[index] == pytest.approx(made.total, abs=1e-9), index
            # of three and more, each is the least cost if it reaches the bound of either
            assert bound[index] <= made.total + 1e-9, index
            assert made.bound <= cost[index] + 1e-9, index


def test_samples_cost_the_same_without_machine_code(monkeypatch):
    samples = []
    for seed in range(150):
        versions, _, _ = random_crowd(seed, (2, 3, 4)[seed % 3], 3)
        samples.append([edition_of(all_labelled(version)) for version in versions])
    found = []
    for on in (False, True):
        monkeypatch.setattr(switch, "_on", on)
        found.append(costs_of(samples, GapCosts(1, 2)))
    np.testing.assert_array_equal(*found)


@pytest.mark.usefixtures("fast")
def test_samples_against_every_choice():
    best = []
    for seed in range(200):
        versions, gap_text, gap_boundary = random_crowd(seed, 3, 3)
        versions = [all_labelled(version) for version in versions]
        cost, bound = costs_of([[edition_of(one) for one in versions]], GapCosts(gap_text, gap_boundary))
        least = float(least_grouping(versions, gap_text, gap_boundary))
        assert bound[0] - 1e-9 <= least <= cost[0] + 1e-9, seed
        best.append(cost[0] <= least + 1e-9)
    assert np.mean(best) > 0.98


@pytest.mark.usefixtures("fast")
def test_samples_with_many_cells_are_aligned_one_by_one(monkeypatch):
    crowds = [random_crowd(seed, (2, 3, 4)[seed % 3], 3)[0] for seed in range(60)]
    samples = [[edition_of(all_labelled(version)) for version in versions] for versions in crowds]
    plain, aligned_plain = costs_of(samples, GapCosts()), align_all(samples, GapCosts())
    for most in (0, 100):
        monkeypatch.setattr(texts, "_MOST_TOGETHER", most)
        np.testing.assert_array_equal(costs_of(samples, GapCosts()), plain)
        assert align_all(samples, GapCosts()) == aligned_plain


@pytest.mark.usefixtures("fast")
def test_hard_samples_are_left_to_the_solver(monkeypatch):
    samples = []
    for seed in range(60):
        versions, _, _ = random_crowd(seed, 3, 4)
        samples.append([edition_of(all_labelled(version)) for version in versions])
    plain = costs_of(samples, GapCosts())
    monkeypatch.setattr(texts, "group_units", lambda units, *_: np.full(units[-1], -1))
    left = costs_of(samples, GapCosts())
    assert (left[1] <= plain[0] + 1e-9).all()
    assert (plain[1] <= left[0] + 1e-9).all()
    assert np.mean(np.abs(left[0] - plain[0]) < 1e-9) > 0.9


def all_labelled(version):
    return Version(version.text, tuple((start, end, label or "X") for start, end, label in version.units))


@pytest.mark.parametrize(("gap_text", "gap_boundary"), [(1, 32), (32, 1), (7, 5), (0.1, 0.3), (2.5, 1)])
@pytest.mark.usefixtures("fast")
def test_other_gap_costs(gap_text, gap_boundary):
    whole = int(10 * gap_text), int(10 * gap_boundary)
    for seed in range(60):
        (one, other), _, _ = random_crowd(seed, 2, 3)
        least = min(cost_of(pairs, one, other) for pairs in annotation_alignments(one, other, *whole))
        assert aligned([one, other], gap_text, gap_boundary).total == pytest.approx(float(least), abs=1e-9), seed


@pytest.mark.parametrize(
    ("gap_text", "gap_boundary", "weights"), [(1, 1, (1, 1)), (2, 4, (1, 2)), (0.1, 0.3, (1, 3)), (2.5, 1, (5, 2))]
)
def test_gap_costs_as_whole_numbers(gap_text, gap_boundary, weights):
    assert GapCosts(gap_text, gap_boundary).weights == weights


@pytest.mark.parametrize("cost", [0, -1, float("nan"), float("inf")])
def test_gap_costs_that_cannot_be(cost):
    with pytest.raises(OptionError, match="gap_text: expected a number"):
        GapCosts(cost, 1)
    with pytest.raises(OptionError, match="gap_boundary: expected a number"):
        GapCosts(1, cost)


@pytest.mark.parametrize("cost", [33, 1 / 3, 0.01])
def test_gap_costs_without_a_simple_ratio(cost):
    with pytest.raises(OptionError, match="no simple ratio"):
        GapCosts(1, cost)


@pytest.mark.usefixtures("way")
def test_texts_that_repeat_themselves_too_much(monkeypatch):
    monkeypatch.setattr(sequences, "MOST_CELLS", 1000)
    monkeypatch.setattr(sequences, "_FEW_CELLS", 1000)
    one, other = parse("{a|X}" * 60), parse("{a|X}" * 30)
    with pytest.raises(
        DataError, match="the texts, of 90 and 180 characters and boundaries, repeat themselves so much"
    ):
        aligned([one, other])


# --- the paper's examples (§4) -----------------------------------------------------------------------------------


def written(*notations, **more):
    return [parse(notation, "X", **more) for notation in notations]


def corpus_of(*versions):
    return Corpus.from_columns(**columns_of(*versions))


def measured(*versions, **options):
    """The alignment of a whole corpus of one document."""
    return align_texts(corpus_of(*versions), **options)["d"]


def known_to(*versions):
    return bound("".join(sorted({letter for version in versions for letter in version.text})))


def both_ways(one, other, **gaps):
    """The least disorder, which the order of annotators must not change."""
    found = [measured(*versions, **gaps).disorder for versions in ((one, other), (other, one))]
    assert found[0] == found[1]
    return found[0]


def can_align(one, other, gap_text=1, gap_boundary=1):
    """All ways in which units can be aligned; the package must know the same pairs."""
    every = annotation_alignments(one, other, gap_text, gap_boundary)
    found = candidates(one, other, gap_text, gap_boundary, known_to(one, other))
    assert found == set().union(*every)
    return {tuple(sorted(pairs)) for pairs in every}


TRANSCRIBED = (
    f"{{sambt}} {{aller}} {{vin{MARK}stendicheit}} {{vthgelacht}} {{/}}",
    f"{{sambt}} {{aller}} {{vm{MARK}stendicheit}} {{vthgelacht}} {{/}}",
)


@pytest.mark.parametrize("graphemes", [False, True])
def test_example_1_two_transcriptions(graphemes):
    one, other = written(*TRANSCRIBED)
    made = measured(one, other, graphemes=graphemes)
    assert [[unit.start for unit in row.units.values()] for row in made][-1] == [39, 38]
    assert [row.differs for row in made] == [(), (), ("text",), (), ()]
    assert made.disorder == pytest.approx(0.5 / 5)


def test_example_1_positions_of_the_last_token_are_those_of_the_paper():
    found = editions(corpus_of(*written(*TRANSCRIBED)), (), graphemes=True)
    assert [int(edition.layers[0].start[-1]) for edition in found.of_document[0]] == [38, 37]


def test_example_2_three_sequences():
    versions = written("{vor}{war}", "{vour}{wahr}", "{fur}{wahr}")
    made = measured(*versions)
    assert made.solution.table.tolist() == [[0, 2, 4], [1, 3, 5]]
    assert made.optimality_gap == 0.0
    # vor, vour and fur differ all; war differs from wahr: 1/2 of each pair with another text
    assert made.disorder == pytest.approx((0.5 + 2 / 3 * 0.5) / 2)


def test_example_3_mismatches_are_not_matched():
    every = list(alignments(parse("hats"), parse("hatt")))
    assert {cost for _, cost in every} == {2}
    assert all((3, 3) not in columns for columns, _ in every)


def test_examples_4_and_5_hat_and_hatt_can_be_aligned():
    one, other = written("{hat}{s}", "{hatt}")
    assert can_align(one, other) == {(), ((0, 0),)}
    assert both_ways(one, other) == pytest.approx(1.0)


def test_examples_6_and_7_boundaries_two_letters_apart_can_be_aligned():
    one, other = written("{a}{bbc}", "{abb}{c}")
    assert can_align(one, other) == {(), ((0, 0), (1, 1))}
    assert {cost for _, cost in alignments(one, other)} == {4}
    assert both_ways(one, other) == pytest.approx(0.5)


def test_examples_8_and_9_boundaries_one_letter_apart_are_aligned():
    one, other = written("{a}{bc}", "{ab}{c}")
    assert can_align(one, other) == {((0, 0), (1, 1))}
    assert both_ways(one, other) == pytest.approx(0.5)


def test_examples_10_and_11_boundaries_three_letters_apart_are_not_aligned():
    one, other = written("{a}{bbbc}", "{abbb}{c}")
    assert can_align(one, other) == {()}
    assert both_ways(one, other) == pytest.approx(2.0)


@pytest.mark.parametrize("gap_boundary", [0.5, 1, 1.5, 2, 2.5, 3])
@pytest.mark.parametrize("apart", range(1, 8))
def test_how_far_apart_boundaries_of_neighbours_can_be(apart, gap_boundary):
    one, other = written("{a}{" + "b" * apart + "c}", "{a" + "b" * apart + "}{c}")
    found = can_align(one, other, 1, gap_boundary)
    if apart < 2 * gap_boundary:
        assert found == {((0, 0), (1, 1))}
    elif apart == 2 * gap_boundary:
        assert found == {(), ((0, 0), (1, 1))}
    else:
        assert found == {()}
    expected = 0.5 if apart <= 2 * gap_boundary else 2.0
    assert both_ways(one, other, gap_boundary=gap_boundary) == pytest.approx(expected)


@pytest.mark.parametrize("gap_boundary", [1, 2, 3])
@pytest.mark.parametrize("apart", range(1, 5))
def test_a_boundary_that_no_other_unit_shares_can_be_half_as_far_apart(apart, gap_boundary):
    # two markers stand alone there, not four
    one, other = written("b" * apart + "{c}", "{" + "b" * apart + "c}")
    found = can_align(one, other, 1, gap_boundary)
    assert (() in found, ((0, 0),) in found) == (apart >= gap_boundary, apart <= gap_boundary)


def test_example_12_the_order_of_gaps_does_not_matter():
    assert len(list(alignments(parse("vins"), parse("vms")))) == 3
    one, other = written("{vins}", "{vms}")
    assert can_align(one, other) == {((0, 0),)}
    assert both_ways(one, other) == pytest.approx(0.5)


def test_example_13_boundaries_are_aligned_if_possible():
    one, other = written("{ne}{mag}", "{mag}")
    assert can_align(one, other) == {(), ((1, 0),)}
    assert pairs_of(aligned([one, other], known=known_to(one))) == {(1, 0)}
    assert both_ways(one, other) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        ("{hat}{s}", "{hatt}", 1.0),
        ("{a}{bbc}", "{abb}{c}", 0.5),
        ("{a}{bc}", "{ab}{c}", 0.5),
        ("{a}{bbbc}", "{abbb}{c}", 2.0),
        ("{vins}", "{vms}", 0.5),
        ("{ne}{mag}", "{mag}", 2 / 3),
        ("{aab|Y}", "{ba|X}{aa|Y}", 1.0),
        ("{a|X}{a|Y}", "{a|Y}", 2 / 3),
    ],
)
@pytest.mark.usefixtures("way")
def test_least_disorder_of_small_examples(one, other, least):
    versions = written(one, other)
    assert both_ways(*versions) == pytest.approx(least)
    assert float(least_disorder(*versions)) == pytest.approx(least)


@pytest.mark.parametrize("n", [10, pytest.param(100, id="100")])
@pytest.mark.usefixtures("fast")
def test_twice_as_many_identical_tokens(n):
    one, other = parse("{a|X} " * (2 * n)), parse("{a|X} " * n)
    assert both_ways(one, other) == pytest.approx(n / (1.5 * n))
    rng = np.random.default_rng(n)
    one, other = (
        Version(version.text, tuple((start, end, LABELS[rng.integers(2)]) for start, end, _ in version.units))
        for version in (one, other)
    )
    made = aligned([one, other], known=bound("a "))
    # every one of the n can meet one of its label: the longest common subsequence of labels decides
    labels = ["".join(unit[2] for unit in version.units) for version in (one, other)]
    assert made.total == pytest.approx(n + 0.5 * (n - common(*labels)))
    assert aligned([other, one], known=bound("a ")).total == made.total


def common(one, other):
    """The most labels that can be the same if all of the shorter are paired in order with some of the longer."""
    before = [0] + [-1] * len(other)
    for label in one:
        before = [0] + [
            max(before[j], before[j - 1] + (label == other[j - 1]) if before[j - 1] >= 0 else -1)
            for j in range(1, len(other) + 1)
        ]
    return before[-1]


# --- what must not matter ----------------------------------------------------------------------------------------


def changed(version, text=lambda text: text, unit=lambda start, end, label: (start, end, label)):
    return Version(text(version.text), tuple(sorted((unit(*one) for one in version.units), key=lambda one: one[:2])))


def in_front(version, prefix):
    return changed(version, lambda text: prefix + text, lambda s, e, label: (s + len(prefix), e + len(prefix), label))


def backwards(version):
    size = len(version.text)
    return changed(version, lambda text: text[::-1], lambda start, end, label: (size - end, size - start, label))


SAME = {
    # letters that also stand in units: what they could match instead changes no pair of units
    "text in front": lambda one: in_front(one, "abca"),
    "text at the end": lambda one: changed(one, lambda text: text + "abca"),
    "other names of labels": lambda one: changed(one, unit=lambda s, e, label: (s, e, {"X": "Z", "Y": "A"}.get(label))),
    "other letters": lambda one: changed(one, lambda text: text.translate(str.maketrans("abc", "cxa"))),
    "backwards": backwards,
}


@pytest.mark.parametrize("change", SAME)
@pytest.mark.usefixtures("fast")
def test_the_least_disorder_stays_the_same(change):
    known = bound("abcxy", ("A", "X", "Y", "Z"))
    for seed in range(100):
        versions, gap_text, gap_boundary = random_crowd(seed, 2, 3)
        if any(version.units for version in versions):
            expected = disorder(versions, gap_text, gap_boundary, known)
            found = disorder([SAME[change](one) for one in versions], gap_text, gap_boundary, known)
            assert found == pytest.approx(expected, abs=1e-12), seed


@pytest.mark.usefixtures("fast")
def test_only_the_ratio_of_gap_costs_matters():
    for seed in range(100):
        versions, gap_text, gap_boundary = random_crowd(seed, 2, 3)
        one, other = (aligned(versions, gap_text * by, gap_boundary * by) for by in (1, 0.25))
        assert (one.table == other.table).all()


@pytest.mark.usefixtures("fast")
def test_no_pair_costs_more_than_an_empty_unit():
    # inequality (1): d ≤ Δ∅, so that the disorder of n annotators is at most n
    for seed in range(200):
        n = 2 + seed % 2
        versions, gap_text, gap_boundary = random_crowd(seed, n, 3)
        made = aligned(versions, gap_text, gap_boundary)
        assert (made.cost >= 0).all()
        assert (made.cost <= 1 + 1e-12).all()


@pytest.mark.parametrize(
    ("one", "other", "total"),
    [
        ("", "", 0.0),
        ("abc", "", 0.0),
        ("abc", "cab", 0.0),
        ("{a}{b}", "", 2.0),
        ("{a}{b}", "ab", 2.0),
        ("{}", "", 1.0),
        ("{}", "{}", 0.0),
        ("{}{}{}", "{}", 2.0),
        ("{|Y}{|X}", "{|X}", 1.0),
    ],
)
@pytest.mark.usefixtures("way")
def test_nothing_to_align(one, other, total):
    versions = written(one, other)
    assert aligned(versions).total == pytest.approx(total)
    assert aligned(versions[::-1]).total == pytest.approx(total)


# --- three annotators and more -----------------------------------------------------------------------------------


def check_crowd(seed, n, most_units, *, orders=0):
    """Some annotators against every choice of groups; give whether the best was found, and proven."""
    versions, gap_text, gap_boundary = random_crowd(seed, n, most_units)
    made = aligned(versions, gap_text, gap_boundary)
    least = float(least_grouping(versions, gap_text, gap_boundary))
    groups = groups_of(made)
    together = [dict(group) for group in groups]
    assert can_come_together(together, versions, gap_text, gap_boundary), seed
    assert sorted(unit for group in groups for unit in group) == [
        (who, unit) for who, version in enumerate(versions) for unit in range(len(version.units))
    ], seed
    assert made.total == pytest.approx(float(sum(group_cost(group, versions) for group in together)), abs=1e-9), seed
    assert made.bound <= least + 1e-9, seed
    assert made.total >= least - 1e-9, seed
    best, proven = made.total <= least + 1e-9, relative_gap(made.total, made.bound) == 0.0
    assert best or not proven, seed
    for order in list(itertools.permutations(range(n)))[1 : orders + 1]:
        again = aligned([versions[who] for who in order], gap_text, gap_boundary)
        assert again.total == pytest.approx(made.total, abs=1e-12), (seed, order)
        assert again.bound == pytest.approx(made.bound, abs=1e-9), (seed, order)
        assert groups_of(again, order) == groups, (seed, order)
        assert (again.n_matched == made.n_matched[np.ix_(order, order)]).all(), (seed, order)
    return best, proven


@pytest.mark.parametrize(("n", "most_units", "block"), [(3, 3, 0), (4, 2, 0), (5, 1, 0)])
@pytest.mark.usefixtures("fast")
def test_groups_against_every_choice(n, most_units, block):
    size = 300 if n == 3 else 100
    found = [check_crowd(seed, n, most_units) for seed in range(block * size, (block + 1) * size)]
    assert np.mean([best for best, _ in found]) > 0.98
    assert np.mean([proven for _, proven in found]) > 0.96


@pytest.mark.slow
@pytest.mark.parametrize(("n", "most_units"), [(3, 3), (3, 4), (4, 3), (5, 2)])
@pytest.mark.usefixtures("fast")
def test_more_groups_against_every_choice(n, most_units):
    found = [check_crowd(seed, n, most_units, orders=5) for seed in range(10_000, 11_000)]
    assert np.mean([best for best, _ in found]) > 0.98


@pytest.mark.parametrize(("n", "most_units"), [(3, 3), (4, 2)])
@pytest.mark.usefixtures("fast")
def test_the_order_of_annotators_plays_no_part(n, most_units):
    for seed in range(5000, 5020):
        check_crowd(seed, n, most_units, orders=24 if seed < 5004 else 5)


def test_groups_without_machine_code(monkeypatch):
    monkeypatch.setattr(switch, "_on", False)
    for seed in range(30):
        check_crowd(seed, 3, 3)


@pytest.mark.parametrize("n", [3, 4, 5, 12])
@pytest.mark.usefixtures("fast")
def test_annotators_who_agree(n):
    version = parse("{ab|X} {a|Y}{a|X} c {}{b}")
    made = aligned([version] * n, known=bound("abc "))
    assert groups_of(made) == {frozenset((who, unit) for who in range(n)) for unit in range(5)}
    assert made.total == made.bound == 0.0


@pytest.mark.parametrize("n", [4, 5, 11])
@pytest.mark.usefixtures("fast")
def test_many_annotators_keep_to_the_definition(n):
    for seed in range(6):
        versions, gap_text, gap_boundary = random_crowd(seed, n, 4)
        made = aligned(versions, gap_text, gap_boundary)
        assert can_come_together([dict(group) for group in groups_of(made)], versions, gap_text, gap_boundary)
        assert made.bound <= made.total
        order = np.random.default_rng(seed).permutation(n).tolist()
        again = aligned([versions[who] for who in order], gap_text, gap_boundary)
        assert again.total == pytest.approx(made.total, abs=1e-12)


@pytest.mark.usefixtures("fast")
def test_groups_of_two_annotators_are_the_best_pairs():
    # the way that three and more are aligned, with only two
    for seed in range(150):
        versions, gap_text, gap_boundary = random_crowd(seed, 2, 3)
        two = stacked_editions([edition_of(version) for version in versions])
        costs = GapCosts(gap_text, gap_boundary)
        pairs = texts._Pairs(two, np.array([0, 2]), 0, BOUND, costs, complete=False)
        made = texts._Several(pairs, np.array([0]), None, 0.0).alignment(0)
        assert made.total == pytest.approx(aligned(versions, gap_text, gap_boundary).total, abs=1e-9), seed


@pytest.mark.usefixtures("fast")
def test_without_time_the_groups_still_keep_to_the_definition():
    for seed in range(40):
        versions, gap_text, gap_boundary = random_crowd(seed, 3, 3)
        costs = GapCosts(gap_text, gap_boundary)
        (made,) = align_all([[*map(edition_of, versions)]], costs, time_limit=1e-9)
        assert can_come_together([dict(group) for group in groups_of(made)], versions, gap_text, gap_boundary)
        assert made.bound <= float(least_grouping(versions, gap_text, gap_boundary)) + 1e-9
        assert made.bound <= made.total


@pytest.mark.usefixtures("fast")
def test_too_many_candidates_leave_a_plain_bound(monkeypatch):
    monkeypatch.setattr(texts, "_TOO_MANY", 0)
    for seed in range(100):
        versions, gap_text, gap_boundary = random_crowd(seed, 3, 3)
        made = aligned(versions, gap_text, gap_boundary)
        sizes = [len(version.units) for version in versions]
        plain = max(sizes) - sum(min(a, b) for a, b in combinations(sizes, 2)) / 3
        assert made.bound == pytest.approx(min(plain, made.total)) or made.bound == pytest.approx(made.total)
        assert can_come_together([dict(group) for group in groups_of(made)], versions, gap_text, gap_boundary)
