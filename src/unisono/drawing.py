"""How things draw themselves in notebooks and figures, without knowing who draws them.

`reporting.drawings` registers a function for each class that can be drawn; the package says where to find it when
something is drawn for the first time. So data, alignments and results import nothing above them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_html: dict[type, Callable[[Any], str]] = {}
_figures: dict[type, Callable[..., Any]] = {}
_load: Callable[[], object] = object


def provide(load: Callable[[], object]) -> None:
    """Say how to load the module that registers the drawings."""
    global _load
    _load = load


def register(html: Mapping[type, Callable[[Any], str]], figures: Mapping[type, Callable[..., Any]]) -> None:
    """Register functions that draw things of a class and of its subclasses.

    Parameters
    ----------
    html : mapping
        Class to a function that gives HTML for notebooks.
    figures : mapping
        Class to a function that gives a matplotlib figure.
    """
    _html.update(html)
    _figures.update(figures)


class Drawn:
    """Something that draws itself in notebooks."""

    def _repr_html_(self) -> str:
        return str(_drawer(_html, type(self))(self))


def figure_of(thing: object, *args: Any, **options: Any) -> Any:
    """Draw a figure of something with matplotlib."""
    return _drawer(_figures, type(thing))(thing, *args, **options)


def _drawer(drawers: Mapping[type, Callable[..., Any]], kind: type) -> Callable[..., Any]:
    _load()
    return next(drawers[one] for one in kind.__mro__ if one in drawers)
