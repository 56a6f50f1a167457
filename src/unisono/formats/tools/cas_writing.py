"""A corpus as UIMA CAS XMI, for INCEpTION, WebAnno and DKPro: ``{annotator}/{document}.xmi`` and ``TypeSystem.xml``."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from unisono.data import Corpus, Label, Unit
from unisono.errors import DataError
from unisono.formats.format import FolderWriting
from unisono.formats.tools.cas import ANNOTATION, PRIMITIVES, STRINGS, TOKEN
from unisono.formats.tools.cas_safety import explaining
from unisono.formats.tools.cas_types import CasTypes
from unisono.formats.tools.versions import Version, holds_only, staying, write_versions

_TYPE_SYSTEM = "TypeSystem.xml"
_TOOL = "UIMA CAS XMI"
_METADATA = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML 1.0 cannot hold."""


def _write_folder(corpus: Corpus, draft: Path, there: Collection[str] = ()) -> list[str]:
    """Write a corpus as XMI into an empty folder; return sentences about what is written differently, or not at all."""
    known = CasTypes(corpus)
    if corpus.tokens and not known.types.contains_type(TOKEN):
        known.types.create_type(TOKEN, supertypeName=ANNOTATION)
    said = write_versions(corpus, draft, _TOOL, ".xmi", lambda version, path: _write(version, path, known))
    (draft / _TYPE_SYSTEM).write_text(known.types.to_xml(), encoding="utf-8")
    return [*said, *known.said(), *staying(draft, there)]


def _write(version: Version, path: Path, known: CasTypes) -> None:
    """Write one annotator's version of a document."""
    import cassis

    if (found := _ILLEGAL.search(version.text)) is not None:
        raise DataError(
            f"the text of {version.document!r} by {version.annotator!r} has the character {found[0]!r} at "
            f"{found.start()}, which XML cannot hold; remove it, or write jsonl"
        )
    types = known.types
    cas = cassis.Cas(typesystem=types)
    cas.sofa_string, cas.sofa_mime = version.text, "text/plain"
    if types.contains_type(_METADATA):
        kind = types.get_type(_METADATA)
        names = {"documentTitle": version.document, "documentId": version.document}
        own = {name: text for name, text in names.items() if kind.get_feature(name) is not None}
        cas.add(kind(begin=0, end=len(version.text), **own))
    if version.tokens is not None:
        token = types.get_type(TOKEN)
        cas.add_all([token(begin=begin, end=end) for begin, end in version.tokens.tolist()])
    for unit in version.units:
        cas.add(_annotation(unit, known))
    with explaining():
        cas.to_xmi(path)


def _annotation(unit: Unit, known: CasTypes) -> Any:
    layer = known.layer_of(unit)
    kind, features = known.kind(layer), known.used[layer]
    labels = {called: unit.features.get(name) for name, called in features.items()}
    values = {called: _value(kind, called, label, known) for called, label in labels.items() if label is not None}
    return kind(begin=int(unit.start), end=int(unit.end), **values)


def _value(kind: Any, name: str, label: Label, known: CasTypes) -> Any:
    """Return a label as the feature has it."""
    wanted = kind.get_feature(name).rangeType.name
    if wanted == STRINGS:
        members = label if isinstance(label, tuple) else (label,)
        return known.types.get_type(STRINGS)(elements=[_legal(str(one)) for one in members])
    if wanted in PRIMITIVES and wanted != "uima.cas.String":
        try:
            return _NUMBERS[wanted](label)
        except (KeyError, TypeError, ValueError):
            raise DataError(f"the feature {name!r} of {kind.name} is a number, not {label!r}; correct it") from None
    return _legal("|".join(map(str, label)) if isinstance(label, tuple) else str(label))


def _truth(label: Any) -> bool:
    return {"true": True, "false": False}[str(label).lower()]


_NUMBERS: dict[str, Any] = {
    "uima.cas.Boolean": _truth,
    **{f"uima.cas.{name}": int for name in ("Byte", "Short", "Integer", "Long")},
    **{f"uima.cas.{name}": float for name in ("Float", "Double")},
}


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)


XMI_FOLDER = FolderWriting(
    _write_folder,
    holds_only((".xmi",), (_TYPE_SYSTEM,)),
    f".xmi and {_TYPE_SYSTEM}",
    "{annotator}/{document}.xmi",
    lambda folder: False,
)
