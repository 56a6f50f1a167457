"""Who decides: the file to which decisions are added, and those of others."""

from __future__ import annotations

import os
from pathlib import Path

from unisono.adjudication.decision_files import beside, read_decisions
from unisono.app.opened import Opened
from unisono.app.reading_form import Form
from unisono.data import Data, Ratings
from unisono.errors import DataError, OptionError
from unisono.formats.folders import DECISIONS
from unisono.output import lies_in


def files_of_others(opened: Opened) -> list[tuple[str, bool]]:
    """Return the files of decisions about the data, and those elsewhere that are used, each with whether it is."""
    own = opened.decisions
    there = sorted(own.parent.glob(f"*.{DECISIONS}")) if own.parent.is_dir() else []
    paths = dict.fromkeys([*opened.entry.others, *(str(one) for one in there if one.name.startswith(_stem(opened)))])
    return [(path, path in opened.entry.others) for path in paths]


def person_of(opened: Opened) -> str:
    """Return whose decisions are kept, as far as the name of their file says it."""
    name = opened.decisions.name
    return name.removeprefix(_stem(opened)).removesuffix(DECISIONS).strip(".") if name.endswith(DECISIONS) else ""


def people_in(form: Form, opened: Opened) -> tuple[Path, list[Path]]:
    """Return the file of one's own decisions, and those of others, as a form says."""
    name = form.text("own")
    if not name:
        raise OptionError("write a name for the file of your decisions", "decisions")
    folder = opened.decisions.parent
    own = folder / (name if name.endswith(".jsonl") else f"{_stem(opened)}{name}.{DECISIONS}")
    if own.parent != folder or not lies_in(own, folder):
        raise OptionError(f"choose a name without a folder; the file is in {folder}", "decisions")
    if not own.name.endswith(f".{DECISIONS}"):
        raise OptionError(
            f"choose a name that ends with .{DECISIONS}, so that it is not taken for annotations", "decisions"
        )
    others = [Path(os.path.expanduser(one.strip("\"'"))) for one in (*form.several("others"), *form.lines("paths"))]
    for path in others:
        if not path.is_absolute():
            raise DataError(f"{path}: write the whole path, such as {folder / path.name}")
        found = read_decisions(path)  # says what is wrong with it
        if found.broken and not found.standing:
            raise DataError("this is not a file of decisions; choose another", path=path)
    if own.exists():
        read_decisions(own)
    return own, [path for path in dict.fromkeys(others) if path != own]


def _stem(opened: Opened) -> str:
    """Return how the names of files of decisions about the data begin."""
    return beside(opened.paths[0]).name.removesuffix(DECISIONS)


def suffix_of(data: Data) -> str:
    """Return how the name of a file with all of the data ends."""
    return "csv" if isinstance(data, Ratings) else "jsonl"
