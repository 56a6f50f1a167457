"""How the site shows docstrings: an extension of griffe, which reads them."""

from __future__ import annotations

import inspect
import re
from typing import Any

import griffe

_NAMED = re.compile(r"(?<=^See Also\n--------\n)(.+)$", flags=re.M)


_OF_TYPES = {inspect.getdoc(one) for one in (str, int, float, bool, tuple, list, dict, frozenset, type(None))}


class Docstrings(griffe.Extension):
    """Names under See Also become links; values are not described by the documentation of their type."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object."""
        if obj.docstring is None:
            return
        if obj.is_attribute and inspect.cleandoc(obj.docstring.value) in _OF_TYPES:
            obj.docstring = None
        else:
            obj.docstring.value = _NAMED.sub(_linked, obj.docstring.value)


def _linked(found: re.Match[str]) -> str:
    return ", ".join(f"[`{name}`][{_home(name)}.{name}]" for name in found[1].split(", "))


def _home(name: str) -> str:
    """Return the package that has a name; packages of their own come before unisono."""
    from unisono import shuffling, studies

    own = [one.__name__ for one in (shuffling, studies) if name in one.__all__]
    return own[0] if own else "unisono"
