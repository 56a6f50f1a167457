"""What a shell offers after an option, if completion is installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

Offers: TypeAlias = list[tuple[str, str]]
"""Words with what each of them means, which some shells show, too."""


def measure_names(incomplete: str) -> Offers:
    """Return the measures."""
    from unisono.measurement.registry import measures

    return _beginning(incomplete, {name: one.title for name, one in measures().items()})


def format_names(incomplete: str) -> Offers:
    """Return the formats that can be read."""
    from unisono.formats.registry import FORMATS

    return _beginning(incomplete, {one.name: one.title for one in FORMATS})


def written_format_names(incomplete: str) -> Offers:
    """Return the formats that can be written."""
    from unisono.formats.registry import FORMATS

    return _beginning(incomplete, {one.name: one.title for one in FORMATS if one.is_written})


def error_kinds(incomplete: str) -> Offers:
    """Return the kinds of errors, and after a + those to combine with it."""
    from unisono.shuffling.errors import ERROR_KINDS, TEXT_ERROR_KINDS
    from unisono.shuffling.relations import RELATION_ERROR_KINDS

    does = {kind.name: kind.does for kind in (*ERROR_KINDS.values(), *RELATION_ERROR_KINDS.values())}
    does |= {kind.name: kind.does for kind in TEXT_ERROR_KINDS.values()}
    return _joined(incomplete, "+", {name: f"annotators who {what}" for name, what in does.items()})


def cleaning_steps(incomplete: str) -> Offers:
    """Return the steps that clean labels, and after a comma further ones."""
    from unisono.preparation.cleaning import CLEANERS

    return _joined(incomplete, ",", dict.fromkeys(CLEANERS, ""))


def one_of(*values: str) -> Callable[[str], Offers]:
    """Return a function that offers some values."""
    return lambda incomplete: _beginning(incomplete, dict.fromkeys(values, ""))


def _joined(incomplete: str, separator: str, known: Mapping[str, str]) -> Offers:
    before, joined, begun = incomplete.rpartition(separator)
    return [(f"{before}{joined}{name}", meaning) for name, meaning in _beginning(begun, known)]


def _beginning(incomplete: str, known: Mapping[str, str]) -> Offers:
    return [(name, meaning) for name, meaning in known.items() if name.startswith(incomplete)]
