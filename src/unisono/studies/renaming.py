"""Documents and annotators under other names, so that the same text has the same name everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from unisono.data import Corpus
from unisono.errors import DataError
from unisono.formats.merging import merge


def with_other_names(corpus: Corpus, documents: Mapping[str, str], annotators: Mapping[str, str]) -> Corpus:
    """Give documents and annotators other names; those that have the same name then are the same.

    Raises
    ------
    DataError
        If an annotator would have two versions of one document.
    """
    new = replace(
        corpus,
        documents=tuple(documents.get(name, name) for name in corpus.documents),
        annotators=tuple(annotators.get(name, name) for name in corpus.annotators),
    )
    if (new.documents, new.annotators) == (corpus.documents, corpus.annotators):
        return corpus
    versions: dict[tuple[str, str], tuple[str, str]] = {}
    for document, annotator in np.argwhere(corpus.worked).tolist():
        version = new.documents[document], new.annotators[annotator]
        old = corpus.documents[document], corpus.annotators[annotator]
        if versions.setdefault(version, old) != old:
            one, other = (f"{text!r} by {who!r}" for text, who in (versions[version], old))
            same = f"the same version, {version[0]!r} by {version[1]!r}"
            raise DataError(f"rename: {one} and {other} would be {same}; leave out one of them")
    return replace(merge([new], source=corpus.source), preparation=corpus.preparation)
