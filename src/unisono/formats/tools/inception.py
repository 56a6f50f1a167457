"""Projects as INCEpTION and WebAnno export them.

A project has a file exportedproject….json, and in the folder annotation a folder per document. In it, each annotator
has a packed folder with XMI (which WebAnno numbers), or a file in another format. The folders curation, source and
others are not the annotators' work. INITIAL_CAS is the document before anybody worked on it.
"""

from __future__ import annotations

from pathlib import Path

from unisono.errors import DataError
from unisono.formats.format import ProjectLayout


def _is_project(folder: Path) -> bool:
    if not any(folder.glob("exportedproject*.json")):
        return False
    if not (folder / "annotation").is_dir():
        raise DataError(
            "the project was exported in a form that only the tool itself reads; export it again, with UIMA CAS XMI as "
            "the secondary format",
            path=folder,
        )
    return True


INCEPTION_PROJECT = ProjectLayout(
    _is_project,
    patterns=("annotation/{document}/*/{annotator}.xmi", "annotation/{document}/{annotator}{suffix}"),
    nobody=("INITIAL_CAS",),
)
