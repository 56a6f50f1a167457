"""Scripts written for pygamma-agreement run on unisono."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import unisono
from unisono.compat.pygamma import (
    AbsoluteCategoricalDissimilarity,
    AbstractDissimilarity,
    Alignment,
    CombinedCategoricalDissimilarity,
    Continuum,
    LambdaCategoricalDissimilarity,
    LevenshteinCategoricalDissimilarity,
    NumericalCategoricalDissimilarity,
    OrdinalCategoricalDissimilarity,
    PositionalSporadicDissimilarity,
    PrecomputedCategoricalDissimilarity,
    Segment,
    SetPartitionError,
    ShuffleContinuumSampler,
    Unit,
    UnitaryAlignment,
)

ROWS = [
    ("anna", 2, 9, "1"),
    ("anna", 11, 17, "2"),
    ("anna", 24, 30, "5"),
    ("bert", 2, 9, "1"),
    ("bert", 12, 18, "3"),
    ("bert", 32, 44, "6"),
    ("chris", 3, 9, "1"),
    ("chris", 21, 27, "5"),
]
REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "pygamma_tests"


@pytest.fixture
def continuum() -> Continuum:
    made = Continuum()
    for who, start, end, label in ROWS:
        made.add(who, Segment(start, end), label)
    return made


class Squared(AbstractDissimilarity):
    """Positions and labels by formulas of one's own: those of the classes that there are."""

    def d(self, unit1, unit2):
        one, other = unit1.segment, unit2.segment
        apart = abs(one.start - other.start) + abs(one.end - other.end)
        return 3 * (apart / (one.duration + other.duration)) ** 2 + 2 * (unit1.annotation != unit2.annotation)


class FirstLetter(LambdaCategoricalDissimilarity):
    @staticmethod
    def cat_dissim_func(str1, str2):
        return 4.0 if str1[0] != str2[0] else 1.0


def test_gamma_is_that_of_unisono(continuum):
    results = continuum.compute_gamma(CombinedCategoricalDissimilarity(alpha=3, beta=2), precision_level="low")
    corpus = unisono.Corpus.from_columns(
        annotator=[row[0] for row in ROWS],
        start=[row[1] for row in ROWS],
        end=[row[2] for row in ROWS],
        features={"category": [row[3] for row in ROWS]},
        bounds={"document": (0, 44)},
    )
    own = unisono.gamma(corpus, alpha=3, beta=2, chance="statistical", precision=0.05)
    assert (results.gamma, results.observed_disorder, results.expected_disorder, results.n_samples) == pytest.approx(
        (own.value, own.observed, own.expected, own.n_samples), rel=1e-12
    )
    assert results.gamma_cat == pytest.approx(own.gamma_cat, rel=1e-12)
    assert results.gamma_k("1") == 1
    assert results.alignments_nb == len(results.best_alignment.unitary_alignments)
    low, high = results.approx_gamma_range
    assert low < results.gamma < high
    by_paper = continuum.compute_gamma(sampler=ShuffleContinuumSampler(), fast=True)
    assert by_paper.result.chance == "shift"
    assert by_paper.gamma != results.gamma


def test_a_dissimilarity_of_ones_own_is_called_for_pairs(continuum):
    own = continuum.get_best_alignment(Squared())
    given = continuum.get_best_alignment(CombinedCategoricalDissimilarity(alpha=3, beta=2))
    assert own.disorder == pytest.approx(given.disorder, rel=1e-12)
    assert own.compute_disorder(Squared()) == pytest.approx(own.disorder, rel=1e-12)
    assert continuum.get_fast_alignment(Squared(), 3).disorder == pytest.approx(own.disorder)


@pytest.mark.parametrize(
    "categories",
    [
        AbsoluteCategoricalDissimilarity(),
        PrecomputedCategoricalDissimilarity("1236" + "5", [[0 if a == b else 0.5 for a in range(5)] for b in range(5)]),
        LevenshteinCategoricalDissimilarity("12356"),
        OrdinalCategoricalDissimilarity("65321"),
        OrdinalCategoricalDissimilarity("12356", p=[0, 1, 5, 9, 20]),
        NumericalCategoricalDissimilarity("12356"),
        FirstLetter("12356"),
    ],
    ids=lambda one: type(one).__name__,
)
@pytest.mark.parametrize("delta_empty", [1.0, 0.5])
def test_what_is_computed_is_what_d_says(continuum, categories, delta_empty):
    combined = CombinedCategoricalDissimilarity(2, 0.7, delta_empty, cat_dissim=categories)
    best = continuum.get_best_alignment(combined)
    assert best.disorder == pytest.approx(best.compute_disorder(combined), rel=1e-9)

    class ByPairs(AbstractDissimilarity):
        def d(self, unit1, unit2):
            return combined.d(unit1, unit2)

    assert continuum.get_best_alignment(ByPairs(delta_empty=delta_empty)).disorder == pytest.approx(best.disorder)


def test_positions_or_labels_alone(continuum):
    for alone in (PositionalSporadicDissimilarity(), NumericalCategoricalDissimilarity(continuum.categories)):
        results = continuum.compute_gamma(alone, precision_level=0.05)
        assert results.observed_disorder == pytest.approx(results.best_alignment.compute_disorder(alone))
        with pytest.raises(ValueError, match="CombinedCategoricalDissimilarity"):
            _ = results.gamma_cat


def test_values_that_do_not_exist_are_not_numbers(continuum):
    lone = Continuum()
    lone.add("anna", Segment(0, 10), "a")
    lone.add_annotator("bert")
    results = lone.compute_gamma()
    assert results.gamma <= 0
    with pytest.warns(UserWarning, match="there is no value: no two units"):
        assert math.isnan(results.gamma_cat)
    with pytest.raises(ValueError, match="there is no category 'x'; the data has: 1, 2, 3, 5, 6"):
        continuum.compute_gamma(precision_level=0.05).gamma_k("x")
    with pytest.raises(AssertionError, match="two annotators"):
        Continuum().get_best_alignment(Squared())


def test_a_continuum_is_what_was_put_into_it(continuum, tmp_path):
    assert (len(continuum), continuum.num_units, continuum.avg_num_annotations_per_annotator) == (3, 8, 8 / 3)
    assert continuum.categories == ["1", "2", "3", "5", "6"]
    assert continuum.category_weights["1"] == 3 / 8
    assert continuum.bounds == (0, 44)
    assert continuum["chris", 1] == Unit(Segment(21, 27), "5")
    path = tmp_path / "rows.csv"
    continuum.to_csv(path)
    assert Continuum.from_csv(path) == continuum
    more = Continuum()
    more.add("dora", Segment(50, 60))
    more.add_annotator("emil")
    merged = continuum + more
    assert (merged.num_annotators, merged.num_units, merged.bounds) == (5, 9, (0, 60))
    assert continuum.merge(more, in_place=True) is None
    assert continuum == merged
    continuum.remove("dora", Unit(Segment(50, 60)))
    assert continuum != merged
    with pytest.raises(KeyError):
        continuum.remove("emil", Unit(Segment(50, 60)))
    merged.reset_bounds()
    assert merged.bounds == (2, 60)


def test_files_with_tiers_and_speakers(tmp_path):
    grid = tmp_path / "x.TextGrid"
    interval = '"IntervalTier" "{}" 0 9 1 2 3 "{}" '
    grid.write_text(
        '"ooTextFile short" "TextGrid" 0 9 <exists> 2 ' + interval.format("anna", "S") + interval.format("bert", "T")
    )
    both, one = Continuum(), Continuum()
    both.add_textgrid("me", grid)
    one.add_textgrid("me", grid, selected_tiers=["bert"], use_tier_as_annotation=True)
    assert [*both] == [("me", Unit(Segment(2, 3), "S")), ("me", Unit(Segment(2, 3), "T"))]
    assert [*one] == [("me", Unit(Segment(2, 3), "bert"))]
    spoken = tmp_path / "x.rttm"
    spoken.write_text("SPEAKER anna 1 0.5 2.0 <NA> <NA> A <NA> <NA>\nSPEAKER bert 1 0.5 1.5 <NA> <NA> B <NA> <NA>\n")
    assert [*Continuum.from_rttm(spoken)] == [
        ("anna", Unit(Segment(0.5, 2.5), "A")),
        ("bert", Unit(Segment(0.5, 2.0), "B")),
    ]


def test_bad_rows_are_left_out_or_rejected(tmp_path, capsys):
    path = tmp_path / "rows.csv"
    path.write_text("anna,A,1,2\nanna,B,x,2\nbert,A,5,3\n")
    assert Continuum.from_csv(path).num_units == 1
    assert "Discarded invalid row 2" in capsys.readouterr().out
    with pytest.raises(ValueError, match="line 2"):
        Continuum.from_csv(path, discard_invalid_rows=False)


def test_an_alignment_contains_every_unit_once(continuum):
    best = continuum.get_best_alignment(CombinedCategoricalDissimilarity())
    Alignment(best.unitary_alignments, continuum, check_validity=True)
    with pytest.raises(SetPartitionError, match="missing"):
        Alignment(best.unitary_alignments[1:]).check(continuum)
    with pytest.raises(SetPartitionError, match="twice"):
        Alignment([*best, best[0]], continuum, check_validity=True)
    lone = UnitaryAlignment([("anna", Unit(Segment(1, 5), "a")), ("bert", Unit(Segment(1, 5), "b")), ("chris", None)])
    assert lone.compute_disorder(CombinedCategoricalDissimilarity(delta_empty=0.5)) == pytest.approx(0.5)
    assert (lone.nb_units, lone.bounds) == (2, (1, 5))


def test_what_is_not_there_is_said(continuum):
    with pytest.raises(NotImplementedError, match="soft"):
        continuum.compute_gamma(soft=True)
    with pytest.raises(NotImplementedError, match="ground_truth_annotators"):
        continuum.compute_gamma(ground_truth_annotators=["anna"])
    with pytest.raises(NotImplementedError, match="ShuffleContinuumSampler"):
        continuum.compute_gamma(sampler=object())


@pytest.mark.skipif(not REAL.is_dir(), reason="the files of pygamma-agreement are not beside the project")
@pytest.mark.parametrize(
    ("name", "low", "high", "n_rows"), [("2by1000.csv", 0.39, 0.42, 1085), ("3by100.csv", 0.79, 0.81, 127)]
)
def test_files_of_pygamma_agreement(name, low, high, n_rows):
    """The bounds of γ and the number of unitary alignments are those in its own tests."""
    found = Continuum.from_csv(REAL / name).compute_gamma(CombinedCategoricalDissimilarity(alpha=3, beta=1))
    assert low <= found.gamma <= high
    assert found.alignments_nb == n_rows


def test_the_page_runs(capsys):
    page = (Path(__file__).parents[2] / "docs" / "coming-from-pygamma.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", page, flags=re.M | re.S)
    exec(block, {})
    assert len(capsys.readouterr().out.splitlines()) == 2
