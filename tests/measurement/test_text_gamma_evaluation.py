"""The shape of the evaluation of text-γ (Barteld et al. 2016, §7 and figure 2), with few magnitudes and repetitions.

The script that makes the whole figure is benchmarks/text_gamma_evaluation.py.
"""

from __future__ import annotations

import importlib.util
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

import unisono
from unisono.reporting.curves import curves_svg
from unisono.shuffling import shuffle
from unisono.shuffling.texts import TextErrors

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
    spec.loader.exec_module(module)
    return module


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
    settings = {title: setting for setting, title in script.TITLES.items()}
    return {(settings[curve.errors], curve.measure): curve.mean.tolist() for curve in script.curves(cells).curves}


def tokens_of(corpus):
    text = corpus.texts[0, 0]
    return [text[start:end] for start, end in zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)]


def test_reference_has_the_size_of_the_paper(reference):
    assert len(reference.texts[0, 0]) == 3706
    assert reference.n_units == 608
    assert tokens_of(reference) == reference.texts[0, 0].split(" ")
    assert len(set(reference.features["pos"].values())) == 15


def test_reference_is_the_same_every_time(script, reference):
    again = script.reference()
    assert dict(again.texts) == dict(reference.texts)
    assert again.features["pos"].values() == reference.features["pos"].values()
    assert script.reference(seed=1).texts[0, 0] != reference.texts[0, 0]


def test_the_copy_is_made_by_the_shuffling_tool(script, reference, monkeypatch):
    made, joined = [], []
    own = TextErrors.erring

    def erring(self, edition, magnitude, rng):
        edition = own(self, edition, magnitude, rng)
        made.append((self._made.alphabet.spelled(edition.text), edition.layers[0].start.tolist()))
        return edition

    monkeypatch.setattr(TextErrors, "erring", erring)
    both = script.with_copy
    monkeypatch.setattr(script, "with_copy", lambda *given: joined.append(both(*given)) or joined[-1])
    script.measured(reference, "c", 0.6, 0)
    ((text, start),), (corpus,) = made, joined
    assert corpus.texts[0, corpus.annotators.index("shuffled")] == text
    assert corpus.select(annotators=["shuffled"]).start.tolist() == start
    assert text != reference.texts[0, 0]


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
    # 10% of the units are split or merged, which is more than two annotators with 4% each do
    assert -0.15 < last["b"] < 0
    assert -0.15 < last["c"] < 0


@pytest.mark.parametrize(("setting", "p_text"), [("b", 0.0), ("c", 1 - 0.5**0.5)])
def test_is_zero_where_just_so_much_change_is_expected(script, reference, setting, p_text):
    # two annotators who edit a share p of the units each make 1 - (1 - p)² differ; that is m_t = 0.5 here
    made = shuffle(reference, script.ERRORS[setting], 1.0, n_annotators=1, rng=0)
    corpus = script.with_copy(reference, made)
    result = unisono.text_gamma(corpus, base=reference, p_text=p_text, p_segmentation=0.05)
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
    n_labels = 2 * reference.n_units
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
    picture, table = curves_svg(made), script.table(made)
    assert picture.count('class="panel"') == 3
    assert table.count("1.000 ± 0.000") == 9 + 2
    assert all(title in picture and title in table for title in script.TITLES.values())
    assert all(name in picture and name in table for name in BY_EXPECTED_CHANGE)


def test_what_is_measured_only_now_and_then_has_gaps(script):
    cells = {(setting, m): [{"Cat": 1.0}, {"Cat": 0.5}] for setting, m in product("abc", (0.0, 0.1, 1.0))}
    cells["b", 0.0][0]["γ"], cells["b", 1.0][0]["γ"] = 1.0, 0.5
    curve = script.curves(cells)[script.TITLES["b"], "γ"]
    assert curve.values == ((1.0, None), (None, None), (0.5, None))
    assert "0.750 ± 0.250" in script.table(script.curves(cells))


def test_corpus_has_both_editions(script, reference):
    copy = shuffle(reference, "label", 0.0, n_annotators=1)
    corpus = script.with_copy(reference, copy)
    assert corpus.n_units == 2 * 608
    assert corpus.annotators == ("reference", "shuffled")
    assert corpus["text"].text == reference.texts[0, 0]
