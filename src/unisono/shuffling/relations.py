"""Errors in relations, events and units in several pieces, each from magnitude 0 (none) to 1.

Errors in labels, missing and added units are those of `errors`; what is here changes anchors.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unisono.arrays import BoolArray
from unisono.chance.draw import moved_with
from unisono.data.anchors import SOURCE, TARGET, Anchors
from unisono.dissimilarity.anchored import turned_around
from unisono.errors import DataError, listed
from unisono.shuffling.errors import ADDED, SHIFT, Dose, ErrorKind, ReferenceProfile, confused, missed, placed_at_random
from unisono.shuffling.units import UnitMarks, together


def anchors_shifted(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Shift each boundary of each anchor by a random value between ± magnitude · factor · length of the anchor."""
    anchors = _anchors(marks)
    start, end = anchors.start.astype(np.float64), anchors.end.astype(np.float64)
    most = dose.strength * (end - start)
    own = UnitMarks(start, end, np.zeros((0, len(start)), np.int64), marks.bounds, marks.whole)
    return marks.with_anchors(
        anchors.placed(*own.fitted(start + rng.uniform(-most, most), end + rng.uniform(-most, most)))
    )


def wrong_sources(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Choose a wrong source for each relation with probability m: a stretch of the same length, anywhere."""
    return _replaced(marks, _of_role(marks, SOURCE), dose, rng)


def wrong_targets(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Choose a wrong target for each relation with probability m: a stretch of the same length, anywhere."""
    return _replaced(marks, _of_role(marks, TARGET), dose, rng)


def wrong_anchors(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Choose each anchor wrongly, whatever its role, with probability m."""
    return _replaced(marks, np.ones(_anchors(marks).n_anchors, np.bool_), dose, rng)


def directions_turned(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Turn each relation around with probability m / 2: beyond half, annotators would agree again."""
    anchors = _anchors(marks)
    _of_role(marks, SOURCE)
    turned = turned_around(anchors)
    both = rng.random(marks.n_units) < dose.magnitude / 2
    chosen = both[anchors.owner]  # as many anchors before and after
    return marks.with_anchors(
        replace(
            anchors,
            role=np.where(chosen, turned.role, anchors.role),
            start=np.where(chosen, turned.start, anchors.start),
            end=np.where(chosen, turned.end, anchors.end),
        )
    )


def relations_added(marks: UnitMarks, dose: Dose, profile: ReferenceProfile, rng: np.random.Generator) -> UnitMarks:
    """Add m · factor units per unit of the reference, each like one of them, with its inner distances, anywhere."""
    assert profile.units is not None  # of references with such units
    drawn, start, end = placed_at_random(marks, dose, profile, rng)
    anchors = moved_with(profile.units, drawn, start, end)
    more = UnitMarks(start, end, profile.codes[:, drawn], marks.bounds, marks.whole, anchors)
    return together([marks, more])


def _replaced(marks: UnitMarks, which: BoolArray, dose: Dose, rng: np.random.Generator) -> UnitMarks:
    anchors = _anchors(marks)
    chosen = np.flatnonzero(which & (rng.random(anchors.n_anchors) < dose.magnitude))
    start, end = anchors.start.astype(np.float64), anchors.end.astype(np.float64)
    start[chosen], end[chosen] = marks.anywhere(end[chosen] - start[chosen], rng)
    return marks.with_anchors(anchors.placed(start, end))


def _anchors(marks: UnitMarks) -> Anchors:
    assert marks.anchors is not None  # these errors are made in such references only
    return marks.anchors


def _of_role(marks: UnitMarks, role: str) -> BoolArray:
    anchors = _anchors(marks)
    if role not in anchors.roles:
        raise DataError(
            f"units of the reference have no {role} (roles: {listed([*anchors.roles])}); use the error anchors"
        )
    return np.asarray(anchors.role == anchors.roles.index(role))


RELATION_ERROR_KINDS = {
    kind.name: kind
    for kind in (
        ErrorKind("position", "shift boundaries", anchors_shifted, SHIFT),
        ErrorKind("source", "choose wrong sources", wrong_sources),
        ErrorKind("target", "choose wrong targets", wrong_targets),
        ErrorKind("direction", "turn relations around", directions_turned),
        ErrorKind("anchors", "choose wrong anchors", wrong_anchors),
        ErrorKind("category", "confuse categories", confused),
        ErrorKind("false-negatives", "miss units", missed),
        ErrorKind("false-positives", "add units", relations_added, ADDED),
    )
}
