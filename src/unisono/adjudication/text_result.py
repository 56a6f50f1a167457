"""A draft of one text with tokens, where annotators have texts of their own, and what is left to decide."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from unisono import tables
from unisono.adjudication.proposal import Reason
from unisono.adjudication.queue import counted_reasons, free_name, head_of_queue
from unisono.adjudication.result import GOLD
from unisono.adjudication.text_places import TextPlace, TextVersion
from unisono.alignment.consensus import Vote, vote
from unisono.data import Corpus, Label, Unit
from unisono.errors import plural
from unisono.results import Captioned, Tabled

_DIGITS = 4


@dataclass(frozen=True)
class TextProposal:
    """What is proposed for one place of texts that differ.

    Attributes
    ----------
    place : TextPlace
        What annotators have.
    version : TextVersion
        The text, tokens and labels that are proposed; tied labels are None.
    share : float
        The share of annotators who have this text with these tokens.
    votes : tuple of dict
        The votes on the labels of each token, by feature.
    reasons : tuple of Reason
        Why a person should decide; empty if there is nothing to decide.
    """

    place: TextPlace
    version: TextVersion
    share: float
    votes: tuple[Mapping[str, Vote], ...]
    reasons: tuple[Reason, ...]

    @property
    def document(self) -> str:
        """The document."""
        return self.place.document


class DraftedUnit(NamedTuple):
    """A unit of the draft, in its text."""

    document: str
    start: int
    end: int
    features: Mapping[str, Label | None]
    support: float
    supports: Mapping[str, float]


@dataclass(frozen=True, repr=False)
class TextGold(Tabled):
    """A draft of one text with tokens per document, out of texts that annotators corrected.

    Attributes
    ----------
    annotated : Corpus
        The annotations.
    documents : tuple of str
        The documents of the draft.
    proposals : tuple of TextProposal
        One per place, in the order of documents and texts.
    measure : str
        The measure that aligned, with its parameters.
    ends : dict
        Document to the white space at its end.
    others : dict
        Document to all annotators' units of other types, such as sentences.
    kind : str or None
        The type of tokens; None if units have no types.
    support : float
        More than this share of annotators must have a unit of another type in the same place.
    notes : tuple of str
        What one should know.

    See Also
    --------
    gold, Gold

    Examples
    --------
    >>> import unisono
    >>> texts = {"anna": "im Band", "bert": "im Bund", "cleo": "im Band"}
    >>> corpus = unisono.Corpus.from_columns(
    ...     document=["d"] * 6,
    ...     annotator=[who for who in texts for _ in "ab"],
    ...     start=[0, 3] * 3,
    ...     end=[2, 7] * 3,
    ...     features={"pos": ["ADP", "NOUN"] * 3},
    ...     texts={("d", who): text for who, text in texts.items()},
    ... )
    >>> draft = unisono.gold(corpus)
    >>> draft.plain["d"].text, len(draft.to_decide)
    ('im Band', 0)
    """

    annotated: Corpus = field(repr=False)
    documents: tuple[str, ...]
    proposals: tuple[TextProposal, ...]
    measure: str
    ends: Mapping[str, str] = field(repr=False)
    others: Mapping[str, Sequence[Unit]] = field(repr=False)
    kind: str | None = None
    support: float = 0.5
    notes: tuple[str, ...] = ()
    competence: ClassVar[None] = None
    n_unasked: ClassVar[int] = 0

    @cached_property
    def to_decide(self) -> tuple[TextProposal, ...]:
        """The proposals that a person should decide on, with the greatest disorder first."""
        open_ones = [proposal for proposal in self.proposals if proposal.reasons]
        return tuple(sorted(open_ones, key=lambda proposal: -proposal.place.disorder))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where the text of each proposal begins in the text of its document."""
        return self._assembled[1]

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each document."""
        return self._assembled[0]

    @cached_property
    def drafted(self) -> tuple[DraftedUnit, ...]:
        """The units of the draft: tokens, and units of other types that enough annotators have in the same place."""
        found = [
            unit for proposal, at in zip(self.proposals, self.starts, strict=True) for unit in _drafted(proposal, at)
        ]
        return tuple(found + self._outer[0])

    @cached_property
    def corpus(self) -> Corpus:
        """The draft, with one annotator named gold, and the shares that support each unit as features."""
        return self._corpus(self._features | self._shares)

    @cached_property
    def plain(self) -> Corpus:
        """The draft without the shares, for the annotation tool."""
        return self._corpus(self._features)

    def written(self, *, plain: bool = False, hide_text: bool = False, quoted: bool = False) -> Corpus:
        """Return the draft as it should be written; see `Gold.written`.

        With `quoted`, each unit has its text as a feature, for tables, which have no place for the whole text.
        """
        corpus = self.plain if plain else self.corpus
        if quoted and not hide_text:
            texts = [self.texts[unit.document][unit.start : unit.end] for unit in self.drafted]
            features = self._features if plain else self._features | self._shares
            return self._corpus({free_name("text", features): texts, **features})
        if not hide_text:
            return corpus
        return replace(corpus, texts={}, bounds={document.index: (0, len(document.text or "")) for document in corpus})

    @cached_property
    def queue(self) -> Any:
        """A data frame of what a person should decide, the worst first."""
        return tables.frame(self.queue_columns())

    def queue_columns(self, *, hide_text: bool = False) -> dict[str, list[Any]]:
        """Return the queue as columns; positions are those in the draft, and texts are left out if wanted."""
        start = {id(proposal): at for proposal, at in zip(self.proposals, self.starts, strict=True)}
        asked = self.to_decide
        columns: dict[str, list[Any]] = {
            "document": [one.document for one in asked],
            "start": [start[id(one)] for one in asked],
            "end": [start[id(one)] + len(one.version.text) for one in asked],
            "why": ["; ".join(_why(reason, hide_text) for reason in one.reasons) for one in asked],
            "support": [round(one.share, _DIGITS) for one in asked],
            "disorder": [round(one.place.disorder, _DIGITS) for one in asked],
        }
        if hide_text:
            return columns
        columns["draft"] = [one.version.words for one in asked]
        for who in self.annotated.annotators:
            own = [one.place.versions.get(who) for one in asked]
            columns[free_name(who, columns)] = [None if version is None else version.words for version in own]
        return columns

    def to_frame(self, library: str | None = None) -> Any:
        """Return the draft as a data frame."""
        columns: dict[str, list[Any]] = {
            "document": [unit.document for unit in self.drafted],
            "start": [unit.start for unit in self.drafted],
            "end": [unit.end for unit in self.drafted],
            "text": [self.texts[unit.document][unit.start : unit.end] for unit in self.drafted],
        }
        for name, values in (self._features | self._shares).items():
            columns[free_name(name, columns)] = [*values]
        return tables.frame(columns, library)

    def reasons(self) -> dict[str, int]:
        """Count the reasons why there is something to decide, the most frequent first."""
        return counted_reasons(one.reasons for one in self.to_decide)

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return the head of the queue as a table, and what was drafted."""
        tables = head_of_queue(self.queue_columns())
        drafted = f"{plural(len(self.drafted), 'unit')} in {plural(len(self.documents), 'document')}"
        return tables, [f"Drafted: {drafted}; {len(self.to_decide):,} to decide.", *self.remarks]

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, and what became of units of other types."""
        n = self._outer[1]
        if not n:
            return self.notes
        where = "that too few annotators have in the same place; people decide about tokens only"
        return (*self.notes, f"left out: {plural(n, 'unit')} of other types {where}")

    def __repr__(self) -> str:
        return (
            f"TextGold({len(self.drafted)} units in {len(self.documents)} documents, {len(self.to_decide)} to decide, "
            f"{self.measure})"
        )

    @cached_property
    def _assembled(self) -> tuple[dict[str, str], tuple[int, ...]]:
        """Put the texts of places together; where one is empty, the white space on one of its sides is enough."""
        parts: dict[str, list[str]] = {name: [] for name in self.documents}
        length, held = Counter[str](), defaultdict[str, str](str)
        starts = []
        for proposal in self.proposals:
            name, text = proposal.document, proposal.version.text
            space = max(proposal.place.space, held[name], key=len)
            held[name] = "" if text else space
            added = space + text if text else ""
            starts.append(length[name] + (len(space) if text else 0))
            parts[name].append(added)
            length[name] += len(added)
        return {name: "".join(own) + self.ends[name] for name, own in parts.items()}, tuple(starts)

    @cached_property
    def _outer(self) -> tuple[list[DraftedUnit], int]:
        """Return units of other types in the draft, and how many there are that too few have."""
        found: list[DraftedUnit] = []
        n_left_out = 0
        for name, units in self.others.items():
            if not units:
                continue
            own = [k for k, one in enumerate(self.proposals) if one.document == name]
            same: dict[tuple[Any, int, int], dict[str, Unit]] = defaultdict(dict)
            begins = {
                who: [self.proposals[k].place.starts[who] for k in own] for who in {unit.annotator for unit in units}
            }
            for unit in units:
                begin, end = (
                    self._placed(int(at), own, begins[unit.annotator], unit.annotator, side)
                    for side, at in enumerate((unit.start, unit.end))
                )
                same[unit.features.get("type"), begin, end].setdefault(unit.annotator, unit)
            n = len(self.proposals[own[0]].place.versions) if own else 1
            for (_, start, end), marked in sorted(same.items(), key=lambda item: item[0][1:]):
                if len(marked) / n <= self.support or start == end:
                    n_left_out += 1
                    continue
                votes = {of: vote([unit.features[of] for unit in marked.values()]) for of in self.annotated.features}
                found.append(_voted(name, (start, end), votes, len(marked) / n))
        return found, n_left_out

    def _placed(self, at: int, own: Sequence[int], begins: Sequence[int], who: str, side: int) -> int:
        """Return where a position of an annotator's text is in the draft: the begin of a unit, or its end (`side` 1).

        In a version that differs from what is drafted, it is at the begin or at the end.
        """
        number = own[max(bisect_right(begins, at - side) - 1, 0)]
        proposal, begin = self.proposals[number], self.starts[number]
        version, offset = proposal.place.versions[who], at - proposal.place.starts[who]
        length = len(proposal.version.text)
        if offset <= 0 or version.text == proposal.version.text:
            return begin + max(min(offset, length), 0)
        return begin + (length if side or offset >= len(version.text) else 0)

    @property
    def _features(self) -> dict[str, Sequence[Any]]:
        types = {} if self.kind is None else {"type": self.kind}
        return {
            name: [(types | {**one.features}).get(name) for one in self.drafted] for name in self.annotated.features
        }

    @property
    def _shares(self) -> dict[str, Sequence[Any]]:
        taken: dict[str, Any] = dict.fromkeys(self.annotated.features)
        shares: dict[str, Sequence[Any]] = {}
        columns = [("support", [round(unit.support, _DIGITS) for unit in self.drafted])]
        for of in self.annotated.features:
            columns.append((f"support of {of}", [round(unit.supports.get(of, 0.0), _DIGITS) for unit in self.drafted]))
        for name, values in columns:
            shares[free_name(name, taken | shares)] = values
        return shares

    def _corpus(self, features: dict[str, Sequence[Any]]) -> Corpus:
        return Corpus.from_columns(
            document=[unit.document for unit in self.drafted],
            documents=self.documents,
            annotator=[GOLD] * len(self.drafted),
            start=[unit.start for unit in self.drafted],
            end=[unit.end for unit in self.drafted],
            features=features,
            worked=[(name, GOLD) for name in self.documents],
            texts={(name, GOLD): text for name, text in self.texts.items()},
            source=f"{GOLD} · {self.annotated.source}",
            schemas=self.annotated.schemas,
        )


def _drafted(proposal: TextProposal, at: int) -> Iterator[DraftedUnit]:
    for token, votes in zip(proposal.version.tokens, proposal.votes, strict=True):
        supports = {name: one.share for name, one in votes.items()}
        yield DraftedUnit(proposal.document, at + token.start, at + token.end, token.features, proposal.share, supports)


def _voted(document: str, span: tuple[int, int], votes: Mapping[str, Vote], support: float) -> DraftedUnit:
    labels = {name: None if one.tied else one.label for name, one in votes.items()}
    return DraftedUnit(document, *span, labels, support, {name: one.share for name, one in votes.items()})


def _why(reason: Reason, hide_text: bool) -> str:
    return reason.kind if hide_text else reason.words
