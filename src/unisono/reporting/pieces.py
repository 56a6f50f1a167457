"""Pieces of HTML that notebooks are made of, and pages on disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from unisono.alignment.aligned import Aligned
from unisono.errors import OptionError, plural
from unisono.output import new_file
from unisono.reporting.markup import escaped
from unisono.reporting.palette import scoped
from unisono.reporting.shown_tables import ShownTable, shown_table
from unisono.reporting.templates import render, style_sheet
from unisono.results import Captioned
from unisono.results.shown import fixed


def refuse_page_name(path: Path) -> None:
    """Raise an error if a file's name does not end like that of a page."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise OptionError.about("path", f"{path}: the page is HTML; use a name that ends in .html")


def write_page(page: str, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Write a page; characters that cannot be encoded are written as escapes."""
    with new_file(path, overwrite=overwrite) as stream:
        stream.write(page.encode(errors="backslashreplace"))


def fragment(content: str) -> str:
    """Give some HTML the style of notebooks, which applies to nothing else, in the colours of what it is in."""
    name, style = scoped(style_sheet("hosts") + style_sheet("notebook"), follows="host")
    return f'<div class="{name}"><style>{style}</style>\n{content}\n</div>'


def tabled_html(tables: Sequence[Captioned], sentences: Sequence[str], figures: Sequence[tuple[str, str]] = ()) -> str:
    """Show figures with their captions, tables with theirs, and sentences below them."""
    shown = [shown_table(table, caption, n_summary=n, missing="") for caption, table, n in tables if table.rows]
    return tables_html(shown, sentences, figures)


def tables_html(tables: Sequence[ShownTable], sentences: Sequence[str], figures: Sequence[tuple[str, str]] = ()) -> str:
    """Show tables that are written out, figures above them, and sentences below them."""
    drawn = [(caption, Markup(svg)) for caption, svg in figures]
    return fragment(render("tables", figures=drawn, tables=tables, sentences=sentences))


def alignment_caption(alignment: Aligned) -> str:
    """Say which document was aligned, its disorder, how well proven that is, and how many units there are."""
    name = f"<strong>{escaped(alignment.document.name)}</strong>"
    if alignment.disorder is None:
        return f"{name} · no annotator marked anything"
    gap = alignment.optimality_gap
    proof = f"alignment proven to be within {gap:.2%} of the best" if gap else "alignment proven optimal"
    disorder = f"disorder {fixed(alignment.disorder, 3)}"
    return " · ".join([name, disorder, proof, plural(alignment.annotations.n_units, "unit")])
