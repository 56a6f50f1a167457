"""A corpus as UIMA CAS XMI, for INCEpTION, WebAnno and DKPro: ``{annotator}/{document}.xmi`` and ``TypeSystem.xml``.

Types and features are those of the project that was read, if there was one; what is new becomes a type
``webanno.custom.NAME``, as INCEpTION names custom layers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from unisono.data import Corpus, Label, Unit
from unisono.data.export import LAYER_FEATURE, ONLY_LAYER
from unisono.data.labels import MISSING
from unisono.errors import DataError, plural
from unisono.formats.collected import FEATURE_TYPE
from unisono.formats.tools.cas import ANNOTATION, PRIMITIVES, STRINGS, TOKEN, UIMA, Layers
from unisono.formats.tools.cas_documents import plain_name
from unisono.formats.tools.cas_safety import explaining
from unisono.formats.tools.versions import Version, holds_only, write_versions

TYPE_SYSTEM = "TypeSystem.xml"
PATTERN = "{annotator}/{document}.xmi"
HOLDS = f".xmi and {TYPE_SYSTEM}"
_TOOL = "UIMA CAS XMI"
_CUSTOM = "webanno.custom."
_DEFAULT_LAYER = "Unit"
_METADATA = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
_NO_NAME = re.compile(r"[^A-Za-z0-9_]")
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML 1.0 cannot hold."""

holds_only_xmi = holds_only((".xmi",), (TYPE_SYSTEM,))


def write_folder(corpus: Corpus, draft: Path, there: Collection[str] = ()) -> list[str]:
    """Write a corpus as XMI into an empty folder; return sentences about what is written differently, or not at all."""
    writer = _Writer(corpus)
    said = write_versions(corpus, draft, _TOOL, ".xmi", writer.write)
    (draft / TYPE_SYSTEM).write_text(writer.types.to_xml(), encoding="utf-8")
    staying = sorted(set(there) - {TYPE_SYSTEM, *(path.name for path in draft.iterdir())})
    kept = [f"what else is in the folder stays as it is: {', '.join(staying)}"] if staying else []
    return [*said, *writer.said(), *kept]


class _Writer:
    """Writes versions with one type system."""

    def __init__(self, corpus: Corpus) -> None:
        import cassis

        with explaining():
            known = [cassis.load_typesystem(text) for text in corpus.schemas.get(UIMA, ())]
            self.types: Any = cassis.merge_typesystems(*known) if known else cassis.TypeSystem()
        self._given = bool(known)
        layers = Layers(self.types)
        self._kinds: dict[str, Any] = {
            layers.name(kind): self.types.get_type(layers.root(kind))
            for kind in self.types.get_type(ANNOTATION).descendants
            if layers.role(kind) == "unit"
        }
        self._lost: Counter[str] = Counter()
        self._new: list[str] = []
        self._features: dict[tuple[str, str], str | None] = {}
        self._labels = {name: column.labels for name, column in corpus.features.items()}
        if corpus.tokens and not self.types.contains_type(TOKEN):
            self.types.create_type(TOKEN, supertypeName=ANNOTATION)
        (self._layer,) = corpus.schemas.get(ONLY_LAYER, (_DEFAULT_LAYER,))[:1]
        self._declare(corpus)

    def write(self, version: Version, path: Path) -> None:
        """Write one annotator's version of a document."""
        import cassis

        if (found := _ILLEGAL.search(version.text)) is not None:
            raise DataError(
                f"the text of {version.document!r} by {version.annotator!r} has the character {found[0]!r} at "
                f"{found.start()}, which XML cannot hold; remove it, or write jsonl"
            )
        cas = cassis.Cas(typesystem=self.types)
        cas.sofa_string, cas.sofa_mime = version.text, "text/plain"
        if self.types.contains_type(_METADATA):
            kind = self.types.get_type(_METADATA)
            names = {"documentTitle": version.document, "documentId": version.document}
            own = {name: text for name, text in names.items() if kind.get_feature(name) is not None}
            cas.add(kind(begin=0, end=len(version.text), **own))
        if version.tokens is not None:
            token = self.types.get_type(TOKEN)
            cas.add_all([token(begin=begin, end=end) for begin, end in version.tokens.tolist()])
        for unit in version.units:
            cas.add(self._annotation(unit))
        with explaining():
            cas.to_xmi(path)

    def said(self) -> list[str]:
        """Say what is new in the type system, and what was left out."""
        new = [f"new in the type system, so add it to the project before you import: {', '.join(self._new)}"]
        return [
            *(new if self._new and self._given else ()),
            *(f"{what}: {plural(n, 'label')} not written" for what, n in self._lost.items()),
        ]

    def _declare(self, corpus: Corpus) -> None:
        """Make the types and features that are needed, all before the first annotation: cassis makes classes of them."""
        layers = corpus.features.get(LAYER_FEATURE)
        codes = np.full(corpus.n_units, MISSING) if layers is None else layers.codes
        for code in np.unique(codes).tolist():
            own = codes == code
            kind = self._kind(self._layer if layers is None or code == MISSING else str(layers.labels[code]))
            for name, column in corpus.features.items():
                if name != LAYER_FEATURE and (column.codes[own] != MISSING).any():
                    self._feature(kind, name)

    def _annotation(self, unit: Unit) -> Any:
        layer = unit.features.get(LAYER_FEATURE)
        kind = self._kind(self._layer if layer is None else str(layer))
        values: dict[str, Any] = {}
        for name, label in unit.features.items():
            if name == LAYER_FEATURE or label is None:
                continue
            own = self._feature(kind, name)
            if own is None:
                self._lost[f"the layer {kind.name} has no feature {name!r}"] += 1
            else:
                values[own] = self._value(kind, own, label)
        return kind(begin=int(unit.start), end=int(unit.end), **values)

    def _kind(self, layer: str) -> Any:
        """Return the type of a layer; make one that is not known."""
        if layer not in self._kinds:
            name = f"{_CUSTOM}{_name(layer)}"
            if not self.types.contains_type(name):
                self.types.create_type(name, supertypeName=ANNOTATION)
                self._new.append(name)
            self._kinds[layer] = self.types.get_type(name)
        return self._kinds[layer]

    def _feature(self, kind: Any, name: str) -> str | None:
        """Return how cassis calls a feature; make it if the type is ours, None if the project's type lacks it."""
        key = (kind.name, name)
        if key not in self._features:
            there = {plain_name(one.name): one.name for one in kind.all_features}
            plain = LAYER_FEATURE if name == FEATURE_TYPE else name
            if plain in there or (self._given and kind.name not in self._new):
                self._features[key] = there.get(plain)
            else:
                own = _name(name)
                if kind.get_feature(own) is None:
                    self.types.create_feature(kind, own, _range(self._labels.get(name, ())))
                self._features[key] = own
        return self._features[key]

    def _value(self, kind: Any, name: str, label: Label) -> Any:
        """Return a label as the feature has it."""
        wanted = kind.get_feature(name).rangeType.name
        if wanted == STRINGS:
            members = label if isinstance(label, tuple) else (label,)
            return self.types.get_type(STRINGS)(elements=[_legal(str(one)) for one in members])
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


def _range(labels: Sequence[Label]) -> str:
    """Return the type of values that holds some labels."""
    if any(isinstance(label, tuple) for label in labels):
        return STRINGS
    kinds = {type(label) for label in labels}
    if kinds == {bool}:
        return "uima.cas.Boolean"
    if kinds == {int} and all(abs(int(label)) < 2**31 for label in labels if isinstance(label, int)):
        return "uima.cas.Integer"
    return "uima.cas.Double" if kinds and kinds <= {int, float} else "uima.cas.String"


def _name(text: str) -> str:
    """Make a name of a type or feature: letters, digits and _, as UIMA and Python need it."""
    import keyword

    cleaned = _NO_NAME.sub("_", text)
    own = cleaned if cleaned[:1].isalpha() else f"x{cleaned}"
    return f"{own}_" if keyword.iskeyword(own) or own in ("self", "type", "begin", "end", "sofa") else own


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)
