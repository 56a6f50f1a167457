"""What tests of comparisons share."""

from __future__ import annotations

import numpy as np

from unisono.data import Corpus, Ratings


def ratings(rng, deviates, n_items=80, n_documents=1):
    """Labels of annotators who deviate from the truth so often each."""
    truth = rng.integers(1, 4, n_items)
    columns = {
        name: np.where(rng.random(n_items) < often, rng.integers(1, 4, n_items), truth).tolist()
        for name, often in deviates.items()
    }
    return Ratings.from_annotators(columns, document=[f"d{i * n_documents // n_items}" for i in range(n_items)])


def spans(rng, deviates, n_documents=8, n_units=8):
    columns = {"document": [], "annotator": [], "start": [], "end": []}
    category = []
    for number in range(n_documents):
        for who, often in deviates.items():
            for unit in range(n_units):
                columns["document"].append(f"d{number}")
                columns["annotator"].append(who)
                columns["start"].append(20 * unit + int(rng.integers(0, 6) * (rng.random() < often)))
                columns["end"].append(20 * unit + 12)
                category.append("x" if rng.random() > often else "y")
    bounds = {f"d{number}": (0, 20 * n_units) for number in range(n_documents)}
    return Corpus.from_columns(**columns, features={"category": category}, bounds=bounds)


GOOD, BAD = {"a": 0.1, "b": 0.1}, {"a": 0.5, "b": 0.5}


def rare(second, n_documents=6):
    """Two annotators of 60 items, whose rare label is in the last ten of the first."""
    first = ["x"] * 54 + list("yyyxyx")
    given = [*first[:54], *second]
    return Ratings.from_annotators({"a": first, "b": given}, document=[f"d{i * n_documents // 60}" for i in range(60)])
