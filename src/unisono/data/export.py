"""What an annotation tool exported, if it is more than one kind of annotation: one of them has to be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from unisono.data.corpus import Corpus
from unisono.data.ratings import Ratings
from unisono.data.selection import Steps, noted
from unisono.data.unit_kinds import counted_units
from unisono.errors import DataError, OptionError, listed, mention

LAYER_FEATURE = "type"
"""The feature that says which layer, tier or annotation set a unit belongs to."""
ONLY_LAYER = "layer"
"""The kind of schema that names the layer, if only one was kept (see `Corpus.schemas`)."""


@dataclass(frozen=True, eq=False)
class Export:
    """Units and labels of items, or answers to several questions; `prepare` chooses some of it, by layer or by kind.

    Attributes
    ----------
    units : Corpus or None
        The units that annotators marked, if there are any.
    questions : mapping of str to Ratings
        The labels that annotators gave to items, by the name of the question that they answered.
    source : str
        Where it comes from, for display.
    dropped : mapping of str to int
        What was left out when it was read and why, with counts.
    preparation : tuple
        What was done to it: (step, how), in order.

    See Also
    --------
    read, prepare, Question

    Examples
    --------
    >>> import unisono
    >>> mood = unisono.Ratings.of({"anna": ["glad", "sad"], "bert": ["glad", "glad"]})
    >>> length = unisono.Ratings.of({"anna": [1, 2], "bert": [1, 3]})
    >>> export = unisono.Export(None, {"mood": mood, "length": length})
    >>> export.annotators, export.n_units
    (('anna', 'bert'), 8)
    >>> unisono.prepare(export, layers=["mood"])
    Ratings(2 items, 2 annotators, 2 labels)
    """

    units: Corpus | None
    questions: Mapping[str, Ratings]
    source: str = ""
    dropped: Mapping[str, int] = field(default_factory=dict)
    preparation: Steps = ()

    @property
    def n_units(self) -> int:
        """Number of units and labels."""
        return (self.units.n_units if self.units else 0) + sum(one.n_units for one in self.questions.values())

    @cached_property
    def annotators(self) -> tuple[str, ...]:
        """Everybody who annotated something."""
        parts = [*([] if self.units is None else [self.units]), *self.questions.values()]
        return tuple(dict.fromkeys(name for part in parts for name in part.annotators))

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers of units, if they have some."""
        if self.units is None or LAYER_FEATURE not in self.units.features:
            return ()
        return tuple(map(str, self.units.features[LAYER_FEATURE].labels))

    def of_kind(self, units: str) -> Corpus | Ratings | Export:
        """Choose the units (of some kind), or the labels of items, which may still be answers to several questions."""
        if units != "items":
            if self.units is None:
                raise DataError(f"there are no {units}; there are {self.summary()}")
            return self._only(self.units, "units", units, dict.fromkeys(self.questions, True))
        if not self.questions:
            raise DataError("there are no labels of items, only spans")
        if len(self.questions) == 1:
            return self._only(next(iter(self.questions.values())), "units", units, {})
        return replace(self, units=None, preparation=noted(self.preparation, "units", units))

    def layer(self, names: Iterable[str]) -> Corpus | Ratings:
        """Choose layers: the units among which they are (all of these), or the answers to a question."""
        wanted = list(names)
        for name in wanted:
            if name not in self.questions and name not in self.layers:
                known = listed([*self.layers, *self.questions])
                spans = f"; for the spans, use {mention('units', 'spans')}" if self.units and not self.layers else ""
                raise OptionError(f"unknown layer {name!r}; available: {known}{spans}", "layers")
        asked = [name for name in wanted if name in self.questions]
        marked = [name for name in wanted if name in self.layers]
        if asked and marked:
            both = next((name for name in asked if name in marked), None)
            if both is None:
                raise OptionError(f"{asked[0]!r} are labels of items and {marked[0]!r} are spans; choose one", "layers")
            raise OptionError(
                f"{both!r} are both labels of items and spans; choose with {mention('units', 'items')} or "
                f"{mention('units', 'spans')}",
                "layers",
            )
        if len(asked) > 1:
            raise OptionError(f"questions are measured one by one; choose one of {listed(asked)}", "layers")
        if asked:
            others = {name: name != asked[0] for name in self.questions}
            return self._only(self.questions[asked[0]], "layers", asked[0], others)
        if self.units is None:
            raise OptionError(f"there are no spans; available: {listed([*self.questions])}", "layers")
        return self._only(self.units, "", "", dict.fromkeys(self.questions, True))

    def simplest(self) -> Corpus | Ratings | Export:
        """Return the only kind of annotation that there is, or all if there are several."""
        if self.units is None and len(self.questions) == 1:
            return replace(next(iter(self.questions.values())), source=self.source, dropped=dict(self.dropped))
        if self.units is not None and not self.questions:
            return replace(self.units, source=self.source, dropped=dict(self.dropped))
        return self

    def summary(self) -> str:
        """Say what is there, in words."""
        parts = []
        if self.units is not None:
            layers = f" of {len(self.layers)} layers ({listed(self.layers, 5)})" if len(self.layers) > 1 else ""
            parts.append(f"{self.units.n_units:,} spans{layers}")
        counted = [f"{name or 'without a name'} ({ratings.n_units:,})" for name, ratings in self.questions.items()]
        if counted:
            parts.append(f"labels of items: {listed(counted, 8)}")
        others = {} if self.units is None else self.units.others
        parts += [counted_units(sum(types.values()), kind) for kind, types in others.items()]
        return " and ".join(parts)

    def ambiguous(self) -> DataError:
        """Ask for a choice."""
        ways = []
        if self.questions:
            ways.append(mention("layers", next(iter(self.questions))))
        if self.units is not None:
            ways += [mention("units", kind) for kind in ("spans", *self.units.others)]
        return DataError(f"there are {self.summary()}; choose what to measure with {' or '.join(ways)}")

    def select(
        self, *, annotators: Iterable[str] | None = None, documents: Iterable[str] | None = None
    ) -> Corpus | Ratings | Export:
        """Reject a choice of annotators and documents: a kind of annotation has to be chosen first."""
        raise self.ambiguous()

    def __eq__(self, other: object) -> bool:
        """Whether both contain the same data, regardless of order and source."""
        if not isinstance(other, Export):
            return False
        return self is other or (self.units == other.units and dict(self.questions) == dict(other.questions))

    def __hash__(self) -> int:
        return hash(frozenset(self.questions))

    def __repr__(self) -> str:
        return f"Export({self.summary()})"

    def _only(self, data: Corpus | Ratings, step: str, how: str, left: Mapping[str, bool]) -> Corpus | Ratings:
        """Return one of the parts, with a count of what is left out."""
        dropped = dict(self.dropped)
        if isinstance(data, Ratings) and self.units is not None:
            dropped["spans (labels of items were chosen)"] = self.units.n_units
        others = {name: ratings for name, ratings in self.questions.items() if left.get(name)}
        if others:
            what = f"labels of items in answer to other questions: {listed([*others], 5)}"
            dropped[what] = sum(ratings.n_units for ratings in others.values())
        steps = noted(self.preparation, step, how) if step else self.preparation
        return replace(data, source=self.source, dropped=dropped, preparation=steps)
