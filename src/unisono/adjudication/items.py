"""From labels of items to a draft of a gold standard."""

from __future__ import annotations

from collections.abc import Sequence

from unisono.adjudication.competence import MODELS
from unisono.adjudication.item_result import ItemGold
from unisono.adjudication.item_votes import (
    Joint,
    by_mean,
    by_middle,
    by_vote,
    check_weighable,
    probabilities,
    shares_of_labels,
)
from unisono.adjudication.proposal import Thresholds
from unisono.data import Label, Ratings
from unisono.data.labels import written_label
from unisono.dissimilarity.category import as_numbers
from unisono.errors import DataError, OptionError, listed, mention
from unisono.measurement.scales import label_scale

SEVERITY = "severity"
"""The model of annotators on a scale: each has a severity and a scatter of their own."""
COMPETENCES = (*MODELS, SEVERITY)
DRAFTED_BY = ("nominal", "ordinal", "interval")
_ON_SCALE = ("ordered", "steps", "numbers", "ranks")


def gold_of_items(
    ratings: Ratings, thresholds: Thresholds, competence: str | None = None, scale: str | None = None
) -> ItemGold:
    """Draft a label for each item; see `gold`."""
    if len(ratings.annotators) < 2:
        raise DataError("there is only one annotator, so there is nothing to decide; add the work of another annotator")
    if not len(ratings.labels):
        raise DataError("nobody labelled anything, so there is no draft")
    chosen = scale or _scale_of(ratings)
    if competence is not None:
        check_weighable(ratings)
        _check_model(competence, chosen)
    joint = _joint(ratings, thresholds, competence, chosen)
    notes = [] if joint.settled else ["the estimates were still changing when the estimation stopped"]
    return ItemGold(ratings, joint, chosen, competence, tuple(notes))


def _scale_of(ratings: Ratings) -> str:
    """Find out how labels are to be treated."""
    scale = label_scale(ratings)
    if scale.as_names or scale.kind not in _ON_SCALE:
        return "nominal"
    return "interval" if scale.kind == "numbers" else "ordinal"


def _check_model(competence: str, scale: str) -> None:
    if competence == SEVERITY and scale == "nominal":
        raise OptionError(
            f"severity needs labels on a scale; use dawid-skene or mace, or {mention('scale', 'ordinal')}", "competence"
        )
    if competence != SEVERITY and scale == "interval":
        raise OptionError(
            f"{competence} is for labels to choose from; use severity, or {mention('scale', 'nominal')}", "competence"
        )


def _joint(ratings: Ratings, thresholds: Thresholds, competence: str | None, scale: str) -> Joint:
    if scale == "interval":
        return by_mean(ratings, apart=thresholds.boundary, weigh=competence is not None)
    if scale == "ordinal" and competence in (None, SEVERITY):
        return by_middle(ratings, _order(ratings), apart=thresholds.boundary, weigh=competence is not None)
    majority, sure = thresholds.majority, thresholds.sure
    if competence is None:
        return by_vote(ratings, shares_of_labels(ratings.codes), majority=majority, sure=sure)
    soft, trust, settled = probabilities(ratings.codes, len(ratings.labels), competence)
    found = by_vote(ratings, soft, majority=majority, sure=sure, sets=False)
    return Joint(found.label, found.share, found.doubt, found.reasons, soft, competence=trust, settled=settled)


def _order(ratings: Ratings) -> Sequence[Label]:
    """Return the labels from the lowest to the highest."""
    labels, order = ratings.labels, label_scale(ratings).order
    place = {name: number for number, name in enumerate(order)}
    if order and all(written_label(label) in place for label in labels):
        return sorted(labels, key=lambda label: place[written_label(label)])
    advice = f"the order of these labels is unknown: {listed(labels, 5)}; use {mention('scale', 'nominal')}"
    numbers = as_numbers(labels, advice)
    return [label for _, label in sorted(zip(numbers.tolist(), labels, strict=True), key=lambda pair: pair[0])]
