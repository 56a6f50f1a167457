"""Projects as INCEpTION and WebAnno export them.

A project has a file exportedproject….json, and in the folder annotation a folder per document. In it, each annotator
has a packed folder with XMI (which WebAnno numbers), or a file in another format. The folder curation has the same
form, with CURATION_USER in place of annotators; source and others are nobody's work. INITIAL_CAS is the document before
anybody worked on it.
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


CURATION = {
    "curation": "true reads the curated documents of an exported project, as an annotator named CURATION_USER; by "
    "default they are only counted"
}
"""The option that makes curations count, and what it means."""

INCEPTION_PROJECT = ProjectLayout(
    _is_project,
    patterns=("annotation/{document}/*/{annotator}.xmi", "annotation/{document}/{annotator}{suffix}"),
    further={"curation": ("CURATION_USER", ("curation/{document}/*/*.xmi", "curation/{document}/*{suffix}"))},
    nobody=("INITIAL_CAS",),
)
