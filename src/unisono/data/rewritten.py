"""Units with normalizations as their features become normalizations of tokens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unisono.arrays import IntArray
from unisono.data.corpus import Corpus
from unisono.data.normalizations import Normalizations
from unisono.errors import DataError, listed

_KIND = "type"
_TOKEN = "token"


def normalizations_from_units(
    corpus: Corpus,
    *,
    norm: str = "norm",
    mod: str = "norm_broad",
    type: str = "norm_type",  # noqa: A002
) -> Normalizations:
    """Turn units into tokens: the n-th unit is the same token for all annotators; see `unisono.to_normalizations`."""
    if norm not in corpus.features:
        raise DataError(
            f"units have no feature {norm!r}; available: {listed(tuple(corpus.features)) or 'none'}; name the one with "
            "the normalization, e.g. norm=normalized"
        )
    values = {name: corpus.features[name].values() for name in (norm, mod, type) if name in corpus.features}
    tokens = _tokens(corpus)
    documents: list[str] = []
    originals: list[str] = []
    cells: dict[str, dict[str, list[object]]] = {name: {who: [] for who in corpus.annotators} for name in values}
    for index, document in enumerate(corpus.documents):
        versions = {who: tokens[index, who] for who in range(len(corpus.annotators)) if corpus.worked[index, who]}
        words = {who: _words(corpus, index, who, rows) for who, rows in versions.items()}
        _refuse_different(corpus, index, words)
        shared = next(iter(words.values()), [])
        originals += shared
        documents += [document] * len(shared)
        for name, columns in cells.items():
            for who, annotator in enumerate(corpus.annotators):
                rows = versions.get(who)
                given = [None] * len(shared) if rows is None else [values[name][row] for row in rows.tolist()]
                columns[annotator] += given
    made = Normalizations.from_annotators(
        originals,
        cells[norm],
        mod=cells.get(mod),
        type=cells.get(type),
        document=documents,
        source=corpus.source,
    )
    return _with_documents(made, corpus.documents)


def _tokens(corpus: Corpus) -> dict[tuple[int, int], IntArray]:
    """Return the rows of the tokens, by document and annotator, in the order of the text."""
    chosen = np.ones(corpus.n_units, dtype=np.bool_)
    kinds = corpus.features.get(_KIND)
    if kinds is not None and _TOKEN in kinds.labels:
        chosen = kinds.codes == kinds.labels.index(_TOKEN)
    rows = np.flatnonzero(chosen)
    n_annotators = max(len(corpus.annotators), 1)
    key = corpus.document[rows] * n_annotators + corpus.annotator[rows]  # units are sorted in this order
    edges = np.searchsorted(key, np.arange(len(corpus.documents) * n_annotators + 1))
    return {divmod(k, n_annotators): rows[edges[k] : edges[k + 1]] for k in range(len(edges) - 1)}


def _words(corpus: Corpus, document: int, who: int, rows: IntArray) -> list[str]:
    text = corpus.texts.get((document, who))
    if text is None and len(rows):
        raise DataError(
            f"document {corpus.documents[document]!r} has no text by {corpus.annotators[who]!r}, so the original "
            "tokens are unknown; provide the text, or a table with the column original"
        )
    start, end = corpus.start[rows].tolist(), corpus.end[rows].tolist()
    return [(text or "")[int(low) : int(high)] for low, high in zip(start, end, strict=True)]


def _refuse_different(corpus: Corpus, document: int, words: dict[int, list[str]]) -> None:
    first = next(iter(words), 0)
    for who, own in words.items():
        if own == words[first]:
            continue
        name, one, other = corpus.documents[document], corpus.annotators[first], corpus.annotators[who]
        ends = min(len(own), len(words[first]))
        place = next((i for i in range(ends) if own[i] != words[first][i]), ends)
        a, b = (repr(tokens[place]) if place < len(tokens) else "none" for tokens in (words[first], own))
        raise DataError(
            f"annotators must have the same original tokens: in document {name!r}, token {place + 1} is {a} for "
            f"{one!r} and {b} for {other!r}; fix the tokens, or use a measure of units"
        )


def _with_documents(made: Normalizations, names: tuple[str, ...]) -> Normalizations:
    """Keep documents without tokens, and the order of the corpus."""
    number = {name: index for index, name in enumerate(names)}
    index = np.array([number[name] for name in made.documents], dtype=np.int64)
    return replace(made, documents=names, document=index[made.document])
