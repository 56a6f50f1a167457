"""The command line: one thin module a command."""

from __future__ import annotations

import sys

from unisono.cli.interrupts import Interrupted, interrupts_raised
from unisono.errors import UnisonoError


def main() -> None:
    """Run `unisono`; errors that a user can mend are one sentence and exit status 1."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        with interrupts_raised():
            from unisono.cli.app import app

            app()
    except UnisonoError as error:
        print(f"unisono: {error}", file=sys.stderr)
        sys.exit(1)
    except Interrupted as ended:
        print(f"unisono: {ended}", file=sys.stderr)
        sys.exit(ended.status)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
