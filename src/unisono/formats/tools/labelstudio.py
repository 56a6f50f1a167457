"""Label Studio's JSON: tasks, each with the annotations of several people: spans, and labels of the whole task.

Specification: Label Studio's documentation, "Label Studio JSON format of annotated tasks" and the pages on tags;
positions as its editor writes them (``RichTextRegion``). In text, they count characters (code points); older versions
counted UTF-16 code units. If the two differ, the whole export decides: the texts that results say they cover, and
positions that only one of the two allows. In HTML, the positions are the ``globalOffsets``, which count characters
between tags, so that there is no text; in audio, seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

from unisono.data.unit_kinds import RELATIONS
from unisono.errors import mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import head_text
from unisono.formats.format import Format
from unisono.formats.json_reading import first_record, json_elements
from unisono.formats.tools.labelstudio_tasks import collect_tasks, objects
from unisono.formats.tools.labelstudio_writing import write_tasks

_OF_TASKS = {"annotations", "completions"}
_OF_WORK = {"result", "completed_by", "total_annotations", "inner_id"}


@collecting
def read(collected: Collected) -> None:
    """Read labelled spans as units, and labels of whole tasks as answers."""
    collect_tasks(collected, json_elements(collected.path))


def _sniff(head: bytes, path: Path) -> bool:
    begin = head_text(head).removeprefix("\ufeff").lstrip()
    if begin[:1] not in ("[", "{"):
        return False
    named = {key for key in _OF_TASKS | _OF_WORK if f'"{key}"' in begin}
    return _are_known(named) or _are_known(_keys(first_record(head, path)))


def _are_known(keys: Set[str]) -> bool:
    return bool(keys & _OF_TASKS and keys & _OF_WORK) or {"data", "predictions", "result"} <= keys


def _keys(task: Mapping[str, Any]) -> set[str]:
    """Return the keys of a task and of the annotations in it, which can come after a long text."""
    done = objects(task, "annotations") + objects(task, "completions") + objects(task, "predictions")
    return {*task, *(key for one in done for key in one)}


FORMAT = Format(
    name="labelstudio",
    title="Label Studio JSON",
    suffixes=(".json",),
    reads="labelled spans of text, HTML and audio as units with a category, further labels of a span under the "
    "name of their control, and the control as the layer if there are several; labels of whole tasks as answers, with "
    "the control as the question: choices, taxonomies, ratings, numbers, pairwise comparisons, rankings, dates; "
    "annotators from completed_by; a document, or an item, is a task. With "
    + mention("units", "relations")
    + ": relations between spans",
    ignores="predictions, skipped annotations, drafts, all but the latest by one person, free texts about whole tasks, "
    "regions in images and video",
    options={
        "text": "the field of data with the text; by default the one that suits the spans",
        "document": "the field of data that names the document, or the item; by default the task's id",
        "predictions": "true reads predictions, the model's version as the annotator",
        "offsets": "what positions in text count: characters or utf-16; by default what suits the text that is covered",
    },
    annotator_from=("folder", "file", "field"),
    whole=True,
    composite=(RELATIONS,),
    writes_links=(RELATIONS,),
    sniff=_sniff,
    read=read,
    write=write_tasks,
    written_by_name=True,
)
