"""What annotators think together of each item: shares of labels, or a place on a scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unisono.adjudication.competence import MODELS
from unisono.adjudication.proposal import FEW, NO_MAJORITY, TIE, UNSURE, Reason, label_words
from unisono.adjudication.severity import RaterModel, severity_model
from unisono.alignment.consensus import Vote, middle, most, vote
from unisono.arrays import FloatArray, IntArray
from unisono.data import Label, Ratings
from unisono.dissimilarity.category import as_numbers
from unisono.errors import DataError

APART = "labels far apart"
"""Why a person should decide on a place on a scale."""
_QUARTER = 0.25
"""Labels further apart than this share of the range of all labels are shown to a person, unless a distance is given."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Joint:
    """The joint opinion on each item."""

    label: list[Label | None]  # None: nobody labelled it, or there is a tie
    share: FloatArray  # the share, or the probability, of that label; on a scale of numbers, NaN
    doubt: FloatArray  # how much annotators disagree, from 0 to 1
    reasons: dict[int, tuple[Reason, ...]]  # item to why a person should decide
    soft: Soft
    severity: RaterModel | None = None
    competence: FloatArray | None = None  # shape (n_annotators,)
    settled: bool = True


@dataclass(frozen=True)
class Soft:
    """The distribution of labels of each item: rows of item, code of the label, and its share or probability."""

    item: IntArray
    code: IntArray
    share: FloatArray

    def ballots(self, n_items: int) -> list[slice]:
        """Return the rows of each item."""
        edges = np.searchsorted(self.item, np.arange(n_items + 1))
        return [slice(first, last) for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)]


def shares_of_labels(codes: IntArray) -> Soft:
    """Return the share of each label among those that an item was given."""
    item, who = np.nonzero(codes >= 0)
    given = codes[item, who]
    width = int(codes.max(initial=0)) + 1
    cell, n = np.unique(item * width + given, return_counts=True)
    item, code = np.divmod(cell, width)
    total = (codes >= 0).sum(axis=1)
    return Soft(item, code, n / total[item])


def probabilities(codes: IntArray, n_labels: int, model: str) -> tuple[Soft, FloatArray, bool]:
    """Return the probability that each label is the true one, and how competent annotators are.

    Items that nobody labelled have no probabilities.
    """
    labelled = np.flatnonzero((codes >= 0).any(axis=1))
    truth = MODELS[model](codes[labelled], n_labels)
    row, code = np.nonzero(truth.probability > _LEAST)
    return Soft(labelled[row], code, truth.probability[row, code]), truth.competence, truth.settled


_LEAST = 5e-5


def by_vote(ratings: Ratings, soft: Soft, *, majority: float, sure: float | None, sets: bool = True) -> Joint:
    """Take the label with the largest share; where answers are sets, members are voted on, if `sets`."""
    sets = sets and any(isinstance(label, tuple) for label in ratings.labels)
    label: list[Label | None] = []
    share, doubt = np.full(len(ratings.codes), np.nan), np.zeros(len(ratings.codes))
    reasons: dict[int, tuple[Reason, ...]] = {}
    for item, rows in enumerate(soft.ballots(len(ratings.codes))):
        if rows.start == rows.stop:
            label.append(None)
            reasons[item] = (Reason(FEW, "nobody labelled it"),)
            continue
        found = _vote(ratings, item, soft, rows, members=sets)
        label.append(None if found.tied else found.label)
        share[item], doubt[item] = found.share, 1 - found.share
        if why := _on_vote(found, majority, sure):
            reasons[item] = (why,)
    return Joint(label, share, doubt, reasons, soft)


def _vote(ratings: Ratings, item: int, soft: Soft, rows: slice, *, members: bool) -> Vote:
    if members and rows.stop - rows.start > 1:
        return vote([ratings.labels[code] for code in ratings.codes[item].tolist() if code >= 0])
    ballot = zip(soft.code[rows].tolist(), soft.share[rows].tolist(), strict=True)
    return most([(ratings.labels[code], share) for code, share in ballot])


def _on_vote(found: Vote, majority: float, sure: float | None) -> Reason | None:
    if found.tied:
        return Reason(TIE, f"tie: {' or '.join(map(label_words, found.tied))}")
    if found.share <= majority:
        return Reason(NO_MAJORITY, f"no majority: {label_words(found.label)} has {found.share:.0%}")
    if sure is not None and found.share <= sure:
        return Reason(UNSURE, f"{label_words(found.label)} has {found.share:.0%}")
    return None


def by_middle(ratings: Ratings, order: Sequence[Label], *, apart: float | None, weigh: bool) -> Joint:
    """Take the median of labels with an order; if annotators are weighed, without their severities."""
    place = {label: number for number, label in enumerate(order)}
    values = _values(ratings, np.array([place[label] for label in ratings.labels], dtype=np.float64))
    model = severity_model(values) if weigh else None
    off = np.zeros(values.shape[1]) if model is None else np.nan_to_num(model.severity)
    # if errors follow a Laplace distribution, the most likely value is the median weighted by 1 / error
    weight = (
        np.ones(values.shape[1]) if model is None else np.nan_to_num(1 / np.maximum(model.deviation, _ROUNDING), nan=1)
    )
    label: list[Label | None] = []
    share = np.full(len(values), np.nan)
    reasons = _far_apart(values, values - off, order, _most_apart(apart, len(order) - 1.0))
    for item, own in enumerate(values):
        given = np.flatnonzero(~np.isnan(own))
        if not len(given):
            label.append(None)
            reasons[item] = (Reason(FEW, "nobody labelled it"),)
            continue
        nearest = np.clip(np.rint(own[given] - off[given]), 0, len(order) - 1)
        low, high = middle(nearest.tolist(), weight[given].tolist())
        label.append(order[int(low)] if low == high else None)
        share[item] = float((own[given] == low).mean())
        if low != high:
            between = f"the middle is between {label_words(order[int(low)])} and {label_words(order[int(high)])}"
            reasons[item] = (Reason(TIE, between), *reasons.get(item, ()))
    doubt = _ranges(values - off) / max(len(order) - 1.0, 1.0)
    soft = shares_of_labels(ratings.codes)
    return Joint(label, share, doubt, reasons, soft, model, settled=model is None or model.settled)


def by_mean(ratings: Ratings, *, apart: float | None, weigh: bool) -> Joint:
    """Take the mean of numbers; if annotators are weighed, without their severities and weighted by 1 / variance."""
    numbers = as_numbers(ratings.labels, "a mean needs numbers; take the label of the majority with scale=nominal")
    values = _values(ratings, numbers)
    model = severity_model(values) if weigh else None
    given = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean = model.value if model is not None else np.where(given, values, 0).sum(axis=1) / given.sum(axis=1)
    whole = float(np.ptp(numbers)) if len(numbers) else 0.0
    written = [label_words(label) for label in ratings.labels]
    off = 0.0 if model is None else np.nan_to_num(model.severity)
    names = dict(zip(numbers.tolist(), written, strict=True))
    reasons = _far_apart(values, values - off, names, _most_apart(apart, whole))
    for item in np.flatnonzero(~given.any(axis=1)).tolist():
        reasons[item] = (Reason(FEW, "nobody labelled it"),)
    label: list[Label | None] = [None if value != value else float(f"{value:.6g}") for value in mean.tolist()]
    doubt = _ranges(values - off) / (whole or 1.0)
    nothing = np.full(len(values), np.nan)
    soft = shares_of_labels(ratings.codes)
    return Joint(label, nothing, doubt, reasons, soft, model, settled=model is None or model.settled)


def check_weighable(ratings: Ratings) -> None:
    """Reject competence where it cannot be estimated."""
    if len(ratings.annotators) < 3:
        raise DataError(
            "if two annotators disagree, it is unknown who is right; estimating competence needs three or more"
        )


def _values(ratings: Ratings, numbers: FloatArray) -> FloatArray:
    return np.asarray(np.append(numbers, np.nan)[ratings.codes])


def _ranges(values: FloatArray) -> FloatArray:
    """Return how far the labels of each item are apart; 0 without labels."""
    low = np.where(np.isnan(values), np.inf, values).min(axis=1, initial=np.inf)
    high = np.where(np.isnan(values), -np.inf, values).max(axis=1, initial=-np.inf)
    return np.where(high > low, high - low, 0.0)


def _most_apart(apart: float | None, whole: float) -> float:
    return _QUARTER * whole if apart is None else apart


def _far_apart(
    values: FloatArray, compared: FloatArray, names: Sequence[Label] | dict[float, str], most_apart: float
) -> dict[int, tuple[Reason, ...]]:
    """Return the items whose labels are further apart than some distance; severities are left out of `compared`."""
    found: dict[int, tuple[Reason, ...]] = {}
    for item in np.flatnonzero(_ranges(compared) > most_apart * (1 + _ROUNDING)).tolist():
        low, high = float(np.nanmin(values[item])), float(np.nanmax(values[item]))
        if isinstance(names, dict):
            ends = names[low], names[high]
        else:
            ends = label_words(names[int(low)]), label_words(names[int(high)])
        found[item] = (Reason(APART, f"labels from {ends[0]} to {ends[1]}"),)
    return found
