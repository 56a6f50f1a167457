"""Which columns of a table with one row per label are what: by names that many people use, and by what is in them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unisono.data import Question
from unisono.formats.columns import Fail
from unisono.formats.contents import are_different, are_prose, are_times, distinct_cells

_KNOWN = {
    what: tuple(names.split())
    for what, names in {
        "annotators": "annotator annotator_id annotator_name annotated_by coder coder_id coder_name rater rater_id "
        "rater_name user user_id user_name username user_email worker worker_id worker_name crowdworker "
        "crowd_worker judge judge_id judged_by labeler labeller labeled_by assessor assessor_id evaluator "
        "evaluator_id reviewer reviewer_id reviewed_by expert expert_id completed_by created_by who performer "
        "participant_id prolific_id prolific_pid kodierer codierer bewerter annotatorin annotateur codeur "
        "anotador",
        "items": "item item_id item_name unit unit_id instance instance_id task task_id example example_id sample "
        "sample_id subject subject_id case case_id question_id hit_id sentence_id sent_id token_id post_id "
        "tweet_id comment_id image_id pair_id id nr no number idx index unnamed_0 document document_id doc_id "
        "docid text_id filename file_name file image url text sentence token word utterance tweet post "
        "document_text content question original input",
        "row numbers": "id nr no number idx index unnamed_0",
        "labels": "label labels tag class cat category type rating score value code answer response judgment judgement "
        "vote choice decision annotation bewertung urteil kategorie klasse etikett",
        "last words of labels": "label labels rating score judgment judgement vote annotation answer response choice",
        "not given by annotators": "gold golden correct expected true truth majority aggregated mean average",
        "documents": "document document_id doc doc_id docid doc_name",
        "metadata": "text comment comments note notes remark remarks explanation reason rationale feedback "
        "justification date time timestamp datetime date_time created created_at updated updated_at submitted "
        "submitted_at started started_at ended ended_at finished finished_at completed_at accept_time submit_time "
        "start_time end_time duration seconds work_time_in_seconds time_spent time_taken elapsed lead_time "
        "url link ip ip_address email session session_id browser user_agent kommentar kommentare bemerkung "
        "bemerkungen anmerkung anmerkungen notiz notizen begründung datum uhrzeit zeit zeitstempel dauer "
        "commentaire commentaires remarque remarques heure durée comentario comentarios nota notas fecha hora "
        "duración sentence token word utterance tweet post content original question",
        "texts": "text sentence utterance tweet post content comment question token word input",
    }.items()
}
"""Names that many people use, as `simple_name` writes them; the first items are preferred."""
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-ZÀ-Þ]?[^\W\dA-Z_]+|\d+")


@dataclass(frozen=True)
class RawColumns:
    """The columns of a table, before it is known what they are."""

    names: Sequence[str]
    cells: Sequence[Sequence[Any]]
    """By place; missing cells are None or empty."""
    fail: Fail
    questions: Mapping[str, Question]
    """What the file says about the labels in columns, by the column's name."""
    index: str | None = None
    """The column that identifies rows, if the file says so, as the files of pandas do."""

    def question(self, place: int) -> Question:
        """Return what the file says about the labels in a column."""
        return self.questions.get(self.names[place], Question())

    def places(self, names: Mapping[str, str]) -> dict[str, int] | None:
        """Find the columns that a user names (ours to theirs); None if one is not there."""
        found = {}
        for ours, theirs in names.items():
            same = [place for place, name in enumerate(self.names) if name.strip() == theirs.strip()]
            same = same or [
                place for place, name in enumerate(self.names) if name.strip().casefold() == theirs.strip().casefold()
            ]
            if len(same) != 1:
                return None
            found[ours] = same[0]
        return found


@dataclass(frozen=True)
class Roles:
    """The places of columns in a table with one row per label."""

    item: int
    annotator: int
    labels: tuple[int, ...]
    document: int | None = None
    text: int | None = None


def simple_name(name: str) -> str:
    """Write a column's name in small letters, with one underscore between words: WorkerId and worker id are one."""
    return "_".join(_PARTS.findall(name)).casefold()


def is_metadata_name(name: str) -> bool:
    """Whether a column of this name holds what is known about an item or an answer, but no labels."""
    return simple_name(name) in _KNOWN["metadata"]


def is_item_name(name: str) -> bool:
    """Whether a column of this name usually identifies items; a column without a name is an index."""
    return not name.strip() or simple_name(name) in _KNOWN["items"]


def is_usual_name(name: str) -> bool:
    """Whether columns of this name are known, whatever they hold."""
    return any(simple_name(name) in known for known in _KNOWN.values())


def is_text_name(name: str) -> bool:
    """Whether a column of this name usually has the items' texts."""
    return simple_name(name) in _KNOWN["texts"]


def long_roles(columns: RawColumns, asked: Mapping[str, int]) -> Roles | None:
    """Find item, annotator and labels by the columns' names; None unless all of them are there.

    `asked` are the places of columns that the user names. If several columns can be the item, it is the first whose
    values recur: an index of rows identifies answers, not items.
    """
    free = {place: simple_name(name) for place, name in enumerate(columns.names) if place not in asked.values()}
    annotator = asked.get("annotator", _annotator(columns, free))
    if annotator is None:
        return None
    free.pop(annotator, None)
    item = asked.get("item", _item(columns, free, annotator))
    if item is None:
        return None
    free.pop(item, None)
    labels = (asked["label"],) if "label" in asked else _labels(columns, free, item)
    if not labels or {simple_name(columns.names[place]) for place in (item, *labels)} == {"document", "category"}:
        return None  # units without positions, rather
    free = {place: name for place, name in free.items() if place not in labels}
    document = asked.get("document", next((place for place, name in free.items() if name in _KNOWN["documents"]), None))
    text = next((place for known in _KNOWN["texts"] for place, name in free.items() if name == known), None)
    return Roles(item, annotator, labels, document, item if text is None and are_prose(columns.cells[item]) else text)


def judged_columns(columns: RawColumns, places: Sequence[int], items: Sequence[Any]) -> tuple[int, ...]:
    """Return those columns in which answers about the same item can differ, and which hold labels: some recur.

    What is always the same for an item belongs to the item; times and texts are not labels.
    """
    return tuple(place for place in places if _is_judged(columns.cells[place], items))


def _is_judged(cells: Sequence[Any], items: Sequence[Any]) -> bool:
    labels = distinct_cells(cells)
    if not labels or are_times(cells) or are_prose(cells) or (len(cells) > 1 and are_different(cells)):
        return False
    seen: dict[Any, set[Any]] = defaultdict(set)
    for item, cell in zip(items, cells, strict=True):
        seen[item].update(distinct_cells([cell]))
    return any(len(own) > 1 for own in seen.values())


def _annotator(columns: RawColumns, free: Mapping[int, str]) -> int | None:
    """Find the annotator; a number and a name of the same people are one."""
    likely = [place for place, name in free.items() if name in _KNOWN["annotators"]]
    for place in likely[1:]:
        pairs = set(zip(map(str, columns.cells[likely[0]]), map(str, columns.cells[place]), strict=True))
        if not len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs}):
            return None
    return next(iter(likely), None)


def _only(places: Iterable[int]) -> int | None:
    found = list(places)
    return found[0] if len(found) == 1 else None


def _item(columns: RawColumns, free: Mapping[int, str], annotator: int) -> int | None:
    likely = [place for known in _KNOWN["items"] for place, name in free.items() if name == known]
    for place in likely:
        cells = columns.cells[place]
        pairs = set(zip(map(str, cells), map(str, columns.cells[annotator]), strict=True))
        if len(pairs) == len(cells) and not are_different(cells):
            return place
    rest = [place for place in likely if free[place] not in _KNOWN["row numbers"]]
    return next(iter([*rest, *likely]), None)


def _labels(columns: RawColumns, free: Mapping[int, str], item: int) -> tuple[int, ...]:
    for known in ("label", "labels"):
        if (place := _only(place for place, name in free.items() if name == known)) is not None:
            return (place,)
    named = [place for place, name in free.items() if is_label_name(name) and not are_times(columns.cells[place])]
    if named:
        return tuple(named)
    others = [
        place
        for place, name in free.items()
        if not (
            name in _KNOWN["metadata"]
            or name in _KNOWN["documents"]
            or set(_KNOWN["not given by annotators"]).intersection(name.split("_"))
        )
    ]
    return judged_columns(columns, others, columns.cells[item])


def is_label_name(name: str) -> bool:
    """Whether a column of this name usually holds labels."""
    name = simple_name(name)
    words = name.split("_")
    if set(_KNOWN["not given by annotators"]).intersection(words):
        return False
    return (
        name in _KNOWN["labels"]
        or words[-1] in _KNOWN["last words of labels"]
        or (words[-1].isdecimal() and words[0] in _KNOWN["last words of labels"])
    )
