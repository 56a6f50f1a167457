"""Parameters of measures as fields of a form, generated from their declarations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unisono.app.reading_form import Form
from unisono.errors import OptionError, naming
from unisono.measurement.declaration import Declaration, Parameter
from unisono.measurement.readers import number, whole_number, yes_or_no
from unisono.measurement.registry import Measure, declared, parse_measure
from unisono.measurement.spec import parse_value, quoted

USUAL_SEED = 42


@dataclass(frozen=True)
class ParameterField:
    """A field of the form.

    Attributes
    ----------
    name, description : str
        The parameter, and what it means.
    kind : str
        number, choice or text.
    value : str
        What is in the field.
    usual : str
        What counts if it is left empty.
    choices : tuple of str
        What one can choose.
    """

    name: str
    description: str
    kind: str
    value: str
    usual: str
    choices: tuple[str, ...] = ()


def fields_of(declaration: Declaration, given: Mapping[str, Any]) -> list[ParameterField]:
    """Return the fields for the parameters of a measure; some may have been given."""
    return [_field(one, given.get(one.name)) for one in declaration.parameters]


def _field(one: Parameter, given: Any) -> ParameterField:
    usual = "" if one.default is None else quoted(one.default)
    value = "" if given is None else quoted(given)
    choices = getattr(one.read, "keywords", {}).get("choices", ())
    if one.read is yes_or_no:
        choices = ("true", "false")
        usual = usual.lower()
    if choices:
        return ParameterField(one.name, one.description, "choice", value, usual, tuple(choices))
    kind = "number" if one.read in (number, whole_number) else "text"
    return ParameterField(one.name, one.description, kind, value, usual)


def measure_in(form: Form) -> Measure:
    """Make the measure that a form asks for; an OptionError names the field that is wrong."""
    declaration = declared(form.text("measure"))
    given = {}
    for one in declaration.parameters:
        text = form.text(f"p.{one.name}")
        if not text:
            continue
        with naming(one.name):
            given[one.name] = parse_value(text, one.name, quoted(one.default) if one.default is not None else "x")
        one.written(given[one.name], declaration.name)
    return parse_measure(str(Measure(declaration, given)))


def seed_in(form: Form) -> int:
    """Return the seed of the random numbers."""
    text = form.text("seed") or str(USUAL_SEED)
    if not text.isdecimal():
        raise OptionError("write a whole number, not below 0", "seed")
    return int(text)
