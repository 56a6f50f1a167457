"""Tables as one HTML page that needs nothing else: to open, to print, to send."""

from __future__ import annotations

from collections.abc import Sequence

from unisono.reporting.markup import escaped
from unisono.reporting.palette import SURFACE, page_colours, style_sheet
from unisono.reporting.pieces import fragment, tabled_pieces
from unisono.results import Captioned
from unisono.version import __version__


def tabled_page(title: str, tables: Sequence[Captioned], sentences: Sequence[str]) -> str:
    """Make one self-contained HTML page of tables.

    Parameters
    ----------
    title : str
        The page's heading.
    tables : sequence of Captioned
        The tables.
    sentences : sequence of str
        What a reader should know.
    """
    footer = f'<footer class="soft">made with unisono {__version__}</footer>'
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="unisono {__version__}">\n'
        f"<title>{escaped(title)}</title>\n<style>{page_colours(SURFACE)}{style_sheet('simple_page')}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escaped(title)}</h1>\n{fragment([*tabled_pieces(tables, sentences), footer])}\n"
        "</main>\n</body>\n</html>\n"
    )
