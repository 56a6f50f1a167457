"""Only some layers or features, and features that are joined into one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from unisono.data import Corpus, Label
from unisono.data.export import LAYER_FEATURE, ONLY_LAYER
from unisono.data.labels import feature
from unisono.errors import OptionError, listed
from unisono.preparation.units import with_features, with_units

CATEGORY = "category"
_SIGNS = re.compile(r"[+=|\\]")


def select_layers(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Keep the units of some layers, and the features that these have."""
    if LAYER_FEATURE not in corpus.features:
        raise OptionError("all units belong to one layer only; leave it out", "layers")
    layers = corpus.features[LAYER_FEATURE]
    labels = [str(label) for label in layers.labels]
    _check_known(names, labels, "layer", "layers")
    codes = [code for code, label in enumerate(labels) if label in names]
    chosen = with_units(corpus, np.isin(layers.codes, codes), "units of other layers")
    used = {name: feature for name, feature in chosen.features.items() if (feature.codes >= 0).any()}
    if len(names) == 1:
        used.pop(LAYER_FEATURE, None)
        chosen = replace(chosen, schemas={**chosen.schemas, ONLY_LAYER: (names[0],)})
    return with_features(chosen, used)


def select_features(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Keep some features."""
    _check_known(names, list(corpus.features), "feature", "features")
    layers = _layers(corpus) if LAYER_FEATURE not in names else ()
    kept = [*([LAYER_FEATURE] if len(layers) > 1 else []), *names]
    chosen = with_features(corpus, {name: corpus.features[name] for name in kept})
    only = [str(label) for label in layers if len(layers) == 1 and label is not None]
    return replace(chosen, schemas={**chosen.schemas, ONLY_LAYER: (only[0],)}) if only else chosen


def _layers(corpus: Corpus) -> tuple[Label | None, ...]:
    """Return the layers of units, None for no layer, if units have layers."""
    column = corpus.features.get(LAYER_FEATURE)
    codes = [] if column is None else np.unique(column.codes).tolist()
    return tuple(None if column is None or code < 0 else column.labels[code] for code in codes)


def join_features(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Join several features into one category: ``Addressee=Mouse+Speaker=Mouse`` (Reiter 2018).

    A plus, an equals sign, a bar or a backslash within a name or a label is escaped with a backslash, so that different
    labels stay different.
    """
    if not names:
        raise OptionError("name at least one feature", "join")
    _check_known(names, list(corpus.features), "feature", "join")
    columns = {name: corpus.features[name].values() for name in sorted(names)}
    joined = [_joined(dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]
    kept = {name: column for name, column in corpus.features.items() if name not in names and name != CATEGORY}
    return with_features(corpus, {**kept, CATEGORY: feature(joined)})


def _check_known(names: Sequence[str], known: Sequence[str], what: str, parameter: str) -> None:
    """Raise an OptionError if a name is unknown."""
    for name in names:
        if name not in known:
            raise OptionError(f"unknown {what} {name!r}; available: {listed(known)}", parameter)


def _joined(labels: Mapping[str, Label | None]) -> str | None:
    parts = [
        f"{_escaped(name)}={'|'.join(map(_escaped, label if isinstance(label, tuple) else (label,)))}"
        for name, label in labels.items()
        if label is not None
    ]
    return "+".join(parts) or None


def _escaped(label: Label) -> str:
    return _SIGNS.sub(r"\\\g<0>", str(label))
