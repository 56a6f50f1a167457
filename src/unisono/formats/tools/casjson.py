"""UIMA CAS JSON 0.4, as INCEpTION and dkpro-cassis write it: one annotator's version of one text.

Specification: "JSON serialization of the Apache UIMA CAS", draft 0.4.0, of the Apache UIMA project. The file holds its
type system. Positions count UTF-16 code units, the default of the format; dkpro-cassis turns them into characters.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from unisono.data import Corpus
from unisono.errors import DataError
from unisono.formats.files import head_text
from unisono.formats.format import Format, Instructions
from unisono.formats.json_reading import load_json
from unisono.formats.tools.cas import VIEW, corpus_of_cas
from unisono.formats.tools.cas_safety import check_types, explaining
from unisono.formats.tools.inception import INCEPTION_PROJECT

_BEGIN = re.compile(r'\s*\{\s*"%(?:TYPES|VIEWS|FEATURE_STRUCTURES|HEADER|FLAGS)"\s*:|\s*\{\s*"_context"\s*:')
_MOST_VIEWS = 100


def read(path: Path, instructions: Instructions) -> Corpus:
    """Read annotations as units, their types as layers."""
    import cassis

    content = load_json(path)
    _check(content, path)
    n_elsewhere = _leave_other_views(content)
    with explaining(path):
        cas = cassis.load_cas_from_json(json.dumps(content))
        return corpus_of_cas(cas, path, instructions, n_elsewhere=n_elsewhere)


def _check(content: Any, path: Path) -> None:
    """Reject what cassis would fail on, or take very long for."""
    if not isinstance(content, dict) or not isinstance(content.get("%FEATURE_STRUCTURES"), list | dict):
        _fail("this is not CAS JSON 0.4: there are no %FEATURE_STRUCTURES; export it again as UIMA CAS JSON", path)
    types = content.setdefault("%TYPES", {})
    content.setdefault("%VIEWS", {})
    if not isinstance(types, dict) or not all(isinstance(kind, dict) for kind in types.values()):
        _fail("%TYPES should be an object of types; export the file again", path)
    supertypes = {name: str(kind.get("%SUPER_TYPE", "")) for name, kind in types.items()}
    features = {name: [key for key in kind if not key.startswith("%")] for name, kind in types.items()}
    check_types(supertypes, features, path)
    _check_structures(content["%FEATURE_STRUCTURES"], content["%VIEWS"], path)


def _check_structures(structures: Any, views: Any, path: Path) -> None:
    found: Iterable[Any] = structures.values() if isinstance(structures, dict) else structures
    kinds: Counter[str] = Counter()
    for structure in found:
        if not isinstance(structure, dict) or not isinstance(structure.get("%TYPE"), str):
            _fail("a feature structure has no %TYPE; export the file again", path)
        kinds[structure["%TYPE"]] += 1
    if not isinstance(views, dict) or max(kinds["uima.cas.Sofa"], len(views)) > _MOST_VIEWS:
        _fail(f"%VIEWS should be an object of at most {_MOST_VIEWS:,} views; check the file", path)


def _leave_other_views(content: dict[str, Any]) -> int:
    """Remove the contents of other views, which cassis does not read; return how many annotations those are."""
    views = content["%VIEWS"]
    content["%VIEWS"] = {name: view for name, view in views.items() if name == VIEW}
    members = [view.get("%MEMBERS") for name, view in views.items() if name != VIEW and isinstance(view, dict)]
    return sum(len(own) for own in members if isinstance(own, list))


def _fail(message: str, path: Path) -> NoReturn:
    raise DataError(message, path=path)


FORMAT = Format(
    name="casjson",
    title="UIMA CAS JSON",
    suffixes=(".json",),
    reads="every annotation of the view _InitialView as a unit on its text, the type as the layer, features that are "
    "text, numbers, true/false or lists of texts as labels; DKPro's tokens as tokens. Annotator and document: from "
    "the path",
    ignores="relations, links of chains, link features and other structures, other views, sentences, metadata, layout",
    names_annotators=False,
    project=INCEPTION_PROJECT,
    sniff=lambda head, path: bool(_BEGIN.match(head_text(head).removeprefix("\ufeff"))),
    read=read,
)
