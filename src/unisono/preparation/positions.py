"""Positions counted in tokens instead of characters (Reiter 2018)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import regex

from unisono.arrays import BoolArray, IntArray, run
from unisono.data import Corpus, Document
from unisono.data.corpus import TokenText
from unisono.errors import DataError, OptionError, mention
from unisono.preparation.units import with_dropped, with_features

Tokenizer = Callable[[str], IntArray]
_WRITTEN = regex.compile(r"tokens(?:\((?P<how>own|unicode|regex=(?P<pattern>.+))\))?", regex.DOTALL)
_SECONDS = 10.0
_CUT = "units that began or ended within a token, extended to whole tokens"
_NOTHING = "units that cover no token and have length 0 now"
_REPLACED = "documents whose own tokens overlap, are empty or out of order, counted in Unicode's words instead"
_SPACED = "documents in which annotators have different white space, counted in the tokens of each text"
_BOUNDARY = regex.compile(r"\b", regex.WORD | regex.VERSION1)


def token_positions(corpus: Corpus, written: str) -> Corpus:
    """Count positions in tokens: a unit goes from the first to the last token of which it covers a part.

    Positions must be characters, and all annotators of a document have the same tokens: their texts may differ in white
    space only. The text is kept for display, with its tokens. Tokens are ``tokens``, ``tokens(own)``,
    ``tokens(unicode)`` (Unicode's word boundaries; white space is no token) or ``tokens(regex=…)`` (each match of the
    pattern is a token).
    """
    match = _WRITTEN.fullmatch(written.strip())
    if match is None:
        expected = "tokens, tokens(own), tokens(unicode) or tokens(regex=…)"
        raise OptionError(f"expected {expected}, not {written!r}", "positions")
    _check_characters(corpus)
    start, end = corpus.start.astype(np.int64), corpus.end.astype(np.int64)
    anchors = corpus.anchors
    owner = None if anchors is None else anchors.owner
    ends = None if anchors is None else (anchors.start.astype(np.int64), anchors.end.astype(np.int64))
    bounds, counted, changed = {}, {}, Counter[str]()
    for document in corpus:
        index, rows = document.index, corpus.rows(document.index)
        tokens, remark = _tokens(document, match["how"], match["pattern"])
        changed[remark] += 1 if remark else 0
        for who, own in tokens.items():
            mine = slice(*(rows.start + np.searchsorted(corpus.annotator[rows], (who, who + 1))).tolist())
            first, last, is_cut = _covered(own, start[mine], end[mine])
            changed[_CUT] += int(is_cut.sum())
            changed[_NOTHING] += int(((first == last) & (start[mine] < end[mine])).sum())
            start[mine], end[mine] = first, last
            if ends is not None and owner is not None:
                theirs = run(owner, mine.start, mine.stop)
                ends[0][theirs], ends[1][theirs], _ = _covered(own, ends[0][theirs], ends[1][theirs])
        bounds[index] = (0.0, float(max(map(len, tokens.values()), default=0)))
        reader = next((who for who in tokens if (index, who) in corpus.texts), None)
        if reader is not None:
            counted[index] = TokenText(corpus.texts[index, reader], tokens[reader])
    if anchors is not None and ends is not None:
        anchors = anchors.placed(*ends)
        start, end = (column.astype(np.int64) for column in anchors.hull)
    counting = replace(
        corpus,
        start=start,
        end=end,
        bounds=bounds,
        texts={},
        tokens={},
        counted=counted,
        dropped=with_dropped(corpus, changed),
        anchors=anchors,
    )
    return with_features(counting, counting.features)


def _check_characters(corpus: Corpus) -> None:
    """Reject positions such as seconds; whole numbers are taken for characters."""
    for column in (corpus.start, corpus.end):
        parts = column[column != np.floor(column)]
        if len(parts):
            raise OptionError(
                f"positions are not characters of a text (there is {parts[0]:g}), so there are no tokens to count; "
                "leave it out",
                "positions",
            )


def _covered(tokens: IntArray, start: IntArray, end: IntArray) -> tuple[IntArray, IntArray, BoolArray]:
    """Return the first token of each unit, the one after its last, and whether it covers only a part of a token."""
    first = np.searchsorted(tokens[:, 1], start, side="right")
    last = np.maximum(np.searchsorted(tokens[:, 0], end, side="left"), first)
    is_cut = first < last
    inner = np.flatnonzero(is_cut)
    is_cut[inner] = (tokens[first[inner], 0] < start[inner]) | (tokens[last[inner] - 1, 1] > end[inner])
    return first, last, is_cut


def _tokens(document: Document, how: str | None, pattern: str | None) -> tuple[dict[int, IntArray], str]:
    """Return the tokens of a document for each annotator, and what one should know about them."""
    people = np.flatnonzero(document.corpus.worked[document.index]).tolist()
    tokenize = _by_pattern(pattern) if pattern else unicode_tokens
    if document.texts_differ and how != "own":
        return _of_each(document, people, tokenize), _SPACED
    tokens, replaced = _common_tokens(document, how, tokenize)
    return dict.fromkeys(people, tokens), _REPLACED if replaced else ""


def _of_each(document: Document, people: Sequence[int], tokenize: Tokenizer) -> dict[int, IntArray]:
    """Return the tokens of each annotator's own text; they must be the same, wherever they stand."""
    corpus, index = document.corpus, document.index
    texts = {who: corpus.texts[index, who] for who in people if (index, who) in corpus.texts}
    tokens = {who: tokenize(text) for who, text in texts.items()}
    words = {who: [texts[who][low:high] for low, high in spans.tolist()] for who, spans in tokens.items()}
    first = next(iter(words))
    for who, own in words.items():
        if own != words[first]:
            raise _different(document, corpus.annotators[first], corpus.annotators[who])
    return {who: tokens.get(who, tokens[first]) for who in people}


def _different(document: Document, *people: str) -> DataError:
    whose = f" ({' and '.join(people)})" if people else ""
    return DataError(
        f"annotators have different texts of document {document.name!r}{whose}, so it has no common tokens to count; "
        f"leave out {mention('positions')}, or the document"
    )


def _common_tokens(document: Document, how: str | None, tokenize: Tokenizer) -> tuple[IntArray, bool]:
    """Return the tokens of the one text, and whether they replace its own, which cannot be used."""
    name = document.name
    if document.texts_differ:
        raise _different(document)
    own = document.corpus.tokens.get(document.index) if how in (None, "own") else None
    if own is not None and _follow_each_other(own):
        return own, False
    if how == "own":
        why = f"the file has no tokens of document {name!r}"
        if own is not None:
            why = f"the file's tokens of document {name!r} overlap, are empty or are out of order"
        raise DataError(f"{why}; use {mention('positions', 'tokens(unicode)')}")
    text = document.text
    if text is None:
        raise DataError(
            f"there is no text of document {name!r}, so it has no tokens to count; leave out {mention('positions')}"
        )
    return tokenize(text), own is not None


def _follow_each_other(tokens: IntArray) -> bool:
    start, end = tokens.T
    return bool((start < end).all() and (end[:-1] <= start[1:]).all())


def unicode_tokens(text: str) -> IntArray:
    """Find tokens by Unicode's word boundaries (UAX 29); white space is no token."""
    places = [match.start() for match in _BOUNDARY.finditer(text)]
    edges = sorted({0, *places, len(text)})
    return _spans([(low, high) for low, high in pairwise(edges) if not text[low:high].isspace()])


def _by_pattern(pattern: str) -> Tokenizer:
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise OptionError(f"the pattern {pattern!r} is invalid ({error}); correct it", "positions") from None

    def tokens(text: str) -> IntArray:
        try:
            found = compiled.finditer(text, timeout=_SECONDS)
            return _spans([match.span() for match in found if match.end() > match.start()])
        except TimeoutError:
            raise OptionError(f"the pattern {pattern!r} takes too long; simplify it", "positions") from None

    return tokens


def _spans(spans: list[tuple[int, int]]) -> IntArray:
    return np.array(spans, dtype=np.int64).reshape(-1, 2)
