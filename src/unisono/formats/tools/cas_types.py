"""The type system to write a corpus with: that of the project that was read, and what it lacks.

What is new becomes a type ``webanno.custom.NAME``, as INCEpTION names custom layers.
"""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from unisono.arrays import BoolArray
from unisono.data import Corpus, Label, Unit
from unisono.data.export import LAYER_FEATURE, ONLY_LAYER
from unisono.data.labels import MISSING
from unisono.data.unit_kinds import EVENTS, RELATIONS, SPANS, UNIT_KINDS, kinds_of
from unisono.errors import listed, plural
from unisono.formats.collected import FEATURE_TYPE
from unisono.formats.tools.cas import ANNOTATION, PRIMITIVES, REFERENCES, STRINGS, TOKEN, TOP, UIMA, Layers
from unisono.formats.tools.cas_documents import plain_name
from unisono.formats.tools.cas_safety import explaining
from unisono.formats.tools.inception_links import is_dependency
from unisono.formats.tools.linked import Linking, kind_of

_CUSTOM = "webanno.custom."
_DEFAULT_LAYERS = {SPANS: "Unit", RELATIONS: "Relation", EVENTS: "Event"}
_SLOTS = "slots"
"""The feature with what takes part in events, in layers that have none."""
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
    layers: tuple[tuple[str, tuple[str, ...]], ...],
    relations: tuple[tuple[str, tuple[str, ...], str], ...] = (),
    slots: tuple[tuple[str, str, str, str], ...] = (),
) -> str | None:
    """Return types and their features, which are texts, as the XML of a type system; None if UIMA has no such names.

    `relations` also have the type of the annotations that they join; `slots` are a layer, the name of its feature, and
    the types of links and of their targets.
    """
    import cassis

    every = [*layers, *(one[:2] for one in relations)]
    names = {name for name, _ in every} | {joined for _, _, joined in relations} | {one for own in slots for one in own}
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
        for name, feature, link, target in slots:
            if not types.contains_type(target):
                types.create_type(target, supertypeName=ANNOTATION)
            _add_slot(types, types.get_type(name), feature, (link, target))
        return str(types.to_xml())


def _add_slot(types: Any, kind: Any, feature: str, link: tuple[str, str]) -> None:
    """Add a feature that refers to links, which have a role and a target."""
    name, target = link
    if name != target and not types.contains_type(name):
        types.create_type(name, supertypeName=TOP)
        types.create_feature(name, "role", "uima.cas.String")
        types.create_feature(name, "target", target)
    types.create_feature(kind, feature, REFERENCES, elementType=name)


class Slot(NamedTuple):
    """A feature of a layer that refers to what takes part in an event."""

    name: str
    """As cassis has it."""
    link: Any
    """The type of links with a role and a target; None if the feature refers to annotations themselves."""
    target: str
    """The layer of what is there."""


def _add_ends(types: Any, kind: Any, end: str) -> None:
    for name in GOVERNOR:
        types.create_feature(kind, name, end)


def _merged(known: Sequence[Any]) -> Any:
    """Merge type systems; where features refer to different types, as in files that say less, they refer to any.

    WebAnno TSV names what relations and slots join only by the annotations that a file has.
    """
    import cassis

    ranges: dict[tuple[str, str], set[str]] = {}
    own = [(types, kind, feature) for types in known for kind in types.get_types() for feature in kind.features]
    for _, kind, feature in own:
        element = "" if feature.elementType is None else feature.elementType.name
        ranges.setdefault((kind.name, feature.name), set()).add(f"{feature.rangeType.name} {element}")
    for types, kind, feature in own:
        names = {name.split(" ")[0] for name in ranges[kind.name, feature.name]}
        if len(ranges[kind.name, feature.name]) > 1 and not names & PRIMITIVES:
            feature.elementType = None
            feature.rangeType = types.get_type(REFERENCES if names == {REFERENCES} else ANNOTATION)
    return cassis.merge_typesystems(*known)


class CasTypes:
    """The types of a corpus's layers, and their features.

    Types and features that are needed are made at once, before the first annotation: cassis makes classes of them.
    """

    def __init__(self, corpus: Corpus) -> None:
        import cassis

        with explaining():
            known = [cassis.load_typesystem(text) for text in corpus.schemas.get(UIMA, ())]
            self.types: Any = _merged(known) if known else cassis.TypeSystem()
        layers = Layers(self.types)
        self._kinds: dict[str, Any] = {}
        self._joined: dict[str, str] = {}
        self._slots: dict[str, list[Slot]] = {}
        for kind in self.types.get_type(ANNOTATION).descendants:
            name, role = layers.name(kind), layers.role(kind)
            if role in ("unit", "relation"):
                self._kinds[name] = self.types.get_type(layers.root(kind))
            if role == "relation":
                self._joined[name] = layers.joined(self._kinds[name])
            elif role == "unit" and (slots := layers.slots(self._kinds[name])):
                self._slots[name] = [self._known_slot(self._kinds[name], one, layers) for one in slots]
        self._is_given = bool(known)
        self._new: list[str] = []
        self._lost: Counter[str] = Counter()
        (self._only,) = corpus.schemas.get(ONLY_LAYER, ("",))[:1]
        self._names = self._named(corpus)
        self.used: dict[str, dict[str, str]] = self._declare(corpus)
        """The layers of the corpus; those of their features that the type has, and what cassis calls them."""

    def layer_of(self, unit: Unit) -> str:
        """Return the layer of a unit."""
        return self._names[unit.features.get(LAYER_FEATURE), kind_of(unit)]

    def is_relation(self, layer: str) -> bool:
        """Whether a layer is one of relations."""
        return layer in self._joined

    def end_of(self, layer: str) -> str:
        """Return the layer of the annotations that relations of a layer join; tokens are the type Token."""
        return self._joined[layer]

    def slots_of(self, layer: str) -> Sequence[Slot]:
        """Return the slots of a layer."""
        return self._slots.get(layer, ())

    def has_events(self, layer: str) -> bool:
        """Whether there are events in a layer."""
        return any(kind == EVENTS and name == layer for (_, kind), name in self._names.items())

    def slot_of(self, layer: str, role: str) -> Slot:
        """Return the slot that a role is in: that of its name, otherwise the first with roles."""
        slots = self._slots[layer]
        named = [one for one in slots if plain_name(one.name) == role]
        return next(iter([*named, *(one for one in slots if one.link is not None), *slots]))

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
        return Linking(
            tool,
            self.layer_of,
            self.end_of,
            lambda layer: not is_dependency(self.kind(layer).name),
            END,
            lambda layer, role: self.slot_of(layer, role).target,
        )

    def said(self) -> list[str]:
        """Say what is new in the type system, and what was left out."""
        new = [f"new in the type system, so add it to the project before you import: {listed(self._new)}"]
        return [
            *(new if self._new and self._is_given else ()),
            *(f"{what}: {plural(n, 'label')} not written" for what, n in self._lost.items()),
        ]

    def _known_slot(self, kind: Any, name: str, layers: Layers) -> Slot:
        """Return a slot of a type of the project."""
        feature = kind.get_feature(name)
        usual = f"{kind.name}{plain_name(name)[:1].upper()}{plain_name(name)[1:]}Link"  # as INCEpTION calls it
        element = feature.elementType
        link: Any = element if element is not None and element.name not in (TOP, ANNOTATION) else None
        if link is None and self.types.contains_type(usual):
            link = self.types.get_type(usual)
        target = None if link is None else link.get_feature("target")
        if target is None or link.get_feature("role") is None:
            return Slot(name, None, ANNOTATION if link is None else layers.shown(link))
        return Slot(name, link, layers.shown(target.rangeType))

    def _named(self, corpus: Corpus) -> dict[tuple[Label | None, str], str]:
        """Return the layers of the corpus, by their labels and the kind of units.

        Relations get a layer of relations: not one of spans, whose links are a chain.
        """
        found = {(label, kind) for label, kind, _ in _layers_in(corpus)}
        named: dict[tuple[Label | None, str], str] = {}
        for label, kind in found:
            named[label, kind] = self._only or _DEFAULT_LAYERS[kind] if label is None else str(label)
        others = {name for (_, kind), name in named.items() if kind != RELATIONS}
        for (label, kind), name in named.items():
            if (kind == RELATIONS) != (name in self._joined) and (name in self._kinds or name in others):
                named[label, kind] = f"{name}{'Relation' if kind == RELATIONS else 'Span'}"
        return named

    def _declare(self, corpus: Corpus) -> dict[str, dict[str, str]]:
        used: dict[str, dict[str, str]] = {}
        spans = list(dict.fromkeys(name for (_, kind), name in self._names.items() if kind == SPANS))
        only = spans[0] if len(spans) == 1 else END
        for label, unit_kind, own in sorted(_layers_in(corpus), key=lambda one: UNIT_KINDS.index(one[1])):
            layer = self._names[label, unit_kind]
            is_new = layer not in self._kinds
            kind, features = self.kind(layer), used.setdefault(layer, {})
            ends: list[str] = []
            if unit_kind == RELATIONS:
                ends = [self._declare_ends(layer, only, is_new=is_new)]
            elif unit_kind == EVENTS:
                ends = self._declare_slots(layer, only)
            for end in ends:
                if end != TOKEN:
                    used.setdefault(end, {})
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

    def _declare_ends(self, layer: str, only: str, *, is_new: bool) -> str:
        """Return the layer that relations join; decide it if it is not known."""
        if is_new or self._joined[layer] == ANNOTATION:
            self._joined[layer] = only
        if is_new:
            _add_ends(self.types, self.kind(layer), self.kind(only).name)
        return self._joined[layer]

    def _declare_slots(self, layer: str, only: str) -> list[str]:
        """Return the layers that are in the slots of a layer; decide that if it is not known, and add missing slots."""
        kind = self.kind(layer)
        if layer not in self._slots:
            link = f"{kind.name}{_SLOTS.capitalize()}Link"
            _add_slot(self.types, kind, _SLOTS, (link, self.kind(only).name))
            self._slots[layer] = [Slot(_SLOTS, self.types.get_type(link), only)]
            if kind.name not in self._new:
                self._new.append(f"{kind.name}:{_SLOTS}")
        own = [one._replace(target=only if one.target == ANNOTATION else one.target) for one in self._slots[layer]]
        self._slots[layer] = own
        return [one.target for one in own]

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


def _layers_in(corpus: Corpus) -> list[tuple[Label | None, str, BoolArray]]:
    """Return the layers of a corpus: the label, the kind of units, and which units those are."""
    column, kinds = corpus.features.get(LAYER_FEATURE), kinds_of(corpus)
    codes = np.full(corpus.n_units, MISSING) if column is None else column.codes
    found: list[tuple[Label | None, str, BoolArray]] = []
    for code in np.unique(codes).tolist():
        label = None if column is None or code == MISSING else column.labels[code]
        for number, kind in enumerate(UNIT_KINDS):
            own = (codes == code) & (kinds == number)
            found += [(label, kind, own)] if own.any() else []
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
