"""Which kind of units is wanted of a file that holds several, and what else is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unisono.data import Corpus, Label
from unisono.data.labels import written_label
from unisono.data.left_out import EXAMPLE
from unisono.data.unit_kinds import COMPOSITE, SPANS, UNIT_KINDS, only_kind
from unisono.formats.format import Instructions
from unisono.formats.pieces import as_pieces

_NOBODY = "annotator"
"""The annotator of files whose paths name none (see `Instructions`)."""


@dataclass
class WantedUnits:
    """Decides whether units are wanted, and counts the others."""

    path: Path
    instructions: Instructions
    besides: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Kinds and types of units that are not wanted, and their numbers."""
    endless: list[tuple[str, str]] = field(default_factory=list)
    """Kinds of units one of whose ends is missing, and what is missing where."""

    @property
    def kind(self) -> str:
        """The kind of units that is wanted."""
        units = self.instructions.units
        return units if units in COMPOSITE else SPANS

    def takes(self, kind: str, labels: Mapping[str, Label | None], layer: str | None) -> bool:
        """Whether units of a kind are wanted; if not, one more is counted, by its layer or category."""
        if kind == self.kind:
            return True
        label = labels.get("category") if layer is None else layer
        self.besides[kind, "" if label is None else written_label(label)] += 1
        return False

    def without_end(self, kind: str, what: str, missing: str, line: int | None) -> None:
        """Note a wanted unit, such as R1, one of whose ends is missing, such as target T9."""
        says = self.instructions
        named = [name for name in (says.document, says.annotator) if name not in (None, _NOBODY, self.path.stem)]
        where = [*named, self.path.name, *([] if line is None else [f"line {line}"])]
        self.endless.append((kind, f"{what} ({', '.join(map(str, where))}): {missing} is not there"))

    def others(self) -> dict[str, dict[str, int]]:
        """Return what else there is: kind to type to number."""
        found: dict[str, dict[str, int]] = {}
        for (kind, what), n in sorted(self.besides.items(), key=lambda one: UNIT_KINDS.index(one[0][0])):
            found.setdefault(kind, {})[what] = n
        return found

    def missing_ends(self) -> Counter[str]:
        """Count units one of whose ends is missing, and name the first of each kind."""
        first = dict(reversed(self.endless))
        counts = Counter(kind for kind, _ in self.endless)
        return Counter({f"{kind} without one of their ends{EXAMPLE}{first[kind]}": n for kind, n in counts.items()})


def as_wanted(corpus: Corpus, instructions: Instructions) -> Corpus:
    """Return the units of the kind that is wanted, of a format that may have all of them, and pieces as wanted."""
    return as_pieces(only_kind(corpus, instructions.units), instructions.discontinuous)
