"""The same numbers as segeval and nltk on random segmentations, and where not, why not."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from unisono.data.cuts import from_masses
from unisono.measurement.segmentation import (
    boundary_similarity,
    generalized_hamming,
    pk,
    segmentation_similarity,
    window_diff,
)


@pytest.fixture(scope="module")
def segeval():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # written for an older Python
        return pytest.importorskip("segeval")


@pytest.fixture(scope="module")
def nltk():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("nltk.metrics.segmentation")


def random_pairs(n, seed, longest=60):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        length, rate = rng.integers(4, longest), rng.choice([0.05, 0.2, 0.5, 0.8])
        yield [rng.random(length - 1) < rate for _ in range(2)]


def masses(cut):
    return np.diff([0, *(np.flatnonzero(cut) + 1), len(cut) + 1]).tolist()


def bits(cut):
    return "".join("01"[int(here)] for here in cut)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8])
def test_similarities_are_those_of_segeval(segeval, n):
    for cuts in random_pairs(80, n):
        pair = [masses(cut) for cut in cuts]
        if not np.any(cuts):
            continue  # where segeval fails with an error about an empty sequence
        assert boundary_similarity(from_masses(pair), n=n).value == pytest.approx(
            float(segeval.boundary_similarity(*pair, n_t=n)), abs=1e-12
        )
        assert segmentation_similarity(from_masses(pair), n=n).value == pytest.approx(
            float(segeval.segmentation_similarity(*pair, n_t=n)), abs=1e-12
        )


@pytest.mark.parametrize("window", [None, 1, 2, 5])
def test_windows_are_those_of_segeval(segeval, window):
    for cuts in random_pairs(60, 7):
        reference, hypothesis = map(masses, cuts)
        data = {"ref": reference, "hyp": hypothesis}
        size = {} if window is None else {"window_size": window}
        for ours, theirs in ((pk, segeval.pk), (window_diff, segeval.window_diff)):
            found = ours(from_masses(data), window=window, reference="ref")
            if found.value is None:
                assert sum(reference) <= (window or 2)  # where segeval gives 0, or fails
                continue
            assert found.value == pytest.approx(float(theirs(hypothesis, reference, **size)), abs=1e-12)


def test_padding_is_that_of_segeval_but_for_the_divisor(segeval):
    """With windows over both ends, L + k windows are counted; segeval divides by one more."""
    for cuts in random_pairs(60, 8):
        reference, hypothesis = map(masses, cuts)
        found = window_diff(from_masses({"ref": reference, "hyp": hypothesis}), window=3, reference="ref", padding=True)
        theirs = segeval.window_diff(hypothesis, reference, window_size=3, lamprier_et_al_2007_fix=True)
        n_windows = sum(reference) + 3
        assert found.value * n_windows == pytest.approx(float(theirs) * (n_windows + 1), abs=1e-9)


def test_agreement_over_several_documents_is_that_of_segeval(segeval):
    rng = np.random.default_rng(9)
    for _ in range(40):
        n_annotators = rng.integers(2, 6)
        documents = {}
        for d in range(rng.integers(1, 4)):
            length = rng.integers(3, 40)
            cuts = {f"c{who}": masses(rng.random(length - 1) < 0.4) for who in range(n_annotators)}
            if any(len(one) == 1 for one in cuts.values()):
                cuts = {who: [1, int(length) - 1] for who in cuts}  # two that do not cut make segeval fail
            documents[f"d{d}"] = cuts
        found = boundary_similarity(from_masses(documents))
        assert found.details["pi"] == pytest.approx(float(segeval.fleiss_pi_linear(documents)), abs=1e-12)
        assert found.details["kappa"] == pytest.approx(float(segeval.fleiss_kappa_linear(documents)), abs=1e-12)
        values = [float(value) for value in segeval.boundary_similarity(segeval.Dataset(documents)).values()]
        assert found.value == pytest.approx(np.mean(values))


def test_windows_and_costs_are_those_of_nltk(nltk):
    """Bits of nltk are potential boundaries, so that a text of L atoms has L - 1 of them."""
    for cuts in random_pairs(100, 10):
        data = {"ref": masses(cuts[0]), "hyp": masses(cuts[1])}
        reference, hypothesis = map(bits, cuts)
        for ours, theirs in ((pk, nltk.pk), (window_diff, nltk.windowdiff)):
            assert ours(from_masses(data), window=3, reference="ref").value == pytest.approx(
                theirs(reference, hypothesis, 3)
            )
        for costs in ((1.0, 1.0, 0.5), (2.0, 3.0, 0.25), (1.0, 2.0, 2.0)):
            names = dict(zip(("insertion", "deletion", "shift"), costs, strict=True))
            found = generalized_hamming(from_masses(data), **names, reference="ref")
            assert found.value == pytest.approx(nltk.ghd(reference, hypothesis, *costs))
