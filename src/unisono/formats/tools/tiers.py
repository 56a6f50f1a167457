"""Which tier is whose, for formats of speech (ELAN, Praat): tiers are annotators, or layers of one annotator's work.

The first of these that applies, unless ``annotator_from`` chooses one:

1. *field*: tiers name two or more different annotators (ELAN's ANNOTATOR). These count; the tier is the layer.
2. *folder*, *file*: the path names the annotator (``pattern`` with ``{annotator}``); the tier is the layer.
3. *tier*: each tier is an annotator. If all of them are named as ELAN does it, ``words@anna``, what follows the last @
   is the annotator, and what precedes it the layer.

A layer's name is the tier's without the annotator at its end: of anna's tiers, ``words@anna``, ``words-anna`` and
``words_anna`` are all the layer words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import NamedTuple

from unisono.data import Label
from unisono.errors import DataError, listed, mention
from unisono.formats.collected import BY_FIELD, Collected
from unisono.formats.format import Instructions

TIERS_OPTION = {
    "tiers": "names of the tiers to read, separated by semicolons, with * for anything; by default all that have "
    "annotations"
}
"""The option of formats with tiers."""


class TimedUnit(NamedTuple):
    """An annotation on a tier: start and end in seconds, labels, and its line."""

    start: float
    end: float
    labels: Mapping[str, Label | None]
    line: int


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier."""

    name: str
    line: int
    units: Sequence[TimedUnit]
    """Its annotations, as far as they can be read."""
    n_units: int
    """How many it has."""
    annotator: str = ""
    """Who annotated it, if the file says so."""


class _Role(NamedTuple):
    """Whose a tier is, in which document, and which layer; None if the path or nothing says it."""

    document: str | None
    annotator: str | None
    layer: str | None


def add_tiers(tiers: Sequence[Tier], collected: Collected, bounds: tuple[float, float] | None = None) -> None:
    """Add the annotations of all tiers of a file as units; bounds are start and end of the recording."""
    for tier, role in zip(tiers, _roles(tiers, collected), strict=True):
        if role is None:
            continue
        if bounds is not None:
            collected.bounds(*bounds, role.document)
        for start, end, labels, line in tier.units:
            with collected.record(line):
                collected.unit(start, end, labels, **role._asdict(), line=line)


def _roles(tiers: Sequence[Tier], collected: Collected) -> list[_Role | None]:
    """Find out whose each tier is; None if it is not read. Notes who worked, and counts what is left out."""
    instructions = collected.instructions
    patterns = instructions.names("tiers")
    chosen = [_is_chosen(tier, patterns) for tier in tiers]
    if not tiers:
        raise DataError("there is no tier in it; check that the file is complete")
    if not any(chosen):
        names = listed([" ".join(tier.name.split()) for tier in tiers])
        asked = mention("options", {"tiers": ";".join(patterns)})
        raise DataError(f"no tier is named as in {asked}; available: {names}")
    wanted = [tier for tier, is_chosen in zip(tiers, chosen, strict=True) if is_chosen and (tier.n_units or patterns)]
    how = instructions.annotator_from or _where(wanted, instructions)
    split = all(_split(tier.name) is not None for tier in wanted)
    given: list[_Role | None] = []
    for tier, is_chosen in zip(tiers, chosen, strict=True):
        why_not = _why_not(tier, how, named=bool(patterns)) if is_chosen else "tiers that were not asked for"
        if why_not:
            collected.drop(why_not)
            given.append(None)
            continue
        role = _role(tier, how, instructions, split=split)
        collected.version(role.document, role.annotator, line=tier.line)
        given.append(role)
    if not any(given):
        by_field = f"no tier names its annotator; leave out {BY_FIELD}"
        raise DataError(by_field if how == "field" else "no tier has annotations; check that the file is complete")
    if how == "tier" and instructions.annotator_from is None:
        collected.drop("tiers, each taken as an annotator", sum(map(bool, given)))
    _check_twins(tiers, given)
    return given


def _is_chosen(tier: Tier, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(tier.name, pattern) for pattern in patterns)


def _where(tiers: Sequence[Tier], instructions: Instructions) -> str:
    """Find out what names the annotators."""
    named = [tier.annotator for tier in tiers if tier.annotator]
    if len(set(named)) > 1 or (named and len(named) == len(tiers)):
        return "field"
    return "file" if instructions.has_annotator else "tier"


def _role(tier: Tier, how: str, instructions: Instructions, *, split: bool) -> _Role:
    if how == "field":
        return _Role(None, tier.annotator or None, _layer(tier.name, tier.annotator))
    if how == "tier":
        layer, annotator = (_split(tier.name) if split else None) or (None, tier.name)
        return _Role(None, annotator, layer)
    # as in all formats, annotators share one document if the path names no document
    document = instructions.shared_document if instructions.has_annotator else None
    return _Role(document, None, _layer(tier.name, instructions.annotator))


def _why_not(tier: Tier, how: str, *, named: bool) -> str | None:
    """Explain why a tier is not read, if so."""
    if how == "field" and not tier.annotator:
        return "tiers that name no annotator, where others do"
    if how == "tier" and not tier.n_units and not named:
        return "tiers without annotations, which were not asked for by name"
    return None


def _split(name: str) -> tuple[str, str] | None:
    """Split words@anna."""
    layer, _, annotator = name.rpartition("@")
    return (layer, annotator) if layer and annotator else None


def _layer(name: str, annotator: str) -> str | None:
    if name == annotator:
        return None
    for mark in "@-_":
        if annotator and name.endswith(mark + annotator):
            return name[: -len(annotator) - 1] or None
    return name


def _check_twins(tiers: Sequence[Tier], given: Sequence[_Role | None]) -> None:
    n_tiers = Counter(role for role in given if role is not None)
    for tier, role in zip(tiers, given, strict=True):
        if role is not None and n_tiers[role] > 1:
            raise DataError(f"several tiers are named {tier.name!r}; rename them", line=tier.line)
