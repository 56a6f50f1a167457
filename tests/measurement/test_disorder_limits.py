"""Notes on what time was too short for."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import unisono
from unisono.measurement.disorder.document import Documents
from unisono.measurement.disorder.limits import expected_note, observed_gaps, observed_note, sampling_note
from unisono.reporting.full_report.hidden_text import LEFT_OUT, Names


def numbers(n, *greater):
    return np.array([*greater, *[0.0] * (n - len(greater))])


@pytest.mark.parametrize(
    ("gaps", "said"),
    [
        (numbers(1, 0.0123), "the observed disorder is proven to be within 1.00% of the minimum"),
        (
            numbers(4, 0.0123),
            "the observed disorder of all documents is proven to be within 1.00% of the minimum; 1 of 4 alignments is "
            "not proven optimal: it is within 1.23% of its minimum",
        ),
        (
            numbers(2000, 0.01, 0.0234),
            "the observed disorder of all documents is proven to be within 1.00% of the minimum; 2 of 2,000 alignments "
            "are not proven optimal; the worst is within 2.34%",
        ),
    ],
)
def test_observed(gaps, said):
    assert observed_note(gaps, 0.01) == said


@pytest.mark.parametrize(
    ("gaps", "said"),
    [
        (numbers(1, 0.0123), "the expected disorder may be up to 1.23% too high"),
        (numbers(4, 0.0123), "the expected disorder of 1 of 4 documents may be up to 1.23% too high"),
        (
            numbers(4, 0.01, 0.0234),
            "the expected disorder of 2 of 4 documents may be too high, in the worst case by up to 2.34%",
        ),
    ],
)
def test_expected(gaps, said):
    assert expected_note(gaps) == said


@pytest.mark.parametrize(
    ("errors", "said"),
    [
        (numbers(1, 0.03), ": the relative error of the expected disorder is up to 3.00%, instead of 2.00%"),
        (
            numbers(4, 0.03),
            " of 1 of 4 documents: the relative error of its expected disorder is up to 3.00%, instead of 2.00%",
        ),
        (
            numbers(4, 0.03, 0.05),
            " of 2 of 4 documents: the relative error of the expected disorder is up to 5.00% in the worst of them, "
            "instead of 2.00%",
        ),
    ],
)
def test_sampling(errors, said):
    assert sampling_note(errors, 0.02) == f"the time limit ended the sampling{said}"


def three_documents():
    rows = [
        (f"d{d}", who, 10 * k, 10 * k + 5 + (who == "b"), "XY"[k % 2])
        for d in range(3)
        for who in "ab"
        for k in range(4)
    ]
    document, annotator, start, end, category = zip(*rows, strict=True)
    return unisono.Corpus.from_columns(
        document=document, annotator=annotator, start=start, end=end, features={"category": category}
    )


def with_columns(result, **changed):
    """Return a result some of whose numbers are others."""
    old = result.documents
    columns = replace(old.columns, **changed)
    return replace(result, documents=Documents(old.names, columns, old.delta_empty, old.alignments, old.chances))


def test_a_result_counts_the_documents_and_names_the_worst():
    result = unisono.gamma(three_documents(), precision=0.3, chance="shift", workers=1, time_limit=3600)
    assert not any("proven" in note or "limit" in note for note in result.notes)
    columns = result.documents.columns
    made = with_columns(
        result,
        bound=columns.total * [0.9, 1, 0.5],
        gap=np.array([0, 0.125, 0]),
        error=columns.mean * np.array([0.01, 0.4, 0.2]) / result.effort.quantile,
    )
    assert observed_gaps(made.documents.columns) == pytest.approx([0.1, 0, 0.5])
    assert made.expected_gap == 0.125
    first, *others = made.notes
    assert re.fullmatch(
        r"the observed disorder of all documents is proven to be within [\d.]+% of the minimum; 2 of 3 alignments are "
        r"not proven optimal; the worst is within 50\.00%",
        first,
    )
    assert others == [
        "the expected disorder of 1 of 3 documents may be up to 12.50% too high",
        "the time limit ended the sampling of 1 of 3 documents: the relative error of its expected disorder is up to "
        "40.00%, instead of 30.00%",
    ]


@pytest.mark.parametrize("shape", [(1, 0.1), (4, 0.1), (4, 0.1, 0.2)])
def test_reports_without_texts_have_the_notes(shape):
    found = [
        observed_note(numbers(*shape), 0.01),
        expected_note(numbers(*shape)),
        sampling_note(numbers(*shape), 0.02),
    ]
    assert [Names(hide=True).sentence(note) for note in found] == found
    assert LEFT_OUT not in found
