"""Addresses within a report: the places behind a number, as the part of an address after the page's name.

`#at/DOCUMENT/NUMBER` is a place, `#in/DOCUMENT` a document, `#places?…` a choice of places. A choice may follow a place
too: `#at/ferry/8?label=TIME`. `assets/choices.js` reads them; it knows the same keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote


def document_address(name: str, **chosen: str | Sequence[str]) -> str:
    """Return the address of a document's places, or of those that satisfy conditions: see `choice_address`."""
    return f"#in/{_quoted(name)}{_conditions(chosen)}"


def place_address(document: str, number: int) -> str:
    """Return the address of a place."""
    return f"#at/{_quoted(document)}/{number}"


def choice_address(**chosen: str | Sequence[str]) -> str:
    """Return the address of the places that satisfy conditions.

    Parameters
    ----------
    **chosen : str or sequence of str
        `document`, `label`, `kind` (what differs), `without` (an annotator who has no unit there), `alone` (one who
        differs from all others), `pair` (two annotators who differ), `row` and `column` (labels that meet), `none`
        ("unit" or "label": what meets the row instead of a label), `feature` (whose labels these are), `all` (also
        where all agree).
    """
    return f"#places{_conditions(chosen)}"


def _conditions(chosen: Mapping[str, str | Sequence[str]]) -> str:
    pairs = [
        f"{name}={_quoted(value)}"
        for name, values in chosen.items()
        for value in ([values] if isinstance(values, str) else values)
    ]
    return f"?{'&'.join(pairs)}" if pairs else ""


def _quoted(text: str) -> str:
    return quote(text, safe="", errors="replace")
