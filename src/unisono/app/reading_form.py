"""The form of the preview: what one can say about reading, as fields, and back from the fields to parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unisono.errors import DataError, OptionError, UnisonoError, spelled_out
from unisono.formats.columns import NORMALIZATIONS_LONG, NORMALIZATIONS_WIDE, RATINGS_LONG, RATINGS_WIDE, UNITS
from unisono.preparation.cleaning import CLEANERS

LABELS = {
    "format": "Format",
    "pattern": "Pattern of paths",
    "annotator_from": "Annotators are named by",
    "columns": "Columns",
    "delimiter": "Delimiter",
    "encoding": "Encoding",
    "decimal": "Decimal sign",
    "sheet": "Sheet",
    "options": "Options of the format",
    "discontinuous": "Units in several pieces",
    "units": "Kind of annotations",
    "worked": "Who worked on what",
    "continuum": "Continuum",
    "bad": "Skip what cannot be read",
    "skip_bad": "Skip what cannot be read",
    "annotators": "Annotators",
    "documents": "Documents",
    "layers": "Layer",
    "features": "Features",
    "where": "Only where",
    "clean": "Clean labels",
    "missing": "Labels that mean no label",
    "join": "Join features",
    "positions": "Positions",
    "adjacent": "Merge adjacent units",
}
"""Parameters of reading and preparing, and what their fields are called."""
_TEXTS = ("format", "pattern", "annotator_from", "delimiter", "encoding", "decimal", "sheet", "units", "where")
_LISTS = ("annotators", "documents", "layers", "features", "join", "clean")
_MAPPINGS = ("columns", "options")
_FLAGS = ("skip_bad", "adjacent")
_ALL = ("annotators", "documents", "features")
"""Lists of which everything is chosen as long as nothing is left out."""
_KINDS = (UNITS, RATINGS_LONG, RATINGS_WIDE, NORMALIZATIONS_LONG, NORMALIZATIONS_WIDE)
_PLACEHOLDER = re.compile(r"…|\bNAMES?\b")
"""What stands for something that people have to fill in."""
OUR_COLUMNS = tuple(dict.fromkeys(name for kind in _KINDS for name in kind.columns))
"""The names that we have for columns of tables."""


class Form:
    """The fields that a browser sent; each may come several times."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in pairs:
            self._values.setdefault(name, []).append(value)

    def text(self, name: str) -> str:
        """Return a field's text without white space around it; empty if it was not sent."""
        return self._values.get(name, [""])[0].strip()

    def several(self, name: str) -> list[str]:
        """Return everything that was sent for a field."""
        return self._values.get(name, [])

    def lines(self, name: str) -> list[str]:
        """Return the lines of a field that are not empty."""
        return [line.strip() for line in self.text(name).splitlines() if line.strip()]

    def keyed(self, name: str) -> dict[str, str]:
        """Return the fields whose names begin with a name and a point, by the rest of their names."""
        before = f"{name}."
        found = {key.removeprefix(before): values[0] for key, values in self._values.items() if key.startswith(before)}
        return {key: value.strip() for key, value in found.items() if value.strip()}


def choices_in(form: Form) -> dict[str, Any]:
    """Return the parameters that differ from the usual ones."""
    found: dict[str, Any] = {name: form.text(name) for name in _TEXTS}
    if form.text("delimiter") == "" and form.several("delimiter") and form.several("delimiter")[0] in ("\t", " "):
        found["delimiter"] = form.several("delimiter")[0]
    found |= {name: form.several(name) for name in _LISTS}
    for name in _ALL:
        if form.several(f"all.{name}") and set(form.several(f"all.{name}")) <= set(found[name]):
            found[name] = []
        elif form.several(f"all.{name}") and not found[name]:
            raise OptionError("choose at least one", name)
    found["clean"] = [*found["clean"], *form.lines("replacements")]
    found["missing"] = form.lines("missing")
    found |= {name: form.keyed(name) for name in _MAPPINGS}
    found |= {name: bool(form.text(name)) for name in _FLAGS}
    found["discontinuous"] = form.text("discontinuous").replace("together", "")
    found["positions"] = form.text("positions")
    found["continuum"] = _continuum(form)
    return {name: value for name, value in found.items() if value}


def _continuum(form: Form) -> list[float] | None:
    given = form.text("continuum.start"), form.text("continuum.end")
    if not any(given):
        return None
    try:
        return [float(text) for text in given]
    except ValueError:
        raise OptionError("write two numbers, the start and the end of every document", "continuum") from None


@dataclass(frozen=True)
class Problem:
    """What is wrong, for a page.

    Attributes
    ----------
    message : str
        What is wrong, and what to do.
    where : str
        The file and its line, if it is about one.
    field : str
        The field that is to be changed; empty if that is not known.
    fixes : list of (str, str, str)
        What would fix it: the words of a button, the field, and its value.
    """

    message: str
    where: str
    field: str
    fixes: list[tuple[str, str, str]]


def problem_of(error: UnisonoError) -> Problem:
    """Describe an error by the fields of the form."""
    mentioned: list[tuple[str, Any]] = []

    def spell(parameter: str, value: Any) -> str:
        mentioned.append((parameter, value))
        return named(parameter, value)

    message = spelled_out(error.message, spell)
    field = getattr(error, "parameter", None) or next((name for name, _ in mentioned if name in LABELS), "")
    fixes = [
        (f"{LABELS[name]}: {_shown(value)}", "skip_bad" if name == "bad" else name, _written(value))
        for name, value in mentioned
        if name in LABELS and value is not None and not _PLACEHOLDER.search(_shown(value))
        if f"e.g. {named(name, value)}" not in message
    ]
    where = ""
    if isinstance(error, DataError):
        if (error.line or 0) > 1 and not fixes:  # one of several records
            fixes.append(("Skip what cannot be read", "skip_bad", _written(True)))
        places = ["" if error.path is None else str(error.path), "" if error.line is None else f"line {error.line}"]
        where = ", ".join(filter(None, places))
    return Problem(message, where, field if field in LABELS else "", list(dict.fromkeys(fixes)))


def layer_fixes(layers: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return what chooses one of several layers, as the fixes of a problem."""
    return [(f"{LABELS['layers']}: {name}", "layers", _written([name])) for name in layers]


def named(parameter: str, value: Any) -> str:
    """Write a parameter as the field of the form is called."""
    name = LABELS.get(parameter, parameter)
    return f"“{name}”" if value is None or value == "…" else f"“{name}” {_shown(value)}"


def fixed_choices(chosen: Mapping[str, Any], name: str, written: str) -> dict[str, Any]:
    """Return the choices with a fix that an error suggested."""
    value = json.loads(written)
    if name in _LISTS and not isinstance(value, list):
        value = [value]
    if name == "columns":
        value = {**chosen.get("columns", {}), **value}
    if name not in LABELS:
        raise OptionError(f"there is no field {name!r}")
    return {**chosen, name: value}


def _shown(value: Any) -> str:
    if value is True:
        return "yes"
    if isinstance(value, dict):
        return ", ".join(f"{ours} is {theirs}" for ours, theirs in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def cleaners() -> list[str]:
    """Return the ways of cleaning that have a name."""
    return list(CLEANERS)
