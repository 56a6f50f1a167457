"""JSON records that hold the verdicts of several judges, or of both orders of a pair, as one record for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PEOPLE = "_annotations"
_ARENA_HARD = {"model", "games"}
_QUESTIONS = ("question_id", "uid")


def unfolded(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the records that a record holds: those of SummEval and Arena-Hard; any other is one."""
    people = {name: value for name, value in record.items() if name.endswith(_PEOPLE) and _are_scores(value)}
    if people and "model_id" in record:
        rest = {name: value for name, value in record.items() if name not in people}
        return [
            {**rest, "judge": f"{name.removesuffix(_PEOPLE)} {number}", **scores}
            for name, judges in people.items()
            for number, scores in enumerate(judges, start=1)
        ]
    question = next((record[name] for name in _QUESTIONS if name in record), None)
    if question is not None and set(record) >= _ARENA_HARD and isinstance(record["games"], list):
        return [*_games(record, question)]
    return [record]


def _are_scores(value: Any) -> bool:
    """Whether these are the scores of several judges, each with criteria and numbers."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(one, dict) and one and all(map(_is_number, one.values())) for one in value)


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _games(record: Mapping[str, Any], question: Any) -> list[Mapping[str, Any]]:
    """Return the two games of a pair: first the baseline is shown first, then the model; a game can be missing."""
    baseline, model = record.get("baseline") or "baseline", record["model"]
    found: list[Mapping[str, Any]] = []
    for number, game in enumerate(record["games"]):
        first, second = (model, baseline) if number % 2 else (baseline, model)
        score = game.get("score") if isinstance(game, dict) else None
        found.append(
            {
                "question_id": question,
                "judge": record.get("judge"),
                "model_a": first,
                "model_b": second,
                "winner": score,
            }
        )
    return found
