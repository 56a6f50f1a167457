"""The command line: one thin module per command."""

from __future__ import annotations

import os
import sys

from unisono.cli.interrupts import Interrupted, interrupts_raised
from unisono.cli.streams import prepare_streams, printing_checked
from unisono.errors import UnisonoError


def main() -> None:
    """Run `unisono`; an error that a user can fix is printed as one sentence, with exit status 1."""
    prepare_streams()
    try:
        with interrupts_raised(), printing_checked():
            from unisono.cli.app import app

            app()
    except UnisonoError as error:
        from unisono.cli.spelling import told

        print(f"unisono: {told(error)}", file=sys.stderr)
        _leave(1)
    except Interrupted as ended:
        print(f"unisono: {ended}", file=sys.stderr)
        _leave(ended.status)
    except BrokenPipeError:
        _leave(1)


def _leave(status: int) -> None:
    """End at once: output that could not be printed is not tried again, and threads that still compute do not delay."""
    sys.stderr.flush()
    os._exit(status)
