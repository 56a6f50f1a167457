"""Tables with captions, and sentences on them, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence

from unisono.results import Captioned


def print_tabled(
    tables: Sequence[Captioned], sentences: Sequence[str], *, as_csv: bool = False, as_latex: bool = False
) -> None:
    """Print tables and sentences to the screen, as CSV or as LaTeX."""
    from unisono.reporting import exported

    if as_csv or as_latex:
        write = exported.csv_tables if as_csv else exported.latex_tables
        print(write(tables, sentences), end="")
        return
    from unisono.cli.screen import screen
    from unisono.reporting.terminal import show_table

    for table in tables:
        show_table(screen, *table)
    for sentence in sentences:
        screen.print(sentence, markup=False)
