"""The pre-annotation that annotators started from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from unisono.data import Corpus
from unisono.data.editions import GAP_TYPE, UNTYPED, Editions, editions
from unisono.data.likeness import ALIKE, in_common
from unisono.errors import DataError, listed

_UNCHANGED = 0.1
"""If fewer of a pre-annotation's units are found again, it may belong to another text."""


def base_editions(corpus: Corpus, made: Editions, base: Corpus, *, graphemes: bool) -> Editions:
    """Make editions of the pre-annotation, one for each document of the corpus."""
    wanted = [corpus.documents[index] for index in made.places]
    if len(base.documents) == len(corpus.documents) == 1:
        base = replace(base, documents=corpus.documents)
    numbers = {name: index for index, name in enumerate(base.documents)}
    for name in wanted:
        if name not in numbers:
            raise DataError(
                f"the pre-annotation has no document {name!r}; available: {listed(base.documents)}", path=_path(base)
            )
        index = numbers[name]
        if base.worked[index].sum() > 1:
            people = [base.annotators[who] for who in np.flatnonzero(base.worked[index])]
            raise DataError(
                f"the pre-annotation has several versions of document {name!r}, by {listed(people)}; keep one",
                path=_path(base),
            )
    base = base.select(documents=wanted)
    base = replace(base, features={**{name: base.features[name] for name in ("type",) if name in base.features}})
    like = replace(made, kinds=tuple(replace(kind, features=()) for kind in made.kinds))
    known = base.features["type"].labels if "type" in base.features else (UNTYPED,)
    missing = [kind.name for kind in made.kinds if kind.name != GAP_TYPE and kind.name not in map(str, known)]
    if missing:
        instead = f", or compare only types that it has, e.g. types={known[0]}" if known else ""
        raise DataError(
            f"the pre-annotation has no units of the type {missing[0]}; add them{instead}",
            path=_path(base),
        )
    return editions(
        base, (), gaps=any(kind.name == GAP_TYPE for kind in made.kinds), graphemes=graphemes, like=like, fewest=1
    )


def _path(base: Corpus) -> Any:
    return next((path for path, _ in base.origins.values()), None)


def respelled(made: Editions, bases: Editions) -> Editions:
    """Return editions with symbols numbered as in the pre-annotation's alphabet, which has them all."""
    number = {symbol: code for code, symbol in enumerate(bases.alphabet.symbols)}
    new = np.array([number[symbol] for symbol in made.alphabet.symbols] or [0], dtype=np.int64)
    return replace(made, alphabet=bases.alphabet, stacked=replace(made.stacked, text=new[made.stacked.text]))


def base_place(made: Editions, bases: Editions, index: int) -> int:
    """Return the place of a document's pre-annotation among all of them."""
    return bases.places[bases.numbers[made.corpus.documents[index]]].start


def refuse_foreign(made: Editions, bases: Editions, unchanged: Mapping[int, float]) -> None:
    """Reject a pre-annotation that is not the text that annotators started from.

    `unchanged` is the greatest share of its units that an annotator left as they were, by document index.
    """
    for index, share in unchanged.items():
        if share >= _UNCHANGED:
            continue
        base = bases.stacked.edition(base_place(made, bases, index))
        common = [in_common(base.text.tolist(), edition.text.tolist()) for edition in made.of_document[index]]
        if max(common) < ALIKE:
            name = made.corpus.documents[index]
            place = bases.corpus.documents.index(name)
            who = int(np.flatnonzero(bases.corpus.worked[place])[0])
            raise DataError(
                f"the pre-annotation of document {name!r} fits none of the annotators' texts: {share:.0%} of its units "
                f"and {max(common):.0%} of its characters are found in them; check that this is the text that they "
                "started from",
                **bases.corpus.origin(place, who),
            )
