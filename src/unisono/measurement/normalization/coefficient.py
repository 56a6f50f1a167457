"""Agreement on normalization: how well annotators agree when they rewrite words.

References
----------
.. [1] Passonneau, R. (2006). Measuring agreement on set-valued items (MASI). LREC 2006.
"""

from __future__ import annotations

from typing import Literal, Unpack

from unisono.measurement.coefficient import coefficient
from unisono.measurement.declaration import Parameter
from unisono.measurement.normalization.family import FAMILY
from unisono.measurement.normalization.tokens import DISTANCES, LEVELS, SUBSETS, Tokens
from unisono.measurement.options import NormalizationOptions
from unisono.measurement.readers import choice
from unisono.results import Estimate


@coefficient(
    FAMILY,
    symbol="α",
    title="Normalization: how well annotators agree when they rewrite words, by characters, words or edits",
    needs="words and each annotator's normalization of them; any number of annotators; normalizations may be missing",
    ignores="who gave which normalization; tokens with a single one",
    reference="Bollmann, Dipper & Petran 2016",
    papers=("bollmann2016",),
    when="if annotators rewrote given words: historical spelling, tweets, dialect, learner language",
    parameters=(
        Parameter("level", "character", choice(*LEVELS), "what is compared: character, word or edits"),
        Parameter(
            "distance",
            "nld",
            choice(*DISTANCES),
            "nld (normalized Levenshtein distance) or nominal; for edits, masi or jaccard",
        ),
        Parameter(
            "subset",
            "all",
            choice(*SUBSETS),
            "all tokens, medium (changed by at least one annotator) or strict (changed by all)",
        ),
    ),
)
def normalization(
    tokens: Tokens,
    *,
    level: Literal["character", "word", "edits"] = "character",
    distance: Literal["nominal", "nld", "masi", "jaccard"] = "nld",
    subset: Literal["all", "medium", "strict"] = "all",
    **how: Unpack[NormalizationOptions],
) -> Estimate:
    """Krippendorff's α of rewritten words: α = 1 - D_o / D_e.

    By characters, the units are the characters of the original words and the labels are what they become: = if they
    are unchanged, ∅ if they are deleted, else other characters, with inserted ones at the character on their left
    (word-initial ones on their right). By words, the units are tokens and the labels words. By edits, the units are
    tokens and the labels the sets of their edits, whose places count for D_o but not for D_e.

    See Also
    --------
    representation, to_normalizations, krippendorff_alpha

    Examples
    --------
    >>> import unisono
    >>> words = {"original": ["vnd", "jn", "gewain"], "anna": ["und", "in", "weinte"], "bert": ["und", "in", "geweint"]}
    >>> data = unisono.Normalizations.of(words)
    >>> round(unisono.normalization(data).value, 3)
    0.673
    >>> round(unisono.normalization(data, level="word").value, 3)
    0.768
    """
    return tokens.agreement(level, distance, subset)
