"""A draft of labels of items: the labels, their distributions, the queue, and how far annotators are from the draft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from unisono import tables
from unisono.adjudication.item_votes import Joint
from unisono.adjudication.proposal import label_words
from unisono.adjudication.queue import counted_reasons, free_name, head_of_queue
from unisono.adjudication.result import GOLD
from unisono.arrays import FloatArray, IntArray
from unisono.data import Label, Ratings
from unisono.data.labels import written_label
from unisono.dissimilarity.category import as_numbers
from unisono.errors import OptionError, plural
from unisono.results import Captioned, Table, Tabled

_DIGITS = 4
_MOST_CONFUSED = 20
_MOST_COLUMNS = 200
_MOST_TEXT = 300


@dataclass(frozen=True, repr=False)
class ItemGold(Tabled):
    """A draft of labels of items.

    Attributes
    ----------
    annotated : Ratings
        The labels that annotators gave.
    joint : Joint
        What they think together of each item.
    scale : str
        How labels are treated: nominal (the majority decides), ordinal (the median), interval (the mean).
    competence : str or None
        The model by which annotators count; None if all count the same.
    notes : tuple of str
        What one should know.

    See Also
    --------
    gold, Gold

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"], "bert": ["a", "b", "b", "b"], "cleo": ["a", "b", "a", "c"]}
    >>> draft = unisono.gold(labels)
    >>> draft.columns(plain=True)["label"]
    ['a', 'b', 'a', 'b']
    """

    annotated: Ratings = field(repr=False)
    joint: Joint
    scale: str
    competence: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_drafted(self) -> int:
        """How many items have a label in the draft."""
        return sum(label is not None for label in self.joint.label)

    @property
    def rule(self) -> str:
        """What decides on the label of an item."""
        if self.joint.competence is not None:
            return f"what is likeliest ({self.competence})"
        weighed = "" if self.joint.severity is None else " without severities"
        return {"nominal": "the majority", "ordinal": "the median", "interval": "the mean"}[self.scale] + weighed

    @cached_property
    def to_decide(self) -> list[int]:
        """The rows of the items that a person should decide on, those with the most disagreement first."""
        return sorted(self.joint.reasons, key=lambda row: (self.joint.label[row] is not None, -self.joint.doubt[row]))

    @cached_property
    def ratings(self) -> Ratings:
        """The draft, with one annotator named gold."""
        source = self.annotated
        return Ratings.from_columns(
            item=list(source.items),
            annotator=[GOLD] * len(source.codes),
            label=self.joint.label,
            document=[source.documents[index] for index in source.document.tolist()],
            question=source.question,
            texts=self._texts,
            source=f"{GOLD} · {source.source}",
        )

    @property
    def _texts(self) -> dict[tuple[str, Any], str]:
        """What items say, by document and item."""
        source = self.annotated
        places = zip((source.documents[index] for index in source.document.tolist()), source.items, strict=True)
        said = zip(places, source.texts or (), strict=False)
        return {place: text for place, text in said if text is not None}

    def columns(self, *, plain: bool = False, hide_text: bool = False) -> dict[str, list[Any]]:
        """Return the draft as columns; `plain` leaves out the shares."""
        columns = self._items(hide_text=hide_text)
        columns["annotator"] = [GOLD] * len(self.joint.label)
        columns["label"] = [None if label is None else _cell(label) for label in self.joint.label]
        if not plain and self.scale == "interval":
            columns["apart"] = self._apart
        elif not plain:
            columns["support"] = _numbers(self.joint.share)
        if not plain:
            columns["n_labels"] = self.annotated.n_given.tolist()
        return columns

    def soft_columns(self, *, hide_text: bool = False) -> dict[str, list[Any]]:
        """Return the distribution of labels of each item as columns, one column per label."""
        labels = self.annotated.labels
        if len(labels) > _MOST_COLUMNS:
            raise OptionError(
                f"there are {len(labels):,} different labels, too many for one column each; write .jsonl", "soft"
            )
        columns = self._items(hide_text=hide_text)
        table = np.zeros((len(self.joint.label), len(labels)))
        soft = self.joint.soft
        table[soft.item, soft.code] = soft.share
        for code, label in enumerate(labels):
            columns[free_name(label_words(label), columns)] = np.round(table[:, code], _DIGITS).tolist()
        return columns

    def soft_rows(self, *, hide_text: bool = False) -> dict[str, list[Any]]:
        """Return the same with one column `distribution`, a mapping from label to share, for JSON."""
        columns = self._items(hide_text=hide_text)
        names = [label_words(label) for label in self.annotated.labels]
        columns["distribution"] = [
            {names[code]: round(share, _DIGITS) for code, share in self._distribution(rows)}
            for rows in self.joint.soft.ballots(len(self.joint.label))
        ]
        return columns

    @cached_property
    def queue(self) -> Any:
        """A data frame of what a person should decide, the worst first."""
        return tables.frame(self.queue_columns())

    def queue_columns(self, *, hide_text: bool = False) -> dict[str, list[Any]]:
        """Return the queue as columns, with what each annotator gave."""
        rows = self.to_decide
        columns = {name: [column[row] for row in rows] for name, column in self._items(hide_text=hide_text).items()}
        columns["why"] = ["; ".join(reason.words for reason in self.joint.reasons[row]) for row in rows]
        columns["draft"] = [label_words(self.joint.label[row]) for row in rows]
        labels = [label_words(label) for label in self.annotated.labels]
        for name, own in zip(self.annotated.annotators, self.annotated.codes.T, strict=True):
            cells = [None if own[row] < 0 else labels[own[row]] for row in rows]
            columns[free_name(name, columns)] = cells
        return columns

    def to_frame(self, library: str | None = None) -> Any:
        """Return the draft as a data frame."""
        return tables.frame(self.columns(), library)

    def reasons(self) -> dict[str, int]:
        """Count the reasons why there is something to decide, the most frequent first."""
        return counted_reasons(self.joint.reasons.values())

    def annotator_columns(self) -> dict[str, list[Any]]:
        """Return how far each annotator is from the draft: as a share of labels, or as severity and scatter."""
        n = [int((own >= 0).sum()) for own in self.annotated.codes.T]
        columns: dict[str, list[Any]] = {"annotator": list(self.annotated.annotators), "labels": n}
        if self.joint.severity is not None:
            columns["severity"] = _numbers(self.joint.severity.severity)
            columns["scatter"] = _numbers(self.joint.severity.deviation)
            columns["weight"] = _numbers(self.joint.severity.weight)
        elif self.scale == "nominal" or self.joint.competence is not None:
            columns["agrees with draft"] = _numbers(self._agreeing)
        if self.joint.competence is not None:
            columns["competence"] = _numbers(self.joint.competence)
        return columns

    def annotators(self) -> Captioned:
        """Return the same as a table."""
        people = self.annotator_columns()
        model = f" ({self.competence})" if self.competence else ""
        return Captioned(f"Annotators{model}", Table(tuple(people), list(zip(*people.values(), strict=True))))

    def confusion_rows(self) -> list[tuple[str, str, str, int]]:
        """Return what annotators gave where the draft has another label: (annotator, draft, given, n), most first."""
        gold = self._gold_codes
        labels = [label_words(label) for label in self.annotated.labels]
        found: Counter[tuple[int, int, int]] = Counter()
        for who, own in enumerate(self.annotated.codes.T):
            differs = np.flatnonzero((own >= 0) & (gold >= 0) & (own != gold))
            found.update((who, g, o) for g, o in zip(gold[differs].tolist(), own[differs].tolist(), strict=True))
        rows = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
        return [(self.annotated.annotators[who], labels[g], labels[o], n) for (who, g, o), n in rows]

    def confusion(self) -> list[Captioned]:
        """Return the head of that as a table; none of numbers, or if nobody gave another label."""
        confused = [] if self.scale == "interval" else self.confusion_rows()[:_MOST_CONFUSED]
        return [Captioned("Confused most", Table(("annotator", "draft", "gave", "n"), confused))] if confused else []

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return the head of the queue, how far annotators are from the draft, and what they confuse."""
        tables = [*head_of_queue(self.queue_columns()), self.annotators(), *self.confusion()]
        return tables, [*self._said(), *self.notes]

    def __repr__(self) -> str:
        return f"ItemGold({self.n_drafted} of {len(self.joint.label)} items, {len(self.to_decide)} to decide)"

    def _said(self) -> Iterator[str]:
        drafted = f"{self.n_drafted:,} of {plural(len(self.joint.label), 'item')}"
        yield f"Drafted by {self.rule} ({self.scale}): {drafted}; {len(self.to_decide):,} to decide."

    def _items(self, *, hide_text: bool) -> dict[str, list[Any]]:
        """Return what identifies items, and what they say."""
        source, columns = self.annotated, {}
        if len(source.documents) > 1:
            columns["document"] = [source.documents[index] for index in source.document.tolist()]
        columns["item"] = list(source.items)
        if source.texts is not None and not hide_text:
            columns["text"] = [None if text is None else _short(text) for text in source.texts]
        return columns

    def _distribution(self, rows: slice) -> Iterator[tuple[int, float]]:
        soft = self.joint.soft
        return zip(soft.code[rows].tolist(), soft.share[rows].tolist(), strict=True)

    @cached_property
    def _apart(self) -> list[float | None]:
        """How far the lowest and the highest label of each item are apart."""
        numbers = as_numbers(self.annotated.labels, "a mean needs numbers")
        values = np.append(numbers, np.nan)[self.annotated.codes]
        with np.errstate(all="ignore"):
            low, high = np.fmin.reduce(values, axis=1), np.fmax.reduce(values, axis=1)
        return _numbers(high - low)

    @cached_property
    def _gold_codes(self) -> IntArray:
        """The code of each drafted label; -1 if there is none, or nobody gave it."""
        code = {_key(label): number for number, label in enumerate(self.annotated.labels)}
        return np.array([-1 if label is None else code.get(_key(label), -1) for label in self.joint.label], np.int64)

    @property
    def _agreeing(self) -> FloatArray:
        """How much of what each annotator labelled has the same label in the draft."""
        gold = self._gold_codes
        shared = (self.annotated.codes.T >= 0) & (gold >= 0)
        same = shared & (gold == self.annotated.codes.T)
        with np.errstate(invalid="ignore"):
            return np.asarray(same.sum(axis=1) / shared.sum(axis=1))


def _numbers(values: FloatArray) -> list[float | None]:
    return [None if value != value else round(value, _DIGITS) for value in values.tolist()]


def _cell(label: Label) -> Any:
    """Write a label for a table: sets are joined, numbers stay numbers."""
    return written_label(label) if isinstance(label, tuple) else label


def _key(label: Label) -> tuple[bool, str]:
    return isinstance(label, tuple), written_label(label)


def _short(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 1]}…"
