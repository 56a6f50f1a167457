"""JUDGE-BENCH's JSON: instances with the scores that several people gave, for one or several metrics.

Specification: ``data/README.md`` and ``data/example.json`` of dmg-illc/JUDGE-BENCH. ``annotations`` declares metrics,
each with its category (categorical, graded, continuous); each of ``instances`` has ``annotations`` by metric, with
``individual_human_scores`` and their mean or majority.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import head_text
from unisono.formats.format import Format
from unisono.formats.json_reading import as_list, as_object, given_label, joined_text, load_json, shown_json

_SCORES = "individual_human_scores"
_TOGETHER = ("majority_human", "mean_human")
_NUMBERS = ("graded", "continuous")
_PEOPLE = "people"
_DECLARED = re.compile(r'"annotations"\s*:\s*\[\s*\{[^{}]*"metric"')


@collecting
def read(collected: Collected) -> None:
    """Read the scores of each metric, which is a question; who gave the k-th score is not said."""
    content = as_object(load_json(collected.path))
    for metric in map(as_object, as_list(content.get("annotations"))):
        name, category = metric.get("metric"), metric.get("category")
        if isinstance(name, str):
            collected.question(name, "numbers" if category in _NUMBERS else "names" if category else None)
    seen: set[str] = set()
    for number, instance in enumerate(as_list(content.get("instances")), start=1):
        with collected.record():
            if not isinstance(instance, dict):
                raise DataError(f"an instance should be an object, not {shown_json(instance)}")
            item = str(instance.get("id", number))
            if item in seen:
                raise DataError(f"there are two instances {item!r}; give each an id of its own")
            seen.add(item)
            _read_instance(collected, item, instance)
    if not seen:
        raise DataError("this file has no instances; check that it is complete")


def _read_instance(collected: Collected, item: str, instance: Mapping[str, Any]) -> None:
    text, what = joined_text(instance.get("instance")), f"a score of instance {item!r}"
    for metric, given in as_object(instance.get("annotations")).items():
        given = as_object(given)
        scores = as_list(given.get(_SCORES))
        if not scores:  # only what people said together is known
            together = next((given[key] for key in _TOGETHER if given.get(key) not in (None, "")), None)
            collected.answer(metric, item, given_label(together, what), annotator=_PEOPLE, text=text)
        for number, score in enumerate(scores, start=1):
            collected.answer(metric, item, given_label(score, what), annotator=f"person {number}", text=text)


def _sniff(head: bytes, path: Path) -> bool:
    begin = head_text(head)
    return path.suffix.lower() == ".json" and '"dataset"' in begin and _DECLARED.search(begin) is not None


FORMAT = Format(
    name="judge-bench",
    title="JUDGE-BENCH",
    suffixes=(".json",),
    reads="the scores that people gave to each instance, an item that is named by its id; each metric is a question. "
    "The file does not say who gave a score: annotators are person 1, person 2 …, in the order of the scores; where "
    "only the majority or the mean is known, it is by people",
    ignores="the mean and the majority of scores that are there, prompts",
    annotator_from=(),
    sniff=_sniff,
    read=read,
)
