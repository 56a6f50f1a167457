"""Projects as annotation tools export them: where annotators and documents stand in them."""

from __future__ import annotations

from pathlib import Path

from unisono.formats.patterns import Pattern, parse_pattern

NOBODY = ("INITIAL_CAS",)
"""Versions that the tool keeps for itself: the document before anybody worked on it."""

_INCEPTION = "annotation/{document}/{annotator}/*"
_CATMA = "collections/*/annotations/*.json"


def project_layout(folder: Path) -> Pattern | None:
    """Say where annotator and document stand if a folder is a project of INCEpTION, WebAnno or CATMA; else None.

    A project of INCEpTION or WebAnno has a file exportedproject….json, and a folder for each document in the folder
    annotation, with a packed folder for each annotator; the folders curation, source and others are not the annotators'
    work. A project of CATMA has the folders collections, documents and tagsets; its files name their authors.
    """
    if any(folder.glob("exportedproject*.json")) and (folder / "annotation").is_dir():
        return parse_pattern(_INCEPTION)
    if all((folder / name).is_dir() for name in ("collections", "documents", "tagsets")):
        return parse_pattern(_CATMA)
    return None
