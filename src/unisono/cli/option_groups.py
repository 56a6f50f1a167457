"""Options that go together are a dataclass: a command that has a parameter of its type has all of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import Field, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_type_hints


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Offer the fields of a command's groups of options as options of the command.

    Of options with the same name, the command's own is offered, else the first group's; others keep their defaults.
    """
    hints = get_type_hints(command, include_extras=True)
    own = inspect.signature(command).parameters
    groups = {name: hints[name] for name in own if is_dataclass(hints[name])}
    single = [parameter for name, parameter in own.items() if name not in groups]
    taken = {_flag(parameter.name) for parameter in single}
    offered: dict[str, list[Field[Any]]] = {}
    for name, group in groups.items():
        offered[name] = [one for one in fields(group) if _flag(one.name) not in taken]
        taken |= {_flag(one.name) for one in offered[name]}

    @wraps(command)
    def called(**given: Any) -> None:
        made = {
            name: group(**{one.name: given.pop(one.name) for one in offered[name]}) for name, group in groups.items()
        }
        command(**given, **made)

    parameters = [_keyword(parameter.name, hints[parameter.name], parameter.default) for parameter in single]
    for name, group in groups.items():
        kinds = get_type_hints(group, include_extras=True)
        parameters += [_keyword(one.name, _declared(kinds[one.name], one), one.default) for one in offered[name]]
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return called


def _flag(name: str) -> str:
    """Return what a parameter is called on the command line: the number of annotators is --annotators, too."""
    return name.removeprefix("n_")


def _declared(kind: Any, one: Field[Any]) -> Any:
    return Annotated[kind, one.metadata["option"]] if "option" in one.metadata else kind


def _keyword(name: str, kind: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
