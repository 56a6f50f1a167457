"""Protects against harmful files in dkpro-cassis, and turns its errors into sentences.

cassis makes classes out of a type system, and so Python code out of the names of features; the time for that grows with
the square of the number of features that a type has.
"""

from __future__ import annotations

import keyword
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from unisono.errors import DataError

_DEEPEST = 50
_MOST_WORK = 500_000


@contextmanager
def explaining() -> Iterator[None]:
    """Turn every way in which cassis, lxml or generated code can fail into a sentence."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.filterwarnings("error", message="Not mapping")
            yield
    except (DataError, MemoryError):
        raise
    except UserWarning as warning:
        raise DataError(f"a position is not within the text ({warning}); export the file again") from None
    except Exception as error:
        reason = " ".join(str(getattr(error, "message", "") or error).split())[:200]
        raise DataError(f"the CAS cannot be read ({type(error).__name__}: {reason}); export it again") from None


def check_types(supertypes: Mapping[str, str], features: Mapping[str, Sequence[str]]) -> None:
    """Reject a harmful type system (types to supertypes, and to the features that they add) before cassis uses it."""
    for name, own in features.items():
        for feature in own:
            if not feature.isidentifier():
                raise DataError(f"the type {name!r} has a feature {feature!r}, which is not a name; correct it")
            if keyword.iskeyword(feature):
                other = "rename it, or export as WebAnno TSV 3"
                raise DataError(f"the type {name!r} has a feature {feature!r}, a keyword of Python; {other}")
    work = 0
    for name in supertypes:
        ancestors = _ancestors(name, supertypes)
        if len(ancestors) > _DEEPEST:
            raise DataError(f"the type {name!r} has more than {_DEEPEST} types above it; check the type system")
        work += sum(len(features.get(ancestor, ())) for ancestor in ancestors) ** 2
    if work > _MOST_WORK:
        raise DataError("the type system has far too many features; check it")


def _ancestors(name: str, supertypes: Mapping[str, str]) -> list[str]:
    """Return a type and those above it, but not many more than are allowed."""
    found = [name]
    while found[-1] in supertypes and len(found) <= _DEEPEST:
        found.append(supertypes[found[-1]])
    return found
