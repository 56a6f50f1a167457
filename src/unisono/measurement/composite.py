"""Data with relations, events or units in several pieces: what measures that compare plain spans say about it."""

from __future__ import annotations

from typing import Any

import numpy as np

from unisono.data import Corpus
from unisono.data.anchors import PIECE
from unisono.errors import DataError, mention, plural


def composite_units(data: Any) -> str | None:
    """Describe the units with several anchors in some data and say what to do about them; None if there are none."""
    if not isinstance(data, Corpus) or data.anchors is None:
        return None
    composite = np.flatnonzero(data.anchors.composite)
    first = data.anchors.take(composite[:1])
    where = data.documents[data.document[composite[0]]]
    pieces = data.anchors.roles == (PIECE,)
    instead = mention("discontinuous", "whole") if pieces else mention("units", "spans")
    are = "is a relation or event" if len(composite) == 1 else "are relations or events"
    if pieces:
        are = "has several pieces" if len(composite) == 1 else "have several pieces"
    return (
        f"{plural(len(composite), 'unit')} of {data.n_units:,} {are} (the first in {where!r}, at "
        f"{first.start.min():g}), which only some measures can handle; use gamma, or read {instead}"
    )


def refuse_composite(data: Any) -> None:
    """Raise DataError if some data has units with several anchors."""
    reason = composite_units(data)
    if reason is not None:
        raise DataError(reason)
