"""The path of units with several anchors, for data whose units are plain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unisono.data import AnnotationSet, Document
from unisono.data.anchors import Anchors
from unisono.measurement.gamma import measure, mixing


def with_anchors(units: AnnotationSet) -> AnnotationSet:
    """Give each unit one anchor, which is the unit itself."""
    first, role = np.arange(units.n_units + 1), np.zeros(units.n_units, np.int64)
    return replace(units, anchors=Anchors(first, role, units.start, units.end, ("trigger",)))


def give_anchors(monkeypatch):
    """Give one anchor to every unit that is measured."""
    sets, one = measure.annotation_sets, Document.annotation_set

    def all_sets(*args):
        return [with_anchors(units) for units in sets(*args)]

    monkeypatch.setattr(measure, "annotation_sets", all_sets)
    monkeypatch.setattr(mixing, "annotation_sets", all_sets)
    monkeypatch.setattr(Document, "annotation_set", lambda *args: with_anchors(one(*args)))
