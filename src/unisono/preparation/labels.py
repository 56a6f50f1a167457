"""Labels that are cleaned, and features that are joined into one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from unisono.data import Corpus, Label
from unisono.data.labels import feature
from unisono.errors import OptionError
from unisono.formats.collected import LAYER_FEATURE
from unisono.preparation.selection import check_known
from unisono.preparation.units import with_features

CATEGORY = "category"
_SIGNS = re.compile(r"[+=|\\]")
_QUOTES = "\"'`´„“”‚‘’«»‹›"

CLEANERS: Mapping[str, Callable[[str], str]] = {
    "spaces": lambda text: " ".join(text.split()),
    "quotes": lambda text: text.strip().strip(_QUOTES),
    "case": str.lower,
}
"""Steps that clean a label, in the order in which they are applied."""


def clean_labels(corpus: Corpus, how: Sequence[str]) -> Corpus:
    """Clean the labels of all features; labels that become equal are one label, and empty ones are removed."""
    check_known(how, list(CLEANERS), "cleaning step", "clean")
    steps = [clean for name, clean in CLEANERS.items() if name in how]

    def cleaned(label: Label | None) -> Label | None:
        if isinstance(label, tuple):
            return tuple(sorted({str(cleaned(member)) for member in label if cleaned(member)})) or None
        if not isinstance(label, str):
            return label
        for step in steps:
            label = step(label)
        return label or None

    columns = {
        name: column if name == LAYER_FEATURE else feature([cleaned(label) for label in column.values()])
        for name, column in corpus.features.items()
    }
    return with_features(corpus, columns)


def join_features(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Join several features into one category: ``Addressee=Mouse+Speaker=Mouse`` (Reiter 2018).

    A plus, an equals sign, a bar or a backslash within a name or a label is escaped with a backslash, so that different
    labels stay different.
    """
    if not names:
        raise OptionError("name at least one feature", "join")
    check_known(names, list(corpus.features), "feature", "join")
    columns = {name: corpus.features[name].values() for name in sorted(names)}
    joined = [_joined(dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]
    kept = {name: column for name, column in corpus.features.items() if name not in names and name != CATEGORY}
    return with_features(corpus, {**kept, CATEGORY: feature(joined)})


def _joined(labels: Mapping[str, Label | None]) -> str | None:
    parts = [
        f"{_escaped(name)}={'|'.join(map(_escaped, label if isinstance(label, tuple) else (label,)))}"
        for name, label in labels.items()
        if label is not None
    ]
    return "+".join(parts) or None


def _escaped(label: Label) -> str:
    return _SIGNS.sub(r"\\\g<0>", str(label))
