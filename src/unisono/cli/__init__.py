"""The command line: one thin module per command."""

from __future__ import annotations

import sys

from unisono.cli.interrupts import Interrupted, interrupts_raised
from unisono.errors import UnisonoError


def main() -> None:
    """Run `unisono`; an error that a user can fix is printed as one sentence, with exit status 1."""
    _write_utf8()
    try:
        with interrupts_raised():
            from unisono.cli.app import app

            app()
    except UnisonoError as error:
        from unisono.cli.spelling import told

        print(f"unisono: {told(error)}", file=sys.stderr)
        sys.exit(1)
    except Interrupted as ended:
        print(f"unisono: {ended}", file=sys.stderr)
        sys.exit(ended.status)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


def _write_utf8() -> None:
    """Let output be UTF-8 whatever the console's encoding, so that programs can rely on it; nothing is lost as "?"."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
