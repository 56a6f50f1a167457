"""What is at the ends of relations of INCEpTION, WebAnno and DKPro Core, and of chains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from unisono.data.anchors import SOURCE, TARGET

_DEPENDENCIES = "de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency."
POS = "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS"
"""What INCEpTION draws dependencies between: the part of speech of a token."""
_End = TypeVar("_End")


def ends_of(layer: str, governor: _End, dependent: _End) -> list[tuple[str, _End]]:
    """Return the ends of a relation of a layer, with their roles.

    INCEpTION draws relations from the governor to the dependent. In DKPro's dependencies, the dependent is the source,
    as in CoNLL-U, and the root, which governs itself, has no target.
    """
    if not is_dependency(layer):
        return [(SOURCE, governor), (TARGET, dependent)]
    return [(SOURCE, dependent), *([] if governor == dependent else [(TARGET, governor)])]


def is_dependency(layer: str) -> bool:
    """Whether a layer is DKPro's for dependencies."""
    return layer.startswith(_DEPENDENCIES)


def chain_links(members: Mapping[int, _End]) -> list[tuple[int, _End, _End | None]]:
    """Return each member of a chain but the last with its place and its neighbour; None where that is missing."""
    return [(place, own, members.get(place + 1)) for place, own in sorted(members.items()) if place < max(members)]
