"""The papers that define the measures, as BibTeX (`references.bib`)."""

from __future__ import annotations

import re
import unicodedata
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


def cited(key: str) -> str:
    """Write a paper for people: authors (year). Title. Where it was published, volume(number), pages."""
    found = re.findall(r"^ +(\w+) *= \{(.*?)\},?$", references()[key], re.MULTILINE | re.DOTALL)
    has = {name: _plain(text) for name, text in found}
    edition = f"Edition {has['edition']}. " if "edition" in has else ""
    where = next(has[name] for name in ("journal", "booktitle", "publisher") if name in has)
    number = f"({has['number']})" if "number" in has else ""
    volume = f" {has['volume']}{number}" if "volume" in has else ""
    pages = f", {has['pages']}" if "pages" in has else ""
    authors = has["author"].replace(" and ", "; ")
    return f"{authors} ({has['year']}). {has['title']}. {edition}{where}{volume}{pages}."


def _plain(text: str) -> str:
    """Turn BibTeX into plain text: accents, dashes, Greek letters and the ampersand."""
    text = re.sub(r"\{\\(\W)(\w)\}", lambda found: found[2] + _ACCENTS[found[1]], text)
    for written, plain in _WRITTEN.items():
        text = text.replace(written, plain)
    return unicodedata.normalize("NFC", " ".join(text.split()))


_ACCENTS = {'"': "\u0308", "'": "\u0301"}
_WRITTEN = {"{\\ae}": "æ", "$\\gamma$": "γ", "$\\gamma_{cat}$": "γ_cat", "--": "–", "\\&": "&", "{": "", "}": ""}


def bibliography(papers: Iterable[str]) -> str:
    """Return the BibTeX entries of some papers, in their order and each once, and that of this program."""
    entries = references()
    return "\n\n".join(entries[key] for key in dict.fromkeys([*papers, _PROGRAM])) + "\n"
