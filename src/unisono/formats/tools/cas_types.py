"""The type system to write a corpus with: that of the project that was read, and what it lacks.

What is new becomes a type ``webanno.custom.NAME``, as INCEpTION names custom layers.
"""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from unisono.data import Corpus, Label, Unit
from unisono.data.export import LAYER_FEATURE, ONLY_LAYER
from unisono.data.labels import MISSING
from unisono.errors import listed, plural
from unisono.formats.collected import FEATURE_TYPE
from unisono.formats.tools.cas import ANNOTATION, STRINGS, UIMA, Layers
from unisono.formats.tools.cas_documents import plain_name
from unisono.formats.tools.cas_safety import explaining

_CUSTOM = "webanno.custom."
_DEFAULT_LAYER = "Unit"
_NAME = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)*")
_MOST_LAYERS = 200
_NO_NAME = re.compile(r"[^A-Za-z0-9_]")
_TAKEN = ("self", "type", "begin", "end", "sofa")


@lru_cache(maxsize=8)
def type_system_of(layers: tuple[tuple[str, tuple[str, ...]], ...]) -> str | None:
    """Return types and their features, which are texts, as the XML of a type system; None if UIMA has no such names."""
    import cassis

    if not all(_NAME.fullmatch(name) for name, _ in layers) or len(layers) > _MOST_LAYERS:
        return None
    if not all(name.isidentifier() and not keyword.iskeyword(name) for _, names in layers for name in names):
        return None
    with explaining():
        types = cassis.TypeSystem()
        for name, features in layers:
            kind = types.create_type(name, supertypeName=ANNOTATION)
            for feature in features:
                types.create_feature(kind, feature, "uima.cas.String")
        return str(types.to_xml())


class CasTypes:
    """The types of a corpus's layers, and their features.

    Types and features that are needed are made at once, before the first annotation: cassis makes classes of them.
    """

    def __init__(self, corpus: Corpus) -> None:
        import cassis

        with explaining():
            known = [cassis.load_typesystem(text) for text in corpus.schemas.get(UIMA, ())]
            self.types: Any = cassis.merge_typesystems(*known) if known else cassis.TypeSystem()
        layers = Layers(self.types)
        self._kinds: dict[str, Any] = {
            layers.name(kind): self.types.get_type(layers.root(kind))
            for kind in self.types.get_type(ANNOTATION).descendants
            if layers.role(kind) == "unit"
        }
        self._is_given = bool(known)
        self._new: list[str] = []
        self._lost: Counter[str] = Counter()
        (self._only,) = corpus.schemas.get(ONLY_LAYER, (_DEFAULT_LAYER,))[:1]
        self.used: dict[str, dict[str, str]] = self._declare(corpus)
        """The layers of the corpus; those of their features that the type has, and what cassis calls them."""

    def layer_of(self, unit: Unit) -> str:
        """Return the layer of a unit."""
        layer = unit.features.get(LAYER_FEATURE)
        return self._only if layer is None else str(layer)

    def kind(self, layer: str) -> Any:
        """Return the type of a layer; make one that is not known."""
        if layer not in self._kinds:
            name = f"{_CUSTOM}{_name(layer)}"
            if not self.types.contains_type(name):
                self.types.create_type(name, supertypeName=ANNOTATION)
                self._new.append(name)
            self._kinds[layer] = self.types.get_type(name)
        return self._kinds[layer]

    def said(self) -> list[str]:
        """Say what is new in the type system, and what was left out."""
        new = [f"new in the type system, so add it to the project before you import: {listed(self._new)}"]
        return [
            *(new if self._new and self._is_given else ()),
            *(f"{what}: {plural(n, 'label')} not written" for what, n in self._lost.items()),
        ]

    def _declare(self, corpus: Corpus) -> dict[str, dict[str, str]]:
        layers = corpus.features.get(LAYER_FEATURE)
        codes = np.full(corpus.n_units, MISSING) if layers is None else layers.codes
        used: dict[str, dict[str, str]] = {}
        for code in np.unique(codes).tolist():
            own = codes == code
            layer = self._only if layers is None or code == MISSING else str(layers.labels[code])
            kind, features = self.kind(layer), used.setdefault(layer, {})
            for name, column in corpus.features.items():
                n = int((column.codes[own] != MISSING).sum())
                if name == LAYER_FEATURE or not n:
                    continue
                called = self._feature(kind, name, column.labels)
                if called is None:
                    self._lost[f"the layer {kind.name} has no feature {name!r}"] += n
                else:
                    features[name] = called
            order = [one.name for one in kind.all_features]
            used[layer] = dict(sorted(features.items(), key=lambda item: order.index(item[1])))
        return used

    def _feature(self, kind: Any, name: str, labels: Sequence[Label]) -> str | None:
        """Return what cassis calls a feature; make it if the type is ours, None if the project's type lacks it."""
        there = {plain_name(one.name): one.name for one in kind.all_features}
        plain = LAYER_FEATURE if name == FEATURE_TYPE else name
        if plain in there or kind.name not in self._new:
            return there.get(plain)
        own = _name(name)
        if kind.get_feature(own) is None:
            self.types.create_feature(kind, own, _range(labels))
        return own


def _range(labels: Sequence[Label]) -> str:
    """Return the type of values that holds some labels."""
    if any(isinstance(label, tuple) for label in labels):
        return STRINGS
    kinds = {type(label) for label in labels}
    if kinds == {bool}:
        return "uima.cas.Boolean"
    if kinds == {int} and all(isinstance(label, int) and abs(label) < 2**31 for label in labels):
        return "uima.cas.Integer"
    return "uima.cas.Double" if kinds and kinds <= {int, float} else "uima.cas.String"


def _name(text: str) -> str:
    """Make a name of a type or feature: letters, digits and _, as UIMA and Python need it."""
    cleaned = _NO_NAME.sub("_", text)
    own = cleaned if cleaned[:1].isalpha() else f"x{cleaned}"
    return f"{own}_" if keyword.iskeyword(own) or own in _TAKEN else own
