"""`unisono measures`: what can be measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.completion import measure_names
from unisono.cli.printing import AsJson, plain_table, print_json, screen

if TYPE_CHECKING:
    from unisono.measurement.declaration import Declaration

_FACTS = ("name", "title", "family", "needs", "ignores", "when", "reference")


def measures(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME…]", help="Show these with their parameters.", autocompletion=measure_names),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the measures: what they need and what they ignore.

    The list cites each measure's source. Name measures to see their parameters and defaults.

    Examples
    --------
    unisono measures
    unisono measures gamma krippendorff-alpha
    """
    from unisono.measurement import registry

    chosen = [registry.declared(name) for name in names] if names else list(registry.measures().values())
    if as_json:
        print_json([_plain(declaration) for declaration in chosen])
    elif names:
        _show_parameters(chosen)
    else:
        _show(chosen)


def _show(declarations: Sequence[Declaration]) -> None:
    console = screen()
    for family in dict.fromkeys(declaration.family for declaration in declarations):
        table = plain_table(padding=(0, 2, 1, 0))
        table.add_column(family, no_wrap=True)
        for title in ("needs", "ignores", "reference"):
            table.add_column(title)
        for one in declarations:
            if one.family == family:
                table.add_row(one.name, one.needs, one.ignores, one.reference)
        console.print(table)
        console.print()
    console.print("Parameters: unisono measures NAME. What suits your data: unisono advise PATH", style="dim")


def _show_parameters(declarations: Sequence[Declaration]) -> None:
    from rich.table import Table

    console = screen()
    for declaration in declarations:
        console.print(f"{declaration.name}   {declaration.title}", style="bold")
        facts = Table.grid(padding=(0, 2))
        for name, fact in (("needs", "needs"), ("ignores", "ignores"), ("use it", "when"), ("reference", "reference")):
            facts.add_row(f"  {name}", getattr(declaration, fact))
        for parameter in declaration.parameters:
            default = "" if parameter.default is None else f" [{parameter.default}]"
            facts.add_row(f"  {parameter.name}=", f"{parameter.description}{default}")
        console.print(facts)


def _plain(declaration: Declaration) -> dict[str, Any]:
    plain: dict[str, Any] = {name: getattr(declaration, name) for name in _FACTS}
    plain["parameters"] = [
        {"name": parameter.name, "default": parameter.default, "description": parameter.description}
        for parameter in declaration.parameters
    ]
    return plain
