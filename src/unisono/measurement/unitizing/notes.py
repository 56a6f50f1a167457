"""Notes of measures for units: what was left out, guessed or treated as something else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.data.corpus import Document
from unisono.data.labelled_units import LabelledUnits
from unisono.errors import listed, plural


def notes_on(units: LabelledUnits, *, extent: bool = True, lengths: bool = True) -> tuple[str, ...]:
    """State what was left out or guessed, as far as the extent of continua and the lengths of units matter."""
    shared = [Document(units.corpus, index) for index in np.flatnonzero(units.shared).tolist()]
    notes = [_left_out(units), _without_label(units), _different_texts(shared)]
    if extent:
        notes.append(_guessed(shared))
    if lengths:
        notes.append(_empty(units))
    return tuple(note for note in notes if note)


def _left_out(units: LabelledUnits) -> str:
    alone = int((~units.shared).sum())
    if not alone or not units.shared.any():
        return ""
    be, them = ("is", "it") if alone == 1 else ("are", "them")
    of_all = plural(len(units.corpus), "document")
    return f"{alone} of {of_all} {be} left out: fewer than two annotators worked on {them}"


def _without_label(units: LabelledUnits) -> str:
    unlabelled = int((units.category == len(units.labels)).sum()) if None in units.labels else 0
    if not unlabelled:
        return ""
    if unlabelled == units.n_units:
        return "units have no labels, so all belong to one category"
    have, their = ("has", "its") if unlabelled == 1 else ("have", "their")
    return f"{plural(unlabelled, 'unit')} {have} no label, which is treated as a category of {their} own"


def _different_texts(shared: Sequence[Document]) -> str:
    names = [document.name for document in shared if document.texts_differ]
    return (
        f"annotators have different texts in {listed(names, 5)}; positions are compared without alignment"
        if names
        else ""
    )


def _guessed(shared: Sequence[Document]) -> str:
    """Name the documents where neither text nor bounds define where the continuum starts and ends."""
    names = [document.name for document in shared if not document.has_bounds]
    if not names:
        return ""
    which = f"document {names[0]}" if len(names) == 1 else listed(names, 5)
    return (
        f"the start and end of the continuum of {which} were guessed from the units, so gaps at its ends are "
        "not seen; provide the text or the bounds"
    )


def _empty(units: LabelledUnits) -> str:
    empty = int((units.end == units.start).sum())
    if not empty:
        return ""
    cover = "covers nothing and does" if empty == 1 else "cover nothing and do"
    return f"{plural(empty, 'unit')} of length 0 {cover} not count"
