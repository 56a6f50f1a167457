"""The command line: one thin module a command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run `unisono`; errors that a user can mend are one sentence and exit status 1."""
    from unisono.cli.app import app
    from unisono.errors import UnisonoError

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        app()
    except UnisonoError as error:
        print(f"unisono: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("unisono: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
