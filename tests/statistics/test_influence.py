"""The document that stands out: by definition, and as measuring again without it shows."""

from __future__ import annotations

import numpy as np
import pytest

import unisono
from unisono.data import Corpus
from unisono.demo import demo_path
from unisono.statistics.influence import MOST_DOCUMENTS, influential_document
from unisono.statistics.jackknife import Divisible, ErrorScale, Jackknife


class Mean(Divisible):
    """The mean error of some documents."""

    def __init__(self, values, *, agreement=True):
        self.values = {f"d{k}": float(value) for k, value in enumerate(values)}
        self.scale = ErrorScale(agreement=agreement)

    def documents(self):
        return dict.fromkeys(self.values, 1.0)

    def leave_out(self, groups):
        left = [[value for name, value in self.values.items() if name not in group] for group in groups]
        without = np.array([np.mean(some) if some else np.nan for some in left])
        return Jackknife(float(np.mean([*self.values.values()])), without, np.ones(len(groups)), scale=self.scale)

    def jackknife(self):
        return self.leave_out([[name] for name in self.values])


def by_definition(values):
    """For each document: how far the mean moves, and the standard error of the mean of the others."""
    values = np.asarray(values, dtype=float)
    rest = [np.delete(values, k) for k in range(len(values))]
    return [(abs(some.mean() - values.mean()), some.std(ddof=1) / np.sqrt(len(some))) for some in rest]


@pytest.mark.parametrize("seed", range(30))
def test_it_moves_the_value_by_more_than_the_standard_error(seed):
    rng = np.random.default_rng(seed)
    values = rng.gamma(2, 0.1, rng.integers(4, 12))
    values[0] += rng.choice([0, 0.5, 2])
    ratios = [moved / error for moved, error in by_definition(values)]
    found = influential_document(Mean(values))
    most = int(np.argmax([moved for moved, _ in by_definition(values)]))
    assert (found is not None) == (ratios[most] > 1)
    if found is not None:
        assert (found.document, found.ratio) == (f"d{most}", pytest.approx(ratios[most]))
        assert found.without == pytest.approx(1 - np.delete(values, most).mean())


def test_errors_stay_errors():
    found = influential_document(Mean([0.1, 0.12, 0.11, 0.9], agreement=False))
    assert found is not None
    assert found.without == pytest.approx(0.11)


@pytest.mark.parametrize("values", [[0.1, 0.1, 5.0], [0.2] * 6, [0.1] * MOST_DOCUMENTS + [9.0], [], [0, 0, 0, 0]])
def test_nothing_stands_out_of_few_many_or_equal_documents(values):
    assert influential_document(Mean(values)) is None


def test_without_it_the_value_is_what_measuring_again_gives():
    corpus = unisono.read(demo_path())
    result = unisono.span_f1(corpus)
    found = influential_document(result.parts)
    assert found is not None
    others = [name for name in corpus.documents if name != found.document]
    assert found.without == pytest.approx(unisono.span_f1(corpus.select(documents=others)).value)


def test_a_value_that_depends_on_one_document_has_none_that_stands_out():
    """Without the only document where annotators mark anything, there is no value."""
    corpus = Corpus.from_columns(
        annotator=["a", "b"], start=[0, 2], end=[5, 6], document=["d", "d"], features={"category": ["X", "X"]}
    )
    assert influential_document(unisono.span_f1(corpus).parts) is None
