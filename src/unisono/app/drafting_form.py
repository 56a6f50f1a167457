"""How the gold standard is drafted, as fields, and back to parameters of `gold`."""

from __future__ import annotations

from typing import Any

from unisono.app.reading_form import Form
from unisono.errors import OptionError
from unisono.measurement.registry import parse_measure

_NUMBERS = ("support", "majority", "boundary", "sure", "ask_above")
_TEXTS = ("measure", "competence", "scale")


def drafting_in(form: Form) -> dict[str, Any]:
    """Return the parameters that differ from the usual ones."""
    found: dict[str, Any] = {}
    for name in _NUMBERS:
        text = form.text(name)
        if text:
            try:
                found[name] = float(text)
            except ValueError:
                raise OptionError(f"write a number, not {text!r}", name) from None
    found |= {name: form.text(name) for name in _TEXTS if form.text(name)}
    if "measure" in found:
        chosen = parse_measure(found["measure"], "measure")
        for one in chosen.declaration.parameters:
            if one.name in chosen.given:
                one.written(chosen.given[one.name], chosen.declaration.name)
    return found
