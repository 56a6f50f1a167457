"""Checks as Markdown, for the summary of a pull request."""

from __future__ import annotations

import re

from unisono.gates.checking import Checked
from unisono.gates.gate import DIGITS
from unisono.results.shown import column_digits, fixed

_SIGNS = {"passed": "✅ passed", "FAILED": "❌ failed", "ERROR": "⚠️ error"}


def as_markdown(found: Checked) -> str:
    """Return a heading, a table, and a sentence on each check that did not pass."""
    columns = ("check", "verdict", "condition", "value", "from", "to")
    *_, digits = column_digits(columns, found.rows(), DIGITS)
    rows = [
        [_plain(name), _SIGNS[verdict], condition, *("" if one is None else fixed(one, digits) for one in numbers)]
        for name, verdict, condition, *numbers in found.rows()
    ]
    table = [[*columns], ["---"] * 3 + ["---:"] * 3, *rows]
    lines = [f"| {' | '.join(row)} |" for row in table]
    said = [f"- {_plain(one.sentence)}." for one in found if one.status != "passed"]
    said += [f"- Note: {_plain(note)}." for note in found.notes]
    parts = ["## Agreement", found.summary, "\n".join(lines), *(["\n".join(said)] if said else [])]
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    """Escape what Markdown and HTML would take for markup."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", " ".join(text.split())).replace("&", "&amp;")
