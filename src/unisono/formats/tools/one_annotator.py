"""What formats that hold the work of one annotator have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from unisono.data import Corpus, Data, Label, Unit
from unisono.data.export import LAYER_FEATURE
from unisono.errors import DataError, OptionError, listed, mention, plural
from unisono.formats.tools.versions import Version, not_held, versions_of


def only_versions(data: Data, tool: str) -> tuple[Corpus, list[Version]]:
    """Return the versions of the only annotator."""
    if not isinstance(data, Corpus):
        raise DataError(f"{tool} holds units on texts, and this is something else; write csv")
    if len(data.annotators) != 1:
        how = mention("annotators", data.annotators[0] if data.annotators else "…")
        raise DataError(f"{tool} holds the work of one annotator, and there are {len(data.annotators)}; choose: {how}")
    return data, list(versions_of(data, tool))


def category_of(corpus: Corpus) -> str | None:
    """Return the feature that is the category."""
    try:
        return corpus.chosen_feature()
    except (DataError, OptionError):
        return None


def label_of(unit: Unit, category: str | None) -> Label | None:
    """Return the category of a unit, or else its layer."""
    label = None if category is None else unit.features.get(category)
    return unit.features.get(LAYER_FEATURE) if label is None else label


def plain_label(label: Label | None) -> str:
    """Return a label as one text."""
    return "" if label is None else "|".join(map(str, label)) if isinstance(label, tuple) else str(label)


def overlapping(units: Sequence[Unit]) -> tuple[Unit, Unit] | None:
    """Return two units that overlap, if there are any."""
    last: Unit | None = None
    for unit in sorted(units, key=lambda one: (one.start, one.end)):
        if last is not None and unit.start < last.end:
            return last, unit
        last = unit
    return None


def lost(corpus: Corpus, category: str | None, tool: str, n_empty: int, *, layers: bool) -> list[str]:
    """Say what a format that has only categories of stretches does not hold."""
    counts = Counter[str]()
    for name, column in corpus.features.items():
        if name != category and not (layers and name == LAYER_FEATURE):
            counts[f"the feature {name!r}"] = int((column.codes >= 0).sum())
    said = [f"{tool} has one label per unit; not written: {listed([name for name, n in counts.items() if n])}"]
    empty = f"{plural(n_empty, 'unit')} without length, for which {tool} has no place, not written"
    return [*not_held(corpus, tool), *(said if any(counts.values()) else []), *([empty] if n_empty else [])]
