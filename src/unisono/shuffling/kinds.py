"""All kinds of errors by name, and which are possible for what kind of data."""

from __future__ import annotations

from typing import TypeAlias

from unisono.data import Corpus, Ratings
from unisono.errors import OptionError
from unisono.shuffling.errors import (
    ERROR_KINDS,
    ITEM_ERROR_KINDS,
    TEXT_ERROR_KINDS,
    ErrorKind,
    ItemErrorKind,
    TextErrorKind,
)
from unisono.shuffling.relations import RELATION_ERROR_KINDS

AnyErrorKind: TypeAlias = ErrorKind | TextErrorKind | ItemErrorKind


def error_kind(name: str) -> AnyErrorKind:
    """Return the kind of error with a name; of several kinds of data, the first of them."""
    known: dict[str, AnyErrorKind] = {}
    for kinds in (ERROR_KINDS, RELATION_ERROR_KINDS, ITEM_ERROR_KINDS, TEXT_ERROR_KINDS):
        known |= {one: kind for one, kind in kinds.items() if one not in known}
    written = name.lower().replace("_", "-")
    if written not in known:
        raise OptionError(f"unknown error {name!r}; available: {', '.join(known)}", "errors")
    return known[written]


def kinds_for(reference: Corpus | Ratings) -> tuple[str, dict[str, AnyErrorKind]]:
    """Return what a reference has, and the kinds of errors that are possible there."""
    if isinstance(reference, Ratings):
        return "labels of items", {**ITEM_ERROR_KINDS}
    if reference.anchors is not None:
        return "relations, events or units in pieces", {**RELATION_ERROR_KINDS}
    return "units", {**ERROR_KINDS, **TEXT_ERROR_KINDS}
