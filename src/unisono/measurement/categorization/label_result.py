"""The result of a coefficient for categorization: it says as what labels were compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.data import Ratings
from unisono.data.questions import UNKNOWN
from unisono.dissimilarity.category import Distance, as_numbers
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.tables import MOST_ROWS, disputed, items, matrices
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.item_distances import item_sizes, label_distance
from unisono.measurement.scales import WHEN_SCALE, Alternative, LabelScale, label_scale, scale_among
from unisono.results import Line, Table

if TYPE_CHECKING:
    from unisono.measurement.categorization.family import PreparedRatings

_SCALES = {
    "interval": "interval scale",
    "ratio": "ratio scale",
    "circular": "circular scale",
    "set": "sets, compared by Jaccard",
    "masi": "sets, compared by MASI",
    "hierarchy": "places in a taxonomy",
}
"""Distances to what labels are by them."""
_IN_TITLE = {"set": "sets, Jaccard", "masi": "sets, MASI", "hierarchy": "taxonomy", "custom": "own distance"}
_SCALES_IN_TITLE = ("nominal", "ordinal", "interval", "ratio", "circular", "nld", "matrix")


@dataclass(frozen=True, eq=False, repr=False)
class LabelCoefficientResult(CoefficientResult):
    """A coefficient for labels of items."""

    prepared: PreparedRatings

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the value."""
        return (*super().notes, *self._on_scale())

    @property
    def instead(self) -> tuple[Alternative, ...]:
        """How else labels may be compared; nothing if somebody chose."""
        scale = self.labels_are
        if self._distance is None or (scale.kind in ("one", "names", "open") and not scale.odd):
            return ()
        if self._distance == str(scale.distance):
            return scale.instead
        if self._distance != "nominal":
            return ()
        return (Alternative(WHEN_SCALE[scale.kind], scale.distance),)

    @cached_property
    def labels_are(self) -> LabelScale:
        """What the labels are."""
        if isinstance(self.data, Ratings):
            return label_scale(self.data)
        counts = self.prepared.statistics()
        used = [label for label, n in zip(counts.labels, counts.frequencies.tolist(), strict=True) if n]
        return scale_among(used, self.n_units, UNKNOWN)

    def headline(self) -> list[Line]:
        """See `Result`; the scale stands beside the observed value."""
        value, *others = super().headline()
        if others and others[0].name.startswith("observed") and (words := self._scale_words()):
            others[0] = others[0]._replace(remark=words)
        return [value, *others]

    @property
    def compared_as(self) -> str:
        """See `Result`: the scale of a distance, or the weights."""
        if self._distance is not None:
            name = self._distance.partition("(")[0]
            return _IN_TITLE.get(name) or (name if name in _SCALES_IN_TITLE else f"{name} weights")
        name = str(self.parameters.get("weights", "nominal")).partition("(")[0]
        return "" if name == "nominal" else f"{name} weights"

    @cached_property
    def rows(self) -> Mapping[str, list[dict[str, Any]]]:
        """See `Result`; where labels are closer or farther apart, so are items, and numbers are higher or lower."""
        found = dict(super().rows)
        if "items" in found and self._item_agreement is not None:
            found["items"] = items(self.prepared.ratings, self.prepared.by_item, self._item_agreement)
        if "annotators" in found and (severities := self._severities()):
            among = zip(found["annotators"], severities, strict=True)
            found["annotators"] = [{**_first(row, "annotator", "agreement"), **own} for row, own in among]
        return found

    def tables(self) -> list[Table]:
        """See `Result`; of measurements, which are hardly ever the same, what each single number shows is left out."""
        found = super().tables()
        if not self._measured:
            return found
        return [_without_agreement(one) for one in found if one.columns[0] != "category"]

    def matrices(self) -> list[Table]:
        """See `CoefficientResult`; items are in the order of how far apart labels are."""
        if self._item_agreement is None or self.prepared.n_rows > MOST_ROWS:
            return super().matrices()
        if self._measured:
            from unisono.measurement.rating_scales.tables import spread_labels

            return spread_labels(self.prepared.ratings, self._numbered(self.prepared.by_item))
        worst = disputed(self.prepared.ratings, self.prepared.by_item, self._item_agreement)
        return worst + matrices(self.data.annotators, self.prepared.statistics())

    @cached_property
    def _item_agreement(self) -> FloatArray | None:
        """One minus how far apart the labels of each item are; None if they are just equal or not."""
        distance = label_distance(self, self.data)
        return None if distance is None else 1 - item_sizes(self.prepared.by_item.packed.T, distance)[0]

    @property
    def _measured(self) -> bool:
        """Whether labels are measurements, compared as such."""
        return self._item_agreement is not None and self.labels_are.kind == "numbers"

    def _severities(self) -> list[dict[str, Any]]:
        """Return how much higher each annotator rates than the others, if labels are numbers and compared as such."""
        if self._item_agreement is None or self.labels_are.kind not in ("steps", "numbers", "ranks"):
            return []
        from unisono.measurement.rating_scales.severity import MOST_COMPARED_ANNOTATORS
        from unisono.measurement.rating_scales.tables import severities

        if len(self.data.annotators) > MOST_COMPARED_ANNOTATORS:
            return []
        return severities(self.data.annotators, self._numbered(self.prepared.by_item.distinct))

    def _numbered(self, counts: Counts) -> Counts:
        """Return counts with the numbers that labels are."""
        from unisono.measurement.rating_scales.scores import NumberScale

        used = counts.frequencies > 0
        numbers = np.full(len(used), np.nan)
        numbers[used] = as_numbers([*compress(counts.labels, used.tolist())], "numbers are needed")
        return replace(counts, scale=NumberScale(counts.labels, numbers=numbers))

    @property
    def _distance(self) -> str | None:
        """The distance between labels, if the measure has one."""
        given = self.parameters.get("distance")
        return str(given) if isinstance(given, str | Distance) else None

    def _scale_words(self) -> str:
        """Return what labels are by the distance that was used; nothing for names, or if only the user knows."""
        distance = self._distance or "nominal"
        if distance == "nominal":
            return ""
        if distance == str(self.labels_are.distance):
            return self.labels_are.words
        name, _, order = distance.partition("(")
        if name == "ordinal":
            return f"ordinal: {order.rstrip(')').replace(',', ' < ')}" if order else "ordinal scale"
        return _SCALES.get(name, "")

    def _on_scale(self) -> list[str]:
        """Say as what labels are compared, and how to change that."""
        scale, ways = self.labels_are, self.instead
        if not ways:
            return []
        if scale.odd:
            them = "it" if len(scale.odd) == 1 else "them"
            treat = f"treat {them} as missing, prepare(missing={[*scale.odd]!r}), and use {ways[0].measure}"
            return [f"labels are compared as names, because {scale.details}; if {ways[0].condition}, {treat}"]
        others = "; ".join(f"if {one.condition}, use {one.measure}" for one in ways)
        if self._distance == "nominal":
            return [f"labels look like more than names ({scale.words}), but are compared as names; {others}"]
        return [f"labels are treated as {_TREATED[scale.kind]} ({scale.details}); {others}"]


_TREATED = {
    "ordered": "ordinal",
    "steps": "ordinal",
    "numbers": "an interval scale",
    "ranks": "ranks",
    "sets": "sets",
    "paths": "places in a taxonomy",
}
"""Kind of labels to what they are treated as."""


def _first(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _without_agreement(table: Table) -> Table:
    """Leave out how often annotators gave exactly the same number."""
    if table.columns[0] != "annotator" or "agreement" not in table.columns:
        return table
    kept = [index for index, name in enumerate(table.columns) if name != "agreement"]
    columns = [table.columns[index] for index in kept]
    return table._replace(columns=columns, rows=[tuple(row[index] for index in kept) for row in table.rows])
