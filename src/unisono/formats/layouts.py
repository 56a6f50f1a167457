"""Projects as annotation tools export them: where annotators and documents stand in them."""

from __future__ import annotations

from pathlib import Path

from unisono.errors import DataError
from unisono.formats.patterns import Pattern, parse_pattern

NOBODY = ("INITIAL_CAS",)
"""Versions that the tool keeps for itself: the document before anybody worked on it."""

_INCEPTION = ("annotation/{document}/*/{annotator}.xmi", "annotation/{document}/{annotator}{suffix}")
BRAT = "{annotator}/{document}.ann"
BRAT_MARK = f"# unisono reads this folder as {BRAT}"
"""The first line of annotation.conf in a folder that was written for brat."""

_DEEPEST = 10
_CATMA = "collections/*/annotations/*.json"


def project_layout(folder: Path) -> tuple[Pattern, ...]:
    """Say where annotator and document stand if a folder is a project of INCEpTION, WebAnno or CATMA.

    A project of INCEpTION or WebAnno has a file exportedproject….json, and a folder for each document in the folder
    annotation. In it, each annotator has a packed folder with XMI (which WebAnno numbers), or a file in another format.
    The folders curation, source and others are not the annotators' work. A project of CATMA has the folders
    collections, documents and tagsets; its files name their authors.
    """
    top = _top(folder)
    if any(top.glob("exportedproject*.json")):
        if not (top / "annotation").is_dir():
            raise DataError(
                "the project was exported in a form that only the tool itself reads; export it again, with UIMA CAS "
                "XMI as the secondary format",
                path=folder,
            )
        return tuple(map(parse_pattern, _INCEPTION))
    if all((top / name).is_dir() for name in ("collections", "documents", "tagsets")):
        return (parse_pattern(_CATMA),)
    return ()


def is_written_for_brat(folder: Path) -> bool:
    """Tell whether the folder's configuration says it."""
    try:
        with (folder / "annotation.conf").open(encoding="utf-8", errors="replace") as lines:
            return lines.readline(len(BRAT_MARK) + 1).rstrip() == BRAT_MARK
    except OSError:
        return False


def _top(folder: Path) -> Path:
    """Go down while there is nothing but one folder, as in archives of a folder."""
    for _ in range(_DEEPEST):
        entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
        if len(entries) != 1 or not entries[0].is_dir():
            break
        folder = entries[0]
    return folder
