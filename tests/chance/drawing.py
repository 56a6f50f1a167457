"""Single random annotation sets, and their splits."""

from __future__ import annotations

import numpy as np

from unisono.kernels.draws import choose_shifts


def draw_one(model, number):
    """Return a random annotation set of a model, by its number."""
    return model.draw([model], [range(number, number + 1)], 42).units.one(0)


def documents_of(model, number):
    """Return the documents that it was made of."""
    return tuple(model.draw([model], [range(number, number + 1)], 42).documents[0].tolist())


def splits_of(model, number):
    """Return where a shift splits the continuum of each annotator."""
    units, n = model.units, model.n_annotators
    first = np.searchsorted(units.annotator, np.arange(n + 1))
    length = float(units.bounds[1] - units.bounds[0])
    chosen, split = np.zeros(n, np.int64), np.zeros(n)
    choose_shifts(first, 0, length, float(model.distance), model._whole, 1, 2, number, n, chosen, split, 0)
    return split
