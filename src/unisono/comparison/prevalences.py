"""How often each category occurs: estimated from many labels of a model and a few of people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from unisono.comparison.labelled_twice import labelled_twice
from unisono.errors import listed, plural
from unisono.formats.entry import DataLike, Rows
from unisono.results import Captioned, Table, Tabled
from unisono.results.shown import written_alike
from unisono.statistics.prediction_powered import powered_shares
from unisono.statistics.shares import EstimatedShare, plain_shares


@dataclass(frozen=True)
class Prevalence:
    """How often a category occurs.

    Attributes
    ----------
    category : str
        The category.
    model : EstimatedShare
        How often the model gives it: no estimate of how often people would, since the model errs.
    people : EstimatedShare
        How often people give it, to the items that they labelled.
    powered : EstimatedShare
        The estimate from both, by prediction-powered inference.
    corrected : EstimatedShare or None
        The model's share, corrected for how it mistakes categories for each other; None if that cannot be known.
    """

    category: str
    model: EstimatedShare
    people: EstimatedShare
    powered: EstimatedShare
    corrected: EstimatedShare | None


@dataclass(frozen=True)
class Prevalences(Tabled):
    """How often each category occurs, as people would label all items.

    Attributes
    ----------
    model : str
        The annotator that is a model.
    humans : tuple of str
        The people.
    categories : tuple of Prevalence
        The categories, in the order of the labels.
    n_people, n_both, n_items : int
        How many items people labelled, how many of these the model labelled, too, and how many the model labelled.
    parts : str
        What was taken to be independent of each other: items or documents.
    tuning : float
        λ, the weight of the model's labels: 0 if they do not help, 1 if they replace people's.
    gain : float
        How many times as many items people alone would need to label for intervals as narrow.
    notes : tuple of str
        What one should know about the estimates.

    See Also
    --------
    prevalence, compare_model

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"] * 10 + [None] * 60, "gpt": ["a", "b", "b", "b"] * 25}
    >>> found = unisono.prevalence(labels, "gpt")
    >>> found.n_people, found.n_both, round(found.tuning, 2)
    (40, 40, 0.41)
    """

    model: str
    humans: tuple[str, ...]
    categories: tuple[Prevalence, ...]
    n_people: int
    n_both: int
    n_items: int
    parts: str
    tuning: float
    gain: float
    notes: tuple[str, ...]

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return the estimates side by side, and sentences on them."""
        rows = [
            (
                one.category,
                one.model.value,
                one.people.value,
                *_cells(one.powered),
                *_cells(one.corrected),
            )
            for one in self.categories
        ]
        columns = ("", f"{self.model} alone", "people alone", "both (PPI)", "from", "to", "corrected", "from", "to")
        caption = (
            f"Prevalence: {plural(self.n_items, 'item')} by {self.model}, {self.n_both:,} of them by people "
            f"({listed(self.humans, 5)}); 95% intervals over {self.parts}"
        )
        notes = (f"Note: {note}." for note in self.notes)
        return [Captioned(caption, Table(columns, rows, 3, holds="labels"))], [*self._said(), *notes]

    def _said(self) -> list[str]:
        """Say where the model alone is furthest off, and what its labels are worth."""
        worst = max(self.categories, key=lambda one: abs(one.model.value - one.powered.value))
        it, alone = worst.powered, worst.model.value
        points = round(100 * (alone - it.value))
        off = (
            "about the same" if not points else f"{plural(abs(points), 'point')} too {'high' if points > 0 else 'low'}"
        )
        value, low, high, said_alone = written_alike(it.value, it.low, it.high, alone)
        outside = "outside" if not it.low <= alone <= it.high and said_alone not in (low, high) else "within"
        said = (
            f"{worst.category}: {value} of all items ({low} to {high}); {self.model} alone says "
            f"{said_alone}, {off}, {outside} the interval."
        )
        if self.n_both == self.n_items:
            return [said, f"People labelled all items that {self.model} labelled, so its labels add nothing."]
        worth = (
            f"{plural(self.n_both, 'item')} labelled by people, with those of {self.model} (weight λ = "
            f"{self.tuning:.2f}), are worth about {round(self.n_both * self.gain):,} labelled by people alone."
        )
        return [said, worth]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "model": self.model,
            "humans": list(self.humans),
            "categories": [asdict(one) for one in self.categories],
            "n_people": self.n_people,
            "n_both": self.n_both,
            "n_items": self.n_items,
            "parts": self.parts,
            "tuning": self.tuning,
            "gain": self.gain,
            "notes": list(self.notes),
        }


def prevalence(
    data: DataLike,
    model: str,
    *,
    humans: str | Sequence[str] | None = None,
    rows: Rows = None,
) -> Prevalences:
    """Estimate how often each category occurs from many labels of a model and a few of people, without bias.

    The items that people labelled must be a random sample of those that the model labelled.

    Parameters
    ----------
    data : DataLike
        Labels of items.
    model : str
        The annotator that is a model.
    humans : str or sequence of str, optional
        The annotators that are people; by default all others.
    rows : {"items", "annotators"}, optional
        What the rows of a bare table are.

    Returns
    -------
    Prevalences

    See Also
    --------
    compare_model, plan, Prevalences

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"] * 10 + [None] * 60, "gpt": ["a", "b", "b", "b"] * 25}
    >>> found = unisono.prevalence(labels, "gpt")
    >>> found.n_people, found.n_items
    (40, 100)
    >>> [(one.category, round(one.powered.value, 2)) for one in found.categories]
    [('a', 0.5), ('b', 0.5)]
    """
    found = labelled_twice(data, model, humans, rows=rows)
    sample = found.both
    powered = powered_shares(sample)
    corrected = found.corrected()
    unknown = [None] * len(found.categories)
    shares = zip(
        found.categories,
        plain_shares(sample.model, sample.part),
        plain_shares(found.people, found.part_of_people),
        powered.shares,
        unknown if isinstance(corrected, str) else corrected,
        strict=True,
    )
    return Prevalences(
        found.model,
        found.humans,
        tuple(Prevalence(*one) for one in shares),
        n_people=len(found.people),
        n_both=sample.n_people,
        n_items=len(sample.part),
        parts=found.parts,
        tuning=powered.tuning,
        gain=powered.gain,
        notes=(
            *found.notes(),
            *([f"the corrected shares are unknown: {corrected}"] if isinstance(corrected, str) else []),
        ),
    )


def _cells(share: EstimatedShare | None) -> tuple[float | None, float | None, float | None]:
    """Return the cells of a share; empty ones if there is none."""
    return (None, None, None) if share is None else (share.value, share.low, share.high)
