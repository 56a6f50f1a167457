"""Where results are printed: stdout, as wide as the terminal or as a page."""

from __future__ import annotations

import sys

from rich.console import Console

screen = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 100)
