"""Labels of whole tasks in Label Studio: what a result says, and what all of them show about the questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from unisono.data import Label
from unisono.data.questions import AnswerKind
from unisono.errors import DataError
from unisono.formats.json_reading import as_object, is_number, shown_json

_IN_TEXT = {"start", "end", "startOffset", "endOffset", "globalOffsets"}
_IN_IMAGES = {"x", "y", "width", "height", "points", "vertices", "sequence", "ranges", "rle", "bbox"}
_PLACES = frozenset(_IN_TEXT | _IN_IMAGES)
"""What says where a region is; a label of a whole task says nothing of the kind."""
_INDEXED = re.compile(r"(.+?)[_-]?([0-9]+)", re.DOTALL)
_Found = list[tuple[str | None, AnswerKind, Label]]


class Place(NamedTuple):
    """What an answer is about: the control, the part of the task that it belongs to, one of several things there."""

    control: str
    to_name: str
    thing: str | None


Given = tuple[tuple[Place, Label], ...]
"""The answers of one annotator in one task."""


@dataclass
class Answers:
    """Collects the answers of one annotator in one task."""

    labels: dict[Place, Label] = field(default_factory=dict)
    kinds: dict[Place, AnswerKind] = field(default_factory=dict)

    def add(self, result: Mapping[str, Any]) -> None:
        """Add what a result says; several choices of one control are a set."""
        control, to_name = str(result.get("from_name")), str(result.get("to_name"))
        index = result.get("item_index")
        part = str(index) if isinstance(index, int) else None
        value = result.get("value", {})
        if not isinstance(value, dict):
            raise DataError(f"the value of {control!r} should be an object, not {shown_json(value)}")
        for thing, kind, label in _READ[str(result["type"])](value):
            name = thing if part is None else part if thing is None else f"{part}: {thing}"
            place = Place(control, to_name, name)
            if place in self.labels and kind not in ("names", "sets", "paths"):
                raise DataError(f"{control!r} is answered twice; keep one of the answers")
            if place in self.labels:
                label = tuple(sorted({*_several(self.labels[place]), *_several(label)}))
                kind = "sets" if kind == "names" else kind
            self.labels[place], self.kinds[place] = label, kind


def is_answer(result: Mapping[str, Any]) -> bool:
    """Whether a result may label a whole task, by its type."""
    return isinstance(result.get("type"), str) and result["type"] in _READ


def is_about_region(result: Mapping[str, Any], regions: Set[str]) -> bool:
    """Whether a result says more about a region, of which the identifiers are given."""
    named = result.get("id") is not None and str(result["id"]) in regions
    return named or bool(as_object(result.get("value")).keys() & _PLACES)


def region_ids(results: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the identifiers of regions."""
    places = (result for result in results if as_object(result.get("value")).keys() & _PLACES)
    return {str(result["id"]) for result in places if result.get("id") is not None}


@dataclass
class Questions:
    """What the answers in a file show about its questions, whose names are those of the controls.

    A Repeater numbers its controls and what they belong to from 0 (sentiment_0 to text_0): one question, sentiment,
    about several things in a task.
    """

    kinds: dict[Place, AnswerKind | None] = field(default_factory=dict)
    people: dict[Place, dict[str | None, None]] = field(default_factory=dict)
    """By control: what answers are like, and who gave some; places here are without things."""
    whole: set[Place] = field(default_factory=set)
    """Controls that label whole tasks, or what they belong to, not several things in it."""
    _places: dict[Place, Place] = field(default_factory=dict)

    def learn(self, annotator: str | None, answers: Answers) -> Given:
        """Take note of what somebody answered; return it without what is known now."""
        given = []
        for place, label in answers.labels.items():
            kind = answers.kinds[place]
            control = Place(place.control, place.to_name, None)
            self.kinds[control] = _joined(self.kinds.get(control, kind), kind)
            self.people.setdefault(control, {})[annotator] = None
            if place.thing is None:
                self.whole.add(control)
            given.append((self._places.setdefault(place, place), label))
        return tuple(given)

    def asked(self) -> Asked:
        """Return which questions were asked, when all answers are known."""
        numbered = {control: _numbered(control) for control in self.kinds}
        names = {control.control for control in self.kinds}
        repeated = {found[0] for found in numbered.values() if found is not None and found[1] == "0"} - names
        asked = Asked()
        for control, found in numbered.items():
            name, index = found if found is not None and found[0] in repeated else (control.control, None)
            asked.controls[control] = (name, index)
            kind = self.kinds[control]
            asked.kinds[name] = _joined(asked.kinds.get(name, kind), kind)
            asked.people.setdefault(name, set()).update(self.people[control])
            if control in self.whole and index is None:
                asked.whole.add(name)
        return asked


@dataclass
class Asked:
    """The questions of a file: what answers are like, who gave some, and which are about whole tasks."""

    kinds: dict[str, AnswerKind | None] = field(default_factory=dict)
    people: dict[str, set[str | None]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    controls: dict[Place, tuple[str, str | None]] = field(default_factory=dict)
    """Controls to the questions that they ask, and the number of the thing that they ask about, if repeated."""

    def answers(
        self, work: Sequence[tuple[str | None, Given]]
    ) -> Iterator[tuple[str, str | None, str | None, Label | None]]:
        """Iterate over what annotators answered in a task: question, thing, annotator, label.

        An annotator who answered a question elsewhere saw it here too: if several names may be chosen, none was;
        otherwise the label is missing.
        """
        labels = {(*self._about(place), who): label for who, given in work for place, label in given}
        about = dict.fromkeys((question, thing) for question, thing, _ in labels)
        by_path = any(who is None for who, _ in work)  # other files may show that answers are sets
        seen = (name for name, kind in self.kinds.items() if name in self.whole and (kind == "sets" or by_path))
        about |= dict.fromkeys((name, None) for name in seen)
        for question, thing in about:
            for who, _ in work:
                if who in self.people[question]:
                    nothing = () if self.kinds[question] == "sets" else None
                    yield question, thing, who, labels.get((question, thing, who), nothing)

    def _about(self, place: Place) -> tuple[str, str | None]:
        name, index = self.controls[Place(place.control, place.to_name, None)]
        parts = [part for part in (index, place.thing) if part is not None]
        return name, ": ".join(parts) if parts else None


def _joined(one: AnswerKind | None, other: AnswerKind | None) -> AnswerKind | None:
    """Return what answers are like if some are like this and some like that; None if they have nothing in common."""
    return one if one == other else "sets" if {one, other} == {"names", "sets"} else None


def _numbered(place: Place) -> tuple[str, str] | None:
    """Return the name and the number of a control, if what it belongs to has the same number."""
    control, thing = _INDEXED.fullmatch(place.control), _INDEXED.fullmatch(place.to_name)
    return (control[1], control[2]) if control and thing and control[2] == thing[2] else None


def _several(label: Label) -> tuple[str, ...]:
    return label if isinstance(label, tuple) else (str(label),)


def _choices(value: Mapping[str, Any]) -> _Found:
    chosen = value.get("choices")
    chosen = [chosen] if isinstance(chosen, str) else chosen
    if not isinstance(chosen, list | None):
        raise DataError(f"choices should be a list, not {shown_json(chosen)}")
    if any(isinstance(one, list) for one in chosen or ()):
        return _paths(chosen)
    names = [_name(one) for one in chosen or ()]
    if not names:
        return []
    return [(None, "names", names[0]) if len(names) == 1 else (None, "sets", tuple(sorted(set(names))))]


def _taxonomy(value: Mapping[str, Any]) -> _Found:
    return _paths(value.get("taxonomy"))


def _paths(found: Any) -> _Found:
    if not isinstance(found, list | None):
        raise DataError(f"a taxonomy should be a list of paths, not {shown_json(found)}")
    paths = ["/".join(map(_name, one)) if isinstance(one, list) else _name(one) for one in found or ()]
    return [(None, "paths", tuple(sorted(set(paths))))] if paths else []


def _number(key: str) -> Callable[[Mapping[str, Any]], _Found]:
    def read(value: Mapping[str, Any]) -> _Found:
        found = value.get(key)
        if found is None:
            return []
        if not is_number(found):
            raise DataError(f"a {key} should be a number, not {shown_json(found)}")
        return [(None, "numbers", found)]

    return read


def _text(key: str) -> Callable[[Mapping[str, Any]], _Found]:
    def read(value: Mapping[str, Any]) -> _Found:
        found = value.get(key)
        return [] if found is None or found == "" else [(None, "names", _name(found))]

    return read


def _ranker(value: Mapping[str, Any]) -> _Found:
    """Read a ranking (a list, alone or in the only bucket), or things that were put into several buckets."""
    ranked = value.get("ranker", value.get("items"))
    if isinstance(ranked, dict):
        buckets = {name: _things(things) for name, things in ranked.items()}
        _things([thing for things in buckets.values() for thing in things])
        if len(buckets) > 1:
            return [(thing, "names", name) for name, things in buckets.items() for thing in things]
        ranked = next(iter(buckets.values()), [])
    return [(thing, "ranks", rank) for rank, thing in enumerate(_things(ranked), start=1)]


def _things(found: Any) -> list[str]:
    if not isinstance(found, list | None):
        raise DataError(f"a ranking should be a list, not {shown_json(found)}")
    names = [str(one) if is_number(one) else _name(one) for one in found or ()]
    if len(set(names)) < len(names):
        raise DataError(f"a ranking names the same thing twice: {shown_json(names)}")
    return names


def _name(found: Any) -> str:
    if not isinstance(found, str):
        raise DataError(f"labels should be texts, not {shown_json(found)}")
    return found


_READ: Mapping[str, Callable[[Mapping[str, Any]], _Found]] = {
    "choices": _choices,
    "taxonomy": _taxonomy,
    "rating": _number("rating"),
    "number": _number("number"),
    "pairwise": _text("selected"),
    "datetime": _text("datetime"),
    "ranker": _ranker,
}
"""Types of results to what reads them; each gives (thing, kind, label) for each thing that is labelled."""
ANSWER_KEYS = {"choices", "taxonomy", "rating", "number", "selected", "datetime", "ranker"}
"""Keys of values that label whole tasks."""
