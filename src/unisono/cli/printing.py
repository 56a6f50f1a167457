"""What is printed to stdout: tables for people, JSON, CSV or LaTeX for programs and papers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias

from unisono.cli.help import OUTPUT
from unisono.errors import OptionError

if TYPE_CHECKING:
    from unisono.results import Captioned

AsJson: TypeAlias = Annotated[bool, OUTPUT("", "Print JSON.", "--json")]


class _Shown(Protocol):
    """What a command found."""

    def to_dict(self) -> dict[str, Any]: ...

    def tabled(self) -> tuple[list[Captioned], list[str]]: ...


@dataclass(frozen=True)
class Printing:
    """How to print what was found."""

    as_json: AsJson = False
    as_csv: bool = OUTPUT.field(False, "", "Print all tables as CSV.", "--csv")
    as_latex: bool = OUTPUT.field(False, "", "Print all tables as LaTeX.", "--latex")

    def check(self, **more: bool) -> None:
        """Raise OptionError if options are chosen that exclude each other: these and further ones."""
        chosen = {"json": self.as_json, "csv": self.as_csv, "latex": self.as_latex, **more}
        if sum(chosen.values()) > 1:
            *names, last = [f"--{name}" for name in chosen]
            raise OptionError(f"{', '.join(names)} and {last} exclude each other; choose one")

    def print(self, found: _Shown) -> None:
        """Print what was found."""
        if self.as_json:
            print_json(found.to_dict())
        else:
            self.print_tables(*found.tabled())

    def print_tables(self, tables: Sequence[Captioned], sentences: Sequence[str]) -> None:
        """Print tables and sentences about them; not as JSON."""
        if self.as_csv or self.as_latex:
            from unisono.reporting import exported

            write = exported.csv_tables if self.as_csv else exported.latex_tables
            print(write(tables, sentences), end="")
            return
        from unisono.cli.screen import screen
        from unisono.reporting.terminal import show_table

        for table in tables:
            show_table(screen, *table)
        for sentence in sentences:
            screen.print(sentence, markup=False)


def print_json(plain: Any) -> None:
    """Print plain data as JSON."""
    print(json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=1, default=list))
