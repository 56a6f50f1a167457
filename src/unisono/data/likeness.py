"""Whether two texts are versions of one text."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

ALIKE = 0.7
"""Versions of a text have at least this share of characters in common, in order; different texts barely half."""
_ENOUGH = 20_000
"""This many characters, from the start, are enough to decide."""


def in_common(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """Return the share of the longer text that is a common subsequence of both, judging by the first pages."""
    from rapidfuzz.distance import LCSseq

    return float(LCSseq.normalized_similarity(one[:_ENOUGH], other[:_ENOUGH]))
