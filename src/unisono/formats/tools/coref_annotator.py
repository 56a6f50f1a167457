"""What CorefAnnotator (Reiter 2018) writes, whose files come without a type system.

Three versions are in use, in the packages ``api``, ``api.v1`` and ``api.v2``. Until version 1, a mention is an
annotation and may have one detached part; since version 2, it has any number of surfaces. What else the files hold,
such as tokens or the structure of plays, depends on the source of the text; only its positions are known.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from unisono.formats.tools.cas import ANNOTATION, COREF_ANNOTATOR
from unisono.formats.tools.cas_safety import check_types

_TOP = "uima.cas.TOP"
_REFERENCES = {"Entity": _TOP, "Discontinuous": _TOP, "Mention": _TOP, "Flags": "uima.cas.FSList"}
_EVERYWHERE = ("sofa", "begin", "end")


def type_system(
    attributes: Mapping[str, Collection[str]],
    annotations: Collection[str],
    children: Mapping[str, Collection[str]],
) -> tuple[Any, list[str]]:
    """Make the type system of a file, and list the types that are not CorefAnnotator's.

    Given are the types in the file with the names of their attributes and of the elements within, and the types that
    have a span.
    """
    import cassis

    types = cassis.TypeSystem()
    own = {name: _ranges(name, attributes[name], children.get(name, ())) for name in attributes}
    new = {name: ranges for name, ranges in own.items() if not types.contains_type(name)}
    check_types(dict.fromkeys(new, _TOP), {name: list(ranges) for name, ranges in new.items()})
    for name, ranges in new.items():
        kind = types.create_type(name, supertypeName=ANNOTATION if name in annotations else _TOP)
        for feature, range_name in ranges.items():
            types.create_feature(kind, feature, range_name)
    return types, [name for name in new if not name.startswith(COREF_ANNOTATOR)]


def _ranges(kind: str, attributes: Collection[str], children: Collection[str]) -> dict[str, str]:
    """Return the types of a type's features; text, if nothing is known."""
    known = _REFERENCES if kind.startswith(COREF_ANNOTATOR) else {}
    texts = {name: known.get(name, "uima.cas.String") for name in attributes if name not in _EVERYWHERE}
    return texts | dict.fromkeys(children, "uima.cas.StringArray")
