"""Where paths name annotator and document: patterns such as ``{annotator}/{document}.xml``.

In studies, a path may also say which guidelines were followed, and which group the annotator belongs to.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from unisono.errors import OptionError, mention

_PARTS = {
    "{annotator}": "(?P<annotator>[^/]+?)",  # as short as possible, so anna_text_1 is anna's text_1
    "{document}": "(?P<document>[^/]+)",
    "{guideline}": "(?P<guideline>[^/]+)",
    "{group}": "(?P<group>[^/]+)",
    "{suffix}": r"\.[^./]+",
    "*": "[^/]*",
}
_PART = re.compile(r"(\{[^{}]*\}|\*)")
GZIP = ".gz"


@dataclass(frozen=True, slots=True)
class PathNames:
    """The names in a path; None where it has none."""

    annotator: str | None = None
    document: str | None = None
    guideline: str | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as it was written, and what it means."""

    text: str
    meaning: re.Pattern[str]

    def names(self, path: str) -> PathNames | None:
        """Match the end of a path, written with slashes; None if it does not match. text1.xml.gz is text1.xml."""
        match = self.meaning.fullmatch(unzipped_name(path)) or self.meaning.fullmatch(path)
        return None if match is None else PathNames(**match.groupdict())

    @property
    def names_annotators(self) -> bool:
        """Whether it has a place for the annotator."""
        return "annotator" in self.meaning.groupindex


def unzipped_name(name: str) -> str:
    """Return a name, or a path, as it is when the file is unpacked with gzip: text1.xml for text1.xml.gz."""
    return name[: -len(GZIP)] if name.lower().endswith(GZIP) else name


def parse_pattern(text: str) -> Pattern:
    """Parse a pattern: ``{annotator}``, ``{document}``, ``*`` for anything within a name, and what is between them."""
    parts = _PART.split(text.strip().replace(os.sep, "/").lstrip("/"))
    unknown = [part for part in parts if part.startswith("{") and part not in _PARTS]
    if unknown or parts == [""]:
        wrong = f"{unknown[0]} is unknown" if unknown else "it is empty"
        example = mention("pattern", "{annotator}/{document}.xml")
        raise OptionError(f"{text!r} cannot be used: {wrong}; write e.g. {example}, with * for the rest", "pattern")
    for part in ("{annotator}", "{document}", "{guideline}", "{group}"):
        if parts.count(part) > 1:
            raise OptionError(f"{part} is twice in {text!r}; write * for one of them", "pattern")
    meaning = "".join(_PARTS.get(part) or re.escape(part) for part in parts)
    return Pattern(text, re.compile(f"(?:.*/)?{meaning}", re.DOTALL))
