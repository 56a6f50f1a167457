"""The family of measures for normalizations: how data becomes tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.data.rewritten import normalizations_from_units
from unisono.errors import DataError, OptionError, plural
from unisono.measurement.coefficient import Family
from unisono.measurement.declaration import Parameter
from unisono.measurement.normalization import tables
from unisono.measurement.normalization.characters import Representation, representation
from unisono.measurement.normalization.cleaning import FORMS, cleaned
from unisono.measurement.normalization.result import NormalizationResult
from unisono.measurement.normalization.spelling import CHARACTERS
from unisono.measurement.normalization.tokens import MOST_PAIRS, TokenRows, Tokens
from unisono.measurement.normalization.types import Types
from unisono.measurement.readers import choice, text, yes_or_no
from unisono.results import Estimate, Table


def prepare(
    data: Data,
    *,
    lower: bool,
    punctuation: str,
    form: str,
    characters: str,
    joined: str | None,
    show: str | None,
    **features: str | None,
) -> PreparedNormalizations:
    """Make tokens from normalizations, or from units with features."""
    if isinstance(data, Ratings):
        raise DataError("these are labels of items; normalizations need the column original (words before rewriting)")
    named = {name: value for name, value in features.items() if value is not None}
    if isinstance(data, Corpus):
        made = normalizations_from_units(data, **named)
    elif named:
        raise OptionError("names a feature of units, but this is a table; leave it out", next(iter(named)))
    else:
        made = data
    clean = cleaned(made, lower=lower, punctuation=punctuation, form=form, joined=joined)
    prepared = PreparedNormalizations(data, made, TokenRows(clean, characters), show)
    if show is not None and prepared.word(show) is None:
        message = f"show={show}: no such token; write it as it appears in the data after cleaning"
        raise OptionError.about("show", message)
    return prepared


@dataclass(frozen=True)
class PreparedNormalizations:
    """Normalizations, ready for the formula (see `Prepared`)."""

    data: Data  # the original data
    given: Normalizations  # the normalizations made from it
    rows: TokenRows  # the same, cleaned
    show: str | None  # the token whose representation is shown

    @property
    def n_units(self) -> int:
        """Number of normalizations given."""
        return self.given.n_units

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or derived."""
        return tuple(self._notes())

    def statistics(self, document: int | None = None) -> Tokens:
        """Return the tokens of one document, or of all."""
        return self.rows.all_tokens if document is None else self.rows.of_document(document)

    def tables(self, apply: Callable[[Any], Estimate]) -> dict[str, list[dict[str, Any]]]:
        """Return the paper's tables and what annotators disagree on."""
        tokens = self.rows.all_tokens
        found = {"representation": self._shown()} if self.show is not None else {}
        found["subsets"] = tables.subsets(tokens)
        found["texts"] = tables.texts(self.rows)
        found["annotator_pairs"] = tables.annotator_pairs(self.rows)
        if self.types is not None:
            found["types"] = tables.types(self.types)
            found["confusion"] = tables.type_confusion(self.types)
            found["modernization"] = tables.modernization(self.types)
        return {**found, "disagreements": tables.disagreements(tokens), "edits": tables.confused_edits(tokens)}

    def matrices(self) -> list[Table]:
        """Return none: the result lays out its tables itself."""
        return []

    def representations(self, original: str) -> list[Representation]:
        """Show what each character of a token becomes in all its normalizations, the most frequent first."""
        word = self.word(original)
        if word is None:
            raise OptionError.about("original", f"unknown token {original!r}")
        rows = tables.representations(self.rows, word)
        return [representation(original, row["form"], characters=self.rows.characters) for row in rows]

    def word(self, original: str) -> int | None:
        """Return the number of an original; None if there is no such token."""
        forms = self.rows.data.forms
        code = forms.index(original) if original in forms else None
        return code if code is not None and (self.rows.original == code).any() else None

    @cached_property
    def types(self) -> Types | None:
        """The types of modernization, if the data has any."""
        data = self.rows.data
        return None if data.type is None else Types(data, self.rows.characters)

    def _shown(self) -> list[dict[str, Any]]:
        word = None if self.show is None else self.word(self.show)
        return [] if word is None else tables.representations(self.rows, word)

    def _notes(self) -> Iterator[str]:
        data = self.rows.data
        dropped = self.given.n_tokens - data.n_tokens
        if dropped:
            yield f"{plural(dropped, 'token')} of {self.given.n_tokens:,} left out or joined to others, as requested"
        alone = data.n_tokens - self.rows.all_tokens.n_tokens("all")
        if 0 < alone < data.n_tokens:
            have = "has" if alone == 1 else "have"
            yield (
                f"{alone:,} of {plural(data.n_tokens, 'token')} {have} normalizations from fewer than two annotators "
                "and cannot show agreement"
            )
        if self.types is not None:
            yield from self.types.notes()
        elif data.mod is not None:
            n = int(np.count_nonzero(data.mod >= 0))
            yield f"{plural(n, 'modernization')} not compared because there is no type of modernization"
        people = len(data.annotators)
        if people * (people - 1) // 2 > MOST_PAIRS:
            yield f"pairs of annotators are not listed (there are over {MOST_PAIRS}); request pairs to see them"


FAMILY = Family(
    name="normalization",
    unit="normalization",
    parameters=(
        Parameter("lower", False, yes_or_no, "whether to ignore case: true or false"),
        Parameter(
            "punctuation", "keep", choice("keep", "drop"), "keep or drop tokens that consist only of punctuation"
        ),
        Parameter("form", "none", choice(*FORMS), "the Unicode form to convert words to: none, NFC, NFD, NFKC, NFKD"),
        Parameter(
            "characters",
            "codepoints",
            choice(*CHARACTERS),
            "what a character is: codepoints, or graphemes (each with the combining marks that follow it)",
        ),
        Parameter(
            "joined", None, text, "the mark of a token that belongs to the normalization of the token before it, e.g. +"
        ),
        Parameter("show", None, text, "a token whose character representation is shown"),
        Parameter("norm", None, text, "for units: the feature with the normalization; by default norm"),
        Parameter("mod", None, text, "for units: the feature with the modernization; by default norm_broad"),
        Parameter("type", None, text, "for units: the feature with the type of modernization; by default norm_type"),
    ),
    prepare=prepare,
    result=NormalizationResult,
)
