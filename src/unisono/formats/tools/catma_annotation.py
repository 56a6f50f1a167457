"""An annotation of CATMA, wherever it was found, to a unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from unisono.data import Label
from unisono.formats.collected import LAYER_FEATURE, Collected

_TAKEN = ("category", LAYER_FEATURE)


class Source(NamedTuple):
    """A document's name, and its text, if there is one."""

    document: str
    text: str | None


@dataclass
class Annotation:
    """An annotation.

    Attributes
    ----------
    id : str
        Its ID in CATMA.
    tag, tagset : str
        The names of its tag and of the tagset.
    author, collection : str, optional
        Who made it, and the name of the collection that it is in.
    properties : mapping
        Names to labels.
    pieces : list of (int, int)
        Where it is.
    line : int, optional
        Where it stands in the file.
    """

    id: str
    tag: str
    tagset: str | None
    author: str | None
    collection: str | None
    properties: Mapping[str, Label | None]
    pieces: list[tuple[int, int]] = field(default_factory=list)
    line: int | None = None


def add_annotation(annotation: Annotation, source: Source, collected: Collected) -> None:
    """Add an annotation as a unit.

    Parameters
    ----------
    annotation : Annotation
        What was found.
    source : Source
        The document that it is on.
    collected : Collected
        Takes it.
    """
    annotator = annotator_of(annotation.author, annotation.collection, collected)
    if not annotation.pieces:
        collected.drop("annotations that are nowhere in the text")
        return
    collected.version(source.document, annotator, text=source.text, line=annotation.line)
    own = {f"{name} (feature)" if name in _TAKEN else name: label for name, label in annotation.properties.items()}
    labels = {"category": annotation.tag, **own}
    place = {"document": source.document, "annotator": annotator, "layer": annotation.tagset}
    for start, end in collected.spans(annotation.pieces, annotation.line):
        collected.unit(start, end, labels, **place, line=annotation.line)


def annotator_of(author: str | None, collection: str | None, collected: Collected) -> str | None:
    """Return who annotates: the author, or the collection, or None for whoever the path names."""
    where = collected.instructions.annotator_from
    if where in ("folder", "file"):
        return None
    return collection if where == "tier" else author
