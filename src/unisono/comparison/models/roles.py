"""Who is a model and who is a person, which annotators are runs of one model, and which models are of one family."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from unisono.checks import check_names
from unisono.data import Data
from unisono.data.runs import model_of
from unisono.errors import DataError, OptionError, listed

Families: TypeAlias = Mapping[str, Iterable[str]] | Literal["names"] | None
"""Family to its models; with "names", models whose names begin alike are of one family."""

_MODEL_NAMES = (
    "gpt|chatgpt|claude|llama|gemini|gemma|mistral|mixtral|qwen|deepseek|grok|vicuna|command-r|phi-?[0-9]|"
    "o[1-9](?:-mini|-preview|-pro)?|llm|judge|model|bot|ai"
)
_LIKE_A_MODEL = re.compile(rf"(?:^|[^a-z])(?:{_MODEL_NAMES})(?![a-z])", re.IGNORECASE)


@dataclass(frozen=True)
class Participants:
    """Who is what.

    Attributes
    ----------
    runs : dict
        Model to its annotators: itself, or its runs (gpt#1, gpt#2 …).
    humans : tuple of str
        The people.
    notes : tuple of str
        Clauses on names that look like models but count as people.
    """

    runs: Mapping[str, tuple[str, ...]]
    humans: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """The models."""
        return tuple(self.runs)

    @property
    def everybody(self) -> list[str]:
        """All annotators that count, people first."""
        return [*self.humans, *(one for runs in self.runs.values() for one in runs)]


def who_is_who(data: Data, models: Any, humans: Any = None, *, parameter: str = "models") -> Participants:
    """Check names, and find out who is what; without `humans`, all who are not models are people."""
    named = list(dict.fromkeys(check_names(models, parameter)))
    if not named:
        raise OptionError("name at least one model", parameter)
    runs = {name: runs_of(name, data.annotators, parameter) for name in named}
    taken: dict[str, str] = {}
    for name, own in runs.items():
        for one in own:
            if one in taken:
                raise OptionError(f"{one} is a run of {taken[one]} already; name one of them", parameter)
            taken[one] = name
    if humans is None:
        people, notes = _others(data, taken)
    else:
        people, notes = list(dict.fromkeys(check_names(humans, "humans"))), ()
        _check_people(people, data, taken)
    roles = Participants(runs, tuple(people), tuple(notes))
    _check_work(data, roles)
    return roles


def runs_of(model: str, annotators: Sequence[str], parameter: str = "models") -> tuple[str, ...]:
    """Return the annotators that are a model: itself, or its runs, which are called like it with # and a name."""
    found = tuple(name for name in annotators if name == model or (model and model_of(name) == model))
    if not found:
        raise OptionError(f"unknown annotator {model!r}; available: {listed(annotators)}", parameter)
    return found


def looks_like_a_model(name: str) -> bool:
    """Whether a name is like those of models; people can have such names, too."""
    return _LIKE_A_MODEL.search(name.replace("_", " ")) is not None


def counted_as_people(names: Sequence[str]) -> str:
    """Note, in a clause, that some names look like those of models."""
    if len(names) == 1:
        return f"{names[0]} looks like a model but counts as a person"
    return f"{listed(names, 5)} look like models but count as people"


def check_families(families: Families, models: Sequence[str], what: str = "model") -> dict[str, list[str]] | None:
    """Return families and their models, or what else they consist of; those in none are families of their own."""
    if families is None:
        return None
    if isinstance(families, str) and families == "names":
        return _by_names(models)
    if not isinstance(families, Mapping):
        raise OptionError(
            f"expected families with their {what}s, e.g. {{'openai': ['gpt-4o', 'o3']}}, or 'names'", "families"
        )
    found: dict[str, list[str]] = {}
    taken: dict[str, str] = {}
    for family, given in families.items():
        for model in check_names(given, "families"):
            if model not in models:
                raise OptionError(f"{model!r} in {family} is not a {what}; {what}s: {listed(models)}", "families")
            if model in taken:
                raise OptionError(f"{model} is in {taken[model]} already; a {what} belongs to one family", "families")
            taken[model] = family
            found.setdefault(family, []).append(model)
    return found | {model: [model] for model in models if model not in taken}


def _by_names(models: Sequence[str]) -> dict[str, list[str]]:
    """Put models together whose names begin with the same word, without what stands before a slash."""
    found: dict[str, list[str]] = {}
    for model in models:
        word = re.match(r"[^\W\d_]+", model.rpartition("/")[2])
        found.setdefault(word[0].lower() if word else model, []).append(model)
    return found


def _others(data: Data, taken: Mapping[str, str]) -> tuple[list[str], tuple[str, ...]]:
    """Return everyone who is not a model, and a note on names that look like models."""
    people = [name for name in data.annotators if name not in taken]
    if not people:
        raise DataError(
            f"there are no annotators besides {listed([*dict.fromkeys(taken.values())])}, but people are needed to "
            "compare with"
        )
    alike = [name for name in people if looks_like_a_model(name)]
    if not alike:
        return people, ()
    it, them, a = ("it is", "it", "a model") if len(alike) == 1 else ("they are", "them", "models")
    return people, (f"{counted_as_people(alike)}; if {it} {a}, name {them} as such",)


def _check_people(people: Sequence[str], data: Data, taken: Mapping[str, str]) -> None:
    if not people:
        raise OptionError("name at least one person, or leave it out: then all who are not models are people", "humans")
    for name in people:
        if name in taken or name in taken.values():
            raise OptionError(f"{name} is named both as a model and as a person; choose one", "humans")
        if name not in data.annotators:
            raise OptionError(f"unknown annotator {name!r}; available: {listed(data.annotators)}", "humans")


def _check_work(data: Data, roles: Participants) -> None:
    """Raise DataError if a model, or all people, did nothing."""
    worked = {name: bool(data.worked[:, place].any()) for place, name in enumerate(data.annotators)}
    for model, runs in roles.runs.items():
        idle = [one for one in runs if not worked[one]]
        if idle:
            raise DataError(f"{listed(idle)} annotated nothing; leave it out, or check how the file names {model}")
    if not any(worked[name] for name in roles.humans):
        raise DataError(f"the people ({listed(roles.humans)}) annotated nothing")
