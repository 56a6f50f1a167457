"""What docstrings name under "See Also" as links: an extension of griffe, which reads docstrings for the site."""

from __future__ import annotations

import re
from typing import Any

import griffe

_NAMED = re.compile(r"(?<=^See Also\n--------\n)(.+)$", flags=re.M)


class SeeAlso(griffe.Extension):
    """Turns `gamma, Alignment` into links to the public names."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of a public object; names of a package of its own come before those of unisono."""
        if obj.docstring and "See Also\n--------" in obj.docstring.value:
            obj.docstring.value = _NAMED.sub(self._linked, obj.docstring.value)

    def _linked(self, found: re.Match[str]) -> str:
        return ", ".join(f"[`{name}`][{_home(name)}.{name}]" for name in found[1].split(", "))


def _home(name: str) -> str:
    from unisono import shuffling, studies

    own = [one.__name__ for one in (shuffling, studies) if name in one.__all__]
    return own[0] if own else "unisono"
