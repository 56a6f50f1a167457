"""A corpus as UIMA CAS XMI, for INCEpTION, WebAnno and DKPro: ``{annotator}/{document}.xmi`` and ``TypeSystem.xml``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from unisono.data import Corpus, Label, Unit
from unisono.errors import DataError
from unisono.formats.format import FolderWriting
from unisono.formats.tools.cas import PRIMITIVES, REFERENCES, STRINGS, TOKEN
from unisono.formats.tools.cas_documents import plain_name
from unisono.formats.tools.cas_links import relation_features
from unisono.formats.tools.cas_safety import explaining
from unisono.formats.tools.cas_types import GOVERNOR, CasTypes
from unisono.formats.tools.inception_links import POS, is_dependency
from unisono.formats.tools.linked import Link, Linking, Mark
from unisono.formats.tools.versions import Version, holds_only, staying, write_versions

_TYPE_SYSTEM = "TypeSystem.xml"
_TOOL = "UIMA CAS XMI"
_METADATA = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML 1.0 cannot hold."""


def _write_folder(corpus: Corpus, draft: Path, there: Collection[str] = ()) -> list[str]:
    """Write a corpus as XMI into an empty folder; return sentences about what is written differently, or not at all."""
    known = CasTypes(corpus)
    if corpus.tokens:
        known.kind(TOKEN)
    linking = known.linking(_TOOL)
    said = write_versions(corpus, draft, _TOOL, ".xmi", lambda version, path: _write(version, path, known, linking))
    (draft / _TYPE_SYSTEM).write_text(known.types.to_xml(), encoding="utf-8")
    return [*said, *linking.said(), *known.said(), *staying(draft, there)]


def _write(version: Version, path: Path, known: CasTypes, linking: Linking) -> None:
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
    tokens: dict[tuple[int, int], Any] = {}
    for begin, end in () if version.tokens is None else version.tokens.tolist():
        tokens[begin, end] = known.kind(TOKEN)(begin=begin, end=end)
        cas.add(tokens[begin, end])
    linked = linking.linked(version, {TOKEN: tokens.keys()} if tokens else None)
    made = [_annotation(mark, known, tokens) for mark in linked.marks]
    for mark, annotation in zip(linked.marks, made, strict=True):
        if annotation is not tokens.get((mark.start, mark.end)):
            cas.add(annotation)
    for number, slots in linked.slots.items():
        _fill(made[number], linked.marks[number].layer, [(role, made[end]) for role, end in slots], known)
    for link in linked.links:
        for end in (made[link.source], made[link.source if link.target is None else link.target]):
            _add_pos(end, cas, types)
        cas.add(_relation(link, made, known))
    with explaining():
        cas.to_xmi(path)


def _annotation(mark: Mark, known: CasTypes, tokens: Mapping[tuple[int, int], Any]) -> Any:
    if mark.layer == TOKEN and (mark.start, mark.end) in tokens:
        return tokens[mark.start, mark.end]
    return known.kind(mark.layer)(begin=mark.start, end=mark.end, **_values(mark.layer, mark.unit, known))


def _fill(event: Any, layer: str, members: Sequence[tuple[str, Any]], known: CasTypes) -> None:
    """Fill the slots of an event."""
    filled: dict[str, list[Any]] = {}
    for role, end in members:
        slot = known.slot_of(layer, role)
        named = None if role == plain_name(slot.name) else _legal(role)
        filled.setdefault(slot.name, []).append(end if slot.link is None else slot.link(role=named, target=end))
    for name, elements in filled.items():
        setattr(event, name, known.types.get_type(REFERENCES)(elements=elements))


def _relation(link: Link, made: Sequence[Any], known: CasTypes) -> Any:
    """Make a relation, which is where its dependent is; what has no target depends on itself."""
    kind = known.kind(link.layer)
    source = made[link.source]
    target = source if link.target is None else made[link.target]
    governor, dependent = (target, source) if is_dependency(kind.name) else (source, target)
    names = relation_features([feature.name for feature in kind.all_features]) or GOVERNOR
    ends = dict(zip(names, (governor, dependent), strict=True))
    return kind(begin=dependent.begin, end=dependent.end, **ends, **_values(link.layer, link.unit, known))


def _add_pos(token: Any, cas: Any, types: Any) -> None:
    """Give a token a part of speech, which INCEpTION draws dependencies from and to."""
    if token.type.name != TOKEN or token.type.get_feature("pos") is None or token.pos is not None:
        return
    if types.contains_type(POS):
        token.pos = types.get_type(POS)(begin=token.begin, end=token.end)
        cas.add(token.pos)


def _values(layer: str, unit: Unit | None, known: CasTypes) -> dict[str, Any]:
    """Return the labels of a unit as the features have them."""
    if unit is None:
        return {}
    kind = known.kind(layer)
    labels = {called: unit.features.get(name) for name, called in known.used[layer].items()}
    return {called: _value(kind, called, label, known) for called, label in labels.items() if label is not None}


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
