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
        sys.exit(1)
    except Interrupted as ended:
        print(f"unisono: {ended}", file=sys.stderr, flush=True)
        if sys.stdout is sys.__stdout__:
            os._exit(ended.status)  # at once, without waiting for threads that are still computing
        sys.exit(ended.status)
    except BrokenPipeError:
        sys.exit(1)
