"""Labels of items in a REFI-QDA project: codings of whole sources, and variables of sources and cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from unisono.data import Label
from unisono.errors import DataError
from unisono.formats.collected import Collected
from unisono.formats.tools.refi_project import TARGET, Coder, RefiProject, guid_of
from unisono.formats.xml_reading import Node

_CODES = "codes"
_NUMBERS = ("IntegerValue", "FloatValue")
_TRUE_OR_FALSE = {"true": True, "1": True, "false": False, "0": False}


def add_coded_sources(sources: Mapping[str, Node], coder: Coder, collected: Collected) -> None:
    """Add the codes of whole sources; who coded one of them gave no label to the others."""
    found: dict[str, dict[str, set[str]]] = {}
    for name, source in sources.items():
        for coding in source.of("Coding"):
            with collected.record(coding.line):
                code = coder.code(coding)
                if code is None:
                    collected.drop("codings that assign cases, not codes")
                    continue
                found.setdefault(coder.annotator(coding, source), {}).setdefault(name, set()).add(code)
    for annotator, coded in found.items():
        collected.question(_CODES, "sets")
        for name, source in sources.items():
            label = tuple(sorted(coded[name])) if name in coded else None
            collected.answer(_CODES, name, label, annotator=annotator, text=name, line=source.line)


class _Value(NamedTuple):
    """What a variable of an item is: the elements."""

    item: str
    node: Node


def add_variables(sources: Mapping[str, Node], project: RefiProject, coder: Coder, collected: Collected) -> None:
    """Add the variables of sources and cases, if the path names the annotator: the project does not."""
    values = list(_values(sources, project))
    cases = [case for part in project.root.of("Cases") for case in part.of("Case")]
    collected.drop("codes of cases", sum(len(case.of("CodeRef")) for case in cases))
    if not coder.is_named:
        collected.drop("values of variables, of which the project does not say who gave them", len(values))
        return
    names = {
        guid_of(node): node.attributes.get("name", "") for part in project.root.of("Variables") for node in part.nodes
    }
    for item, node in values:
        with collected.record(node.line):
            reference = node.first("VariableRef")
            guid = "" if reference is None else guid_of(reference, TARGET)
            if not names.get(guid):
                raise DataError(f"a value names a variable that is not in the project ({guid or 'none'}); correct it")
            given = next((child for child in node.nodes if child.name.endswith("Value")), None)
            collected.question(names[guid], "numbers" if given is not None and given.name in _NUMBERS else None)
            collected.answer(names[guid], item, None if given is None else _label(given), text=item, line=node.line)


def _values(sources: Mapping[str, Node], project: RefiProject) -> Iterator[_Value]:
    """Iterate over values; a case without a name is that of its only source."""
    for name, source in sources.items():
        yield from (_Value(name, node) for node in source.of("VariableValue"))
    by_guid = {guid_of(source): name for name, source in sources.items()}
    for part in project.root.of("Cases"):
        for case in part.of("Case"):
            own = [by_guid.get(guid_of(reference, TARGET), "") for reference in case.of("SourceRef")]
            only = own[0] if len(own) == 1 and own[0] else guid_of(case)
            yield from (_Value(case.attributes.get("name") or only, node) for node in case.of("VariableValue"))


def _label(value: Node) -> Label | None:
    text = value.text().strip()
    if not text:
        return None
    try:
        match value.name:
            case "BooleanValue":
                return _TRUE_OR_FALSE[text.lower()]
            case "IntegerValue":
                return int(text)
            case "FloatValue":
                return float(text)
    except (KeyError, ValueError):
        raise DataError(f"the {value.name} is {text!r:.60}; correct it", line=value.line) from None
    return text
