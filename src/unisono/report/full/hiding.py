"""What a report of private data does not show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unisono.data import Corpus, Data, Label, Ratings
from unisono.report.notebook import label_text
from unisono.results import Table

MOST_NAMED = 50
"""A feature with more different labels than this is taken for text: lemmas, corrections, remarks."""
_SAFE = (
    "document",
    "text",
    "pair",
    "annotator",
    "group",
    "type",
    "feature",
    "words as units",
    "characters as units",
    "type of modernization",
    "types, mean over pairs",
    "modernization, type agreed",
)
"""What the first column of a table may name where text is hidden, besides categories."""


@dataclass(frozen=True)
class Names:
    """How labels are written: as they are, or numbered where they could hold text that must not be shown.

    Attributes
    ----------
    hide : bool
        Whether text is hidden.
    numbers : dict
        Feature to its labels' numbers, for features that are taken for text.
    """

    hide: bool
    numbers: Mapping[str, Mapping[Label, int]] = field(default_factory=dict)

    def of(self, feature: str, label: Label) -> str:
        """Write a label of a feature."""
        numbers = self.numbers.get(feature)
        return label_text(label) if numbers is None else f"label {numbers.get(label, 0)}"


def names_of(data: Data, *, hide: bool) -> Names:
    """Say how the labels of some data are written."""
    if not hide:
        return Names(False)
    if isinstance(data, Ratings):
        features: dict[str, Sequence[Label]] = {"label": data.labels}
    else:
        columns = data.features if isinstance(data, Corpus) else {}
        features = {name: column.labels for name, column in columns.items()}
    many = {name: labels for name, labels in features.items() if len(labels) > MOST_NAMED}
    return Names(True, {name: {label: k for k, label in enumerate(labels, start=1)} for name, labels in many.items()})


def shown_tables(tables: Sequence[Table], names: Names) -> list[Table]:
    """Leave out tables that could hold text, where it is hidden."""
    return [table for table in tables if table.rows and (not names.hide or _is_safe(table, names))]


def _is_safe(table: Table, names: Names) -> bool:
    first = str(table.columns[0])
    return first in _SAFE or (not names.numbers and len(table.rows) <= MOST_NAMED and first in ("category", "label"))
