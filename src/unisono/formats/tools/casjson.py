"""UIMA CAS JSON 0.4, as INCEpTION and dkpro-cassis write it: one annotator's version of one text.

Specification: "JSON serialization of the Apache UIMA CAS", draft 0.4.0, of the Apache UIMA project. The file holds its
type system. Positions count UTF-16 code units, the default of the format; dkpro-cassis turns them into characters.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from unisono.data.unit_kinds import COMPOSITE
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import head_text
from unisono.formats.format import Format
from unisono.formats.json_reading import load_json
from unisono.formats.tools.cas import UIMA, VIEW, Layers, collect_cas
from unisono.formats.tools.cas_safety import check_types, explaining
from unisono.formats.tools.inception import CURATION, INCEPTION_PROJECT

_BEGIN = re.compile(r'\s*\{\s*"%(?:TYPES|VIEWS|FEATURE_STRUCTURES|HEADER|FLAGS)"\s*:|\s*\{\s*"_context"\s*:')
_MOST_VIEWS = 100


@collecting
def read(collected: Collected) -> None:
    """Read annotations as units, their types as layers."""
    import cassis

    content = load_json(collected.path)
    _check(content)
    n_elsewhere = _leave_other_views(content)
    with explaining():
        cas = cassis.load_cas_from_json(json.dumps(content))
        collected.schema(UIMA, cas.typesystem.to_xml())
        collect_cas(cas, Layers(cas.typesystem), collected, n_elsewhere=n_elsewhere)


def _check(content: Any) -> None:
    """Reject what cassis would fail on, or take very long for."""
    if not isinstance(content, dict) or not isinstance(content.get("%FEATURE_STRUCTURES"), list | dict):
        raise DataError("this is not CAS JSON 0.4: there are no %FEATURE_STRUCTURES; export it again as UIMA CAS JSON")
    types = content.setdefault("%TYPES", {})
    content.setdefault("%VIEWS", {})
    if not isinstance(types, dict) or not all(isinstance(kind, dict) for kind in types.values()):
        raise DataError("%TYPES should be an object of types; export the file again")
    supertypes = {name: str(kind.get("%SUPER_TYPE", "")) for name, kind in types.items()}
    features = {name: [key for key in kind if not key.startswith("%")] for name, kind in types.items()}
    check_types(supertypes, features)
    _check_structures(content["%FEATURE_STRUCTURES"], content["%VIEWS"])


def _check_structures(structures: Any, views: Any) -> None:
    found: Iterable[Any] = structures.values() if isinstance(structures, dict) else structures
    kinds: Counter[str] = Counter()
    for structure in found:
        if not isinstance(structure, dict) or not isinstance(structure.get("%TYPE"), str):
            raise DataError("a feature structure has no %TYPE; export the file again")
        kinds[structure["%TYPE"]] += 1
    if not isinstance(views, dict) or max(kinds["uima.cas.Sofa"], len(views)) > _MOST_VIEWS:
        raise DataError(f"%VIEWS should be an object of at most {_MOST_VIEWS:,} views; check the file")


def _leave_other_views(content: dict[str, Any]) -> int:
    """Remove the contents of other views, which cassis does not read; return how many annotations those are."""
    views = content["%VIEWS"]
    content["%VIEWS"] = {name: view for name, view in views.items() if name == VIEW}
    members = [view.get("%MEMBERS") for name, view in views.items() if name != VIEW and isinstance(view, dict)]
    return sum(len(own) for own in members if isinstance(own, list))


FORMAT = Format(
    name="casjson",
    title="UIMA CAS JSON",
    suffixes=(".json",),
    reads="every annotation of the view _InitialView as a unit on its text, the type as the layer, features that are "
    "text, numbers, true/false or lists of texts as labels; DKPro's tokens as tokens; features of layers for "
    "document metadata as labels of documents (Genre.value). With "
    + mention("units", "relations")
    + ": relations, and links of chains; with "
    + mention("units", "events")
    + ": annotations with their slots. Annotator and document: from the path",
    ignores="other structures, other views, sentences, metadata, layout",
    composite=COMPOSITE,
    options=CURATION,
    names_annotators=False,
    project=INCEPTION_PROJECT,
    sniff=lambda head, path: bool(_BEGIN.match(head_text(head).removeprefix("\ufeff"))),
    read=read,
)
