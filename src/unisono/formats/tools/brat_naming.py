"""The names of features and labels in brat: one feature is the type of annotations, the others are attributes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from unisono.data import Corpus, Label, Unit
from unisono.data.anchors import PIECE
from unisono.data.export import LAYER_FEATURE
from unisono.data.labels import written_label
from unisono.data.unit_kinds import kinds_of, of_origin
from unisono.errors import listed, plural
from unisono.formats.tools import brat_names

_CATEGORY = "category"
_UNLABELLED = "unlabelled"
_Key: TypeAlias = tuple[str, Label | None]


@dataclass
class Naming:
    """The names of features and labels."""

    entities: tuple[str | None, str | None]
    """The feature that is the type of annotations, and that of relations and events."""
    types: dict[_Key, str] = field(default_factory=dict)
    """Its labels to names of types."""
    attributes: dict[str, str] = field(default_factory=dict)
    """The other features to names of attributes."""
    values: dict[str, dict[_Key, str]] = field(default_factory=dict)
    """Each of them to the names of its labels."""
    said: list[str] = field(default_factory=list)
    """Sentences about what is named differently."""

    def type_of(self, unit: Unit) -> str:
        """Return the name of a unit's type."""
        entity = self.entities[is_composite(unit)]
        return self.types[_key(None if entity is None else unit.features[entity])]

    def attributes_of(self, unit: Unit) -> Iterator[tuple[str, str]]:
        """Iterate over a unit's attributes: name, and value with a space before it, or nothing for a flag."""
        for feature, name in self.attributes.items():
            label = unit.features[feature]
            if feature == self.entities[is_composite(unit)]:
                continue
            if label is True:
                yield name, ""
            else:
                yield from ((name, f" {self.values[feature][_key(member)]}") for member in _members(label))

    def configuration(self, linked: Mapping[str, Collection[str]] | None = None) -> Iterator[str]:
        """Iterate over the lines of annotation.conf; `linked` are the types of relations, and of events with roles."""
        links = linked or {}
        yield from ("[entities]", *sorted({*self.types.values(), *(["End"] if links else [])}), "", "[relations]")
        yield from (f"{kind}\tArg1:<ENTITY>, Arg2:<ENTITY>" for kind, roles in sorted(links.items()) if not roles)
        yield from ("", "[events]")
        for kind, roles in sorted(links.items()):
            if roles:
                yield f"{kind}\t{', '.join(f'{role}*:<ENTITY>' for role in sorted(roles))}"
        yield from ("", "[attributes]")
        for feature, name in self.attributes.items():
            values = "|".join(self.values[feature].values())
            yield f"{name}\tArg:{'<ANY>' if links else '<ENTITY>'}" + (f", Value:{values}" if values else "")


def naming_of(corpus: Corpus) -> Naming:
    """Find names for the features and labels of a corpus."""
    labels = {name: dict.fromkeys(map(_key, column.values())) for name, column in corpus.features.items()}
    linked = kinds_of(corpus) > 0
    spans, links = corpus, corpus
    if mixed := bool(linked.any() and not linked.all()):
        spans, links = (of_origin(corpus, np.flatnonzero(own)) for own in (~linked, linked))
    naming = Naming((_entity(spans, mixed), _entity(links, mixed)))
    _name_types(corpus, linked.tolist(), naming)
    others = {name: name for name in corpus.features if not _is_type(name, spans, links, naming)}
    naming.attributes = brat_names.distinct(others, brat_names.name, taken=[_CATEGORY])
    naming.said += brat_names.renamed("features", others, naming.attributes)
    for name in others:
        members = (member for _, label in labels[name] for member in _members(label) if member is not True)
        texts = {_key(member): _text(member) for member in members}
        naming.values[name] = brat_names.distinct(texts, brat_names.value)
        naming.said += brat_names.renamed(f"labels of {name!r}", texts, naming.values[name])
    naming.said += _not_text([label for name in others for _, label in labels[name]], naming.types)
    empty = [name for name, own in labels.items() if set(own) <= {_key(None), _key(())}]
    if empty and corpus.n_units:
        naming.said.append(f"features without labels are not written: {listed(empty)}")
    return naming


def is_composite(unit: Unit) -> bool:
    """Whether a unit is a relation or an event."""
    return any(anchor.role != PIECE for anchor in unit.anchors)


def _is_type(name: str, spans: Corpus, links: Corpus, naming: Naming) -> bool:
    """Whether a feature is the type of all units that have it."""
    kinds = zip((spans, links), naming.entities, strict=True)
    return name in naming.entities and all(name == entity or not own.features[name].labels for own, entity in kinds)


def _entity(corpus: Corpus, mixed: bool) -> str | None:
    """Choose the type of annotations: the category, else the only feature, else the layer.

    Where units of two kinds are mixed, those of one kind only have the features that have labels there.
    """
    labelled = tuple(name for name, column in corpus.features.items() if column.labels) if mixed else ()
    names = labelled or tuple(corpus.features)
    if _CATEGORY in names:
        return _CATEGORY
    return names[0] if len(names) == 1 else LAYER_FEATURE if LAYER_FEATURE in names else None


def _name_types(corpus: Corpus, linked: Sequence[bool], naming: Naming) -> None:
    columns = [
        [None] * corpus.n_units if entity is None else corpus.features[entity].values() for entity in naming.entities
    ]
    own = [columns[which][row] for row, which in enumerate(linked)]
    texts = {key: _text(key[1]) for key in dict.fromkeys(map(_key, own))}
    naming.types = brat_names.distinct(texts, brat_names.name)
    given = {key: text for key, text in texts.items() if key != _key(None)}
    naming.said += brat_names.renamed("labels", given, naming.types)
    for entity in dict.fromkeys(naming.entities):
        if entity not in (None, _CATEGORY):
            naming.said.append(f"the feature {entity!r} is written as the type, and will be read as category")
    if n_without := own.count(None):
        what = f"{plural(n_without, 'unit')} without a category"
        naming.said.append(f"brat's annotations have a type; {what} written as {naming.types[_key(None)]}")


def _not_text(labels: Sequence[Label | None], types: Iterable[_Key]) -> list[str]:
    """Say which labels will be read differently."""
    said = []
    numbers = any(isinstance(label, int | float) and label is not True for label in labels)
    if numbers or any(label is not None and not isinstance(label, str) for _, label in types):
        said.append("labels that are not text are written as text")
    if any(isinstance(label, tuple) for label in labels):
        said.append("sets are written as several attributes of one name; sets of one label are read as that label")
    return said


def _members(label: Label | None) -> tuple[Label, ...]:
    if label is None:
        return ()
    return label if isinstance(label, tuple) else (label,)


def _text(label: Label | None) -> str:
    """Write a label as text; a set as its members."""
    if label is None:
        return _UNLABELLED
    if isinstance(label, bool):
        return str(label).lower()
    return "+".join(label) if isinstance(label, tuple) else written_label(label)


def _key(label: Label | None) -> _Key:
    """Distinguish true from 1."""
    return type(label).__name__, label
