"""Only some layers, only some features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.data import Corpus
from unisono.errors import OptionError, listed
from unisono.formats.collected import LAYER_FEATURE
from unisono.preparation.units import with_features, with_units


def select_layers(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Keep the units of some layers, and the features that these have."""
    if LAYER_FEATURE not in corpus.features:
        raise OptionError("all units belong to one layer only; leave it out", "layers")
    layers = corpus.features[LAYER_FEATURE]
    labels = [str(label) for label in layers.labels]
    check_known(names, labels, "layer", "layers")
    codes = [code for code, label in enumerate(labels) if label in names]
    chosen = with_units(corpus, np.isin(layers.codes, codes), "units of other layers")
    used = {name: feature for name, feature in chosen.features.items() if (feature.codes >= 0).any()}
    if len(names) == 1:
        used.pop(LAYER_FEATURE, None)
    return with_features(chosen, used)


def select_features(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Keep some features."""
    check_known(names, list(corpus.features), "feature", "features")
    several = LAYER_FEATURE in corpus.features and len(np.unique(corpus.features[LAYER_FEATURE].codes)) > 1
    kept = [*([LAYER_FEATURE] if several and LAYER_FEATURE not in names else []), *names]
    return with_features(corpus, {name: corpus.features[name] for name in kept})


def check_known(names: Sequence[str], known: Sequence[str], what: str, parameter: str) -> None:
    """Raise an OptionError if a name is unknown."""
    for name in names:
        if name not in known:
            raise OptionError(f"there is no {what} {name!r}; there are: {listed(known)}", parameter)
