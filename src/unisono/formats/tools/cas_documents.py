"""Labels of whole documents in a UIMA CAS: the layers of INCEpTION for document metadata.

Each feature of such a layer is a question, and the document is the item. One annotation gives a label; several of one
layer give a set. Annotators whose version of the document has none saw it and gave no label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unisono.data import Label
from unisono.data.labels import written_label
from unisono.errors import DataError
from unisono.formats.collected import Collected, as_label

_SHOWN = 300
_LINKS = "links between units (slots), which are not compared"
_NO_FEATURES = "labels of documents whose layer has no feature"


@dataclass(frozen=True)
class DocumentLayer:
    """A layer of labels of documents: its name, and the features with what their values are like.

    That is: value, number, names (several) or links (to other annotations).
    """

    name: str
    features: Mapping[str, str]


def add_document_labels(
    structures: Sequence[Any],
    layers: Mapping[str, DocumentLayer],
    text: str,
    collected: Collected,
    lines: Mapping[int, int],
) -> None:
    """Add the labels that an annotator gave to a document, among the structures of its view."""
    found: dict[str, list[Any]] = {name: [] for name in layers}
    for structure in structures:
        if structure.type.name in layers:
            found[structure.type.name].append(structure)
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    item = collected.instructions.document_of(collected.path)
    for kind, layer in layers.items():
        own = found[kind]
        collected.drop(_NO_FEATURES, 0 if layer.features else len(own))
        line = lines.get(own[0].xmiID) if own else None
        for feature, shape in layer.features.items():
            if shape == "links":
                collected.drop(
                    _LINKS, sum(len(getattr(one, feature).elements or ()) for one in own if _has(one, feature))
                )
                continue
            with collected.record(line):
                question = f"{layer.name}.{plain_name(feature)}"
                label = _label([one for one in own if _has(one, feature)], feature, shape)
                several = shape == "names" or isinstance(label, tuple)
                collected.question(question, "sets" if several else "numbers" if shape == "number" else None)
                collected.answer(question, item, label, text=shown, line=line)


def plain_name(feature: str) -> str:
    """Return a feature's own name: cassis renames self and type."""
    return feature[:-1] if feature in ("self_", "type_") else feature


def _has(structure: Any, feature: str) -> bool:
    return getattr(structure, feature) not in (None, "")


def _label(structures: Sequence[Any], feature: str, shape: str) -> Label | None:
    """Return the label that annotations of one layer give: that of the only one, or a set."""
    values = [getattr(one, feature) for one in structures]
    if shape == "names":
        names = (name for value in values for name in value.elements or ())
        return tuple(sorted({name for name in names if isinstance(name, str)})) if values else None
    for value in values:
        if not isinstance(value, str | bool | int | float):
            raise DataError(f"the feature {feature} should be text or a number, not {value!r:.60}; correct it")
    return values[0] if len(values) == 1 else as_label(map(written_label, values))
