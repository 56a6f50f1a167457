"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from unisono.cli.advise import advise
from unisono.cli.align import align
from unisono.cli.benchmark import benchmark
from unisono.cli.compare import compare
from unisono.cli.convert import convert
from unisono.cli.demo import demo
from unisono.cli.formats import formats
from unisono.cli.gold import gold
from unisono.cli.measure import measure
from unisono.cli.measures import measures
from unisono.cli.plan import plan
from unisono.cli.report import report
from unisono.cli.shuffle import shuffle
from unisono.cli.study import study
from unisono.version import __version__

app = typer.Typer(
    help="Measure how far annotators agree, and show where they do not.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    demo,
    measure,
    align,
    report,
    gold,
    advise,
    study,
    compare,
    plan,
    convert,
    shuffle,
    benchmark,
    measures,
    formats,
):
    app.command()(command)


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
    """Measure how far annotators agree, and show where they do not."""
