"""What is printed: tables for people, JSON, CSV or LaTeX for programs and papers."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO, TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias, cast

from unisono.cli.help import OUTPUT
from unisono.cli.streams import visible
from unisono.errors import OptionError

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, ConsoleRenderable
    from rich.segment import Segment
    from rich.table import Table

    from unisono.results import Captioned

AsJson: TypeAlias = Annotated[bool, OUTPUT("", "Print JSON.", "--json")]


_CHUNKS = 10_000
"""So many pieces of JSON are printed at a time."""


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
    safe_csv: bool = OUTPUT.field(
        False, "", "In CSV, put an apostrophe before cells that a spreadsheet would take for formulas.", "--safe-csv"
    )

    def check(self, **more: bool) -> None:
        """Raise OptionError if options are chosen that exclude each other: these and further ones."""
        if self.safe_csv and not self.as_csv:
            raise OptionError("--safe-csv only applies to --csv; add it, or leave both out")
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

            if self.as_csv:
                print(exported.csv_tables(tables, sentences, safe=self.safe_csv), end="")
            else:
                print(exported.latex_tables(tables, sentences), end="")
            return
        from unisono.reporting.terminal import show_table

        console = screen()
        for table in tables:
            show_table(console, *table)
        for sentence in sentences:
            console.print(sentence)


class OneByOne(list[Any]):
    """A list for `print_json` whose members are made when they are printed."""

    def __init__(self, make: Callable[[Any], Any], members: Sequence[Any]) -> None:
        super().__init__()
        self._make = make
        self._members = members

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Any]:
        return map(self._make, self._members)


def print_json(plain: Any) -> None:
    """Print plain data as JSON, piece by piece: with very many documents, all of it would need much memory."""
    encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=1, default=list)
    chunks = encoder.iterencode(plain)
    while some := "".join(islice(chunks, _CHUNKS)):
        sys.stdout.write(some)
    print()


def screen() -> Console:
    """Return where results are printed: stdout, as wide as the terminal, else as COLUMNS says, else 100 columns."""
    from rich.console import Console

    if sys.stdout.isatty():
        console = Console(highlight=False, markup=False, emoji=False)
    else:
        width = os.environ.get("COLUMNS", "")
        wide = int(width) if width.isdecimal() and int(width) else 100
        console = Console(highlight=False, markup=False, emoji=False, width=wide, file=cast(IO[str], _Trimmed()))
    console.push_render_hook(cast(Any, _Visible()))
    return console


class _Visible:
    """A render hook: names in data cannot control the terminal."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[_Escaped]:
        return [_Escaped(one) for one in renderables]


@dataclass(frozen=True)
class _Escaped:
    """Something to print, without characters that control the terminal."""

    content: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        from rich.segment import Segment

        for segment in console.render(self.content, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


class _Trimmed:
    """Stdout without trailing spaces."""

    def write(self, text: str) -> int:
        return sys.stdout.write("\n".join(line.rstrip(" ") for line in text.split("\n")))

    def flush(self) -> None:
        sys.stdout.flush()


def plain_table(*columns: str, **options: Any) -> Table:
    """Make a table without lines, for `screen`."""
    from rich.table import Table

    looks = {"box": None, "pad_edge": False, "header_style": "dim", "padding": (0, 2, 0, 0)}
    return Table(*columns, **{**looks, **options})
