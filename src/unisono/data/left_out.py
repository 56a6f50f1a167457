"""What was left out or changed, in words: phrases are in the plural, and become singular if they count one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

EXAMPLE = ", for example "
"""Before an example in a phrase."""

_HEAD = re.compile(r"^((?:\w+ )??)(\w+?)(ies|s)\b(?:( or | and )(\w+?)s\b)?")
"""What is counted: "units that …", "free texts", "files or records that …"."""
_VERBS = {
    "are": "is",
    "assign": "assigns",
    "were": "was",
    "have": "has",
    "do": "does",
    "cover": "covers",
    "describe": "describes",
    "look": "looks",
    "name": "names",
}
_VERB = re.compile(rf"\b(that|which|and) ({'|'.join(_VERBS)})\b")
_KIND = re.compile(r"\b(is|was) not ((?:labelled )?)(\w+)s\b(?!')")
_PRONOUNS = {
    "counted as ties": "counted as a tie",
    "their names": "its name",
    "where they are": "where it is",
    "they say": "it says",
    "their": "its",
    "only count": "only counts",
    "taken as those": "taken as that",
    "each taken": "taken",
    "them": "it",
}
_PRONOUN = re.compile("|".join(rf"(?<!\w){words}(?!\w)" for words in _PRONOUNS))


def told_dropped(dropped: Mapping[str, int]) -> Iterator[str]:
    """Say what was left out or changed, with numbers."""
    for what, n in dropped.items():
        yield f"{n:,} {counted(n, what)}"


def counted(n: int, what: str) -> str:
    """Return a phrase that says what is counted, such as "tiers that name no annotator", as it fits the number.

    What comes from the data is behind a colon, and stays as it is.
    """
    if n != 1:
        return what
    words, example, tail = what.partition(EXAMPLE)
    if not example:
        words, example, tail = what.partition(": ")
    return _singular(words) + (example and ": ") + tail


def _singular(words: str) -> str:
    made = _HEAD.sub(_one, words)
    if made == words:
        return words
    made = _VERB.sub(lambda found: f"{found[1]} {_VERBS[found[2]]}", made)
    made = _KIND.sub(lambda found: f"{found[1]} not {_article(found[2] + found[3])} {found[2]}{found[3]}", made)
    return _PRONOUN.sub(lambda found: _PRONOUNS[found[0]], made)


def _one(found: re.Match[str]) -> str:
    before, head, ending, joint, other = found.groups(default="")
    return f"{before}{head}{'y' if ending == 'ies' else ''}{joint}{other}"


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"
