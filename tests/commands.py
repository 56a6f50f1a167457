"""The command line within the tests' own process, which is faster than a process for each command."""

from __future__ import annotations

import io
import math
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from typing import NamedTuple
from unittest.mock import patch

from typer.main import get_command

from unisono.cli import main

_made = cache(get_command)


class Done(NamedTuple):
    """What a command gave."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object) -> Done:
    """Run `unisono` with arguments."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    code = 0
    program = patch.object(sys, "argv", ["unisono", *map(str, arguments)])
    # started with `python -m pytest`, click would believe that the program's name is that
    itself = patch.object(sys.modules["__main__"], "__package__", None)
    # typer makes all commands anew for each call, which takes longer than most of them
    made = patch("typer.main.get_command", _made)
    # what is printed does not depend on how busy the computer is
    calm = patch("unisono.cli.progress._FIRST", math.inf)
    with program, itself, made, calm, redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return Done(code, *texts)


@cache
def options_of_commands() -> frozenset[str]:
    """Return all options and arguments of all commands, as they are written."""
    from unisono.cli.app import app

    written = set()
    for command in get_command(app).commands.values():
        for parameter in command.params:
            is_argument = parameter.param_type_name == "argument"
            written |= {parameter.metavar.strip("[…]")} if is_argument else {*parameter.opts, *parameter.secondary_opts}
    return frozenset(written)
