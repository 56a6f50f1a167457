"""`unisono measures`: what can be measured."""

from __future__ import annotations

import json

from unisono.cli.options import AsJson


def measures(as_json: AsJson = False) -> None:
    """List the measures, what they need and what they ignore."""
    from unisono.measures import registry

    known = registry.measures().values()
    if as_json:
        print(json.dumps([_plain(declaration) for declaration in known], ensure_ascii=False, indent=1))
        return
    from rich.table import Table

    from unisono.cli.screen import screen

    for declaration in known:
        screen.print(f"{declaration.name}   {declaration.title}", style="bold")
        facts = Table.grid(padding=(0, 2))
        for name in ("needs", "ignores", "reference"):
            facts.add_row(f"  {name}", getattr(declaration, name))
        for parameter in declaration.parameters:
            default = "" if parameter.default is None else f" [{parameter.default}]"
            facts.add_row(f"  {parameter.name}=", f"{parameter.description}{default}")
        screen.print(facts)


def _plain(declaration: object) -> dict[str, object]:
    plain = {name: getattr(declaration, name) for name in ("name", "title", "needs", "ignores", "reference")}
    parameters = getattr(declaration, "parameters", ())
    plain["parameters"] = [{"name": p.name, "default": p.default, "description": p.description} for p in parameters]
    return plain
