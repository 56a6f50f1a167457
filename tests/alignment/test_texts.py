"""The best alignment of texts against all optimal sequence alignments, and its invariants (Barteld et al. 2016, §4–5)."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numba
import numpy as np
import pytest
from text_oracle import (
    BIG,
    Version,
    alignments,
    annotation_alignments,
    by_markers,
    by_span,
    can_come_together,
    columns_of,
    cost_of,
    group_cost,
    least_disorder,
    least_grouping,
    least_value,
    parse,
    unlike,
)

from unisono.alignment import sequences, texts
from unisono.alignment.sequences import GapCosts, Sequences
from unisono.alignment.solution import relative_gap
from unisono.alignment.texts import align_layer, least_cost
from unisono.data import Corpus
from unisono.data.editions import Alphabet, Edition, Layer, LayerKind
from unisono.dissimilarity.combined import WeightedFeature
from unisono.dissimilarity.text import TextDissimilarity
from unisono.errors import DataError, OptionError
from unisono.kernels import switch
from unisono.measures.text_gamma import align_texts

LETTERS = "abc "
LABELS = ("X", "Y")
FEATURES = TextDissimilarity((WeightedFeature("pos"),))
program = numba.njit(least_value)


@pytest.fixture(params=[False, True], ids=["interpreted", "compiled"])
def way(request, monkeypatch):
    """Run kernels one way or the other."""
    monkeypatch.setattr(switch, "_on", request.param)
    return request.param


def edition_of(version, letters=LETTERS, labels=LABELS):
    text = np.array([letters.index(letter) for letter in version.text], dtype=np.int64)
    start, end = (np.array([unit[k] for unit in version.units], dtype=np.int64) for k in (0, 1))
    codes = [-1 if unit[2] is None else labels.index(unit[2]) for unit in version.units]
    return Edition(text, (Layer(start, end, np.array([codes], dtype=np.int64).reshape(1, len(codes))),))


def bound(letters=LETTERS, labels=LABELS):
    return FEATURES.bind([LayerKind("unit", ("pos",))], {"pos": labels}, Alphabet(tuple(letters)))


BOUND = bound()


def aligned(versions, gap_text=1, gap_boundary=1, known=BOUND):
    letters, labels = "".join(known.alphabet.symbols), known.labels["pos"]
    editions = [edition_of(version, letters, labels) for version in versions]
    return align_layer(editions, 0, known, GapCosts(gap_text, gap_boundary))


def disorder(versions, gap_text=1, gap_boundary=1, known=BOUND):
    n_units = sum(len(version.units) for version in versions)
    return aligned(versions, gap_text, gap_boundary, known).total * len(versions) / n_units


def groups_of(made):
    return [{who: unit for who, unit in enumerate(row) if unit >= 0} for row in made.table.tolist()]


def pairs_of(made):
    return {tuple(row) for row in made.table.tolist() if -1 not in row}


def random_version(rng, letters, most_units, *, empty=False):
    """A text with units, empty ones among them if wanted, and uncovered letters before, between and after."""
    text, units = "", []
    for _ in range(int(rng.integers(0, most_units + 1))):
        text += "".join(rng.choice(list(letters), rng.choice([0, 0, 0, 1, 2])))
        size = int(rng.choice([0, 1, 2] if empty else [1, 1, 2, 3]))
        units.append((len(text), len(text) + size, str(rng.choice(["X", "X", "Y"]))))
        text += "".join(rng.choice(list(letters), size))
    return Version(text + "".join(rng.choice(list(letters), rng.choice([0, 0, 0, 1, 2]))), tuple(units))


def random_pair(seed, most_units=3, **more):
    """Two versions, at times one an edited copy of the other, and gap costs."""
    rng = np.random.default_rng(seed)
    letters = LETTERS[: rng.integers(1, 4)]
    one = random_version(rng, letters, most_units, **more)
    other = random_version(rng, letters, most_units, **more)
    if rng.random() < 0.3 and one.text:
        letter = int(rng.integers(len(one.text)))
        other = Version(one.text[:letter] + letters[0] + one.text[letter + 1 :], other_labels(rng, one.units))
    return one, other, int(rng.integers(1, 4)), int(rng.integers(1, 4))


def other_labels(rng, units):
    return tuple((start, end, str(rng.choice(LABELS))) for start, end, _ in units)
