"""What labels are: names, steps of a scale, numbers, sets, places in a taxonomy; and how they are compared by default.

Only the labels in use matter, and what the annotation tool says about the question: not their order in a file, nor who
gave which one.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.data import Label, Ratings
from unisono.data.labels import written_label
from unisono.data.questions import UNKNOWN, Question
from unisono.errors import listed, plural
from unisono.measurement.known_orders import FEWEST_LABELS, known_order
from unisono.measurement.spec import Call

LabelKind: TypeAlias = Literal["one", "names", "open", "ordered", "steps", "numbers", "ranks", "sets", "paths"]
"""Only one label; names; free text; words in an order; few whole numbers; numbers; ranks; sets of names; places in a
taxonomy, or sets of them."""

MOST_ORDINAL = 11
"""From 0 to 10; numbers with more steps than this between the lowest and the highest are measurements."""
SEPARATOR = "|"
_OPEN = 0.3
"""At this share of different labels or above, annotators are writing free text."""
_MANY = 30
_MOST_SHOWN = 12
_MOST_ODD = 3
_LARGEST = 1e100
_NUMBER = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_NO_ANSWER = frozenset(
    "|?|-|--|–|—|.|/|na|n/a|n.a.|n. a.|nan|none|null|nil|missing|unknown|don't know|dont know|do not know|dk|no answer|"
    "not applicable|no opinion|can't say|cannot say|prefer not to say|refused|skip|skipped|not sure|unsure|undecidable|"
    "k.a.|k. a.|ka|keine angabe|weiß nicht|weiss nicht|weiß ich nicht|keine antwort|entfällt|nicht anwendbar|unbekannt|"
    "nsp|ne sait pas|je ne sais pas|sans réponse|pas de réponse|non applicable|sans objet|inconnu|"
    "ns/nc|no sabe|no sé|no contesta|no aplica|no procede|sin respuesta|desconocido".split(SEPARATOR)
)
"""Words for no answer, in four languages."""
_APOSTROPHES = str.maketrans("’‘`´", "''''")


class Alternative(NamedTuple):
    """How else to compare labels, and under which condition."""

    condition: str
    distance: str | Call
    missing: tuple[str, ...] = ()
    """Labels to treat as missing first."""

    @property
    def measure(self) -> str:
        """α with this distance, as users write it."""
        return alpha_with(self.distance)


@dataclass(frozen=True)
class LabelScale:
    """What labels are, and how they are compared.

    Attributes
    ----------
    kind : str
        What they are.
    name : str
        The same in plain words: "ordinal", "interval scale".
    details : str
        Which ones there are: "1 < 2 < 3".
    distance : str or Call
        The distance by which α compares them unless another is named.
    order : tuple of str
        The labels from the lowest to the highest, if they are words in an order.
    instead : tuple of Alternative
        Other distances, the likeliest first, under conditions that only people can judge.
    odd : tuple of str
        Labels that keep the others from being a scale.
    """

    kind: LabelKind
    name: str
    details: str = ""
    distance: str | Call = "nominal"
    order: tuple[str, ...] = ()
    instead: tuple[Alternative, ...] = ()
    odd: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Name and details."""
        return f"{self.name}: {self.details}" if self.details else self.name

    @property
    def as_names(self) -> bool:
        """Whether labels are compared as names by default: they are the same or not."""
        return self.distance == "nominal"

    @property
    def looks_like_more(self) -> bool:
        """Whether labels look like something else than names."""
        return self.kind not in ("one", "names", "open") or bool(self.odd)


def alpha_with(distance: str | Call) -> str:
    """Write α with a distance."""
    return "krippendorff-alpha" if distance == "nominal" else f"krippendorff-alpha(distance={distance})"


def label_scale(*data: Ratings) -> LabelScale:
    """Find out what the labels of ratings are; of several, all labels together."""
    labels: dict[tuple[bool, Label], Label] = {}  # true is not 1 here
    for one in data:
        used = np.bincount(one.codes[one.codes >= 0], minlength=len(one.labels)) > 0
        labels.update({(isinstance(label, bool), label): label for label in compress(one.labels, used.tolist())})
    question = next((one.question for one in data if one.question != UNKNOWN), UNKNOWN)
    return scale_among([*labels.values()], sum(one.n_units for one in data), question)


def scale_among(labels: Sequence[Label], n_given: float, question: Question = UNKNOWN) -> LabelScale:
    """Find out what labels are.

    Parameters
    ----------
    labels : sequence
        The distinct labels that were given.
    n_given : number
        How often labels were given.
    question : Question
        What the tool says; that counts more than what labels look like.
    """
    if len(labels) < 2:
        return LabelScale("one", "one label")
    told = _told(labels, question)
    if told is not None:
        return told
    guessed = _guessed(labels, n_given, question)
    if question.kind != "names" or guessed.as_names:
        return guessed
    likely = Alternative(WHEN_SCALE[guessed.kind], guessed.distance)
    return replace(guessed, distance="nominal", instead=(likely,))


def all_numbers(labels: Sequence[object]) -> bool:
    """Whether there are three labels or more, and all are numbers or written as numbers."""
    return len(labels) >= FEWEST_LABELS and _are_numbers(labels)


def written_as_number(label: object) -> bool:
    """Whether a label is a number or written as one, with a decimal point."""
    if isinstance(label, str):
        return bool(_NUMBER.fullmatch(label)) and abs(float(label)) < _LARGEST
    return isinstance(label, int | float) and not isinstance(label, bool) and abs(label) < _LARGEST


def means_no_answer(label: object) -> bool:
    """Whether a label is a word for no answer, such as n/a."""
    return isinstance(label, str) and label.strip().casefold().translate(_APOSTROPHES) in _NO_ANSWER


_ONLY_NAMES = "labels are only names or codes"
_FORM_SCALE = "labels form a scale"
_EQUAL_STEPS = "a step means the same everywhere on the scale"
WHEN_SCALE: dict[str, str] = {
    "ordered": _FORM_SCALE,
    "steps": _FORM_SCALE,
    "numbers": "labels are measurements or counts",
    "ranks": "labels are ranks",
    "sets": "labels like A|B are sets",
    "paths": "labels are places in a taxonomy",
}
"""Kind of labels to the condition under which they should not be compared as names."""


def _told(labels: Sequence[Label], question: Question) -> LabelScale | None:
    """Return what the tool says that labels are; None if it does not, or if the labels are not like that."""
    match question.kind:
        case "sets":
            return _sets(labels)
        case "paths":
            return _paths(labels)
        case "ranks" if all_numbers(labels):
            by_size = Alternative(_EQUAL_STEPS, "interval")
            return LabelScale("ranks", "ranks", f"from {_ends(labels)}", "ordinal", instead=(by_size,))
        case "numbers" if all_numbers(labels):
            return _measured(labels)
        case "ordered":
            return _told_order(labels, question)
    return None


def _told_order(labels: Sequence[Label], question: Question) -> LabelScale | None:
    if set(map(written_label, labels)) <= set(question.order):
        if all_numbers(question.order) and [*question.order] == sorted(question.order, key=float):
            return _steps(labels)
        return _ordered(question.order)
    if all_numbers(labels):
        return _steps(labels)
    order = tuple(map(str, known_order(labels)))
    return _ordered(order) if order else None


def _ordered(order: tuple[str, ...]) -> LabelScale:
    instead = (Alternative(_ONLY_NAMES, "nominal"),)
    return LabelScale("ordered", "ordinal", _chain(order), Call("ordinal", order), order, instead)


def _guessed(labels: Sequence[Label], n_given: float, question: Question) -> LabelScale:
    if any(isinstance(label, tuple) for label in labels):
        return _sets(labels)
    if all_numbers(labels):
        return _of_numbers(labels, question)
    if _look_like_sets(labels):
        return _sets(labels)
    if order := tuple(map(written_label, known_order(labels))):
        in_order = Alternative(_FORM_SCALE, Call("ordinal", order))
        return LabelScale("ordered", "ordinal", _chain(order), order=order, instead=(in_order,))
    odd = _odd(labels)
    rest = _guessed([label for label in labels if label not in odd], n_given, question) if odd else None
    if rest is not None and rest.looks_like_more:
        return _in_the_way(odd, rest)
    if len(labels) >= max(_MANY, _OPEN * n_given):
        similar = Alternative("labels are free text, so that similar spellings should agree in part", "nld")
        return LabelScale("open", "free text", f"{len(labels):,} different labels", instead=(similar,))
    return LabelScale("names", "names", _names(labels))


def _of_numbers(labels: Sequence[Label], question: Question) -> LabelScale:
    meanings = dict(question.meanings)
    if meanings and all(written_label(label) in meanings for label in labels):
        return _of_codes(labels, meanings)
    return _steps(labels) if _n_steps(labels) <= MOST_ORDINAL else _measured(labels)


def _of_codes(labels: Sequence[Label], meanings: dict[str, str]) -> LabelScale:
    """Return what codes are, of all of which the meaning is known: steps if their meanings have an order."""
    code = {meanings[written_label(label)]: written_label(label) for label in labels}
    order = tuple(code[str(meaning)] for meaning in known_order([*code]))
    if not order and not all_numbers([*code]):
        return LabelScale("names", "names", _names(labels), instead=(Alternative(_FORM_SCALE, "ordinal"),))
    if not order or order in (_written(labels), _written(labels)[::-1]):
        return _steps(labels)
    return _ordered(order)


def _steps(labels: Sequence[Label]) -> LabelScale:
    instead = Alternative(_EQUAL_STEPS, "interval"), Alternative(_ONLY_NAMES, "nominal")
    return LabelScale("steps", "ordinal", _chain(_written(labels)), "ordinal", instead=instead)


def _measured(labels: Sequence[Label]) -> LabelScale:
    instead = Alternative("only the order of the numbers counts", "ordinal"), Alternative(_ONLY_NAMES, "nominal")
    details = f"{len(labels):,} different numbers from {_ends(labels)}"
    return LabelScale("numbers", "interval scale", details, "interval", instead=instead)


def _sets(labels: Sequence[Label]) -> LabelScale:
    members = sorted({member for label in labels for member in _members(label)})
    instead = (
        Alternative("only the size of the overlap should count (Jaccard)", "set"),
        Alternative("each combination is a name of its own", "nominal"),
    )
    details = f"{plural(len(members), 'name')}, any number at once: {listed(members, _MOST_SHOWN)}"
    return LabelScale("sets", "sets", details, "masi", instead=instead)


def _paths(labels: Sequence[Label]) -> LabelScale:
    places = {member for label in labels for member in _members(label)}
    instead = (Alternative("only identical labels agree", "nominal"),)
    return LabelScale("paths", "taxonomy", plural(len(places), "place"), "hierarchy", instead=instead)


def _in_the_way(odd: Sequence[Label], rest: LabelScale) -> LabelScale:
    """Return what labels are of which some keep the others from being a scale."""
    missing = tuple(sorted(map(written_label, odd)))
    distance = rest.instead[0].distance if rest.as_names else rest.distance
    are = "is" if len(missing) == 1 else "are"
    named, means = listed([repr(label) for label in missing]), "means" if len(missing) == 1 else "mean"
    details = f"{named} {are} not on the scale {rest.details}"
    without = Alternative(f"{named} {means} that there is no answer", distance, missing)
    return LabelScale("names", "names", details, order=rest.order, instead=(without,), odd=missing)


def _odd(labels: Sequence[Label]) -> list[Label]:
    """Return the few labels that are not like the others: words among numbers, or words for no answer."""
    others = [label for label in labels if not written_as_number(label)]
    few = len(others) <= _MOST_ODD and len(labels) - len(others) > len(others)
    if few and len(labels) - len(others) >= FEWEST_LABELS:
        return others
    silent = [label for label in labels if means_no_answer(label)]
    return silent if len(labels) - len(silent) >= FEWEST_LABELS else []


def _look_like_sets(labels: Sequence[Label]) -> bool:
    """Whether labels like A|B are sets: one of their members occurs in another label, too."""
    joined = [label for label in labels if isinstance(label, str) and SEPARATOR in label and len(_members(label)) > 1]
    n_labels = Counter(member for label in labels for member in set(_members(label))) if joined else Counter()
    return any(n_labels[member] > 1 for label in joined for member in _members(label))


def _members(label: Label) -> list[str]:
    parts = label if isinstance(label, tuple) else written_label(label).split(SEPARATOR)
    return [part.strip() for part in parts if part.strip()]


def _n_steps(labels: Sequence[Label]) -> float:
    """Return how many steps there are from the lowest to the highest number, both included; infinity if not whole."""
    if not all(_number(label).is_integer() for label in labels):
        return math.inf
    values = [int(_number(label)) for label in labels]
    low, high = min(values), max(values)
    return (high - low) // (math.gcd(*(value - low for value in values)) or 1) + 1


def _are_numbers(labels: Sequence[object]) -> bool:
    return all(map(written_as_number, labels))


def _number(label: Label) -> float:
    return math.nan if isinstance(label, tuple) else float(label)


def _written(labels: Sequence[Label]) -> tuple[str, ...]:
    """Write numbers, the lowest first; other labels in the order of the alphabet."""
    if _are_numbers(labels):
        return tuple(written_label(label).strip() for label in sorted(labels, key=_number))
    return tuple(sorted(map(written_label, labels)))


def _ends(labels: Sequence[Label]) -> str:
    low, high = (written_label(end(labels, key=_number)).strip() for end in (min, max))
    return f"{low} to {high}"


def _chain(order: Sequence[str]) -> str:
    shown = [*order] if len(order) <= _MOST_SHOWN else [*order[: _MOST_SHOWN - 2], "…", order[-1]]
    return " < ".join(shown)


def _names(labels: Sequence[Label]) -> str:
    return listed(_written(labels), _MOST_SHOWN) if len(labels) <= _MANY else f"{len(labels):,} different ones"
