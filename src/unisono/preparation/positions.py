"""Positions counted in tokens instead of characters (Reiter 2018)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import regex

from unisono.arrays import IntArray
from unisono.data import Corpus
from unisono.errors import DataError, OptionError
from unisono.preparation.units import counted, with_features

Tokenizer = Callable[[str], IntArray]
_WRITTEN = regex.compile(r"tokens(?:\((?P<how>own|unicode|regex=(?P<pattern>.+))\))?", regex.DOTALL)
_SECONDS = 10.0
_BOUNDARY = regex.compile(r"\b", regex.WORD | regex.VERSION1)


def token_positions(corpus: Corpus, written: str) -> Corpus:
    """Count positions in tokens: a unit goes from the first to the last token that it has a part of.

    Parameters
    ----------
    corpus : Corpus
        Positions are characters, and there is a text or the file's own tokens.
    written : str
        ``tokens``, ``tokens(own)``, ``tokens(unicode)`` (Unicode's word boundaries; white space is no token) or
        ``tokens(regex=…)`` (what the pattern finds is a token).
    """
    match = _WRITTEN.fullmatch(written.strip())
    if match is None:
        raise OptionError(f"--positions {written}: write tokens, tokens(own), tokens(unicode) or tokens(regex=…)")
    start, end = np.array(corpus.start, dtype=np.int64), np.array(corpus.end, dtype=np.int64)
    if corpus.start.dtype.kind == "f" and corpus.n_units and not corpus.texts:
        raise OptionError(f"--positions {written}: positions are not characters of a text, so there are no tokens")
    bounds, n_cut = {}, 0
    for document in corpus:
        tokens = _tokens(corpus, document.index, match["how"], match["pattern"])
        rows = corpus.rows(document.index)
        first = np.searchsorted(tokens[:, 1], start[rows], side="right")
        last = np.maximum(np.searchsorted(tokens[:, 0], end[rows], side="left"), first)
        covered = first < last
        inner = np.flatnonzero(covered)
        cut = (tokens[first[inner], 0] < start[rows][inner]) | (tokens[last[inner] - 1, 1] > end[rows][inner])
        n_cut += int(cut.sum())
        start[rows], end[rows] = first, last
        bounds[document.index] = (0.0, float(len(tokens)))
    counting = replace(
        corpus,
        start=start,
        end=end,
        bounds=bounds,
        texts={},
        tokens={},
        dropped=counted(corpus, {"units that began or ended within a token, made whole (--positions)": n_cut}),
    )
    return with_features(counting, counting.features)


def _tokens(corpus: Corpus, index: int, how: str | None, pattern: str | None) -> IntArray:
    """Give the tokens of a document."""
    name = corpus.documents[index]
    if how in (None, "own") and index in corpus.tokens:
        return corpus.tokens[index]
    if how == "own":
        raise DataError(f"the file has no tokens of document {name!r}; take tokens(unicode)")
    texts = {text for (document, _), text in corpus.texts.items() if document == index}
    if len(texts) != 1:
        why = "there is no text" if not texts else "annotators have different texts"
        raise DataError(f"{why} of document {name!r}, so it has no tokens to count; leave --positions out")
    (text,) = texts
    return _by_pattern(pattern)(text) if pattern else unicode_tokens(text)


def unicode_tokens(text: str) -> IntArray:
    """Find tokens by the word boundaries of Unicode (UAX 29); white space is none."""
    places = [match.start() for match in _BOUNDARY.finditer(text)]
    edges = sorted({0, *places, len(text)})
    return _spans([(low, high) for low, high in pairwise(edges) if not text[low:high].isspace()])


def _by_pattern(pattern: str) -> Tokenizer:
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise OptionError(f"--positions: the pattern {pattern!r} is wrong ({error}); mend it") from None

    def tokens(text: str) -> IntArray:
        try:
            found = compiled.finditer(text, timeout=_SECONDS)
            return _spans([match.span() for match in found if match.end() > match.start()])
        except TimeoutError:
            raise OptionError(f"--positions: the pattern {pattern!r} takes too long; simplify it") from None

    return tokens


def _spans(spans: list[tuple[int, int]]) -> IntArray:
    return np.array(spans, dtype=np.int64).reshape(-1, 2)
