"""Which columns of a table are verdicts on the outputs of systems, as evaluations of language models write them.

Known are the tables of MT-Bench and Chatbot Arena (``question_id, model_a, model_b, winner, judge, turn``; each
comparison in both orders: ``g1_winner, g2_winner``; one column per outcome: ``winner_model_a``), AlpacaEval
(``instruction, generator_1, generator_2, annotator, preference``), scores such as those of SummEval (``id, model_id,
coherence, …``), and others with such names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unisono.formats.contents import distinct_cells, given, shared_kind
from unisono.formats.recognition import RawColumns, simple_name

_LETTERS = {"a": ("a", "1", "left"), "b": ("b", "2", "right")}
_SYSTEMS = ("system", "model", "generator", "assistant", "candidate", "response_model", "output_model")
_TEXTS = ("output", "response", "answer", "conversation", "completion", "text", "messages", "summary")
_LENGTHS = ("length", "len", "n_tokens", "tokens", "n_words", "words", "n_characters", "characters")


def _sided(names: Sequence[str], side: str) -> tuple[str, ...]:
    """Return the names of columns about one of two outputs: model_a, a_model."""
    return tuple(found for name in names for mark in _LETTERS[side] for found in (f"{name}_{mark}", f"{mark}_{name}"))


_NAMES: dict[str, tuple[str, ...]] = {
    what: tuple(names.split())
    for what, names in {
        "item": "item item_id question_id prompt_id instance_id instruction_id example_id sample_id task_id segment_id "
        "seg_id document_id doc_id uid id instruction question prompt input document doc source_text",
        "judge": "judge judge_id judge_name judge_model judged_by annotator annotator_id annotator_name "
        "annotator_index rater rater_id evaluator evaluator_id user user_id worker worker_id assessor labeler coder "
        "who",
        "system": "system system_id system_name model model_id model_name generator generator_id",
        "winner": "winner preference preferred verdict choice vote decision outcome label judgment judgement result",
        "score": "score rating grade points",
        "turn": "turn",
        "text": "output response answer completion decoded summary generation",
        "length": "length output_length n_tokens n_words n_characters",
    }.items()
} | {
    f"{what}_{side}": _sided(names, side)
    for side in ("a", "b")
    for what, names in {"system": _SYSTEMS, "text": _TEXTS, "length": _LENGTHS}.items()
}
_GAMES = ("g_1_winner", "g_2_winner")
_OUTCOMES = {"winner_model_a": 1.0, "winner_model_b": 0.0, "winner_tie": 0.5, "winner_tie_bothbad": 0.5}
"""One column for each outcome."""
_NO_SCORES = "turn tstamp timestamp time date seed epoch cost latency price duration index nr number rank".split()  # noqa: SIM905
ROLES = tuple(_NAMES)
"""What a user can say that a column is."""


@dataclass(frozen=True)
class VerdictRoles:
    """The places of the columns.

    Attributes
    ----------
    one : dict
        What a single column is: item, judge, turn, system_a, system_b or system, and texts and lengths.
    winners : tuple of int
        The column with the winner; or two, of the same comparison in both orders.
    outcomes : dict
        Columns of which one is 1, and what that means, if there is no winner.
    scores : tuple of int
        The columns of scores, if outputs are scored one by one.
    """

    one: Mapping[str, int]
    winners: tuple[int, ...] = ()
    outcomes: Mapping[int, float] | None = None
    scores: tuple[int, ...] = ()

    @property
    def used(self) -> set[int]:
        """The places of all columns that are read."""
        return {*self.one.values(), *self.winners, *(self.outcomes or {}), *self.scores}


def verdict_roles(columns: RawColumns, asked: Mapping[str, int], *, sure: bool = False) -> VerdictRoles | None:
    """Find the columns by their names, or as a user says; None if the table does not hold verdicts.

    Scores of one system can be labels of items; `sure` says that they are verdicts.
    """
    known = {place: simple_name(name) for place, name in enumerate(columns.names) if place not in asked.values()}
    one = {**_found(known), **asked}
    if "item" not in asked and (item := _item(columns, known)) is not None:
        one["item"] = item
    if "item" not in one:
        return None
    if "system_a" in one and "system_b" in one:
        return _of_pairs(one, known)
    if "system" in one and "judge" in one:
        return _of_scores(columns, one, known, sure)
    return None


def criterion_of(name: str) -> str:
    """Return what the only column of scores is about, by its name; empty if that just says that these are scores."""
    return "" if simple_name(name) in _NAMES["score"] else name.strip()


def are_pairs(names: Sequence[str]) -> bool:
    """Whether a table has columns of two systems, by their names."""
    known = set(map(simple_name, names))
    return all(not known.isdisjoint(_NAMES[side]) for side in ("system_a", "system_b"))


def _of_pairs(one: dict[str, int], known: Mapping[int, str]) -> VerdictRoles | None:
    kept = {name: place for name, place in one.items() if name not in ("system", "score", "text", "length", "winner")}
    games = tuple(place for name in _GAMES for place, own in known.items() if own == name)
    if len(games) == len(_GAMES):
        return VerdictRoles(kept, winners=games)
    outcomes = {place: _OUTCOMES[name] for place, name in known.items() if name in _OUTCOMES}
    if {1.0, 0.0} <= set(outcomes.values()):
        return VerdictRoles(kept, outcomes=outcomes)
    if "winner" not in one:
        return None
    return VerdictRoles(kept, winners=(one["winner"],))


def _of_scores(columns: RawColumns, one: dict[str, int], known: Mapping[int, str], sure: bool) -> VerdictRoles | None:
    """Find scores; unless it is sure that there are any, somebody must score the outputs of several systems."""
    kept: dict[str, int] = {
        name: one[name] for name in ("item", "judge", "system", "turn", "text", "length") if name in one
    }
    scores = (one["score"],) if "score" in one else _numbers(columns, known, set(kept.values()))
    if not scores:
        return None
    by = [columns.cells[kept[name]] for name in ("item", "judge", "turn") if name in kept]
    places = list(zip(*(map(str, cells) for cells in by), strict=True))
    outputs = set(zip(places, map(str, columns.cells[kept["system"]]), strict=True))
    several = len(set(places)) < len(places) and len(outputs) == len(places)
    return VerdictRoles(kept, scores=scores) if several or sure else None


def _numbers(columns: RawColumns, known: Mapping[int, str], used: set[int]) -> tuple[int, ...]:
    return tuple(
        place
        for place, name in known.items()
        if place not in used and name not in _NO_SCORES and shared_kind(columns.cells[place]) is float
    )


def _found(known: Mapping[int, str]) -> dict[str, int]:
    """Find columns by name; the names that are listed first are preferred."""
    places: dict[str, int] = {}
    for place, name in known.items():
        places.setdefault(name, place)
    found = {}
    for what, names in _NAMES.items():
        for name in names:
            if name in places:
                found[what] = places[name]
                break
    return found


def _item(columns: RawColumns, known: Mapping[int, str]) -> int | None:
    """Find what was judged: the first column whose values recur, since rows may be numbered, too."""
    likely = [place for name in _NAMES["item"] for place, own in known.items() if own == name]
    recurring = (
        place for place in likely if len(distinct_cells(columns.cells[place])) < len(given(columns.cells[place]))
    )
    return next(recurring, likely[0] if likely else None)
