"""Whether labels look like a scale: numbers, or words whose order is well known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

FEWEST_LABELS = 3
"""The order of two labels does not matter."""
_SCALES = (
    "very low, low, mid/middle/medium/moderate, high, very high",
    "none/no, minimal, weak/mild/slight/low, moderate/medium/mid, strong/severe/high, extreme",
    "very small/xs, small/s, medium/middle/mid/m, large/big/l, very large/xl",
    "short, medium/middle, long",
    "never, rarely/seldom, sometimes/occasionally, often/frequently, usually, always",
    "very bad/very poor, bad/poor, fair/average/ok/neutral, good, very good, excellent",
    "very negative, negative/neg, neutral, positive/pos, very positive",
    "strongly disagree, disagree, neutral/undecided/neither, agree, strongly agree",
    "impossible, very unlikely, unlikely/improbable, possible, likely/probable, very likely, certain",
    "no, rather no/unsure/maybe/perhaps/partly/partially, rather yes, yes",
    "beginner, elementary, intermediate, advanced, proficient/expert",
    "easy, medium/moderate, hard/difficult",
    "a1, a2, b1, b2, c1, c2",
    "sehr niedrig, niedrig/gering, mittel, hoch, sehr hoch",
    "sehr klein, klein, mittel, groß/gross, sehr groß/sehr gross",
    "keine/kein, schwach/leicht, mittel, stark, sehr stark",
    "nie, selten, manchmal, oft/häufig, immer",
    "sehr negativ, negativ, neutral, positiv, sehr positiv",
    "nein, eher nein, vielleicht/teilweise/teils, eher ja, ja",
    "jamais, rarement, parfois, souvent, toujours",
    "faible/bas, moyen, fort/haut/élevé",
    "négatif, neutre, positif",
)
"""From the lower to the upper end; words for the same step are separated by a slash."""
_RANKS = [
    {word: rank for rank, words in enumerate(scale.split(", ")) for word in words.split("/")} for scale in _SCALES
]


def known_order(labels: Sequence[object]) -> tuple[object, ...]:
    """Return three labels or more in their well-known order; an empty tuple if they have none.

    >>> known_order(["high", "low", "mid"])
    ('low', 'mid', 'high')
    """
    words = [" ".join(str(label).casefold().replace("_", " ").replace("-", " ").split()) for label in labels]
    for ranks in _RANKS:
        found = [ranks.get(word) for word in words]
        if len(words) >= FEWEST_LABELS and None not in found and len(set(found)) == len(found):
            return tuple(label for _, label in sorted(zip(found, labels, strict=True), key=lambda pair: pair[0] or 0))
    return ()


def all_numbers(labels: Sequence[object]) -> bool:
    """Whether there are three labels or more, and all are numbers or written as numbers."""
    return len(labels) >= FEWEST_LABELS and all(_is_number(label) for label in labels)


def _is_number(label: object) -> bool:
    try:
        return not isinstance(label, bool) and bool(np.isfinite(float(str(label))))
    except ValueError:
        return False
