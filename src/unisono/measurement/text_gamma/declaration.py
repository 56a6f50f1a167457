"""Text-γ as the registry knows it."""

from __future__ import annotations

from typing import Any

from unisono.data import Corpus, Data
from unisono.data.editions import editions
from unisono.dissimilarity.registry import DistanceRole, available_distances
from unisono.errors import UnisonoError
from unisono.measurement.composite import composite_units
from unisono.measurement.declaration import Declaration, Parameter
from unisono.measurement.disorder.fit import unfit_for_alignment
from unisono.measurement.readers import (
    names_with_weights,
    number,
    read_text_gamma_distances,
    time_or_none,
    yes_or_no,
)
from unisono.measurement.spec import Call
from unisono.measurement.text_gamma.measure import align_texts, text_gamma
from unisono.measurement.text_gamma.rates import Prior, Wanted


def _rate(value: Any) -> Wanted:
    """Read a rate: a number, map(mean,weight), or estimated."""
    if isinstance(value, Prior):
        return value
    if isinstance(value, Call) and value.name == "map" and len(value.arguments) == 2:
        return Prior(*map(float, value.arguments))
    return None if value == "estimated" else number(value)


def _types(value: Any) -> list[str]:
    return [str(name) for name in value] if isinstance(value, list | tuple) else [str(value)]


def _unfit(corpus: Data, **options: Any) -> str | None:
    reason = unfit_for_alignment(corpus) or composite_units(corpus)
    if reason is not None or not isinstance(corpus, Corpus):
        return reason
    if not corpus.texts:
        return "there are no texts to compare; text-γ is for annotators who correct the text, or its tokens"
    try:
        how = {name: options[name] for name in ("types", "gaps", "graphemes") if name in options}
        editions(corpus, (), **how)
    except UnisonoError as error:
        return str(error)
    return None


def _align(corpus: Corpus, **options: Any) -> Any:
    """Align; what only the expected disorder depends on does not matter."""
    return align_texts(corpus, **{name: value for name, value in options.items() if name not in _OF_CHANCE})


_OF_CHANCE = ("base", "p_text", "p_segmentation", "p_further", "precision", "confidence")
_RATE = "from 0 to 1, estimated (from the data), or map(RATE,WEIGHT): a known rate that counts as WEIGHT units of data"


def _at_once(data: Data, **parameters: Any) -> str:
    return "its rates and random samples come from all documents"


DECLARATIONS = (
    Declaration(
        name="text-gamma",
        symbol="tγ",
        family="texts",
        title="text-γ: units of texts that annotators corrected; text, segmentation and labels in one",
        needs="a text from each annotator, with units that do not overlap unless their types differ",
        ignores="the distance between units that do not match; text outside units unless gaps=true",
        when="if annotators corrected the text, or its division into tokens, while they labelled it",
        reference="Barteld, Schröder & Zinsmeister 2016",
        papers=("barteld2016",),
        parameters=(
            Parameter("p_text", None, _rate, f"the share of units whose text annotators change: {_RATE}"),
            Parameter("p_segmentation", None, _rate, f"splits and merges as a share of the units: {_RATE}"),
            Parameter("p_further", 0.0, number, "how likely one more edit of the same unit is, from 0 to 0.95"),
            Parameter(
                "features",
                None,
                names_with_weights,
                "the features that count, e.g. pos or [pos:2,lemma]; [text:2,pos] also sets the weight of the text",
            ),
            Parameter(
                "distance",
                "nominal",
                read_text_gamma_distances,
                f"{available_distances(DistanceRole.TEXT_GAMMA)}, or [text:nld,feature:…]",
            ),
            Parameter("types", None, _types, "the types of units that count, e.g. token or [token,sentence]"),
            Parameter("gap_text", 1.0, number, "the cost of a gap at a character, a number above 0"),
            Parameter("gap_boundary", 1.0, number, "the cost of a gap at a boundary, a number above 0"),
            Parameter("gaps", False, yes_or_no, "true if text outside units counts"),
            Parameter("graphemes", False, yes_or_no, "true to keep combining marks with their base"),
            Parameter("precision", 0.02, number, "the relative error of the expected disorder, e.g. 0.02"),
            Parameter("confidence", 0.95, number, "the confidence in that precision, e.g. 0.95"),
            Parameter("time_limit", None, time_or_none, "how long it may take in all, e.g. 90s, 5m or 2h, or none"),
        ),
        compute=text_gamma,
        align=_align,
        at_once=_at_once,
        unfit=_unfit,
        takes_base=True,
    ),
)
