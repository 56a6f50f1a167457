"""The shape of the evaluation of text-γ (Barteld et al. 2016, §7 and figure 2), with few magnitudes and repetitions.

The script that makes the whole figure is benchmarks/text_gamma_evaluation.py.
"""

from __future__ import annotations

import importlib.util
import sys
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

import unisono

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "text_gamma_evaluation.py"
MAGNITUDES = (0.0, 0.25, 0.5, 0.75, 1.0)
REPETITIONS = 2
BY_EXPECTED_CHANGE = ("Cat", "Cat + Seg", "Cat + Seg + Text")
MATCHING = {"a": "Cat", "b": "Cat + Seg", "c": "Cat + Seg + Text"}
EVERY_CURVE = list(product("abc", BY_EXPECTED_CHANGE))


@pytest.fixture(scope="module")
def script():
    if not SCRIPT.exists():
        pytest.skip("the folder benchmarks is not here")
    spec = importlib.util.spec_from_file_location(SCRIPT.stem, SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[SCRIPT.stem] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[SCRIPT.stem]


@pytest.fixture(scope="module")
def reference(script):
    return script.reference()


@pytest.fixture(scope="module")
def cells(script, reference):
    return {
        (setting, magnitude): [
            script.measured(reference, setting, magnitude, repetition) for repetition in range(REPETITIONS)
        ]
        for setting, magnitude in product("abc", MAGNITUDES)
    }


@pytest.fixture(scope="module")
def curves(script, cells):
    return {
        (setting, name): [points[magnitude].mean for magnitude in points]
        for setting, own in script.curves(cells).items()
        for name, points in own.items()
    }


def text_of(script, edition):
    return script.ALPHABET.spelled(edition.text)


def tokens_of(script, edition):
    text, layer = text_of(script, edition), edition.layers[0]
    return [text[start:end] for start, end in zip(layer.start.tolist(), layer.end.tolist(), strict=True)]


def test_reference_has_the_size_of_the_paper(script, reference):
    assert len(reference.edition.text) == 3706
    assert reference.edition.n_units == 608
    assert tokens_of(script, reference.edition) == text_of(script, reference.edition).split(" ")
    assert len(np.unique(reference.edition.layers[0].codes)) == 15


def test_reference_is_the_same_every_time(script, reference):
    again = script.reference()
    assert again.edition.key == reference.edition.key
    assert script.reference(seed=1).edition.key != reference.edition.key


def test_magnitude_zero_changes_nothing(script, reference):
    for kinds in script.SETTINGS.values():
        made = script.shuffled(reference, kinds, 0.0, np.random.default_rng(0))
        assert made.key == reference.edition.key


def test_shuffling_changes_as_many_units_as_it_says(script, reference):
    before = tokens_of(script, reference.edition)
    made = script.shuffled(reference, ("text",), 0.4, np.random.default_rng(1))
    changed = sum(one != other for one, other in zip(before, tokens_of(script, made), strict=True))
    assert changed == round(0.5 * 0.4 * 608)


def test_shuffling_of_labels_leaves_the_rest(script, reference):
    made = script.shuffled(reference, ("labels",), 0.5, np.random.default_rng(1))
    assert text_of(script, made) == text_of(script, reference.edition)
    assert tokens_of(script, made) == tokens_of(script, reference.edition)
    changed = (made.layers[0].codes != reference.edition.layers[0].codes).sum()
    assert 0.3 * 608 < changed < 0.5 * 608  # some get the label that they had


def test_shuffling_of_segmentation_leaves_the_text(script, reference):
    made = script.shuffled(reference, ("segmentation",), 1.0, np.random.default_rng(1))
    assert text_of(script, made) == text_of(script, reference.edition)
    before, after = (
        {*zip(edition.layers[0].start.tolist(), edition.layers[0].end.tolist(), strict=True)}
        for edition in (reference.edition, made)
    )
    assert 61 <= len(before ^ after) <= 3 * 61  # a split or a merger makes three units differ, or fewer if they meet


@pytest.mark.parametrize(("setting", "name"), EVERY_CURVE)
def test_starts_at_one(cells, setting, name):
    assert [cell[name] for cell in cells[setting, 0.0]] == [1.0] * REPETITIONS


@pytest.mark.parametrize(("setting", "name"), EVERY_CURVE)
def test_falls_with_the_magnitude(curves, setting, name):
    assert all(here > there for here, there in pairwise(curves[setting, name]))


@pytest.mark.parametrize(("setting", "name"), EVERY_CURVE)
def test_falls_nearly_linearly(curves, setting, name):
    values = np.array(curves[setting, name])
    line = values[0] + (values[-1] - values[0]) * np.array(MAGNITUDES)
    assert np.abs(values - line).max() < 0.07 * (values[0] - values[-1])


def test_expecting_less_change_gives_less_agreement(cells):
    for (_, magnitude), found in cells.items():
        for cell in found if magnitude else ():
            values = [cell[name] for name in BY_EXPECTED_CHANGE]
            assert values == sorted(values)
            assert len({*values}) == len(values)


def test_is_about_zero_where_all_is_shuffled_and_expected(curves):
    last = {setting: curves[setting, name][-1] for setting, name in MATCHING.items()}
    assert last["a"] == pytest.approx(0, abs=0.05)
    # 10 % of the units are split or merged, which is more than two annotators with 4 % each do
    assert -0.15 < last["b"] < 0
    assert -0.15 < last["c"] < 0


@pytest.mark.parametrize(("setting", "p_text"), [("b", 0.0), ("c", 1 - 0.5**0.5)])
def test_is_zero_where_just_so_much_change_is_expected(script, reference, setting, p_text):
    # two annotators who edit a share p of the units each make 1 - (1 - p)² differ; that is m_t = 0.5 here
    made = script.shuffled(reference, script.SETTINGS[setting], 1.0, np.random.default_rng(0))
    corpus = script.corpus_of(reference=reference.edition, shuffled=made)
    result = unisono.text_gamma(corpus, base=reference.base, p_text=p_text, p_segmentation=0.05)
    assert result.value == pytest.approx(0, abs=0.06)


def test_unexpected_agreement_on_text_and_segmentation_stays_above_zero(curves):
    assert curves["a", "Cat + Seg"][-1] > 0.15
    assert curves["a", "Cat + Seg + Text"][-1] > curves["a", "Cat + Seg"][-1] + 0.1
    assert curves["b", "Cat + Seg + Text"][-1] > 0.1


def test_unexpected_disagreement_goes_below_zero(curves):
    assert curves["b", "Cat"][-1] < -0.3
    assert curves["c", "Cat"][-1] < curves["b", "Cat"][-1]
    assert curves["c", "Cat + Seg"][-1] < -0.2


def test_pure_categorization_is_krippendorffs_alpha(cells, reference):
    # the expected disagreement of α is that of pairs of different labels among all N of them: N/(N - 1) times that here
    n_labels = 2 * reference.edition.n_units
    for magnitude in MAGNITUDES:
        for cell in cells["a", magnitude]:
            assert 1 - cell["α"] == pytest.approx((1 - cell["Cat"]) * (n_labels - 1) / n_labels, abs=1e-12)
            assert cell["α"] == pytest.approx(cell["Cat"], abs=1e-3)


def test_segmentation_is_like_alpha_u_and_gamma_sees_more_agreement(curves, cells):
    mine, theirs = curves["b", "Cat + Seg"], curves["b", "α_U"]
    assert mine == pytest.approx(theirs, abs=0.15)
    for magnitude in MAGNITUDES[1:]:
        cell = cells["b", magnitude][0]
        assert cell["γ"] > cell["Cat + Seg"] + 0.03


def test_figure_and_table_show_every_curve(script, cells):
    made = script.curves(cells)
    picture, table = script.figure(made, "a <note>"), script.table(made)
    assert picture.count('<polyline class="curve') == 9
    assert "a &lt;note&gt;" in picture
    assert table.count("1.000 ± 0.000") == 9 + 3
    assert all(title in picture and title in table for title in script.TITLES.values())


def test_corpus_has_both_editions(script, reference):
    corpus = script.corpus_of(reference=reference.edition, shuffled=reference.edition)
    assert corpus.n_units == 2 * 608
    assert corpus["text"].text == text_of(script, reference.edition)
