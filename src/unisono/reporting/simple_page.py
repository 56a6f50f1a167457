"""Tables as one HTML page that needs nothing else: to open, to print, to send."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from unisono.reporting.palette import SURFACE, page_colours
from unisono.reporting.pieces import tabled_html
from unisono.reporting.templates import render, style_sheet
from unisono.results import Captioned
from unisono.version import __version__


def tabled_page(title: str, tables: Sequence[Captioned], sentences: Sequence[str]) -> str:
    """Make one self-contained HTML page of tables, with sentences below them."""
    style = Markup(page_colours(SURFACE) + style_sheet("simple_page"))
    content = Markup(tabled_html(tables, sentences))
    return render("simple_page", title=title, style=style, content=content, version=__version__)
