"""The papers that define the measures, as BibTeX (`references.bib`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from unisono.version import __version__

_PROGRAM = "unisono"


@cache
def references() -> dict[str, str]:
    """Return all BibTeX entries by their keys, which declarations list as `papers`."""
    text = files("unisono.measurement").joinpath("references.bib").read_text(encoding="utf-8")
    text = text.replace("{VERSION}", f"{{{__version__}}}")
    return {key: entry.strip() for entry in text.split("\n\n") for key in re.findall(r"^@\w+\{(\w+),", entry)}


def bibliography(papers: Iterable[str]) -> str:
    """Return the BibTeX entries of some papers, in their order and each once, and that of this program."""
    entries = references()
    return "\n\n".join(entries[key] for key in dict.fromkeys([*papers, _PROGRAM])) + "\n"
