"""What people decide about places of the queue, and how a place is known again.

A place is known by what annotators did there, not by its number: so decisions survive another measure, another seed and
more documents. Where the data has changed, the place is another one, and people are asked again.
"""

from __future__ import annotations

import json
import math
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeAlias

from unisono.adjudication.proposal import Proposal, label_words, marked
from unisono.adjudication.text_places import TextPlace, TextVersion, Token
from unisono.data import Label, Ratings, Unit
from unisono.data.anchors import PIECE, Anchor
from unisono.errors import DataError

PlaceKey: TypeAlias = str
"""A place in one line of JSON, always written the same."""
UNITS, LABEL, TEXT, SKIP, UNDO = "units", "label", "text", "skip", "undo"
"""Decide on units (none, one or several), the label of an item, or a text with tokens; skip; take the last one back."""
_PLAIN = 4
"""How many values are written for a plain unit; the anchors of others come after these."""
_KINDS = {"units", "item", "tokens"}
DECISION_KINDS = (UNITS, LABEL, TEXT, SKIP, UNDO)


@dataclass(frozen=True)
class DecidedUnit:
    """A unit as a person wants it; `anchors` are sorted, and empty if it is a plain one."""

    start: int | float
    end: int | float
    features: Mapping[str, Label | None]
    anchors: tuple[Anchor, ...] = ()

    @property
    def words(self) -> str:
        """The unit for people."""
        labels = {name: label_words(one) for name, one in self.features.items() if one}
        return marked(self.start, self.end, labels, self.anchors)

    @property
    def spans(self) -> list[tuple[int | float, int | float]]:
        """The stretches that it covers."""
        return [(one.start, one.end) for one in self.anchors] or [(self.start, self.end)]

    def entry(self) -> dict[str, Any]:
        """Return the unit as lines of files have it: with anchors in place of start and end, if there are several."""
        where = {"anchors": [one._asdict() for one in self.anchors]}
        plain = {"start": self.start, "end": self.end}
        return {**(where if self.anchors else plain), "features": {k: _plain(v) for k, v in self.features.items()}}


@dataclass(frozen=True)
class PlaceDecision:
    """What one person decided about one place; one line of a file.

    Attributes
    ----------
    place : dict
        The document with everybody's units there, or with everybody's labels of an item.
    kind : str
        One of `DECISION_KINDS`.
    units : tuple of DecidedUnit
        What there should be; empty if nothing should be marked. In a text, its tokens, from its beginning.
    label : label or None
        The label of an item; None if it should have none.
    took : str
        Where the decision comes from: ``draft``, ``annotator:anna`` or ``edited``.
    by, note : str
        Who decided, and what they remarked.
    id, time : str
        Made if not given.
    replaces : tuple of str
        The ids of others' decisions that this one settles.
    text : str
        The text, where annotators have different ones.
    """

    place: Mapping[str, Any]
    kind: str
    units: tuple[DecidedUnit, ...] = ()
    label: Label | None = None
    took: str = ""
    by: str = ""
    note: str = ""
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    time: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    replaces: tuple[str, ...] = ()
    text: str = ""

    @property
    def key(self) -> PlaceKey:
        """What identifies the place."""
        return place_key(self.place)

    @property
    def outcome(self) -> str:
        """What was decided, always written the same: two decisions with the same outcome agree."""
        if self.kind == LABEL:
            return _canonical(_plain(self.label))
        units = [[unit.start, unit.end, _given(unit.features), *_ends(unit.anchors)] for unit in self.units]
        found = sorted(units, key=_canonical)
        return _canonical([self.text, found] if self.kind == TEXT else found)

    @property
    def words(self) -> str:
        """The decision for people."""
        if self.kind == LABEL:
            return label_words(self.label)
        if self.kind == TEXT:
            return version_of(self).words
        return " and ".join(unit.words for unit in self.units) or "no unit"

    def line(self) -> str:
        """Write the decision as one line of JSON."""
        entry: dict[str, Any] = {"id": self.id, "time": self.time, "by": self.by, "place": self.place}
        entry["decision"] = self.kind
        if self.kind == UNITS:
            entry["units"] = [one.entry() for one in self.units]
        elif self.kind == LABEL:
            entry["label"] = _plain(self.label)
        elif self.kind == TEXT:
            entry |= {"text": self.text, "tokens": [one.entry() for one in self.units]}
        more = {"took": self.took, "note": self.note, "replaces": list(self.replaces)}
        return json.dumps(entry | {name: value for name, value in more.items() if value}, ensure_ascii=False)


def place_key(place: Mapping[str, Any]) -> PlaceKey:
    """Return what identifies a place."""
    return _canonical(place)


def kind_of_place(place: Mapping[str, Any]) -> str:
    """Return whether a place is about spans (or pieces of these), relations and events, items, or tokens of texts."""
    if "units" not in place:
        return LABEL if "item" in place else TEXT
    try:
        roles = {end[0] for one in place["units"] for end in (one[_PLAIN] if len(one) > _PLAIN else ())}
    except (TypeError, LookupError):  # a file that somebody has changed
        return UNITS
    return UNITS if roles <= {PIECE} else "relations"


def places_of_units(proposals: Iterable[Proposal]) -> list[dict[str, Any]]:
    """Return the place of each proposal: the document and all units; places that look alike are numbered."""
    return _numbered(
        {
            "document": proposal.document,
            "units": sorted((_unit(unit) for unit in proposal.row.units.values() if unit is not None), key=_canonical),
        }
        for proposal in proposals
    )


def places_of_texts(places: Iterable[TextPlace]) -> list[dict[str, Any]]:
    """Return each place of texts that differ: the document, and everybody's text there with its tokens."""
    return _numbered(
        {
            "document": place.document,
            "tokens": [
                [who, place.starts[who], one.text, [[t.start, t.end, _given(t.features)] for t in one.tokens]]
                for who, one in sorted(place.versions.items())
            ],
        }
        for place in places
    )


def places_of_items(ratings: Ratings) -> list[dict[str, Any]]:
    """Return the place of each item: its document, its name and all labels."""
    labels = [_plain(label) for label in ratings.labels]
    rows = zip(ratings.document.tolist(), ratings.items, ratings.codes.tolist(), strict=True)
    return _numbered(
        {
            "document": ratings.documents[document],
            "item": item,
            "labels": sorted([who, labels[k]] for who, k in zip(ratings.annotators, own, strict=True) if k >= 0),
        }
        for document, item, own in rows
    )


def version_of(decision: PlaceDecision) -> TextVersion:
    """Return the text and the tokens that somebody decided on."""
    tokens = sorted(decision.units, key=lambda one: (one.start, one.end))
    return TextVersion(decision.text, tuple(Token(int(one.start), int(one.end), one.features) for one in tokens))


def parsed_decision(entry: Any) -> PlaceDecision:
    """Make a decision from a line's JSON; DataError if it is none."""
    if not isinstance(entry, dict):
        raise DataError('a line should be an object like {"place": …, "decision": …}')
    place, kind = entry.get("place"), entry.get("decision")
    if not isinstance(place, dict) or not isinstance(place.get("document"), str) or not _KINDS & set(place):
        raise DataError('"place" should be an object with a document and its units or tokens, or with an item')
    if kind not in DECISION_KINDS:
        raise DataError(f'"decision" should be one of {", ".join(DECISION_KINDS)}, not {kind!r}')
    texts = {name: entry.get(name, "") for name in ("id", "time", "by", "took", "note")}
    wrong = next((name for name, value in texts.items() if not isinstance(value, str)), None)
    if wrong is not None or not texts["id"]:
        raise DataError(f'"{wrong or "id"}" should be text')
    replaces = entry.get("replaces", [])
    if not isinstance(replaces, list) or not all(isinstance(one, str) for one in replaces):
        raise DataError('"replaces" should be a list of ids')
    units = tuple(parsed_units(entry.get("units"))) if kind == UNITS else ()
    text = entry.get("text", "") if kind == TEXT else ""
    if not isinstance(text, str):
        raise DataError('"text" should be text')
    if kind == TEXT:
        units = tuple(parsed_units(entry.get("tokens")))
        _check_tokens(text, units)
    label = parsed_label(entry.get("label")) if kind == LABEL else None
    return PlaceDecision(place, kind, units, label, replaces=tuple(replaces), text=text, **texts)


def _check_tokens(text: str, tokens: Iterable[DecidedUnit]) -> None:
    """Raise a DataError if a text cannot have these tokens."""
    at: int | float = 0
    for one in sorted(tokens, key=lambda token: (token.start, token.end)):
        if one.anchors or not (float(one.start).is_integer() and float(one.end).is_integer()):
            raise DataError(f"the token {one.words} does not start and end at whole characters")
        if not at <= one.start < one.end <= len(text):
            raise DataError(f"the token {one.words} overlaps another one, is empty, or is outside the text {text!r}")
        at = one.end


def parsed_units(given: Any) -> Iterator[DecidedUnit]:
    """Make units from JSON."""
    if not isinstance(given, list):
        raise DataError('"units" should be a list')
    for one in given:
        entry = one if isinstance(one, dict) else {}
        features = entry.get("features", {})
        if not isinstance(features, dict):
            raise DataError('"features" should be an object with labels by their names')
        labels = {name: parsed_label(label) for name, label in features.items()}
        anchors = _parsed_anchors(entry["anchors"]) if "anchors" in entry else ()
        if [anchor.role for anchor in anchors] == [PIECE]:
            yield DecidedUnit(anchors[0].start, anchors[0].end, labels)
        elif anchors:
            begin, stop = min(one.start for one in anchors), max(one.end for one in anchors)
            yield DecidedUnit(begin, stop, labels, anchors)
        else:
            yield DecidedUnit(*_parsed_span(entry), labels)


def _parsed_anchors(given: Any) -> tuple[Anchor, ...]:
    if not isinstance(given, list) or not given or not all(isinstance(one, dict) for one in given):
        raise DataError('"anchors" should be a list of objects with role, start and end')
    if wrong := next((one for one in given if not isinstance(one.get("role"), str) or not one["role"]), None):
        raise DataError(f'the "role" of an anchor should be a name, not {wrong.get("role")!r}')
    return tuple(sorted(Anchor(one["role"], *_parsed_span(one)) for one in given))


def _parsed_span(entry: Mapping[str, Any]) -> tuple[int | float, int | float]:
    start, end = (_position(entry.get(name)) for name in ("start", "end"))
    if end < start:
        raise DataError(f"a unit ends ({end}) before it begins ({start})")
    return start, end


def _position(given: Any) -> int | float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise DataError('a unit should have "start" and "end", two numbers')
    return given


def parsed_label(given: Any) -> Label | None:
    """Make a label from JSON."""
    if given is None or isinstance(given, str | bool | int | float):
        return given
    if isinstance(given, list) and all(isinstance(one, str) for one in given):
        return tuple(sorted(set(given)))
    raise DataError("a label should be text, a number, true, false or a list of texts")


def _numbered(places: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give numbers to places that look alike, from the second on."""
    seen: Counter[str] = Counter()
    found = []
    for place in places:
        key = place_key(place)
        seen[key] += 1
        found.append(place if seen[key] == 1 else {**place, "number": seen[key]})
    return found


def _unit(unit: Unit) -> list[Any]:
    return [unit.annotator, unit.start, unit.end, _given(unit.features), *_ends(unit.anchors)]


def _ends(anchors: Iterable[Anchor]) -> list[list[list[Any]]]:
    """Return what is written of anchors, after everything else; nothing for plain units."""
    ends = [[*anchor] for anchor in anchors]
    return [ends] if ends else []


def _given(features: Mapping[str, Label | None]) -> dict[str, Any]:
    return {name: _plain(label) for name, label in features.items() if label is not None}


def _plain(label: Label | None) -> Any:
    return list(label) if isinstance(label, tuple) else label


def _canonical(value: Any) -> str:
    return json.dumps(_same_numbers(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _same_numbers(value: Any) -> Any:
    """Write 3.0 as 3, wherever it is."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _same_numbers(one) for name, one in value.items()}
    return [_same_numbers(one) for one in value] if isinstance(value, list | tuple) else value
