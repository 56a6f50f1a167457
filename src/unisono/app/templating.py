"""The app's templates, style sheet and scripts, which lie in assets/."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import jinja2

from unisono.data.left_out import counted
from unisono.errors import plural, spelled_out
from unisono.reporting.markup import shortened, valid_text
from unisono.reporting.templates import asset, shared_style
from unisono.version import __version__

MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
SCREENS = (("", "Data"), ("measure", "Measure"), ("decide", "Decide"), ("give", "Give back"))
"""The screens of opened data: the end of their address, and their name."""
_OF_REPORTS = {"arc.js": ("ARC", "svgElement", "drawArc")}
"""Scripts that the report has too, and what others may import of them."""


def page(template: str, **values: Any) -> str:
    """Fill in a template; text is escaped."""
    return _templates().get_template(f"{template}.html").render(version=__version__, steps=SCREENS, **values)


def static(name: str) -> tuple[bytes, str] | None:
    """Return a style sheet or a script and its type; None if there is none with this name."""
    suffix = name[name.rfind(".") :]
    if suffix not in MEDIA_TYPES or not name.replace("-", "").replace(".", "").isalnum():
        return None
    if name in _OF_REPORTS:
        return f"{asset(name)}\nexport {{ {', '.join(_OF_REPORTS[name])} }};\n".encode(), MEDIA_TYPES[suffix]
    place = files("unisono.app").joinpath("assets", name)
    if not place.is_file():
        return None
    text = place.read_text(encoding="utf-8")
    if name == "app.css":
        text = f"{shared_style()}\n{bar_style()}\n{text}"
    return text.encode(), MEDIA_TYPES[suffix]


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_source),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: valid_text(value) if type(value) is str else value,
    )
    environment.filters["shortened"] = shortened
    environment.filters["whole_url"] = lambda name: quote(name, safe="", errors="replace")
    environment.filters["things"] = plural
    environment.filters["counted"] = "{:,}".format
    environment.filters["of_which"] = counted
    environment.filters["plainly"] = lambda text: spelled_out(text, spelled_plainly)
    environment.filters["stem"] = lambda name: name.partition(".")[0] or name
    environment.filters["zip"] = zip
    return environment


@cache
def bar_style() -> str:
    """Return the style of the bar at the top."""
    return _source("bar.css")


def spelled_plainly(parameter: str, value: Any) -> str:
    """Write a parameter that a sentence mentions, for people who do not program."""
    return f"“{parameter}”" if value is None else f"“{parameter}” ({value})"


def _source(name: str) -> str:
    return files("unisono.app").joinpath("assets", name).read_text(encoding="utf-8")
