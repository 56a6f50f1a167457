"""Forms made comparable before anything is counted: case, Unicode, punctuation, joined tokens (Bollmann et al. §3).

Everything is done once for each distinct form, however often it occurs.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from unisono.arrays import BoolArray, IntArray
from unisono.data import Normalizations
from unisono.data.labels import MISSING
from unisono.data.normalizations import Forms
from unisono.errors import DataError

FORMS = ("none", "NFC", "NFD", "NFKC", "NFKD")


def cleaned(data: Normalizations, *, lower: bool, punctuation: str, form: str, joined: str | None) -> Normalizations:
    """Clean normalizations; the parameters are those of the measure."""
    if joined is not None and joined in data.forms:
        data = _with_joined(data, data.forms.index(joined))
    if punctuation == "drop":
        data = _some_tokens(data, ~np.array([_is_punctuation(form) for form in data.forms])[data.original])
    return _with_forms(data, _cleaner(lower, form))


def _cleaner(lower: bool, form: str) -> Callable[[str], str] | None:
    if form == "none":
        return str.lower if lower else None
    kind = cast(Literal["NFC", "NFD", "NFKC", "NFKD"], form)
    return lambda text: unicodedata.normalize(kind, text.lower() if lower else text)


def _with_forms(data: Normalizations, clean: Callable[[str], str] | None) -> Normalizations:
    """Replace each form; some may become equal."""
    if clean is None:
        return data
    texts = [clean(form).strip() for form in data.forms]
    forms = sorted(set(texts))
    number = {text: code for code, text in enumerate(forms)}
    codes = np.array([*(number[text] for text in texts), MISSING], dtype=np.int64)
    return replace(
        data,
        forms=Forms(forms),
        original=codes[data.original],
        norm=codes[data.norm],
        mod=None if data.mod is None else codes[data.mod],
    )


def _some_tokens(data: Normalizations, rows: BoolArray | IntArray) -> Normalizations:
    return replace(
        data,
        document=data.document[rows],
        original=data.original[rows],
        norm=data.norm[rows],
        mod=None if data.mod is None else data.mod[rows],
        type=None if data.type is None else data.type[rows],
        sentence=None if data.sentence is None else data.sentence[rows],
    )


def _is_punctuation(form: str) -> bool:
    return all(unicodedata.category(character)[0] in "PZ" for character in form)


def _with_joined(data: Normalizations, mark: int) -> Normalizations:
    """Make one unit of tokens that any annotator joined, for all annotators: words with blanks between them."""
    attached = (data.norm == mark).any(axis=1)
    begins = np.ones(len(attached), dtype=np.bool_)
    begins[1:] = data.document[1:] != data.document[:-1]
    if (attached & begins).any():
        token = int(np.flatnonzero(attached & begins)[0])
        name, word = data.documents[data.document[token]], data.forms[data.original[token]]
        raise DataError(
            f"the first token of document {name!r}, {word!r}, is marked {data.forms[mark]!r} as joined to the token "
            "before it, but there is none; fix the mark"
        )
    heads = np.flatnonzero(~attached)
    ends = np.append(heads[1:], len(attached))
    made = _some_tokens(data, heads)
    long = np.flatnonzero(ends - heads > 1)
    words = _Forms(data.forms)
    original, norm = made.original.copy(), made.norm.copy()
    mod = None if made.mod is None else made.mod.copy()
    kind = None if made.type is None else made.type.copy()
    for unit in long.tolist():
        group = slice(heads[unit], ends[unit])
        original[unit] = words.together(data.original[group].tolist())
        for who in range(len(data.annotators)):
            own = heads[unit] + np.flatnonzero(data.norm[group, who] != mark)
            norm[unit, who] = words.together(data.norm[own, who].tolist())
            if data.mod is not None and mod is not None and (data.mod[own, who] >= 0).any():
                further = np.where(data.mod[own, who] >= 0, data.mod[own, who], data.norm[own, who])
                mod[unit, who] = words.together(further.tolist())
            if data.type is not None and kind is not None:
                kind[unit, who] = next((code for code in data.type[group, who].tolist() if code >= 0), MISSING)
    made = replace(made, forms=Forms(words.forms), original=original, norm=norm, mod=mod, type=kind)
    return _with_forms(made, str.strip)  # sorts the forms again


class _Forms:
    """Forms, and those that are made from them."""

    def __init__(self, forms: Sequence[str]) -> None:
        self.forms = list(forms)
        self._number = {form: code for code, form in enumerate(forms)}

    def together(self, codes: Sequence[int]) -> int:
        """Return the number of some forms with blanks between them; -1 if one is missing."""
        if not codes or min(codes) < 0:
            return MISSING
        text = " ".join(self.forms[code] for code in codes)
        if text not in self._number:
            self._number[text] = len(self.forms)
            self.forms.append(text)
        return self._number[text]
