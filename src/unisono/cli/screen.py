"""Where results are printed: stdout, as wide as the terminal or as a page."""

from __future__ import annotations

import sys
from typing import IO, cast

from rich.console import Console


class _Trimmed:
    """A stream that takes no spaces at the ends of lines."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write what has no spaces at the ends of lines."""
        return self._stream.write("\n".join(line.rstrip(" ") for line in text.split("\n")))

    def flush(self) -> None:
        """Pass it on."""
        self._stream.flush()


screen = (
    Console(highlight=False, markup=False, emoji=False)
    if sys.stdout.isatty()
    else Console(highlight=False, markup=False, emoji=False, width=100, file=cast(IO[str], _Trimmed(sys.stdout)))
)
