"""Keyword parameters that all coefficients of a family share, for editors and type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from unisono.data.ratings import Rows


class TableOptions(TypedDict, total=False):
    """Parameters of every function that accepts data."""

    rows: Rows


class RatingsOptions(TableOptions, total=False):
    """How spans become items."""

    feature: str | None
    unmarked: str | None


class RankOptions(RatingsOptions, total=False):
    """How spans become items, and which order words have."""

    order: Sequence[str] | None


class SegmentationOptions(TableOptions, total=False):
    """How spans become segmentations."""

    step: float | None


class UnitsOptions(TableOptions, total=False):
    """Which feature is the category."""

    feature: str | None


class AtomsOptions(UnitsOptions, total=False):
    """How a continuum is cut into atoms."""

    atom: str | float


class NormalizationOptions(TableOptions, total=False):
    """How words are cleaned, and which features of units they are."""

    lower: bool
    punctuation: Literal["keep", "drop"]
    form: Literal["none", "NFC", "NFD", "NFKC", "NFKD"]
    characters: Literal["codepoints", "graphemes"]
    joined: str | None
    show: str | None
    norm: str | None
    mod: str | None
    type: str | None
