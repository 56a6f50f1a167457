"""Templates, style sheets and scripts: what notebooks and pages are made of lies in assets/."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from unisono.reporting.markup import shortened, valid_text, with_subscripts
from unisono.reporting.palette import DISORDER, PAINTS, SIGNALS, SURFACE, TRACKS, page_colours


@cache
def asset(name: str) -> str:
    """Return the text of a file in assets/."""
    return files("unisono.reporting").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def style_sheet(name: str) -> str:
    """Return the rules of a style sheet, without its comments."""
    return re.sub(r"(?s)/\*.*?\*/\n", "", asset(f"{name}.css"))


@cache
def shared_style() -> str:
    """Return what the style sheets of all pages begin with: the colours, type, space and controls that they share."""
    painted = "".join(f".{name}{{fill:{colour}}}" for name, colour in PAINTS["light"].items())
    return f"{page_colours(SURFACE, SIGNALS, TRACKS, DISORDER, PAINTS)}{painted}\n{style_sheet('tokens')}"


def render(template: str, **values: Any) -> str:
    """Fill in a template; text is escaped."""
    return _environment().get_template(f"{template}.html").render(**values)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(asset),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: valid_text(value) if type(value) is str else value,
    )
    environment.filters["symbol"] = lambda text: Markup(with_subscripts(text))
    environment.filters["shortened"] = shortened
    return environment
