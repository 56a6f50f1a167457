"""Write the pages of docs/reference that follow from the code: `python docs/make_reference.py`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import click
import typer

import unisono
from unisono.cli.app import app
from unisono.cli.help import option_rows
from unisono.compat import pygamma
from unisono.measurement.declaration import Declaration

REFERENCE = Path(__file__).parent / "reference"
API = Path(__file__).parent / "api.md"
MADE = "<!-- made by docs/make_reference.py; change the code, not this page -->\n\n"
PYTHON = {
    "reading": ("Reading, writing and data", ("Reading and writing", "Data")),
    "measures": ("Measures", ("Measures",)),
    "results": ("Results and alignments", ("Results", "Alignments")),
    "distances": ("Distances between labels", ("Distances",)),
    "comparing": ("Comparing and planning", ("Comparing and planning",)),
    "gold": ("Gold standard and report", ("Gold standard", "Report")),
    "shuffling": ("Shuffling", ("Shuffling",)),
    "studies": ("Studies", ("Studies",)),
    "errors": ("Errors and version", ("Errors and version",)),
}
"""Page to its title and the sections of docs/api.md whose names it explains."""
INTERNAL = {
    "unisono.Corpus": "all_extents chosen_feature columns_between label_features origin part rows",
    "unisono.Document": "annotation_set guessed_from_more quoting readable",
    "unisono.Export": "ambiguous of_kind simplest",
}
"""Classes to members that only the packages of unisono use."""
_MANY = 5
"""Options that so many commands have are explained once."""
_Rows: TypeAlias = list[tuple[str, str]]
"""Options as they are written, and what they mean."""


def main() -> None:
    """Write all pages."""
    for name, text in pages().items():
        path = REFERENCE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def pages() -> dict[str, str]:
    """Return the text of each page by its path in docs/reference."""
    made = {"commands.md": commands(), "measures.md": measures(), "result.md": result()}
    made |= {f"python/{name}.md": python(title, sections) for name, (title, sections) in PYTHON.items()}
    made["python/pygamma.md"] = compatible()
    return {name: text.rstrip("\n") + "\n" for name, text in made.items()}


def commands() -> str:
    """Return the help of all commands, as `unisono COMMAND --help` prints it; options of several commands only once."""
    group = typer.main.get_command(app)
    assert isinstance(group, click.Group | typer.core.TyperGroup)
    contexts = {name: click.Context(one, info_name=f"unisono {name}") for name, one in group.commands.items()}
    tables = {name: option_rows(group.commands[name].get_params(one)) for name, one in contexts.items()}
    shared = _shared(tables.values())
    parts = [
        "# Commands\n\n",
        MADE,
        "`unisono COMMAND --help` prints everything about a command.\n\n",
        *_option_tables(option_rows(group.get_params(click.Context(group)))),
        "## Options of several commands\n\n",
        *(f"### {heading}\n\n{_rows(list(rows))}\n" for heading, rows in shared.items()),
    ]
    for name, context in contexts.items():
        usage = " ".join([f"unisono {name}", *group.commands[name].collect_usage_pieces(context)])
        parts += [
            f"## unisono {name}\n\n",
            _purpose(group.commands[name].help or ""),
            f"```text\n{usage}\n```\n\n",
            *_option_tables(tables[name], shared),
        ]
    return "".join(parts)


def measures() -> str:
    """Return a table of all measures with what they can handle, and one of the parameters of each."""
    declared = list(unisono.measures().values())
    parts = [
        "# Measures\n\n",
        MADE,
        "`unisono measures` prints what each needs and ignores, and `unisono advise FILE` which fit your data.\n\n",
    ]
    for family in dict.fromkeys(one.family for one in declared):
        own = [one for one in declared if one.family == family]
        parts += [f"## {family.capitalize()}\n\n", _capabilities(own), *(_measure(one) for one in own)]
    return "".join(parts)


def result() -> str:
    """Return the keys of a result, from its JSON Schema."""
    schema = unisono.Result.json_schema()
    rows = "".join(
        f"| `{name}` | {_kinds(one, schema)} | {_cell(one.get('description', ''))} |\n"
        for name, one in schema["properties"].items()
    )
    return (
        f"# Results as JSON\n\n{MADE}{schema['description']} Every key is always there; "
        "one that does not apply is null. `unisono.Result.json_schema()` returns the schema itself.\n\n"
        f"| key | type | |\n|---|---|---|\n{rows}"
    )


def python(title: str, sections: tuple[str, ...]) -> str:
    """Return a page of directives from which the site makes the documentation of the names of some sections."""
    text = API.read_text(encoding="utf-8")
    parts = {part.split("\n", 1)[0]: part for part in re.split(r"^## ", text, flags=re.M)[1:]}
    names = [name for one in sections for name in re.findall(r"^\| `(unisono\.[\w.]+)` \|", parts[one], flags=re.M)]
    modules = {"unisono.shuffling", "unisono.studies"}
    return f"# {title}\n\n{MADE}" + "".join(map(_directive, (name for name in names if name not in modules)))


def compatible() -> str:
    """Return a page of directives for the classes with the interface of pygamma-agreement."""
    directives = "".join(f"::: unisono.compat.pygamma.{name}\n\n" for name in pygamma.__all__)
    return (
        f"# Classes of pygamma-agreement\n\n{MADE}Scripts that were written for pygamma-agreement run with these "
        f"classes: see [coming from pygamma-agreement](../../coming-from-pygamma.md).\n\n{directives}"
    )


def _directive(name: str) -> str:
    """Return the directive for a name; of a class, without what is internal."""
    if name not in INTERNAL:
        return f"::: {name}\n\n"
    internal = "|".join(INTERNAL[name].split())
    return f'::: {name}\n    options:\n      filters: ["!^_", "!^({internal})$"]\n\n'


def _purpose(docstring: str) -> str:
    """Turn the docstring of a command into text, with its examples as a block."""
    text, _, after = docstring.partition("\n\nExamples\n--------\n")
    return f"{text}\n\n" + (f"```sh\n{after.strip()}\n```\n\n" if after else "")


def _shared(tables: Iterable[Mapping[str, _Rows]]) -> dict[str, dict[tuple[str, str], None]]:
    """Return the options that many commands have with the same meaning, by the heading they have in most of them."""
    every = Counter((heading, row) for table in tables for heading, rows in table.items() for row in rows)
    found: dict[str, dict[tuple[str, str], None]] = {}
    for (heading, row), often in every.items():
        if often >= _MANY and row[0].startswith("-") and row[0] != "--help":
            found.setdefault(heading, {})[row] = None
    return found


def _option_tables(
    sections: Mapping[str, _Rows], shared: Mapping[str, Mapping[tuple[str, str], None]] | None = None
) -> Iterator[str]:
    for heading, every in sections.items():
        known = (shared or {}).get(heading, {})
        rows = [row for row in every if row[0] != "--help" and row not in known]
        if rows:
            yield f"| {heading.lower()} | |\n|---|---|\n" + "".join(_row(*row) for row in rows) + "\n"
        if again := [name.split(" ")[0].rstrip(",") for name, meaning in every if (name, meaning) in known]:
            named = ", ".join(f"`{name}`" for name in again)
            yield f"[{heading.capitalize()}](#{heading.lower()}): {named}.\n\n"


def _rows(rows: _Rows) -> str:
    return "| option | |\n|---|---|\n" + "".join(_row(*row) for row in rows)


def _row(name: str, meaning: str) -> str:
    return f"| `{_cell(name)}` | {_cell(meaning)} |\n"


def _capabilities(declared: list[Declaration]) -> str:
    rows = "".join(
        f"| [`{one.name}`](#{one.name}) | {one.symbol} | {'two' if one.two_only else 'two or more'} | "
        + " | ".join("yes" if it else "no" for it in _abilities(one))
        + " |\n"
        for one in declared
    )
    head = "| measure | | annotators | missing | distances | chance-corrected | overlap | in batches |\n"
    return f"{head}|---|---|---|---|---|---|---|---|\n{rows}\n"


def _abilities(one: Declaration) -> tuple[bool, ...]:
    return one.takes_missing, one.weighs, one.corrected, one.takes_overlap, one.stream is not None


def _measure(declared: Declaration) -> str:
    rows = "".join(
        f"| `{one.name}` | {_default(one.default)} | {_cell(one.description)} |\n" for one in declared.parameters
    )
    return (
        f"### {declared.name}\n\n*{declared.title}* ({declared.symbol}). Needs "
        f"{declared.needs}. Ignores {declared.ignores}. {declared.reference}.\n\n"
        + (f"| parameter | default | |\n|---|---|---|\n{rows}\n" if rows else "")
    )


def _kinds(described: dict[str, Any], schema: dict[str, Any]) -> str:
    """Name the types that a key can have."""
    if "$ref" in described:
        return _kinds(schema["$defs"][described["$ref"].rpartition("/")[2]], schema)
    several = [kind for name in ("anyOf", "oneOf") for one in described.get(name, ()) for kind in [_kinds(one, schema)]]
    given = described.get("type", several or "any")
    return " or ".join(dict.fromkeys([given] if isinstance(given, str) else given))


def _default(default: Any) -> str:
    plain = str(default).lower() if isinstance(default, bool) else str(default)
    return "" if default is None else f"`{_cell(plain)}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
