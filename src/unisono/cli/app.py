"""All commands, under the headings of `unisono --help`."""

from __future__ import annotations

from typing import Annotated

import typer

from unisono.cli.advise import advise
from unisono.cli.align import align
from unisono.cli.benchmark import benchmark
from unisono.cli.check import check
from unisono.cli.compare import compare
from unisono.cli.convert import convert
from unisono.cli.demo import demo
from unisono.cli.formats import formats
from unisono.cli.gold import gold
from unisono.cli.help import Command, Group
from unisono.cli.judges import judges
from unisono.cli.measure import measure
from unisono.cli.measures import measures
from unisono.cli.plan import plan
from unisono.cli.prevalence import prevalence
from unisono.cli.report import report
from unisono.cli.serve import serve
from unisono.cli.shuffle import shuffle
from unisono.cli.study import study
from unisono.version import __version__

_COMMANDS = {
    "Start here": (demo, serve, advise),
    "Measure": (measure, report, align, study),
    "Decide": (compare, judges, prevalence, plan, gold, check),
    "Simulate": (shuffle, benchmark),
    "Look up and convert": (measures, formats, convert),
}

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for heading, commands in _COMMANDS.items():
    for command in commands:
        summary = (command.__doc__ or "").partition("\n")[0]
        app.command(cls=Command, short_help=summary, rich_help_panel=heading)(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"unisono {__version__}")
        raise typer.Exit


@app.callback()
def unisono(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Measure how well annotators agree, and show where they do not.

    Examples
    --------
    unisono demo
    unisono measure annotations.csv

    `unisono COMMAND --help` shows what a command is for, with examples.
    """
