"""From texts that differ to a draft of one text with tokens: at each place, what most annotators have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from unisono.adjudication.proposal import NO_MAJORITY, TIE, UNSURE, Reason, Thresholds, label_words
from unisono.adjudication.text_places import (
    CutDocument,
    Shape,
    TextPlace,
    TextVersion,
    Token,
    cut_document,
    finest_type,
    shape_words,
)
from unisono.adjudication.text_result import TextGold, TextProposal
from unisono.alignment.consensus import Vote, vote
from unisono.alignment.text_alignment import TextAlignment
from unisono.data import Corpus
from unisono.data.editions import UNTYPED

TEXTS, TOKENS = "texts", "tokens"
"""Why a person should decide: texts differ, or only where tokens begin and end."""
_ROUNDING = 1e-9


def gold_of_texts(
    corpus: Corpus, alignments: Mapping[str, TextAlignment], thresholds: Thresholds, measure: str, notes: Sequence[str]
) -> TextGold:
    """Draft one text with tokens for each document."""
    every = [*alignments.values()]
    finest = finest_type(every)
    cut: list[CutDocument] = [cut_document(one, finest) for one in every]
    proposals = [_propose(place, thresholds) for document in cut for place in document.places]
    others = {document.name: document.others for document in cut}
    ends = {document.name: document.end for document in cut}
    kind = finest if "type" in corpus.features and finest != UNTYPED else None
    documents, support = tuple(alignments), thresholds.support
    return TextGold(corpus, documents, tuple(proposals), measure, ends, others, kind, support, tuple(notes))


def _propose(place: TextPlace, thresholds: Thresholds) -> TextProposal:
    """Propose the text and the tokens that most have, and labels by the votes of those who have these tokens.

    Where all have one token, all vote on its labels, whatever its text.
    """
    shape, share, tied = _most([version.shape for version in place.versions.values()])
    voters = [one for one in place.versions.values() if place.is_token or one.shape == shape]
    votes = tuple(
        {name: vote([one.tokens[k].features[name] for one in voters]) for name in voters[0].tokens[k].features}
        for k in range(len(shape[1]))
    )
    version = TextVersion(shape[0], tuple(_token(span, own) for span, own in zip(shape[1], votes, strict=True)))
    reasons = [*_on_shapes(place, shape, share, tied, thresholds)]
    reasons += [reason for k, own in enumerate(votes) for reason in _on_labels(own, version, k, thresholds.majority)]
    return TextProposal(place, version, share, votes, tuple(reasons))


def _most(shapes: Sequence[Shape]) -> tuple[Shape, float, list[Shape]]:
    """Return the most frequent text with tokens, its share, and all of them in a tie.

    The one that has most tokens in common with all others counts then, or the first one.
    """
    counts = Counter(shapes)
    greatest = max(counts.values())
    tied = sorted(shape for shape, n in counts.items() if n == greatest)
    if len(tied) == 1:
        return tied[0], greatest / len(shapes), []
    tokens = {shape: Counter(shape[0][start:end] for start, end in shape[1]) for shape in counts}
    common = {shape: sum((tokens[shape] & tokens[other]).total() for other in shapes) for shape in tied}
    return max(tied, key=lambda shape: common[shape]), greatest / len(shapes), tied


def _token(span: tuple[int, int], votes: Mapping[str, Vote]) -> Token:
    return Token(*span, {name: None if one.tied else one.label for name, one in votes.items()})


def _on_shapes(
    place: TextPlace, shape: Shape, share: float, tied: Sequence[Shape], thresholds: Thresholds
) -> Iterator[Reason]:
    kind = TEXTS if len({one.text for one in place.versions.values()}) > 1 else TOKENS
    if tied:
        yield Reason(kind, f"tie of {kind}: {' or '.join(map(shape_words, tied))}")
    elif share <= thresholds.support + _ROUNDING:
        yield Reason(kind, f"no majority of {kind}: {shape_words(shape)} has {share:.0%}")
    elif thresholds.sure is not None and share <= thresholds.sure + _ROUNDING:
        yield Reason(UNSURE, f"{shape_words(shape)} has {share:.0%}")


def _on_labels(votes: Mapping[str, Vote], version: TextVersion, k: int, majority: float) -> Iterator[Reason]:
    token = version.tokens[k]
    of = f" of {version.text[token.start : token.end]}" if len(version.tokens) > 1 else ""
    for name, one in votes.items():
        if one.tied:
            yield Reason(TIE, f"tie of {name}{of}: {' or '.join(map(label_words, one.tied))}")
        elif one.share <= majority:
            yield Reason(NO_MAJORITY, f"no majority of {name}{of}: {label_words(one.label)} has {one.share:.0%}")
