"""The tables of Bollmann, Dipper & Petran (2016), tables 4 to 9, and what annotators disagree on, as rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.nominal import fleiss_kappa, multi_kappa
from unisono.measurement.normalization.alpha import mean_agreement, nominal
from unisono.measurement.normalization.characters import representation
from unisono.measurement.normalization.tokens import SUBSETS, TokenRows, Tokens
from unisono.measurement.normalization.types import Types
from unisono.results import Estimate

MOST_LISTED = 1_000

_Row = dict[str, Any]


def subsets(tokens: Tokens) -> list[_Row]:
    """Return agreement on all tokens, those changed by at least one annotator, and those changed by all (table 5)."""
    return [{"subset": name.upper(), **_of_words(tokens, name), **_of_characters(tokens, name)} for name in SUBSETS]


def texts(rows: TokenRows) -> list[_Row]:
    """Return agreement text by text (table 6)."""
    return [{"document": name, **_in_short(rows.of_document(index))} for index, name in enumerate(rows.data.documents)]


def annotator_pairs(rows: TokenRows) -> list[_Row]:
    """Return agreement of each pair of annotators."""
    names = rows.data.annotators
    return [
        {"annotator_1": names[one], "annotator_2": names[other], **_in_short(rows.all_tokens.of_pair((one, other)))}
        for one, other in rows.pairs
    ]


def types(found: Types) -> list[_Row]:
    """Return agreement on the type of modernization (table 7)."""
    rows = []
    for subset in SUBSETS:
        counts = found.counts(subset)
        estimate = nominal(counts)
        rows.append(
            {
                "subset": subset.upper(),
                "n_tokens": int(counts.n_paired),
                "agreement": mean_agreement(counts),
                "alpha": estimate.value,
                "expected_agreement": _expected_agreement(estimate),
                "undefined": estimate.undefined,
            }
        )
    return rows


def type_confusion(found: Types) -> list[_Row]:
    """Return which types annotators confuse, the upper half of a symmetric table (table 8)."""
    table = found.confusion()
    return [
        {"type_1": one, "type_2": other, "n": float(table[i, j])}
        for i, one in enumerate(found.labels)
        for j, other in enumerate(found.labels)
        if i <= j
    ]


def modernization(found: Types) -> list[_Row]:
    """Return agreement on the modernization, by characters, where all agree on its type (table 9)."""
    rows = []
    for label in found.labels:
        tokens = found.modernized(label)
        alpha, spelled = (tokens.agreement("character", distance, "all") for distance in ("nominal", "nld"))
        rows.append(
            {
                "type": label,
                "n_tokens": tokens.n_tokens("all"),
                "agreement": mean_agreement(tokens.characters),
                "alpha": alpha.value,
                "alpha_nld": spelled.value,
                "undefined": _reasons(alpha, spelled),
            }
        )
    return rows


def disagreements(tokens: Tokens) -> list[_Row]:
    """Return the originals that annotators normalize differently, with the competing forms, the most frequent first."""
    rows, words = tokens.rows, tokens.words
    forms = rows.data.forms
    disputed = words.agreeing < words.pairs
    n = np.bincount(rows.original[tokens.some], weights=words.repeats * words.paired, minlength=len(forms))
    times = np.bincount(rows.original[tokens.some], weights=words.repeats * disputed, minlength=len(forms))
    order = np.argsort(-times, kind="stable")[: min(MOST_LISTED, int(np.count_nonzero(times)))].tolist()
    competing: dict[int, Counter[str]] = {original: Counter() for original in order}
    for row in np.flatnonzero(disputed).tolist():
        counter = competing.get(int(rows.original[tokens.some[row]]))
        if counter is not None:
            for code in words.columns[:, row].tolist():
                counter.update({forms[code]: int(words.repeats[row])} if code >= 0 else {})
    return [
        {
            "original": forms[original],
            "n_tokens": int(times[original]),
            "of": int(n[original]),
            "forms": [{"form": form, "n": count} for form, count in _ranked(competing[original])],
        }
        for original in order
    ]


def confused_edits(tokens: Tokens) -> list[_Row]:
    """Return the characters that annotators change differently, the most frequent first.

    n counts the characters that one annotator turns into the first form and another into the second.
    """
    characters = tokens.rows.as_characters
    columns = characters.kinds
    apart = np.array([len(set(labels) - {-1}) > 1 for labels in columns.T.tolist()], dtype=np.bool_)
    times = np.zeros(len(tokens.rows.original))
    times[tokens.some] = tokens.repeats
    found: Counter[tuple[int, int, int]] = Counter()
    example: dict[tuple[int, int, int], tuple[float, str]] = {}
    for place in np.flatnonzero(apart[characters.kind]).tolist():
        row, labels = int(characters.row[place]), set(columns[:, characters.kind[place]].tolist()) - {-1}
        if not times[row]:
            continue
        ranked = sorted(labels, key=lambda code: (code != characters.rewritten.identity, _written(tokens, code), code))
        for i, one in enumerate(ranked):
            for other in ranked[i + 1 :]:
                key = (int(characters.symbol[place]), one, other)
                found[key] += int(times[row])
                form = tokens.rows.data.forms[tokens.rows.original[row]]
                example[key] = min(example.get(key, (0.0, "")), (-times[row], form))
    written = {
        key: (tokens.rows.spelling.written([key[0]]), _written(tokens, key[1]), _written(tokens, key[2]))
        for key in found
    }
    ranking = sorted(found, key=lambda key: (-found[key], written[key]))[:MOST_LISTED]
    return [
        {
            **dict(zip(("character", "label_1", "label_2"), written[key], strict=True)),
            "n": found[key],
            "example": example[key][1],
        }
        for key in ranking
    ]


def representations(rows: TokenRows, word: int) -> list[_Row]:
    """Return what each character of an original becomes in its normalizations, the most frequent first (table 4)."""
    chosen = rows.original == word
    repeats = np.bincount(rows.which, minlength=len(rows.original))[chosen]
    counter: Counter[str] = Counter()
    for norms, n in zip(rows.norm[chosen].tolist(), repeats.tolist(), strict=True):
        for code in norms:
            counter.update({rows.data.forms[code]: n} if code >= 0 else {})
    found = []
    for form, n in _ranked(counter):
        shown = representation(rows.data.forms[word], form, characters=rows.characters)
        found.append({"form": form, "n": n, "units": shown.units, "full": shown.full, "diff": shown.diff})
    return found


def _of_words(tokens: Tokens, subset: str) -> _Row:
    words = tokens.within(subset).words
    plain, spelled = (tokens.agreement("word", distance, subset) for distance in ("nominal", "nld"))
    pi, kappa = (_applied(measure, tokens.within(subset)) for measure in (fleiss_kappa, multi_kappa))
    return {
        "n_tokens": int(words.n_paired),
        "word_agreement": mean_agreement(words),
        "word_pi": pi.value,
        "word_kappa": kappa.value,
        "word_alpha": plain.value,
        "word_alpha_nld": spelled.value,
        "word_expected_agreement": _expected_agreement(plain),
    }


def _of_characters(tokens: Tokens, subset: str) -> _Row:
    characters = tokens.within(subset).characters
    plain, spelled = (tokens.agreement("character", distance, subset) for distance in ("nominal", "nld"))
    edits = tokens.agreement("edits", "masi", subset)
    words = tokens.agreement("word", "nominal", subset)
    return {
        "n_characters": int(characters.n_paired),
        "character_agreement": mean_agreement(characters),
        "character_alpha": plain.value,
        "character_alpha_nld": spelled.value,
        "character_expected_agreement": _expected_agreement(plain),
        "edits_alpha": edits.value,
        "undefined": _reasons(words, plain, edits),
    }


def _in_short(tokens: Tokens) -> _Row:
    found = {
        (level, distance): tokens.agreement(level, distance, "all")
        for level in ("word", "character")
        for distance in ("nominal", "nld")
    }
    return {
        "n_tokens": tokens.n_tokens("all"),
        "word_agreement": mean_agreement(tokens.words),
        "word_alpha": found["word", "nominal"].value,
        "word_alpha_nld": found["word", "nld"].value,
        "character_agreement": mean_agreement(tokens.characters),
        "character_alpha": found["character", "nominal"].value,
        "character_alpha_nld": found["character", "nld"].value,
        "undefined": _reasons(*found.values()),
    }


def _applied(measure: Any, tokens: Tokens) -> Estimate:
    """Apply a coefficient to the tokens that two annotators or more normalized."""
    words = tokens.words
    if words.undefined:
        return Estimate(None, undefined=words.undefined)
    found: Estimate = measure.formula(Counts(words.columns[:, words.paired], words.repeats[words.paired], words.scale))
    return found


def _expected_agreement(estimate: Estimate) -> float | None:
    return None if estimate.expected is None else 1 - estimate.expected


def _reasons(*estimates: Estimate) -> str | None:
    return "; ".join(dict.fromkeys(one.undefined for one in estimates if one.undefined)) or None


def _ranked(counter: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))


def _written(tokens: Tokens, code: int) -> str:
    return tokens.rows.as_characters.rewritten.labels[code]
