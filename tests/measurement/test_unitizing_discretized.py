"""Discretized κ and α: every atom expanded, peers, what they cannot handle."""

from __future__ import annotations

import pytest
import unitizing_oracle as direct
from unitizing_oracle import corpus, random_corpus, units

from unisono.data import Corpus, Ratings
from unisono.errors import DataError, OptionError
from unisono.measurement.unitizing.discretized import discretized_alpha, discretized_kappa

P_57_A = units(Bertha=[(2, 10, "1"), (14, 20, "1")], Bill=[(4, 8, "1"), (15, 17, "1")])
P_57_B = units(John=[(0, 18, "1")], Jill=[(0, 10, "1")])
P_57_C = units(
    Gerret=[(2, 8, "1"), (10, 12, "1"), (14, 18, "1"), (20, 22, "1")],
    Gill=[(0, 2, "1"), (4, 8, "1"), (10, 14, "1"), (16, 18, "1"), (20, 22, "1")],
)


@pytest.mark.parametrize(
    ("marked", "kappa", "alpha"), [(P_57_A, 0.385, 0.329), (P_57_B, 0.385, 0.329), (P_57_C, 0.314, 0.329)]
)
def test_krippendorff_1995_p57(marked, kappa, alpha):
    data = corpus(marked, (0, 24))
    assert discretized_kappa(data).value == pytest.approx(kappa, abs=1e-3)
    assert discretized_alpha(data).value == pytest.approx(alpha, abs=1e-3)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shape", [{"n_annotators": 2}, {}, {"n_documents": 4, "missing": 0.3, "n_annotators": 4}])
def test_by_definition(seed, shape):
    data = random_corpus(seed, **shape)
    rows = direct.expanded(data)
    kappa, alpha = discretized_kappa(data), discretized_alpha(data)
    assert (kappa.observed, kappa.expected) == pytest.approx(direct.multi_kappa(rows))
    assert (alpha.observed, alpha.expected) == pytest.approx(direct.nominal_alpha(rows))
    blanks = [label == "blank" for row in rows for label in row if label is not None]
    assert kappa.details["blank_share"] == pytest.approx(sum(blanks) / len(blanks))


@pytest.mark.parametrize("seed", range(3))
def test_kappa_is_that_of_scikit_learn(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    data = random_corpus(seed, n_annotators=2, n_documents=3)
    first, second = zip(*direct.expanded(data), strict=True)
    assert discretized_kappa(data).value == pytest.approx(metrics.cohen_kappa_score(first, second))


@pytest.mark.parametrize("seed", range(3))
def test_alpha_is_that_of_nltk(seed):
    agreement = pytest.importorskip("nltk.metrics.agreement")
    data = random_corpus(seed, n_documents=2)
    triples = [
        (who, item, label)
        for item, row in enumerate(direct.expanded(data))
        for who, label in zip(data.annotators, row, strict=True)
    ]
    assert discretized_alpha(data).value == pytest.approx(agreement.AnnotationTask(triples).alpha())


def test_steps_of_time():
    """A step of 1 is a character; finer steps of whole positions repeat each atom."""
    data = random_corpus(2)
    for measure in (discretized_kappa, discretized_alpha):
        assert measure(data, atom=1).value == pytest.approx(measure(data).value)
        assert measure(data, atom="1").value == pytest.approx(measure(data).value)
    assert discretized_kappa(data, atom=0.25).value == pytest.approx(discretized_kappa(data).value)


def test_tokens_of_a_text():
    text = "Ada met Bob in Rome."
    data = Corpus.from_columns(
        annotator=["A", "A", "B", "B"],
        start=[0, 8, 0, 15],
        end=[3, 11, 3, 19],
        features={"category": ["PER", "PER", "PER", "LOC"]},
        texts={("document", "A"): text, ("document", "B"): text},
    )
    result = discretized_kappa(data, atom="token")
    assert result.observed == pytest.approx(4 / 6)
    assert "each token is an atom: 6 atoms in all, blank or labelled" in result.notes
    assert discretized_alpha(data, atom="sentence").observed is not None


def test_tables_count_atoms():
    result = discretized_kappa(corpus(P_57_A, (0, 24)))
    assert {row["category"]: row["n_atoms"] for row in result.rows["categories"]} == {"blank": 28, "1": 20}
    assert {row["annotator"]: row["n_atoms"] for row in result.rows["annotators"]} == {"Bertha": 24, "Bill": 24}
    assert result.n_units == 4


def test_each_document_is_measured_as_if_alone():
    data = random_corpus(8, n_documents=4, n_annotators=4, missing=0.3)
    for document in discretized_alpha(data).documents:
        alone = discretized_alpha(data.select(documents=[document.document]))
        assert document.value == pytest.approx(alone.value)
        assert document.n_units == data[document.document].n_units


def test_what_cannot_be_handled():
    data = corpus(units(anna=[(3, 9, "PER"), (5, 12, "LOC")], bert=[(3, 9, "PER")]), (0, 20))
    for measure in (discretized_kappa, discretized_alpha):
        with pytest.raises(DataError, match=r"anna's units 3–9 \(PER\) and 5–12 \(LOC\) overlap, which a discretized"):
            measure(data)
        with pytest.raises(DataError, match="are needed, but these are labels of given items"):
            measure(Ratings.of([["a", "b"]], rows="items"))
    fine = corpus(units(A=[(0, 5, "x")], B=[(0, 4, "x")]), (0, 20))
    with pytest.raises(OptionError, match="atom must be one of character, token, sentence or a number above 0"):
        discretized_kappa(fine, atom="word")
    with pytest.raises(DataError, match="document document has no text to find a token in"):
        discretized_kappa(fine, atom="token")
    broken = corpus(units(A=[(0.5, 5.0, "x")], B=[(0.5, 4.0, "x")]), (0, 20))
    with pytest.raises(DataError, match=r"A's unit 0.5–5.0 \(x\) lies between positions; atom=character needs"):
        discretized_kappa(broken)
    assert discretized_kappa(broken, atom=0.5).value is not None


def test_undefined_values():
    nobody = corpus([], (0, 20), worked=[("document", "A"), ("document", "B")])
    alone = corpus([("A", 0, 5, "x", "d1"), ("B", 0, 5, "x", "d2")], {"d1": (0, 9), "d2": (0, 9)})
    for measure in (discretized_kappa, discretized_alpha):
        assert measure(nobody).value is None
        assert "blank" in measure(nobody).undefined
        assert measure(alone).value is None
        assert measure(alone).undefined
