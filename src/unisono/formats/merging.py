"""Corpora put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from unisono.data import Corpus
from unisono.data.corpus import Bounds
from unisono.errors import DataError, OptionError


def merge(
    corpora: Sequence[Corpus],
    *,
    worked: Iterable[tuple[str, str]] = (),
    continuum: tuple[float, float] | None = None,
    source: str = "",
) -> Corpus:
    """Put corpora together; documents of the same name are the same document.

    Parameters
    ----------
    corpora : sequence of Corpus
        At least one.
    worked : iterable of (document, annotator)
        Who worked on what, besides those who have units there.
    continuum : (float, float), optional
        Begin and end of every document's continuum.
    source : str
        Where the corpora come from.
    """
    pairs = list(worked)
    bounds = _common(((corpus.documents[d], given) for corpus in corpora for d, given in corpus.bounds.items()))
    texts = _common(
        (
            ((corpus.documents[d], corpus.annotators[a]), text)
            for corpus in corpora
            for (d, a), text in corpus.texts.items()
        )
    )
    documents = list(dict.fromkeys([*(d for c in corpora for d in c.documents), *(d for d, _ in pairs)]))
    if continuum is not None:
        bounds = dict.fromkeys(documents, _checked(continuum))
    names = dict.fromkeys(name for corpus in corpora for name in corpus.features)
    return Corpus.from_columns(
        documents=documents,
        annotators=[name for corpus in corpora for name in corpus.annotators],
        document=[corpus.documents[d] for corpus in corpora for d in corpus.document.tolist()],
        annotator=[corpus.annotators[a] for corpus in corpora for a in corpus.annotator.tolist()],
        start=_positions([corpus.start for corpus in corpora]),
        end=_positions([corpus.end for corpus in corpora]),
        features={name: [label for corpus in corpora for label in _labels(corpus, name)] for name in names},
        worked=[*(pair for corpus in corpora for pair in _pairs(corpus)), *pairs],
        bounds=bounds,
        texts=texts,
        source=source,
    )


def _common(items: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Make a dictionary, and refuse to let one file silently win over another."""
    common: dict[Any, Any] = {}
    for key, value in items:
        if common.setdefault(key, value) != value:
            what = f"document {key!r}" if isinstance(key, str) else f"{key[1]!r} on document {key[0]!r}"
            thing = "continuum" if isinstance(key, str) else "text"
            raise DataError(f"two files give a different {thing} for {what}; make them agree")
    return common


def _checked(continuum: tuple[float, float]) -> Bounds:
    try:
        low, high = map(float, continuum)
    except (TypeError, ValueError):
        raise OptionError(f"the continuum {continuum!r} should be two numbers, where it begins and ends") from None
    if not (np.isfinite([low, high]).all() and low <= high):
        raise OptionError(f"the continuum {low:g} to {high:g} should begin before it ends")
    return low, high


def _positions(parts: Sequence[Any]) -> Any:
    """Concatenate; parts without units have no say in whether positions are whole."""
    return np.concatenate([part for part in parts if len(part)] or [np.zeros(0, dtype=np.int64)])


def _labels(corpus: Corpus, name: str) -> Iterable[Any]:
    return corpus.features[name].values() if name in corpus.features else [None] * corpus.n_units


def _pairs(corpus: Corpus) -> Iterable[tuple[str, str]]:
    return ((corpus.documents[d], corpus.annotators[a]) for d, a in np.argwhere(corpus.worked).tolist())
