"""Projects as annotation tools export them: where annotators and documents stand in them."""

from __future__ import annotations

from pathlib import Path

from unisono.errors import DataError
from unisono.formats.patterns import Pattern, parse_pattern

NOBODY = ("INITIAL_CAS",)
"""Versions that the tool keeps for itself: the document before anybody worked on it."""

_INCEPTION = ("annotation/{document}/*/{annotator}.xmi", "annotation/{document}/{annotator}.*")
_CATMA = "collections/*/annotations/*.json"


def project_layout(folder: Path) -> Pattern | None:
    """Say where annotator and document stand if a folder is a project of INCEpTION, WebAnno or CATMA; else None.

    A project of INCEpTION or WebAnno has a file exportedproject….json, and a folder for each document in the folder
    annotation. In it, each annotator has a packed folder with XMI (which WebAnno numbers), or a file in another format.
    The folders curation, source and others are not the annotators' work. A project of CATMA has the folders
    collections, documents and tagsets; its files name their authors.
    """
    if any(folder.glob("exportedproject*.json")):
        if not (folder / "annotation").is_dir():
            raise DataError(
                "the project was exported in a form that only the tool itself reads; export it again, with UIMA CAS "
                "XMI as the secondary format",
                path=folder,
            )
        packed = next((folder / "annotation").glob("*/*/*.xmi"), None)
        return parse_pattern(_INCEPTION[0 if packed is not None else 1])
    if all((folder / name).is_dir() for name in ("collections", "documents", "tagsets")):
        return parse_pattern(_CATMA)
    return None
