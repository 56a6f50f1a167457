"""Votes weighted by competence, which is estimated from the alignment: reliable annotators count for more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono import tables
from unisono.adjudication.boundaries import imprecision, precision_weights
from unisono.adjudication.dawid_skene import dawid_skene
from unisono.adjudication.mace import mace
from unisono.adjudication.proposal import AlignmentRow, Opinion
from unisono.adjudication.truth import Truth
from unisono.alignment.aligned import UnitaryAlignment
from unisono.alignment.alignment import Alignment
from unisono.alignment.consensus import Vote, label_key, most, vote
from unisono.arrays import IntArray
from unisono.data import Label
from unisono.errors import DataError
from unisono.results import Captioned, Table

MODELS: Mapping[str, Callable[[IntArray, int], Truth]] = {"dawid-skene": dawid_skene, "mace": mace}
UNIT = "unit"
"""What is estimated where units have no features."""
OFF = "boundaries off"
_NO_UNIT = -2
_TINY = 1e-100


@dataclass(frozen=True)
class Competence:
    """How far annotators can be trusted.

    Attributes
    ----------
    model : str
        The model of competence.
    trust : dict
        Annotator to feature to how far their labels can be trusted, from 0 to 1; None for annotators who were alone in
        all their documents. "No unit" counts as a label, too.
    off : dict
        Annotator to how far their boundaries are off, as a share of a unit's length.
    settled : bool
        Whether the estimates stopped changing before there were too many steps.
    """

    model: str
    trust: Mapping[str, Mapping[str, float | None]]
    off: Mapping[str, float | None]
    settled: bool

    @property
    def columns(self) -> dict[str, list[str | float | None]]:
        """The same as a table."""
        features = dict.fromkeys(name for own in self.trust.values() for name in own)
        columns: dict[str, list[str | float | None]] = {"annotator": list(self.trust)}
        columns |= {name: [own[name] for own in self.trust.values()] for name in features}
        return columns | {OFF: [self.off[who] for who in self.trust]}

    def table(self) -> Captioned:
        """Return the same for people, the most trusted annotator first."""
        rows = sorted(zip(*self.columns.values(), strict=True), key=lambda row: (row[1] is None, -float(row[1] or 0.0)))
        return Captioned(f"Competence ({self.model})", Table(tuple(self.columns), rows))

    def to_frame(self, library: str | None = None) -> Any:
        """Return the table as a data frame."""
        return tables.frame(self.columns, library)


def weighed(
    rows: Sequence[AlignmentRow], alignments: Mapping[str, Alignment], annotators: Sequence[str], model: str
) -> tuple[list[Opinion], Competence]:
    """Estimate the joint opinion on each unitary alignment, and how far each annotator can be trusted.

    The labels of a unitary alignment are those of its units, and "no unit" is a label. Each feature is estimated
    separately; whether there is a unit, from the first feature that γ compares.
    """
    if len({who for alignment in alignments.values() for who in alignment.names}) < 3:
        raise DataError(
            "if two annotators disagree, it is unknown who is right; estimating competence needs three or more"
        )
    anyone = next(iter(alignments.values()))
    features = list(anyone.document.corpus.features)
    found = {name: _Judged(rows, annotators, name, model) for name in features or [UNIT]}
    compared = anyone.dissimilarity.features
    leading = found[compared[0] if compared else next(iter(found))]
    off = imprecision(alignments)
    weights = precision_weights(off)
    opinions = [
        Opinion(leading.support(item), {name: found[name].vote(item) for name in features}, weights)
        for item in range(len(rows))
    ]
    trust = {
        who: {name: judged.competence(place) for name, judged in found.items()} for place, who in enumerate(annotators)
    }
    settled = all(judged.truth.settled for judged in found.values())
    return opinions, Competence(model, trust, {who: off.get(who) for who in annotators}, settled)


class _Judged:
    """What is estimated for one feature, or for `UNIT` if units have none; see `weighed`."""

    def __init__(self, rows: Sequence[AlignmentRow], annotators: Sequence[str], feature: str, model: str) -> None:
        place = {who: number for number, who in enumerate(annotators)}
        self._codes: dict[object, int] = {}
        self._given = [_labels(row, feature) for _, row in rows]
        codes = np.full((len(rows), len(annotators)), -1, dtype=np.int64)
        for item, (_, row) in enumerate(rows):
            codes[item, [place[who] for who in row.units]] = _NO_UNIT
            for who, label in self._given[item].items():
                codes[item, place[who]] = self._codes.setdefault(label_key(label), len(self._codes))
        codes[codes == _NO_UNIT] = len(self._codes)
        self.truth = MODELS[model](codes, len(self._codes) + 1)

    def support(self, item: int) -> float:
        """Return the probability that there is a unit."""
        return float(1 - self.truth.probability[item, -1])

    def vote(self, item: int) -> Vote:
        """Return the most probable label if there is a unit, of those that somebody gave."""
        labels = list(self._given[item].values())
        probability = self.truth.probability[item, :-1]
        total = float(probability.sum())
        if not total > _TINY:
            return vote(labels)
        distinct = {label_key(label): label for label in labels}
        return most([(label, float(probability[self._codes[key]]) / total) for key, label in distinct.items()])

    def competence(self, annotator: int) -> float | None:
        """Return how far an annotator can be trusted; None if nothing is known."""
        value = float(self.truth.competence[annotator])
        return None if np.isnan(value) else value


def _labels(row: UnitaryAlignment, feature: str) -> dict[str, Label | None]:
    return {who: unit.features.get(feature) for who, unit in row.units.items() if unit is not None}
