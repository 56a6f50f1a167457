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

from unisono.arrays import BoolArray
from unisono.data import Corpus, Label, Unit
from unisono.data.export import LAYER_FEATURE, ONLY_LAYER
from unisono.data.labels import MISSING
from unisono.errors import listed, plural
from unisono.formats.collected import FEATURE_TYPE
from unisono.formats.tools.cas import ANNOTATION, STRINGS, TOKEN, UIMA, Layers
from unisono.formats.tools.cas_documents import plain_name
from unisono.formats.tools.cas_safety import explaining
from unisono.formats.tools.inception_links import is_dependency
from unisono.formats.tools.linked import Linking, is_relation, relations_of

_CUSTOM = "webanno.custom."
_DEFAULT_LAYER, _DEFAULT_RELATION = "Unit", "Relation"
END = "End"
"""The layer of annotations that stand at the ends of relations, if no other is known."""
GOVERNOR = ("Governor", "Dependent")
"""Features with the ends of relations: INCEpTION draws these from the governor to the dependent."""
_NAME = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)*")
_MOST_LAYERS = 200
_NO_NAME = re.compile(r"[^A-Za-z0-9_]")
_TAKEN = ("self", "type", "begin", "end", "sofa")


@lru_cache(maxsize=8)
def type_system_of(
    layers: tuple[tuple[str, tuple[str, ...]], ...], relations: tuple[tuple[str, tuple[str, ...], str], ...] = ()
) -> str | None:
    """Return types and their features, which are texts, as the XML of a type system; None if UIMA has no such names.

    `relations` also have the type of the annotations that they join.
    """
    import cassis

    every = [*layers, *(one[:2] for one in relations)]
    names = {name for name, _ in every} | {joined for _, _, joined in relations}
    if (
        not all(map(_NAME.fullmatch, names))
        or len(names) > _MOST_LAYERS
        or len({name for name, _ in every}) < len(every)
    ):
        return None
    if not all(name.isidentifier() and not keyword.iskeyword(name) for _, own in every for name in own):
        return None
    with explaining():
        types = cassis.TypeSystem()
        for name, features in every:
            kind = types.create_type(name, supertypeName=ANNOTATION)
            for feature in features:
                types.create_feature(kind, feature, "uima.cas.String")
        for name, _, joined in relations:
            end = TOKEN if is_dependency(name) else joined
            if not types.contains_type(end):
                types.create_type(end, supertypeName=ANNOTATION)
            _add_ends(types, types.get_type(name), end)
        return str(types.to_xml())


def _add_ends(types: Any, kind: Any, end: str) -> None:
    for name in GOVERNOR:
        types.create_feature(kind, name, end)


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
        self._kinds: dict[str, Any] = {}
        self._joined: dict[str, str] = {}
        for kind in self.types.get_type(ANNOTATION).descendants:
            name, role = layers.name(kind), layers.role(kind)
            if role in ("unit", "relation"):
                self._kinds[name] = self.types.get_type(layers.root(kind))
            if role == "relation":
                self._joined[name] = layers.joined(self._kinds[name])
        self._is_given = bool(known)
        self._new: list[str] = []
        self._lost: Counter[str] = Counter()
        (self._only,) = corpus.schemas.get(ONLY_LAYER, ("",))[:1]
        self._names = self._named(corpus)
        self.used: dict[str, dict[str, str]] = self._declare(corpus)
        """The layers of the corpus; those of their features that the type has, and what cassis calls them."""

    def layer_of(self, unit: Unit) -> str:
        """Return the layer of a unit."""
        return self._names[unit.features.get(LAYER_FEATURE), is_relation(unit)]

    def is_relation(self, layer: str) -> bool:
        """Whether a layer is one of relations."""
        return layer in self._joined

    def end_of(self, layer: str) -> str:
        """Return the layer of the annotations that relations of a layer join; tokens are the type Token."""
        return self._joined[layer]

    def kind(self, layer: str) -> Any:
        """Return the type of a layer; make one that is not known."""
        if layer == TOKEN and not self.types.contains_type(TOKEN):
            self.types.create_type(TOKEN, supertypeName=ANNOTATION)
        if layer == TOKEN:
            return self.types.get_type(TOKEN)
        if layer not in self._kinds:
            name = f"{_CUSTOM}{_name(layer)}"
            if not self.types.contains_type(name):
                self.types.create_type(name, supertypeName=ANNOTATION)
                self._new.append(name)
            self._kinds[layer] = self.types.get_type(name)
        return self._kinds[layer]

    def layer_named(self, kind: str) -> str:
        """Return the layer of a type; make the type if there is none."""
        if not self.types.contains_type(kind):
            self.types.create_type(kind, supertypeName=ANNOTATION)
        found = next((layer for layer, one in self._kinds.items() if one.name == kind), kind)
        self._kinds.setdefault(found, self.types.get_type(kind))
        return found

    def linking(self, tool: str) -> Linking:
        """Return what finds the annotations that relations join."""
        return Linking(tool, self.layer_of, self.end_of, lambda layer: not is_dependency(self.kind(layer).name), END)

    def said(self) -> list[str]:
        """Say what is new in the type system, and what was left out."""
        new = [f"new in the type system, so add it to the project before you import: {listed(self._new)}"]
        return [
            *(new if self._new and self._is_given else ()),
            *(f"{what}: {plural(n, 'label')} not written" for what, n in self._lost.items()),
        ]

    def _named(self, corpus: Corpus) -> dict[tuple[Label | None, bool], str]:
        """Return the layers of the corpus, by their labels and whether units are relations.

        Relations get a layer of relations: not one of spans, whose links are a chain.
        """
        found = {(label, linked) for label, linked, _ in _layers_in(corpus)}
        spans = {
            label: self._only or _DEFAULT_LAYER if label is None else str(label) for label, one in found if not one
        }
        named: dict[tuple[Label | None, bool], str] = {(label, False): name for label, name in spans.items()}
        for label in (label for label, linked in found if linked):
            name = self._only or _DEFAULT_RELATION if label is None else str(label)
            if name not in self._joined and (name in self._kinds or name in spans.values()):
                name = f"{name}Relation"
            named[label, True] = name
        return named

    def _declare(self, corpus: Corpus) -> dict[str, dict[str, str]]:
        used: dict[str, dict[str, str]] = {}
        spans = dict.fromkeys(name for (_, linked), name in self._names.items() if not linked)
        for label, linked, own in sorted(_layers_in(corpus), key=lambda one: one[1]):
            layer = self._names[label, linked]
            is_new = layer not in self._kinds
            kind, features = self.kind(layer), used.setdefault(layer, {})
            if linked:
                if is_new:
                    self._joined[layer] = next(iter(spans)) if len(spans) == 1 else END
                    _add_ends(self.types, kind, self.kind(self._joined[layer]).name)
                elif self._joined[layer] == ANNOTATION:
                    self._joined[layer] = next(iter(spans)) if len(spans) == 1 else END
                if self.kind(self._joined[layer]).name != TOKEN:
                    used.setdefault(self._joined[layer], {})
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


def _layers_in(corpus: Corpus) -> list[tuple[Label | None, bool, BoolArray]]:
    """Return the layers of a corpus: the label, whether units are relations, and which units those are."""
    column, linked = corpus.features.get(LAYER_FEATURE), relations_of(corpus)
    codes = np.full(corpus.n_units, MISSING) if column is None else column.codes
    found: list[tuple[Label | None, bool, BoolArray]] = []
    for code in np.unique(codes).tolist():
        label = None if column is None or code == MISSING else column.labels[code]
        found += [(label, kind, own) for kind in (False, True) if (own := (codes == code) & (linked == kind)).any()]
    return found


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
