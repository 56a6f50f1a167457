"""Labels that are cleaned, so that those that mean the same are the same."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import regex

from unisono.data import Corpus, Label
from unisono.data.export import LAYER_FEATURE
from unisono.data.labels import feature
from unisono.errors import OptionError, listed
from unisono.preparation.units import with_features

_Cleaner: TypeAlias = Callable[[str], str]
_PLAIN = str.maketrans(dict.fromkeys("„“”«»‹›", '"') | dict.fromkeys("`´‚‘’", "'"))
_PAIR = re.compile(r""""([^"]*)"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))*)'(?!\w)""")
_SECONDS = 10.0
"""The time that a pattern may take for all labels."""


def _without_quotes(text: str) -> str:
    """Remove quotation marks that belong together, and write single ones and apostrophes in one way."""
    plain, before = text.strip().translate(_PLAIN), ""
    while plain != before:  # one pair may be around another
        plain, before = _PAIR.sub(lambda pair: pair[1] or pair[2] or "", plain).strip(), plain
    return plain


CLEANERS: Mapping[str, _Cleaner] = {
    "case": str.lower,
    "quotes": _without_quotes,
    "spaces": lambda text: " ".join(text.split()),
}
"""Steps that have a name, in the order in which they are applied if they stand side by side."""


def clean_labels(corpus: Corpus, how: Sequence[str]) -> Corpus:
    r"""Clean the labels of all features; labels that become equal are one label, and empty ones are removed.

    Steps are names (see `CLEANERS`), ``s/pattern/replacement/`` (a regular expression, with another character in place
    of the slash if you like, and groups as ``\1``), or ``cut=|``, which removes everything from that mark on.
    """
    cleaned = label_cleaner(how)
    columns = {}
    for name, column in corpus.features.items():
        table = [cleaned(label) for label in (*column.labels, None)]  # -1 is no label
        columns[name] = column if name == LAYER_FEATURE else feature(table[code] for code in column.codes.tolist())
    return with_features(corpus, columns)


def label_cleaner(how: Sequence[str]) -> Callable[[Label | None], Label | None]:
    """Return what cleans a label; None is what remains of an empty one."""
    steps = [_cleaner(step) for step in ordered_steps(how)]

    def cleaned(label: Label | None) -> Label | None:
        if isinstance(label, tuple):
            return tuple(sorted({str(cleaned(member)) for member in label if cleaned(member)})) or None
        if not isinstance(label, str):
            return label
        for step in steps:
            label = step(label)
        return label or None

    return cleaned


def ordered_steps(how: Sequence[str]) -> list[str]:
    """Return steps in the order in which they are applied: as written, but names side by side always in one order."""
    order = list(CLEANERS)
    found: list[str] = []
    names: list[str] = []
    for step in how:
        if step in order:
            names.append(step)
        else:
            found += [*sorted(set(names), key=order.index), step]
            names = []
    return [*found, *sorted(set(names), key=order.index)]


def _cleaner(step: str) -> _Cleaner:
    if step in CLEANERS:
        return CLEANERS[step]
    if step.startswith("cut=") and len(step) > len("cut="):
        mark = step.removeprefix("cut=")
        return lambda text: text.partition(mark)[0].rstrip()
    if step[:1] == "s" and len(step) > 1 and not step[1].isalnum() and not step[1].isspace():
        return _replacing(step)
    raise OptionError(
        f"unknown cleaning step {step!r}; available: {listed([*CLEANERS, 's/pattern/replacement/', 'cut=|'])}", "clean"
    )


def _replacing(step: str) -> _Cleaner:
    """Return what replaces a regular expression, written s/pattern/replacement/."""
    mark = step[1]
    parts = step[2:].split(mark)
    if len(parts) != 3 or parts[2]:
        reason = f"it needs three {mark!r}: s{mark}pattern{mark}replacement{mark}; or use a mark that is in neither"
        raise _wrong(step, reason)
    try:
        pattern = regex.compile(parts[0])
        pattern.sub(parts[1], "")
    except (regex.error, IndexError) as error:
        raise _wrong(step, f"the pattern is invalid ({error})") from None
    end: list[float] = []

    def replaced(text: str) -> str:
        if not end:
            end.append(time.monotonic() + _SECONDS)
        try:
            return str(pattern.sub(parts[1], text, timeout=max(end[0] - time.monotonic(), 0.001)))
        except TimeoutError:
            raise _wrong(step, "the pattern takes too long; make it simpler") from None
        except (regex.error, IndexError) as error:
            raise _wrong(step, f"the replacement is invalid ({error})") from None

    return replaced


def _wrong(step: str, why: str) -> OptionError:
    return OptionError(f"cannot use {step!r}: {why}", "clean")
