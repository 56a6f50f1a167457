"""A UIMA CAS to units and labels of documents: what CAS XMI and CAS JSON share.

Every annotation of the view ``_InitialView`` is a unit, its type the layer, its primitive features and arrays of
strings the labels. DKPro Core, and with it INCEpTION and WebAnno, has some types that are not an annotator's layers:
tokens, which are handed over as such, sentences, metadata, and the structure of documents. In CorefAnnotator, a
mention can be in several pieces and belongs to an entity, whose name is its category.

Annotations of INCEpTION's layers for whole documents (document metadata) have no place in the text: their types are
below AnnotationBase, not Annotation. They are labels of the document (see `cas_documents`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from unisono.data import Label
from unisono.data.unit_kinds import RELATIONS
from unisono.errors import DataError, listed
from unisono.formats.collected import Collected
from unisono.formats.tools.cas_documents import DocumentLayer, add_document_labels, plain_name
from unisono.formats.tools.cas_links import add_chain_link, add_event, add_relation, relation_features

ANNOTATION = "uima.tcas.Annotation"
ANNOTATION_BASE = "uima.cas.AnnotationBase"
VIEW = "_InitialView"
UIMA = "uima"
"""The kind of schema that a type system is (see `Corpus.schemas`)."""
COREF_ANNOTATOR = "de.unistuttgart.ims.coref.annotator.api."

_DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
TOKEN = f"{_DKPRO}segmentation.type.Token"
_NO_LAYERS = (
    "uima.tcas.DocumentAnnotation",
    f"{_DKPRO}segmentation.type.Sentence",
    f"{_DKPRO}metadata.type.",
    "de.tudarmstadt.ukp.clarin.webanno.api.type.",
    "de.tudarmstadt.ukp.inception.annotation.type.",
    "org.dkpro.core.api.xml.type.",
    "org.dkpro.core.api.pdf.type.",
)
_COREF_NO_LAYERS = ("Line", "CommentAnchor", "DetachedMentionPart")
_SEGMENTS = "segments that cover the whole text, which CorefAnnotator adds itself"
_MENTION = {"next", "referenceType", "referenceRelation"}
TOP = "uima.cas.TOP"
STRINGS = "uima.cas.StringArray"
REFERENCES = "uima.cas.FSArray"
PRIMITIVES = {
    f"uima.cas.{name}" for name in ("Boolean", "Byte", "Short", "Integer", "Long", "Float", "Double", "String")
}
_NUMBERS = PRIMITIVES - {"uima.cas.Boolean", "uima.cas.String"}
_MOST_FLAGS = 1_000


def collect_cas(
    cas: Any,
    layers: Layers,
    collected: Collected,
    *,
    lines: Mapping[int, int] | None = None,
    n_elsewhere: int = 0,
) -> None:
    """Collect what a CAS holds.

    `lines` are the lines of feature structures, by their numbers; `n_elsewhere` annotations of other views were left
    out already.
    """
    views = {sofa.sofaID: sofa for sofa in cas.sofas}
    text = views[VIEW].sofaString if VIEW in views else None
    if text is None:
        others = listed([name for name in views if name != VIEW]) or "none"
        raise DataError(f"the view {VIEW} has no text, and no other is read (there are: {others}); export it again")
    collected.version(text=text)
    n_elsewhere += sum(len(cas.get_view(name).select(ANNOTATION)) for name in views if name != VIEW)
    collected.drop(f"annotations in other views than {VIEW}", n_elsewhere)
    annotations = sorted(cas.get_view(VIEW).select(ANNOTATION), key=lambda found: (*_span(found), found.type.name))
    kept = [found for found in annotations if not _is_automatic(found, len(text))]
    collected.drop(_SEGMENTS, len(annotations) - len(kept))
    _add(kept, layers, collected, lines or {})
    if layers.of_documents:
        every = cas.get_view(VIEW).select(ANNOTATION_BASE)
        add_document_labels(every, layers.of_documents, text, collected, lines or {})


class Layers:
    """Which types are layers, and their names.

    `unexplained` are types that no type system explains, so that their features cannot be read.
    """

    def __init__(self, types: Any, unexplained: Sequence[str] = ()) -> None:
        self._unexplained = frozenset(unexplained)
        placed = {kind.name: kind for kind in types.get_type(ANNOTATION).descendants}
        declared = {self._root(kind) for kind in placed.values() if not self.is_none(kind)}
        unplaced = [kind for kind in types.get_type(ANNOTATION_BASE).descendants if kind.name not in placed]
        self._documents = [kind for kind in unplaced if self._is_of_documents(kind)]
        self._short = Counter(name.rpartition(".")[2] for name in declared | {kind.name for kind in self._documents})
        self.name: Callable[[Any], str] = cache(self._name)
        self.features: Callable[[Any], dict[str, str]] = cache(self._features)
        self.role: Callable[[Any], str] = cache(self._role)
        self.root: Callable[[Any], str] = cache(self._root)

    @cached_property
    def of_documents(self) -> dict[str, DocumentLayer]:
        """The layers of labels of whole documents, by the names of their types."""
        return {
            kind.name: DocumentLayer(self.name(kind), {name: _shape(own) for name, own in self.features(kind).items()})
            for kind in self._documents
        }

    def is_none(self, kind: Any) -> bool:
        """Whether annotators do not work with a type."""
        names = [ancestor.name for ancestor in _line(kind)]
        own = names[0].removeprefix(COREF_ANNOTATOR)
        if own != names[0] and (own.rpartition(".")[2] in _COREF_NO_LAYERS or ".tei." in own or "format." in own):
            return True
        return names[0] == ANNOTATION or any(name.startswith(_NO_LAYERS) for name in names)

    def _role(self, kind: Any) -> str:
        """Return what annotations of a type are: tokens, units, something that is counted, or nothing."""
        if any(ancestor.name == TOKEN for ancestor in _line(kind)):
            return "token"
        if kind.name.startswith(COREF_ANNOTATOR) and kind.name.endswith(".CommentAnchor"):
            return "comments"
        if self.is_none(kind):
            return "nothing"
        if kind.name in self._unexplained:
            return "annotations of types that no type system explains"
        if self._is_relation(kind):
            return "relation"
        return "surface" if kind.name == f"{COREF_ANNOTATOR}v2.MentionSurface" else "unit"

    def _is_of_documents(self, kind: Any) -> bool:
        """Whether annotators label documents with a type: DKPro's own, and those that refer to others, are for more."""
        if kind.name == ANNOTATION_BASE or self.is_none(kind) or kind.name.startswith((_DKPRO, COREF_ANNOTATOR)):
            return False
        ranges = self._features(kind).values()
        return all(own in PRIMITIVES or own in (STRINGS, REFERENCES) for own in ranges)

    def _is_relation(self, kind: Any) -> bool:
        referring = {name for name, range_name in self.features(kind).items() if range_name not in PRIMITIVES}
        return relation_features(referring) is not None

    def is_end(self, kind: Any, name: str) -> bool:
        """Whether a feature is an end of a relation."""
        ends = relation_features({one for one, own in self.features(kind).items() if own not in PRIMITIVES})
        return ends is not None and name in ends

    def joined(self, kind: Any) -> str:
        """Return the layer of what relations of a type join: its name, or the type of tokens, or of all annotations."""
        ends = relation_features({one for one, own in self.features(kind).items() if own not in PRIMITIVES}) or ("",)
        return self.shown(kind.get_feature(ends[0]).rangeType)

    def shown(self, kind: Any) -> str:
        """Return the layer of a type: its name, or the type of tokens, or of all annotations."""
        is_token = any(ancestor.name == TOKEN for ancestor in _line(kind))
        return TOKEN if is_token else ANNOTATION if kind.name in (ANNOTATION, TOP) else self.name(kind)

    def slots(self, kind: Any) -> tuple[str, ...]:
        """Return the features of a type that refer to links between annotations."""
        return tuple(name for name, range_name in self.features(kind).items() if range_name == REFERENCES)

    def is_mention(self, kind: Any) -> bool:
        """Whether annotations of a type are members of chains."""
        return self.features(kind).keys() >= _MENTION

    def _name(self, kind: Any) -> str:
        root = self._root(kind)
        short = root.rpartition(".")[2]
        return root if self._short[short] > 1 else short

    def _root(self, kind: Any) -> str:
        """Return a type's name; DKPro's subtypes, such as POS_NOUN, are in the layer of the general type."""
        names = [ancestor.name for ancestor in _line(kind)]
        own = [name for name in names if name.startswith(_DKPRO)]
        return str(own[-1] if own and own[0] == names[0] else names[0])

    def _features(self, kind: Any) -> dict[str, str]:
        """Return the features that are labels, by their names in cassis, with the types of their values."""
        ranges = {feature.name: feature.rangeType for feature in kind.all_features}
        for name in ("sofa", "begin", "end"):
            ranges.pop(name, None)
        return {name: next((a.name for a in _line(r) if a.name in PRIMITIVES), r.name) for name, r in ranges.items()}


def _shape(range_name: str) -> str:
    """Return what the values of a feature of a document are like."""
    if range_name in (STRINGS, REFERENCES):
        return "names" if range_name == STRINGS else "links"
    return "number" if range_name in _NUMBERS else "value"


def _line(kind: Any) -> Iterator[Any]:
    """Iterate over a type and its supertypes."""
    while kind is not None:
        yield kind
        kind = kind.supertype


def _is_automatic(found: Any, length: int) -> bool:
    """Whether an annotation is a segment that CorefAnnotator added, not a person: all of the text, without a label."""
    name = found.type.name
    if not (name.startswith(COREF_ANNOTATOR) and name.endswith(".Segment")):
        return False
    return _span(found) == (0, length) and not getattr(found, "Label", None)


def _span(found: Any) -> tuple[int, int]:
    return found.begin or 0, found.end or 0


def _add(annotations: Sequence[Any], layers: Layers, collected: Collected, lines: Mapping[int, int]) -> None:
    tokens: list[tuple[int, int]] = []
    surfaces: dict[int, list[Any]] = defaultdict(list)
    for found in annotations:
        match layers.role(found.type):
            case "token":
                tokens.append(_token(found, lines))
            case "unit":
                with collected.record(lines.get(found.xmiID)):
                    _add_unit(found, layers, collected, lines)
            case "relation":
                line, name = lines.get(found.xmiID), layers.name(found.type)
                with collected.record(line):
                    if collected.wants(RELATIONS, {}, name):
                        labels = dict(_labels(found, layers, collected, line))
                        add_relation(found, (layers.root(found.type), name), labels, collected, line)
            case "surface":
                mention = found.Mention
                surfaces[found.xmiID if mention is None else mention.xmiID].append(found)
            case "nothing":
                pass
            case counted:
                collected.drop(counted)
    for pieces in surfaces.values():
        with collected.record(lines.get(pieces[0].xmiID)):
            _add_surfaces(pieces, collected, lines)
    if tokens:
        collected.tokens(tokens)


def _token(found: Any, lines: Mapping[int, int]) -> tuple[int, int]:
    start, end = _span(found)
    if start > end:
        message = f"a token ends ({end}) before it begins ({start}); export the file again"
        raise DataError(message, line=lines.get(found.xmiID))
    return start, end


def _add_unit(found: Any, layers: Layers, collected: Collected, lines: Mapping[int, int]) -> None:
    kind, line = found.type, lines.get(found.xmiID)
    labels = dict(_labels(found, layers, collected, line))
    if layers.is_mention(kind):
        add_chain_link(found, layers.name(kind), collected, line)
    if not kind.name.startswith(COREF_ANNOTATOR):
        if slots := layers.slots(kind):
            add_event(found, layers.name(kind), slots, labels, collected, line)
        collected.unit(*_span(found), labels, layer=layers.name(kind), line=line)
        return
    detached = getattr(found, "Discontinuous", None)
    pieces = [_span(found)] if detached is None else [_span(found), _span(detached)]
    entity = getattr(found, "Entity", None)
    labels = {"category": getattr(entity, "Label", None), **labels}
    collected.unit_in_pieces(pieces, labels, layer=layers.name(kind), line=line)


def _labels(found: Any, layers: Layers, collected: Collected, line: int | None) -> Iterator[tuple[str, Label | None]]:
    """Iterate over the labels of an annotation; what is none, and no link, is counted."""
    kind = found.type
    coref = kind.name.startswith(COREF_ANNOTATOR)
    for name, range_name in layers.features(kind).items():
        value = getattr(found, name)
        if value is None or value == "" or (coref and name in ("Entity", "Discontinuous")):
            continue
        if layers.is_mention(kind) and name in ("next", "referenceRelation"):
            continue
        if range_name in PRIMITIVES:
            yield plain_name(name), _label(value, name, line)
        elif range_name == STRINGS:
            members = tuple(member for member in value.elements or () if isinstance(member, str))
            yield plain_name(name), members or None
        elif range_name != REFERENCES and not layers.is_end(kind, name):
            collected.drop("structured features, which are not labels")


def _add_surfaces(pieces: Sequence[Any], collected: Collected, lines: Mapping[int, int]) -> None:
    """Add a mention of CorefAnnotator 2."""
    mention = pieces[0].Mention
    entity = getattr(mention, "Entity", None)
    labels = {"category": getattr(entity, "Label", None), "Flags": _flags(getattr(mention, "Flags", None))}
    line = lines.get(pieces[0].xmiID)
    collected.unit_in_pieces([_span(piece) for piece in pieces], labels, layer="Mention", line=line)


def _flags(flags: Any) -> tuple[str, ...] | None:
    """Return the names of the flags in a list, which may be circular."""
    names: list[str] = []
    while getattr(flags, "head", None) is not None and len(names) < _MOST_FLAGS:
        names.append(str(getattr(flags.head, "Label", "")))
        flags = flags.tail
    return tuple(names) or None


def _label(value: Any, name: str, line: int | None) -> Label | None:
    if isinstance(value, str | bool | int | float):
        return value
    raise DataError(
        f"the feature {plain_name(name)} should be text or a number, not {value!r:.60}; correct it", line=line
    )
