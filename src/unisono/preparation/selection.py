"""Only some layers, only some features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.data import Corpus
from unisono.errors import OptionError, listed
from unisono.preparation.units import with_features, with_units

LAYER = "type"
"""The feature that says which layer a unit belongs to."""


def select_layers(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Keep the units of some layers, and the features that these have."""
    if LAYER not in corpus.features:
        raise OptionError("--layer: the units are of one layer only; leave it out")
    labels = [str(label) for label in corpus.features[LAYER].labels]
    for name in names:
        if name not in labels:
            raise OptionError(f"--layer {name}: there is no such layer; there are: {listed(labels)}")
    codes = [code for code, label in enumerate(labels) if label in names]
    chosen = with_units(corpus, np.isin(corpus.features[LAYER].codes, codes), "units of other layers (--layer)")
    used = {name: feature for name, feature in chosen.features.items() if (feature.codes >= 0).any()}
    if len(names) == 1:
        used.pop(LAYER, None)
    return with_features(chosen, used)


def select_features(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Keep some features."""
    for name in names:
        if name not in corpus.features:
            raise OptionError(f"--features {name}: there is no such feature; there are: {listed([*corpus.features])}")
    several = LAYER in corpus.features and len(np.unique(corpus.features[LAYER].codes)) > 1
    kept = [*([LAYER] if several and LAYER not in names else []), *names]
    return with_features(corpus, {name: corpus.features[name] for name in kept})
