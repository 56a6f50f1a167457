"""How the parameters of Python functions are written on the command line.

Messages of the library mention parameters (`unisono.errors.mention`); here each becomes the option that sets it.
"""

from __future__ import annotations

import inspect
import json
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from unisono.cli.streams import visible
from unisono.cli.values import names_out
from unisono.errors import Spell, UnisonoError, as_argument, mention, spelled_out

OPTIONS = {
    "adjacent": "--merge-adjacent",
    "bad": "--skip-bad",
    "corpus": "PATH",
    "data": "PATH",
    "errors": "--error",
    "families": "--group",
    "folder": "--stream",
    "groups": "--group",
    "layers": "--layer",
    "measure": "-m",
    "measures": "-m",
    "models": "--model",
    "n_annotators": "--annotators",
    "name": "-m",
    "one": "PATH",
    "on": "--fail-on",
    "options": "--option",
    "other": "PATH",
    "over": "--fail-over",
    "overwrite": "--force",
    "path": "--output",
    "paths": "PATH",
    "rng": "--seed",
    "safe": "--safe-csv",
    "under": "--fail-under",
}
"""Parameters whose option has another name; all others are written like the parameter: `annotator_from` is
`--annotator-from`."""

ONLY_IN_PYTHON = frozenset(
    {
        "dissimilarity",
        "f_cat",
        "first",
        "frame",
        "guidelines",
        "last",
        "library",
        "masses",
        "mean",
        "most_units",
        "names",
        "normalization",
        "order",
        "original",
        "period",
        "preparing",
        "progress",
        "range",
        "reading",
        "results",
        "rows",
        "separator",
        "source",
        "store",
        "texts",
        "value",
        "values",
        "weight",
    }
)
"""Parameters that the command line sets itself or does not offer."""

_KEYS = {"models": "model"}
"""Parameters whose key in a TOML file has another name."""
_REPEATED = frozenset({"--decisions", "--error", "--group", "--layer", "--model", "-m"})
"""Options that are written once per value."""
_PLAIN = re.compile(r"[\w@%+=:,./…-][\w@%+=:,./…#-]*")
_PLAIN_ON_WINDOWS = re.compile(r"[\w+=:./\\-]+")
"""PowerShell splits words at commas, and cmd replaces what is between percent signs."""


def as_option(parameter: str, value: Any = None) -> str:
    """Write a parameter as the command line does, with its value if there is one; those of measures as after -m."""
    if parameter not in ONLY_IN_PYTHON and parameter not in OPTIONS and parameter in in_parentheses():
        return _as_measure_parameter(parameter, value)
    return as_reading_option(parameter, value)


def as_reading_option(parameter: str, value: Any = None) -> str:
    """Write a parameter of functions that read and prepare data; no measure is meant."""
    if parameter in ONLY_IN_PYTHON:
        return as_argument(parameter, value)
    return _with_value(OPTIONS.get(parameter, f"--{parameter.replace('_', '-')}"), value)


@cache
def in_parentheses() -> frozenset[str]:
    """Return the parameters written in parentheses: ``gamma(alpha=3)``, ``generate(n_units=60)``, ``numeric(9)``."""
    import unisono
    from unisono.measurement.registry import measures

    names = {parameter.name for one in measures().values() for parameter in one.parameters}
    distances = (unisono.Hierarchy, unisono.Matrix, unisono.Numeric, unisono.Ordinal, unisono.Sets)
    for called in (unisono.shuffling.generate, unisono.Prior, *distances):
        names |= set(inspect.signature(called).parameters)
    return frozenset(names - {"rng"})


def told(error: UnisonoError) -> str:
    """Return an error's message with its parameters written as options."""
    return visible(error.told(as_option))


@contextmanager
def naming(**options: str) -> Iterator[None]:
    """Let errors name these parameters by these options.

    For parameters that two functions share but that are two options: a reader's `format` is ``--format``, a writer's
    is ``--to``.
    """

    def spell(parameter: str, value: Any) -> str:
        return _with_value(options[parameter], value) if parameter in options else mention(parameter, value)

    with spelled_by(spell):
        yield


@contextmanager
def naming_keys(keys: frozenset[str]) -> Iterator[None]:
    """Let errors name these parameters as keys of a TOML file, such as ``layers = ["NE"]``."""

    def spell(parameter: str, value: Any) -> str:
        return as_key(parameter, value) if _KEYS.get(parameter, parameter) in keys else mention(parameter, value)

    with spelled_by(spell):
        yield


def as_key(parameter: str, value: Any) -> str:
    """Write a parameter as a key of a TOML file."""
    key = _KEYS.get(parameter, parameter)
    return key if value is None else f"{key} = {_as_toml(value)}"


@contextmanager
def spelled_by(spell: Spell) -> Iterator[None]:
    """Write out the parameters that errors mention."""
    try:
        yield
    except UnisonoError as error:
        error.message = spelled_out(error.message, spell)
        raise


def shell_word(text: str) -> str:
    """Quote a word for a shell where it needs quotes; with double ones if possible, which all shells understand."""
    windows = sys.platform == "win32"
    if (_PLAIN_ON_WINDOWS if windows else _PLAIN).fullmatch(text):
        return text
    if windows:
        backslashes = len(text) - len(text.rstrip("\\"))  # they would quote the quote after them
        return '"' + text.replace('"', '\\"') + "\\" * backslashes + '"'
    return shlex.quote(text) if set(text) & set('"$`\\!') else f'"{text}"'


def _as_toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_as_toml(one)}" for name, one in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def _as_measure_parameter(parameter: str, value: Any) -> str:
    from unisono.measurement.spec import quoted

    if value is None:
        return parameter
    return f"{parameter}={value if isinstance(value, str) else quoted(value)}"


def _with_value(option: str, value: Any) -> str:
    if value is None or value is True:
        return option
    if isinstance(value, dict):
        words = [f"{name}={_joined(one)}" for name, one in value.items()]
    else:
        words = list(map(str, value)) if isinstance(value, list) else [str(value)]
    if option in _REPEATED:
        return " ".join(f"{option} {shell_word(word)}" for word in words)
    if option == "--continuum":
        return f"{option} {shell_word(':'.join(words))}"
    return f"{option} {shell_word(names_out(words) if isinstance(value, list) else ','.join(words))}"


def _joined(value: Any) -> str:
    return names_out([*map(str, value)]) if isinstance(value, list) else str(value)
