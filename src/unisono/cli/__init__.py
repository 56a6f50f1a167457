"""The command line: one thin module per command."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading

from unisono.cli.interrupts import Interrupted, interrupts_raised


def main() -> None:
    """Run `unisono`; an error that a user can fix is printed as one sentence, with exit status 1."""
    alone = sys.stdout is sys.__stdout__  # and not called by another program, which has its own ideas of ending
    if alone:
        # data are many small objects that stay: looking for circles every 700 objects takes a tenth of the time
        gc.set_threshold(200_000, 20, 50)
        atexit.register(gc.freeze)  # what is left at the end is not searched for circles: that takes 0.3 s
    try:
        with interrupts_raised(afterwards=signal.SIG_IGN if alone else None):
            _run()
    except Interrupted as ended:
        print(f"unisono: {ended}", file=sys.stderr, flush=True)
        if alone and threading.active_count() > 1:
            os._exit(ended.status)  # without waiting for threads that are still computing
        sys.exit(ended.status)


def _run() -> None:
    # imported here, so that an interrupt meanwhile is handled, too
    from unisono.cli.streams import prepare_streams, printing_checked
    from unisono.errors import UnisonoError

    prepare_streams()
    try:
        with printing_checked():
            from unisono.cli.app import app

            app()
    except UnisonoError as error:
        from unisono.cli.spelling import told

        print(f"unisono: {told(error)}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(1)
