"""Labels of items that are written in another way, or that mean that there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from unisono.data import Label, Ratings
from unisono.data.labels import feature, given_labels, written_label
from unisono.preparation.cleaning import label_cleaner
from unisono.preparation.units import with_dropped

EMPTY = "labels of which cleaning leaves nothing"


def clean_item_labels(ratings: Ratings, how: Sequence[str]) -> Ratings:
    """Clean labels as `clean_labels` does; those that become equal are one label, and empty ones are missing."""
    cleaned = label_cleaner(how)
    made = _relabelled(ratings, lambda label: () if label == () else cleaned(label))
    n_lost = ratings.n_units - made.n_units
    order = dict.fromkeys(str(word) for step in ratings.question.order if (word := cleaned(step)))
    meanings = {str(code): meaning for given, meaning in ratings.question.meanings if (code := cleaned(given))}
    question = replace(ratings.question, order=tuple(order), meanings=tuple(meanings.items()))
    return replace(made, question=question, dropped=with_dropped(ratings, {EMPTY: n_lost}))


def labels_as_missing(ratings: Ratings, names: Sequence[str]) -> Ratings:
    """Treat some labels as missing, and count them; a name that nobody gave is counted with 0."""
    wanted = dict.fromkeys(names)

    def name_of(label: Label) -> str:
        return "|".join(label) if isinstance(label, tuple) else written_label(label)

    counts = Counter(dict.fromkeys(wanted, 0))
    given = ratings.codes >= 0
    times = np.bincount(ratings.codes[given], (given * ratings.times[:, None])[given], len(ratings.labels))
    for label, n in zip(ratings.labels, times.tolist(), strict=True):
        if name_of(label) in counts:
            counts[name_of(label)] += int(n)
    made = _relabelled(ratings, lambda label: None if name_of(label) in wanted else label)
    order = tuple(step for step in ratings.question.order if step not in wanted)
    dropped = {**ratings.dropped, **{f"labels {name!r}, treated as missing": n for name, n in counts.items()}}
    return replace(made, question=replace(ratings.question, order=order), dropped=dropped)


def _relabelled(ratings: Ratings, change: Callable[[Label], Label | None]) -> Ratings:
    column = feature([*map(change, ratings.labels), None])  # the last place is for -1, no label
    codes, labels = given_labels(column.codes[ratings.codes], column.labels)
    return replace(ratings, codes=codes, labels=labels)
