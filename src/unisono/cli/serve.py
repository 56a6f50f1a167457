"""`unisono serve`: the local app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from unisono.cli.help import DRAFTING, WORK
from unisono.cli.spelling import as_reading_option, shell_word
from unisono.cli.values import names_out
from unisono.errors import OptionError


def serve(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH…]", help="Annotation files, folders or ZIP archives to open.")
    ] = None,
    decisions: Annotated[
        list[Path] | None,
        DRAFTING(
            "FILE",
            "Where decisions about this data are kept; by default beside it, in NAME.decisions.jsonl. Can be repeated: "
            "further files have the decisions of others, and where people differ, you decide again.",
        ),
    ] = None,
    port: Annotated[
        int | None, WORK("N", "The port of the app; by default 8642, or any free port if that is taken.", least=1)
    ] = None,
    no_browser: Annotated[bool, WORK("", "Only print the address; do not open a browser.", "--no-browser")] = False,
) -> None:
    """Open the app: measure, look, and decide in a browser.

    It runs on this computer only, and nothing is loaded from the network or sent there. Every decision is in a file
    before the next place is shown. Press Ctrl-C to stop the app.

    Examples
    --------
    unisono serve
    unisono serve annotations.csv
    """
    try:
        from unisono.app.serving import run_app
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "multipart", "python_multipart"):
            raise
        reason = 'the app needs the packages starlette, uvicorn and python-multipart: pip install "unisono[app]"'
        raise OptionError(reason) from None
    if decisions and not paths:
        raise OptionError("--decisions needs the data that it is about; give its PATH, too")
    run_app(paths or [], commands=_command, port=port, decisions=decisions or (), browse=not no_browser)


def _command(name: str, paths: Sequence[Path], given: Mapping[str, Any]) -> str:
    """Write a command that does the same."""
    options = []
    for parameter, value in given.items():
        if parameter == "clean":
            options += [as_reading_option(parameter, step) for step in value]
        elif parameter == "missing":
            options.append(as_reading_option(parameter, names_out(value)))
        else:
            options.append(as_reading_option(parameter, value))
    named = [f"./{path}" if str(path).startswith("-") else str(path) for path in paths]
    return " ".join(["unisono", name, *map(shell_word, named), *options])
