"""Verdicts: what judges said about the outputs of systems, either which of two is better or how good each one is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.errors import DataError


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Verdicts, one per row.

    Attributes
    ----------
    judges, items, questions, systems : tuple of str
        Names, sorted. An item is what systems answered: a question, or one turn of a conversation that begins with it.
    judge, item, question : int64 array, shape (n_verdicts,)
        Index into `judges`, `items` and `questions`.
    first, second : int64 array, shape (n_verdicts,)
        The systems whose outputs were compared, in the order in which the judge saw them; if outputs were scored one
        by one, `second` is -1.
    value : float64 array, shape (n_verdicts,)
        1 if the first is better, 0 if the second is, 0.5 for a tie; or the score.
    length : float64 array, shape (n_verdicts,)
        By how much the first output is longer than the second, or the length of the only one; NaN if that is unknown.
    source : str
        Where they come from, for display.
    dropped : dict
        What was left out when they were read and why, with counts.
    """

    judges: tuple[str, ...]
    items: tuple[str, ...]
    questions: tuple[str, ...]
    systems: tuple[str, ...]
    judge: IntArray
    item: IntArray
    question: IntArray
    first: IntArray
    second: IntArray
    value: FloatArray
    length: FloatArray
    source: str = ""
    dropped: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_columns(
        cls,
        *,
        item: Sequence[str],
        question: Sequence[str],
        judge: Sequence[str],
        first: Sequence[str],
        second: Sequence[str] | None,
        value: Sequence[float],
        length: Sequence[float],
        source: str = "",
        dropped: Mapping[str, int] | None = None,
    ) -> Verdicts:
        """Make verdicts from columns of equal length; without `second`, they are scores."""
        of_judge, judges = _sorted_codes(judge)
        of_item, items = _sorted_codes(item)
        of_question, questions = _sorted_codes(question)
        of_system, systems = _sorted_codes([*first, *(second or ())])
        n = len(item)
        return cls(
            judges,
            items,
            questions,
            systems,
            of_judge,
            of_item,
            of_question,
            of_system[:n],
            np.full(n, -1, dtype=np.int64) if second is None else of_system[n:],
            np.asarray(value, dtype=np.float64),
            np.asarray(length, dtype=np.float64),
            source,
            dict(dropped or {}),
        )

    @property
    def paired(self) -> bool:
        """Whether two outputs were compared; else each was scored."""
        return bool((self.second >= 0).any())

    def columns(self) -> dict[str, list[str] | None]:
        """Return the columns of names."""
        return {
            "item": _named(self.items, self.item),
            "question": _named(self.questions, self.question),
            "judge": _named(self.judges, self.judge),
            "first": _named(self.systems, self.first),
            "second": _named(self.systems, self.second) if self.paired else None,
        }

    def __repr__(self) -> str:
        what = "comparisons" if self.paired else "scores"
        return (
            f"Verdicts({len(self.value)} {what} by {len(self.judges)} judges, {len(self.items)} items, "
            f"{len(self.systems)} systems)"
        )


def joined_verdicts(parts: Sequence[Verdicts], source: str = "") -> Verdicts:
    """Put verdicts of several files together."""
    if len(parts) == 1:
        return parts[0]
    if len({one.paired for one in parts}) > 1:
        raise DataError("some files compare two outputs, others score each one; pass files of one kind")
    columns = [one.columns() for one in parts]
    joined = {
        name: None if columns[0][name] is None else [cell for own in columns for cell in own[name] or ()]
        for name in columns[0]
    }
    dropped: Counter[str] = Counter()
    for one in parts:
        dropped.update(one.dropped)
    return Verdicts.from_columns(
        item=joined["item"] or [],
        question=joined["question"] or [],
        judge=joined["judge"] or [],
        first=joined["first"] or [],
        second=joined["second"],
        value=np.concatenate([one.value for one in parts]).tolist(),
        length=np.concatenate([one.length for one in parts]).tolist(),
        source=source,
        dropped=dropped,
    )


def _named(names: Sequence[str], codes: IntArray) -> list[str]:
    return [names[code] for code in codes.tolist()]


def _sorted_codes(names: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    known = sorted(set(names))
    place = {name: index for index, name in enumerate(known)}
    return np.fromiter(map(place.__getitem__, names), np.int64, count=len(names)), tuple(known)
