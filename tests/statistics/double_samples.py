"""Items that a model labelled, and people some of them."""

from __future__ import annotations

import numpy as np

from unisono.statistics.shares import DoubleSample

TABLE = np.array([[160, 30, 10], [20, 210, 60], [30, 30, 450]])
"""Items by what people say (rows) and what the model says (columns)."""
ALONE = (2300, 2400, 5300)
"""Items by what the model says where people say nothing."""


def sample_of(table, alone):
    """Make a sample out of counts."""
    unit = np.eye(len(table))
    people, model = (np.repeat(index.ravel(), np.ravel(table)) for index in np.indices(np.shape(table)))
    rest = unit[np.repeat(np.arange(len(alone)), alone)]
    given = np.vstack([unit[people], np.full(rest.shape, np.nan)])
    return DoubleSample(given, np.vstack([unit[model], rest]), np.arange(len(given)))


def drawn(rng, share, confusion, n_people, n_model):
    """Draw items that people label with these shares, and the model with these errors."""
    people = rng.choice(len(share), p=share, size=n_people + n_model)
    model = (np.transpose(confusion)[people].cumsum(axis=1) < rng.random((len(people), 1))).sum(axis=1)
    unit = np.eye(len(share))
    given = unit[people]
    given[n_people:] = np.nan
    return DoubleSample(given, unit[model], np.arange(len(people)))
