"""The result of `gold`: the draft, the queue, and how far annotators were trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from unisono import tables
from unisono.adjudication.competence import Competence
from unisono.adjudication.proposal import Proposal
from unisono.adjudication.queue import counted_reasons, free_name, head_of_queue, queue_columns
from unisono.data import Corpus
from unisono.data.anchors import PIECE
from unisono.errors import plural
from unisono.results import Captioned, Tabled

GOLD = "gold"
"""The name of the annotator of a gold standard."""
_DIGITS = 4


@dataclass(frozen=True, repr=False)
class Gold(Tabled):
    """A draft of a gold standard.

    Attributes
    ----------
    annotated : Corpus
        The annotations.
    documents : tuple of str
        The documents of the draft.
    proposals : tuple of Proposal
        One per unitary alignment, in the order of documents and positions.
    measure : str
        The measure that aligned, with its parameters.
    competence : Competence or None
        How far annotators were trusted; None if all counted the same.
    notes : tuple of str
        What one should know.
    spans : Corpus or None
        What the ends of relations and events were chosen from, if that was given.

    See Also
    --------
    gold, ItemGold

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> draft = unisono.gold(corpus)
    >>> len(draft.proposals), len(draft.drafted), len(draft.to_decide)
    (2, 2, 1)
    """

    annotated: Corpus = field(repr=False)
    documents: tuple[str, ...]
    proposals: tuple[Proposal, ...]
    measure: str
    competence: Competence | None = None
    notes: tuple[str, ...] = ()
    spans: Corpus | None = field(default=None, repr=False)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, as in other drafts."""
        return self.notes

    @cached_property
    def drafted(self) -> tuple[Proposal, ...]:
        """The proposals that are units of the draft."""
        return tuple(proposal for proposal in self.proposals if proposal.drafted)

    @cached_property
    def to_decide(self) -> tuple[Proposal, ...]:
        """The proposals that a person should decide on, with the greatest disorder first."""
        open_ones = [proposal for proposal in self.proposals if proposal.reasons]
        return tuple(sorted(open_ones, key=lambda proposal: -proposal.row.disorder))

    @property
    def n_unasked(self) -> int:
        """How many unitary alignments are neither in the draft nor in the queue, without a person's decision."""
        return sum(not (one.drafted or one.reasons or one.decided) for one in self.proposals)

    @cached_property
    def corpus(self) -> Corpus:
        """The draft, with one annotator named gold, and the shares that support each unit as features."""
        return self._corpus(self._features | self._shares)

    @cached_property
    def plain(self) -> Corpus:
        """The draft without the shares, for the annotation tool."""
        return self._corpus(self._features)

    def written(self, *, plain: bool = False, hide_text: bool = False, spans: bool = False) -> Corpus:
        """Return the draft as it should be written.

        Parameters
        ----------
        plain : bool
            Whether to leave out the shares.
        hide_text : bool
            Whether to leave out the texts; documents keep their length.
        spans : bool
            Whether to add the spans that relations join, for a tool in which relations join annotations.
        """
        corpus = self.plain if plain else self.corpus
        if spans and self.spans is not None:
            corpus = joined_corpora([corpus, self.spans], self.documents)
        if not hide_text:
            return corpus
        long = {document.index: document.bounds for document in corpus if document.text is not None}
        return replace(corpus, texts={}, bounds={**corpus.bounds, **long})

    @cached_property
    def queue(self) -> Any:
        """A data frame of what a person should decide, the worst first."""
        return tables.frame(self.queue_columns())

    def queue_columns(self, *, hide_text: bool = False) -> dict[str, list[Any]]:
        """Return the queue as columns, with the covered text unless it should be hidden."""
        documents = [] if hide_text else [self.annotated[name] for name in self.documents]
        readable = {document.name: document for document in documents if document.readable is not None}
        return queue_columns(self.to_decide, self.annotated.annotators, readable)

    def to_frame(self, library: str | None = None) -> Any:
        """Return the draft as a data frame, with columns for the ends of relations and events, as tables have them."""
        corpus = self.corpus
        columns: dict[str, list[Any]] = {
            "document": [corpus.documents[index] for index in corpus.document.tolist()],
            **_places(corpus),
        }
        for name, feature in corpus.features.items():
            columns[free_name(name, columns)] = feature.values()
        return tables.frame(columns, library)

    def reasons(self) -> dict[str, int]:
        """Count the reasons why there is something to decide, the most frequent first."""
        return counted_reasons(one.reasons for one in self.to_decide)

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return the head of the queue and how far annotators were trusted as tables, and what was drafted."""
        tables = head_of_queue(self.queue_columns())
        if self.competence is not None:
            tables.append(self.competence.table())
        drafted = f"{plural(len(self.drafted), 'unit')} in {plural(len(self.documents), 'document')}"
        return tables, [f"Drafted: {drafted}; {len(self.to_decide):,} to decide.", *self.notes]

    def __repr__(self) -> str:
        return (
            f"Gold({len(self.drafted)} units in {len(self.documents)} documents, {len(self.to_decide)} to decide, "
            f"{self.measure})"
        )

    @property
    def _features(self) -> dict[str, Sequence[Any]]:
        return {name: [proposal.labels[name] for proposal in self.drafted] for name in self.annotated.features}

    @property
    def _shares(self) -> dict[str, Sequence[Any]]:
        taken: dict[str, Any] = dict.fromkeys(self.annotated.features)
        shares: dict[str, Sequence[Any]] = {}
        for name, values in [
            ("support", [proposal.support for proposal in self.drafted]),
            ("support of position", [proposal.exact for proposal in self.drafted]),
            *(
                (f"support of {of}", [proposal.votes[of].share for proposal in self.drafted])
                for of in self.annotated.features
            ),
        ]:
            shares[free_name(name, taken | shares)] = [round(value, _DIGITS) for value in values]
        return shares

    @property
    def _texts(self) -> dict[str, str]:
        texts = {name: self.annotated[name].text for name in self.documents}
        return {name: text for name, text in texts.items() if text is not None}

    @property
    def _anchors(self) -> list[list[tuple[str, float, float]]] | None:
        """The anchors of drafted units, if some are relations, events or units in pieces."""
        if not any(proposal.anchors for proposal in self.drafted):
            return None
        return [
            [(one.role, one.start, one.end) for one in proposal.anchors] or [(PIECE, proposal.start, proposal.end)]
            for proposal in self.drafted
        ]

    def _corpus(self, features: dict[str, Sequence[Any]]) -> Corpus:
        source = self.annotated
        index = {name: source.documents.index(name) for name in self.documents}
        whole = source.start.dtype.kind == "i"
        return Corpus.from_columns(
            document=[proposal.document for proposal in self.drafted],
            documents=self.documents,
            annotator=[GOLD] * len(self.drafted),
            start=_positions([proposal.start for proposal in self.drafted], whole),
            end=_positions([proposal.end for proposal in self.drafted], whole),
            anchors=self._anchors,
            features=features,
            worked=[(name, GOLD) for name in self.documents],
            bounds={name: source.bounds[number] for name, number in index.items() if number in source.bounds},
            texts={(name, GOLD): text for name, text in self._texts.items()},
            tokens={name: source.tokens[number] for name, number in index.items() if number in source.tokens},
            source=f"{GOLD} · {source.source}",
            schemas=source.schemas,
        )


def _places(corpus: Corpus) -> dict[str, list[Any]]:
    """Return columns of positions: numbers, or lists of them where units have several anchors of a role."""
    anchors = None if corpus.anchors is None else corpus.anchors.simplest()
    if anchors is None:
        return {"start": corpus.start.tolist(), "end": corpus.end.tolist()}
    columns: dict[str, list[Any]] = {}
    for name, column in anchors.columns().items():
        single = all(len(cell) < 2 for cell in column)
        columns[name] = [None if not cell else cell[0] if single else cell for cell in column]
    return columns


def joined_corpora(parts: Sequence[Corpus], documents: Sequence[str]) -> Corpus:
    """Put the units of the gold standard in several corpora together, for some documents."""
    wanted = frozenset(documents)
    own = {document.name: document for part in reversed(parts) for document in part if document.name in wanted}
    units = [(document.name, unit) for part in parts for document in part for unit in document.units]
    units = [(name, unit) for name, unit in units if name in own]
    features = dict.fromkeys(name for part in parts for name in part.features)
    anchors = [unit.anchors or [(PIECE, unit.start, unit.end)] for _, unit in units]
    return Corpus.from_columns(
        document=[name for name, _ in units],
        documents=documents,
        annotator=[GOLD] * len(units),
        start=[unit.start for _, unit in units],
        end=[unit.end for _, unit in units],
        anchors=anchors if any(unit.anchors for _, unit in units) else None,
        features={name: [unit.features.get(name) for _, unit in units] for name in features},
        worked=[(name, GOLD) for name in documents],
        bounds={name: one.bounds for name, one in own.items() if one.index in one.corpus.bounds},
        texts={(name, GOLD): one.text for name, one in own.items() if one.text is not None},
        tokens={name: one.corpus.tokens[one.index] for name, one in own.items() if one.index in one.corpus.tokens},
        source=parts[0].source,
        schemas={kind: text for part in reversed(parts) for kind, text in part.schemas.items()},
    )


def _positions(values: Sequence[int | float], whole: bool) -> Any:
    return np.array(values, dtype=np.int64 if whole else np.float64)
