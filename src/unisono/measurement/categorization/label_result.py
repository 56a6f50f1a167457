"""The result of a coefficient for categorization: it says as what labels were compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from unisono.data import Ratings
from unisono.data.questions import UNKNOWN
from unisono.dissimilarity.category import Distance
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.scales import WHEN_SCALE, Alternative, LabelScale, label_scale, scale_among
from unisono.results import Line

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
