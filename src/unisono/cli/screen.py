"""Where results are printed: stdout, as wide as the terminal, else 100 columns."""

from __future__ import annotations

import sys
from typing import IO, cast

from rich.console import Console


class _Trimmed:
    """Stdout without trailing spaces."""

    def write(self, text: str) -> int:
        """Write text without the spaces at the ends of its lines."""
        return sys.stdout.write("\n".join(line.rstrip(" ") for line in text.split("\n")))

    def flush(self) -> None:
        """Flush stdout."""
        sys.stdout.flush()


screen = (
    Console(highlight=False, markup=False, emoji=False)
    if sys.stdout.isatty()
    else Console(highlight=False, markup=False, emoji=False, width=100, file=cast(IO[str], _Trimmed()))
)
