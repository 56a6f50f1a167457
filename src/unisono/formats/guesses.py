"""What is detected about files before they are read: formats, and how tables are written; for people to correct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unisono.errors import DataError
from unisono.formats.archives import unpacked
from unisono.formats.arguments import check_paths
from unisono.formats.delimited import delimited_records, find_delimiter
from unisono.formats.encodings import found_encoding
from unisono.formats.finding import AnnotationFile, find_annotations
from unisono.formats.format import Format, Instructions
from unisono.formats.kinds import ANY_KIND
from unisono.formats.reading import instructions_of, path_pattern
from unisono.formats.registry import by_name
from unisono.formats.text_tables import begins_with_unit, has_known_header
from unisono.output import PathLike

_MOST_COLUMNS = 500
_USUAL: dict[str, Any] = {
    **dict.fromkeys(("columns", "delimiter", "encoding", "decimal", "sheet", "options", "annotator_from", "units")),
    "discontinuous": "together",
}
"""What `read` takes if nobody says otherwise."""


@dataclass(frozen=True)
class Guesses:
    """What is detected.

    Attributes
    ----------
    formats : dict of str to int
        Formats, and how many files have each.
    pattern : str
        What is assumed about paths; empty if nothing is.
    delimiter, encoding : str
        How the first table of text is written; empty if there is none.
    columns, sheets : tuple of str
        The names of its columns, or the sheets of the first spreadsheet.
    """

    formats: Mapping[str, int] = field(default_factory=dict)
    pattern: str = ""
    delimiter: str = ""
    encoding: str = ""
    columns: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()

    @property
    def known(self) -> list[Format]:
        """The formats themselves, the most frequent first."""
        return [by_name(name) for name in sorted(self.formats, key=lambda name: -self.formats[name])]

    @property
    def settings(self) -> frozenset[str]:
        """Which settings of tables apply to some of the files."""
        return frozenset(setting for one in self.known for setting in one.settings)

    @property
    def is_table(self) -> bool:
        """Whether some of the files are tables."""
        return any(one.read_table is not None for one in self.known)

    @property
    def options(self) -> dict[str, str]:
        """The options of the formats, and what they mean."""
        return {name: meaning for one in self.known for name, meaning in one.options.items()}

    @property
    def annotator_from(self) -> list[str]:
        """Where annotators' names can be."""
        return list(dict.fromkeys(place for one in self.known for place in one.annotator_from))


def guessed(
    paths: PathLike | Iterable[PathLike],
    *,
    format: str | None = None,  # noqa: A002
    pattern: str | None = None,
    **given: Any,
) -> Guesses:
    """Detect what `read` would; for the parameters, see there. What cannot be detected stays empty.

    Parameters
    ----------
    paths : path or iterable of paths
        The files, folders or archives.
    """
    asked = instructions_of(**{name: given.get(name, usual) for name, usual in _USUAL.items()})
    skipped: list[DataError] = []
    chosen = None if format is None else by_name(format)
    with unpacked(check_paths(paths, "paths"), skipped.append) as content:
        where = path_pattern(pattern, asked.annotator_from)
        found = find_annotations(content, chosen, where, asked, skipped.append)
        return Guesses(
            dict(Counter(file.format.name for file in found.files)),
            "" if found.assumed is None else found.assumed.text,
            **_table(found.files, asked),
        )


def _table(files: Sequence[AnnotationFile], asked: Instructions) -> dict[str, Any]:
    """Describe the first table."""
    for file in files:
        try:
            if "delimiter" in file.format.settings:
                return _of_text(file.path, asked)
            if "sheet" in file.format.settings:
                return {"sheets": _sheets(file.path)}
        except (DataError, OSError):
            continue  # reading says what is wrong with it
    return {}


def _of_text(path: Path, asked: Instructions) -> dict[str, Any]:
    def fits(first: Sequence[str]) -> bool:
        return has_known_header(first, asked, ANY_KIND) or begins_with_unit(first, asked, ANY_KIND)

    codec, _ = found_encoding(path, asked.encoding)
    delimiter = find_delimiter(path, asked.delimiter, fits, codec)
    header = next(delimited_records(path, delimiter, codec), [])
    names = () if begins_with_unit(header, asked, ANY_KIND) else tuple(name.strip() for name in header[:_MOST_COLUMNS])
    return {"delimiter": delimiter, "encoding": codec or "utf-8", "columns": names}


def _sheets(path: Path) -> tuple[str, ...]:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        return tuple(CalamineWorkbook.from_path(str(path)).sheet_names)
    except CalamineError:
        return ()
