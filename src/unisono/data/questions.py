"""What annotators were asked about items, and what their answers are like, as far as the annotation tool says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

AnswerKind: TypeAlias = Literal["names", "ordered", "numbers", "sets", "paths", "ranks"]
"""One of several names; one of several steps of a scale; a number; any number of names at once; places in a taxonomy,
written ``animal/dog``, one or several; the rank of one of several things that were ranked together."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about items, such as a control of Label Studio or a column of a result table.

    Attributes
    ----------
    name : str
        What the tool calls it; empty if there is only one question, without a name.
    kind : str or None
        What answers are like, if the tool says so; None if only the answers themselves tell.
    order : tuple of str
        The possible answers from the lowest to the highest, if they are steps of a scale and the tool lists them.
    meanings : mapping of str to str
        What codes mean, if answers are codes: ``{"1": "never", "5": "always"}``.
    compares : str
        "pairs" or "outputs" if items are two outputs of systems of which one is better, or single ones that are scored.

    See Also
    --------
    Ratings, Export

    Examples
    --------
    >>> import unisono
    >>> question = unisono.Question("quality", order=("poor", "fair", "good"))
    >>> question.name, question.order
    ('quality', ('poor', 'fair', 'good'))
    >>> unisono.Ratings.of({"anna": ["a", "b"], "bert": ["a", "a"]}).question.kind is None
    True
    """

    name: str = ""
    kind: AnswerKind | None = None
    order: tuple[str, ...] = ()
    meanings: tuple[tuple[str, str], ...] = ()
    compares: Literal["", "pairs", "outputs"] = ""

    @classmethod
    def of(
        cls,
        name: str = "",
        kind: AnswerKind | None = None,
        order: tuple[str, ...] = (),
        meanings: Mapping[str, str] | None = None,
    ) -> Question:
        """Make a question; `meanings` may be a mapping."""
        return cls(name, kind, tuple(order), tuple((meanings or {}).items()))


UNKNOWN = Question()
"""Only the answers are known."""
